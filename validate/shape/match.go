package shape

import (
	"sync"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// matcher is a schema compiled to what a value is held against; it does not change any more. nil lets everything pass.
type matcher struct {
	// schema is the schema as it is written.
	schema *node
	// id numbers the matchers of a Schema.
	id int
	// never says that the schema is false.
	never bool
	// kinds has a bit for each [tape.Kind] that the type allows. whole says that a number has to be an integer.
	kinds kinds
	whole bool
	// types are the types as the schema lists them.
	types string

	listings []*listing
	number   *numberMatcher
	text     *textMatcher
	array    *arrayMatcher
	object   *objectMatcher
	inPlace  *inPlace

	// glance is what a look at the kind of a value tells; see [matcher.look].
	glance glance
	looked bool

	// remembered says that one value may be held against the schema on many ways, so that the outcome is kept; see [memory].
	remembered bool
}

// kinds is a set of kinds of values.
type kinds uint8

const allKinds kinds = 1<<(tape.Object+1) - 1

func (k kinds) has(kind tape.Kind) bool { return k>>kind&1 != 0 }

// matching holds rows against matchers, one after the other. Everything in it is reused from row to row.
type matching struct {
	// idle is where it goes when it is not used; objects is how many object matchers there are.
	idle    *idle
	objects int
	// scratch holds the text of a string with escapes.
	scratch []byte
	// plans are for the objects of a tape that has these shapes.
	plans  *plans
	shapes *tape.Shapes
	memory memory
	unique uniqueTable
	cells  typedCells
}

// begin makes the matching ready for a row.
func (m *matching) begin(doc *tape.Tape) {
	if shapes := doc.Shapes(); m.shapes != shapes {
		m.shapes, m.plans = shapes, plansOf(m.idle, m.objects, shapes)
	}
	m.memory.clear()
}

// idle keeps the matchings of observers that are done with. The plans of a schema are kept under its idle.
type idle struct {
	mu   sync.Mutex
	list []*matching
}

func (i *idle) give(m *matching) {
	m.shrink()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.list = append(i.list, m)
}

// shrink gives up what only a very large row needs.
func (m *matching) shrink() {
	const large = 1 << 20
	if cap(m.scratch) > large {
		m.scratch = nil
	}
	if cap(m.unique.slots) > large {
		m.unique = uniqueTable{}
	}
	if len(m.memory.slots) > large {
		m.memory = memory{}
	}
}

// take returns a matching. objects is how many object matchers there are.
func (i *idle) take(objects int) *matching {
	i.mu.Lock()
	defer i.mu.Unlock()
	last := len(i.list) - 1
	if last < 0 {
		return &matching{idle: i, objects: objects}
	}
	m := i.list[last]
	i.list = i.list[:last]
	return m
}

// fits says that a value is valid.
func (m *matching) fits(s *matcher, v tape.Value) bool {
	if s == nil {
		return true
	}
	kind := v.Kind()
	return s.glance.enough.has(kind) || m.meets(&s.glance, v, kind)
}

// holds is fits but for the kind, keyword by keyword.
func (m *matching) holds(s *matcher, v tape.Value, kind tape.Kind) bool {
	switch kind {
	case tape.String:
		if s.text != nil && !m.textFits(s.text, v) {
			return false
		}
	case tape.Number:
		if s.whole && !isWhole(v) || s.number != nil && !s.number.fits(v) {
			return false
		}
	case tape.Array:
		if s.array != nil && !m.arrayFits(s.array, v) {
			return false
		}
	case tape.Object:
		if s.object != nil && !m.objectFits(s.object, v) {
			return false
		}
	}
	for _, l := range s.listings {
		if !m.lists(l, v) {
			return false
		}
	}
	return s.inPlace == nil || m.fitsInPlace(s.inPlace, v)
}

// isWhole says that a number is an integer by its value.
func isWhole(v tape.Value) bool {
	if !v.Decimal() {
		return true
	}
	d := decimalOf(v.Raw())
	return d.isWhole()
}

// numberMatcher are the keywords about numbers.
type numberMatcher struct {
	minimum, exclusiveMinimum, maximum, exclusiveMaximum *bound
	multipleOf                                           *factor
	// natural says that there is nothing but a minimum of 0, which is met by all that has no sign.
	natural bool
}

func (n *numberMatcher) fits(v tape.Value) bool {
	raw := v.Raw()
	if n.natural && raw[0] != '-' {
		return true
	}
	value := numeralOf(raw)
	switch {
	case n.minimum != nil && n.minimum.compare(&value) < 0:
	case n.exclusiveMinimum != nil && n.exclusiveMinimum.compare(&value) <= 0:
	case n.maximum != nil && n.maximum.compare(&value) > 0:
	case n.exclusiveMaximum != nil && n.exclusiveMaximum.compare(&value) >= 0:
	case n.multipleOf != nil && !n.multipleOf.divides(&value):
	default:
		return true
	}
	return false
}

// textMatcher are the keywords about strings.
type textMatcher struct {
	// least and most bound the number of characters.
	least, most int
	// listed are the only texts that are allowed, if not nil.
	listed  *listing
	pattern *expression
	// written is the pattern as the schema has it.
	written string
	format  func([]byte) bool
	// formatName is the format's name.
	formatName string
}

func (m *matching) textFits(t *textMatcher, v tape.Value) bool {
	if t.bounded() {
		if n := v.Chars(); n < t.least || n > t.most {
			return false
		}
	}
	if t.listed != nil && !m.lists(t.listed, v) {
		return false
	}
	return (t.pattern == nil || m.matches(t.pattern, v)) && (t.format == nil || t.format(m.textOf(v)))
}

func (m *matching) matches(e *expression, v tape.Value) bool {
	if !v.Escaped() {
		if e.fixed != nil {
			return e.fixed.begins(v) && (!e.toEnd || len(v.Raw()) == e.fixed.length)
		}
		return e.matches(v.Raw())
	}
	if matches, known := e.matchesEscaped(v.Raw()); known {
		return matches
	}
	return e.matches(m.textOf(v))
}

func (t *textMatcher) bounded() bool { return t.least > 0 || t.most < unbounded }

// textOf returns the text of a string, valid until the next call.
func (m *matching) textOf(v tape.Value) []byte {
	if !v.Escaped() {
		return v.Raw()
	}
	m.scratch = v.AppendText(m.scratch[:0])
	return m.scratch
}

// arrayMatcher are the keywords about arrays.
type arrayMatcher struct {
	least, most int
	unique      bool
	// list are the schemas of the first elements, rest that of all behind them.
	list []*matcher
	rest *matcher
	// closed says that there may be none behind them.
	closed bool
	// contains is what one element at least has to meet, where hasContains.
	contains    *matcher
	hasContains bool
}

func (m *matching) arrayFits(a *arrayMatcher, v tape.Value) bool {
	n := v.Len()
	if n < a.least || n > a.most || a.closed && n > len(a.list) {
		return false
	}
	switch {
	case n == 0:
	case len(a.list) == 0 && a.rest != nil:
		if !m.elementsFit(&a.rest.glance, v) {
			return false
		}
	case len(a.list) > 0:
		element := v.First()
		for i := range n {
			if !m.fits(a.element(i), element) {
				return false
			}
			element = element.After()
		}
	}
	if a.hasContains && !m.contains(a.contains, v) {
		return false
	}
	if !a.unique {
		return true
	}
	_, _, equal := m.unique.find(v)
	return !equal
}

// elementsFit holds all elements of an array against one schema.
func (m *matching) elementsFit(g *glance, v tape.Value) bool {
	doc, at := v.Tape(), v.Node()+1
	for left := v.Len(); left > 0; {
		n := &doc.Nodes[at]
		if left > 1 && n.Kind() == tape.Object {
			if o := m.objectOf(g, doc.Value(at)); o != nil {
				if count := doc.Alike(at, left); count > 1 {
					if !m.objectsFit(o, doc, at, count) {
						return false
					}
					at += count * (1 + 2*n.Len())
					left -= count
					continue
				}
			}
		}
		if !g.passes(n) && !m.meets(g, doc.Value(at), n.Kind()) {
			return false
		}
		at = n.After(at)
		left--
	}
	return true
}

// element is the schema of the element at an index.
func (a *arrayMatcher) element(i int) *matcher {
	if i < len(a.list) {
		return a.list[i]
	}
	return a.rest
}

func (m *matching) contains(s *matcher, v tape.Value) bool {
	for _, element := range v.Elements() {
		if m.fits(s, element) {
			return true
		}
	}
	return false
}

// inPlace are the keywords that hold the value itself against other schemas.
type inPlace struct {
	all          []*matcher
	any, one     *union
	forbidden    *matcher
	hasNot       bool
	condition    *matcher
	then, orElse *matcher
	// hasIf says that there is a condition.
	hasIf bool
}

func (m *matching) fitsInPlace(p *inPlace, v tape.Value) bool {
	for _, s := range p.all {
		if !m.fits(s, v) {
			return false
		}
	}
	if p.any != nil && !m.fitsAny(p.any, v) || p.one != nil && !m.fitsOne(p.one, v) {
		return false
	}
	if p.hasNot && m.fits(p.forbidden, v) {
		return false
	}
	return !p.hasIf || m.fits(p.branch(m, v), v)
}

// branch is the schema that if leads to.
func (p *inPlace) branch(m *matching, v tape.Value) *matcher {
	if m.fits(p.condition, v) {
		return p.then
	}
	return p.orElse
}
