package validate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// looseFindings validates one file against a schema and lists what is found, each as "line pointer: message ×count".
func looseFindings(t *testing.T, name, content, schema string, opt Options) (found []string, rows int64) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	opt.Schema = filepath.Join(dir, "schema.json")
	for path, content := range map[string]string{path: content, opt.Schema: schema} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opt.AnyValue = true
	rel, err := Loose([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(context.Background(), rel, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		text := fmt.Sprintf("%d %s: %s", f.Line, f.Pointer, f.Message)
		if f.Count > 1 {
			text += fmt.Sprintf(" ×%d", f.Count)
		}
		found = append(found, text)
	}
	return found, report.Summary.Rows
}

func TestSchemaOfAnArrayIsHeldAgainstTheWholeFile(t *testing.T) {
	const schema = `{"type": "array", "minItems": 1, "maxItems": 4, "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}`
	const tuple = `{"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false}`
	tests := map[string]struct {
		name, content, schema string
		rows                  int64
		want                  []string
	}{
		"it holds": {"a.json", `[{"id": 1}, {"id": 2}]`, schema, 2, nil},
		"pointers begin at the document": {"a.json", "[\n{\"id\": 1},\n{\"id\": \"x\"},\n7]", schema, 3, []string{
			`3 /1/id: "x" is a string, expected an integer`, `4 /2: 7 is an integer, expected an object`}},
		"refused elements have a place in the array": {"a.json", "[{\"id\": NaN},\n{\"id\": \"x\"}]", schema, 1, []string{
			`1 /id: NaN is no JSON number`, `2 /1/id: "x" is a string, expected an integer`}},
		"a keyword that needs all of the array": {"a.json", "\n[{\"id\": 1},\n {\"id\": 2},\n {\"id\": 1}]", `{"type": "array", "uniqueItems": true}`, 3, []string{
			`2 : elements 0 and 2 of the array are equal: {"id":1}`}},
		"a keyword that needs all of the array, which holds": {"a.json", "[{\"id\": 1}, {\"id\": 2}]", `{"type": "array", "uniqueItems": true}`, 2, nil},
		"combined schemas of the array": {"a.json", "[\n1,\n\"x\"]", `{"type": "array", "allOf": [{"items": {"type": "integer"}}, {"contains": {"const": 5}}]}`, 2, []string{
			`1 : no element of the array (2 elements) meets contains; the nearest: at /0, 1 is not 5`, `3 /1: "x" is a string, expected an integer`}},
		"an element that is no strict JSON is the finding, and the array is not judged": {"a.json", `[1, 1, {"a": 1, "a": 2}]`, `{"type": "array", "uniqueItems": true}`, 2, []string{
			`1 /a: key "a" stands more than once in one object`}},
		"too few elements":  {"a.json", "\n []", schema, 0, []string{`2 : the row has 0 elements, expected at least 1`}},
		"too many elements": {"a.json", "[" + strings.Repeat("{\"id\": 1},\n", 4) + "{\"id\": 1}]", schema, 5, []string{`1 : the row has 5 elements, expected at most 4`}},
		"the number of elements of a broken file is not known": {"a.json", "[", schema, 0, []string{`1 : the file ends inside its array`}},
		"each element has a schema": {"a.json", `["a", "b", 3]`, tuple, 3, []string{
			`1 : the array has 3 elements, more than items describes`, `1 /1: "b" is a string, expected an integer`}},
		"another value is one row":                  {"a.json", `{"id": 1}`, schema, 1, []string{`1 : the row is an object, expected an array`}},
		"rows of JSON Lines are judged one by one":  {"a.jsonl", "[{\"id\": 1}]\n[]\n", schema, 2, []string{`2 : the row has 0 elements, expected at least 1`}},
		"a schema of rows is held against elements": {"a.json", "[{\"id\": 1},\n{}]", `{"type": "object", "required": ["id"]}`, 2, []string{`2 : the property "id" is missing`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{0, 1} {
				found, rows := looseFindings(t, test.name, test.content, test.schema, Options{blockSize: size})
				if diff := cmp.Diff(test.want, found); diff != "" || rows != test.rows {
					t.Errorf("%d rows, want %d; findings (-want +got):\n%s", rows, test.rows, diff)
				}
			}
		})
	}
}
