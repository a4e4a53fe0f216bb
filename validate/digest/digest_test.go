package digest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

func canonical(t *testing.T, text string) string {
	t.Helper()
	var doc tape.Tape
	if problems := doc.Parse([]byte(text)); problems != nil {
		t.Fatalf("parse %s: %+v", text, problems)
	}
	return string(AppendCanonical(nil, doc.Root()))
}

func TestAppendCanonical(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"RFC 8785, section 3.2.2", `{
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			"literals": [null, true, false]
		}`, `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{"RFC 8785, section 3.2.3", `{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
			"\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\"," +
				"\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"},
		{"nested objects and arrays", ` { "b" : [ { "d" : 1 , "c" : [ ] } , { } ] , "a" : { "z" : null , "y" : true } } `, `{"a":{"y":true,"z":null},"b":[{"c":[],"d":1},{}]}`},
		{"a key that begins another", `{"ab":1,"a":2,"":3}`, `{"":3,"a":2,"ab":1}`},
		{"strings with and without escapes", `["caf\u00e9", "café", "\u007f", "\u0001\u001F", "\b\f\n\r\t"]`, `["café","café","` + "\x7f" + `","\u0001\u001f","\b\f\n\r\t"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := canonical(t, tt.json); got != tt.want {
				t.Errorf("canonical bytes %s, want %s", got, tt.want)
			}
		})
	}
	if got := string(AppendCanonical([]byte("x"), mustParse(t, `{"b":1,"a":2}`).Root())); got != `x{"a":2,"b":1}` {
		t.Errorf("AppendCanonical gave %s, want it behind what was there", got)
	}
}

func TestCanonicalNumbers(t *testing.T) {
	// The forms after the blank line are those of RFC 8785, appendix B.
	tests := map[string]string{
		"0": "0", "-0": "0", "12": "12", "-7": "-7", "9007199254740993": "9007199254740993", "-2158705376953327917": "-2158705376953327917",
		"123456789012345678901234567890": "123456789012345678901234567890", "1.0": "1", "1e2": "100", "-0.0": "0", "0e5": "0", "-0.10": "-0.1",
		"9007199254740993.0": "9007199254740992", "1e20": "100000000000000000000", "1e21": "1e+21", "1E-6": "0.000001", "1e-7": "1e-7", "123e-9": "1.23e-7",
		"1e400": "1e+400", "-12.50e400": "-1.25e+401", "0.00125e403": "1.25e+400", "1000e397": "1e+400", "1e-400": "0", "-1e-400": "0", "1e10000": "1e+10000",
		"179769313486231580793728971405301e277": "1.79769313486231580793728971405301e+309",

		"5e-324": "5e-324", "-5e-324": "-5e-324", "1.7976931348623157e308": "1.7976931348623157e+308", "9007199254740992.0": "9007199254740992",
		"295147905179352830000.0": "295147905179352830000", "9.999999999999997e22": "9.999999999999997e+22", "1e23": "1e+23", "1.0000000000000001e23": "1.0000000000000001e+23",
		"999999999999999700000.0": "999999999999999700000", "999999999999999900000.0": "999999999999999900000", "9.999999999999997e-7": "9.999999999999997e-7",
		"0.000001": "0.000001", "333333333.3333332": "333333333.3333332", "333333333.33333325": "333333333.33333325", "333333333.3333333": "333333333.3333333",
		"333333333.3333334": "333333333.3333334", "333333333.33333343": "333333333.33333343", "-0.0000033333333333333333": "-0.0000033333333333333333",
		"1424953923781206.2": "1424953923781206.2",
	}
	for number, want := range tests {
		if got := canonical(t, number); got != want {
			t.Errorf("%s is written %s, want %s", number, got, want)
		}
	}
}

// checkVerbatim holds what a tape says of a value against its canonical bytes.
func checkVerbatim(t *testing.T, text string) (verbatim bool) {
	t.Helper()
	doc := mustParse(t, text)
	verbatim = doc.Nodes[0].Verbatim()
	if got := string(AppendCanonical(nil, doc.Root())); verbatim && got != text {
		t.Fatalf("%s is said to stand in its canonical form, which is %s", text, got)
	}
	return verbatim
}

func TestVerbatim(t *testing.T) {
	for text, want := range map[string]bool{
		"null": true, "true": true, "false": true, `""`: true, `"a\n\"é日"`: true, `"\u00e9"`: false, `"\/"`: false,
		"0": true, "-7": true, "12345678901234567890123": true, "-0": false, "0.5": true, "-0.5996": true, "10.25": true, "0.50": false, "1.0": false, "-0.0": false,
		"0.000001": true, "0.0000001": false, "7.0000001": true, "123456789.123456": true, "1234567890.123456": false, "1e2": false, "1.5e1": false, "1.5E-3": false,
	} {
		if got := checkVerbatim(t, text); got != want {
			t.Errorf("%s is verbatim: %v, want %v", text, got, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 1))
	for range 20_000 {
		number := fmt.Sprintf("%s%d.%0*d", []string{"", "-"}[random.IntN(2)], random.Int64N(1<<random.IntN(50)), 1+random.IntN(10), random.Int64N(1<<random.IntN(34)))
		checkVerbatim(t, number)
		checkVerbatim(t, number+[]string{"e1", "0", "00", "E7"}[random.IntN(4)])
	}
}

func mustParse(t *testing.T, text string) *tape.Tape {
	t.Helper()
	var doc tape.Tape
	if problems := doc.Parse([]byte(text)); problems != nil {
		t.Fatalf("parse %s: %+v", text, problems)
	}
	return &doc
}

// observe shows the rows of a file to an observer.
func observe(t *testing.T, o *Observer, path, content string) {
	t.Helper()
	var found finding.Set
	src := rows.Source{Path: path, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
	if _, err := rows.Read(context.Background(), src, rows.Options{}, &found, func(r *rows.Row) error { o.Observe(r); return nil }); err != nil {
		t.Fatal(err)
	}
}

const sample = `{"id": 9007199254740993, "t": "caf\u00e9", "u": "a\/b", "n": [1, 2.0, -0, -0.0, 1e2, 0.1, 1.5e-7, 123456789012345678901234567890]}
{ "\u20ac": "Euro", "\r": "CR", "\ufb33": "Dalet", "1": "One", "\ud83d\ude00": "Smiley", "\u0080": "Control", "\u00f6": "o" , "a": {"z": null, "b": [true, false, {}]}}
{"x": "\u0000\u001f\u007f\u2028\"\\\b\f\n\r\t", "e": "", "big": 12.50e400, "neg": -1e21, "small": 1e-400}
{}
{}
`

// The digests below were computed by a program of its own in Python, with numbers written by a JavaScript engine.
var knownDigests = []struct {
	name, path, content string
	want                Digest
}{
	{"every kind of value", "x.jsonl", sample,
		Digest{"de7f23f7b3f5380256433a06275c80f1aa4a802f7f03f6abc3305e2e1de0d69a", "90a7a9cfbd4fabfcb55dc4409822ce76a7f10c7c6e57649382039bcd74c829b6"}},
	{"no rows", "x.jsonl", "",
		Digest{"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "0000000000000000000000000000000000000000000000000000000000000000"}},
	{"cells are text", "x.csv", "id,t\r\n1,\"a, b\"\r\n2,\"x\ny\"\r\n",
		Digest{"f814aaaa5f4a85376d443866276d922c2a67dac4fa129e5505fde9cae3318caf", "ded744a5a7cd014412f04ed03c22eea7f7443d79e95769bc4321c6a1635deb8e"}},
	{"the same cells as JSON Lines, keys in another order", "x.jsonl", "{\"t\":\"a, b\",\"id\":\"1\"}\n{\"id\":\"2\",\"t\":\"x\\ny\"}",
		Digest{"f814aaaa5f4a85376d443866276d922c2a67dac4fa129e5505fde9cae3318caf", "ded744a5a7cd014412f04ed03c22eea7f7443d79e95769bc4321c6a1635deb8e"}},
}

func TestKnownDigests(t *testing.T) {
	for _, tt := range knownDigests {
		t.Run(tt.name, func(t *testing.T) {
			for kind, o := range map[string]*Observer{"NewObserver": NewObserver(), "NewFirst": NewFirst()} {
				observe(t, o, tt.path, tt.content)
				if got := o.Digest(); got != tt.want {
					t.Errorf("%s: digest %+v, want %+v", kind, got, tt.want)
				}
			}
		})
	}
}

func TestDigestOfRewrittenRows(t *testing.T) {
	of := func(content string) Digest {
		o := NewFirst()
		observe(t, o, "x.jsonl", content)
		return o.Digest()
	}
	base := of("{\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\n{\"id\": 2}\n")
	same := map[string]string{
		"CR LF":               "{\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\r\n{\"id\": 2}\r\n",
		"byte order mark":     "\xEF\xBB\xBF{\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\n{\"id\": 2}\n",
		"key order, escapes":  "{\"n\":[1,2],\"t\":\"café\",\"id\":1.0}\n\n{\"id\":2e0}",
		"blanks between rows": "  {\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\n\n{\"id\": 2}\n",
	}
	for name, content := range same {
		if got := of(content); got != base {
			t.Errorf("%s: digest %+v, want that of the same rows, %+v", name, got, base)
		}
	}
	different := map[string]string{
		"an accent":      "{\"id\": 1, \"t\": \"cafe\", \"n\": [1, 2]}\n{\"id\": 2}\n",
		"array order":    "{\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [2, 1]}\n{\"id\": 2}\n",
		"number as text": "{\"id\": \"1\", \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\n{\"id\": 2}\n",
		"a row more":     "{\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\n{\"id\": 2}\n{\"id\": 2}\n",
	}
	for name, content := range different {
		if got := of(content); got.Sequence == base.Sequence || got.Set == base.Set {
			t.Errorf("%s: digest %+v is that of other rows, %+v", name, got, base)
		}
	}
	swapped := of("{\"id\": 2}\n{\"id\": 1, \"t\": \"caf\\u00e9\", \"n\": [1, 2]}\n")
	if swapped.Set != base.Set || swapped.Sequence == base.Sequence {
		t.Errorf("rows in another order: %+v, want another sequence and the same set as %+v", swapped, base)
	}
}

// TestMerge cuts the rows of a split into runs in every way: the digest must not depend on it.
func TestMerge(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(sample, "\n"), "\n")
	want := knownDigests[0].want
	for cuts := range 1 << (len(lines) - 1) {
		var runs []string
		for i, line := range lines {
			if i == 0 || cuts&(1<<(i-1)) != 0 {
				runs = append(runs, "")
			}
			runs[len(runs)-1] += line
		}
		makers := map[string]func(i int) *Observer{
			"all alike":            func(int) *Observer { return NewObserver() },
			"the first hashes on":  func(i int) *Observer { return map[bool]func() *Observer{true: NewFirst, false: NewObserver}[i == 0]() },
			"an empty one between": func(int) *Observer { o := NewObserver(); o.Merge(NewObserver()); return o },
		}
		for name, maker := range makers {
			var parts []*Observer
			for i, run := range runs {
				o := maker(i)
				observe(t, o, "x.jsonl", run)
				parts = append(parts, o)
			}
			whole := map[bool]*Observer{true: NewFirst(), false: NewObserver()}[cuts%2 == 0]
			for _, o := range parts {
				whole.Merge(o)
			}
			if got := whole.Digest(); got != want || whole.Rows() != int64(len(lines)) {
				t.Errorf("%s, %d runs merged from the left: %+v of %d rows, want %+v", name, len(runs), got, whole.Rows(), want)
			}
			if name != "all alike" {
				continue
			}
			parts = parts[:0]
			for i, run := range runs {
				o := maker(i)
				observe(t, o, "x.jsonl", run)
				parts = append(parts, o)
			}
			for i := len(parts) - 2; i >= 0; i-- {
				parts[i].Merge(parts[i+1])
			}
			if got := parts[0].Digest(); got != want {
				t.Errorf("%d runs merged from the right: %+v, want %+v", len(runs), got, want)
			}
		}
	}
}

// What is merged goes on being hashed beside the rows that follow, while others are merged: the digest does not depend on that.
func TestLend(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for _, make := range []func() *Observer{NewFirst, NewObserver} {
		whole, file := make(), sha256pair.NewStream()
		rows := 0
		next := func() *Observer {
			o := observed(t, NewObserver(), rows, random.IntN(2)*random.IntN(200))
			rows += int(o.Rows())
			return o
		}
		for range 50 {
			before, block := next(), next()
			whole.Lend(block)
			whole.Merge(before)
			file.WriteBeside([]byte(strings.Repeat("sencha", random.IntN(2000))), block.Batch())
			whole.TakeBack()
			whole.Merge(block)
		}
		if got, want := whole.Digest(), observed(t, NewFirst(), 0, rows).Digest(); got != want || whole.Rows() != int64(rows) {
			t.Errorf("%d rows have the digest %+v, hashed at once %d have %+v", whole.Rows(), got, rows, want)
		}
	}
}

// TestManyRows has more rows than the sequence takes in at once.
func TestManyRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var doc tape.Tape
	var hashes []byte
	total := new(big.Int)
	parts := []*Observer{NewFirst()}
	for i := range 2000 {
		text := fmt.Sprintf(`{"id":%d}`, i)
		h := sha256.Sum256([]byte(text))
		hashes = append(hashes, h[:]...)
		total.Add(total, new(big.Int).SetBytes(h[:]))
		if random.IntN(400) == 0 {
			parts = append(parts, NewObserver())
		}
		doc.Parse([]byte(text))
		parts[len(parts)-1].Observe(&rows.Row{Doc: &doc})
	}
	whole := NewFirst()
	for _, part := range parts {
		whole.Merge(part)
		whole.Digest() // does not change what follows
	}
	total.Mod(total, new(big.Int).Lsh(big.NewInt(1), 256))
	want := Digest{fmt.Sprintf("%x", sha256.Sum256(hashes)), fmt.Sprintf("%064x", total)}
	if got := whole.Digest(); got != want {
		t.Errorf("the digest of 2000 rows in %d runs is %+v, want %+v", len(parts), got, want)
	}
}

func TestSumWrapsAround(t *testing.T) {
	var most sum
	for i := range most {
		most[i] = ^uint64(0)
	}
	most.add(sum{2})
	if got, want := most.String(), strings.Repeat("0", 63)+"1"; got != want {
		t.Errorf("2^256 - 1 + 2 = %s, want %s modulo 2^256", got, want)
	}
}

// FuzzCanonical checks what the canonical bytes of any value must be: strict JSON that means the same, sorted, and its own
// canonical form.
func FuzzCanonical(f *testing.F) {
	for _, line := range strings.Split(sample, "\n") {
		f.Add([]byte(line))
	}
	f.Add([]byte(`[1e308, 1e309, 1e-7, 0.1e1, -0e0, 123.456e-3, 1e22, 1.5e300]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var doc, again tape.Tape
		if doc.Parse(text) != nil {
			return
		}
		got := AppendCanonical(nil, doc.Root())
		if problems := again.Parse(got); problems != nil {
			t.Fatalf("%q: canonical bytes %q are no strict JSON: %+v", text, got, problems)
		}
		if twice := AppendCanonical(nil, again.Root()); !bytes.Equal(got, twice) {
			t.Errorf("%q: canonical bytes %q of canonical bytes %q", text, twice, got)
		}
		if plain := (&plainCanon{}).of(doc.Root()); !bytes.Equal(got, plain) {
			t.Errorf("%q: canonical bytes %q, the plainest way gives %q", text, got, plain)
		}
		if want, have := floats(doc.Root().Any()), floats(again.Root().Any()); !reflect.DeepEqual(want, have) {
			t.Errorf("%q means %#v, its canonical bytes %q mean %#v", text, want, got, have)
		}
	})
}

