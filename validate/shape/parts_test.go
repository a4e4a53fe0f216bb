package shape

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

func TestPatterns(t *testing.T) {
	tests := []struct{ pattern, matches, differs string }{
		{`^a`, "ab", "ba"},
		{`\u0041`, "A", `u0041`},
		{`[\u0041-\u0043]$`, "xB", "xD"},
		{`^\cJ$`, "\n", "J"},
		{`^\s$`, "\u00a0", "x"},
		{`^[\s.]$`, "\u2028", "x"},
		{`^\S$`, "x", "\ufeff"},
		{`^\/\-\_$`, "/-_", "/"},
		{`[(?=]`, "=", "a"},
		{`\(?=`, "=", "("},
		{`^(?<year>\d{4})$`, "2024", "24"},
		{`^é\p{L}$`, "éü", "é1"},
	}
	for _, test := range tests {
		compiled, err := compilePattern(test.pattern)
		if err != nil {
			t.Errorf("%s does not compile: %v", test.pattern, err)
			continue
		}
		if !compiled.MatchString(test.matches) || compiled.MatchString(test.differs) {
			t.Errorf("%s must match %q and not %q", test.pattern, test.matches, test.differs)
		}
	}
}

func TestPatternsThatCannotBeApplied(t *testing.T) {
	tests := map[string]string{
		`a(?=b)`:       `it holds a lookahead, "(?="`,
		`(?!b)`:        `it holds a negative lookahead, "(?!"`,
		`(?<=a)b`:      `it holds a lookbehind, "(?<="`,
		`(?<!a)b`:      `it holds a negative lookbehind, "(?<!"`,
		`(?>a)b`:       `it holds an atomic group, "(?>"`,
		`(a)\1`:        `it holds a backreference, "\\1"`,
		`(?<a>b)\k<a>`: `it holds a backreference, "\\k"`,
		`[]`:           `it holds an empty class`,
		`[^]`:          `it holds an empty class`,
		`a{1,5000}`:    `invalid repeat count in "{1,5000}"`,
		`(`:            `missing closing ) in "("`,
		`a**`:          `invalid nested repetition operator in "**"`,
		`\`:            `trailing backslash at end of expression in ""`,
	}
	for pattern, want := range tests {
		if _, err := compilePattern(pattern); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, expected %s", pattern, err, want)
		}
	}
}

// The official suite holds the formats in detail; these are what people write.
func TestFormats(t *testing.T) {
	tests := []struct {
		format    string
		good, bad []string
	}{
		{"date-time", []string{"2024-05-01T10:00:00Z", "2024-05-01t10:00:00.25z", "1998-12-31T23:59:60Z", "1998-12-31T15:59:60-08:00"},
			[]string{"", "2024-05-01", "10:00:00", "10:00:00Z", "2024-05-01 10:00:00Z", "2024-05-01T10:00:00", "2024-05-01T24:00:00Z", "2024-02-30T10:00:00Z", "1998-12-31T22:59:60Z", "2024-05-01T10:00Z", "20240501T100000Z", "2024-05-01T10:00:00+2500"}},
		{"date", []string{"2024-02-29", "0001-01-01"}, []string{"2023-02-29", "2024-5-1", "2024-05-01T", "२०२४-05-01", "12024-01-01"}},
		{"time", []string{"10:00:00Z", "10:00:00.5+02:00"}, []string{"10:00:00", "10:00Z", "25:00:00Z", "10:00:00+24:00"}},
		{"email", []string{"a.b@example.com", `"a b"@example.com`, "a@[127.0.0.1]", "a@[IPv6:::1]"}, []string{"a", "a@", "@b", "A <a@example.com>", "a..b@example.com", "ü@example.com", "a@b c"}},
		{"idn-email", []string{"ü@münchen.example"}, []string{"münchen"}},
		{"hostname", []string{"example.com", "a-b.example"}, []string{"", "-a", "a_b", "a..b", "a b"}},
		{"ipv4", []string{"127.0.0.1"}, []string{"127.0.0.01", "127.1", "::1"}},
		{"ipv6", []string{"::1", "::ffff:1.2.3.4"}, []string{"127.0.0.1", "::1%eth0", "12345::"}},
		{"uri", []string{"https://example.com/a?b#c", "urn:a:b", "http://[::1]:80/"}, []string{"example.com", "//example.com", "http://a b", `http:\\a`, "http://[::1", "https://exämple.com"}},
		{"uri-reference", []string{"", "/a", "a?b", "#c"}, []string{"a b", `\a`}},
		{"iri", []string{"https://exämple.com/ü"}, []string{"exämple"}},
		{"uri-template", []string{"https://example.com/{user}{?a,b*}"}, []string{"https://example.com/{user"}},
		{"uuid", []string{"2EB8AA08-aa98-11ea-b4aa-73b441d16380"}, []string{"2eb8aa08aa9811eab4aa73b441d16380"}},
		{"regex", []string{"^a", "(?=a)"}, []string{"("}},
		{"json-pointer", []string{"", "/a/~0~1"}, []string{"a", "/~2"}},
		{"relative-json-pointer", []string{"0", "1/a", "2#"}, []string{"/a", "01"}},
	}
	for _, test := range tests {
		holds := formats[test.format]
		for _, s := range test.good {
			if !holds([]byte(s)) {
				t.Errorf("%q is a good %s and is refused", s, test.format)
			}
		}
		for _, s := range test.bad {
			if holds([]byte(s)) {
				t.Errorf("%q is no %s and is taken for one", s, test.format)
			}
		}
	}
}

func TestCanonical(t *testing.T) {
	equal := [][2]string{
		{`1`, `1.0`}, {`1`, `10e-1`}, {`0`, `-0`}, {`{"a": 1, "b": [2]}`, `{"b": [2.0], "a": 1e0}`}, {`"\u00e9"`, `"é"`}, {`1e400`, `10e399`},
	}
	differ := [][2]string{
		{`9007199254740992`, `9007199254740993`}, {`0.1`, `0.10000000000000000001`}, {`1`, `true`}, {`0`, `false`}, {`1`, `"1"`},
		{`null`, `"null"`}, {`[1, 2]`, `[12]`}, {`["a,b"]`, `["a", "b"]`}, {`{"a": 1}`, `[["a", 1]]`}, {`[]`, `{}`},
	}
	for _, pair := range equal {
		if a, b := canonical(anyOf(t, []byte(pair[0]))), canonical(anyOf(t, []byte(pair[1]))); a != b {
			t.Errorf("%s and %s are equal, and are written %s and %s", pair[0], pair[1], a, b)
		}
	}
	for _, pair := range differ {
		if a, b := canonical(anyOf(t, []byte(pair[0]))), canonical(anyOf(t, []byte(pair[1]))); a == b {
			t.Errorf("%s and %s are not equal, and both are written %s", pair[0], pair[1], a)
		}
	}
}

// Lines and columns are those of counting from the start, across the edges of blocks and characters of several bytes.
func TestLines(t *testing.T) {
	text := bytes.Repeat([]byte("aé\n\n世界x𝄞"), 3*block/16)
	l := linesOf(text)
	for offset := 0; offset <= len(text); offset++ {
		if offset < len(text) && !utf8.RuneStart(text[offset]) {
			continue
		}
		before := text[:offset]
		line, column := 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
		if gotLine, gotColumn := l.place(text, offset); gotLine != line || gotColumn != column {
			t.Fatalf("offset %d is at %d:%d, expected %d:%d", offset, gotLine, gotColumn, line, column)
		}
	}
}

// An array or object is called long only where it is, and is called so where it is much longer than is shown.
func TestLongValues(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(5, 6))}
	called := 0
	for range 20_000 {
		text := w.value(4)
		v := parsed(t, text).Root()
		if v.Kind() < tape.Array {
			continue
		}
		shown := utf8.RuneCountInString(jsonText(v.Any()))
		switch long := isLong(v); {
		case long && shown <= maxShown:
			t.Fatalf("%s is called long, and is shown with %d characters", text, shown)
		case long:
			called++
		case shown > 3*maxShown:
			t.Fatalf("%s is not called long, and takes %d characters", text, shown)
		}
	}
	if called < 100 {
		t.Errorf("%d values were called long: the test needs longer ones", called)
	}
	for text, want := range map[string]bool{
		`["` + strings.Repeat("é", 58) + `"]`: false, `["` + strings.Repeat("é", 59) + `"]`: true, `["` + strings.Repeat(`\u00e9`, 58) + `"]`: false,
		`{"` + strings.Repeat("k", 30) + `": ` + strings.Repeat("1", 28) + `}`: false, `{"` + strings.Repeat("k", 30) + `": ` + strings.Repeat("1", 29) + `}`: true,
		`[` + strings.Repeat(" ", 100) + `]`: false, `[` + strings.Repeat("[], ", 30) + `{}]`: true,
	} {
		if got := isLong(parsed(t, text).Root()); got != want {
			t.Errorf("%s is called long: %v, want %v", text, got, want)
		}
	}
}
