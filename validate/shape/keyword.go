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
	anyForm        form = iota
	textForm            // a string
	schemaForm          // a schema, or true or false
	schemasForm         // a list of at least one schema
	mapForm             // an object of schemas
	itemsForm           // a schema or a list of schemas
	dependentsForm      // an object of schemas or lists of property names
	countForm           // a whole number, 0 or more
	numberForm          // a number
	factorForm          // a number above 0
	truthForm           // true or false
	boundForm           // of draft 4 true or false, later a number
	patternForm         // a regular expression
	patternsForm        // an object of schemas, whose keys are regular expressions
	namesForm           // a list of property names
	choicesForm         // a list of at least one value
	typesForm           // a type, or a list of at least one type
	formatForm          // the name of a format
)

// keyword is a keyword that makes a difference for rows.
type keyword struct {
	name  string
	form  form
	since draft
}

// keywords are the keywords of drafts 4 to 7 that rows are judged by, and those that lead to them.
var keywords = byName([]keyword{
	{"$ref", textForm, draft4},
	{"definitions", mapForm, draft4},
	{"$defs", mapForm, draft4},
	{"type", typesForm, draft4},
	{"enum", choicesForm, draft4},
	{"const", anyForm, draft6},
	{"multipleOf", factorForm, draft4},
	{"minimum", numberForm, draft4},
	{"maximum", numberForm, draft4},
	{"exclusiveMinimum", boundForm, draft4},
	{"exclusiveMaximum", boundForm, draft4},
	{"minLength", countForm, draft4},
	{"maxLength", countForm, draft4},
	{"pattern", patternForm, draft4},
	{"format", formatForm, draft4},
	{"items", itemsForm, draft4},
	{"additionalItems", schemaForm, draft4},
	{"minItems", countForm, draft4},
	{"maxItems", countForm, draft4},
	{"uniqueItems", truthForm, draft4},
	{"contains", schemaForm, draft6},
	{"required", namesForm, draft4},
	{"properties", mapForm, draft4},
	{"patternProperties", patternsForm, draft4},
	{"additionalProperties", schemaForm, draft4},
	{"propertyNames", schemaForm, draft6},
	{"minProperties", countForm, draft4},
	{"maxProperties", countForm, draft4},
	{"dependencies", dependentsForm, draft4},
	{"allOf", schemasForm, draft4},
	{"anyOf", schemasForm, draft4},
	{"oneOf", schemasForm, draft4},
	{"not", schemaForm, draft4},
	{"if", schemaForm, draft7},
	{"then", schemaForm, draft7},
	{"else", schemaForm, draft7},
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
	"$id": true, "id": true, "$comment": true, "title": true, "description": true, "default": true,
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
	"exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "format", "items",
	"additionalItems", "minItems", "maxItems", "uniqueItems", "contains", "required", "properties",
	"patternProperties", "additionalProperties", "propertyNames", "minProperties", "maxProperties", "dependencies",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "title", "description", "default", "examples",
	"readOnly", "writeOnly", "contentEncoding", "contentMediaType",
}