// floats replaces the numbers of a decoded value by their nearest float64.
func floats(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := strconv.ParseFloat(string(v), 64)
		return n + 0 // -0 is 0
	case []any:
		for i := range v {
			v[i] = floats(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = floats(v[key])
		}
	}
	return v
}

var samples = []struct{ name, text string }{
	{"sorted", `{"id": 12, "ok": true, "score": 0.75, "tags": ["green", "steamed"], "tea": "sencha"}`},
	{"unsorted", `{"tea": "sencha", "tags": ["green", "steamed"], "score": 0.75, "ok": true, "id": 12}`},
	{"text", `{"text": "` + strings.Repeat(`The leaves are steamed, rolled and dried. `, 200) + `"}`},
	{"escapes", `{"text": "` + strings.Repeat(`The leaves are \"steamed\",\nrolled and dried. `, 200) + `"}`},
}

func BenchmarkCanonical(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			var doc tape.Tape
			if doc.Parse([]byte(s.text)) != nil {
				b.Fatal("the sample must be strict JSON")
			}
			o := NewFirst()
			row := &rows.Row{Doc: &doc}
			b.SetBytes(int64(len(s.text)))
			b.ReportAllocs()
			for b.Loop() {
				o.Observe(row)
			}
		})
	}
}

func TestResetMakesAnObserverAsNew(t *testing.T) {
	texts := []string{`{"a": 1, "b": [2]}`, `{"b": 1, "a": "x"}`, `{"c": null}`}
	observe := func(o *Observer) {
		for _, text := range texts {
			var doc tape.Tape
			if problems := doc.Parse([]byte(text)); len(problems) > 0 {
				t.Fatal(problems)
			}
			o.Observe(&rows.Row{Doc: &doc})
		}
	}
	want := NewFirst()
	observe(want)
	observe(want)
	used := NewObserver()
	got := NewFirst()
	for range 2 {
		observe(used)
		got.Merge(used)
		used.Reset()
		if used.Rows() != 0 {
			t.Errorf("%d rows, want none", used.Rows())
		}
	}
	if got.Digest() != want.Digest() || got.Rows() != 6 {
		t.Errorf("%+v of %d rows, want %+v of 6: an observer that was used before sees what a new one sees", got.Digest(), got.Rows(), want.Digest())
	}
	if empty := NewObserver(); used.Digest() != empty.Digest() {
		t.Errorf("%+v, want the digest of no rows", used.Digest())
	}
}

