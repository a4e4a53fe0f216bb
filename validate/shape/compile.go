package shape

import (
	"math"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// unbounded is a length or size that nothing reaches.
const unbounded = math.MaxInt

// compiler compiles the schemas of a tree to matchers: each schema once, however many references lead to it.
type compiler struct {
	*tree
	known map[*node]*matcher
	// uses counts what leads to a schema.
	uses    map[*matcher]int
	done    map[*matcher]bool
	objects int
	unions  []*union
	// branches says that some schema may lead into one value on more than one way.
	branches    bool
	expressions map[string]*expression
}

func newCompiler(t *tree) *compiler {
	return &compiler{
		tree: t, known: map[*node]*matcher{}, uses: map[*matcher]int{}, done: map[*matcher]bool{},
		expressions: map[string]*expression{},
	}
}

// compileTree compiles a schema and all it refers to.
func (c *compiler) compileTree(schema *node) *matcher {
	root := c.compile(schema)
	for _, u := range c.unions {
		u.tellApart()
	}
	for _, s := range c.known {
		leads := s.array != nil || s.object != nil || s.inPlace != nil
		s.remembered = c.branches && c.uses[s] > 1 && leads
	}
	for _, s := range c.known {
		s.look()
	}
	return root
}

// compile returns the matcher of a schema, nil for one that lets everything pass.
func (c *compiler) compile(schema *node) *matcher {
	schema = c.deref(schema)
	if c.out[schema] || schema.kind == tape.True {
		return nil
	}
	s := c.known[schema]
	if s == nil {
		s = &matcher{schema: schema, id: len(c.known), kinds: allKinds}
		c.known[schema] = s
		c.fill(s)
		c.done[s] = true
	}
	c.uses[s]++
	if c.done[s] && s.passesAll() {
		return nil
	}
	return s
}

func (s *matcher) passesAll() bool {
	return s.kinds == allKinds && !s.whole && s.listings == nil && s.number == nil && s.text == nil && s.array == nil &&
		s.object == nil && s.inPlace == nil
}

func (c *compiler) fill(s *matcher) {
	if s.schema.kind == tape.False {
		s.kinds, s.never = 0, true
		return
	}
	c.types(s)
	c.listings(s)
	s.number = c.number(s.schema)
	s.text = c.text(s.schema)
	s.array = c.array(s.schema)
	s.object = c.object(s.schema)
	s.inPlace = c.inPlace(s.schema)
	if s.ways() > 1 {
		c.branches = true
	}
}

// ways counts the schemas through which a value's members or elements may be reached: the schema itself, those in place
// of it, and more than one for the same member.
func (s *matcher) ways() int {
	n := 0
	if o := s.object; o != nil {
		n++
		n += len(o.patterns)
		for _, d := range o.dependencies {
			if d.schema != nil {
				n++
			}
		}
	}
	if a := s.array; a != nil {
		n++
		if a.contains != nil {
			n++
		}
	}
	if p := s.inPlace; p != nil {
		n += len(p.all)
		for _, u := range []*union{p.any, p.one} {
			if u != nil {
				n += len(u.alternatives)
			}
		}
		for _, one := range []*matcher{p.forbidden, p.condition, p.then, p.orElse} {
			if one != nil {
				n++
			}
		}
	}
	return n
}

func (c *compiler) types(s *matcher) {
	names := c.typesOf(s.schema)
	if len(names) == 0 {
		return
	}
	s.kinds, s.types = 0, strings.Join(names, ",")
	for _, name := range names {
		switch name {
		case "integer":
			s.whole = !s.kinds.has(tape.Number)
			s.kinds |= 1 << tape.Number
		case "number":
			s.whole = false
			s.kinds |= 1 << tape.Number
		default:
			for kind := tape.Null; kind <= tape.Object; kind++ {
				if kind.String() == name {
					s.kinds |= 1 << kind
				}
			}
		}
	}
}

func (c *compiler) listings(s *matcher) {
	if value := c.get(s.schema, "const"); value != nil {
		s.listings = append(s.listings, listingOf(finding.SchemaConst, []*node{value}))
	}
	if value := c.get(s.schema, "enum"); value != nil {
		s.listings = append(s.listings, listingOf(finding.SchemaEnum, value.children))
	}
}

func (c *compiler) number(schema *node) *numberMatcher {
	n := &numberMatcher{}
	n.minimum, n.exclusiveMinimum = c.bounds(schema, "minimum", "exclusiveMinimum")
	n.maximum, n.exclusiveMaximum = c.bounds(schema, "maximum", "exclusiveMaximum")
	if value := c.get(schema, "multipleOf"); value != nil {
		n.multipleOf = factorOf(value.text)
	}
	if *n == (numberMatcher{}) {
		return nil
	}
	n.natural = *n == (numberMatcher{minimum: n.minimum}) && n.minimum.isZero()
	return n
}

// bounds are the two bounds at one end. In draft 4 the exclusive one says whether the other is.
func (c *compiler) bounds(schema *node, inclusive, exclusive string) (loose, strict *bound) {
	limit, other := c.get(schema, inclusive), c.get(schema, exclusive)
	if limit != nil && other != nil && other.kind == tape.True {
		return nil, boundOf(limit.text)
	}
	if limit != nil {
		loose = boundOf(limit.text)
	}
	if other != nil && other.kind == tape.Number {
		strict = boundOf(other.text)
	}
	return loose, strict
}

// count is the whole number that a keyword holds, otherwise when there is none.
func (c *compiler) count(schema *node, name string, otherwise int) int {
	value := c.get(schema, name)
	if value == nil {
		return otherwise
	}
	exact, _ := exactly(value)
	if !exact.Num().IsInt64() {
		return unbounded
	}
	return int(min(exact.Num().Int64(), unbounded))
}

func (c *compiler) text(schema *node) *textMatcher {
	t := &textMatcher{least: c.count(schema, "minLength", 0), most: c.count(schema, "maxLength", unbounded)}
	if value := c.get(schema, "pattern"); value != nil {
		t.pattern, t.written = c.expression(value.text), value.text
	}
	if value := c.get(schema, "format"); value != nil {
		t.format, t.formatName = formats[value.text], value.text
	}
	if !t.bounded() && t.pattern == nil && t.format == nil {
		return nil
	}
	return t
}

func (c *compiler) expression(written string) *expression {
	e := c.expressions[written]
	if e == nil {
		e = expressionOf(c.patterns[written])
		c.expressions[written] = e
	}
	return e
}

func (c *compiler) array(schema *node) *arrayMatcher {
	a := &arrayMatcher{least: c.count(schema, "minItems", 0), most: c.count(schema, "maxItems", unbounded)}
	if value := c.get(schema, "uniqueItems"); value != nil {
		a.unique = value.kind == tape.True
	}
	items, additional := c.get(schema, "items"), c.get(schema, "additionalItems")
	switch {
	case items == nil:
	case items.kind != tape.Array:
		a.rest = c.compile(items)
	default:
		for _, child := range items.children {
			a.list = append(a.list, c.compile(child))
		}
		switch {
		case additional == nil:
		case additional.kind == tape.False && len(a.list) > 0:
			a.closed = true
		default:
			a.rest = c.compile(additional)
		}
	}
	if value := c.get(schema, "contains"); value != nil {
		a.contains, a.hasContains = c.compile(value), true
	}
	if a.least == 0 && a.most == unbounded && !a.unique && a.list == nil && a.rest == nil && !a.hasContains {
		return nil
	}
	return a
}

func (c *compiler) object(schema *node) *objectMatcher {
	o := &objectMatcher{
		least: c.count(schema, "minProperties", 0), most: c.count(schema, "maxProperties", unbounded),
		properties: map[string]property{},
	}
	c.properties(o, schema)
	additional := c.get(schema, "additionalProperties")
	if value := c.get(schema, "patternProperties"); value != nil {
		for _, child := range value.children {
			if c.patterns[child.token] == nil {
				additional = nil // nobody can tell which properties the pattern was meant for
				continue
			}
			o.patterns = append(o.patterns, patternProperty{c.expression(child.token), c.compile(child)})
		}
	}
	switch {
	case additional == nil:
	case additional.kind == tape.False:
		o.closed = true
	default:
		o.additional = c.compile(additional)
	}
	if value := c.get(schema, "propertyNames"); value != nil {
		o.names = c.compile(value)
	}
	if value := c.get(schema, "dependencies"); value != nil {
		for _, child := range c.usable(value) {
			d := dependency{property: child.token}
			if child.kind == tape.Array {
				d.names = distinct(child)
			} else {
				d.schema = c.compile(child)
			}
			o.dependencies = append(o.dependencies, d)
		}
	}
	if o.least == 0 && o.most == unbounded && len(o.properties) == 0 && len(o.patterns) == 0 && o.additional == nil &&
		!o.closed && o.names == nil && len(o.dependencies) == 0 {
		return nil
	}
	o.index = c.objects
	c.objects++
	return o
}

func (c *compiler) properties(o *objectMatcher, schema *node) {
	if value := c.get(schema, "properties"); value != nil {
		for _, child := range value.children {
			o.properties[child.token] = property{value: c.compile(child), declared: true}
		}
	}
	if value := c.get(schema, "required"); value != nil {
		o.required = distinct(value)
		for _, name := range o.required {
			p := o.properties[name]
			p.required = true
			o.properties[name] = p
		}
	}
}

func (c *compiler) inPlace(schema *node) *inPlace {
	p := &inPlace{}
	if value := c.get(schema, "allOf"); value != nil {
		for _, child := range c.usable(value) {
			if s := c.compile(child); s != nil {
				p.all = append(p.all, s)
			}
		}
	}
	p.any, p.one = c.union(schema, "anyOf"), c.union(schema, "oneOf")
	if value := c.whole(schema, "not"); value != nil {
		p.forbidden, p.hasNot = c.compile(value), true
	}
	if value := c.whole(schema, "if"); value != nil {
		p.hasIf = true
		p.condition = c.compile(value)
		if branch := c.get(schema, "then"); branch != nil {
			p.then = c.compile(branch)
		}
		if branch := c.get(schema, "else"); branch != nil {
			p.orElse = c.compile(branch)
		}
	}
	if len(p.all) == 0 && p.any == nil && p.one == nil && !p.hasNot && !p.hasIf {
		return nil
	}
	return p
}

func (c *compiler) union(schema *node, name string) *union {
	value := c.whole(schema, name)
	if value == nil {
		return nil
	}
	u := &union{types: c.typesOfAll(value.children)}
	for _, child := range value.children {
		u.alternatives = append(u.alternatives, c.compile(child))
	}
	u.index, u.whole = len(c.unions), &matcher{kinds: allKinds, inPlace: &inPlace{any: u}}
	if name == "oneOf" {
		u.whole.inPlace = &inPlace{one: u}
	}
	u.whole.glance = u.whole.blind()
	c.unions = append(c.unions, u)
	return u
}
