package shape

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/rowstest"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// badRows are rows with few and with many different faults of every kind that a schema finds in them.
func badRows(n int) (schema string, list []string) {
	schema = `{"required": ["id"], "additionalProperties": false, "properties": {
		"id": {"type": "integer", "minimum": 0}, "tag": {"enum": ["a", "b"]}, "text": {"pattern": "^x"},
		"list": {"items": {"type": "string", "maxLength": 2}, "maxItems": 3}, "any": {"anyOf": [{"type": "null"}, {"properties": {"k": {"const": 1}}, "required": ["k"]}]},
		"one": {"allOf": [{"type": "string"}, {"type": "string"}]},
		"big": {"oneOf": [{"properties": {"kind": {"const": "x"}}, "required": ["kind"]}, {"properties": {"kind": {"const": "y"}, "pad": {"maxLength": 3}}, "required": ["kind"]}]},
		"never": {"allOf": [{"not": {}}, {"not": {"required": ["kind"]}}, {"not": {"type": "array"}}, {"not": {"maxProperties": 2}}, {"enum": [[1], 3]}, {"const": {"a": 1}},
			{"not": {"anyOf": [{"required": ["more"]}, {"type": "object"}, {"maxItems": 1}]}}]}}}`
	forbidden := []string{`{"kind": "#"}`, `{"kind": "#", "more": 1}`, `{"pad": "#"}`, `{"pad": "#", "kind": 1, "more": 2}`, `["#"]`, `["#", 2]`, `"#"`, `7`, `[2]`, `{"a": 2}`}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id%s": %d, "tag": "%c", "text": "%s", "list": [%d, "abc", "%d"], "any": {"k": %d}, "one": %d, "big": {"kind": "%c", "pad": "%s"}, "never": %s}`,
			strings.Repeat("x", r.IntN(2)), i-n/2, 'a'+rune(r.IntN(4)), strings.Repeat("y", r.IntN(90)), i, i*100, r.IntN(3), r.IntN(3),
			'v'+rune(r.IntN(4)), strings.Repeat("z", 70), strings.ReplaceAll(forbidden[r.IntN(len(forbidden))], "#", fmt.Sprint(strings.Repeat("z", 70), i))))
	}
	return schema, list
}

// What is found does not depend on where the rows are cut, on the places kept, on what was only counted, and on how much of the
// rows before was merged when an observer began to follow them.
func TestManyBadRows(t *testing.T) {
	schema, list := badRows(1500)
	s := compiled(t, schema)
	r := rand.New(rand.NewPCG(3, 4))
	var counts map[finding.Code]int // with all places kept, nothing is just counted
	for _, maxPlaces := range []int{0, 1, 3, 100} {
		var doc tape.Tape
		told := 0
		observe := func(cuts []int, follow bool) *Observer {
			o := s.NewObserver(maxPlaces)
			merged := s.NewObserver(maxPlaces)
			for i, text := range list {
				if slices.Contains(cuts, i) {
					next := s.NewObserver(maxPlaces)
					late := r.IntN(2) == 0
					if follow && !late {
						next.Follow(merged)
					}
					told += o.Findings().Len()
					merged.Merge(o)
					if follow && late {
						next.Follow(merged)
					}
					o = next
				}
				doc.Parse([]byte(text))
				o.Observe(&rows.Row{Path: "rows.jsonl", Line: i + 1, Doc: &doc})
			}
			merged.Merge(o)
			return merged
		}
		want := observe(nil, false).Findings().All()
		if counts == nil {
			counts = countsOf(want)
		} else if diff := cmp.Diff(counts, countsOf(want)); diff != "" {
			t.Errorf("places %d: other numbers than with all places (-all +these):\n%s", maxPlaces, diff)
		}
		for range 2 {
			var cuts []int
			for range 12 {
				cuts = append(cuts, r.IntN(len(list)))
			}
			toldBy := map[bool]int{}
			for _, follow := range []bool{false, true} {
				told = 0
				if diff := cmp.Diff(want, observe(cuts, follow).Findings().All()); diff != "" {
					t.Fatalf("places %d, cut at %v, following %t: findings differ from those of one run (-want +got):\n%.3000s", maxPlaces, cuts, follow, diff)
				}
				toldBy[follow] = told
			}
			if 0 < maxPlaces && maxPlaces < 100 && 2*toldBy[true] > toldBy[false] { // 100 places of a kind take most of the rows
				t.Errorf("places %d, cut at %v: %d findings kept by observers that know what is settled, %d by those that do not; want less than half",
					maxPlaces, cuts, toldBy[true], toldBy[false])
			}
		}
	}
}