// A long row is hashed as it is written; the digest is that of its canonical bytes.
func TestLongRowsHaveTheSameDigest(t *testing.T) {
	long := strings.Repeat(`plain \" é `, 40_000)
	coded := strings.Repeat(`\u0041\/ \u00e9 \ud83d\ude00 text `, 20_000)
	var dictionary strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&dictionary, `"key %d": %d, `, 30_000-i, i)
	}
	for name, text := range map[string]string{
		"text":         `{"b": "` + long + `", "a": 1}`,
		"escapes":      `{"b": "` + coded + `", "a": "` + coded + `"}`,
		"numbers":      `{"n": [` + strings.Repeat("1.50, 12, -0, 1e2, null, ", 50_000) + `0]}`,
		"dictionary":   `{"z": {` + dictionary.String() + `"a": 1}, "b": 2}`,
		"small things": `{"b": [` + strings.Repeat(`{"y": {"k": [1, "x"]}, "x": "\/"}, `, 20_000) + `{}], "a": []}`,
		"many shapes":  `{"b": [` + strings.Repeat(`{"y": 1}, {"x": 1, "a": 2}, {"r": [{}]}, `, 20_000) + `{}]}`,
	} {
		var doc tape.Tape
		if problems := doc.Parse([]byte(text)); len(problems) > 0 {
			t.Fatal(name, problems)
		}
		if len(text) < longRow {
			t.Fatalf("%s has %d bytes: that is not long", name, len(text))
		}
		var c canon
		if got, want := c.sumLong(&doc), sha256.Sum256(AppendCanonical(nil, doc.Root())); got != want {
			t.Errorf("%s: digest %x, want that of the canonical bytes, %x", name, got, want)
		}
		if cap(c.long) > 4*longPart {
			t.Errorf("%s: %d bytes were kept in memory, want hardly more than %d", name, cap(c.long), longPart)
		}
		if got, want := c.sumLong(&doc), sha256.Sum256(c.appendRow(nil, &doc)); got != want {
			t.Errorf("%s: the second digest is %x, want %x", name, got, want)
		}
	}
}
