package shape

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// cause is one thing that is wrong with a row, in words.
type cause struct {
	code finding.Code
	// path leads to the value in the row.
	path    []string
	message string
	// hint finds what to do about it; nil for nothing. Finding it may take much longer than finding the message.
	hint func() string
}

func (c cause) hinting(format string, args ...any) cause {
	c.hint = func() string { return fmt.Sprintf(format, args...) }
	return c
}

// sortCauses puts causes into an order that depends on nothing but them, each once.
func sortCauses(all []cause) []cause {
	slices.SortFunc(all, func(a, b cause) int {
		return cmp.Or(slices.Compare(a.path, b.path), cmp.Compare(a.code, b.code), cmp.Compare(a.message, b.message))
	})
	return slices.CompactFunc(all, func(a, b cause) bool {
		return slices.Equal(a.path, b.path) && a.code == b.code && a.message == b.message
	})
}

// place is what a cause is about.
type place struct {
	path  []string
	value tape.Value
	// schemas finds the schemas that may be applied to the value.
	schemas func() []*node
}

func (p place) because(code finding.Code, format string, args ...any) cause {
	return cause{code: code, path: p.path, message: fmt.Sprintf(format, args...)}
}

// subject names the value at the start of a message.
func (p place) subject() string {
	if len(p.path) == 0 {
		return "the row"
	}
	switch p.value.Kind() {
	case tape.Array:
		return "the array"
	case tape.Object:
		return "the object"
	}
	return literal(p.value)
}

// typed says that the value is of none of the types.
func (p place) typed(code finding.Code, expected []string) cause {
	var articles []string
	for _, name := range expected {
		articles = append(articles, typeWithArticle(name))
	}
	message := "found " + kindOf(p.value)
	switch kind := p.value.Kind(); {
	case kind != tape.Null && kind < tape.Array:
		message = literal(p.value) + " is " + kindOf(p.value)
	case len(p.path) == 0:
		message = "the row is " + kindOf(p.value)
	}
	c := p.because(code, "%s, expected %s", message, either(articles))
	if hint := p.hintForType(expected); hint != "" {
		return c.hinting("%s", hint)
	}
	return c
}

func (p place) hintForType(expected []string) string {
	wants := func(name string) bool { return slices.Contains(expected, name) }
	switch p.value.Kind() {
	case tape.String:
		if (wants("number") || wants("integer")) && isNumber([]byte(p.value.Text())) {
			return "write the number without quotes"
		}
	case tape.Number:
		if wants("string") && !wants("number") && !wants("integer") {
			return "write it in quotes"
		}
	case tape.Array:
		if len(p.path) == 0 && wants("object") {
			return "write one JSON object per line"
		}
	case tape.Null:
		return "write a value, or let the schema allow null"
	}
	return ""
}

// hasType says that a value is of one of the types.
func hasType(v tape.Value, names []string) bool {
	if slices.Contains(names, v.Kind().String()) {
		return true
	}
	return slices.Contains(names, "integer") && v.IsInteger()
}

// notConstant explains const.
func (p place) notConstant(wanted *node) cause {
	return p.because(finding.SchemaConst, "%s is not %s", shown(p.value), wanted.shown())
}

// notAmong explains enum.
func (p place) notAmong(choices []*node) cause {
	const most = 12
	var list []string
	for _, choice := range choices[:min(len(choices), most)] {
		list = append(list, choice.shown())
	}
	c := p.because(finding.SchemaEnum, "%s is not one of %s", shown(p.value), strings.Join(list, ", "))
	if more := len(choices) - most; more > 0 {
		c.message += fmt.Sprintf(" and %d more", more)
	}
	if p.value.Kind() != tape.String {
		return c
	}
	text := p.value.Text()
	c.hint = func() string {
		var texts []string
		for _, choice := range choices {
			if choice.kind == tape.String {
				texts = append(texts, choice.text)
			}
		}
		if meant, ok := near(text, texts); ok {
			return "did you mean " + quote(meant) + "?"
		}
		return ""
	}
	return c
}

