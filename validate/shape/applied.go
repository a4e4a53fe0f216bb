package shape

import (
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// at returns the schemas that root may apply to the value that a path leads to in a row, in the order of the document: all
// of them, whether their condition holds or not. It serves to find words for what is known to be wrong.
func (t *tree) at(root *node, row tape.Value, path []string) []*node {
	schemas := t.withInPlace([]*node{root})
	for _, token := range path {
		var next []*node
		for _, schema := range schemas {
			next = append(next, t.below(schema, row.Kind(), token)...)
		}
		schemas = t.withInPlace(next)
		row = child(row, token)
	}
	return schemas
}

// withInPlace adds the schemas that are applied to the same value, each once.
func (t *tree) withInPlace(schemas []*node) []*node {
	var all []*node
	known := map[*node]bool{}
	var add func(*node)
	add = func(schema *node) {
		if known[schema] {
			return
		}
		known[schema] = true
		if t.target[schema] == nil {
			all = append(all, schema)
		}
		for _, next := range t.inPlace(schema) {
			add(next)
		}
	}
	for _, schema := range schemas {
		add(schema)
	}
	return all
}

// below returns the schemas that one schema applies to a member or element of a value.
func (t *tree) below(schema *node, value tape.Kind, token string) []*node {
	switch {
	case schema.kind != tape.Object:
		return nil
	case value == tape.Object:
		return t.ofMember(schema, token)
	case value == tape.Array:
		return t.ofElement(schema, token)
	}
	return nil
}

func (t *tree) ofMember(schema *node, key string) []*node {
	var list []*node
	if properties := t.get(schema, "properties"); properties != nil {
		if property := properties.get(key); property != nil {
			list = append(list, property)
		}
	}
	if patterns := t.get(schema, "patternProperties"); patterns != nil {
		for _, child := range t.usable(patterns) {
			if t.patterns[child.token].MatchString(key) {
				list = append(list, child)
			}
		}
	}
	if additional := t.get(schema, "additionalProperties"); additional != nil && len(list) == 0 {
		list = append(list, additional)
	}
	return list
}

func (t *tree) ofElement(schema *node, token string) []*node {
	var list []*node
	index, _ := strconv.Atoi(token)
	items, additional := t.get(schema, "items"), t.get(schema, "additionalItems")
	switch {
	case items == nil:
	case items.kind != tape.Array:
		list = append(list, items)
	case index < len(items.children):
		list = append(list, items.children[index])
	case additional != nil:
		list = append(list, additional)
	}
	if contains := t.get(schema, "contains"); contains != nil {
		list = append(list, contains)
	}
	return list
}

// child is the member or element of a row's value; the value itself where there is none.
func child(v tape.Value, token string) tape.Value {
	switch v.Kind() {
	case tape.Object:
		if member, ok := v.Get(token); ok {
			return member
		}
	case tape.Array:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < v.Len() {
			return elementAt(v, i)
		}
	}
	return v
}

// valueAt is the value that a path leads to in a row.
func valueAt(row tape.Value, path []string) tape.Value {
	for _, token := range path {
		row = child(row, token)
	}
	return row
}

// with returns the schemas that hold a keyword.
func (t *tree) with(schemas []*node, name string) []*node {
	return slices.DeleteFunc(slices.Clone(schemas), func(schema *node) bool { return t.get(schema, name) == nil })
}
