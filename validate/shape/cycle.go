package shape

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

const (
	// maxInPlace bounds how many schemas deep one and the same value is looked at.
	maxInPlace = 64
	// maxVisits bounds how many schemas one and the same value is held against.
	maxVisits = 100_000
)

// inPlace returns the schemas that are applied to the same value as a schema is.
func (t *tree) inPlace(schema *node) []*node {
	if target := t.target[schema]; target != nil {
		return []*node{target}
	}
	if t.out[schema] || schema.kind != tape.Object {
		return nil
	}
	var list []*node
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		if value := t.get(schema, name); value != nil {
			list = append(list, t.usable(value)...)
		}
	}
	for _, name := range []string{"not", "if", "then", "else"} {
		if value := t.get(schema, name); value != nil {
			list = append(list, value)
		}
	}
	if value := t.get(schema, "dependencies"); value != nil {
		for _, child := range t.usable(value) {
			if child.kind != tape.Array {
				list = append(list, child)
			}
		}
	}
	return list
}

// weight is what it takes to hold one value against a schema and those in place of it.
type weight struct {
	depth, visits int
	// open says that the schema is being weighed.
	open bool
}

// scales finds references that lead back to their own schema without going into the value, and so would never end, and
// those that multiply beyond reason. Both are cut where they are found.
type scales struct {
	*checker
	weights map[*node]weight
}

func (s *scales) weigh(n *node) weight {
	if w, ok := s.weights[n]; ok {
		return w
	}
	s.weights[n] = weight{open: true}
	w := weight{depth: 1, visits: 1}
	for _, next := range s.inPlace(n) {
		if s.weights[next].open {
			s.cut(n, next, "leads back to itself without going into the value, so that it never ends")
			continue
		}
		inner := s.weigh(next)
		if inner.depth+1 > maxInPlace || w.visits+inner.visits > maxVisits {
			s.cut(n, next, "leads through too many schemas for one value")
			continue
		}
		w.depth = max(w.depth, inner.depth+1)
		w.visits += inner.visits
	}
	s.weights[n] = w
	return w
}

// cut reports a way from a schema to the next, and leaves the next out.
func (s *scales) cut(from, to *node, why string) {
	at := from
	if ref := from.get("$ref"); ref != nil && s.target[from] == to {
		at = ref
		delete(s.target, from)
		s.out[from] = true
	} else {
		s.out[to] = true
	}
	f := at.finding(finding.SchemaRef, "the reference %s", why)
	s.report(f.Hinting("let it go through properties or items, or leave it out"))
}
