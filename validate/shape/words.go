package shape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// cause is one thing that is wrong with a row.
type cause struct {
	code finding.Code
	// path leads to the value in the row.
	path          []string
	message, hint string
}

func (c cause) hinting(format string, args ...any) cause {
	c.hint = fmt.Sprintf(format, args...)
	return c
}

// explainer says in words why gojsonschema refused a row.
type explainer struct {
	tree *tree
	// root is the schema that the row was held against.
	root *node
	row  any
	// above is the path to the value that stands for the row while an alternative is explained.
	above []string
	// engines holds what single alternatives of anyOf and oneOf were compiled to.
	engines map[*node]*gojsonschema.Schema
}

// causes explains errors in an order that depends on nothing but the row and the schema, each cause once. Of errors that
// follow from one another only those that tell the cause are kept.
func (e *explainer) causes(failures []*failure) []cause {
	var all []cause
	for _, f := range failures {
		all = append(all, e.explain(f)...)
	}
	slices.SortFunc(all, func(a, b cause) int {
		return cmp.Or(slices.Compare(a.path, b.path), cmp.Compare(a.code, b.code), cmp.Compare(a.message, b.message))
	})
	return slices.CompactFunc(all, func(a, b cause) bool {
		return slices.Equal(a.path, b.path) && a.code == b.code && a.message == b.message
	})
}

// place is what an error is about: the value, and the schemas that may be applied to it.
type place struct {
	path    []string
	value   any
	schemas []*node
}

func (p place) because(code finding.Code, format string, args ...any) cause {
	return cause{code: code, path: p.path, message: fmt.Sprintf(format, args...)}
}

// subject names the value at the start of a message.
func (p place) subject() string {
	if len(p.path) == 0 {
		return "the row"
	}
	switch p.value.(type) {
	case []any:
		return "the array"
	case map[string]any:
		return "the object"
	}
	return literal(p.value)
}

func (e *explainer) place(f *failure) place {
	path := f.tokens()
	schemas := e.tree.at(e.root, e.row, path)
	path = append(slices.Clone(e.above), path...)
	if f.ofName {
		var names []*node
		for _, schema := range e.tree.with(schemas, "propertyNames") {
			names = append(names, e.tree.get(schema, "propertyNames"))
		}
		schemas = e.tree.withInPlace(names)
	}
	return place{path, f.err.Value(), schemas}
}

// explain explains one error; none of the causes is left where the error was gojsonschema's own.
func (e *explainer) explain(f *failure) []cause {
	if f.kind == thenFailed || f.kind == elseFailed {
		return e.causes(f.inner)
	}
	p := e.place(f)
	switch f.kind {
	case anyOfFailed:
		return e.union(f, p, finding.SchemaAnyOf, "anyOf")
	case oneOfFailed:
		return e.union(f, p, finding.SchemaOneOf, "oneOf")
	case containsFailed:
		return []cause{e.containsNothing(f, p)}
	case nameFailed:
		name := detail(f, "property")
		c := p.because(finding.SchemaPropertyNames, "the name %s is not allowed for a property", quote(name))
		if inner := e.causes(f.inner); len(inner) > 0 {
			c.message += ": " + inner[0].message
		}
		return []cause{c}
	case "unique":
		array, _ := p.value.([]any)
		i, j, found := equalElements(array)
		if !found {
			return nil
		}
		equal := p.because(finding.SchemaUniqueItems, "elements %d and %d of the array are equal: %s", i, j, shownWhole(array[i]))
		return []cause{equal}
	case "number_not":
		if f.isListing() {
			return []cause{e.notListed(p)}
		}
		return []cause{e.forbidden(p)}
	}
	return []cause{e.single(f, p)}
}