func countsOf(found []finding.Finding) map[finding.Code]int {
	counts := map[finding.Code]int{}
	for _, f := range found {
		counts[f.Code] += f.Count
	}
	return counts
}

// A row with more faults than are held at a time has all of them counted.
func TestRowFullOfFaults(t *testing.T) {
	s := compiled(t, `{"items": {"type": "string"}, "allOf": [{"items": {"minimum": 1}}]}`)
	n := 3*maxFaults + 7
	doc := parsed(t, "["+strings.Repeat("0,\n", n-1)+"0]")
	o := s.NewObserver(10)
	o.Observe(&rows.Row{Path: "rows.json", Line: 1, Doc: doc})
	for _, f := range o.Findings().All() {
		if f.Count != n || len(f.Places) != 10 || f.Places[9].Line != 10 || f.Places[9].Pointer != "/9" {
			t.Errorf("%s: %d of %d faults, places %v", f.Code, f.Count, n, f.Places)
		}
	}
}

// An array that is shown element by element is told what it is told as a whole.
func TestElements(t *testing.T) {
	schemas := []string{
		`{"type": "array", "minItems": 3, "maxItems": 4, "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "name": {"enum": ["a"]}},
			"additionalProperties": false}}`,
		`{"type": "array", "items": [{"type": "string"}, {"$ref": "#/definitions/x"}], "additionalItems": {"oneOf": [{"type": "null"}, {"properties": {"id": {"const": 1}}}]},
			"definitions": {"x": {"propertyNames": {"maxLength": 2}}}}`,
		`{"$ref": "#/definitions/list", "definitions": {"list": {"type": ["array"], "items": [true, false], "additionalItems": false}}}`,
		`{"type": "array"}`,
	}
	arrays := []string{
		`[]`, "[\n1,\n{\"id\": \"x\"}\n]", "[\n\n{\"id\": 1,\n \"name\": \"b\"},\n{\"nam\": 1}, {\"id\": 2}, null, [2]]",
		`["a", {"abc": {"id": 2}}, {"id": 2}, {"id": 1}, null]`,
	}
	for i, text := range slices.Concat(schemas, schemas) {
		engine := Matcher
		if i >= len(schemas) {
			engine = GoJSONSchema
		}
		whole, _ := Compile("schema.json", []byte(text), Options{Engine: engine})
		elements, ok := whole.Elements()
		if !ok {
			t.Errorf("%s can be applied element by element", text)
			continue
		}
		for _, array := range arrays {
			one := whole.NewObserver(0)
			doc := parsed(t, array)
			one.Observe(&rows.Row{Path: "rows.json", Line: 5, Doc: doc})
			merged := elements.NewObserver(0)
			for i, element := range doc.Root().Elements() {
				o := elements.NewObserver(0)
				row := &rows.Row{Path: "rows.json", Line: 5 + element.LinesBefore(), Index: int64(i), Doc: parsed(t, string(textOf(element)))}
				o.Observe(row)
				merged.Merge(o)
			}
			merged.EndArray("rows.json", 5, int64(doc.Root().Len()))
			if diff := cmp.Diff(one.Findings().All(), merged.Findings().All()); diff != "" {
				t.Errorf("%s\nagainst %s by the %s\nfindings of the elements differ from those of the array (-array +elements):\n%s",
					array, text, engine, diff)
			}
		}
	}
}

// textOf is the JSON text of a value, quotes included.
func textOf(v tape.Value) []byte {
	if v.Kind() == tape.String {
		return []byte(`"` + string(v.Raw()) + `"`)
	}
	return v.Raw()
}

func TestElementsThatNeedTheWholeArray(t *testing.T) {
	for _, schema := range []string{
		`true`, `{}`, `{"items": {}}`, `{"type": ["array", "object"]}`, `{"type": "array", "uniqueItems": true}`, `{"type": "array", "contains": {}}`,
		`{"type": "array", "enum": [[]]}`, `{"type": "array", "allOf": [{"maxItems": 1}]}`, `{"type": "array", "not": {"maxItems": 1}}`, `{"type": "object"}`,
	} {
		if _, ok := compiled(t, schema).Elements(); ok {
			t.Errorf("%s cannot be applied element by element", schema)
		}
	}
	if _, ok := compiled(t, `{"type": "array", "uniqueItems": false, "minLength": 3}`).Elements(); !ok {
		t.Error("keywords that do nothing to an array are in the way")
	}
}

