package shape

import (
	"slices"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// objectMatcher are the keywords about objects.
type objectMatcher struct {
	// index numbers the object matchers of a Schema.
	index int
	// least and most bound the number of properties.
	least, most int
	// properties are those that properties or required name, by name.
	properties map[string]property
	// required lists the required properties in the schema's order.
	required []string
	patterns []patternProperty
	// additional is what other properties are held against; closed says that there may be none.
	additional *matcher
	closed     bool
	// names is what the names of properties are held against.
	names *matcher
	// dependencies are what some properties ask for.
	dependencies []dependency
}

// property is what a schema says of a property of a certain name.
type property struct {
	value *matcher
	// declared says that the name stands under properties, so that the property is not additional.
	declared bool
	required bool
}

// patternProperty is one of patternProperties.
type patternProperty struct {
	name  *expression
	value *matcher
}

// dependency is what a property asks for when it is there: other properties, or that the object meets a schema.
type dependency struct {
	property string
	names    []string
	schema   *matcher
}

// objectFits holds an object against the keywords about objects. What they say of its keys alone is found out once for
// each shape.
func (m *matching) objectFits(o *objectMatcher, v tape.Value) bool {
	shape := v.Shape()
	if shape == 0 {
		return m.singleFits(o, v)
	}
	p := m.plans.of(m, o, v, shape)
	if p.refused {
		return false
	}
	doc, at := v.Tape(), v.Node()+2 // the first key's value
	for i := range p.members {
		member := &p.members[i]
		n := &doc.Nodes[at]
		if !member.passes(n) && !m.meets(member, doc.Value(at), n.Kind()) {
			return false
		}
		at = n.After(at) + 1
	}
	return m.allFit(p.dependents, v)
}

func (m *matching) allFit(list []*matcher, v tape.Value) bool {
	for _, s := range list {
		if !m.fits(s, v) {
			return false
		}
	}
	return true
}

// singleFits holds an object without a shape against the keywords, key by key.
func (m *matching) singleFits(o *objectMatcher, v tape.Value) bool {
	n := v.Len()
	if n < o.least || n > o.most || n < len(o.required) {
		return false
	}
	required := 0
	for key, value := range v.Members() {
		if o.names != nil && !m.fits(o.names, key) {
			return false
		}
		name := m.textOf(key)
		p := o.properties[string(name)]
		if p.required {
			required++
		}
		known := p.declared
		for i := range o.patterns {
			if !o.patterns[i].name.matches(name) {
				continue
			}
			known = true
			if !m.fits(o.patterns[i].value, value) {
				return false
			}
			name = m.textOf(key)
		}
		switch {
		case p.declared && !m.fits(p.value, value):
			return false
		case known:
		case o.closed || !m.fits(o.additional, value):
			return false
		}
	}
	if required < len(o.required) {
		return false
	}
	for i := range o.dependencies {
		d := &o.dependencies[i]
		if _, present := v.Get(d.property); !present {
			continue
		}
		if !hasAll(v, d.names) || !m.fits(d.schema, v) {
			return false
		}
	}
	return true
}

// hasAll says that an object has all of some properties.
func hasAll(v tape.Value, names []string) bool {
	for _, name := range names {
		if _, present := v.Get(name); !present {
			return false
		}
	}
	return true
}

// plan is what an object matcher makes of the keys of one shape: either it refuses them, or it holds the values of the
// members, up to the last that matters, against schemas.
type plan struct {
	refused bool
	members []glance
	// dependents are the schemas that dependencies hold the object itself against.
	dependents []*matcher
}

// plan makes the plan for the keys of an object.
func (o *objectMatcher) plan(m *matching, v tape.Value) *plan {
	n := v.Len()
	if n < o.least || n > o.most || !hasAll(v, o.required) {
		return &plan{refused: true}
	}
	p := &plan{members: make([]glance, 0, n)}
	matters := 0
	for key := range v.Members() {
		member, ok := o.planned(m, key)
		if !ok {
			return &plan{refused: true}
		}
		if p.members = append(p.members, member); member.enough != allKinds {
			matters = len(p.members)
		}
	}
	p.members = p.members[:matters]
	for _, d := range o.dependencies {
		if _, present := v.Get(d.property); !present {
			continue
		}
		if !hasAll(v, d.names) {
			return &plan{refused: true}
		}
		if d.schema != nil {
			p.dependents = append(p.dependents, d.schema)
		}
	}
	return p
}

// planned says what the value of a key is held against; ok is false when the key is refused.
func (o *objectMatcher) planned(m *matching, key tape.Value) (member glance, ok bool) {
	if o.names != nil && !m.fits(o.names, key) {
		return glance{}, false
	}
	name := m.textOf(key)
	p := o.properties[string(name)]
	asked := []*matcher{p.value}
	known := p.declared
	for _, pattern := range o.patterns {
		if pattern.name.matches(name) {
			known = true
			asked = append(asked, pattern.value)
		}
	}
	if !known {
		asked = append(asked, o.additional)
	}
	return allOf(asked), known || !o.closed
}

// allOf is the glance of what all of some matchers ask.
func allOf(asked []*matcher) glance {
	asked = slices.DeleteFunc(asked, func(s *matcher) bool { return s == nil })
	switch len(asked) {
	case 0:
		return glance{possible: allKinds, enough: allKinds}
	case 1:
		return asked[0].glance
	}
	together := &matcher{kinds: allKinds, inPlace: &inPlace{all: asked}}
	return together.blind()
}

// plans keeps plans by shape: the last one of every object matcher at hand, the others in a map.
type plans struct {
	last  []shapedPlan
	known map[planKey]*plan
	// told are the matchers that [matching.told] found, by union and shape.
	told [][]*matcher
}

func (p *plans) tell(u *union, shape tape.Shape, told *matcher) {
	for u.index >= len(p.told) {
		p.told = append(p.told, nil)
	}
	for int(shape) >= len(p.told[u.index]) {
		p.told[u.index] = append(p.told[u.index], nil)
	}
	p.told[u.index][shape] = told
}

type shapedPlan struct {
	shape tape.Shape
	plan  *plan
}

type planKey struct {
	matcher int
	shape   tape.Shape
}

// plansOf returns the plans of so many object matchers for the shapes of a tape.
func plansOf(owner *idle, matchers int, shapes *tape.Shapes) *plans {
	p := tape.Kept[plans](shapes, owner)
	if p.known == nil {
		p.last, p.known = make([]shapedPlan, matchers), map[planKey]*plan{}
	}
	return p
}

// of returns the plan of an object matcher for an object of a shape.
func (p *plans) of(m *matching, o *objectMatcher, v tape.Value, shape tape.Shape) *plan {
	last := &p.last[o.index]
	if last.shape == shape {
		return last.plan
	}
	key := planKey{o.index, shape}
	made := p.known[key]
	if made == nil {
		made = o.plan(m, v)
		p.known[key] = made
	}
	*last = shapedPlan{shape, made}
	return made
}