// single explains an error about one keyword of one value.
func (e *explainer) single(f *failure, p place) cause {
	shown := literal(p.value)
	switch f.kind {
	case "invalid_type":
		return e.wrongType(f, p)
	case "enum":
		return e.notListed(p)
	case "required":
		return e.missing(f, p)
	case "additional_property_not_allowed":
		return e.additional(f, p)
	case "missing_dependency":
		return e.missingDependency(f, p)
	case "array_no_additional_items":
		c := p.because(finding.SchemaAdditionalItems, "the array has %s, more than items describes", sizeOf(p.value))
		return c.hinting("remove them, or allow them with additionalItems")
	case "false":
		return e.nothingAllowed(p)
	case "pattern":
		return p.because(finding.SchemaPattern, "%s does not match the pattern %s", shown, quote(e.written(f, p)))
	case "format":
		name := strings.TrimPrefix(detail(f, "format"), formatPrefix)
		return p.because(finding.SchemaFormat, "%s is no %s", shown, name).hinting("%s", formatHints[name])
	case "string_gte":
		return p.because(finding.SchemaMinLength, "%s is %s long, expected at least %s", shown, sizeOf(p.value), detail(f, "min"))
	case "string_lte":
		return p.because(finding.SchemaMaxLength, "%s is %s long, expected at most %s", shown, sizeOf(p.value), detail(f, "max"))
	case "array_min_items":
		return p.tooFew(finding.SchemaMinItems, detail(f, "min"))
	case "array_max_items":
		return p.tooMany(finding.SchemaMaxItems, detail(f, "max"))
	case "array_min_properties":
		return p.tooFew(finding.SchemaMinProperties, detail(f, "min"))
	case "array_max_properties":
		return p.tooMany(finding.SchemaMaxProperties, detail(f, "max"))
	case "number_gte":
		return p.because(finding.SchemaMinimum, "%s is less than %s", shown, e.limit(f, p, "min"))
	case "number_gt":
		return p.because(finding.SchemaExclusiveMinimum, "%s is not greater than %s", shown, e.limit(f, p, "min"))
	case "number_lte":
		return p.because(finding.SchemaMaximum, "%s is greater than %s", shown, e.limit(f, p, "max"))
	case "number_lt":
		return p.because(finding.SchemaExclusiveMaximum, "%s is not less than %s", shown, e.limit(f, p, "max"))
	case "multiple_of":
		return p.because(finding.SchemaMultipleOf, "%s is not a multiple of %s", shown, e.limit(f, p, "multiple"))
	}
	return notJudged(fmt.Sprintf("%s is refused by the schema: %s", p.subject(), f.err.Description()))
}

func (p place) tooFew(code finding.Code, least string) cause {
	return p.because(code, "%s has %s, expected at least %s", p.subject(), sizeOf(p.value), least)
}

func (p place) tooMany(code finding.Code, most string) cause {
	return p.because(code, "%s has %s, expected at most %s", p.subject(), sizeOf(p.value), most)
}

// detail is a detail of gojsonschema's error as text.
func detail(f *failure, name string) string { return fmt.Sprint(f.err.Details()[name]) }

var formatHints = map[string]string{
	"date-time": "RFC 3339 writes 2024-05-01T10:00:00Z or 2024-05-01T12:00:00.250+02:00",
	"date":      "RFC 3339 writes 2024-05-01",
	"time":      "RFC 3339 writes 10:00:00Z or 12:00:00.250+02:00, with the offset",
	"uri":       "an address starts with its scheme, as in https://",
}

