package tape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
)

// place is a problem without its words.
type place struct {
	Code    finding.Code
	Offset  int
	Pointer string
	Fatal   bool
}

func placesOf(problems []Problem) []place {
	var out []place
	for _, p := range problems {
		out = append(out, place{p.Code, p.Offset, p.Pointer, p.Fatal})
	}
	return out
}

func TestParseReportsWhatIsNotStrict(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, text string
		want       []place
		message    string // of the last problem
	}{
		{"object", `{"a": [1, -0.5e+3, "x", true, false, null, {}, []]}`, nil, ""},
		{"blanks around", " \t\r\n[1] \r\n", nil, ""},
		{"number beyond float64", `1e400`, nil, ""},
		{"the deepest nesting", deep(512), nil, ""},
		{"surrogate pair", `"\ud83d\uDE00"`, nil, ""},
		{"line separators", "\"\u2028\u0085\x7f\"", nil, ""},

		{"nothing", ``, []place{{"json/syntax", 0, "", true}}, "no value"},
		{"blanks only", "  \n", []place{{"json/syntax", 3, "", true}}, "no value"},
		{"trailing comma in an object", `{"id": 2,}`, []place{{"json/syntax", 8, "/id", true}}, "trailing comma before }"},
		{"trailing comma in an array", `{"a":[1, 2 , ]}`, []place{{"json/syntax", 11, "/a/1", true}}, "trailing comma before ]"},
		{"two commas", `[1,,2]`, []place{{"json/syntax", 3, "/1", true}}, "a value is missing before ,"},
		{"two commas in an object", `{"a":1,,"b":2}`, []place{{"json/syntax", 7, "/a", true}}, "a comma without a member before it"},
		{"value missing", `{"a":}`, []place{{"json/syntax", 5, "/a", true}}, "a value is missing before }"},
		{"colon missing", `{"a" 1}`, []place{{"json/syntax", 5, "/a", true}}, "expected : after a key, found 1"},
		{"comma missing in an object", `{"a":1 "b":2}`, []place{{"json/syntax", 7, "/a", true}}, "two members without a comma between them"},
		{"comma missing in an array", `[1 2]`, []place{{"json/syntax", 3, "/0", true}}, "two elements without a comma between them"},
		{"quote inside a string", `{"a":"say "no""}`, []place{{"json/syntax", 11, "/a", true}}, "expected a comma or }, found n"},
		{"wrong bracket", `{"a":[1}`, []place{{"json/syntax", 7, "/a/0", true}}, "expected a comma or ], found }"},
		{"bracket too many", `{"a":1}}`, []place{{"json/syntax", 7, "", true}}, "text behind the value: }"},
		{"comma behind", `{"a":1},`, []place{{"json/syntax", 7, "", true}}, "a comma behind the value"},
		{"single quotes", `{'a': 1}`, []place{{"json/syntax", 1, "", true}}, "a key in single quotes"},
		{"string in single quotes", `{"a": 'b'}`, []place{{"json/syntax", 6, "/a", true}}, "a string in single quotes"},
		{"key without quotes", `{a: 1}`, []place{{"json/syntax", 1, "", true}}, "a key without quotes"},
		{"number as key", `{1: 1}`, []place{{"json/syntax", 1, "", true}}, "a key without quotes"},
		{"comment before a value", `{"a": /* x */ 1}`, []place{{"json/syntax", 6, "/a", true}}, "a comment"},
		{"comment before a key", `{ // x`, []place{{"json/syntax", 2, "", true}}, "a comment"},
		{"comment before a comma", `[1 # x`, []place{{"json/syntax", 3, "/0", true}}, "a comment"},
		{"Python's None", `{"a": None}`, []place{{"json/syntax", 6, "/a", true}}, "a word of Python instead of JSON"},
		{"misspelt literal", `[nul]`, []place{{"json/syntax", 1, "/0", true}}, "expected a value, found n"},
		{"literal too long", `[nullx]`, []place{{"json/syntax", 5, "/0", true}}, "expected a comma or ], found x"},
		{"leading zero", `[01]`, []place{{"json/syntax", 1, "/0", true}}, "a number with a leading zero"},
		{"leading zero after the sign", `[-01.5]`, []place{{"json/syntax", 2, "/0", true}}, "a number with a leading zero"},
		{"leading plus", `[+1]`, []place{{"json/syntax", 1, "/0", true}}, "a number that starts with +"},
		{"leading point", `[.5]`, []place{{"json/syntax", 1, "/0", true}}, "a number that starts with ."},
		{"no digit behind the point", `[1.]`, []place{{"json/syntax", 3, "/0", true}}, "a decimal point without a digit behind it"},
		{"no digit in the exponent", `[1e+]`, []place{{"json/syntax", 4, "/0", true}}, "an exponent without a digit"},
		{"lone minus", `[-]`, []place{{"json/syntax", 2, "/0", true}}, "a minus sign without a digit behind it"},
		{"hexadecimal", `[0x10]`, []place{{"json/syntax", 2, "/0", true}}, "expected a comma or ], found x"},
		{"raw tab", "[\"a\tb\"]", []place{{"json/syntax", 3, "/0", true}}, "raw control character U+0009 in a string"},
		{"raw line feed", "[\"a\nb\"]", []place{{"json/syntax", 3, "/0", true}}, "raw control character U+000A in a string"},
		{"unknown escape", `["a\x41"]`, []place{{"json/syntax", 3, "/0", true}}, "a string holds an escape that JSON does not have"},
		{"short \\u escape", `["\u12g4"]`, []place{{"json/syntax", 2, "/0", true}}, "a string holds an escape that JSON does not have"},
		{"no-break space", "[\u00a01]", []place{{"json/syntax", 1, "/0", true}}, "expected a value, found U+00A0"},
		{"cut in a string", `{"a": "xy`, []place{{"json/syntax", 9, "/a", true}}, "the text ends inside an object"},
		{"cut in an escape", `["\u00`, []place{{"json/syntax", 6, "/0", true}}, "the text ends inside an array"},
		{"cut in a literal", `{"a":tru`, []place{{"json/syntax", 8, "/a", true}}, "the text ends inside an object"},
		{"cut in a number", `{"a":1.`, []place{{"json/syntax", 7, "/a", true}}, "the text ends inside an object"},
		{"cut behind a key", `{"a"`, []place{{"json/syntax", 4, "/a", true}}, "the text ends inside an object"},
		{"cut behind a bracket", `[`, []place{{"json/syntax", 1, "", true}}, "the text ends inside an array"},
		{"cut in a string at the root", `"ab`, []place{{"json/syntax", 3, "", true}}, "the text ends inside a value"},

		{"two objects", `{"a":1} {"b":2}`, []place{{"json/several-values", 8, "", true}}, "more than one value on a line"},
		{"two numbers", `1 2`, []place{{"json/several-values", 2, "", true}}, "more than one value on a line"},
		{"a problem, then another value", `{"a":NaN}{}`, []place{{"json/nan", 5, "/a", false}, {"json/several-values", 9, "", true}}, "more than one value on a line"},
		{"a word behind", `{} nothing`, []place{{"json/syntax", 3, "", true}}, "text behind the value: n"},

		{"duplicate key", `{"id": 2, "label": "z", "label": "b"}`, []place{{"json/duplicate-key", 24, "/label", false}}, `key "label" stands more than once in one object`},
		{"duplicate key, written with an escape", `{"meta": {"k": 1, "\u006b": 2}}`, []place{{"json/duplicate-key", 18, "/meta/k", false}}, `key "k" stands more than once in one object`},
		{"duplicate key, three times", `{"a":1,"a":2,"a":3}`, []place{{"json/duplicate-key", 7, "/a", false}, {"json/duplicate-key", 13, "/a", false}}, `key "a" stands more than once in one object`},
		{"duplicate keys at two depths, in the order of the text", `{"b":{"c":1,"c":2},"b":[{"d":0,"d":0}]}`,
			[]place{{"json/duplicate-key", 12, "/b/c", false}, {"json/duplicate-key", 19, "/b", false}, {"json/duplicate-key", 31, "/b/0/d", false}}, ""},
		{"duplicate key that needs escapes in a pointer", `{"a/b~":1,"a/b~":2}`, []place{{"json/duplicate-key", 10, "/a~1b~0", false}}, ""},
		{"duplicate empty key", `{"":1,"":2}`, []place{{"json/duplicate-key", 6, "/", false}}, ""},
		{"equal keys of two objects", `[{"a":1},{"a":1}]`, nil, ""},
		{"keys equal but for their case", `{"a":1,"A":1}`, nil, ""},

		{"lone high surrogate", `["x\ud800"]`, []place{{"json/lone-surrogate", 3, "/0", false}}, `\ud800 is half of a surrogate pair`},
		{"lone low surrogate", `{"a":"\uDC00"}`, []place{{"json/lone-surrogate", 6, "/a", false}}, `\udc00 is half of a surrogate pair`},
		{"surrogates the wrong way round", `"\udc00\ud83d"`, []place{{"json/lone-surrogate", 1, "", false}}, `\udc00 is half of a surrogate pair`},
		{"high surrogate before a plain escape", `"\ud83d\u0041"`, []place{{"json/lone-surrogate", 1, "", false}}, `\ud83d is half of a surrogate pair`},
		{"pair behind an escaped backslash", `"\\ud800\ud83d\ude00"`, nil, ""},
		{"lone surrogate in a key", `{"\ud800":1}`, []place{{"json/lone-surrogate", 2, "/\uFFFD", false}}, ""},
		{"different lone surrogates are different keys", `{"\ud800":1,"\ud801":1}`, []place{{"json/lone-surrogate", 2, "/\uFFFD", false}, {"json/lone-surrogate", 13, "/\uFFFD", false}}, ""},
		{"lone surrogate and a later fault", `["\ud800",]`, []place{{"json/lone-surrogate", 2, "/0", false}, {"json/syntax", 9, "/0", true}}, ""},

		{"NaN", `{"a": NaN, "b": [Infinity, -Infinity]}`, []place{{"json/nan", 6, "/a", false}, {"json/nan", 17, "/b/0", false}, {"json/nan", 27, "/b/1", false}}, "-Infinity is no JSON number"},
		{"nan in small letters", `[nan]`, []place{{"json/syntax", 1, "/0", true}}, "expected a value, found n"},

		{"Latin-1 in a string", "{\"a\": \"caf\xe9\"}", []place{{"json/utf8", 10, "/a", false}}, "a string holds bytes that are not UTF-8"},
		{"overlong encoding", "[\"\xc0\xaf\"]", []place{{"json/utf8", 2, "/0", false}}, ""},
		{"surrogate in UTF-8", "[\"\xed\xa0\x80\"]", []place{{"json/utf8", 2, "/0", false}}, ""},
		{"beyond U+10FFFF", "[\"\xf4\x90\x80\x80\"]", []place{{"json/utf8", 2, "/0", false}}, ""},
		{"not UTF-8 in a key", "{\"\xff\":1}", []place{{"json/utf8", 2, "/\uFFFD", false}}, ""},
		{"not UTF-8 outside strings", "[\xff]", []place{{"json/utf8", 1, "/0", true}}, "bytes that are not UTF-8"},

		{"exponent too large", `{"a":1e10001}`, []place{{"json/number-range", 5, "/a", false}}, "a number has more than 10000 digits or an exponent beyond 10000"},
		{"exponent too small", `{"a":1e-99999999999999999999}`, []place{{"json/number-range", 5, "/a", false}}, ""},
		{"the largest exponent", `{"a":1e10000}`, nil, ""},
		{"too many digits", `[` + strings.Repeat("9", 10001) + `]`, []place{{"json/number-range", 1, "/0", false}}, ""},
		{"as many digits as may be", `[` + strings.Repeat("9", 10000) + `]`, nil, ""},

		{"nested too deeply", deep(513), []place{{"json/depth", 512, strings.Repeat("/0", 512), true}}, "values are nested more than 512 deep"},
		{"nested far too deeply", strings.Repeat(`{"a":`, 1_000_000), []place{{"json/depth", 2560, strings.Repeat("/a", 512), true}}, ""},
	}
	var tape Tape // reused, as it is from row to row
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			problems := tape.Parse([]byte(tt.text))
			if diff := cmp.Diff(tt.want, placesOf(problems)); diff != "" {
				t.Errorf("problems of %.80s (-want +got):\n%s\n%+v", tt.text, diff, problems)
			}
			if n := len(problems); n > 0 && tt.message != "" && problems[n-1].Message != tt.message {
				t.Errorf("message of %.80s: %q, want %q", tt.text, problems[n-1].Message, tt.message)
			}
			if len(problems) > 0 && len(tape.Nodes) > 0 {
				t.Errorf("a tape with problems must be empty, it has %d nodes", len(tape.Nodes))
			}
		})
	}
}

