package shape

import (
	"fmt"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// plainly is what gojsonschema says when it is used as its own documentation tells.
func plainly(schema, row string) (verdict string) {
	defer func() {
		if recover() != nil {
			verdict = "panics"
		}
	}()
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewStringLoader(row))
	switch {
	case err != nil:
		return "fails"
	case result.Valid():
		return "accepts"
	}
	return "refuses"
}

// Where gojsonschema is known to be wrong, hfpub is right with either engine. That the library still is as wrong as the table
// says tells whether what guards against it is still needed. What it cannot be asked without harm stands in
// TestNothingIsFetched (it fetches $refs) and TestSchemaThatIsItself (it overflows the stack).
func TestTrapsOfGoJSONSchema(t *testing.T) {
	tests := map[string]struct {
		schema, row string
		// plainly is what the library says, right the right verdict.
		plainly, right string
	}{
		"text behind the value":                      {`{"type": "object"}`, `{} and more`, "accepts", "refuses"},
		"two values":                                 {`{"type": "object"}`, `{} {}`, "accepts", "refuses"},
		"an exponent that takes the memory":          {`{"minimum": 1}`, `1e10000000`, "panics", "refuses"},
		"integers with one float64 for const":        {`{"const": 9007199254740993}`, `9007199254740992`, "accepts", "refuses"},
		"integers with one float64 for enum, inside": {`{"enum": [[9007199254740993]]}`, `[9007199254740992]`, "accepts", "refuses"},
		"a format of strings, and a number":          {`{"format": "date"}`, `5`, "refuses", "accepts"},
		"a length that is written as a decimal":      {`{"maxLength": 2.0}`, `"ab"`, "fails", "accepts"},
		"a number of elements with an exponent":      {`{"minItems": 1e0}`, `[1]`, "fails", "accepts"},
		"a day that is not":                          {`{"format": "date-time"}`, `"2023-02-29T00:00:00Z"`, "refuses", "refuses"},
		"a day where a time is asked for":            {`{"format": "date-time"}`, `"2023-02-28"`, "accepts", "refuses"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := plainly(test.schema, test.row); got != test.plainly {
				t.Errorf("gojsonschema %s %s against %s, and the table says that it %s: is it a trap no more?", got, test.row, test.schema, test.plainly)
			}
			for _, engine := range []Engine{Matcher, GoJSONSchema} {
				var doc tape.Tape
				verdict := "accepts"
				if len(doc.Parse([]byte(test.row))) > 0 || len(saidOf(t, test.schema, engine, &doc)) > 0 {
					verdict = "refuses"
				}
				if verdict != test.right {
					t.Errorf("engine %q %s %s against %s, and %s it is right", engine, verdict, test.row, test.schema, test.right)
				}
			}
		})
	}
}

// A schema that refers to itself says nothing, and gojsonschema would overflow the stack over it, which ends the process.
func TestSchemaThatIsItself(t *testing.T) {
	for _, schema := range []string{`{"$ref": "#"}`, `{"allOf": [{"$ref": "#"}]}`, `{"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}}}`} {
		for _, engine := range []Engine{Matcher, GoJSONSchema} {
			s, found := Compile("schema.json", []byte(schema), Options{Engine: engine})
			if len(found) != 1 || found[0].Code != finding.SchemaRef || found[0].Severity != finding.Error {
				t.Errorf("engine %q: %s gives %v, want one error %s", engine, schema, found, finding.SchemaRef)
			}
			if s == nil {
				continue
			}
			o := s.NewObserver(0)
			o.Observe(rowOf(t, "rows.jsonl", 1, []byte(fmt.Sprintf("{%q: 1}", "a")))) // must end
		}
	}
}
