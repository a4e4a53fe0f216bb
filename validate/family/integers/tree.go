package integers

import (
	"bytes"
	"encoding/json"
	"strings"
)

// node says where integers are in a value.
type node struct {
	// integer says that the value itself is one.
	integer bool
	// members are those of an object by their names, others those with any other name, items the elements of an array; each is
	// missing where there is no integer.
	members       map[string]*node
	others, items *node
}

// fieldsOf reads the integers from a schema; nil when it has none.
func fieldsOf(text []byte) *node {
	r := reader{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&r.root); err != nil {
		return nil // the schemas of artifacts are JSON, which tests of theirs see to
	}
	return r.node(r.root)
}

type reader struct {
	root map[string]any
	// inside are the references that are being followed.
	inside []string
}

// node reads a schema; nil when there is no integer in it.
func (r *reader) node(v any) *node {
	s, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	if ref, ok := s["$ref"].(string); ok {
		return r.follow(ref)
	}
	n := &node{integer: isInteger(s), others: r.node(s["additionalProperties"]), items: r.node(s["items"])}
	if properties, ok := s["properties"].(map[string]any); ok {
		for name, of := range properties {
			if child := r.node(of); child != nil {
				n.member(name, child)
			}
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, of := range list {
			n = n.with(r.node(of))
		}
	}
	for _, key := range []string{"then", "else"} {
		n = n.with(r.node(s[key]))
	}
	if !n.integer && n.members == nil && n.others == nil && n.items == nil {
		return nil
	}
	return n
}

// follow reads the schema that a reference into the document leads to. One that leads into itself holds nothing new.
func (r *reader) follow(ref string) *node {
	for _, before := range r.inside {
		if before == ref {
			return nil
		}
	}
	r.inside = append(r.inside, ref)
	defer func() { r.inside = r.inside[:len(r.inside)-1] }()
	var v any = r.root
	for token := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		s, _ := v.(map[string]any)
		v = s[token]
	}
	return r.node(v)
}

// isInteger says that a schema allows no number but integers.
func isInteger(s map[string]any) bool {
	switch t := s["type"].(type) {
	case string:
		return t == "integer"
	case []any:
		has := false
		for _, name := range t {
			if name == "number" {
				return false
			}
			has = has || name == "integer"
		}
		return has
	}
	values, ok := s["enum"].([]any)
	if !ok {
		value, ok := s["const"]
		if !ok {
			return false
		}
		values = []any{value}
	}
	has := false
	for _, v := range values {
		if n, ok := v.(json.Number); ok {
			if strings.ContainsAny(n.String(), ".eE") {
				return false
			}
			has = true
		}
	}
	return has
}

func (n *node) member(name string, child *node) {
	if n.members == nil {
		n.members = map[string]*node{}
	}
	n.members[name] = n.members[name].with(child)
}

// with is a node that has the integers of both.
func (n *node) with(other *node) *node {
	switch {
	case n == nil:
		return other
	case other == nil:
		return n
	}
	out := &node{integer: n.integer || other.integer, others: n.others.with(other.others), items: n.items.with(other.items)}
	for _, from := range []*node{n, other} {
		for name, child := range from.members {
			out.member(name, child)
		}
	}
	return out
}
