package column

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
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
	random := rand.New(rand.NewPCG(2, 2))
	parts := []string{"a", "/", "é", "日", "🦉", "plain text ", `\n`, `\\`, `\"`, `\/`, `\u0000`, `\u000a`, `\u0022`, `\u005C`, `\u002f`, `\u0061`, `\u00e9`, `\u65e5`, `\ud83e\udd89`}
	texts := []string{`\n\r\t\b\f\"\\\/`, `a\u0000b\u001fc\u0022\u005C\u002f`, `\u00e9\u65e5\ud83e\udd89\u007f`, `x\\u0000`, `日\n本/`}
	for range 5000 {
		text := ""
		for range random.IntN(12) {
			text += parts[random.IntN(len(parts))]
		}
		texts = append(texts, text)
	}
	for _, raw := range texts {
		var doc tape.Tape
		if problems := doc.Parse([]byte(`"` + raw + `"`)); len(problems) > 0 {
			t.Fatal(problems)
		}
		text := doc.Root().AppendText(nil)
		got, length := measured(doc.Root())
		if want := decodedSize(text); got != want || length != len(text) {
			t.Errorf("%s has size %+v and a text of %d bytes, want that of its text, %+v and %d", raw, got, length, want, len(text))
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

// Whether a string with escapes is JSON for pandas is asked of its beginning first.
func TestStringsThatPandasReadsAsJSON(t *testing.T) {
	long := strings.Repeat("tea, ", 100)
	var o Observer
	for _, text := range []string{
		`["` + long + `"]`, `["` + long + `\n", 1, {"a": null}]`, " \n\t[\"" + long + "\"]", "[System]\n" + long, "\"quoted\" " + long, "\"" + long + "\"", "\n" + long, "\n", " \r\n", "\\" + long,
		"truth\n" + long, "true\n", "12\n" + strings.Repeat(" ", 300), "12\n" + strings.Repeat(" ", 300) + "x", "{\n}", "\\n12", "é\n" + long, "\"é" + long,
		`["é", "日本", "🦉"]`, `[["é", "é"], ["a", "é"], {"é": "é"}]`, `["é`, `["é" é]`, `[é]`, `é`, `["a", é"b"]`, `["\u00e9é"]`, `["\é"]`, `["\u00é0"]`, `["\u00e`, `[1é]`, `[trué]`, `["a", "é\"b"]`,
		`["a", "b\"]`, `["a", "b"`, `["a", "`, `["a", "b" "c"]`, `["a", "b",]`, `["a",  "b", "c"]`, "[\"a\", \"b\x00\"]", `["/", "é"]`, `["\/é"]`,
		strings.Repeat("[", 250) + "\"" + strings.Repeat("]", 250), strings.Repeat("[", 300) + "\"" + strings.Repeat("x", 300) + "\"" + strings.Repeat("]", 300),
	} {
		for _, quoted := range []string{string(appendJSONText(nil, text)), asciiJSON(text)} {
			checkSelfEncoded(t, &o, quoted, text)
		}
	}
	// Escapes that stand for what means something, beside others.
	for quoted, text := range map[string]string{
		`"[\u0022a\u00e9\u0022]"`: `["aé"]`, `"[\"a\u0022]"`: `["a"]`, `"[\"a\u005c\", \"b\"]"`: `["a\", "b"]`, `"[\"\u00e9\", \u0031]"`: `["é", 1]`,
		`"\u005b\"\u00e9\"]"`: `["é"]`, `"[\"\u00e9\", \"\u0000\"]"`: "[\"é\", \"\x00\"]", `"[\"\\\/\u00e9\"]"`: `["\/é"]`,
	} {
		checkSelfEncoded(t, &o, quoted, text)
	}
}

// asciiJSON writes a text as a JSON string in ASCII.
func asciiJSON(text string) string {
	var b strings.Builder
	for _, r := range string(appendJSONText(nil, text)) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			first, second := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04X`, first, second)
		}
	}
	return b.String()
}

// checkSelfEncoded holds what an observer says of a string of JSON against what is said of its text.
func checkSelfEncoded(t *testing.T, o *Observer, quoted, text string) {
	t.Helper()
	var doc tape.Tape
	if problems := doc.Parse([]byte(quoted)); len(problems) > 0 {
		t.Fatalf("the test's own text %s: %+v", quoted, problems)
	}
	if got, want := o.isSelfEncoded(doc.Root()), selfEncoded([]byte(text)); got != want {
		t.Errorf("%.200s is JSON for pandas: %v, want %v", quoted, got, want)
	}
}

// What is known of a list does not change what is found of a text that begins like it.
func TestListsThatGoOn(t *testing.T) {
	lists := []string{`[["a"]]`, `["a"]`, `["a" ]`, `[]`, `[ ]`, "[\n]", `[1]`, `[true]`, `[{}]`, `[{"a": [1]}]`, `["\"]`, `["]"]`, ` ["a"]`, `{"a": ["b"]}`, `"]"`, `["é"]`, `[["a"], "\u0041"]`}
	ends := []string{"", "]", ",", ", ]", `, "b"]`, `,"b"] `, `, "b"]]`, `, ["b"], {}]`, `, "b`, `, b]`, `,,"b"]`, `"b"]`, `2]`, `.5]`, ` , 1]`, "\n, 1]", `, "\u0041"]`, "}", `, "b"}`}
	for _, list := range lists {
		for _, end := range ends {
			var o Observer
			var coded Observer
			for _, text := range []string{list, list[:len(list)-1] + end} {
				checkSelfEncoded(t, &o, string(appendJSONText(nil, text)), text)
				checkSelfEncoded(t, &coded, asciiJSON(text), text)
			}
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
		if utf8.Valid(text) && len(text) > 0 {
			for _, quoted := range []string{string(appendJSONText(nil, string(text))), asciiJSON(string(text))} {
				if openings[quoted[1]]&opensJSON != 0 {
					checkSelfEncoded(t, &Observer{}, quoted, string(text))
				}
			}
		}
		size := decodedSize(text)
		if utf8.Valid(text) && size.runes != utf8.RuneCount(text) {
			t.Errorf("%q has %d characters, want %d", text, size.runes, utf8.RuneCount(text))
		}
	})
}

// BenchmarkSelfEncoded asks of a state in JSON, as it stands in a string, whether pandas reads it.
func BenchmarkSelfEncoded(b *testing.B) {
	raw := []byte(`[[\"Quinn\", \"allergy\", \"none\"], [\"Quinn\", \"pet\", \"chef\"], [\"Quinn\", \"car\", \"ukulele\"], {\"diet\": \"Lisbon\", \"n\": [1, 2.5, null]}]`)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if !(lenient{raw, true}).whole() {
			b.Fatal("pandas reads it")
		}
	}
}