// Where schemas branch and share parts, the ways into a row multiply with its depth; the matcher goes each of them once.
func TestWaysThatMultiply(t *testing.T) {
	tests := []struct{ name, schema, level, good, bad string }{
		{
			"alternatives that nothing tells apart",
			`{"oneOf": [{"required": ["a"], "properties": {"x": {"$ref": "#"}}}, {"required": ["b"], "properties": {"x": {"$ref": "#"}}}]}`,
			`{"a": 1, "x": %s}`, `{"b": 1}`, `{"c": 1}`,
		},
		{
			"the same twice", `{"allOf": [{"properties": {"x": {"$ref": "#"}}}, {"properties": {"x": {"$ref": "#"}, "y": {"type": "null"}}}]}`,
			`{"x": %s}`, `{"y": null}`, `{"y": 1}`,
		},
		{
			"by name and by pattern", `{"properties": {"x": {"$ref": "#"}, "y": {"type": "null"}}, "patternProperties": {"^x": {"$ref": "#"}}}`,
			`{"x": %s}`, `{"y": null}`, `{"y": 1}`,
		},
		{
			"condition and branch", `{"type": ["object", "null"], "if": {"properties": {"x": {"$ref": "#"}}}, "then": {"properties": {"x": {"$ref": "#"}}}, "else": false}`,
			`{"x": %s}`, `null`, `1`,
		},
		{
			"elements twice", `{"type": ["array", "null"], "items": {"$ref": "#"}, "contains": {"$ref": "#"}}`, `[%s]`, `[null]`, `[1]`,
		},
		{
			"alternatives with the same keys",
			`{"anyOf": [{"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#"}, "y": {"type": "string"}}},
				{"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#"}, "y": {"type": "integer"}}},
				{"type": "object", "required": ["z"], "properties": {"z": {"type": "null"}}, "additionalProperties": false}]}`,
			`{"x": %s, "y": 1}`, `{"z": null}`, `{"z": 1}`,
		},
		{
			"the one alternative with the keys, twice",
			`{"oneOf": [{"type": "object", "required": ["z"], "properties": {"z": {"type": "null"}}},
				{"type": "object", "properties": {"x": {"$ref": "#"}}, "patternProperties": {"x": {"$ref": "#"}}, "additionalProperties": false}]}`,
			`{"x": %s}`, `{"z": null}`, `{"z": 1}`,
		},
		{
			"the one alternative of objects, twice",
			`{"oneOf": [{"type": "null"}, {"type": "object", "properties": {"x": {"$ref": "#"}}, "patternProperties": {"x": {"$ref": "#"}}}]}`,
			`{"x": %s}`, `null`, `1`,
		},
		{
			"the one alternative of arrays, twice", `{"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}, "contains": {"$ref": "#"}}]}`,
			`[%s]`, `[null]`, `[1]`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := compiled(t, test.schema)
			before, after, _ := strings.Cut(test.level, "%s")
			const depth = 150
			done := make(chan struct{})
			go func() {
				defer close(done)
				if refused(t, s, strings.Repeat(before, depth)+test.good+strings.Repeat(after, depth)) {
					t.Error("a good row is refused")
				}
				o := s.NewObserver(0)
				o.Observe(&rows.Row{Path: "rows.jsonl", Line: 1, Doc: parsed(t, strings.Repeat(before, depth)+test.bad+strings.Repeat(after, depth))})
				if found := o.Findings().All(); len(found) == 0 || len(found[0].Message) > 2000 {
					t.Errorf("a fault at the bottom must be found, and said in few words: %v", found)
				}
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatal("a row of 150 levels takes more than a minute")
			}
		})
	}
}

// The memory of one row is not that of the next.
func TestMemoryIsOfOneRow(t *testing.T) {
	s := compiled(t, `{"oneOf": [{"required": ["a"], "properties": {"x": {"$ref": "#"}}}, {"required": ["b"], "properties": {"x": {"$ref": "#"}}}]}`)
	o := s.NewObserver(0)
	for i, text := range []string{`{"a": 1, "x": {"b": 1}}`, `{"a": 1, "x": {"c": 1}}`, `{"c": 1, "x": {"b": 1}}`, `{"b": 1, "x": {"a": 1}}`} {
		before := o.Findings().Len()
		o.Observe(&rows.Row{Path: "rows.jsonl", Line: i + 1, Doc: parsed(t, text)})
		if got, want := o.Findings().Len() > before, strings.Contains(text, "c"); got != want {
			t.Errorf("%s is refused: %v, expected %v", text, got, want)
		}
	}
}

