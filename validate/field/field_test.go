package field

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// rowOf makes a row of a JSON text.
func rowOf(t *testing.T, text string) *rows.Row {
	t.Helper()
	doc := &tape.Tape{}
	if problems := doc.Parse([]byte(text)); len(problems) > 0 {
		t.Fatal(problems)
	}
	return &rows.Row{Path: "a.jsonl", Line: 1, Doc: doc}
}

func TestKeys(t *testing.T) {
	const row = `{"id": 1.0, "n": null, "t": "x", "turns": [{"id": "a", "text": "A"}, {"id": "b"}, {"text": "C"}], "k": [1, 2], "~/": 5, "o": {"p": 1, "q": 2}, "none": []}`
	for _, c := range []struct {
		name  string
		paths []release.Path
		want  []Found
	}{
		{"a field", []release.Path{"/id"}, []Found{{Text: "1", Pointer: "/id"}}},
		{"null is no value", []release.Path{"/n"}, nil},
		{"neither is a missing field", []release.Path{"/absent"}, nil},
		{"beside others it is null", []release.Path{"/absent", "/t"}, []Found{{Text: `absent = null, t = "x"`, Pointer: "/t"}}},
		{"escaped names", []release.Path{"/~0~1"}, []Found{{Text: "5", Pointer: "/~0~1"}}},
		{"an element", []release.Path{"/k/1"}, []Found{{Text: "2", Pointer: "/k/1"}}},
		{"all elements", []release.Path{"/k/*"}, []Found{{Text: "1", Pointer: "/k/0"}, {Text: "2", Pointer: "/k/1"}}},
		{"all values of an object", []release.Path{"/o/*"}, []Found{{Text: "1", Pointer: "/o/p"}, {Text: "2", Pointer: "/o/q"}}},
		{"no elements", []release.Path{"/none/*"}, nil},
		{"two fields of one element", []release.Path{"/turns/*/id", "/turns/*/text"}, []Found{
			{Text: `turns[*].id = "a", turns[*].text = "A"`, Pointer: "/turns/0/id"},
			{Text: `turns[*].id = "b", turns[*].text = null`, Pointer: "/turns/1/id"},
			{Text: `turns[*].id = null, turns[*].text = "C"`, Pointer: "/turns/2/text"},
		}},
		{"a field and elements", []release.Path{"/t", "/k/*"}, []Found{
			{Text: `t = "x", k[*] = 1`, Pointer: "/t"}, {Text: `t = "x", k[*] = 2`, Pointer: "/t"},
		}},
		{"elements of two arrays", []release.Path{"/o/*", "/k/*"}, []Found{
			{Text: `o[*] = 1, k[*] = 1`, Pointer: "/o/p"}, {Text: `o[*] = 1, k[*] = 2`, Pointer: "/o/p"},
			{Text: `o[*] = 2, k[*] = 1`, Pointer: "/o/q"}, {Text: `o[*] = 2, k[*] = 2`, Pointer: "/o/q"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := NewKey(c.paths, nil)
			got := key.Find(rowOf(t, row))
			var keys []fingerprint.Key
			if n := key.Each(rowOf(t, row), func(k fingerprint.Key) { keys = append(keys, k) }); n != len(got) {
				t.Errorf("%d values are counted and %d found", n, len(got))
			}
			for i := range got {
				if keys[i] != got[i].Key {
					t.Errorf("the key of value %d is not that which is found", i)
				}
				got[i].Key, got[i].Line = fingerprint.Key{}, 0
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func keyOf(t *testing.T, row string, normalize ...string) fingerprint.Key {
	t.Helper()
	found := NewKey([]release.Path{"/t"}, normalize).Find(rowOf(t, row))
	if len(found) != 1 {
		t.Fatalf("%s has %d keys", row, len(found))
	}
	return found[0].Key
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		words []string
		same  bool
	}{
		{`{"t": 1}`, `{"t": 1.0}`, nil, true},
		{`{"t": 9007199254740993}`, `{"t": 9007199254740992}`, nil, false},
		{`{"t": {"a": 1, "b": 2}}`, `{"t": {"b": 2, "a": 1}}`, nil, true},
		{`{"t": "a"}`, `{"t": "A"}`, nil, false},
		{`{"t": "a"}`, `{"t": "A"}`, []string{"casefold"}, true},
		{`{"t": "Straße"}`, `{"t": "STRASSE"}`, []string{"casefold"}, true},
		{`{"t": "ﬁn"}`, `{"t": "fin"}`, []string{"nfkc"}, true},
		{`{"t": "e\u0301"}`, `{"t": "é"}`, []string{"nfkc"}, true},
		{`{"t": "e\u0301"}`, `{"t": "é"}`, []string{"casefold"}, false},
		{`{"t": " a \n b"}`, `{"t": "a b "}`, []string{"spaces"}, true},
		{`{"t": "ab"}`, `{"t": "a b"}`, []string{"spaces"}, false},
		{`{"t": "half of 10?"}`, `{"t": "half of 10"}`, []string{"punctuation"}, true},
		{`{"t": "Half of 10 ?"}`, `{"t": "half  of 10"}`, []string{"punctuation", "spaces", "casefold"}, true},
		{`{"t": "1"}`, `{"t": 1}`, []string{"spaces"}, false},
		{`{"t": "a\",\"b"}`, `{"t": "a,b"}`, []string{"spaces"}, false},
	} {
		if same := keyOf(t, c.a, c.words...) == keyOf(t, c.b, c.words...); same != c.same {
			t.Errorf("%s and %s with %v: the same is %t", c.a, c.b, c.words, same)
		}
	}
}

func TestCellsCountAsTheirValues(t *testing.T) {
	for cell, want := range map[string]string{"1": "1", "1.50": "1.5", "007": `"007"`, "": "null", "-3e2": "-300", "yes": `"yes"`} {
		row := rowOf(t, `{"c": "`+cell+`"}`)
		row.Cells = true
		path := Compile("/c")
		v, _ := path.First(row)
		if got := string(AppendCanonical(nil, row, v)); got != want {
			t.Errorf("cell %q counts as %s, not %s", cell, got, want)
		}
	}
}

func TestScalarsAreWrittenAsRowsAre(t *testing.T) {
	for text, scalar := range map[string]release.Scalar{
		`"a\"\\\n\u0001é"`: {Kind: release.String, Text: "a\"\\\n\x01é"},
		`1.0`:              {Kind: release.Number, Text: "1"},
		`true`:             {Kind: release.Boolean, Text: "true"},
		`null`:             {Kind: release.Null, Text: "null"},
	} {
		row := rowOf(t, text)
		if got, want := string(AppendScalar(nil, scalar)), string(digest.AppendCanonical(nil, row.Doc.Root())); got != want {
			t.Errorf("%s of hfpub.yaml is written as %s", want, got)
		}
	}
}
