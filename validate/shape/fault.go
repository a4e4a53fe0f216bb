package shape

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// fault is one keyword that a value breaks.
type fault struct {
	code   finding.Code
	schema *matcher
	value  tape.Value
	// path leads from the row to the value.
	path []token
	// name is what the keyword says: the property that is missing, the limit that is broken, the pattern, the format, the
	// types. With the code and the value it tells one fault from another.
	name string
	// by is the property that asks for the missing one.
	by string
	// key is the property that is not allowed, where hasKey.
	key    tape.Value
	hasKey bool
	// site is the number of the schema where its words do not tell it from another one.
	site int
	// listing is the enum or const.
	listing *listing
}

// token is one step on the way from a row to a value: to a member, by its key, or to an element, by its index.
type token struct {
	key   tape.Value
	index int
	// inArray says that the step leads to an element.
	inArray bool
}

func (t token) text() string {
	if t.inArray {
		return strconv.Itoa(t.index)
	}
	return t.key.Text()
}

// collector finds everything that is wrong with a value.
type collector struct {
	*matching
	faults []fault
	// path leads to the value at hand; paths holds those of faults.
	path, paths []token
	// seen are the schemas that a value was held against already, where that may happen several times.
	seen map[visit]bool
	// full is called when there are maxFaults, to take them over; nil to collect on.
	full func()
}

// maxFaults is how many faults are held at a time: a row may be hundreds of megabytes of them.
const maxFaults = 4096

// visit is a value held against a schema.
type visit struct {
	schema *matcher
	value  tape.Value
}

// collect adds what is wrong with a value.
func (c *collector) collect(s *matcher, v tape.Value) {
	if s == nil || s.remembered && c.again(s, v) {
		return
	}
	kind := v.Kind()
	switch {
	case s.never:
		c.add(fault{code: finding.SchemaFalse, schema: s, value: v})
		return
	case !s.kinds.has(kind) || kind == tape.Number && s.whole && !isWhole(v):
		c.add(fault{code: finding.SchemaType, schema: s, value: v, name: s.types})
		return
	}
	switch {
	case kind == tape.String && s.text != nil:
		c.text(s, v)
	case kind == tape.Number && s.number != nil:
		c.number(s, v)
	case kind == tape.Array && s.array != nil:
		c.array(s, v)
	case kind == tape.Object && s.object != nil:
		c.object(s, v)
	}
	for _, l := range s.listings {
		if !c.lists(l, v) {
			c.add(fault{code: l.code, schema: s, value: v, name: l.exact, listing: l})
		}
	}
	if s.inPlace != nil {
		c.inPlace(s, v)
	}
}

func (c *collector) again(s *matcher, v tape.Value) bool {
	key := visit{s, v}
	if c.seen[key] {
		return true
	}
	if c.seen == nil {
		c.seen = map[visit]bool{}
	}
	c.seen[key] = true
	return false
}

// add keeps a fault of the value at hand.
func (c *collector) add(f fault) {
	from := len(c.paths)
	c.paths = append(c.paths, c.path...)
	f.path = c.paths[from:len(c.paths):len(c.paths)]
	c.faults = append(c.faults, f)
	if len(c.faults) >= maxFaults && c.full != nil {
		c.full()
	}
}

func (c *collector) text(s *matcher, v tape.Value) {
	t := s.text
	if t.bounded() {
		switch n := v.Chars(); {
		case n < t.least:
			c.add(fault{code: finding.SchemaMinLength, schema: s, value: v, name: strconv.Itoa(t.least)})
		case n > t.most:
			c.add(fault{code: finding.SchemaMaxLength, schema: s, value: v, name: strconv.Itoa(t.most)})
		}
	}
	if t.pattern != nil && !t.pattern.matches(c.textOf(v)) {
		c.add(fault{code: finding.SchemaPattern, schema: s, value: v, name: t.written})
	}
	if t.format != nil && !t.format(c.textOf(v)) {
		c.add(fault{code: finding.SchemaFormat, schema: s, value: v, name: t.formatName})
	}
}

func (c *collector) number(s *matcher, v tape.Value) {
	number, n := s.number, numeralOf(v.Raw())
	if limit := number.minimum; limit != nil && limit.compare(&n) < 0 {
		c.add(fault{code: finding.SchemaMinimum, schema: s, value: v, name: limit.text})
	}
	if limit := number.exclusiveMinimum; limit != nil && limit.compare(&n) <= 0 {
		c.add(fault{code: finding.SchemaExclusiveMinimum, schema: s, value: v, name: limit.text})
	}
	if limit := number.maximum; limit != nil && limit.compare(&n) > 0 {
		c.add(fault{code: finding.SchemaMaximum, schema: s, value: v, name: limit.text})
	}
	if limit := number.exclusiveMaximum; limit != nil && limit.compare(&n) >= 0 {
		c.add(fault{code: finding.SchemaExclusiveMaximum, schema: s, value: v, name: limit.text})
	}
	if limit := number.multipleOf; limit != nil && !limit.divides(&n) {
		c.add(fault{code: finding.SchemaMultipleOf, schema: s, value: v, name: limit.text})
	}
}