func TestParseOfManyKeys(t *testing.T) {
	for _, n := range []int{2, fewKeys, fewKeys + 1, 1_000_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var b bytes.Buffer
			b.WriteByte('{')
			for i := range n {
				fmt.Fprintf(&b, `"k%d":0,`, i)
			}
			unique := append(bytes.Clone(b.Bytes()), `"z":0}`...)
			var tape Tape
			if problems := tape.Parse(unique); problems != nil {
				t.Fatalf("%d different keys gave %+v, want no problem", n, problems[0])
			}
			if got := tape.Root().Len(); got != n+1 {
				t.Errorf("the object has %d members, want %d", got, n+1)
			}
			again := append(bytes.Clone(b.Bytes()), `"k0":1,"\u006b1":1}`...)
			want := []place{{"json/duplicate-key", b.Len(), "/k0", false}, {"json/duplicate-key", b.Len() + 7, "/k1", false}}
			if diff := cmp.Diff(want, placesOf(tape.Parse(again))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProblemsAreBounded(t *testing.T) {
	var tape Tape
	t.Run("many duplicate keys", func(t *testing.T) {
		text := []byte(`{"a":0` + strings.Repeat(`,"a":0`, 100_000) + `}`)
		problems := tape.Parse(text)
		if len(problems) != maxProblems {
			t.Fatalf("%d problems, want the first %d", len(problems), maxProblems)
		}
		if last := problems[maxProblems-1].Offset; last != 1+6*maxProblems {
			t.Errorf("the last problem stands at %d, want %d: the first ones of the text are kept", last, 1+6*maxProblems)
		}
	})
	t.Run("many values", func(t *testing.T) {
		few := Tape{parser: parser{maxNodes: 100}}
		text := []byte("[" + strings.Repeat("0,", 98) + "0,0]")
		want := []place{{"rows/too-long", 2 * 99, "/98", true}}
		if diff := cmp.Diff(want, placesOf(few.Parse(text))); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	})
	t.Run("a key too long for a pointer", func(t *testing.T) {
		long := strings.Repeat("k", 10_000)
		problems := tape.Parse([]byte(`{"a":{"` + long + `":{"b":0,"b":0}}}`))
		if len(problems) != 1 || problems[0].Pointer != "/a" {
			t.Errorf("got %+v, want one problem at the nearest value whose pointer is short, /a", problems)
		}
		problems = tape.Parse([]byte(`{"` + long + `":0,"` + long + `":0}`))
		if len(problems) != 1 || len(problems[0].Message) > 200 {
			t.Errorf("got %+v, want one problem with a message cut short", problems)
		}
	})
}

func TestParseFirst(t *testing.T) {
	tests := []struct {
		name, text string
		last       bool
		end        int
		problem    finding.Code
	}{
		{"value and more", `{"a":1} {"b`, false, 7, ""},
		{"blanks first", "\n [1],", false, 5, ""},
		{"not whole yet", `{"a":1`, false, 0, ""},
		{"only blanks yet", "  ", false, 0, ""},
		{"nothing yet", "", false, 0, ""},
		{"number that may go on", `12`, false, 0, ""},
		{"number that is over", `12,`, false, 2, ""},
		{"number at the end", `12`, true, 2, ""},
		{"half a literal", `tr`, false, 0, ""},
		{"half an escape", `"\ud83d`, false, 0, ""},
		{"half a character", "\"\xe2\x82", false, 0, ""},
		{"half a NaN in half an array", `[Na`, false, 0, ""},
		{"minus", `-`, false, 0, ""},
		{"cut at the end", `{"a":1`, true, 6, "json/syntax"},
		{"fault before the end", `{"a":1,} and more text`, false, 6, "json/syntax"},
		{"fault near the end, whose words may change", `[1 nul`, false, 0, ""},
		{"problem, and the value goes on", `{"a":NaN`, false, 0, ""},
		{"problem in a whole value", `{"a":NaN} {`, false, 9, "json/nan"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tape Tape
			end, problems := tape.ParseFirst([]byte(tt.text), tt.last)
			var code finding.Code
			if len(problems) > 0 {
				code = problems[0].Code
			}
			if end != tt.end || code != tt.problem {
				t.Errorf("ParseFirst(%s, %v) = %d, %q, want %d, %q", tt.text, tt.last, end, code, tt.end, tt.problem)
			}
		})
	}
}

// strict says whether strict JSON takes the text, from encoding/json and the rules that go beyond it, each written as
// plainly as can be.
func strict(text []byte) bool {
	return json.Valid(text) && utf8.Valid(text) && depth(text) <= MaxDepth && pairedSurrogates(text) && smallNumbers(text) && uniqueKeys(text)
}

var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[-+.0-9eE]+|[\[\]{}]`)

func depth(text []byte) int {
	now, most := 0, 0
	for _, s := range token.FindAll(text, -1) {
		switch s[0] {
		case '[', '{':
			now++
			most = max(most, now)
		case ']', '}':
			now--
		}
	}
	return most
}

var (
	escape     = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.|[^\\]+`)
	tailOfHalf = regexp.MustCompile(`^\\u[dD][c-fC-F]`)
	headOfHalf = regexp.MustCompile(`^\\u[dD][89abAB]`)
)

