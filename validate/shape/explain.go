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
	// known are the explanations of anyOf, oneOf and contains in the row at hand: each is explained once, however many ways lead
	// to it.
	known map[explained][]cause
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

// inWords says what a fault is. There are no causes where nothing is wrong after all.
func (e *explainer) inWords(f *fault) []cause {
	switch f.code {
	case finding.SchemaAnyOf, finding.SchemaOneOf, finding.SchemaContains:
		key := explained{visit{f.schema, f.value}, f.code}
		causes, known := e.known[key]
		if !known {
			causes = e.combined(f)
			e.known[key] = causes
		}
		return causes
	}
	return []cause{e.single(f, e.place(f))}
}

// combined says what a fault is that follows from others.
func (e *explainer) combined(f *fault) []cause {
	p := e.place(f)
	switch f.code {
	case finding.SchemaAnyOf:
		return e.union(f, p, f.schema.inPlace.any)
	case finding.SchemaOneOf:
		return e.union(f, p, f.schema.inPlace.one)
	}
	inner, known := e.first(e.nearestElement(f))
	return []cause{p.containsNothing(inner, known)}
}

// first says what the first of some faults is.
func (e *explainer) first(faults []fault) (c cause, ok bool) {
	if len(faults) == 0 {
		return cause{}, false
	}
	f := slices.MinFunc(faults, compareByPath)
	return firstOf(e.inWords(&f))
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
	inner := collector{matching: e.matching, path: append(append(e.path[:0], path...), further...), paths: e.paths, faults: e.faults}
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
		faults := e.aside(f.schema.array.contains, element, f.path, token{index: i, inArray: true})
		if nearest == nil || len(faults) < len(nearest) {
			nearest = faults
		}
	}
	return nearest
}

// faultsOfName returns what is wrong with a property's name.
func (e *explainer) faultsOfName(f *fault) []fault {
	faults := e.aside(f.schema.object.names, f.key, f.path)
	return slices.DeleteFunc(faults, func(f fault) bool { return f.code == finding.SchemaFalse })
}

func (e *explainer) union(f *fault, p place, u *union) []cause {
	alternatives := e.tree.get(f.schema.schema, unionKeywords[f.code]).children
	return p.union(f.code, len(alternatives), u.types, func(i int) trial {
		return e.try(u.alternatives[i], alternatives[i], f)
	})
}

// try holds one alternative against the value of a fault.
func (e *explainer) try(s *matcher, alternative *node, f *fault) trial {
	faults := e.aside(s, f.value, f.path)
	inside := *e
	inside.root, inside.row, inside.depth = alternative, f.value, len(f.path)
	return trial{
		fits:     len(faults) == 0,
		distance: distanceFrom(faults, inside.depth),
		why:      func() (cause, int, bool) { return inside.nearest(faults) },
	}
}

// nearest says which of some faults most likely tells why an alternative does not fit.
func (e *explainer) nearest(faults []fault) (first cause, more int, ok bool) {
	f := slices.MinFunc(faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(rank(a.code), rank(b.code)), compareByPath(a, b))
	})
	first, ok = firstOf(e.inWords(&f))
	return first, len(faults) - 1, ok
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
