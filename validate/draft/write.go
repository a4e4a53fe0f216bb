package draft

import (
	"bytes"
	"encoding/json"
	"strings"
)

const (
	draft7  = "http://json-schema.org/draft-07/schema#"
	comment = "A draft by hfpub init: what holds for the rows that were there. Edit it into what is promised, and give fields a description."
)

// appendDocument writes the schema of rows.
func appendDocument(text []byte, root *node) []byte {
	d := document{text}
	d.object("", append([]member{
		{"$schema", func(string) { d.quote(draft7) }},
		{"$comment", func(string) { d.quote(comment) }},
	}, d.keywords(root)...))
	return append(d.text, '\n')
}

// document is JSON that is being written. A value that holds no other schema stands on one line.
type document struct{ text []byte }

// member is a key of an object and what writes its value, given the indentation of the line it starts on.
type member struct {
	key   string
	value func(indent string)
}

func (d *document) schema(n *node, indent string) {
	members := d.keywords(n)
	if len(n.children) > 0 {
		d.object(indent, members)
		return
	}
	d.text = append(d.text, '{')
	for i, m := range members {
		if i > 0 {
			d.text = append(d.text, ", "...)
		}
		d.quote(m.key)
		d.text = append(d.text, ": "...)
		m.value(indent)
	}
	d.text = append(d.text, '}')
}

// object writes an object with each member on a line of its own.
func (d *document) object(indent string, members []member) {
	inner := indent + "  "
	d.text = append(d.text, '{')
	for i, m := range members {
		if i > 0 {
			d.text = append(d.text, ',')
		}
		d.text = append(d.text, "\n"+inner...)
		d.quote(m.key)
		d.text = append(d.text, ": "...)
		m.value(inner)
	}
	d.text = append(d.text, "\n"+indent+"}"...)
}

// keywords are the keywords of a field's schema.
func (d *document) keywords(n *node) []member {
	var out []member
	if types := n.types(); len(types) > 0 {
		out = append(out, member{"type", func(string) { d.oneOrMore(types) }})
	}
	if labels := n.labels(); labels != nil {
		out = append(out, member{"enum", func(string) { d.enum(labels, n.Nulls > 0) }})
	}
	members, element := n.parts()
	if len(members) > 0 && (n.isRow() || !isMap(members)) {
		out = append(out, d.properties(members)...)
	}
	if element != nil {
		out = append(out, member{"items", func(indent string) { d.schema(element, indent) }})
	}
	return out
}

// properties are the keywords about the fields of an object.
func (d *document) properties(members []*node) []member {
	var properties []member
	var required []string
	for _, m := range members {
		properties = append(properties, member{m.name, func(indent string) { d.schema(m, indent) }})
		if m.Missing == 0 {
			required = append(required, m.name)
		}
	}
	out := []member{{"properties", func(indent string) { d.object(indent, properties) }}}
	if len(required) > 0 {
		out = append(out, member{"required", func(string) { d.list(required) }})
	}
	return append(out, member{"additionalProperties", func(string) { d.text = append(d.text, "false"...) }})
}

func (d *document) oneOrMore(texts []string) {
	if len(texts) == 1 {
		d.quote(texts[0])
		return
	}
	d.list(texts)
}

func (d *document) enum(labels []string, null bool) {
	d.list(labels)
	if null {
		d.text = append(bytes.TrimSuffix(d.text, []byte("]")), ", null]"...)
	}
}

func (d *document) list(texts []string) {
	d.text = append(d.text, '[')
	for i, text := range texts {
		if i > 0 {
			d.text = append(d.text, ", "...)
		}
		d.quote(text)
	}
	d.text = append(d.text, ']')
}

// quote writes a text as JSON, < > & as they are.
func (d *document) quote(text string) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text in memory cannot fail
	d.text = append(d.text, strings.TrimSuffix(b.String(), "\n")...)
}
