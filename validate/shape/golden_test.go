package shape

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

var update = flag.Bool("update", false, "write the golden files anew")

// engines are the engines and the files of testdata that hold what they say.
var engines = map[Engine]string{Matcher: "want.txt", GoJSONSchema: "want.gojsonschema.txt"}

// TestGolden holds what is said about the schema and the rows of each folder of testdata against its want.txt, and, with
// gojsonschema as the engine, against want.gojsonschema.txt where there is one: there it says something else.
// A folder has schema.json; rows.jsonl, or cells.jsonl for rows whose values are cells of a CSV file; and refs, a
// folder of documents registered as https://example.com/schemas/.
func TestGolden(t *testing.T) {
	folders, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no folders in testdata/golden: %v", err)
	}
	for _, dir := range folders {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := golden(t, dir, Matcher, said(t, dir, Matcher), "")
			golden(t, dir, GoJSONSchema, said(t, dir, GoJSONSchema), want)
		})
	}
}

// golden compares what an engine says with its file, and returns what stands there; with what stands elsewhere if there is
// none.
func golden(t *testing.T, dir string, engine Engine, got, elsewhere string) string {
	t.Helper()
	file := filepath.Join(dir, engines[engine])
	if *update {
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if got != elsewhere || engine == Matcher {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := elsewhere
	if text, err := os.ReadFile(file); err == nil {
		want = string(text)
	} else if engine == Matcher {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings differ from %s (-want +got); if they are meant, run go test -update:\n%s", file, diff)
	}
	return want
}

func said(t *testing.T, dir string, engine Engine) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	refs := []Ref{{Prefix: "https://example.com/schemas/", Dir: filepath.Join(dir, "refs")}}
	schema, found := Compile("schema.json", text, Options{Refs: refs, Dir: dir, Engine: engine})
	var b strings.Builder
	for _, f := range found {
		b.WriteString(line(f, dir))
	}
	if schema == nil {
		b.WriteString("no row is judged\n")
		return b.String()
	}
	for _, f := range observed(t, schema, dir).All() {
		b.WriteString(line(f, dir))
	}
	return b.String()
}

// observed shows the rows of a folder to an observer.
func observed(t *testing.T, schema *Schema, dir string) *finding.Set {
	t.Helper()
	o := schema.NewObserver(0)
	for _, name := range []string{"rows.jsonl", "cells.jsonl"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		for i, raw := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
			o.Observe(rowOf(t, name, i+1, raw))
		}
	}
	return o.Findings()
}

func rowOf(t testing.TB, path string, line int, raw []byte) *rows.Row {
	t.Helper()
	row := &rows.Row{Path: path, Line: line, Doc: &tape.Tape{}, Cells: path == "cells.jsonl"}
	if problems := row.Doc.Parse(raw); len(problems) > 0 {
		t.Fatalf("%s:%d: %s", path, line, problems[0].Message)
	}
	return row
}

// line writes a finding as one line, without the folder of the test.
func line(f finding.Finding, dir string) string {
	text := fmt.Sprintf("%s %s [%s] %s", f.Where(), f.Severity, f.Code, f.Message)
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	if f.Count > 1 {
		text += fmt.Sprintf(" x%d", f.Count)
	}
	return strings.ReplaceAll(text, filepath.ToSlash(dir)+"/", "") + "\n"
}
