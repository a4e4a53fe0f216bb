package shape

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// inWordsOfOthers are the formats by regular expressions and package time, net/netip: shorter to read, and much slower.
var inWordsOfOthers = map[string]func(string) bool{
	"date":                  dateByTime,
	"time":                  timeByExpression,
	"date-time":             dateTimeByTime,
	"email":                 func(s string) bool { return asciiText.MatchString(s) && emailByExpression(s) },
	"idn-email":             emailByExpression,
	"hostname":              hostnameByExpression,
	"ipv4":                  func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":                  ipv6ByNetip,
	"uri":                   func(s string) bool { return asciiText.MatchString(s) && referenceByExpression(s, true) },
	"uri-reference":         func(s string) bool { return asciiText.MatchString(s) && referenceByExpression(s, false) },
	"iri":                   func(s string) bool { return referenceByExpression(s, true) },
	"iri-reference":         func(s string) bool { return referenceByExpression(s, false) },
	"uuid":                  regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`).MatchString,
	"json-pointer":          regexp.MustCompile(`^(?:/(?:[^~/]|~0|~1)*)*$`).MatchString,
	"relative-json-pointer": regexp.MustCompile(`^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~0|~1)*)*)$`).MatchString,
}

var (
	asciiText   = regexp.MustCompile(`^[\x00-\x7f]*$`)
	dateForm    = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	timeForm    = regexp.MustCompile(`^(?:([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60))(?:\.\d+)?(?:[zZ]|([+-])([01]\d|2[0-3]):([0-5]\d))$`)
	dotAtomForm = regexp.MustCompile(`^` + atomForm + `(?:\.` + atomForm + `)*$`)
	quotedForm  = regexp.MustCompile(`^"(?:[^\x00-\x1f"\\\x7f]|\\[^\x00-\x1f\x7f])*"$`)
	labelForm   = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

	referenceForm = regexp.MustCompile(`(?s)^(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`)
	schemeForm    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)
	authorityForm = regexp.MustCompile(`^(?:(?:` + uriForm + `|:)*@)?(\[[^\]]*\]|(?:` + uriForm + `)*)(?::[0-9]*)?$`)
	pathForm      = regexp.MustCompile(`^(?:` + uriForm + `|[:@/])*$`)
	futureForm    = regexp.MustCompile(`^[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$`)
	queryForm     = regexp.MustCompile(`^(?:` + uriForm + `|[:@/?])*$`)
)

const (
	atomForm = `[^\x00-\x20()<>@,;:\\".\[\]\x7f]+`
	uriForm  = `[A-Za-z0-9._~!$&'()*+,;=\x{A0}-\x{10FFFD}-]|%[0-9A-Fa-f]{2}`
)

func dateByTime(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil && dateForm.MatchString(s)
}

func timeByExpression(s string) bool {
	m := timeForm.FindStringSubmatch(s)
	if m == nil || m[3] != "60" {
		return m != nil
	}
	at, _ := time.Parse("15:04", m[1]+":"+m[2])
	offset, _ := time.ParseDuration(m[4] + m[5] + "h" + m[6] + "m")
	if m[4] == "" {
		offset = 0
	}
	return at.Add(-offset).Format("15:04") == "23:59"
}

func dateTimeByTime(s string) bool {
	date, clock, ok := strings.Cut(strings.Replace(s, "t", "T", 1), "T")
	return ok && dateByTime(date) && timeByExpression(clock)
}

func emailByExpression(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || !dotAtomForm.MatchString(s[:at]) && !quotedForm.MatchString(s[:at]) {
		return false
	}
	domain := s[at+1:]
	inner, isLiteral := strings.CutPrefix(domain, "[")
	switch {
	case isLiteral:
		inner, closed := strings.CutSuffix(inner, "]")
		v6, isV6 := strings.CutPrefix(inner, "IPv6:")
		if isV6 {
			return closed && ipv6ByNetip(v6)
		}
		a, err := netip.ParseAddr(inner)
		return closed && err == nil && a.Is4()
	case asciiText.MatchString(domain):
		return hostnameByExpression(domain)
	}
	return dotAtomForm.MatchString(domain)
}

func hostnameByExpression(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if !labelForm.MatchString(label) || isEncoded([]byte(label)) && !isALabel([]byte(label)) {
			return false
		}
	}
	return len(s) <= 253
}

func ipv6ByNetip(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == "" && !strings.Contains(s, "%")
}

func referenceByExpression(s string, absolute bool) bool {
	m := referenceForm.FindStringSubmatch(s)
	if m == nil || m[1] != "" && !schemeForm.MatchString(m[1]) || m[1] == "" && absolute {
		return false
	}
	host := authorityForm.FindStringSubmatch(m[2])
	if host == nil || !pathForm.MatchString(m[3]) || !queryForm.MatchString(m[4]) || !queryForm.MatchString(m[5]) {
		return false
	}
	literal, ok := strings.CutPrefix(host[1], "[")
	literal = strings.TrimSuffix(literal, "]")
	return !ok || ipv6ByNetip(literal) || futureForm.MatchString(literal)
}

func FuzzFormats(f *testing.F) {
	for _, s := range []string{
		"", "2024-02-29", "2023-02-29", "2100-02-29", "2000-02-29", "0000-01-01", "2024-04-31", "2024-13-01",
		"2024-00-10", "2024-01-00", "2024-1-01",
		"10:00:00Z", "10:00:00.25z", "10:00:00.Z", "23:59:60Z", "15:59:60-08:00", "00:29:60+00:30", "22:59:60Z",
		"24:00:00Z", "10:00:00+24:00", "10:00:00", "10:00:00x01:00",
		"2024-05-01T10:00:00Z", "2024-05-01t10:00:00.1+02:00", "2024-05-01 10:00:00Z",
		"a.b@example.com", `"a b"@example.com`, `"a\"b"@[127.0.0.1]`, `"a"b"@x`, `"\`, `"\"@x`, "a@[IPv6:::1]",
		"a@[::1]", "a@b@c", "ü@münchen.example", "a..b@c", "@",
		"example.com", "-a", "a-", "a_b", "a..b", strings.Repeat("a", 64), strings.Repeat("a.", 127) + "a",
		"127.0.0.1", "127.0.0.01", "256.1.1.1", "1.1.1", "::1", "::", ":::", "1:2:3:4:5:6:7:8", "1::8",
		"1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "1.2.3.4::", "1:2:3:4:5:6:1.2.3.4",
		"::1.2.3.4:1", "1:2:3:4:5:6:7:1.2.3.4", "::1%eth0", "12345::", "g::", "1::2::3",
		"https://a:b@example.com:80/p;a?q#f", "urn:a:b", "//host/path", "http://[::1]:80/", "http://[v1.a:b]/",
		"http://[::1", "http://[]", "http://a]b", "http:/\\", "a b", "%4", "%41", ":a",
		"1a:b", "http://ex\u00e4mple", "http://\u0085", "?a?b#c?d", "#a#b", "http://a@b@c", "http://a:b:c",
		"http://a:8x", "a\nb", "http://", "http:", "\u00e9",
		"2EB8AA08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
		"/a/~0~1", "a", "/~2", "/~", "~1", "0", "1/a", "2#", "01", "1a", "0#/a", "#", "00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		isIDNHostname([]byte(s)) // may say what it likes: there is nothing to hold it against
		for name, holds := range inWordsOfOthers {
			if got, want := formats[name]([]byte(s)), holds(s); got != want {
				t.Errorf("%q is a %s: %v, expected %v", s, name, got, want)
			}
		}
	})
}
