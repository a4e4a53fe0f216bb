package draft

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/shape"
)

var update = flag.Bool("update", false, "write the golden files anew")

// file is a data file of a test: its name tells the format.
type file struct{ name, text string }

// show shows the rows of files to an observer; false when they cannot be read.
func show(t testing.TB, o rows.Observer, files ...file) bool {
	t.Helper()
	var found finding.Set
	for _, f := range files {
		source := rows.Source{Path: f.name, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(f.text)), nil
		}}
		_, err := rows.Read(context.Background(), source, rows.Options{}, &found, func(row *rows.Row) error {
			o.Observe(row)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found.Count(finding.Error) == 0
}

// draftOf drafts the schema of files.
func draftOf(t testing.TB, files ...file) []byte {
	t.Helper()
	columns := column.NewObserver()
	if !show(t, columns, files...) {
		t.Fatalf("the test's own files cannot be read: %.300q", files)
	}
	return Schema(columns.Fields())
}

// judge holds files against a schema.
func judge(t testing.TB, schema []byte, files ...file) []finding.Finding {
	t.Helper()
	compiled, found := shape.Compile("draft.json", schema, shape.Options{})
	if len(found) > 0 {
		t.Fatalf("the draft is no good schema: %v\n%s", found, schema)
	}
	o := compiled.NewObserver(0)
	if !show(t, o, files...) {
		t.Fatalf("the test's own files cannot be read: %.300q", files)
	}
	return o.Findings().All()
}

func jsonl(lines ...string) file { return file{"train.jsonl", strings.Join(lines, "\n")} }

// many repeats rows until labels count.
func many(n int, lines ...string) file {
	return jsonl(strings.TrimSuffix(strings.Repeat(strings.Join(lines, "\n")+"\n", n), "\n"))
}

func TestSchema(t *testing.T) {
	for name, files := range map[string][]file{
		"flat": {jsonl(`{"question": "1+1?", "answer": "2", "score": 0.5, "n": 1, "ok": true}`,
			`{"question": "<b> & 2?", "answer": null, "score": 1, "n": 12345678901234567890}`)},
		"nested": {jsonl(`{"id": 1, "messages": [{"role": "user", "parts": [["a"], []]}, {"role": "bot", "name": null}], "meta": {"a/b~c": {"": 1}}}`,
			`{"id": 2, "messages": [], "meta": {"a/b~c": {"": 2}, "*": 3}}`)},
		"labels": {many(25, `{"label": "yes", "rare": "a"}`, `{"label": "no", "rare": null}`, `{"label": null, "rare": "a"}`)},
		"cells":  {{"train.csv", "id,zip,price,sold,note,size,empty\n1,02116,1.5,true,hi,L,\n-2,10001,,False,NA,7,\n3,1,2,false,,,\n"}},
		"mixed":  {jsonl(`{"a": 1, "b": [1], "c": [], "d": null}`, `{"a": "x", "b": {"*": "y", "z": 1}, "c": [], "d": null}`)},
	} {
		t.Run(name, func(t *testing.T) {
			got := draftOf(t, files...)
			golden := filepath.Join("testdata", name+".schema.json")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("the draft differs from %s (-want +got):\n%s", golden, diff)
			}
			if found := judge(t, got, files...); len(found) > 0 {
				t.Errorf("the draft refuses the rows it was made of: %v", found)
			}
		})
	}
}

// TestBrokenRowsAreRefused breaks one thing in a row at a time.
func TestBrokenRowsAreRefused(t *testing.T) {
	whole := many(30, `{"id": 1, "text": "a", "note": null, "label": "yes", "tags": [{"k": "x"}]}`,
		`{"id": 2, "text": "b", "note": "n", "label": "no", "tags": []}`)
	cells := file{"train.csv", "id,price,sold\n1,1.5,true\n2,,false\n"}
	for name, test := range map[string]struct {
		sound         file
		broken        file
		code, pointer string
	}{
		"another type":          {whole, jsonl(`{"id": "1", "text": "a", "note": null, "label": "yes", "tags": []}`), "schema/type", "/id"},
		"a fraction":            {whole, jsonl(`{"id": 1.5, "text": "a", "note": null, "label": "yes", "tags": []}`), "schema/type", "/id"},
		"null":                  {whole, jsonl(`{"id": 1, "text": null, "note": null, "label": "yes", "tags": []}`), "schema/type", "/text"},
		"a field is missing":    {whole, jsonl(`{"id": 1, "note": null, "label": "yes", "tags": []}`), "schema/required", ""},
		"a field too many":      {whole, jsonl(`{"id": 1, "text": "a", "note": null, "label": "yes", "tags": [], "x": 1}`), "schema/additional-properties", ""},
		"another label":         {whole, jsonl(`{"id": 1, "text": "a", "note": null, "label": "Yes", "tags": []}`), "schema/enum", "/label"},
		"inside a list":         {whole, jsonl(`{"id": 1, "text": "a", "note": null, "label": "yes", "tags": [{"k": 1}]}`), "schema/type", "/tags/0/k"},
		"missing inside a list": {whole, jsonl(`{"id": 1, "text": "a", "note": null, "label": "yes", "tags": [{}]}`), "schema/required", "/tags/0"},
		"text in a number cell": {cells, file{"x.csv", "id,price,sold\none,1,true\n"}, "schema/type", "/id"},
		"an empty number cell":  {cells, file{"x.csv", "id,price,sold\n,1,true\n"}, "schema/type", "/id"},
		"text in a truth cell":  {cells, file{"x.csv", "id,price,sold\n1,1,maybe\n"}, "schema/type", "/sold"},
	} {
		t.Run(name, func(t *testing.T) {
			schema := draftOf(t, test.sound)
			if found := judge(t, schema, test.sound); len(found) > 0 {
				t.Fatalf("the sound rows are refused: %v", found)
			}
			found := judge(t, schema, test.broken)
			if len(found) != 1 || string(found[0].Code) != test.code || found[0].Pointer != test.pointer {
				t.Errorf("got %v, want one %s at %s", found, test.code, test.pointer)
			}
		})
	}
}