func pairedSurrogates(text []byte) bool {
	for _, s := range token.FindAll(text, -1) {
		if s[0] != '"' {
			continue
		}
		open := false
		for _, part := range escape.FindAll(s[1:len(s)-1], -1) {
			if open != tailOfHalf.Match(part) {
				return false
			}
			open = headOfHalf.Match(part)
		}
		if open {
			return false
		}
	}
	return true
}

func smallNumbers(text []byte) bool {
	for _, s := range token.FindAll(text, -1) {
		if !strings.Contains("-0123456789", string(s[:1])) {
			continue
		}
		mantissa, exponent, _ := strings.Cut(strings.ToLower(string(s)), "e")
		digits := len(mantissa) - strings.Count(mantissa, "-") - strings.Count(mantissa, ".")
		size := strings.TrimLeft(exponent, "+-0")
		if digits > 10000 || len(size) > 5 || len(size) == 5 && size > "10000" {
			return false
		}
	}
	return true
}

func uniqueKeys(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value func() bool
	value = func() bool {
		tok, err := d.Token()
		if err != nil {
			return false
		}
		seen := map[string]bool{}
		switch tok {
		case json.Delim('{'):
			for d.More() {
				key, err := d.Token()
				if err != nil || seen[key.(string)] {
					return false
				}
				seen[key.(string)] = true
				if !value() {
					return false
				}
			}
			_, err = d.Token()
		case json.Delim('['):
			for d.More() {
				if !value() {
					return false
				}
			}
			_, err = d.Token()
		}
		return err == nil
	}
	return value()
}

