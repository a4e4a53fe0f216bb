package shape

import (
	"maps"
	"slices"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// union are the alternatives of anyOf or oneOf.
type union struct {
	alternatives []*matcher
	// index numbers the unions of a Schema. whole asks for nothing but the union.
	index int
	whole *matcher
	// types are the types that the alternatives want, if each of them wants some.
	types []string
	// telling is the property whose text tells the alternatives apart; "" where there is none that does.
	telling string
	// byText lists for each text of that property the alternatives that allow it.
	byText map[string][]*matcher
	// quick finds texts of byText, as places in lists, where it is not nil.
	quick *textSet
	lists [][]*matcher
}

// unfit is what nothing fits.
var unfit = &matcher{never: true}

// told is what objects of the shape of one, which has some, are held against in place of a union: the one alternative that takes their
// keys, or the union where several do.
func (m *matching) told(u *union, v tape.Value, shape tape.Shape) *matcher {
	if told := m.plans.told; u.index < len(told) && int(shape) < len(told[u.index]) && told[u.index][shape] != nil {
		return told[u.index][shape]
	}
	told, possible := unfit, 0
	for _, s := range u.alternatives {
		if m.takesKeys(s, v, shape) {
			told = s
			possible++
		}
	}
	if possible > 1 || told == nil {
		told = u.whole
	}
	m.plans.tell(u, shape, told)
	return told
}

// takesKeys says that an object with the keys of one of some shape may be valid.
func (m *matching) takesKeys(s *matcher, v tape.Value, shape tape.Shape) bool {
	switch {
	case s == nil:
		return true
	case !s.glance.possible.has(tape.Object):
		return false
	}
	o := s.glance.object
	return o == nil || !m.plans.of(m, o, v, shape).refused
}

// unionFits holds an object against a union.
func (m *matching) unionFits(u *union, v tape.Value) bool {
	if shape := v.Shape(); shape != 0 {
		return m.fits(m.told(u, v, shape), v)
	}
	return m.fits(u.whole, v)
}

// objectOf is what objects of the shape of one are held against; nil where that is not all, or nothing.
func (m *matching) objectOf(g *glance, v tape.Value) *objectMatcher {
	if shape := v.Shape(); g.union != nil && shape != 0 {
		return m.told(g.union, v, shape).glance.object
	}
	return g.object
}

// candidates are the alternatives that a value may fit: all of them, or those that its telling property leaves.
func (m *matching) candidates(u *union, v tape.Value) []*matcher {
	if u.byText == nil || v.Kind() != tape.Object {
		return u.alternatives
	}
	told, present := v.Get(u.telling)
	if !present {
		return u.alternatives
	}
	if told.Kind() != tape.String {
		return nil
	}
	if u.quick == nil || told.Escaped() {
		return u.byText[string(m.textOf(told))]
	}
	if place := u.quick.find(told); place >= 0 {
		return u.lists[place]
	}
	return nil
}

func (m *matching) fitsAny(u *union, v tape.Value) bool {
	for _, s := range m.candidates(u, v) {
		if m.fits(s, v) {
			return true
		}
	}
	return false
}

func (m *matching) fitsOne(u *union, v tape.Value) bool {
	fitting := 0
	for _, s := range m.candidates(u, v) {
		if m.fits(s, v) {
			if fitting++; fitting > 1 {
				return false
			}
		}
	}
	return fitting == 1
}

// tellApart finds the property that tells the alternatives apart best: for an object each of them lists the texts that the
// property may be, and few allow the same.
func (u *union) tellApart() {
	var objects []*matcher
	for _, s := range u.alternatives {
		if s == nil {
			return
		}
		if s.kinds.has(tape.Object) {
			objects = append(objects, s)
		}
	}
	if len(objects) < 2 || objects[0].object == nil {
		return
	}
	fewest := len(objects)
	for _, name := range slices.Sorted(maps.Keys(objects[0].object.properties)) {
		byText, most := textsOf(objects, name)
		if byText != nil && most < fewest {
			u.telling, u.byText, fewest = name, byText, most
		}
	}
	texts := slices.Sorted(maps.Keys(u.byText))
	u.quick = textSetOf(texts)
	for _, text := range texts {
		u.lists = append(u.lists, u.byText[text])
	}
}

// textsOf lists the schemas that allow each text of a property, and how many allow the same one at most; nil where one of
// them allows something else than listed texts.
func textsOf(objects []*matcher, name string) (byText map[string][]*matcher, most int) {
	byText = map[string][]*matcher{}
	for _, s := range objects {
		if s.object == nil {
			return nil, 0
		}
		listed := s.object.properties[name].value.onlyTexts()
		if listed == nil {
			return nil, 0
		}
		for text := range listed.texts {
			byText[text] = append(byText[text], s)
			most = max(most, len(byText[text]))
		}
	}
	return byText, most
}

// onlyTexts returns the enum or const of a schema that lists texts only.
func (s *matcher) onlyTexts() *listing {
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.listings, func(l *listing) bool { return len(l.texts) == l.size })
	if i < 0 {
		return nil
	}
	return s.listings[i]
}
