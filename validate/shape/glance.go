package shape

import "github.com/hfpub/hfpub/validate/rows/tape"

// glance sorts what a schema asks of a value by the value's kind. Of most kinds that is nothing, or one thing only, so that a
// look at the kind tells what to do. It says what the matcher says that it is of; TestGlances holds it to that.
type glance struct {
	// possible are the kinds of which any value fits, enough those of which every one does.
	possible, enough kinds
	// A string fits that has least characters or more, below least + lengths. lengths is 0 where text asks for anything else.
	least, lengths uint
	// listed finds the texts that are allowed, where text asks for nothing but one of them; it is nil elsewhere.
	listed *textSet
	// fixed are the characters of the texts that are allowed, where text asks for nothing else; it is nil elsewhere.
	fixed *fixed
	// text, number, array and object are all that is asked of values of such a kind, where they are not nil.
	text   *textMatcher
	number *shortNumbers
	array  *arrayMatcher
	object *objectMatcher
	// union is all that is asked of objects, where several alternatives let some pass.
	union *union
	// schema is what all other values are held against.
	schema *matcher
}

// passes says that a look at the node of a value, which is no key, tells that it is valid.
func (g *glance) passes(n *tape.Node) bool {
	kind := n.Kind()
	return g.enough.has(kind) || kind == tape.String && uint(n.Chars())-g.least < g.lengths
}

// meets says that a value is valid, for one that does not pass.
func (m *matching) meets(g *glance, v tape.Value, kind tape.Kind) bool {
	switch {
	case !g.possible.has(kind):
		return false
	case kind == tape.String && g.text != nil:
		if g.listed != nil && !v.Escaped() {
			return g.listed.find(v) >= 0
		}
		return m.textFits(g.text, v)
	case kind == tape.Number && g.number != nil:
		return g.number.fits(v)
	case kind == tape.Object && g.object != nil:
		return m.objectFits(g.object, v)
	case kind == tape.Object && g.union != nil:
		return m.unionFits(g.union, v)
	case kind == tape.Array && g.array != nil:
		return m.arrayFits(g.array, v)
	case g.schema.remembered:
		return m.recall(g.schema, v)
	}
	return m.holds(g.schema, v, kind)
}

// blind is a glance that sees nothing but what kinds the type allows.
func (s *matcher) blind() glance { return glance{possible: s.kinds, schema: s} }

// look makes the glance of a matcher. All matchers are compiled by then.
func (s *matcher) look() {
	if s.looked {
		return
	}
	s.looked, s.glance = true, s.blind()
	g := glance{schema: s}
	for kind := tape.Null; kind <= tape.Object; kind++ {
		if s.kinds.has(kind) && s.listsAny(kind) {
			g.see(s, kind)
		}
	}
	g.readText()
	s.glance = g
}

// readText finds out whether the number of characters is all that is asked of strings, or a list of texts, or fixed characters.
func (g *glance) readText() {
	t := g.text
	switch {
	case t == nil || t.format != nil:
	case t.pattern != nil:
		if t.pattern.fixed != nil && t.pattern.toEnd && t.listed == nil && !t.bounded() {
			g.fixed = t.pattern.fixed
		}
	case t.listed == nil:
		if t.least <= t.most {
			g.least, g.lengths = uint(t.least), uint(t.most-t.least)+1
		}
	case !t.bounded():
		g.listed = t.listed.quick
	}
}

// listsAny says that some value of a kind is in all that enum and const list.
func (s *matcher) listsAny(kind tape.Kind) bool {
	for _, l := range s.listings {
		if !l.kinds.has(kind) {
			return false
		}
	}
	return true
}

// see finds out what a matcher asks of values of one kind.
func (g *glance) see(s *matcher, kind tape.Kind) {
	bit := kinds(1) << kind
	g.possible |= bit
	listed := len(s.listings) > 0
	switch {
	case s.inPlace != nil:
		if u := s.inPlace.onlyUnion(); u != nil && !listed && !s.asksOf(kind) {
			g.through(u, u == s.inPlace.one, kind)
		}
	case !s.asksOf(kind) && (!listed || kind <= tape.True):
		g.enough |= bit
	case kind == tape.String && !listed:
		g.text = s.text
	case kind == tape.String && s.text == nil && len(s.listings) == 1:
		g.text = &textMatcher{most: unbounded, listed: s.listings[0]}
	case listed || s.remembered:
	case kind == tape.Number:
		g.number = shortNumbersOf(s)
	case kind == tape.Array:
		g.array = s.array
	case kind == tape.Object:
		g.object = s.object
	}
}

// asksOf says that there are keywords about the values of a kind.
func (s *matcher) asksOf(kind tape.Kind) bool {
	switch kind {
	case tape.String:
		return s.text != nil
	case tape.Number:
		return s.whole || s.number != nil
	case tape.Array:
		return s.array != nil
	case tape.Object:
		return s.object != nil
	}
	return false
}

// onlyUnion is the anyOf or oneOf beside which nothing holds the value against other schemas; nil if there is none.
func (p *inPlace) onlyUnion() *union {
	if len(p.all) > 0 || p.hasNot || p.hasIf || p.any != nil && p.one != nil {
		return nil
	}
	if p.any != nil {
		return p.any
	}
	return p.one
}

// through finds out what a union asks of values of one kind, where at most one alternative lets any of them pass, or of objects. Where the
// outcome is to be remembered, arrays and objects have to be held against the schema itself.
func (g *glance) through(u *union, exactlyOne bool, kind tape.Kind) {
	bit := kinds(1) << kind
	var only *glance
	for _, s := range u.alternatives {
		other := &glance{enough: allKinds, possible: allKinds}
		if s != nil {
			s.look()
			other = &s.glance
		}
		switch {
		case !other.possible.has(kind):
		case only != nil:
			if kind == tape.Object && !g.schema.remembered {
				g.union = u
			}
			return
		case other.enough.has(kind) && !exactlyOne:
			g.enough |= bit
			return
		default:
			only = other
		}
	}
	switch {
	case only == nil:
		g.possible &^= bit
	case only.enough.has(kind):
		g.enough |= bit
	case kind == tape.String:
		g.text = only.text
	case kind == tape.Number:
		g.number = only.number
	case g.schema.remembered:
	case kind == tape.Array:
		g.array = only.array
	case kind == tape.Object:
		g.object = only.object
	}
}