func decode(t *testing.T, text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", text, err)
	}
	return v
}

// compareJSONText holds the verdict against another strict reader, that of encoding/json/v2. Like hfpub it takes I-JSON (RFC 7493)
// only: no key twice, no bytes that are not UTF-8, no half of a surrogate pair. How deep and how large is hfpub's own.
func compareJSONText(t *testing.T, text []byte, problems []Problem) {
	t.Helper()
	want := jsontext.Value(text).IsValid() && depth(text) <= MaxDepth && smallNumbers(text)
	if want != (len(problems) == 0) {
		t.Errorf("%q: jsontext takes it: %v, Parse reports %+v", text, want, problems)
	}
}

// Texts that differ in a few bytes from ones that are almost right.
func TestParseAgreesWithJSONText(t *testing.T) {
	const bytesToPut = "{}[]\",:\\ue1d80.-+tfn \n\x00\x1f\x7f\x80\xc3\xa9\xed\xa0\xf0\x9f"
	random := rand.New(rand.NewPCG(1, 2))
	var tape Tape
	taken := 0
	for range 60_000 {
		text := []byte(parseSeeds[random.IntN(len(parseSeeds))])
		for range random.IntN(3) {
			at := random.IntN(len(text))
			switch put := bytesToPut[random.IntN(len(bytesToPut))]; random.IntN(3) {
			case 0:
				text[at] = put
			case 1:
				text = slices.Insert(text, at, put)
			default:
				text = slices.Delete(text, at, at+1)
			}
			if len(text) == 0 {
				break
			}
		}
		problems := tape.Parse(text)
		compareJSONText(t, text, problems)
		if len(problems) == 0 {
			taken++
		}
	}
	if taken < 4_000 {
		t.Errorf("%d of 60000 texts are strict JSON: the test is to show both verdicts often", taken)
	}
}

