package shape

import "github.com/hfpub/hfpub/validate/rows/tape"

// What follows is the way of values of which the same is asked: those of a member of objects that are alike. They are held against it
// in loops of a few instructions, one loop for each thing that may be asked, as far as they are short and usual; BenchmarkColumn sets that
// beside one value after the other.

// column are values that hold nothing, the first of them at a node, each a stride behind the one before.
type column struct {
	doc               *tape.Tape
	at, stride, count int
}

// from leaves out the first values.
func (c column) from(n int) column {
	return column{c.doc, c.at + n*c.stride, c.stride, c.count - n}
}

// objectsFit holds objects that are alike (see [tape.Tape.Alike]), the first of them at a node, against the keywords about objects.
func (m *matching) objectsFit(o *objectMatcher, doc *tape.Tape, node, count int) bool {
	first := doc.Value(node)
	p := m.plans.of(m, o, first, first.Shape())
	if p.refused {
		return false
	}
	stride := 1 + 2*first.Len()
	for i := range p.members {
		if !m.columnFits(&p.members[i], column{doc, node + 2 + 2*i, stride, count}) {
			return false
		}
	}
	for _, s := range p.dependents {
		for i := range count {
			if !m.fits(s, doc.Value(node+i*stride)) {
				return false
			}
		}
	}
	return true
}

// rowsFit says that rows that are alike, the first of them at the root, are valid. Where it says no, they may be all the same: that takes a
// look at each.
func (m *matching) rowsFit(s *matcher, doc *tape.Tape, count int) bool {
	if s == nil || s.glance.enough.has(tape.Object) {
		return true
	}
	o := m.objectOf(&s.glance, doc.Root())
	return o != nil && m.objectsFit(o, doc, 0, count)
}

// columnFits says that all values of a column are valid.
func (m *matching) columnFits(g *glance, c column) bool {
	for {
		if c = c.from(g.fitting(c)); c.count == 0 {
			return true
		}
		if v := c.doc.Value(c.at); !m.meets(g, v, v.Kind()) {
			return false
		}
		if c = c.from(1); c.count == 0 {
			return true
		}
	}
}

// nodes are the nodes up to that of the last value.
func (c column) nodes() []tape.Node { return c.doc.Nodes[:c.at+(c.count-1)*c.stride+1] }

// before counts the values before a node.
func (c column) before(node uint) int { return (int(node) - c.at) / c.stride }

// fitting counts the first values of a column, which has some, of which it is soon told that they fit. The next one need not be valid.
func (g *glance) fitting(c column) int {
	switch {
	case g.listed != nil:
		return g.listedTexts(c)
	case g.fixed != nil:
		return g.fixedTexts(c)
	case g.number != nil && g.number.bounded:
		return g.shortNumbers(c)
	}
	nodes, at := c.nodes(), uint(c.at)
	for at < uint(len(nodes)) && g.passes(&nodes[at]) {
		at += uint(c.stride)
	}
	return c.before(at)
}

// listedTexts is fitting where strings have to be in a list.
func (g *glance) listedTexts(c column) int {
	nodes, text, at := c.nodes(), c.doc.Text, uint(c.at)
	set := g.listed
	for ; at < uint(len(nodes)); at += uint(c.stride) {
		n := &nodes[at]
		if n.Kind() != tape.String {
			if g.enough.has(n.Kind()) {
				continue
			}
			break
		}
		start, end := n.Span()
		if n.Escaped() || end < 8 {
			break
		}
		first, last := endsAt(text, start, end)
		if !set.slot(first, last, end-start).is(first, last, text[start:end]) {
			break
		}
	}
	return c.before(at)
}

// fixedTexts is fitting where strings have to be of fixed characters: eight of all of them are looked at, then the next eight.
func (g *glance) fixedTexts(c column) int {
	for i := range g.fixed.words {
		if c.count > 0 {
			c.count = g.fixedWords(&g.fixed.words[i], c)
		}
	}
	return c.count
}

func (g *glance) fixedWords(w *fixedWord, c column) int {
	nodes, text, at := c.nodes(), c.doc.Text, uint(c.at)
	length := g.fixed.length
	back, blank := max(length, 8)-w.offset, max(0, 64-8*length)
	first, second := w.first, w.second
	for ; at < uint(len(nodes)); at += uint(c.stride) {
		n := &nodes[at]
		if !n.Plain() {
			if n.Kind() != tape.String && g.enough.has(n.Kind()) {
				continue
			}
			break
		}
		start, end := n.Span()
		if end-start != length || end < back {
			break
		}
		x := eightAt(text, end-back) >> (blank & 63)
		in := first.has(x) | second.has(x)
		if in&^x&highs != highs && (len(w.others) == 0 || !w.has(x)) {
			break
		}
	}
	return c.before(at)
}

// shortNumbers is fitting where numbers have to be in bounds.
func (g *glance) shortNumbers(c column) int {
	nodes, text, at := c.nodes(), c.doc.Text, uint(c.at)
	numbers := g.number
	for ; at < uint(len(nodes)); at += uint(c.stride) {
		n := &nodes[at]
		if n.Kind() != tape.Number {
			if g.enough.has(n.Kind()) {
				continue
			}
			break
		}
		if numbers.whole && n.Decimal() {
			break
		}
		start, end := n.Span()
		if numbers.all.natural {
			if text[start] == '-' {
				break
			}
			continue
		}
		value, scale, ok := shortNumber(text, start, end)
		if !ok || value < numbers.least[scale&(maxShort-1)] || value > numbers.most[scale&(maxShort-1)] {
			break
		}
	}
	return c.before(at)
}
