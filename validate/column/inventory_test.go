package column

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hfpub/hfpub/validate/rows"
)

var none = Span{0, -1}

func at(line int) Place { return Place{"train.jsonl", line} }

func TestFields(t *testing.T) {
	o := observe(t,
		`{"id": 9007199254740993, "messages": [{"role": "user", "text": "hi"}, {"role": "assistant", "text": ""}]}`,
		`{"id": -2158705376953327917, "messages": [], "a/b~c": null}`,
		``,
		`{"id": 1.50, "messages": [{"role": "user"}], "ok": true}`,
		`{"id": 9007199254740992, "messages": null, "a/b~c": {}}`,
	)
	want := []Field{
		{
			Pointer: "/id", Present: 4, Min: "-2158705376953327917", Max: "9007199254740993", Fractions: true, Chars: none, Items: none, Example: "9007199254740993",
			Kinds: []KindCount{{"integer", 3, at(1)}, {"number", 1, at(4)}},
		},
		{
			Pointer: "/messages", Present: 4, Nulls: 1, Chars: none, Items: Span{0, 2},
			Example: `[{"role":"user","text":"hi"},{"role":"assistant","text":""}]`,
			Kinds:   []KindCount{{"null", 1, at(5)}, {"array", 3, at(1)}},
		},
		{Pointer: "/messages/*", Present: 3, Chars: none, Items: none, Example: `{"role":"user","text":"hi"}`, Kinds: []KindCount{{"object", 3, at(1)}}},
		{
			Pointer: "/messages/*/role", Present: 3, Chars: Span{4, 9}, Items: none, Example: `"user"`,
			Kinds: []KindCount{{"string", 3, at(1)}}, Values: []ValueCount{{"user", 2}, {"assistant", 1}},
		},
		{
			Pointer: "/messages/*/text", Present: 2, Missing: 1, Chars: Span{0, 2}, Items: none, Example: `"hi"`,
			Kinds: []KindCount{{"string", 2, at(1)}}, Values: []ValueCount{{"hi", 1}, {"", 1}},
		},
		{Pointer: "/a~1b~0c", Present: 2, Nulls: 1, Missing: 2, Chars: none, Items: none, Kinds: []KindCount{{"null", 1, at(2)}, {"object", 1, at(5)}}},
		{Pointer: "/ok", Present: 1, Missing: 3, Chars: none, Items: none, Example: "true", Kinds: []KindCount{{"boolean", 1, at(4)}}},
	}
	if diff := cmp.Diff(want, o.Fields()); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestFractions(t *testing.T) {
	for _, test := range []struct {
		rows []string
		want bool
	}{
		{[]string{`{"a": 1}`, `{"a": -7}`}, false},
		{[]string{`{"a": 1.0}`, `{"a": 1e3}`, `{"a": 2.50e1}`}, false},
		{[]string{`{"a": 1}`, `{"a": 1.5}`, `{"a": 2}`}, true},
		{[]string{`{"a": 1e300}`}, true},
		{[]string{`{"a": 12345678901234567890}`}, false},
		{[]string{`{"a": "1.5"}`}, false},
	} {
		if got := observe(t, test.rows...).Fields()[0].Fractions; got != test.want {
			t.Errorf("%v: fractions %v, want %v", test.rows, got, test.want)
		}
	}
	train, test := observe(t, `{"a": 1}`), observe(t, `{"a": 0.5}`)
	if !Fields([]*Observer{train, test})[0].Fractions || Fields([]*Observer{train})[0].Fractions {
		t.Error("fractions of one split do not count for both together")
	}
	cells := NewObserver()
	if !csvRows("train.csv", "a,b,c\n1,1.0,1\n2,,0.5\n", ',', cells.Observe) {
		t.Fatal("the cells were not read")
	}
	for i, want := range []bool{false, false, true} {
		if got := cells.Fields()[i].Fractions; got != want {
			t.Errorf("cells of column %d: fractions %v, want %v", i, got, want)
		}
	}
}

func TestPandasOnly(t *testing.T) {
	for cell, want := range map[string]bool{
		"7": false, "-7": false, "1.5": false, "1e-3": false, "12345678901234567890": false, "true": false, "False": false, "red": false,
		"": false, "007": true, "+5": true, " 5": true, ".5": true, "inf": true, "TRUE": true, "NA": true, "null": true, "1e10000": true,
		"1e9999": false, strings.Repeat("9", 10_001): true,
	} {
		first, second := NewObserver(), NewObserver()
		if !csvRows("a.csv", "a,b\n1,1\n", ',', first.Observe) || !csvRows("b.csv", "a,b\n"+cell+",1\n", ',', second.Observe) {
			t.Fatal("the cells were not read")
		}
		got := Fields([]*Observer{first, second})
		if got[0].PandasOnly != want || got[0].Cells != 2 {
			t.Errorf("the cell %.20q: pandas only %v, %d cells; want %v, 2", cell, got[0].PandasOnly, got[0].Cells, want)
		}
		if got[1].PandasOnly {
			t.Errorf("the cell %.20q changes what is said of the column beside it", cell)
		}
	}
	if got := observe(t, `{"a": "007"}`).Fields()[0]; got.PandasOnly || got.Cells != 0 {
		t.Errorf("a value of JSON is no cell: %+v", got)
	}
}

func TestFieldsOfSeveralSplitsAreAddedUp(t *testing.T) {
	train, test := observe(t, `{"a": 1, "b": "x"}`, `{"a": 5}`), observe(t, `{"c": [2], "a": -3, "b": "y"}`)
	got := map[string]Field{}
	var order []string
	for _, f := range Fields([]*Observer{train, NewObserver(), test}) {
		got[f.Pointer] = f
		order = append(order, f.Pointer)
	}
	if diff := cmp.Diff([]string{"/a", "/b", "/c", "/c/*"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if a := got["/a"]; a.Present != 3 || a.Min != "-3" || a.Max != "5" || a.Example != "1" {
		t.Errorf("/a is %+v, want 3 present, -3 to 5, example 1", a)
	}
	if b := got["/b"]; b.Present != 2 || b.Missing != 1 || len(b.Values) != 2 {
		t.Errorf("/b is %+v, want 2 present, 1 missing, 2 values", b)
	}
	if again := Fields([]*Observer{train, NewObserver(), test}); len(again) != len(order) || !cmp.Equal(again[0], got["/a"]) {
		t.Errorf("asking twice gives another answer: %+v", again[0])
	}
}

func TestManyOrLongTextsAreNotListed(t *testing.T) {
	var few, many []string
	for i := range maxValues {
		few = append(few, fmt.Sprintf(`{"a": "v%d"}`, i))
	}
	many = append(append(many, few...), `{"a": "one more"}`)
	tests := map[string]struct {
		rows   []string
		values int
		many   bool
	}{
		"twelve":                {append(few, few...), 12, false},
		"thirteen":              {many, 0, true},
		"sixty-four bytes":      {[]string{`{"a": "` + strings.Repeat("x", 64) + `"}`}, 1, false},
		"sixty-five bytes":      {[]string{`{"a": "x"}`, `{"a": "` + strings.Repeat("x", 65) + `"}`}, 0, true},
		"bytes, not characters": {[]string{`{"a": "` + strings.Repeat("é", 33) + `"}`}, 0, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := observe(t, test.rows...).Fields()[0]
			if len(got.Values) != test.values || got.ManyValues != test.many {
				t.Errorf("got %d values, many %v, want %d, %v", len(got.Values), got.ManyValues, test.values, test.many)
			}
		})
	}
}

func TestExamples(t *testing.T) {
	long := strings.Repeat("é", 100)
	tests := map[string]struct {
		rows []string
		want string
	}{
		"nothing but null and empty values": {[]string{`{"a": null}`, `{"a": ""}`, `{"a": []}`, `{"a": {}}`}, ""},
		"the first that holds something":    {[]string{`{"a": null}`, `{"a": ""}`, `{"a": false}`, `{"a": 1}`}, "false"},
		"a text of 80 characters":           {[]string{`{"a": "` + long[:160] + `"}`}, `"` + long[:160] + `"`},
		"a longer text is cut":              {[]string{`{"a": "` + long + `"}`}, `"` + long[:158] + `…"`},
		"escapes are needed again":          {[]string{`{"a": "x\n\u0022<&>"}`}, `"x\n\"<&>"`},
		"digits stay":                       {[]string{`{"a": 1.500e+0}`}, "1.500e+0"},
		"blanks between tokens are left out": {
			[]string{`{"a": [ 1 , {"b" : " \" : , "} ]}`}, `[1,{"b":" \" : , "}]`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := observe(t, test.rows...).Fields()[0].Example; got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	example := observe(t, `{"a": [`+strings.Repeat("1234567, ", 200)+`1]}`).Fields()[0].Example
	if n := utf8.RuneCountInString(example); n != 80 || !strings.HasSuffix(example, "…") {
		t.Errorf("a long list is cut to 80 characters with an ellipsis, got %d: %s", n, example)
	}
}

func TestNumbersTooLongToKeepHaveNoExtremes(t *testing.T) {
	got := observe(t, `{"a": 1}`, `{"a": 0.`+strings.Repeat("1", 1100)+`}`, `{"a": 2}`).Fields()[0]
	if got.Min != "" || got.Max != "" {
		t.Errorf("got %s to %s, want none", got.Min, got.Max)
	}
}

func TestMissingTextsOfCells(t *testing.T) {
	o := NewObserver()
	if !csvRows("train.csv", "country,count\nNA,1\nNO,\nnull,3\nNA,04\n", ',', o.Observe) {
		t.Fatal("the test's own CSV cannot be read")
	}
	csv := func(line int) Place { return Place{"train.csv", line} }
	want := []Field{
		{
			Cells: 4, PandasOnly: true, Pointer: "/country", Present: 4, Nulls: 3, Chars: Span{2, 2}, Items: none, Example: `"NO"`,
			Kinds: []KindCount{{"null", 3, csv(2)}, {"string", 1, csv(3)}}, Values: []ValueCount{{"NO", 1}},
			Missings: []ValueCount{{"NA", 2}, {"null", 1}},
		},
		{
			Cells: 4, PandasOnly: true, Pointer: "/count", Present: 4, Nulls: 1, Min: "1", Max: "4", Chars: none, Items: none, Example: `"1"`,
			Kinds: []KindCount{{"null", 1, csv(3)}, {"integer", 3, csv(2)}},
		},
	}
	if diff := cmp.Diff(want, o.Fields()); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// wideRow is a row with an object of n keys, which differ from row to row.
func wideRow(i, n int) string {
	var keys []string
	for k := range n {
		keys = append(keys, fmt.Sprintf(`"k%d": %d`, i*n+k, k))
	}
	return fmt.Sprintf(`{"id": %d, "words": {%s}, "meta": {"lang": "en"}}`, i, strings.Join(keys, ", "))
}

func fieldCount(f *field) int {
	n := 1
	for _, m := range f.members {
		n += fieldCount(m)
	}
	if f.element != nil {
		n += fieldCount(f.element)
	}
	return n
}

func TestAnObjectWithVeryManyKeysIsGivenUp(t *testing.T) {
	tests := map[string][]string{
		"in one row":           {wideRow(0, 100_000)},
		"new ones in each row": {wideRow(0, 3000), wideRow(1, 3000), wideRow(2, 3000), wideRow(3, 3000)},
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			o := observe(t, text...)
			if n := fieldCount(o.root); n > 10 {
				t.Errorf("%d fields are kept", n)
			}
			if got := asJSON(t, Config([]*Observer{o})); got != `[{"name":"id","dtype":"int64"},{"name":"words","dtype":"json"},{"name":"meta","struct":[{"name":"lang","dtype":"string"}]}]` {
				t.Errorf("features are %s, want words as json", got)
			}
			var wide []string
			for _, f := range o.Fields() {
				if f.Wide {
					wide = append(wide, f.Pointer)
				}
			}
			if diff := cmp.Diff([]string{"/words"}, wide); diff != "" {
				t.Errorf("wide fields (-want +got):\n%s", diff)
			}
			if size, ok := o.NumBytes(Config([]*Observer{o})); !ok || size < int64(len(text[0])/2) {
				t.Errorf("the size of a wide object as json is known, got %d, %v", size, ok)
			}
		})
	}
}

func TestRowsWithVeryManyKeysHaveNoFeatures(t *testing.T) {
	o := NewObserver()
	for i := range 40 {
		var keys []string
		for k := range 1000 {
			keys = append(keys, fmt.Sprintf(`"k%d": {"x": 1}`, i*1000+k))
		}
		observeFile(t, o, "train.jsonl", "{"+strings.Join(keys, ", ")+"}")
	}
	if features := Config([]*Observer{o}); features != nil || fieldCount(o.root) > 1 {
		t.Errorf("rows of 80,000 fields have %d features and keep %d fields", len(features), fieldCount(o.root))
	}
	if _, ok := o.NumBytes(nil); ok || !o.Wide() {
		t.Error("nothing is known of rows of 80,000 fields but that they are wide")
	}
}

func TestDeeplyNestedKeysAreBounded(t *testing.T) {
	o := NewObserver()
	for i := range 3000 {
		text := fmt.Sprintf(`{"k%d": 1}`, i)
		for range 20 {
			text = fmt.Sprintf(`{"a%d": %s, "b%d": [%s]}`, i%3, text, i%2, "1")
		}
		observeFile(t, o, "train.jsonl", `{"row": `+text+`}`)
	}
	if n := fieldCount(o.root); n > maxRowFields {
		t.Errorf("%d fields are kept, at most %d should be", n, maxRowFields)
	}
}

func TestRowsThatAreNoObjects(t *testing.T) {
	o := observe(t, `[1, 2]`, `null`, `"x"`, `{"a": 1}`)
	if got := asJSON(t, Config([]*Observer{o})); got != `[{"name":"a","dtype":"int64"}]` {
		t.Errorf("features are %s", got)
	}
	if _, ok := o.NumBytes(Config([]*Observer{o})); ok {
		t.Error("the loader takes no rows that are lists or texts, so there is no size")
	}
	if size, ok := observe(t, `null`, `{"a": 1}`).NumBytes(Features{{"a", scalar("int64")}}); size != 17 || !ok {
		t.Errorf("a null row is a row of nulls: got %d, %v, want 17", size, ok)
	}
}

var _ rows.Observer = (*Observer)(nil)