// parseSeeds are texts that are strict JSON, or almost.
var parseSeeds = []string{
	`{"a":[1,2.5e-3,"x\u00e9\ud83d\ude00",true,false,null,{}]}`, `{"a":1,"\u0061":2}`, `[NaN,-Infinity]`, `{"a":1,}`, `{} {}`, `"\ud800"`,
	"[\"\xff\"]", "\"茶\"\x9a", `1e99999`, `[[[[]]]]`, ` [ ] `, `-`, `"\`, `{"a":{"b":1,"b":2},"a":0}`, "{\"a\tb\":1}", `[1 2]`, `01`, `{'a':1}`, `[// x`,
	`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":1,"k":2,"l":3,"m":4,"n":5,"o":6,"p":7,"q":8,"r":9,"s":1,"t":2,"u":3,"v":4,"w":5,"x":6,"y":7,"z":8,"A":9,"B":0,"C":0,"D":0,"E":0,"F":0,"G":0,"a":0}`,
}

func FuzzParse(f *testing.F) {
	for _, s := range parseSeeds {
		f.Add([]byte(s), uint16(3))
	}
	var tape, part Tape
	f.Fuzz(func(t *testing.T, text []byte, cut uint16) {
		problems := tape.Parse(text)
		if want := strict(text); want != (len(problems) == 0) {
			t.Fatalf("%q: strict JSON takes it: %v, Parse reports %+v", text, want, problems)
		}
		compareJSONText(t, text, problems)
		for i, p := range problems {
			if p.Offset < 0 || p.Offset > len(text) || p.Message == "" || !utf8.ValidString(p.Pointer+p.Message+p.Hint) {
				t.Errorf("%q: problem with a wrong place or text: %+v", text, p)
			}
			if p.Fatal && i != len(problems)-1 || i > 0 && p.Offset < problems[i-1].Offset {
				t.Errorf("%q: problems out of order: %+v", text, problems)
			}
		}
		if len(problems) == 0 {
			if want, got := decode(t, text), tape.Root().Any(); !reflect.DeepEqual(want, got) {
				t.Errorf("%q: decoded as %#v, encoding/json gives %#v", text, got, want)
			}
			if last := tape.Root().After().node; int(last) != len(tape.Nodes) {
				t.Errorf("%q: the root ends at node %d of %d", text, last, len(tape.Nodes))
			}
		}
		compareReaders(t, &part, text)
		// A beginning of the text either waits for more or ends where the whole text does.
		want, whole := part.ParseFirst(text, true)
		wholePlaces := placesOf(whole)
		end, some := part.ParseFirst(text[:min(int(cut), len(text))], false)
		if end != 0 && (end != want || !reflect.DeepEqual(placesOf(some), wholePlaces)) {
			t.Errorf("%q cut at %d: ends at %d with %+v, the whole at %d with %+v", text, cut, end, some, want, whole)
		}
	})
}

func TestLoneSurrogateKeepsItsBytesApart(t *testing.T) {
	if a, b := unescape(nil, []byte(`\ud800`)), unescape(nil, []byte(`\ud801`)); bytes.Equal(a, b) {
		t.Errorf("both decode to %x, want different bytes, or two keys would seem equal", a)
	}
	if r := utf16.DecodeRune(0xd83d, 0xde00); string(unescape(nil, []byte(`\ud83d\ude00`))) != string(r) {
		t.Errorf("a pair must decode to its character %q", r)
	}
}
