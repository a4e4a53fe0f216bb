package shape

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// explainer says in words what is wrong with a row.
type explainer struct {
	*matching
	tree *tree
	// root is the schema that row was held against; depth is how many steps lead to it. While an alternative of anyOf or oneOf
	// is explained, it stands for the schema, and the value for the row.
	root  *node
	row   tape.Value
	depth int
	// known are the explanations of anyOf, oneOf and contains in the row at hand: each is explained once, however many
	// ways lead to it.
	known map[explained]cause
	*workspace
}

// workspace holds what the faults of alternatives, elements and names need while a row is explained.
type workspace struct {
	faults      []fault
	path, paths []token
}

type explained struct {
	visit
	code finding.Code
}

// inWords says what a fault is.
func (e *explainer) inWords(f *fault) cause {
	switch f.code {
	case finding.SchemaAnyOf, finding.SchemaOneOf, finding.SchemaContains:
	default:
		return e.single(f, e.place(f))
	}
	key := explained{visit{f.schema, f.value}, f.code}
	c, known := e.known[key]
	if !known {
		c = e.combined(f, e.place(f))
		e.known[key] = c
	}
	return c
}

// combined says what a fault is that follows from those of other schemas.
func (e *explainer) combined(f *fault, p place) cause {
	if f.code != finding.SchemaContains {
		return e.union(f, p)
	}
	inner, known := e.first(e.nearestElement(f))
	return p.containsNothing(inner, known)
}

// first says what the first of some faults is.
func (e *explainer) first(faults []fault) (c cause, ok bool) {
	if len(faults) == 0 {
		return cause{}, false
	}
	f := slices.MinFunc(faults, compareByPath)
	return e.inWords(&f), true
}

// compareByPath orders faults by the keys and indexes that lead to them.
func compareByPath(a, b fault) int {
	byToken := func(a, b token) int { return cmp.Compare(a.text(), b.text()) }
	return cmp.Or(slices.CompareFunc(a.path, b.path, byToken), cmp.Compare(a.code, b.code), cmp.Compare(a.name, b.name))
}

// single says what a fault is that stands for itself.
func (e *explainer) single(f *fault, p place) cause {
	switch f.code {
	case finding.SchemaType:
		return p.typed(f.code, strings.Split(f.name, ","))
	case finding.SchemaConst:
		return p.notConstant(f.listing.choices[0])
	case finding.SchemaEnum:
		return p.notAmong(f.listing.choices)
	case finding.SchemaRequired:
		return p.missing(e.tree, f.name)
	case finding.SchemaAdditionalProperties:
		return p.notAllowed(e.tree, f.key.Text())
	case finding.SchemaDependencies:
		return p.dependency(f.name, f.by)
	case finding.SchemaPropertyNames:
		inner, known := e.first(e.faultsOfName(f))
		return p.badName(f.key.Text(), inner, known)
	case finding.SchemaUniqueItems:
		i, j, _ := e.unique.find(f.value)
		return p.equalElements(i, j)
	case finding.SchemaAdditionalItems:
		return p.tooManyItems(sizeOf(p.value))
	case finding.SchemaPattern:
		return p.differs(f.name)
	case finding.SchemaFormat:
		return p.malformed(f.name)
	case finding.SchemaMinLength:
		return p.short(f.name)
	case finding.SchemaMaxLength:
		return p.long(f.name)
	case finding.SchemaMinItems, finding.SchemaMinProperties:
		return p.tooFew(f.code, sizeOf(p.value), f.name)
	case finding.SchemaMaxItems, finding.SchemaMaxProperties:
		return p.tooMany(f.code, sizeOf(p.value), f.name)
	case finding.SchemaNot:
		return p.forbidden(e.tree, []*node{e.tree.get(f.schema.schema, "not")})
	case finding.SchemaFalse:
		return p.nothingAllowed(len(f.path) > 0 && f.path[len(f.path)-1].inArray)
	}
	return p.beyond(f.code, f.name)
}

func (e *explainer) place(f *fault) place {
	path := make([]string, len(f.path))
	for i, t := range f.path {
		path[i] = t.text()
	}
	t, root, row, below := e.tree, e.root, e.row, path[e.depth:]
	return place{path, f.value, func() []*node { return t.at(root, row, below) }}
}

