package shape

import (
	"errors"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/xeipuuv/gojsonschema"
)

// formats are the formats that texts are held against; any other format has no effect. gojsonschema's own checkers take a
// date or a time for a date-time, refuse numbers, and more.
var formats = map[string]func(string) bool{
	"date":                  isDate,
	"time":                  isTime,
	"date-time":             isDateTime,
	"email":                 func(s string) bool { return isASCII(s) && isEmail(s) },
	"idn-email":             isEmail,
	"hostname":              isHostname,
	"ipv4":                  isIPv4,
	"ipv6":                  isIPv6,
	"uri":                   func(s string) bool { return isASCII(s) && isReference(s, true) },
	"uri-reference":         func(s string) bool { return isASCII(s) && isReference(s, false) },
	"iri":                   func(s string) bool { return isReference(s, true) },
	"iri-reference":         func(s string) bool { return isReference(s, false) },
	"uri-template":          uriTemplate.MatchString,
	"uuid":                  uuid.MatchString,
	"regex":                 isRegex,
	"json-pointer":          jsonPointer.MatchString,
	"relative-json-pointer": relativePointer.MatchString,
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

// formatPrefix starts the names under which gojsonschema knows the formats, so that its own stay as they are.
const formatPrefix = "hfpub:"

// registerFormats adds the formats to the one table that gojsonschema looks them up in, which it guards by a lock.
var registerFormats = sync.OnceFunc(func() {
	for name, holds := range formats {
		gojsonschema.FormatCheckers.Add(formatPrefix+name, formatChecker(holds))
	}
})

// formatChecker makes a format gojsonschema's; what is no text has every format.
type formatChecker func(string) bool

// IsFormat implements gojsonschema.FormatChecker.
func (holds formatChecker) IsFormat(input any) bool {
	text, ok := input.(string)
	return !ok || holds(text)
}

var (
	datePattern = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	timePattern = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$`)
	uuid        = regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

	jsonPointer     = regexp.MustCompile(`^(?:/(?:[^~/]|~0|~1)*)*$`)
	relativePointer = regexp.MustCompile(`^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~0|~1)*)*)$`)

	// RFC 6570: literals and {expressions}.
	uriTemplate = regexp.MustCompile(`^(?:[^\x00-\x20"<>\\^\x60{|}%\x7f]|%[0-9A-Fa-f]{2}|` +
		`\{[+#./;?&=,!@|]?` + templateName + `(?:,` + templateName + `)*\})*$`)
)

const templateName = `(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{0,3}|\*)?`

// isDate: full-date of RFC 3339.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil && datePattern.MatchString(s)
}

// isTime: full-time of RFC 3339, which has an offset. A leap second stands at the end of a day in UTC only.
func isTime(s string) bool {
	m := timePattern.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	hour, minute, second := twoDigits(m[1]), twoDigits(m[2]), twoDigits(m[3])
	offHour, offMinute := twoDigits(m[5]), twoDigits(m[6])
	if hour > 23 || minute > 59 || second > 60 || offHour > 23 || offMinute > 59 {
		return false
	}
	offset := offHour*60 + offMinute
	if m[4] == "-" {
		offset = -offset
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == day-1
}

// twoDigits reads two digits; nothing is 0.
func twoDigits(s string) int {
	if s == "" {
		return 0
	}
	return int(s[0]-'0')*10 + int(s[1]-'0')
}

// isDateTime: date-time of RFC 3339, whose T and Z may be small.
func isDateTime(s string) bool {
	const date = len("2006-01-02")
	return len(s) > date && (s[date] == 'T' || s[date] == 't') && isDate(s[:date]) && isTime(s[date+1:])
}

// isEmail: a mailbox of RFC 5321, or of RFC 6531 where it is not ASCII.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return false
	}
	return isLocalPart(s[:at]) && isMailDomain(s[at+1:])
}

var (
	dotAtom      = regexp.MustCompile(`^` + atom + `(?:\.` + atom + `)*$`)
	quotedString = regexp.MustCompile(`^"(?:[^\x00-\x1f"\\\x7f]|\\[^\x00-\x1f\x7f])*"$`)
)

const atom = `[^\x00-\x20()<>@,;:\\".\[\]\x7f]+`

func isLocalPart(s string) bool { return dotAtom.MatchString(s) || quotedString.MatchString(s) }

func isMailDomain(s string) bool {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		if v6, ok := strings.CutPrefix(inner, "IPv6:"); ok {
			return closed && isIPv6(v6)
		}
		return closed && isIPv4(inner)
	}
	if isASCII(s) {
		return isHostname(s)
	}
	return dotAtom.MatchString(s)
}

var label = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

// isHostname: RFC 1123.
func isHostname(s string) bool {
	if len(s) > 253 {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if !label.MatchString(part) {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is4()
}

func isIPv6(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is6() && address.Zone() == ""
}

// RFC 3986 in its parts, with characters beyond ASCII as RFC 3987 has them.
var (
	referenceParts = regexp.MustCompile(`^(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`)
	scheme         = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)
	authority      = regexp.MustCompile(`^(?:((?:` + uriChar + `|:)*)@)?(\[[^\]]*\]|(?:` + uriChar + `)*)(?::[0-9]*)?$`)
	pathChars      = regexp.MustCompile(`^(?:` + uriChar + `|[:@/])*$`)
	ipFuture       = regexp.MustCompile(`^[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$`)
	queryChars     = regexp.MustCompile(`^(?:` + uriChar + `|[:@/?])*$`)
)

const uriChar = `[A-Za-z0-9._~!$&'()*+,;=\x{A0}-\x{10FFFD}-]|%[0-9A-Fa-f]{2}`

// isReference: an address, which has a scheme, or a reference, which need not.
func isReference(s string, absolute bool) bool {
	m := referenceParts.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	switch {
	case m[1] != "" && !scheme.MatchString(m[1]), m[1] == "" && absolute:
		return false
	case !pathChars.MatchString(m[3]), !queryChars.MatchString(m[4]), !queryChars.MatchString(m[5]):
		return false
	}
	host := authority.FindStringSubmatch(m[2])
	if host == nil {
		return false
	}
	if literal, ok := strings.CutPrefix(host[2], "["); ok {
		inner := strings.TrimSuffix(literal, "]")
		return isIPv6(inner) || ipFuture.MatchString(inner)
	}
	return true
}

// isRegex: ECMA 262. What Go's engine lacks is a regular expression all the same.
func isRegex(s string) bool {
	_, err := compilePattern(s)
	var lacks lacking
	return err == nil || errors.As(err, &lacks)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0
}