func TestEnumIsForLabelsOnly(t *testing.T) {
	for name, test := range map[string]struct {
		file file
		want bool
	}{
		"two labels, often":       {many(25, `{"a": "x"}`, `{"a": "y"}`), true},
		"not often enough":        {many(24, `{"a": "x"}`, `{"a": "y"}`), false},
		"one of them is rare":     {jsonl(many(60, `{"a": "x"}`).text, many(4, `{"a": "y"}`).text), false},
		"nine of them":            {many(10, `{"a": "1"}`, `{"a": "2"}`, `{"a": "3"}`, `{"a": "4"}`, `{"a": "5"}`, `{"a": "6"}`, `{"a": "7"}`, `{"a": "8"}`, `{"a": "9"}`), false},
		"a long text":             {many(50, `{"a": "`+strings.Repeat("é", 33)+`"}`), false},
		"a text of two lines":     {many(50, `{"a": "x\ny"}`), false},
		"numbers beside them":     {many(50, `{"a": "x"}`, `{"a": 1}`), false},
		"numbers":                 {many(50, `{"a": 1}`), false},
		"cells":                   {file{"a.csv", "a,b\n" + strings.Repeat("x,1\ny,2\n", 25)}, true},
		"cells, some empty":       {file{"a.csv", "a,b\n" + strings.Repeat("x,1\n,2\n", 50)}, false},
		"cells, numbers and text": {file{"a.csv", "a,b\n" + strings.Repeat("x,1\n7,2\n", 50)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			schema := draftOf(t, test.file)
			if got := bytes.Contains(schema, []byte(`"enum"`)); got != test.want {
				t.Errorf("enum in the draft: %v, want %v\n%s", got, test.want, schema)
			}
			if found := judge(t, schema, test.file); len(found) > 0 {
				t.Errorf("the draft refuses the rows it was made of: %v", found)
			}
		})
	}
}

func TestObjectsKeyedByDataAreLeftOpen(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf(`{"scores": {"q%d": 1}}`, i))
	}
	schema := draftOf(t, jsonl(lines...))
	if found := judge(t, schema, jsonl(`{"scores": {"another": 1}}`)); len(found) > 0 {
		t.Errorf("a new key of an object keyed by data is refused: %v", found)
	}
	schema = draftOf(t, jsonl(lines[:maxOptional]...))
	if found := judge(t, schema, jsonl(`{"scores": {"another": 1}}`)); len(found) != 1 {
		t.Errorf("with %d keys they are fields: got %v, want the new one refused", maxOptional, found)
	}
}

func TestNothingIsDraftedOfNothing(t *testing.T) {
	if got := Schema(nil); got != nil {
		t.Errorf("no fields give a schema: %s", got)
	}
	if got := Schema(make([]column.Field, maxNodes+1)); got != nil {
		t.Error("more fields than anybody would read give a schema")
	}
	if got := draftOf(t, jsonl(`{"`+strings.Repeat("k", maxText)+`": 1}`)); got != nil {
		t.Errorf("a schema of %d bytes is written", len(got))
	}
}

// FuzzSchema drafts schemas of whatever can be read, and holds the rows they are made of against them.
func FuzzSchema(f *testing.F) {
	for _, text := range []string{
		`{"a": 1, "b": ["x", null, {"c": 1e3}]}` + "\n" + `{"a": 2.0, "*": {"*": []}}`, `{"": {"~1/~0": "\ud83d\ude00 <&>\u2028"}}`,
		"a,b,c\n1,x,true\n007,,TRUE\n 5,null,False\n", "a\n1e400\n-0\n", `[{"a": {}}, {"a": []}, {"a": [[1]]}]`, `{"a": -0, "b": 1e-400}`,
	} {
		f.Add(text, 0)
		f.Add(text, 1)
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, format int) {
		names := []string{"a.jsonl", "a.json", "a.csv", "a.tsv"}
		input := file{names[max(format, 0)%len(names)], text}
		columns := column.NewObserver()
		if !show(t, columns, input) {
			return
		}
		schema := Schema(columns.Fields())
		if schema == nil {
			return
		}
		if found := judge(t, schema, input); len(found) > 0 {
			t.Errorf("the draft refuses the rows it was made of: %v\n%s", found, schema)
		}
	})
}
