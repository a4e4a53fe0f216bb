package shape

import "testing"

// What the keys of an object leave of the alternatives of a union says what all of them say, of objects alone, in lists, and as rows.
func TestUnionsByKeys(t *testing.T) {
	const (
		brewed = `{"type": "object", "required": ["tea", "minutes"], "additionalProperties": false,
			"properties": {"tea": {"enum": ["sencha", "hojicha"]}, "minutes": {"type": "integer"}}}`
		bought = `{"type": "object", "required": ["tea"], "additionalProperties": false, "properties": {"tea": {"enum": ["assam", "sencha"]}}}`
		loose  = `{"type": "object", "properties": {"tea": {"type": "string"}}}`
	)
	schemas := map[string]string{
		"one takes the keys of each":   `{"oneOf": [` + brewed + `, ` + bought + `]}`,
		"any of two":                   `{"anyOf": [` + brewed + `, ` + bought + `]}`,
		"another kind beside them":     `{"oneOf": [{"type": "null"}, ` + brewed + `, ` + bought + `]}`,
		"two take the keys":            `{"oneOf": [` + brewed + `, ` + loose + `]}`,
		"any of two that take them":    `{"anyOf": [` + brewed + `, ` + loose + `]}`,
		"one of them lets all pass":    `{"oneOf": [` + brewed + `, ` + bought + `, true]}`,
		"a union in a union":           `{"oneOf": [{"anyOf": [` + brewed + `, ` + bought + `]}, {"type": "object", "required": ["pot"]}]}`,
		"a type beside the union":      `{"type": "object", "oneOf": [` + brewed + `, ` + bought + `]}`,
		"more is asked of an object":   `{"minProperties": 2, "oneOf": [` + brewed + `, ` + bought + `]}`,
		"dependencies in alternatives": `{"oneOf": [` + brewed + `, {"type": "object", "dependencies": {"pot": {"required": ["tea"]}}}]}`,
		"an alternative twice":         `{"definitions": {"b": ` + brewed + `}, "oneOf": [{"$ref": "#/definitions/b"}, {"$ref": "#/definitions/b"}]}`,
		"itself inside":                `{"oneOf": [` + bought + `, {"type": "object", "required": ["list"], "properties": {"list": {"items": {"$ref": "#"}}}}]}`,
	}
	objects := []string{
		`{"tea": "sencha", "minutes": 1}`, `{"tea": "hojicha", "minutes": 2}`, `{"tea": "assam", "minutes": 1}`, `{"tea": "sencha", "minutes": 1.5}`,
		`{"tea": "sencha"}`, `{"tea": "assam"}`, `{"tea": "hojicha"}`, `{"tea": 1}`, `{"t\u0065a": "assam"}`,
		`{"pot": 1, "tea": "assam"}`, `{"pot": 1}`, `{}`, `null`, `{"minutes": 1, "tea": "sencha"}`, `{"list": [{"tea": "assam"}, {"tea": "sencha"}]}`,
		`{"list": [{"tea": "assam"}, {"tea": 1}]}`, `{"list": []}`,
	}
	for name, schema := range schemas {
		t.Run(name, func(t *testing.T) {
			for _, first := range objects {
				var lists []string
				for _, second := range objects {
					lists = append(lists, `{"list": [`+first+`, `+first+`, `+second+`, `+second+`]}`)
				}
				holdGlances(t, `{"properties": {"list": {"items": `+schema+`}}}`, lists)
				holdGlances(t, schema, append(lists, first))
			}
		})
	}
}
