package shape

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// writer writes schemas and rows at random, from few words, so that they meet.
type writer struct{ *rand.Rand }

func (w writer) one(of ...string) string { return of[w.IntN(len(of))] }

// list writes up to most texts.
func (w writer) list(most int, write func() string) string {
	var list []string
	for range w.IntN(most + 1) {
		list = append(list, write())
	}
	return strings.Join(list, ", ")
}

var keys = []string{`"a"`, `"b"`, `"c"`, `"\u0061b"`, `"é"`, `"x/y"`, `"kind"`}

func (w writer) number() string {
	return w.one("0", "-0", "1", "1.0", "10e-1", "2", "3", "4", "-1", "0.5", "1.5", "0.1", "0.3", "1e2", "100", "1e400", "10e399",
		"9007199254740992", "9007199254740993", "123456789012345678901234567890", "1e-7")
}

func (w writer) text() string {
	return w.one(`""`, `"a"`, `"ab"`, `"abc"`, `"\u0061"`, `"é"`, `"\u00e9"`, `"a\nb"`, `"\ud83c\udf75"`, `"2024-02-29"`, `"text"`, `"image"`, `"1"`)
}

// value writes a value of some depth at most.
func (w writer) value(depth int) string {
	switch n := w.IntN(10); {
	case n < 3:
		return w.number()
	case n < 6:
		return w.text()
	case n < 7:
		return w.one("null", "true", "false")
	case depth == 0:
		return w.one("{}", "[]")
	case n < 8:
		return "[" + w.list(4, func() string { return w.value(depth - 1) }) + "]"
	}
	return w.object(keys, func(string) string { return w.value(depth - 1) })
}

