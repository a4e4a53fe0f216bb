package column

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

func TestTextSizes(t *testing.T) {
	tests := map[string]textSize{
		"":                       {0, 0},
		"abc":                    {3, 3},
		"a/b":                    {3, 4},
		"////////////////":       {16, 32},
		"héllo":                  {5, 10},
		"日本":                     {2, 12},
		"🦉":                      {1, 12},
		"a🦉b日c/d, and some more": {22, 22 - 2 + 12 + 6 + 1},
		"\x7f":                   {1, 1},
	}
	for text, want := range tests {
		if got := plainSize([]byte(text)); got != want {
			t.Errorf("plainSize(%q) is %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]textSize{`"`: {1, 2}, `\`: {1, 2}, "\n\r\t\b\f": {5, 10}, "\x00\x1f": {2, 12}, "a\n日": {3, 9}} {
		if got := decodedSize([]byte(text)); got != want {
			t.Errorf("decodedSize(%q) is %+v, want %+v", text, got, want)
		}
	}
}

func TestTextsWithEscapesAreMeasuredAsDecoded(t *testing.T) {
	for _, raw := range []string{`\n\r\t\b\f\"\\\/`, `a\u0000b\u001fc\u0022\u005C\u002f`, `\u00e9\u65e5\ud83e\udd89\u007f`, `x\\u0000`, `日\n本/`} {
		var doc tape.Tape
		if problems := doc.Parse([]byte(`"` + raw + `"`)); len(problems) > 0 {
			t.Fatal(problems)
		}
		text := doc.Root().AppendText(nil)
		if got, want := escapedSize([]byte(raw), text), decodedSize(text); got != want {
			t.Errorf("%s has size %+v, want that of its text, %+v", raw, got, want)
		}
	}
}

func TestTextSizesAtEveryAlignment(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	runes := []rune("ab/é日🦉z")
	for range 2000 {
		var text []byte
		want := textSize{}
		for range random.IntN(30) {
			r := runes[random.IntN(len(runes))]
			text = utf8.AppendRune(text, r)
			want.runes++
			switch {
			case r == '/':
				want.encoded += 2
			case r < 0x80:
				want.encoded++
			case r < 0x10000:
				want.encoded += 6
			default:
				want.encoded += 12
			}
		}
		if got := plainSize(text); got != want {
			t.Fatalf("plainSize(%q) is %+v, want %+v", text, got, want)
		}
	}
}

func TestTextsThatPandasReadsAsJSON(t *testing.T) {
	yes := []string{"1", " 1 ", "-1.5e3", "01", "1.", "1e", "-", "18446744073709551615", "true", "null", "NaN", "Infinity", "-Infinity", `"a"`, `"\u00e9\n"`, "\"a\nb\"",
		"[]", "[ ]", "[1, [2], {}]", "{}", `{"a": 1}`, `{"a": 1,}`, "\t\n{ \"a\" : [ 1 , 2 ] } "}
	no := []string{"", " ", "a", "tru", "truth", "nullable", "2024-01-02", "1 2", "1,", "18446744073709551616", "-9223372036854775809", `"a`, `"\x"`, `"\u12"`, "[1,]", "[", "[,]",
		"{a: 1}", `{"a"}`, `{"a" 1}`, `{1: 1}`, `{"a": 1`, "[link](url)", "'a'", "+1", ".5", "1a", "\"a\x00\"", "Inf"}
	for _, text := range yes {
		if !selfEncoded([]byte(text)) {
			t.Errorf("pandas reads %q, so a Json column keeps it", text)
		}
	}
	for _, text := range no {
		if selfEncoded([]byte(text)) {
			t.Errorf("pandas does not read %q, so a Json column quotes it", text)
		}
	}
}

func FuzzSelfEncoded(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "x", null]}`, "[[", "-Infinity", `"\ud83e\udd89"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		// Whatever strict JSON allows, pandas reads, but for numbers outside 64 bits.
		if selfEncoded(text) != selfEncoded(append([]byte(" "), text...)) {
			t.Errorf("a blank before %q changes the answer", text)
		}
		size := decodedSize(text)
		if utf8.Valid(text) && size.runes != utf8.RuneCount(text) {
			t.Errorf("%q has %d characters, want %d", text, size.runes, utf8.RuneCount(text))
		}
	})
}