func (c *collector) array(s *matcher, v tape.Value) {
	a, n := s.array, v.Len()
	if n < a.least {
		c.add(fault{code: finding.SchemaMinItems, schema: s, value: v, name: strconv.Itoa(a.least)})
	}
	if n > a.most {
		c.add(fault{code: finding.SchemaMaxItems, schema: s, value: v, name: strconv.Itoa(a.most)})
	}
	if a.closed && n > len(a.list) {
		c.add(fault{code: finding.SchemaAdditionalItems, schema: s, value: v})
	}
	if a.rest != nil || len(a.list) > 0 {
		for i, element := range v.Elements() {
			c.inside(token{index: i, inArray: true}, a.element(i), element)
		}
	}
	if a.hasContains && !c.contains(a.contains, v) {
		c.add(fault{code: finding.SchemaContains, schema: s, value: v, site: s.id})
	}
	if a.unique {
		if _, _, equal := c.unique.find(v); equal {
			c.add(fault{code: finding.SchemaUniqueItems, schema: s, value: v})
		}
	}
}

// inside collects what is wrong with a member or element.
func (c *collector) inside(t token, s *matcher, v tape.Value) {
	c.path = append(c.path, t)
	c.collect(s, v)
	c.path = c.path[:len(c.path)-1]
}

func (c *collector) object(s *matcher, v tape.Value) {
	o, n := s.object, v.Len()
	if n < o.least {
		c.add(fault{code: finding.SchemaMinProperties, schema: s, value: v, name: strconv.Itoa(o.least)})
	}
	if n > o.most {
		c.add(fault{code: finding.SchemaMaxProperties, schema: s, value: v, name: strconv.Itoa(o.most)})
	}
	required := 0
	for key, value := range v.Members() {
		if o.properties[string(c.textOf(key))].required {
			required++
		}
		c.member(s, v, key, value)
	}
	if required < len(o.required) {
		for _, name := range o.required {
			if _, present := v.Get(name); !present {
				c.add(fault{code: finding.SchemaRequired, schema: s, value: v, name: name})
			}
		}
	}
	for i := range o.dependencies {
		c.dependency(s, &o.dependencies[i], v)
	}
}

func (c *collector) member(s *matcher, object, key, value tape.Value) {
	o := s.object
	if o.names != nil && !c.fits(o.names, key) {
		c.add(fault{code: finding.SchemaPropertyNames, schema: s, value: object, site: s.id, key: key, hasKey: true})
	}
	p := o.properties[string(c.textOf(key))]
	known := p.declared
	if p.value != nil {
		c.inside(token{key: key}, p.value, value)
	}
	for i := range o.patterns {
		if pattern := &o.patterns[i]; pattern.name.matches(c.textOf(key)) {
			known = true
			c.inside(token{key: key}, pattern.value, value)
		}
	}
	switch {
	case known:
	case o.closed:
		c.add(fault{code: finding.SchemaAdditionalProperties, schema: s, value: object, key: key, hasKey: true})
	case o.additional != nil:
		c.inside(token{key: key}, o.additional, value)
	}
}

func (c *collector) dependency(s *matcher, d *dependency, v tape.Value) {
	if _, present := v.Get(d.property); !present {
		return
	}
	for _, name := range d.names {
		if _, present := v.Get(name); !present {
			c.add(fault{code: finding.SchemaDependencies, schema: s, value: v, name: name, by: d.property})
		}
	}
	c.collect(d.schema, v)
}

func (c *collector) inPlace(s *matcher, v tape.Value) {
	p := s.inPlace
	for _, inner := range p.all {
		c.collect(inner, v)
	}
	if p.any != nil && !c.fitsAny(p.any, v) {
		c.add(fault{code: finding.SchemaAnyOf, schema: s, value: v, site: s.id})
	}
	if p.one != nil && !c.fitsOne(p.one, v) {
		c.add(fault{code: finding.SchemaOneOf, schema: s, value: v, site: s.id})
	}
	if p.hasNot && c.fits(p.forbidden, v) {
		c.add(fault{code: finding.SchemaNot, schema: s, value: v, site: s.id})
	}
	if p.hasIf {
		c.collect(p.branch(c.matching, v), v)
	}
}

// sortFaults puts faults into the order of the values in the text, each once.
func sortFaults(faults []fault) []fault {
	if len(faults) < 2 {
		return faults
	}
	if !slices.IsSortedFunc(faults, compareFaults) {
		slices.SortStableFunc(faults, compareFaults)
	}
	return slices.CompactFunc(faults, func(a, b fault) bool { return compareFaults(a, b) == 0 })
}

func compareFaults(a, b fault) int {
	if order := cmp.Compare(a.value.Offset(), b.value.Offset()); order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(a.code, b.code), cmp.Compare(a.name, b.name),
		cmp.Compare(a.by, b.by), cmp.Compare(a.keyOffset(), b.keyOffset()), cmp.Compare(a.site, b.site),
	)
}

func (f *fault) keyOffset() int {
	if !f.hasKey {
		return -1
	}
	return f.key.Offset()
}
