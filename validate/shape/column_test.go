package shape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// asked are what a schema may ask of a member: each in a loop of its own, or in none.
var asked = []string{
	`{"type": "string"}`, `{"type": ["boolean", "null"]}`, `{"minLength": 1, "maxLength": 3}`, `{"type": ["string", "null"], "minLength": 2}`,
	`{"enum": ["user", "assistant", "the first of sixteen and more", ""]}`, `{"enum": ["ab", "日本", null, 1]}`, `{"enum": ["tea", "a\n"], "maxLength": 2}`, `{"enum": ["\\n", "a"]}`, `{"pattern": "^[ -~]{2}$"}`,
	`{"pattern": "^u-[0-9a-f]{8}$"}`, `{"type": ["string", "null"], "pattern": "^[sA-CE9]$"}`, `{"pattern": "^[A-Za-z0-9_]{9}$"}`, `{"pattern": "^u-"}`, `{"pattern": "^[a-z_]+$"}`,
	`{"type": "integer"}`, `{"type": "integer", "minimum": 0}`, `{"minimum": 0, "exclusiveMaximum": 1.5}`, `{"type": ["integer", "string"], "maximum": 100}`, `{"multipleOf": 0.5}`,
	`{"enum": ["ab"], "minLength": 1}`, `{"oneOf": [{"type": "null"}, {"type": "string", "pattern": "^s[0-9]$"}]}`,
	`{"anyOf": [{"enum": ["ab", "user"]}, {"type": "integer", "minimum": 1}]}`, `{"type": "string", "format": "date"}`, `{"type": "array", "items": {"type": "integer"}}`, `true`, `false`,
}

// given are values that a member may have.
var given = []string{
	`"user"`, `"assistant"`, `"assistand"`, `"the first of sixteen and more"`, `"the first of SIXTEEN and more"`, `""`, `"ab"`, `"\u0061b"`, `"日本"`, `"日"`, `"a\n"`, `"\n"`, `"\\n"`, `"a"`, `"tea"`,
	`"u-01234abf"`, `"u-01234abg"`, `"v-01234abf"`, `"u-01234abf0"`, `"u-0\u00314abf"`, `"é-01234ab"`, `"A_z0aB9Zz"`, `"A_z0aB9Z-"`, `"s"`, `"s1"`, `"B"`, `"D"`, `"9"`, `"likes_tea"`,
	`1`, `0`, `-1`, `-0`, `1.0`, `0.5`, `1.4999`, `1.5`, `12345678`, `123456789`, `1e2`, `1.000000001`, `100`, `101`, `null`, `true`, `false`, `[]`, `[1]`, `["a"]`, `{}`, `"2024-02-29"`,
}

// Objects that are alike fit when each of them does, whatever stands among values that fit, and wherever.
func TestColumns(t *testing.T) {
	for _, member := range asked {
		schema := fmt.Sprintf(`{"items": {"type": "object", "properties": {"a": %s, "bcdefghi": {"type": "integer"}}, "required": ["a"]}}`, member)
		quick, slow, one := compiled(t, schema), blindly(t, schema), compiled(t, member)
		var fit []string
		for _, value := range given {
			if fits(one, parsed(t, value)) {
				fit = append(fit, value)
			}
		}
		for i, odd := range given {
			var objects []string
			for k := range 5 {
				value := odd
				if len(fit) > 0 && k != i%5 {
					value = fit[(i+k)%len(fit)]
				}
				objects = append(objects, fmt.Sprintf(`{"a": %s, "bcdefghi": %d}`, value, k))
			}
			doc := parsed(t, "["+strings.Join(objects, ", ")+"]")
			if got, want := fits(quick, doc), fits(slow, doc); got != want {
				t.Errorf("%s\nagainst %s\nfits together: %v, one by one: %v", doc.Text, schema, got, want)
			}
		}
	}
}

func fits(s *Schema, doc *tape.Tape) bool {
	m := s.idle.take(s.objects)
	defer s.idle.give(m)
	m.begin(doc)
	return m.fits(s.root, doc.Root())
}

// What is asked of objects that are alike themselves is asked of each.
func TestAlikeObjects(t *testing.T) {
	s := compiled(t, `{"items": {"maxProperties": 3, "dependencies": {"a": {"properties": {"b": {"maximum": 2}}}}}}`)
	for text, want := range map[string]bool{
		`[{"a": 1, "b": 1}, {"a": 1, "b": 2}]`: true, `[{"a": 1, "b": 1}, {"a": 1, "b": 3}]`: false, `[{"b": 3}, {"b": 3}]`: true,
		`[{"b": 1, "c": 1, "d": 1, "e": 1}, {"b": 1, "c": 1, "d": 1, "e": 1}]`: false,
		`[{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"b": 3}]`:                       true, `[{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 1, "c": 3}, {"a": 3, "b": 3}]`: false,
	} {
		if got := fits(s, parsed(t, text)); got != want {
			t.Errorf("%s fits: %v, expected %v", text, got, want)
		}
	}
}
