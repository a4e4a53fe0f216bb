package schemadoc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const schema = `{
  "description": "One answer.",
  "type": "object",
  "required": ["id", "answer|choice"],
  "properties": {
    "id": {"type": "integer", "minimum": 0, "description": "Row number."},
    "answer|choice": {"enum": ["yes|no", "a\nb", "\"q\"", 1.50, null, {"k": [1]}]},
    "a/b": {"type": ["string", "null"], "minLength": 1, "maxLength": 8, "pattern": "^x|y$"},
    "score": {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1}, {"type": "null"}], "description": "Share."},
    "label": {"oneOf": [{"const": "a"}, {"const": "b"}]},
    "old": {"type": "number", "minimum": 1, "exclusiveMinimum": true},
    "node": {"$ref": "#/definitions/no%64e"},
    "turns": {
      "type": "array", "minItems": 1,
      "items": {
        "required": ["role"],
        "properties": {"role": {"enum": ["user", "assistant"]}, "content": {"type": "string", "format": "uri"}}
      }
    }
  },
  "patternProperties": {"^x_": {"description": "An extra."}, "(?<!a)b": {"description": "not a pattern of Go"}},
  "allOf": [
    {"required": ["label"]},
    {"if": {"properties": {"id": {"const": 1}}}, "then": {"required": ["score"], "properties": {"only": {"type": "boolean"}}}}
  ],
  "definitions": {
    "node": {
      "type": "object",
      "properties": {"name": {"$ref": "#name"}, "child": {"$ref": "#/definitions/node"}},
      "additionalProperties": {"description": "Anything else."}
    },
    "named": {"$id": "#name", "type": "string", "description": "A name."}
  }
}`

func TestLookup(t *testing.T) {
	doc, err := Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.Description(); got != "One answer." {
		t.Errorf("Description is %q, expected that of the root", got)
	}
	tests := []Field{
		{Pointer: "/id", Description: "Row number.", Types: []string{"integer"}, Required: true, Limits: []string{"≥ 0"}},
		{Pointer: "/answer|choice", Required: true, Values: []string{`"yes|no"`, "\"a\nb\"", `"\"q\""`, "1.50", "null", `{"k": [1]}`}},
		{Pointer: "/a~1b", Types: []string{"string", "null"}, Limits: []string{"length ≥ 1", "length ≤ 8"}, Pattern: "^x|y$"},
		{Pointer: "/score", Types: []string{"number", "null"}, Description: "Share.", Limits: []string{"> 0", "≤ 1"}},
		{Pointer: "/label", Required: true, Values: []string{`"a"`, `"b"`}},
		{Pointer: "/old", Types: []string{"number"}, Limits: []string{"> 1"}},
		{Pointer: "/node", Types: []string{"object"}},
		{Pointer: "/node/name", Types: []string{"string"}, Description: "A name."},
		{Pointer: "/node/child/child/name", Types: []string{"string"}, Description: "A name."},
		{Pointer: "/node/what", Description: "Anything else."},
		{Pointer: "/turns", Types: []string{"array"}, Limits: []string{"items ≥ 1"}},
		{Pointer: "/turns/*/role", Required: true, Values: []string{`"user"`, `"assistant"`}},
		{Pointer: "/turns/*/content", Types: []string{"string"}, Limits: []string{"format uri"}},
		{Pointer: "/x_more", Description: "An extra."},
		{Pointer: "/only", Types: []string{"boolean"}},
	}
	for _, want := range tests {
		t.Run(want.Pointer, func(t *testing.T) {
			got, ok := doc.Lookup(want.Pointer)
			if !ok {
				t.Fatalf("the schema says nothing of %s", want.Pointer)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Lookup(%s) (-want +got):\n%s", want.Pointer, diff)
			}
		})
	}
	for _, pointer := range []string{"/missing", "/id/x", "/turns/role", "/turns/*/*"} {
		if got, ok := doc.Lookup(pointer); ok {
			t.Errorf("the schema says nothing of %s, got %+v", pointer, got)
		}
	}
}

func TestFields(t *testing.T) {
	doc, err := Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/id", "/answer|choice", "/a~1b", "/score", "/label", "/old", "/node", "/node/name", "/node/child",
		"/turns", "/turns/*/role", "/turns/*/content", "/only",
	}
	if diff := cmp.Diff(want, doc.Fields()); diff != "" {
		t.Errorf("Fields (-want +got):\n%s", diff)
	}
}

// Every part names the next one twice: written out, these are more fields than memory holds.
func TestFieldsEndsOnSchemasThatMultiply(t *testing.T) {
	text := `{"$ref": "#/definitions/a0", "definitions": {`
	names := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for i := range len(names) - 1 {
		next := `{"$ref": "#/definitions/` + names[i+1:i+2] + `0"}`
		text += `"` + names[i:i+1] + `0": {"properties": {"l": ` + next + `, "r": ` + next + `}},`
	}
	doc, err := Parse([]byte(text + `"Z0": {}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(doc.Fields()); n == 0 || n > maxSteps {
		t.Errorf("%d fields, expected some and at most %d", n, maxSteps)
	}
}

func TestParseRefusesWhatIsNotJSON(t *testing.T) {
	for _, text := range []string{"", "  ", "{", `{"a": }`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("Parse(%q) gave no error", text)
		}
	}
}

func FuzzLookup(f *testing.F) {
	f.Add([]byte(schema), "/turns/*/role")
	f.Add([]byte(`{"$ref": "#"}`), "/a")
	f.Add([]byte(`true`), "")
	f.Add([]byte(`{"$id": "#a", "$ref": "#a", "items": {"$ref": "#a"}}`), "/*/*")
	f.Fuzz(func(t *testing.T, text []byte, pointer string) {
		doc, err := Parse(text)
		if err != nil {
			return
		}
		doc.Lookup(pointer)
		doc.Fields()
	})
}
