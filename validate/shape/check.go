package shape

import (
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxSchemas bounds the schemas of all documents together: gojsonschema follows references by recursion.
const maxSchemas = 50_000

// tree is all documents that a schema consists of, checked: every reference leads somewhere, and what is wrong with a
// keyword stands in the findings and is left out of everything that follows.
type tree struct {
	root *node
	// target is where the $ref of a schema leads.
	target map[*node]*node
	// out holds the values of keywords, and the schemas, that rows are not judged by: what they hold is wrong.
	out map[*node]bool
	// idle holds the values of keywords that have no effect where they stand. A reference may lead to them all the same.
	idle map[*node]bool
	// patterns are the regular expressions that can be applied, by their text.
	patterns map[string]*regexp.Regexp
}

// get returns the value of a keyword that a schema is judged by, nil if there is none.
func (t *tree) get(schema *node, name string) *node {
	value := schema.get(name)
	if value == nil || t.out[value] || t.idle[value] {
		return nil
	}
	return value
}

// onlyKeyword returns the one keyword that a schema is judged by; "" for a schema with none or several. A type beside const
// or enum does not count.
func (t *tree) onlyKeyword(schema *node) (string, *node) {
	var found []*node
	for _, child := range schema.children {
		if _, known := keywords[child.token]; known && t.get(schema, child.token) != nil {
			found = append(found, child)
		}
	}
	if len(found) == 2 {
		isListing := func(n *node) bool { return n.token == "const" || n.token == "enum" }
		if slices.ContainsFunc(found, isListing) {
			found = slices.DeleteFunc(found, func(n *node) bool { return n.token == "type" })
		}
	}
	if schema.kind != tape.Object || len(found) != 1 {
		return "", nil
	}
	return found[0].token, found[0]
}

// usable returns the children that are not left out.
func (t *tree) usable(n *node) []*node {
	return slices.DeleteFunc(slices.Clone(n.children), func(child *node) bool { return t.out[child] })
}

// deref follows $ref until it comes to a schema that holds none.
func (t *tree) deref(schema *node) *node {
	for t.target[schema] != nil {
		schema = t.target[schema]
	}
	return schema
}

// checker looks at every schema of all documents once, keyword by keyword.
type checker struct {
	tree
	library
	found []finding.Finding
	seen  map[*node]bool
	// schemas are all schemas, in the order they were met.
	schemas []*node
	// base is the base address of the schemas that have an id, and of documents.
	base map[*node]*url.URL
	// named are the schemas that have an address of their own: a document, or a schema with an id.
	named map[string]*node
	// refs are the schemas that hold a $ref, in the order they were met.
	refs []*node
	// full says that there are more schemas than are looked at.
	full bool
}

func (c *checker) report(f finding.Finding) { c.found = append(c.found, f) }

// wrong reports a keyword whose value is not what it must be, and leaves it out.
func (c *checker) wrong(value *node, expected string) *finding.Finding {
	c.out[value] = true
	found := literal(value.value())
	if value.kind == tape.Array && len(value.children) == 0 {
		found = "an empty list"
	}
	c.report(value.finding(finding.SchemaKeywordValue, "%s must be %s, not %s", quote(value.token), expected, found))
	return &c.found[len(c.found)-1]
}

// useless reports a keyword that has no effect where it stands.
func (c *checker) useless(value *node, why, hint string) {
	c.idle[value] = true
	f := value.finding(finding.SchemaKeywordNoEffect, "%s has no effect: %s", quote(value.token), why)
	c.report(f.Hinting("%s", hint))
}

// schema checks one schema and everything inside it. base is the address that relative references start from.
func (c *checker) schema(n *node, base *url.URL) {
	if c.seen[n] {
		return
	}
	c.seen[n] = true
	if len(c.schemas) == maxSchemas {
		c.full = true
		return
	}
	c.schemas = append(c.schemas, n)
	switch {
	case n.isBool() && n.file.draft >= draft6:
		return
	case n.isBool():
		c.wrong(n, "a schema").Hint = "true and false as a schema came with draft 6: write {} or {\"not\": {}}, or declare draft 7"
		return
	case n.kind != tape.Object:
		c.wrong(n, "a schema").Hint = "a schema is an object, as in {\"type\": \"string\"}"
		return
	}
	ref := n.get("$ref")
	if ref != nil && ref.kind == tape.String {
		c.base[n] = base
		c.refs = append(c.refs, n)
		c.besideRef(n, base)
		return
	}
	base = c.identify(n, base)
	for _, value := range n.children {
		c.member(n, value, base)
	}
}

// besideRef looks at what stands beside a $ref. Up to draft 7 none of it counts, but schemas are kept there.
func (c *checker) besideRef(n *node, base *url.URL) {
	for _, value := range n.children {
		k, known := keywords[value.token]
		switch {
		case value.token == "$ref":
		case value.token == "definitions" || value.token == "$defs":
			c.keyword(n, value, k, base)
		case known:
			c.useless(value, "what stands beside $ref is ignored up to draft 7", `write {"allOf": [{"$ref": …}, {…}]}`)
		}
	}
}

// identify registers the address of a schema with an id, and returns the base of the references inside it.
func (c *checker) identify(n *node, base *url.URL) *url.URL {
	key := "$id"
	if n.file.draft == draft4 {
		key = "id"
	}
	id := n.get(key)
	if id == nil {
		return base
	}
	if id.kind != tape.String {
		c.wrong(id, "a string")
		return base
	}
	address, err := base.Parse(id.text)
	if err != nil {
		c.wrong(id, "an address")
		return base
	}
	name := strings.TrimSuffix(address.String(), "#")
	if other := c.named[name]; other != nil && other != n {
		f := id.finding(finding.SchemaRef, "another schema has the %s %s as well", key, quote(id.text)).As(finding.Warning)
		c.report(f.Hinting("references to it lead to the first"))
	} else {
		c.named[name] = n
	}
	if address.Fragment != "" {
		return base
	}
	c.base[n] = address
	return address
}

// member checks one member of a schema: a keyword, or something else.
func (c *checker) member(schema, value *node, base *url.URL) {
	name := value.token
	k, known := keywords[name]
	newer, isNewer := newer[name]
	switch {
	case known && k.since > schema.file.draft:
		c.useless(value, fmt.Sprintf("it came with draft %d, and the schema is draft %d", k.since, schema.file.draft), "declare draft 7 in $schema")
	case known:
		c.keyword(schema, value, k, base)
	case isNewer:
		f := value.finding(finding.SchemaDraft, "%s came with draft %s, and the schema is draft %d, where it has no effect",
			quote(name), newer.draft, schema.file.draft)
		c.report(f.Hinting("%s", newer.instead))
	case annotations[name] || strings.HasPrefix(name, "x-"):
	default:
		c.unknown(value)
	}
}

// unknown reports a keyword that nobody knows: by the standard it has no effect.
func (c *checker) unknown(value *node) {
	meant, ok := near(value.token, spellable)
	if ok && foreign[value.token] == "" && !(value.kind == tape.String && keywords[meant].form.isSchemas()) {
		f := value.finding(finding.SchemaKeywordMisspelt, "%s at %s is no keyword of JSON Schema and has no effect: it is close to %s",
			quote(value.token), value.pointer(), quote(meant))
		c.report(f.Hinting("write %s; a word of your own starts with x-", meant))
		return
	}
	f := value.finding(finding.SchemaKeywordUnknown, "%s is no keyword of JSON Schema and has no effect", quote(value.token))
	f.Hint = foreign[value.token]
	if f.Hint == "" {
		f.Hint = "start a word of your own with x-"
	}
	c.report(f)
}

// keyword checks the value of a keyword that the draft knows, and the schemas inside it.
func (c *checker) keyword(schema, value *node, k keyword, base *url.URL) {
	switch k.form {
	case text:
		if value.kind != tape.String {
			c.wrong(value, "a string")
		}
	case schemaValue:
		if value.isBool() && (k.name == "additionalProperties" || k.name == "additionalItems") {
			return
		}
		c.schema(value, base)
	case schemaList:
		c.schemaList(value, base)
	case schemaMap, patternMap:
		c.schemaMap(value, k.form == patternMap, base)
	case itemsValue:
		if value.kind != tape.Array {
			c.schema(value, base)
			return
		}
		for _, child := range value.children {
			c.schema(child, base)
		}
	case dependents:
		c.dependents(value, base)
	case count:
		if n, ok := exactly(value); !ok || !n.IsInt() || n.Sign() < 0 {
			c.wrong(value, "a whole number, 0 or more")
		}
	case numeral:
		if value.kind != tape.Number {
			c.wrong(value, "a number")
		}
	case factor:
		if n, ok := exactly(value); !ok || n.Sign() <= 0 {
			c.wrong(value, "a number above 0")
		}
	case truth:
		if !value.isBool() {
			c.wrong(value, "true or false")
		}
	case bound:
		c.bound(schema, value)
	case pattern:
		c.pattern(value)
	case names:
		c.names(value)
	case anyValue:
		value.exact = canonical(value.value())
	case choices:
		if value.kind != tape.Array || len(value.children) == 0 {
			c.wrong(value, "a list of at least one value")
		}
		for _, child := range value.children {
			child.exact = canonical(child.value())
		}
	case typeNames:
		c.typeNames(value)
	case formatName:
		c.formatName(value)
	}
	if k.name == "then" || k.name == "else" {
		if schema.get("if") == nil {
			c.useless(value, "there is no if beside it", "add if, or use allOf")
		}
	}
}

func (c *checker) schemaList(value *node, base *url.URL) {
	if value.kind != tape.Array || len(value.children) == 0 {
		c.wrong(value, "a list of at least one schema")
		return
	}
	for _, child := range value.children {
		c.schema(child, base)
	}
}

func (c *checker) schemaMap(value *node, patterns bool, base *url.URL) {
	if value.kind != tape.Object {
		c.wrong(value, "an object of schemas")
		return
	}
	for _, child := range value.children {
		c.schema(child, base)
		if patterns {
			c.expression(child, child.token)
		}
	}
}

func (c *checker) dependents(value *node, base *url.URL) {
	if value.kind != tape.Object {
		c.wrong(value, "an object of lists of names or schemas")
		return
	}
	for _, child := range value.children {
		switch {
		case child.kind == tape.Array:
			c.names(child)
		default:
			c.schema(child, base)
		}
	}
}

// bound checks exclusiveMinimum and exclusiveMaximum, which changed their meaning with draft 6.
func (c *checker) bound(schema, value *node) {
	inclusive := "minimum"
	if value.token == "exclusiveMaximum" {
		inclusive = "maximum"
	}
	old := schema.file.draft == draft4
	switch {
	case old && value.kind == tape.Number:
		c.useless(value, "in draft 4 it is true or false", fmt.Sprintf(`write "%s": %s, "%s": true, or declare draft 7`, inclusive, value.text, value.token))
	case !old && value.isBool():
		c.useless(value, "since draft 6 it is a number", fmt.Sprintf(`write the number of %s here, and leave %[1]s out`, inclusive))
	case old && !value.isBool():
		c.wrong(value, "true or false")
	case !old && value.kind != tape.Number:
		c.wrong(value, "a number")
	case old && schema.get(inclusive) == nil:
		c.useless(value, fmt.Sprintf("there is no %s beside it", inclusive), "add "+inclusive)
	}
}

func (c *checker) pattern(value *node) {
	if value.kind != tape.String {
		c.wrong(value, "a regular expression")
		return
	}
	c.expression(value, value.text)
}

// expression compiles the regular expression that stands at a node.
func (c *checker) expression(value *node, expression string) {
	compiled, err := compilePattern(expression)
	if err == nil {
		c.patterns[expression] = compiled
		return
	}
	c.out[value] = true
	f := value.finding(finding.SchemaPatternInvalid, "the pattern %s cannot be applied: %v", quote(expression), err)
	c.report(f.Hinting("hfpub applies patterns with Go's engine (RE2), which runs in linear time; rows are not judged by this one"))
}

func (c *checker) names(value *node) {
	if value.kind != tape.Array {
		f := c.wrong(value, "a list of property names")
		if value.isBool() {
			f.Hint = "draft 3 wrote it into the property: since draft 4 the object lists its required properties"
		}
		return
	}
	known := map[string]bool{}
	for _, child := range value.children {
		if child.kind != tape.String {
			c.out[value] = true
			c.report(child.finding(finding.SchemaKeywordValue, "%s lists property names, and %s is none", quote(value.token), literal(child.value())))
			return
		}
		if known[child.text] {
			c.report(child.finding(finding.SchemaKeywordValue, "%s lists %s twice", quote(value.token), quote(child.text)).As(finding.Warning))
		}
		known[child.text] = true
	}
}

// types are the names of types.
var types = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

// otherTypes are what other languages call the types.
var otherTypes = map[string]string{
	"int": "integer", "long": "integer", "int64": "integer", "int32": "integer", "float": "number", "float32": "number",
	"float64": "number", "double": "number", "decimal": "number", "str": "string", "text": "string", "bool": "boolean",
	"list": "array", "dict": "object", "map": "object", "struct": "object", "none": "null", "nil": "null",
}

func (c *checker) typeNames(value *node) {
	list := value.children
	if value.kind != tape.Array {
		list = []*node{value}
	}
	if len(list) == 0 {
		c.wrong(value, "a type, or a list of at least one type")
		return
	}
	for _, name := range list {
		if name.kind == tape.String && slices.Contains(types, name.text) {
			continue
		}
		c.out[value] = true
		c.report(name.finding(finding.SchemaKeywordValue, "%s is no type; the types are %s", literal(name.value()), strings.Join(types, ", ")))
		f := &c.found[len(c.found)-1]
		meant := otherTypes[strings.ToLower(name.text)]
		if meant == "" {
			meant, _ = near(name.text, types)
		}
		if meant != "" {
			f.Hint = "write " + meant
		}
		return
	}
}

func (c *checker) formatName(value *node) {
	if value.kind != tape.String {
		c.wrong(value, "a string")
		return
	}
	if formats[value.text] != nil {
		return
	}
	c.out[value] = true
	if meant, ok := near(value.text, formatNames()); ok {
		f := value.finding(finding.SchemaKeywordMisspelt, "the format %s is not known and has no effect: it is close to %s", quote(value.text), quote(meant))
		c.report(f.Hinting("write %s", meant))
	}
}

// isSchemas says that a value of the form holds schemas.
func (f form) isSchemas() bool {
	switch f {
	case schemaValue, schemaList, schemaMap, itemsValue, dependents, patternMap:
		return true
	}
	return false
}

// exactly is the exact value of a number.
func exactly(n *node) (*big.Rat, bool) {
	if n.kind != tape.Number {
		return nil, false
	}
	return new(big.Rat).SetString(n.text)
}
