package shape

import "strings"

// draft is a draft of JSON Schema that is applied: 4, 6 or 7.
type draft int

const (
	draft4 draft = 4
	draft6 draft = 6
	draft7 draft = 7
)

// metaschemas are the addresses of the drafts that are applied, without scheme and fragment.
var metaschemas = map[string]draft{
	"json-schema.org/draft-04/schema": draft4,
	"json-schema.org/draft-06/schema": draft6,
	"json-schema.org/draft-07/schema": draft7,
}

// draftOf is the draft that $schema names. People write its address with http and https, with and without the
// empty fragment at its end.
func draftOf(address string) (draft, bool) {
	_, rest, _ := strings.Cut(strings.TrimSuffix(address, "#"), "://")
	d, ok := metaschemas[rest]
	return d, ok
}

// form is what the value of a keyword must be.
type form int

const (
	anyValue    form = iota
	text             // a string
	schemaValue      // a schema, or true or false
	schemaList       // a list of at least one schema
	schemaMap        // an object of schemas
	itemsValue       // a schema or a list of schemas
	dependents       // an object of schemas or lists of property names
	count            // a whole number, 0 or more
	numeral          // a number
	factor           // a number above 0
	truth            // true or false
	bound            // of draft 4 true or false, later a number
	pattern          // a regular expression
	patternMap       // an object of schemas, whose keys are regular expressions
	names            // a list of property names
	choices          // a list of at least one value
	typeNames        // a type, or a list of at least one type
	formatName       // the name of a format
)

// keyword is a keyword that makes a difference for rows.
type keyword struct {
	name  string
	form  form
	since draft
}

// keywords are the keywords of drafts 4 to 7 that rows are judged by, and those that lead to them.
var keywords = byName([]keyword{
	{"$ref", text, draft4},
	{"definitions", schemaMap, draft4},
	{"$defs", schemaMap, draft4},
	{"type", typeNames, draft4},
	{"enum", choices, draft4},
	{"const", anyValue, draft6},
	{"multipleOf", factor, draft4},
	{"minimum", numeral, draft4},
	{"maximum", numeral, draft4},
	{"exclusiveMinimum", bound, draft4},
	{"exclusiveMaximum", bound, draft4},
	{"minLength", count, draft4},
	{"maxLength", count, draft4},
	{"pattern", pattern, draft4},
	{"format", formatName, draft4},
	{"items", itemsValue, draft4},
	{"additionalItems", schemaValue, draft4},
	{"minItems", count, draft4},
	{"maxItems", count, draft4},
	{"uniqueItems", truth, draft4},
	{"contains", schemaValue, draft6},
	{"required", names, draft4},
	{"properties", schemaMap, draft4},
	{"patternProperties", patternMap, draft4},
	{"additionalProperties", schemaValue, draft4},
	{"propertyNames", schemaValue, draft6},
	{"minProperties", count, draft4},
	{"maxProperties", count, draft4},
	{"dependencies", dependents, draft4},
	{"allOf", schemaList, draft4},
	{"anyOf", schemaList, draft4},
	{"oneOf", schemaList, draft4},
	{"not", schemaValue, draft4},
	{"if", schemaValue, draft7},
	{"then", schemaValue, draft7},
	{"else", schemaValue, draft7},
})

func byName(list []keyword) map[string]keyword {
	table := make(map[string]keyword, len(list))
	for _, k := range list {
		table[k.name] = k
	}
	return table
}

// annotations say something to people and tools; no row is judged by them. $id and id name a schema.
var annotations = map[string]bool{
	"$schema": true, "$id": true, "id": true, "$comment": true, "title": true, "description": true, "default": true,
	"examples": true, "readOnly": true, "writeOnly": true, "contentEncoding": true, "contentMediaType": true,
	"deprecated": true,
}

// newer are the keywords that came after draft 7: the draft, and what draft 7 has instead.
var newer = map[string]struct{ draft, instead string }{
	"$anchor":               {"2019-09", `name the schema with "$id": "#name"`},
	"$recursiveRef":         {"2019-09", `use $ref`},
	"$recursiveAnchor":      {"2019-09", `use $ref`},
	"dependentRequired":     {"2019-09", `write the same lists under dependencies`},
	"dependentSchemas":      {"2019-09", `write the same schemas under dependencies`},
	"unevaluatedProperties": {"2019-09", `list all properties in one schema and close it with additionalProperties`},
	"unevaluatedItems":      {"2019-09", `use additionalItems`},
	"minContains":           {"2019-09", `draft 7 can ask for at least one element, with contains`},
	"maxContains":           {"2019-09", `draft 7 has nothing like it`},
	"prefixItems":           {"2020-12", `write the list under items, and what follows it under additionalItems`},
	"$dynamicRef":           {"2020-12", `use $ref`},
	"$dynamicAnchor":        {"2020-12", `use $ref`},
}

// foreign are keywords of other systems, and what JSON Schema has for them.
var foreign = map[string]string{
	"example":  `JSON Schema has examples, which is a list`,
	"nullable": `to allow null, list it in type: ["string", "null"]`,
}

// spellable are the words a misspelt keyword is compared with, in a fixed order.
var spellable = []string{
	"$ref", "$schema", "$id", "$comment", "definitions", "type", "enum", "const", "multipleOf", "minimum", "maximum",
	"exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "format", "items", "additionalItems", "minItems",
	"maxItems", "uniqueItems", "contains", "required", "properties", "patternProperties", "additionalProperties", "propertyNames",
	"minProperties", "maxProperties", "dependencies", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "title",
	"description", "default", "examples", "readOnly", "writeOnly", "contentEncoding", "contentMediaType",
}