// aside returns what is wrong with a value that stands at a path when it is held against another schema. It stays valid
// until forget.
func (e *explainer) aside(s *matcher, v tape.Value, path []token, further ...token) []fault {
	inner := collector{matching: e.matching, faults: e.faults, paths: e.paths}
	inner.path = append(append(e.path[:0], path...), further...)
	from := len(inner.faults)
	inner.collect(s, v)
	e.path, e.paths, e.faults = inner.path, inner.paths, inner.faults
	return sortFaults(e.faults[from:len(e.faults):len(e.faults)])
}

// begin makes the explainer ready for a row.
func (e *explainer) begin(root *node, row tape.Value, depth int) {
	e.root, e.row, e.depth = root, row, depth
	clear(e.known)
}

// forget gives back what [explainer.aside] returned.
func (e *explainer) forget() { e.paths, e.faults = e.paths[:0], e.faults[:0] }

// nearestElement returns what keeps the element of an array that breaks the fewest keywords from meeting contains.
func (e *explainer) nearestElement(f *fault) []fault {
	var nearest []fault
	for i, element := range f.value.Elements() {
		faultsBefore, pathsBefore := len(e.faults), len(e.paths)
		faults := e.aside(f.schema.array.contains, element, f.path, token{index: i, inArray: true})
		if nearest == nil || len(faults) < len(nearest) {
			nearest = faults
			continue
		}
		e.faults, e.paths = e.faults[:faultsBefore], e.paths[:pathsBefore]
	}
	return nearest
}

// faultsOfName returns what is wrong with a property's name.
func (e *explainer) faultsOfName(f *fault) []fault {
	faults := e.aside(f.schema.object.names, f.key, f.path)
	return slices.DeleteFunc(faults, func(f fault) bool { return f.code == finding.SchemaFalse })
}

// choice is what is said of the alternatives of anyOf or oneOf: those that fit, or what keeps the nearest from fitting.
type choice struct {
	fitting []int
	nearest int
	faults  []fault
	// first most likely tells why the nearest does not fit.
	first *fault
}

// choose holds each alternative against the value of a fault.
func (e *explainer) choose(f *fault) choice {
	c := choice{nearest: -1}
	var best distance
	for i, s := range f.union().alternatives {
		faults := e.aside(s, f.value, f.path)
		d := distanceFrom(faults, len(f.path))
		switch {
		case len(faults) == 0:
			c.fitting = append(c.fitting, i)
		case c.nearest < 0 || d.compare(best) < 0:
			c.nearest, c.faults, best = i, faults, d
		}
	}
	for i := range c.faults {
		if f := &c.faults[i]; c.first == nil || cmp.Or(rank(f.code)-rank(c.first.code), compareByPath(*f, *c.first)) < 0 {
			c.first = f
		}
	}
	return c
}

// union are the alternatives that a fault is about.
func (f *fault) union() *union {
	if f.code == finding.SchemaOneOf {
		return f.schema.inPlace.one
	}
	return f.schema.inPlace.any
}

// lacksTypes says that the value has none of the types that the alternatives want, each some.
func (f *fault) lacksTypes() bool {
	types := f.union().types
	return len(types) > 0 && !hasType(f.value, types)
}

// union explains anyOf and oneOf.
func (e *explainer) union(f *fault, p place) cause {
	if f.lacksTypes() {
		return p.typed(f.code, f.union().types)
	}
	c := e.choose(f)
	if len(c.fitting) > 0 {
		return p.fitsSeveral(c.fitting)
	}
	alternatives := e.tree.get(f.schema.schema, unionKeywords[f.code]).children
	inside := *e
	inside.root, inside.row, inside.depth = alternatives[c.nearest], f.value, len(f.path)
	return p.fitsNone(f.code, noneOf(len(alternatives), f.code), inside.inWords(c.first), len(c.faults)-1)
}

func distanceFrom(faults []fault, depth int) distance {
	d := distance{all: len(faults)}
	for i := range faults {
		f := &faults[i]
		below := len(f.path) - depth
		switch {
		case f.listing == nil && (f.code != finding.SchemaType || below > 0):
		case below == 0 && (f.listing == nil || !f.listing.kinds.has(f.value.Kind())):
			d.wrongType++
		case f.listing != nil && below <= 1:
			d.wrongConstant++
		}
	}
	return d
}