// missing explains required.
func (p place) missing(t *tree, name string) cause {
	c := p.because(finding.SchemaRequired, "the property %s is missing", quote(name))
	c.hint = func() string {
		declared := t.declared(p.schemas())
		others := slices.DeleteFunc(keysOf(p.value), func(key string) bool { return slices.Contains(declared, key) })
		if meant, ok := near(name, others); ok {
			return fmt.Sprintf("there is %s: was that meant?", quote(meant))
		}
		return ""
	}
	return c
}

// notAllowed explains additionalProperties.
func (p place) notAllowed(t *tree, name string) cause {
	c := p.because(finding.SchemaAdditionalProperties, "the property %s is not allowed", quote(name))
	c.hint = func() string {
		if meant, ok := near(name, t.declared(p.schemas())); ok {
			return fmt.Sprintf("did you mean %s?", quote(meant))
		}
		return "remove it, or describe it in the schema"
	}
	return c
}

// declared lists the properties that schemas name.
func (t *tree) declared(schemas []*node) []string {
	var list []string
	for _, schema := range t.with(schemas, "properties") {
		for _, child := range t.get(schema, "properties").children {
			list = append(list, child.token)
		}
	}
	return list
}

// keysOf lists the keys of an object in an order of its own.
func keysOf(v tape.Value) []string {
	var list []string
	for key := range v.Members() {
		list = append(list, key.Text())
	}
	slices.Sort(list)
	return list
}

// dependency explains dependencies that list names.
func (p place) dependency(name, by string) cause {
	return p.because(finding.SchemaDependencies, "the property %s is missing, and %s asks for it", quote(name), quote(by))
}

// badName explains propertyNames; inner is what is wrong with the name itself, if known.
func (p place) badName(name string, inner cause, known bool) cause {
	c := p.because(finding.SchemaPropertyNames, "the name %s is not allowed for a property", quote(name))
	if known {
		c.message += ": " + inner.message
	}
	return c
}

// equalElements explains uniqueItems.
func (p place) equalElements(i, j int) cause {
	equal := shown(elementAt(p.value, i))
	return p.because(finding.SchemaUniqueItems, "elements %d and %d of the array are equal: %s", i, j, equal)
}

// tooManyItems explains additionalItems.
func (p place) tooManyItems(size string) cause {
	c := p.because(finding.SchemaAdditionalItems, "the array has %s, more than items describes", size)
	return c.hinting("remove them, or allow them with additionalItems")
}

// containsNothing explains contains; inner is what is wrong with the nearest element, if there is any.
func (p place) containsNothing(inner cause, known bool) cause {
	if !known {
		return p.because(finding.SchemaContains, "the array is empty, and contains asks for an element")
	}
	return p.because(finding.SchemaContains, "no element of the array (%s) meets contains; the nearest: %s",
		sizeOf(p.value), inner.from(p.path))
}

// differs explains pattern.
func (p place) differs(pattern string) cause {
	return p.because(finding.SchemaPattern, "%s does not match the pattern %s", literal(p.value), quote(pattern))
}

// malformed explains format.
func (p place) malformed(format string) cause {
	c := p.because(finding.SchemaFormat, "%s is no %s", literal(p.value), format)
	if hint := formatHints[format]; hint != "" {
		return c.hinting("%s", hint)
	}
	return c
}

var formatHints = map[string]string{
	"date-time": "RFC 3339 writes 2024-05-01T10:00:00Z or 2024-05-01T12:00:00.250+02:00",
	"date":      "RFC 3339 writes 2024-05-01",
	"time":      "RFC 3339 writes 10:00:00Z or 12:00:00.250+02:00, with the offset",
	"uri":       "an address starts with its scheme, as in https://",
}

// short and long explain minLength and maxLength.
func (p place) short(least string) cause {
	return p.because(finding.SchemaMinLength, "%s is %s long, expected at least %s", literal(p.value), sizeOf(p.value), least)
}

func (p place) long(most string) cause {
	return p.because(finding.SchemaMaxLength, "%s is %s long, expected at most %s", literal(p.value), sizeOf(p.value), most)
}

// tooFew and tooMany explain the bounds of sizes.
func (p place) tooFew(code finding.Code, size, least string) cause {
	return p.because(code, "%s has %s, expected at least %s", p.subject(), size, least)
}

func (p place) tooMany(code finding.Code, size, most string) cause {
	return p.because(code, "%s has %s, expected at most %s", p.subject(), size, most)
}