// object writes an object with some of the keys, in any order.
func (w writer) object(keys []string, value func(key string) string) string {
	var members []string
	for _, i := range w.Perm(len(keys))[:w.IntN(len(keys)+1)] {
		members = append(members, keys[i]+": "+value(keys[i]))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func (w writer) document() string {
	definitions := fmt.Sprintf(`"definitions": {"d0": %s, "d1": %s, "d2": %s}`, w.schema(1), w.schema(1), w.schema(1))
	s := w.schema(2)
	switch s {
	case "true", "false", "{}":
		return s
	}
	return "{" + definitions + ", " + s[1:]
}

func (w writer) schema(depth int) string {
	if n := w.IntN(20); n < 2 {
		return w.one("true", "false", "{}")
	} else if n < 4 {
		return `{"$ref": "#/definitions/d` + w.one("0", "1", "2") + `"}`
	}
	members := map[string]string{}
	for range 1 + w.IntN(2) {
		w.keyword(members, depth)
	}
	var list []string
	for key, value := range members {
		list = append(list, fmt.Sprintf("%q: %s", key, value))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func (w writer) schemas(depth int) string {
	return "[" + w.schema(depth) + ", " + w.schema(depth) + w.one("", ", "+w.schema(depth)) + "]"
}

func (w writer) names() string {
	var list []string
	for _, i := range w.Perm(len(keys))[:w.IntN(3)] {
		list = append(list, keys[i])
	}
	return "[" + strings.Join(list, ", ") + "]"
}

var typeNames = []string{`"null"`, `"boolean"`, `"integer"`, `"number"`, `"string"`, `"array"`, `"object"`}

func (w writer) keyword(members map[string]string, depth int) {
	inner := func() string { return w.schema(depth - 1) }
	switch n := w.IntN(18); n {
	case 0, 1:
		members["type"] = w.one(w.one(typeNames...), "["+w.one(typeNames...)+"]", "["+w.one(typeNames[:4]...)+", "+w.one(typeNames[4:]...)+"]")
	case 2:
		members["enum"] = "[" + w.value(2) + ", " + w.value(1) + ", " + w.text() + "]"
	case 3:
		members["const"] = w.value(2)
	case 4:
		members[w.one("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")] = w.number()
	case 5:
		members["multipleOf"] = w.one("1", "2", "0.1", "0.5", "1e-7", "3", "9007199254740993", "12345678901234567890123")
	case 6:
		members[w.one("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")] = w.one("0", "1", "2", "3.0")
	case 7:
		members["pattern"] = w.pattern()
	case 8:
		members["format"] = w.one(`"date"`, `"uri-reference"`, `"uuid"`, `"email"`)
	case 9:
		members["uniqueItems"] = w.one("true", "false")
	case 10:
		members["required"] = w.names()
	}
	if depth == 0 {
		return
	}
	switch n := w.IntN(13); n {
	case 0:
		members["items"] = w.one(inner(), w.schemas(depth-1), "[]")
		members[w.one("additionalItems", "x-no")] = inner()
	case 1:
		members["contains"] = inner()
	case 2, 3, 4:
		members["properties"] = w.object(keys, func(string) string { return inner() })
	case 5:
		members["patternProperties"] = "{" + w.pattern() + ": " + inner() + "}"
	case 6:
		members["additionalProperties"] = inner()
	case 7:
		members["propertyNames"] = inner()
	case 8:
		members["dependencies"] = w.object(keys[:4], func(string) string { return w.one(w.names(), inner()) })
	case 9:
		members[w.one("allOf", "anyOf", "oneOf")] = w.schemas(depth - 1)
	case 10:
		kind := func() string {
			return `{"required": ["kind"], "properties": {"kind": {"const": ` + w.one(`"text"`, `"image"`, `"a"`) + `}, "a": ` + inner() + `}}`
		}
		members[w.one("anyOf", "oneOf")] = "[" + kind() + ", " + kind() + w.one("", ", "+inner()) + "]"
	case 11:
		members["not"] = inner()
	case 12:
		members["if"], members[w.one("then", "x-no")], members[w.one("else", "x-no")] = inner(), inner(), inner()
	}
}

func (w writer) pattern() string {
	return w.one(`"^a"`, `"b$"`, `"^a*$"`, `"a|b"`, `"^[a-z]{2,3}$"`, `"^.$"`, `"^[^a]+"`, `"é"`)
}

// saidOf is what an engine says of a row.
func saidOf(t *testing.T, schema string, engine Engine, doc *tape.Tape) []finding.Finding {
	t.Helper()
	s, _ := Compile("schema.json", []byte(schema), Options{Engine: engine})
	if s == nil {
		t.Fatalf("the schema is not compiled: %s", schema)
	}
	o := s.NewObserver(0)
	o.Observe(&rows.Row{Path: "rows.jsonl", Line: 1, Doc: doc})
	return o.Findings().All()
}

func TestEnginesAgree(t *testing.T) {
	for seed := range uint64(800) {
		holdEngines(t, writer{rand.New(rand.NewPCG(seed, 0))})
	}
}

func FuzzEngines(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { holdEngines(t, writer{rand.New(rand.NewPCG(a, b))}) })
}

// holdEngines holds the engines against each other, on a schema and rows for it. They have to agree on the verdict and the
// places of what is wrong; see TestEnginesDisagree for the words.
func holdEngines(t *testing.T, w writer) {
	t.Helper()
	schema := w.document()
	var doc tape.Tape
	for range 4 {
		row := w.value(3)
		if problems := doc.Parse([]byte(row)); len(problems) > 0 {
			t.Fatalf("%s: %s", row, problems[0].Message)
		}
		got := saidOf(t, schema, Matcher, &doc)
		want := saidOf(t, schema, GoJSONSchema, &doc)
		if strings.Contains(schema, `"uniqueItems": true`) && hasBigNumbers(row) {
			continue
		}
		if diff := cmp.Diff(places(want), places(got)); diff != "" {
			t.Errorf("%s\nagainst %s\nthe matcher finds something else than gojsonschema (-gojsonschema +matcher):\n%s\n%s",
				row, schema, diff, cmp.Diff(want, got))
		}
		holdPlans(t, schema, row)
	}
}

// hasBigNumbers says that a row of the writer has a number that a float64 does not hold.
func hasBigNumbers(row string) bool {
	for _, n := range []string{"1e400", "10e399", "9007199254740992", "9007199254740993"} {
		if strings.Contains(row, n) {
			return true
		}
	}
	return false
}

// places lists where something is wrong, and with what. gojsonschema's errors do not tell type, enum and const apart.
func places(found []finding.Finding) []string {
	var list []string
	for _, f := range found {
		code := string(f.Code)
		switch f.Code {
		case finding.SchemaType, finding.SchemaEnum, finding.SchemaConst:
			code = "type, enum or const"
		}
		list = append(list, f.Pointer+" "+code)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// holdPlans holds what the matcher makes of an object by its shape against what it makes of it key by key.
func holdPlans(t *testing.T, schema, row string) {
	t.Helper()
	s := compiled(t, schema)
	var doc tape.Tape
	doc.Parse([]byte(row))
	v := doc.Root()
	if s.root == nil || s.root.object == nil || v.Kind() != tape.Object {
		return
	}
	m := s.idle.take(s.objects)
	m.begin(&doc)
	want := m.singleFits(s.root.object, v)
	for range 2 {
		if got := m.objectFits(s.root.object, v); got != want {
			t.Errorf("%s\nagainst %s\nfits by its shape: %v, key by key: %v", row, schema, got, want)
		}
	}
}

// The kinds of rows on which the engines do not say the same. The matcher is right, and its words are about the keyword
// that is broken, where those for gojsonschema have to be found from what its errors tell.
func TestEnginesDisagree(t *testing.T) {
	tests := []struct {
		name, schema, row     string
		matcher, gojsonschema []string
	}{
		{
			"elements that differ, and have one float64", `{"not": {"uniqueItems": true}}`, `[9007199254740992, 9007199254740993]`,
			[]string{`schema/not: the row meets the schema that not forbids`}, nil,
		},
		{
			"elements beyond a float64", `{"uniqueItems": true}`, `[1e400, 2]`,
			nil, []string{`schema/row-not-judged: the row cannot be held against the schema: gojsonschema fails on it`},
		},
		{
			"two lists for one value", `{"if": {"const": "a"}, "then": {"enum": ["b"]}, "else": {"enum": ["c"]}}`, `"d"`,
			[]string{`schema/enum: "d" is not one of "c"`}, []string{`schema/const: "d" is not "a"`},
		},
		{
			"a type and a list for one value", `{"const": "a", "if": false, "then": {"type": "string"}}`, `1`,
			[]string{`schema/const: 1 is not "a"`}, []string{`schema/type: 1 is an integer, expected a string`},
		},
		{
			"two unions for one value", `{"allOf": [{"oneOf": [{}, true]}, {"oneOf": [{"type": "string"}, {"type": "null"}]}]}`, `null`,
			[]string{`schema/one-of: the row fits the alternatives 1, 2 of oneOf, and may fit one only`},
			[]string{`schema/one-of: the row fits more than one alternative of oneOf`},
		},
	}
	for _, test := range tests {
		for engine, want := range map[Engine][]string{Matcher: test.matcher, GoJSONSchema: test.gojsonschema} {
			var doc tape.Tape
			doc.Parse([]byte(test.row))
			var got []string
			for _, f := range saidOf(t, test.schema, engine, &doc) {
				got = append(got, string(f.Code)+": "+f.Message)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, engine %q: (-want +got)\n%s", test.name, engine, diff)
			}
		}
	}
}
