package shape

import (
	"fmt"
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

// onlyKeyword returns the one keyword that a schema is judged by; "" for a schema with none or several. A type beside
// const or enum does not count.
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
	// failed says that an error was reported.
	failed bool
	// full says that there are more schemas than are looked at.
	full bool
}

// maxFound is how many findings about a schema are kept.
const maxFound = 1000

// report keeps a finding. Of very many, what is kept holds an error if there is one.
func (c *checker) report(f finding.Finding) {
	if c.crowded() && (f.Severity != finding.Error || c.failed) {
		return
	}
	c.failed = c.failed || f.Severity == finding.Error
	c.found = append(c.found, f)
}

func (c *checker) crowded() bool { return len(c.found) >= maxFound }

// wrong reports a keyword whose value is not what it must be, and leaves it out.
func (c *checker) wrong(value *node, expected, hint string) {
	subject, given := quote(value.token), value.literal()
	if value.parent == nil {
		subject = "the document"
	}
	if value.kind == tape.Array && len(value.children) == 0 {
		given = "an empty list"
	}
	f := value.finding(finding.SchemaKeywordValue, "%s must be %s, not %s", subject, expected, given)
	f.Hint = hint
	c.leaveOut(value, f)
}

// leaveOut reports what is wrong with a keyword or schema, which rows are not judged by.
func (c *checker) leaveOut(value *node, f finding.Finding) {
	c.out[value] = true
	c.report(f)
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
		c.wrong(n, "a schema", `true and false came with draft 6: write {} or {"not": {}}, or declare draft 7`)
		return
	case n.kind != tape.Object:
		c.wrong(n, "a schema", `a schema is an object, as in {"type": "string"}`)
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
		case isNewer(value.token):
			c.tooNew(value)
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
		c.wrong(id, "a string", "")
		return base
	}
	address, err := base.Parse(id.text)
	if err != nil {
		c.wrong(id, "an address", "")
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
	switch {
	case known && k.since > schema.file.draft:
		why := fmt.Sprintf("it came with draft %d, and the schema is draft %d", k.since, schema.file.draft)
		c.useless(value, why, "declare draft 7 in $schema")
	case known:
		c.keyword(schema, value, k, base)
	case isNewer(name):
		c.tooNew(value)
	case name == "$schema":
		c.declaration(value)
	case annotations[name] || strings.HasPrefix(name, "x-"):
	default:
		c.unknown(value)
	}
}

func isNewer(name string) bool {
	_, ok := newer[name]
	return ok
}

// tooNew reports a keyword that came after draft 7.
func (c *checker) tooNew(value *node) {
	k := newer[value.token]
	f := value.finding(finding.SchemaDraft, "%s came with draft %s, and the schema is draft %d, where it has no effect",
		quote(value.token), k.draft, value.file.draft)
	c.report(f.Hinting("%s", k.instead))
}

// declaration checks a $schema. A document of a draft that is not applied never comes this far, but a schema inside one may
// claim to be.
func (c *checker) declaration(value *node) {
	if value.kind != tape.String {
		c.wrong(value, "the address of a draft", "")
		return
	}
	if _, ok := draftOf(value.text); !ok {
		f := value.finding(finding.SchemaDraft, "this part of the schema is of %s, and is applied as draft %d",
			nameOfDraft(value.text), value.file.draft)
		c.report(f.Hinting("keep one draft, 4, 6 or 7, for the whole document"))
	}
}

// unknown reports a keyword that nobody knows: by the standard it has no effect.
func (c *checker) unknown(value *node) {
	if c.crowded() {
		return
	}
	meant, ok := near(value.token, spellable)
	if ok && foreign[value.token] == "" && !(value.kind == tape.String && keywords[meant].form.isSchemas()) {
		f := value.finding(finding.SchemaKeywordMisspelt,
			"%s at %s is no keyword of JSON Schema and has no effect: it is close to %s", quote(value.token), value.pointer(), quote(meant))
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

// isSchemas says that a value of the form holds schemas.
func (f form) isSchemas() bool {
	switch f {
	case schemaForm, schemasForm, mapForm, itemsForm, dependentsForm, patternsForm:
		return true
	}
	return false
}