// comparisons say how a number stands to the limit that it breaks.
var comparisons = map[finding.Code]string{
	finding.SchemaMinimum:          "less than",
	finding.SchemaExclusiveMinimum: "not greater than",
	finding.SchemaMaximum:          "greater than",
	finding.SchemaExclusiveMaximum: "not less than",
	finding.SchemaMultipleOf:       "not a multiple of",
}

// beyond explains the keywords that compare numbers.
func (p place) beyond(code finding.Code, limit string) cause {
	return p.because(code, "%s is %s %s", literal(p.value), comparisons[code], cut(limit))
}

// nothingAllowed explains the schema false. inArray says that the value is an element of an array.
func (p place) nothingAllowed(inArray bool) cause {
	if len(p.path) == 0 {
		return p.because(finding.SchemaFalse, "the schema allows no value at all")
	}
	last := p.path[len(p.path)-1]
	if inArray {
		return p.because(finding.SchemaFalse, "no element is allowed at index %s", last)
	}
	return p.because(finding.SchemaFalse, "the property %s is not allowed", quote(last))
}

// sizeOf says how many elements, properties or characters a value has.
func sizeOf(v tape.Value) string {
	switch v.Kind() {
	case tape.String:
		return counted(v.Chars(), "character", "characters")
	case tape.Array:
		return counted(v.Len(), "element", "elements")
	}
	return counted(v.Len(), "property", "properties")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// from says a cause as seen from a value above it. Where alternatives hold alternatives, it grows with every level, and is
// cut.
func (c cause) from(path []string) string {
	const most = 500
	message := c.message
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	if len(c.path) == len(path) {
		return message
	}
	return "at " + pointerTo(c.path) + ", " + message
}

// forbidden explains not, by the first of the schemas under not that is simple enough to say what it forbids.
func (p place) forbidden(t *tree, schemas []*node) cause {
	for _, schema := range schemas {
		if simple := t.forbidding(schema, p.value); simple != nil {
			return p.because(finding.SchemaNot, "%s", t.forbids(simple, p))
		}
	}
	return p.because(finding.SchemaNot, "%s meets the schema that not forbids", p.subject())
}

// forbidding finds the schema that holds a single keyword, which a value meets: one under not, or one of its alternatives. It is nil where
// there is none.
func (t *tree) forbidding(schema *node, v tape.Value) *node {
	schema = t.deref(schema)
	name, value := t.onlyKeyword(schema)
	meets := false
	switch name {
	case "required":
		meets = v.Kind() == tape.Object && hasAll(v, distinct(value))
	case "const":
		meets = value.is(v)
	case "enum":
		meets = slices.ContainsFunc(value.children, func(c *node) bool { return c.is(v) })
	case "type":
		meets = hasType(v, t.typesOf(schema))
	case "pattern":
		meets = v.Kind() == tape.String && t.patterns[value.text].MatchString(v.Text())
	case "anyOf":
		for _, child := range value.children {
			if simple := t.forbidding(child, v); simple != nil {
				return simple
			}
		}
	}
	if !meets {
		return nil
	}
	return schema
}

// forbids says what a schema that forbidding found forbids.
func (t *tree) forbids(simple *node, p place) string {
	name, value := t.onlyKeyword(simple)
	switch name {
	case "required":
		wanted := distinct(value)
		if len(wanted) == 1 {
			return fmt.Sprintf("the property %s is not allowed here", quote(wanted[0]))
		}
		return fmt.Sprintf("the properties %s are not allowed together", quoteAll(wanted))
	case "type":
		return kindOf(p.value) + " is not allowed here"
	case "pattern":
		return fmt.Sprintf("%s matches the pattern %s, which is not allowed here", literal(p.value), quote(value.text))
	}
	return shown(p.value) + " is not allowed here"
}

// showsValue says that forbids shows the value itself, whatever it is.
func (t *tree) showsValue(simple *node) bool {
	name, _ := t.onlyKeyword(simple)
	return name == "const" || name == "enum"
}

func quoteAll(list []string) string {
	var quoted []string
	for _, s := range list {
		quoted = append(quoted, quote(s))
	}
	return strings.Join(quoted, " and ")
}