// Workers show blocks of rows to observers of their own, which are merged by whoever is there, as a validation does.
func TestWorkersSideBySide(t *testing.T) {
	schema, list := badRows(600)
	s := compiled(t, schema)
	blocks := slices.Collect(slices.Chunk(list, 50))
	look := func(doc *tape.Tape, i int) *Observer {
		o := s.NewObserver(5)
		for k, text := range blocks[i] {
			if problems := doc.Parse([]byte(text)); len(problems) > 0 {
				t.Error(problems[0].Message)
			}
			o.Observe(&rows.Row{Path: "rows.jsonl", Line: 50*i + k + 1, Doc: doc})
		}
		return o
	}
	var doc tape.Tape
	want := s.NewObserver(5)
	for i := range blocks {
		want.Merge(look(&doc, i))
	}
	seen := make([]chan *Observer, len(blocks))
	for i := range seen {
		seen[i] = make(chan *Observer, 1)
	}
	for worker := range 4 {
		go func() {
			var doc tape.Tape
			for i := worker; i < len(blocks); i += 4 {
				seen[i] <- look(&doc, i)
			}
		}()
	}
	got := s.NewObserver(5)
	for _, o := range seen {
		got.Merge(<-o)
	}
	if diff := cmp.Diff(want.Findings().All(), got.Findings().All()); diff != "" {
		t.Errorf("findings differ from those of one worker (-one +four):\n%.3000s", diff)
	}
}

// Rows that are held against a schema together show what each shows by itself, whatever the schema asks, and whoever is the engine.
func TestRowsTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	usual := `"additionalProperties": false, "properties": {"id": {"type": "integer", "minimum": 0, "maximum": 650}, "tag": {"enum": ["a", "b", "é"]},
		"text": {"type": ["string", "null"], "pattern": "^[xy]+$"}, "uid": {"pattern": "^u-[0-9]{3}$"}}`
	for _, schema := range []string{
		"true", "false", "{}", `{"type": "array"}`, `{"type": "object"}`, "{" + usual + "}", `{"required": ["missing"], ` + usual + "}", `{"minProperties": 5, ` + usual + "}",
		`{"properties": {"uid": {"oneOf": [{"pattern": "^u-[0-4]"}, {"pattern": "^u-[3-9]"}]}}}`, `{"propertyNames": {"maxLength": 3}}`,
		`{"dependencies": {"tag": {"properties": {"id": {"maximum": 200}}}}}`, `{"oneOf": [{"properties": {"tag": {"const": "a"}}}, {"properties": {"id": {"minimum": 300}}}]}`,
		`{"definitions": {"tree": {"properties": {"id": {"not": {"multipleOf": 7}}}, "additionalProperties": {"anyOf": [{"$ref": "#/definitions/tree"}, {"type": "string"}]}}},
			"anyOf": [{"$ref": "#/definitions/tree"}, {"$ref": "#/definitions/tree"}]}`,
	} {
		for _, bad := range []int{0, 1, 100} {
			var content strings.Builder
			one := func(texts ...string) string {
				if r.IntN(1000) < bad {
					return given[r.IntN(len(given))]
				}
				return texts[r.IntN(len(texts))]
			}
			for i := range 700 {
				id, uid := fmt.Sprint(i), fmt.Sprintf(`"u-%03d"`, r.IntN(1000))
				fmt.Fprintf(&content, `{"id": %s, "tag": %s, "text": %s, "uid": %s}`+"\n", one(id), one(`"a"`, `"b"`, `"\u00e9"`, `"é"`), one(`"xy"`, `"x\u0079"`, "null"), one(uid))
			}
			for engine := range engines {
				s, found := Compile("schema.json", []byte(schema), Options{Engine: engine})
				if s == nil {
					t.Fatalf("%s is not compiled: %v", schema, found)
				}
				together, alone := s.NewObserver(3), s.NewObserver(3)
				if n := rowstest.Together(t, "rows.jsonl", []byte(content.String()), together, alone); n < 300 {
					t.Errorf("%d rows were looked at together, which are too few for this test", n)
				}
				if diff := cmp.Diff(alone.Findings().All(), together.Findings().All()); diff != "" {
					t.Errorf("%s, engine %v: rows that are looked at together (-one by one +together):\n%s", schema, engine, diff)
				}
			}
		}
	}
}
