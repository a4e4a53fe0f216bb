package shape

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// formats are the formats that texts are held against; any other format has no effect.
var formats = map[string]func([]byte) bool{
	"date":                  isDate,
	"time":                  isTime,
	"date-time":             isDateTime,
	"email":                 func(s []byte) bool { return isASCII(s) && isEmail(s) },
	"idn-email":             isEmail,
	"hostname":              isHostname,
	"idn-hostname":          isIDNHostname,
	"ipv4":                  isIPv4,
	"ipv6":                  isIPv6,
	"uri":                   func(s []byte) bool { return isASCII(s) && isReference(s, true) },
	"uri-reference":         func(s []byte) bool { return isASCII(s) && isReference(s, false) },
	"iri":                   func(s []byte) bool { return isReference(s, true) },
	"iri-reference":         func(s []byte) bool { return isReference(s, false) },
	"uri-template":          uriTemplate.Match,
	"uuid":                  isUUID,
	"regex":                 isRegex,
	"json-pointer":          isPointer,
	"relative-json-pointer": isRelativePointer,
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

// RFC 6570: literals and {expressions}.
var uriTemplate = lazyregexp.New(`^(?:[^\x00-\x20"<>\\^\x60{|}%\x7f]|%[0-9A-Fa-f]{2}|` +
	`\{[+#./;?&=,!@|]?` + templateName + `(?:,` + templateName + `)*\})*$`)

const templateName = `(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{0,3}|\*)?`

// hasForm says that a text has a certain form: 9 stands for any digit, everything else for itself.
func hasForm(s []byte, form string) bool {
	if len(s) != len(form) {
		return false
	}
	for i := range s {
		if form[i] == '9' {
			if !isDigit(s[i]) {
				return false
			}
		} else if s[i] != form[i] {
			return false
		}
	}
	return true
}

// number reads digits.
func number(digits []byte) int {
	n := 0
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

// isDate: full-date of RFC 3339.
func isDate(s []byte) bool {
	if !hasForm(s, "9999-99-99") {
		return false
	}
	year, month, day := number(s[:4]), number(s[5:7]), number(s[8:])
	return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

func daysOf(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// isTime: full-time of RFC 3339, which has an offset. A leap second stands at the end of a day in UTC only.
func isTime(s []byte) bool {
	const whole = len("99:99:99")
	if len(s) <= whole || !hasForm(s[:whole], "99:99:99") {
		return false
	}
	hour, minute, second := number(s[:2]), number(s[3:5]), number(s[6:whole])
	rest := s[whole:]
	if rest[0] == '.' {
		digits := 1
		for digits < len(rest) && isDigit(rest[digits]) {
			digits++
		}
		if digits == 1 {
			return false
		}
		rest = rest[digits:]
	}
	offset, ok := offsetOf(rest)
	if !ok || hour > 23 || minute > 59 || second > 60 {
		return false
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == day-1
}

// offsetOf reads the offset of a time, in minutes.
func offsetOf(s []byte) (minutes int, ok bool) {
	switch {
	case len(s) == 1:
		return 0, s[0]|0x20 == 'z'
	case len(s) == 0 || !hasForm(s[1:], "99:99"):
		return 0, false
	}
	hour, minute := number(s[1:3]), number(s[4:])
	minutes = 60*hour + minute
	if s[0] == '-' {
		minutes = -minutes
	}
	return minutes, (s[0] == '-' || s[0] == '+') && hour <= 23 && minute <= 59
}

// isDateTime: date-time of RFC 3339, whose T and Z may be small.
func isDateTime(s []byte) bool {
	const date = len("2006-01-02")
	return len(s) > date && s[date]|0x20 == 't' && isDate(s[:date]) && isTime(s[date+1:])
}

// isEmail: a mailbox of RFC 5321, or of RFC 6531 where it is not ASCII.
func isEmail(s []byte) bool {
	at := bytes.LastIndexByte(s, '@')
	return at >= 0 && (isDotAtom(s[:at]) || isQuoted(s[:at])) && isMailDomain(s[at+1:])
}

// isDotAtom: atoms of RFC 5321 with dots between them.
func isDotAtom(s []byte) bool {
	for part := range bytes.SplitSeq(s, []byte{'.'}) {
		if len(part) == 0 || bytes.ContainsFunc(part, func(r rune) bool { return !isAtom(r) }) {
			return false
		}
	}
	return true
}

func isAtom(r rune) bool {
	switch r {
	case '(', ')', '<', '>', '@', ',', ';', ':', '\\', '"', '[', ']', 0x7F:
		return false
	}
	return r > 0x20
}

// isQuoted: a quoted string of RFC 5321.
func isQuoted(s []byte) bool {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	s = s[1 : len(s)-1]
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			if i++; i == len(s) {
				return false
			}
			c = s[i]
		} else if c == '"' {
			return false
		}
		if c < 0x20 || c == 0x7F {
			return false
		}
	}
	return true
}

func isMailDomain(s []byte) bool {
	if len(s) > 0 && s[0] == '[' {
		inner, closed := bytes.CutSuffix(s[1:], []byte{']'})
		if v6, ok := bytes.CutPrefix(inner, []byte("IPv6:")); ok {
			return closed && isIPv6(v6)
		}
		return closed && isIPv4(inner)
	}
	if isASCII(s) {
		return isHostname(s)
	}
	return isDotAtom(s)
}

// isHostname: RFC 1123, with the encoded labels of RFC 5890.
func isHostname(s []byte) bool {
	if len(s) > 253 {
		return false
	}
	for part := range bytes.SplitSeq(s, []byte{'.'}) {
		if !isLabel(part) || isEncoded(part) && !isALabel(part) {
			return false
		}
	}
	return true
}

func isEncoded(label []byte) bool {
	return len(label) > 4 && bytes.EqualFold(label[:4], []byte("xn--"))
}

func isLabel(s []byte) bool {
	if len(s) == 0 || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for _, c := range s {
		if !isAlphanumeric(c) && c != '-' {
			return false
		}
	}
	return true
}

// isIPv4: four numbers up to 255 without leading zeros.
func isIPv4(s []byte) bool {
	parts := 0
	for part := range bytes.SplitSeq(s, []byte{'.'}) {
		parts++
		if len(part) == 0 || len(part) > 3 || len(part) > 1 && part[0] == '0' || !allDigits(part) || number(part) > 255 {
			return false
		}
	}
	return parts == 4
}

// isIPv6: RFC 4291, section 2.2, without a zone.
func isIPv6(s []byte) bool {
	const groups = 8
	before, after, shortened := bytes.Cut(s, []byte("::"))
	if !shortened {
		n, ok := groupsOf(s)
		return ok && n == groups
	}
	m, ok := 0, true
	if len(before) > 0 {
		m, ok = groupsOf(before)
		if bytes.IndexByte(before, '.') >= 0 {
			return false // an IPv4 address stands at the end only
		}
	}
	n := 0
	if ok && len(after) > 0 {
		n, ok = groupsOf(after)
	}
	return ok && m+n < groups
}

// groupsOf counts the groups of an IPv6 address, an IPv4 address at its end as two.
func groupsOf(s []byte) (n int, ok bool) {
	for {
		part, rest, more := bytes.Cut(s, []byte{':'})
		if !more && bytes.IndexByte(part, '.') >= 0 {
			return n + 2, isIPv4(part)
		}
		if n++; len(part) == 0 || len(part) > 4 || !allHex(part) {
			return n, false
		}
		if !more {
			return n, true
		}
		s = rest
	}
}

// isReference: an address of RFC 3986, which has a scheme, or a reference, which need not; with characters beyond ASCII as
// RFC 3987 has them.
func isReference(s []byte, absolute bool) bool {
	s, fragment, _ := bytes.Cut(s, []byte{'#'})
	s, query, _ := bytes.Cut(s, []byte{'?'})
	if !areURIChars(fragment, ":@/?") || !areURIChars(query, ":@/?") {
		return false
	}
	scheme := bytes.IndexAny(s, ":/")
	if scheme >= 0 && s[scheme] == ':' && scheme > 0 {
		if !isScheme(s[:scheme]) {
			return false
		}
		s = s[scheme+1:]
	} else if absolute {
		return false
	}
	if rest, ok := bytes.CutPrefix(s, []byte("//")); ok {
		end := bytes.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		if !isAuthority(rest[:end]) {
			return false
		}
		s = rest[end:]
	}
	return areURIChars(s, ":@/")
}

func isScheme(s []byte) bool {
	for i, c := range s {
		if !isAlphanumeric(c) && (i == 0 || c != '+' && c != '-' && c != '.') || i == 0 && isDigit(c) {
			return false
		}
	}
	return len(s) > 0
}

// isAuthority: [user @] host [: port].
func isAuthority(s []byte) bool {
	if user, host, ok := bytes.Cut(s, []byte{'@'}); ok {
		if !areURIChars(user, ":") {
			return false
		}
		s = host
	}
	if len(s) > 0 && s[0] == '[' {
		end := bytes.IndexByte(s, ']')
		if end < 0 {
			return false
		}
		return isPort(s[end+1:]) && (isIPv6(s[1:end]) || isFutureAddress(s[1:end]))
	}
	if colon := bytes.IndexByte(s, ':'); colon >= 0 {
		return areURIChars(s[:colon], "") && isPort(s[colon:])
	}
	return areURIChars(s, "")
}

// isPort: nothing, or a colon and digits, of which there may be none.
func isPort(s []byte) bool { return len(s) == 0 || s[0] == ':' && allDigits(s[1:]) }

// isFutureAddress: IPvFuture of RFC 3986.
func isFutureAddress(s []byte) bool {
	if len(s) == 0 || s[0]|0x20 != 'v' {
		return false
	}
	version, address, ok := bytes.Cut(s[1:], []byte{'.'})
	if !ok || len(version) == 0 || !allHex(version) || len(address) == 0 || !isASCII(address) {
		return false
	}
	return bytes.IndexByte(address, '%') < 0 && areURIChars(address, ":")
}

// areURIChars says that a text holds unreserved characters, sub-delims, escapes with a percent sign, characters beyond
// U+009F and those of more.
func areURIChars(s []byte, more string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(s[i:])
			if r < 0xA0 || r > 0x10FFFD {
				return false
			}
			i += n
			continue
		case isAlphanumeric(c):
		case c == '%':
			if len(s)-i < 3 || !allHex(s[i+1:i+3]) {
				return false
			}
			i += 2
		case !isOneOf(c, "-._~!$&'()*+,;=") && !isOneOf(c, more):
			return false
		}
		i++
	}
	return true
}

func isOneOf(c byte, list string) bool {
	for i := range len(list) {
		if list[i] == c {
			return true
		}
	}
	return false
}

// isUUID: RFC 4122.
func isUUID(s []byte) bool {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(s) != len(form) {
		return false
	}
	for i, c := range s {
		if form[i] == 'x' && !isHexDigit(c) || form[i] == '-' && c != '-' {
			return false
		}
	}
	return true
}

// isPointer: RFC 6901.
func isPointer(s []byte) bool {
	if len(s) > 0 && s[0] != '/' {
		return false
	}
	for i, c := range s {
		if c == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

// isRelativePointer: a number of levels, then a pointer or #.
func isRelativePointer(s []byte) bool {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	rest := s[n:]
	return string(rest) == "#" || isPointer(rest)
}

// isRegex: ECMA 262. What Go's engine lacks is a regular expression all the same; what only other languages write is none.
func isRegex(s []byte) bool {
	if isForeignRegex(s) {
		return false
	}
	_, err := compilePattern(string(s))
	var lacks lacking
	return err == nil || errors.As(err, &lacks)
}

// isForeignRegex says that an expression has an escape, as \A or \a, or a group, as (?P<name>…) or (?i)…, that ECMA 262
// does not have.
func isForeignRegex(s []byte) bool {
	inClass := false
	for i := 0; i+1 < len(s); i++ {
		switch next := s[i+1]; {
		case s[i] == '\\':
			if isAlphanumeric(next) && !isDigit(next) && !isOneOf(next, "bBdDwWsSfnrtvcuxkpP") {
				return true
			}
			i++
		case s[i] == '[':
			inClass = true
		case s[i] == ']':
			inClass = false
		case s[i] == '(' && next == '?' && !inClass:
			if i+2 == len(s) || !isOneOf(s[i+2], ":=!<") {
				return true
			}
		}
	}
	return false
}

func isASCII(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20-'a' <= 'f'-'a' }

func isAlphanumeric(c byte) bool { return isDigit(c) || c|0x20-'a' <= 'z'-'a' }

func allDigits(s []byte) bool {
	for _, c := range s {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

func allHex(s []byte) bool {
	for _, c := range s {
		if !isHexDigit(c) {
			return false
		}
	}
	return true
}
