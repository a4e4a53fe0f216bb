package column

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// loadSplits reads files, named SPLIT/FILE, in the order given, and follows the loader through them.
func loadSplits(t *testing.T, r Reading, files ...string) Loaded {
	t.Helper()
	var observers []*Observer
	last := ""
	for i := 0; i < len(files); i += 2 {
		name, text := files[i], files[i+1]
		split, _, _ := strings.Cut(name, "/")
		if split != last {
			observers = append(observers, NewObserver())
			last = split
		}
		o := observers[len(observers)-1]
		ok := false
		switch {
		case strings.HasSuffix(name, ".csv"):
			ok = csvRows(name, text, ',', o.Observe)
		case strings.HasPrefix(text, "["):
			ok = jsonArray(name, []byte(text), o.Observe)
			if r.Forms == nil {
				r.Forms = map[string]Form{}
			}
			r.Forms[name] = Form{Array: true}
		default:
			ok = jsonLines(name, []byte(text), o.Observe)
		}
		if !ok {
			t.Fatalf("the test's own file %s cannot be read", name)
		}
	}
	return Load(observers, r)
}

// briefly writes troubles as SEVERITY CODE PATH:LINE POINTER.
func briefly(troubles []Trouble) []string {
	var out []string
	for _, x := range troubles {
		out = append(out, fmt.Sprintf("%s %s %s:%d %s", x.Severity, x.Code, x.Path, x.Line, x.Pointer))
	}
	return out
}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Reading
		files []string
		want  []string
		says  []string
	}{
		{name: "rows of the same keys and kinds", files: []string{"train/a.jsonl", `{"a": 1, "b": "x"}` + "\n" + `{"a": 2, "b": null}`, "test/b.jsonl", `{"b": "y", "a": 3}`}},
		{name: "a column that is missing", files: []string{"train/a.jsonl", `{"a": 1, "b": 2}`, "train/b.jsonl", `{"a": 1}`}},
		{name: "a new column", files: []string{"train/a.jsonl", `{"a": 1, "old": 2}`, "train/b.jsonl", `{"a": 1}` + "\n" + `{"a": 1, "new": 2}`},
			want: []string{"error loader/columns-differ train/b.jsonl:1 /new"}, says: []string{`"new" is new here`, `"old" is missing`, "train/a.jsonl"}},
		{name: "a new field", files: []string{"train/a.jsonl", `{"a": {"x": 1}}`, "train/b.jsonl", `{"a": {"x": 1}}` + "\n" + `{"a": {"x": 1, "y": 1}}`},
			want: []string{"error loader/fields-differ train/b.jsonl:2 /a/y"}},
		{name: "a fraction among integers", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": 2}` + "\n" + `{"a": 2.5}`},
			want: []string{"error loader/type-changes test/b.jsonl:2 /a"}, says: []string{"int64", "train/a.jsonl:1", "fraction"}},
		{name: "whole numbers with a point among integers", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": 2.0}`}},
		{name: "whole numbers beyond 2^53 with a point among integers", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": 1e17}`}},
		{name: "an integer that float64 does not hold", files: []string{"train/a.jsonl", `{"a": 0.5}`, "test/b.jsonl", `{"a": 9007199254740993}`},
			want: []string{"error loader/type-changes test/b.jsonl:1 /a"}},
		{name: "a list among texts", files: []string{"train/a.jsonl", `{"a": "x"}`, "test/b.jsonl", `{"a": []}`},
			want: []string{"error loader/type-changes test/b.jsonl:1 /a"}},
		{name: "text among numbers", files: []string{"train/a.jsonl", `{"a": {"b": [1]}}`, "test/b.jsonl", `{"a": {"b": ["x"]}}`},
			want: []string{"error loader/type-changes test/b.jsonl:1 /a/b"}},
		{name: "digits among numbers, the zeros before them too", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": "007"}`},
			want: []string{"warning loader/values-change test/b.jsonl:1 /a"}},
		{name: "numbers among texts", files: []string{"train/a.jsonl", `{"a": "x"}`, "test/b.jsonl", `{"a": 7}`},
			want: []string{"warning loader/values-change test/b.jsonl:1 /a"}, says: []string{"into text"}},
		{name: "numbers and texts after texts", files: []string{"train/a.jsonl", `{"a": "x"}`, "test/b.jsonl", `{"a": 7}` + "\n" + `{"a": "y"}`},
			want: []string{"warning loader/values-change test/b.jsonl:2 /a"}, says: []string{"quotes"}},
		{name: "true among booleans", files: []string{"train/a.jsonl", `{"a": true}`, "test/b.jsonl", `{"a": "true"}`},
			want: []string{"warning loader/values-change test/b.jsonl:1 /a"}},
		{name: "dates among numbers", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": "2024-01-01"}`},
			want: []string{"warning loader/values-change test/b.jsonl:1 /a"}, says: []string{"seconds since 1970"}},
		{name: "dates among texts", files: []string{"train/a.jsonl", `{"a": "soon"}`, "test/b.jsonl", `{"a": "2024-01-01"}`},
			want: []string{"warning loader/values-change test/b.jsonl:1 /a"}, says: []string{"writes them anew"}},
		{name: "text among dates", files: []string{"train/a.jsonl", `{"a": "2024-01-01"}`, "test/b.jsonl", `{"a": "2024-01-01"}` + "\n" + `{"a": "soon"}`},
			want: []string{"error loader/type-changes test/b.jsonl:2 /a", "warning loader/timestamps train/a.jsonl:1 /a"}, says: []string{"timestamp[s]", "train/a.jsonl"}},
		{name: "null first", files: []string{"train/a.jsonl", `{"a": null}`, "test/b.jsonl", `{"a": null}` + "\n" + `{"a": "x"}`},
			want: []string{"error loader/null-first test/b.jsonl:2 /a"}},
		{name: "empty lists first", files: []string{"train/a.jsonl", `{"a": []}`, "test/b.jsonl", `{"a": [1]}`},
			want: []string{"error loader/null-first test/b.jsonl:1 /a"}},
		{name: "null everywhere", files: []string{"train/a.jsonl", `{"a": null}`}, want: []string{"note loader/null-column train/a.jsonl:1 /a"}},
		{name: "text and numbers in the first batch", files: []string{"train/a.jsonl", `{"m": {"a": "x"}}` + "\n" + `{"m": {"a": null}}` + "\n" + `{"m": {"a": 1}}`},
			want: []string{"warning loader/mixed-kinds train/a.jsonl:3 /m/a"}, says: []string{"string", "integer", "line 1"}},
		{name: "different keys in the first batch", files: []string{"train/a.jsonl", `{"a": {"x": 1}}` + "\n" + `{"a": {"x": 1, "y": 1}}`},
			want: []string{"warning loader/keys-differ train/a.jsonl:1 /a"}, says: []string{`"y"`}},
		{name: "dates with a zone", files: []string{"train/a.jsonl", `{"a": "2024-01-01"}` + "\n" + `{"a": "2024-01-01T10:00:00+02:00"}`},
			want: []string{"warning loader/timestamps train/a.jsonl:2 /a"}, says: []string{"zone"}},
		{name: "an integer beyond 64 bits", files: []string{"train/a.jsonl", `{"a": 1}` + "\n" + `{"a": 9223372036854775808}`},
			want: []string{"warning loader/big-integer train/a.jsonl:2 /a"}},
		{name: "a number beyond float64", files: []string{"train/a.jsonl", `{"a": 1e400}`}, want: []string{"error loader/number-range train/a.jsonl:1 /a"}},
		{name: "an integer beyond 64 bits beside json", files: []string{"train/a.jsonl", `{"a": 18446744073709551616, "b": "x"}` + "\n" + `{"a": 1, "b": 1}`},
			want: []string{"warning loader/big-integer train/a.jsonl:1 /a", "error loader/number-range train/a.jsonl:1 ", "warning loader/mixed-kinds train/a.jsonl:2 /b"}},
		{name: "an integer beyond 64 bits in an array", files: []string{"train/a.json", `[{"a": 18446744073709551616}]`},
			want: []string{"warning loader/big-integer train/a.json:1 /a", "error loader/number-range train/a.json:1 "}},
		{name: "a slash in the name of mixed kinds", files: []string{"train/a.jsonl", `{"a/b": 1}` + "\n" + `{"a/b": "x"}`},
			want: []string{"error loader/name-misleads train/a.jsonl:2 /a~1b", "warning loader/mixed-kinds train/a.jsonl:2 /a~1b"}},
		{name: "a slash in the name of objects of different keys", files: []string{"train/a.jsonl", `{"a/b": {"x": 1}}` + "\n" + `{"a/b": {"x": 1, "y": 2}}`},
			want: []string{"warning loader/keys-differ train/a.jsonl:1 /a~1b"}},
		{name: "a chat data set", files: []string{"train/a.jsonl", `{"id": "1", "source": "s", "model": "m", "system_prompt": "p", "messages": [{"role": "user"}]}`},
			want: []string{"error loader/agent-trace train/a.jsonl:1 "}},
		{name: "a chat data set that says what it is", given: Reading{NoTraces: true},
			files: []string{"train/a.jsonl", `{"id": "1", "source": "s", "model": "m", "system_prompt": "p", "messages": [{"role": "user"}]}`}},
		{name: "mixed kinds where the config allows none", given: Reading{NoJSON: true}, files: []string{"train/a.jsonl", `{"a": 1}` + "\n" + `{"a": "x"}`},
			want: []string{"error loader/type-changes train/a.jsonl:2 /a"}},
		{name: "a blank first line beside mixed kinds", given: Reading{Forms: map[string]Form{"train/a.jsonl": {BlankFirst: true, BlankLine: 1}}},
			files: []string{"train/a.jsonl", `{"a": 1}` + "\n" + `{"a": "x"}`},
			want:  []string{"error loader/blank-first train/a.jsonl:1 ", "warning loader/mixed-kinds train/a.jsonl:2 /a"}},
		{name: "arrays of one row of different types", files: []string{"train/a.json", `[{"a": 1}]`, "train/b.json", `[{"a": 1.5}]`},
			want: []string{"error loader/type-changes train/b.json:1 /a", "error loader/type-changes train/b.json:1 /a"}},
		{name: "very deep lists", files: []string{"train/a.jsonl", `{"a": ` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`},
			want: []string{"error loader/nesting train/a.jsonl:1 /a"}},

		{name: "declared features that hold for all", given: Reading{Declared: Features{{"a", scalar("float64")}}}, files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": 2.5}`}},
		{name: "declared features that lack a column", given: Reading{Declared: Features{{"a", scalar("int64")}}}, files: []string{"train/a.jsonl", `{"a": 1, "b": 2}`},
			want: []string{"error loader/columns-differ train/a.jsonl:1 /b"}, says: []string{"the declared features"}},
		{name: "declared features of another type", given: Reading{Declared: Features{{"a", scalar("int64")}}}, files: []string{"train/a.jsonl", `{"a": "x"}`},
			want: []string{"error loader/type-changes train/a.jsonl:1 /a"}, says: []string{"declared int64"}},

		{name: "csv: zeros before digits", files: []string{"train/a.csv", "id,zip\n1,10115\n2,02116\n"}, want: []string{"warning loader/leading-zeros train/a.csv:3 /zip"}},
		{name: "csv: zeros in a column of texts", files: []string{"train/a.csv", "zip\n02116\nx\n"}},
		{name: "csv: zeros that the reader is told to keep", given: Reading{Declared: Features{{"zip", scalar("string")}}, Own: true}, files: []string{"train/a.csv", "zip\n02116\n"}},
		{name: "csv: texts that are missing values", files: []string{"train/a.csv", "country,n\nFR,1\nNA,2\n"}, want: []string{"warning loader/missing-text train/a.csv:3 /country"}, says: []string{`"NA"`}},
		{name: "csv: missing numbers", files: []string{"train/a.csv", "n\n1\nNA\n"}, want: []string{"note loader/missing-text train/a.csv:3 /n"}},
		{name: "csv: empty cells", files: []string{"train/a.csv", "country,n\n,1\nFR,\n"}},
		{name: "csv: big integers beside a missing one", files: []string{"train/a.csv", "n,m\n9007199254740993,1\n,2\n"}, want: []string{"warning loader/big-integer train/a.csv:2 /n"}},
		{name: "csv: text in a later file", files: []string{"train/a.csv", "a\n1\n2\n", "train/b.csv", "a\nx\ny\n"}, want: []string{"error loader/type-changes train/b.csv:2 /a"}},
		{name: "csv: a missing value where the reader is told integers",
			given: Reading{Declared: Features{{"a", scalar("int64")}, {"b", scalar("int64")}}, Own: true},
			files: []string{"train/a.csv", "a,b\n1,2\n,3\n"}, want: []string{"error loader/type-changes train/a.csv:3 /a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := loadSplits(t, c.given, c.files...)
			if diff := cmp.Diff(c.want, briefly(got.Troubles)); diff != "" {
				t.Fatalf("troubles (-want +got):\n%s", diff)
			}
			for _, words := range c.says {
				if !strings.Contains(got.Troubles[0].Message, words) {
					t.Errorf("the message does not say %q: %s", words, got.Troubles[0].Message)
				}
			}
		})
	}
}

func TestCellsThatStayAsTheyAre(t *testing.T) {
	o := NewObserver()
	if !csvRows("a.csv", "zip,country\n02116,NA\n10115,\n7,FR\n", ',', o.Observe) {
		t.Fatal("the test's own rows are no CSV")
	}
	features := Features{{"zip", scalar("string")}, {"country", scalar("string")}}
	for _, c := range []struct {
		name string
		as   Reading
		want int64
	}{
		// Numbers that are cast to texts have lost their zeros; two countries are missing.
		{"by default", Reading{}, (12 + 4 + 5 + 1) + (1 + 12 + 2)},
		{"with types", Reading{Own: true}, (12 + 5 + 5 + 1) + (1 + 12 + 2)},
		{"with types, and NA a text", Reading{Own: true, KeepsMissing: true}, (12 + 5 + 5 + 1) + (1 + 12 + 2 + 2)},
	} {
		if got, ok := o.NumBytesAs(features, c.as); got != c.want || !ok {
			t.Errorf("%s: got %d, %v, want %d", c.name, got, ok, c.want)
		}
	}
	words := NewObserver()
	if !csvRows("a.csv", "word\nnull\nnan\n", ',', words.Observe) {
		t.Fatal("the test's own rows are no CSV")
	}
	for keeps, want := range map[bool]string{false: "float64", true: "string"} {
		loaded := Load([]*Observer{words}, Reading{KeepsMissing: keeps})
		if got := loaded.Features[0].Type.Dtype; got != want || (len(loaded.Troubles) == 0) != keeps {
			t.Errorf("nothing but such texts, kept %v: %s, want %s; %v", keeps, got, want, briefly(loaded.Troubles))
		}
	}
}

func TestAdvisedFeaturesCure(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  string
		own   bool
		// left is the number of troubles that declaring them does not cure.
		left int
	}{
		{name: "null first", files: []string{"train/a.jsonl", `{"a": null}`, "test/b.jsonl", `{"a": "x"}`}, want: `[{"name":"a","dtype":"string"}]`},
		{name: "fractions later", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": 1.5}`}, want: `[{"name":"a","dtype":"float64"}]`},
		{name: "a new column", files: []string{"train/a.jsonl", `{"a": 1}`, "test/b.jsonl", `{"a": 1, "b": "x"}`},
			want: `[{"name":"a","dtype":"int64"},{"name":"b","dtype":"string"}]`},
		{name: "a new field", files: []string{"train/a.jsonl", `{"a": {"x": 1}}`, "test/b.jsonl", `{"a": {"y": 1}}`},
			want: `[{"name":"a","struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"int64"}]}]`},
		{name: "keys that most objects have", files: []string{"train/a.jsonl", `{"a": {"x": 1}}` + "\n" + `{"a": {"x": 1, "y": 2}}`},
			want: `[{"name":"a","struct":[{"name":"x","dtype":"int64"},{"name":"y","dtype":"int64"}]}]`},
		{name: "keys that are data", files: []string{"train/a.jsonl", `{"a": {"x": 1}}` + "\n" + `{"a": {"y": 2}}` + "\n" + `{"a": {"z": 2}}`}, want: `[{"name":"a","dtype":"json"}]`},
		{name: "mixed kinds", files: []string{"train/a.jsonl", `{"a": 1}` + "\n" + `{"a": "x"}`}, want: `[{"name":"a","dtype":"json"}]`},
		{name: "dates with a zone", files: []string{"train/a.jsonl", `{"a": "2024-01-01T10:00:00+02:00"}`}, want: `[{"name":"a","dtype":"timestamp[s, tz=UTC]"}]`},
		{name: "dates", files: []string{"train/a.jsonl", `{"a": "2024-01-01"}`}, want: `[{"name":"a","dtype":"timestamp[s]"}]`},
		{name: "dates that become texts", files: []string{"train/a.jsonl", `{"a": "2024-01-01"}`, "test/b.jsonl", `{"a": "soon"}`}, want: `[{"name":"a","dtype":"string"}]`, left: 1},
		{name: "integers that float64 does not hold", files: []string{"train/a.jsonl", `{"a": 0.5}`, "test/b.jsonl", `{"a": 9007199254740993}`}, want: `[{"name":"a","dtype":"json"}]`},
		{name: "zeros", files: []string{"train/a.csv", "zip\n02116\n"}, want: `[{"name":"zip","dtype":"string"}]`, own: true},
		{name: "nothing to cure", files: []string{"train/a.csv", "zip\n2116\n"}, want: `[{"name":"zip","dtype":"int64"}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := loadSplits(t, Reading{}, c.files...)
			if got := asJSON(t, before.Advised); got != c.want || before.AdviseOwn != c.own {
				t.Fatalf("advised %s, own %v, want %s", got, before.AdviseOwn, c.want)
			}
			after := loadSplits(t, Reading{Declared: before.Advised, Own: before.AdviseOwn}, c.files...)
			if after.Fails || len(after.Troubles) != c.left {
				t.Errorf("with them declared there are still: %v", briefly(after.Troubles))
			}
			if got := asJSON(t, after.Advised); got != c.want && c.left == 0 {
				t.Errorf("a second card would declare %s", got)
			}
		})
	}
}

// A list of json is gone through before Arrow sees it: an object there gives its keys, a text its characters.
func TestWhatStandsWhereListsOfJSONAre(t *testing.T) {
	const list = "{\"c\": [1, \"x\"]}\n{\"c\": []}\n"
	for _, c := range []struct {
		name, test string
		want       string
		loads      bool
	}{
		{"an object", "{\"c\": {\"k\": 1}}\n", "warning loader/values-change test/a.jsonl:1 /c", true},
		{"a text", "{\"c\": []}\n{\"c\": \"xy\"}\n", "warning loader/values-change test/a.jsonl:2 /c", true},
		{"a number", "{\"c\": []}\n{\"c\": 7}\n", "error loader/type-changes test/a.jsonl:1 /c", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := loadSplits(t, Reading{}, "train/a.jsonl", list, "test/a.jsonl", c.test)
			got := briefly(l.Troubles)
			if !slices.Contains(got, c.want) || l.Fails == c.loads {
				t.Errorf("troubles %v, fails %t; want %s", got, l.Fails, c.want)
			}
		})
	}
}