// sizeOf says how many elements, properties or characters a value has.
func sizeOf(value any) string {
	switch v := value.(type) {
	case string:
		return counted(utf8.RuneCountInString(v), "character", "characters")
	case []any:
		return counted(len(v), "element", "elements")
	case map[string]any:
		return counted(len(v), "property", "properties")
	}
	return "nothing"
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func (e *explainer) wrongType(f *failure, p place) cause {
	expected := strings.Split(strings.Trim(detail(f, "expected"), "[]"), ",")
	typed := slices.ContainsFunc(p.schemas, func(schema *node) bool {
		return len(e.tree.typesOf(schema)) > 0 && !hasType(p.value, e.tree.typesOf(schema))
	})
	if !typed {
		return e.notListed(p)
	}
	return p.typed(finding.SchemaType, expected)
}

// typed says that the value is of none of the types.
func (p place) typed(code finding.Code, expected []string) cause {
	var articles []string
	for _, name := range expected {
		articles = append(articles, typeWithArticle(name))
	}
	var c cause
	switch p.value.(type) {
	case nil, []any, map[string]any:
		if len(p.path) == 0 {
			c = p.because(code, "the row is %s, expected %s", kindOf(p.value), either(articles))
			break
		}
		c = p.because(code, "found %s, expected %s", kindOf(p.value), either(articles))
	default:
		c = p.because(code, "%s is %s, expected %s", literal(p.value), kindOf(p.value), either(articles))
	}
	c.hint = hintForType(p, expected)
	return c
}

func hintForType(p place, expected []string) string {
	wants := func(name string) bool { return slices.Contains(expected, name) }
	switch v := p.value.(type) {
	case string:
		if isNumber(v) && (wants("number") || wants("integer")) {
			return "write the number without quotes"
		}
	case json.Number:
		if wants("string") && !wants("number") && !wants("integer") {
			return "write it in quotes"
		}
	case []any:
		if len(p.path) == 0 && wants("object") {
			return "write one JSON object per line"
		}
	case nil:
		return "write a value, or let the schema allow null"
	}
	return ""
}

// hasType says that a value is of one of the types.
func hasType(value any, names []string) bool {
	var own []string
	switch v := value.(type) {
	case nil:
		own = []string{"null"}
	case bool:
		own = []string{"boolean"}
	case string:
		own = []string{"string"}
	case []any:
		own = []string{"array"}
	case map[string]any:
		own = []string{"object"}
	case json.Number:
		own = []string{"number"}
		if isWhole(v) {
			own = []string{"number", "integer"}
		}
	}
	return slices.ContainsFunc(own, func(name string) bool { return slices.Contains(names, name) })
}

func isWhole(n json.Number) bool {
	exact, ok := new(big.Rat).SetString(string(n))
	return ok && exact.IsInt()
}

// notListed explains enum and const.
func (e *explainer) notListed(p place) cause {
	own := canonical(p.value)
	for _, schema := range p.schemas {
		if value := e.tree.get(schema, "const"); value != nil && value.exact != own {
			return p.because(finding.SchemaConst, "%s is not %s", p.shown(), shownWhole(value.value()))
		}
		value := e.tree.get(schema, "enum")
		if value == nil || slices.ContainsFunc(value.children, func(c *node) bool { return c.exact == own }) {
			continue
		}
		return p.notAmong(value.children)
	}
	return p.because(finding.SchemaEnum, "%s is not one of the values that enum lists", p.shown())
}

func (p place) notAmong(choices []*node) cause {
	var shown, texts []string
	for _, choice := range choices {
		shown = append(shown, shownWhole(choice.value()))
		if choice.kind == tape.String {
			texts = append(texts, choice.text)
		}
	}
	const most = 12
	c := p.because(finding.SchemaEnum, "%s is not one of %s", p.shown(), enumerate(shown, most))
	if text, ok := p.value.(string); ok {
		if meant, ok := near(text, texts); ok {
			c.hint = "did you mean " + quote(meant) + "?"
		}
	}
	return c
}

// shown is the value itself, as far as it is short.
func (p place) shown() string { return shownWhole(p.value) }

func shownWhole(value any) string {
	switch value.(type) {
	case []any, map[string]any:
		if text := jsonText(value); utf8.RuneCountInString(text) <= maxShown {
			return text
		}
	}
	return literal(value)
}

func (e *explainer) missing(f *failure, p place) cause {
	name := detail(f, "property")
	c := p.because(finding.SchemaRequired, "the property %s is missing", quote(name))
	declared := e.declared(p.schemas)
	var others []string
	for _, key := range keysOf(p.value) {
		if !slices.Contains(declared, key) {
			others = append(others, key)
		}
	}
	if meant, ok := near(name, others); ok {
		return c.hinting("there is %s: was that meant?", quote(meant))
	}
	return c
}

func (e *explainer) additional(f *failure, p place) cause {
	name := detail(f, "property")
	c := p.because(finding.SchemaAdditionalProperties, "the property %s is not allowed", quote(name))
	declared := e.declared(p.schemas)
	if meant, ok := near(name, declared); ok {
		return c.hinting("did you mean %s?", quote(meant))
	}
	return c.hinting("remove it, or describe it in the schema")
}

// declared lists the properties that schemas name.
func (e *explainer) declared(schemas []*node) []string {
	var list []string
	for _, schema := range e.tree.with(schemas, "properties") {
		for _, child := range e.tree.get(schema, "properties").children {
			list = append(list, child.token)
		}
	}
	return list
}

// keysOf lists the keys of an object in an order of its own.
func keysOf(value any) []string {
	var list []string
	object, _ := value.(map[string]any)
	for key := range object {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

func (e *explainer) missingDependency(f *failure, p place) cause {
	name := detail(f, "dependency")
	object, _ := p.value.(map[string]any)
	for _, schema := range e.tree.with(p.schemas, "dependencies") {
		for _, child := range e.tree.usable(e.tree.get(schema, "dependencies")) {
			if _, present := object[child.token]; present && child.kind == tape.Array && slices.Contains(distinct(child), name) {
				return p.because(finding.SchemaDependencies, "the property %s is missing, and %s asks for it",
					quote(name), quote(child.token))
			}
		}
	}
	return p.because(finding.SchemaDependencies, "the property %s is missing, and another one asks for it", quote(name))
}

func (e *explainer) nothingAllowed(p place) cause {
	if len(p.path) == 0 {
		return p.because(finding.SchemaFalse, "the schema allows no value at all")
	}
	last := p.path[len(p.path)-1]
	if _, inArray := valueAt(e.row, p.path[len(e.above):len(p.path)-1]).([]any); inArray {
		return p.because(finding.SchemaFalse, "no element is allowed at index %s", last)
	}
	return p.because(finding.SchemaFalse, "the property %s is not allowed", quote(last))
}

// written is a pattern as the schema writes it; gojsonschema has its translation.
func (e *explainer) written(f *failure, p place) string {
	translated := detail(f, "pattern")
	for _, schema := range e.tree.with(p.schemas, "pattern") {
		value := e.tree.get(schema, "pattern")
		if e.tree.patterns[value.text].String() == translated {
			return value.text
		}
	}
	return translated
}

// limits are the keywords that a number of the schema may stand under, by gojsonschema's name of the detail.
var limits = map[string][]string{
	"min": {"minimum", "exclusiveMinimum"}, "max": {"maximum", "exclusiveMaximum"}, "multiple": {"multipleOf"},
}

// limit is a number of the schema, as it is written there; gojsonschema rounds it.
func (e *explainer) limit(f *failure, p place, name string) string {
	rounded, _ := f.err.Details()[name].(*big.Float)
	for _, schema := range p.schemas {
		for _, keyword := range limits[name] {
			value := e.tree.get(schema, keyword)
			if value == nil || rounded == nil {
				continue
			}
			if exact, ok := exactly(value); ok && new(big.Float).SetRat(exact).Cmp(rounded) == 0 {
				return cut(value.text)
			}
		}
	}
	return cut(detail(f, name))
}

func (e *explainer) containsNothing(f *failure, p place) cause {
	inner := e.causes(f.inner)
	if len(inner) == 0 {
		return p.because(finding.SchemaContains, "the array is empty, and contains asks for an element")
	}
	return p.because(finding.SchemaContains, "no element of the array (%s) meets contains; the nearest: %s",
		sizeOf(p.value), inner[0].from(p.path))
}

// from says a cause as seen from a value above it.
func (c cause) from(path []string) string {
	if len(c.path) == len(path) {
		return c.message
	}
	return "at " + pointerTo(c.path) + ", " + c.message
}

// rank puts first what most likely tells why an alternative is not the one that was meant.
func (c cause) rank() int {
	switch c.code {
	case finding.SchemaConst, finding.SchemaEnum:
		return 0
	case finding.SchemaType:
		return 1
	}
	return 2
}

// forbidden explains not, by the first schema under a not that is simple enough to say what it forbids.
func (e *explainer) forbidden(p place) cause {
	for _, schema := range e.tree.with(p.schemas, "not") {
		if message, ok := e.forbids(e.tree.get(schema, "not"), p); ok {
			return p.because(finding.SchemaNot, "%s", message)
		}
	}
	return p.because(finding.SchemaNot, "%s meets the schema that not forbids", p.subject())
}

// forbids says what a schema under not forbids, where it holds a single keyword and the value meets it.
func (e *explainer) forbids(schema *node, p place) (string, bool) {
	schema = e.tree.deref(schema)
	name, value := e.tree.onlyKeyword(schema)
	text, isText := p.value.(string)
	switch name {
	case "required":
		object, _ := p.value.(map[string]any)
		wanted := distinct(value)
		if slices.ContainsFunc(wanted, func(key string) bool { _, present := object[key]; return !present }) {
			return "", false
		}
		if len(wanted) == 1 {
			return fmt.Sprintf("the property %s is not allowed here", quote(wanted[0])), true
		}
		return fmt.Sprintf("the properties %s are not allowed together", quoteAll(wanted)), true
	case "const", "enum":
		choices := value.children
		if name == "const" {
			choices = []*node{value}
		}
		own := canonical(p.value)
		if slices.ContainsFunc(choices, func(c *node) bool { return c.exact == own }) {
			return p.shown() + " is not allowed here", true
		}
	case "type":
		if hasType(p.value, e.tree.typesOf(schema)) {
			return kindOf(p.value) + " is not allowed here", true
		}
	case "pattern":
		if isText && e.tree.patterns[value.text].MatchString(text) {
			return fmt.Sprintf("%s matches the pattern %s, which is not allowed here", quote(text), quote(value.text)), true
		}
	case "anyOf":
		for _, child := range value.children {
			if message, ok := e.forbids(child, p); ok {
				return message, true
			}
		}
	}
	return "", false
}

func quoteAll(list []string) string {
	var quoted []string
	for _, s := range list {
		quoted = append(quoted, quote(s))
	}
	return strings.Join(quoted, " and ")
}
