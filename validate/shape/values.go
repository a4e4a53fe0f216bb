package shape

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// keyword checks the value of a keyword that the draft knows, and the schemas inside it.
func (c *checker) keyword(schema, value *node, k keyword, base *url.URL) {
	switch k.form {
	case textForm:
		if value.kind != tape.String {
			c.wrong(value, "a string", "")
		}
	case schemaForm:
		if value.isBool() && (k.name == "additionalProperties" || k.name == "additionalItems") {
			return
		}
		c.schema(value, base)
	case schemasForm:
		c.schemaList(value, base)
	case mapForm, patternsForm:
		c.schemaMap(value, k.form == patternsForm, base)
	case itemsForm:
		if value.kind != tape.Array {
			c.schema(value, base)
			return
		}
		for _, child := range value.children {
			c.schema(child, base)
		}
	case dependentsForm:
		c.dependents(value, base)
	case countForm:
		if n, ok := exactly(value); !ok || !n.IsInt() || n.Sign() < 0 {
			c.wrong(value, "a whole number, 0 or more", "")
		}
	case numberForm:
		if value.kind != tape.Number {
			c.wrong(value, "a number", "")
		}
	case factorForm:
		if n, ok := exactly(value); !ok || n.Sign() <= 0 {
			c.wrong(value, "a number above 0", "")
		}
	case truthForm:
		if !value.isBool() {
			c.wrong(value, "true or false", "")
		}
	case boundForm:
		c.bound(schema, value)
	case patternForm:
		c.pattern(value)
	case namesForm:
		c.names(value)
	case anyForm:
		value.exact = canonical(value.value())
	case choicesForm:
		if value.kind != tape.Array || len(value.children) == 0 {
			c.wrong(value, "a list of at least one value", "")
		}
		for _, child := range value.children {
			child.exact = canonical(child.value())
		}
	case typesForm:
		c.typeNames(value)
	case formatForm:
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
		c.wrong(value, "a list of at least one schema", "")
		return
	}
	for _, child := range value.children {
		c.schema(child, base)
	}
}

func (c *checker) schemaMap(value *node, patterns bool, base *url.URL) {
	if value.kind != tape.Object {
		c.wrong(value, "an object of schemas", "")
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
		c.wrong(value, "an object of lists of names or schemas", "")
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
		c.useless(value, "in draft 4 it is true or false",
			fmt.Sprintf(`write "%s": %s, "%s": true, or declare draft 7`, inclusive, cut(value.text), value.token))
	case !old && value.isBool():
		c.useless(value, "since draft 6 it is a number",
			fmt.Sprintf("write the number of %s here, and leave %[1]s out", inclusive))
	case old && !value.isBool():
		c.wrong(value, "true or false", "")
	case !old && value.kind != tape.Number:
		c.wrong(value, "a number", "")
	case old && schema.get(inclusive) == nil:
		c.useless(value, fmt.Sprintf("there is no %s beside it", inclusive), "add "+inclusive)
	}
}

func (c *checker) pattern(value *node) {
	if value.kind != tape.String {
		c.wrong(value, "a regular expression", "")
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
	f := value.finding(finding.SchemaPatternInvalid, "the pattern %s cannot be applied: %v", quote(expression), err)
	c.leaveOut(value, f.Hinting("patterns are applied by Go's engine, RE2; rows are not judged by this one"))
}

func (c *checker) names(value *node) {
	if value.kind != tape.Array {
		hint := ""
		if value.isBool() {
			hint = "draft 3 wrote it into the property: since draft 4 the object lists its required properties"
		}
		c.wrong(value, "a list of property names", hint)
		return
	}
	known := map[string]bool{}
	for _, child := range value.children {
		if child.kind != tape.String {
			c.leaveOut(value, child.finding(finding.SchemaKeywordValue, "%s lists property names, and %s is none",
				quote(value.token), child.literal()))
			return
		}
		if known[child.text] {
			f := child.finding(finding.SchemaKeywordValue, "%s lists %s twice", quote(value.token), quote(child.text))
			c.report(f.As(finding.Warning))
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
		c.wrong(value, "a type, or a list of at least one type", "")
		return
	}
	for _, name := range list {
		if name.kind == tape.String && slices.Contains(types, name.text) {
			continue
		}
		f := name.finding(finding.SchemaKeywordValue, "%s is no type; the types are %s",
			name.literal(), strings.Join(types, ", "))
		meant := otherTypes[strings.ToLower(name.text)]
		if meant == "" {
			meant, _ = near(name.text, types)
		}
		if meant != "" {
			f.Hint = "write " + meant
		}
		c.leaveOut(value, f)
		return
	}
}

func (c *checker) formatName(value *node) {
	if value.kind != tape.String {
		c.wrong(value, "a string", "")
		return
	}
	if formats[value.text] != nil {
		return
	}
	c.out[value] = true
	if meant, ok := near(value.text, formatNames()); ok {
		f := value.finding(finding.SchemaKeywordMisspelt, "the format %s is not known and has no effect: it is close to %s",
			quote(value.text), quote(meant))
		c.report(f.Hinting("write %s", meant))
	}
}

// exactly is the exact value of a number.
func exactly(n *node) (*big.Rat, bool) {
	if n.kind != tape.Number {
		return nil, false
	}
	return new(big.Rat).SetString(n.text)
}

// isWhole says that the node is a whole number.
func (n *node) isWhole() bool {
	exact, ok := exactly(n)
	return ok && exact.IsInt()
}
