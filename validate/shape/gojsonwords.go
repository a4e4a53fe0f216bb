package shape

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/xeipuuv/gojsonschema"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// translator says in our words why gojsonschema refused a row.
type translator struct {
	tree *tree
	// root is the schema that row, the row or the value that stands for it while an alternative is explained, was held
	// against; above is the path to it.
	root  *node
	row   tape.Value
	above []string
	// inElement says that rows are elements of an array.
	inElement bool
	// engines holds what parts of the schema were compiled to: alternatives of anyOf and oneOf, and the elements of an array.
	engines map[*node]*gojsonschema.Schema
	cells   typedCells
}

func newTranslator(t *tree) *translator {
	return &translator{tree: t, root: t.root, engines: map[*node]*gojsonschema.Schema{}}
}

// translate reports what is wrong with a row, as gojsonschema judges it.
func (o *Observer) translate(row *rows.Row) {
	t := o.translator
	t.row = row.Doc.Root()
	if row.Cells {
		t.row = t.cells.read(o.schema.cells, row.Doc).Root()
	}
	engine := o.schema.gojsonschema
	if o.schema.elements != nil {
		element := o.schema.ofRow(row)
		if element == nil {
			return
		}
		t.root, t.above, t.inElement = element.schema, []string{strconv.FormatInt(row.Index, 10)}, true
		engine = t.engine(t.root)
	}
	causes := t.judge(engine)
	offset := func(c cause) int {
		if len(c.path) < len(t.above) {
			return 0
		}
		return valueAt(t.row, c.path[len(t.above):]).Offset()
	}
	slices.SortStableFunc(causes, func(a, b cause) int { return cmp.Compare(offset(a), offset(b)) })
	lines := lineCounter{row: row}
	for _, c := range causes {
		line := lines.lineAt(offset(c))
		f := finding.New(c.code, "%s", c.message).At(row.Path, line).In(pointerTo(c.path))
		o.found.AddHinted(f, c.hint)
	}
}

// judge returns what is wrong with the row.
func (t *translator) judge(engine *gojsonschema.Schema) []cause {
	errs, err := validate(engine, t.row.Any())
	if err != nil {
		c := notJudged("the row cannot be held against the schema: gojsonschema fails on it")
		return []cause{c.hinting("a number beyond 1e308 in an array with uniqueItems does that")}
	}
	if len(errs) == 0 {
		return nil
	}
	causes := t.causes(treeOf(errs))
	isUnique := func(err gojsonschema.ResultError) bool { return err.Type() == "unique" }
	if len(causes) == 0 && !slices.ContainsFunc(errs, isUnique) {
		return []cause{notJudged("the row is refused by the schema: " + errs[0].Description())}
	}
	return causes
}

func notJudged(message string) cause {
	return cause{code: finding.SchemaRowNotJudged, message: message}
}

// causes explains errors. Of those that follow from one another only the ones that tell the cause are kept.
func (t *translator) causes(failures []*failure) []cause {
	var all []cause
	for _, f := range failures {
		all = append(all, t.explain(f)...)
	}
	return sortCauses(all)
}

// place finds the value that an error is about, and the schemas that may be applied to it.
func (t *translator) place(f *failure) place {
	path := f.tokens()
	schemas := t.tree.at(t.root, t.row, path)
	value := valueAt(t.row, path)
	if f.ofName {
		var names []*node
		for _, schema := range t.tree.with(schemas, "propertyNames") {
			names = append(names, t.tree.get(schema, "propertyNames"))
		}
		schemas = t.tree.withInPlace(names)
		value = nameIn(value, fmt.Sprint(f.err.Value()))
	}
	path = append(slices.Clone(t.above), path...)
	return place{path, value, func() []*node { return schemas }}
}

// nameIn finds the key of an object.
func nameIn(object tape.Value, name string) tape.Value {
	for key := range object.Members() {
		if textIs(key, name) {
			return key
		}
	}
	return object
}

// explain explains one error; none of the causes is left where the error was gojsonschema's own.
func (t *translator) explain(f *failure) []cause {
	if f.kind == thenFailed || f.kind == elseFailed {
		return t.causes(f.inner)
	}
	p := t.place(f)
	switch f.kind {
	case anyOfFailed:
		return t.union(f, p, finding.SchemaAnyOf)
	case oneOfFailed:
		return t.union(f, p, finding.SchemaOneOf)
	case containsFailed:
		inner, known := firstOf(t.causes(f.inner))
		return []cause{p.containsNothing(inner, known)}
	case nameFailed:
		inner, known := firstOf(t.causes(f.inner))
		return []cause{p.badName(detail(f, "property"), inner, known)}
	case "unique":
		i, j, found := new(uniqueTable).find(p.value)
		if !found {
			return nil
		}
		return []cause{p.equalElements(i, j)}
	case "number_not":
		if f.isListing() {
			return []cause{t.notListed(p)}
		}
		var under []*node
		for _, schema := range t.tree.with(p.schemas(), "not") {
			under = append(under, t.tree.get(schema, "not"))
		}
		return []cause{p.forbidden(t.tree, under)}
	}
	return []cause{t.single(f, p)}
}

// single explains an error about one keyword of one value.
func (t *translator) single(f *failure, p place) cause {
	switch f.kind {
	case "invalid_type":
		return t.wrongType(f, p)
	case "enum":
		return t.notListed(p)
	case "required":
		return p.missing(t.tree, detail(f, "property"))
	case "additional_property_not_allowed":
		return p.notAllowed(t.tree, detail(f, "property"))
	case "missing_dependency":
		return t.missingDependency(f, p)
	case "array_no_additional_items":
		return p.tooManyItems(sizeOf(p.value))
	case "false":
		return p.nothingAllowed(t.inArray(p))
	case "pattern":
		return p.differs(t.written(f, p))
	case "format":
		return p.malformed(strings.TrimPrefix(detail(f, "format"), formatPrefix))
	case "string_gte":
		return p.short(detail(f, "min"))
	case "string_lte":
		return p.long(detail(f, "max"))
	case "array_min_items":
		return p.tooFew(finding.SchemaMinItems, sizeOf(p.value), detail(f, "min"))
	case "array_max_items":
		return p.tooMany(finding.SchemaMaxItems, sizeOf(p.value), detail(f, "max"))
	case "array_min_properties":
		return p.tooFew(finding.SchemaMinProperties, sizeOf(p.value), detail(f, "min"))
	case "array_max_properties":
		return p.tooMany(finding.SchemaMaxProperties, sizeOf(p.value), detail(f, "max"))
	case "number_gte":
		return p.beyond(finding.SchemaMinimum, t.limit(f, p, "min"))
	case "number_gt":
		return p.beyond(finding.SchemaExclusiveMinimum, t.limit(f, p, "min"))
	case "number_lte":
		return p.beyond(finding.SchemaMaximum, t.limit(f, p, "max"))
	case "number_lt":
		return p.beyond(finding.SchemaExclusiveMaximum, t.limit(f, p, "max"))
	case "multiple_of":
		return p.beyond(finding.SchemaMultipleOf, t.limit(f, p, "multiple"))
	}
	return notJudged(fmt.Sprintf("%s is refused by the schema: %s", p.subject(), f.err.Description()))
}

// detail is a detail of gojsonschema's error as text.
func detail(f *failure, name string) string { return fmt.Sprint(f.err.Details()[name]) }

// inArray says that the value at a place is an element of an array.
func (t *translator) inArray(p place) bool {
	own := p.path[len(t.above):]
	if len(own) == 0 {
		return t.inElement && len(p.path) == 1
	}
	return valueAt(t.row, own[:len(own)-1]).Kind() == tape.Array
}

func (t *translator) wrongType(f *failure, p place) cause {
	typed := slices.ContainsFunc(p.schemas(), func(schema *node) bool {
		return len(t.tree.typesOf(schema)) > 0 && !hasType(p.value, t.tree.typesOf(schema))
	})
	if !typed {
		return t.notListed(p)
	}
	return p.typed(finding.SchemaType, strings.Split(strings.Trim(detail(f, "expected"), "[]"), ","))
}

// notListed explains enum and const.
func (t *translator) notListed(p place) cause {
	for _, schema := range p.schemas() {
		if value := t.tree.get(schema, "const"); value != nil && !value.is(p.value) {
			return p.notConstant(value)
		}
		value := t.tree.get(schema, "enum")
		if value == nil || slices.ContainsFunc(value.children, func(c *node) bool { return c.is(p.value) }) {
			continue
		}
		return p.notAmong(value.children)
	}
	return p.because(finding.SchemaEnum, "%s is not one of the values that enum lists", shown(p.value))
}

func (t *translator) missingDependency(f *failure, p place) cause {
	name := detail(f, "dependency")
	for _, schema := range t.tree.with(p.schemas(), "dependencies") {
		for _, child := range t.tree.usable(t.tree.get(schema, "dependencies")) {
			_, present := p.value.Get(child.token)
			if present && child.kind == tape.Array && slices.Contains(distinct(child), name) {
				return p.dependency(name, child.token)
			}
		}
	}
	return p.because(finding.SchemaDependencies, "the property %s is missing, and another one asks for it", quote(name))
}

// written is a pattern as the schema writes it; gojsonschema has its translation.
func (t *translator) written(f *failure, p place) string {
	translated := detail(f, "pattern")
	for _, schema := range t.tree.with(p.schemas(), "pattern") {
		value := t.tree.get(schema, "pattern")
		if t.tree.patterns[value.text].String() == translated {
			return value.text
		}
	}
	return translated
}

// limits are the keywords that a number of the schema may stand under, by gojsonschema's name of the detail.
var limits = map[string][]string{
	"min": {"minimum", "exclusiveMinimum"}, "max": {"maximum", "exclusiveMaximum"}, "multiple": {"multipleOf"},
}

// limit is a number of the schema, as it is written there; gojsonschema rounds it.
func (t *translator) limit(f *failure, p place, name string) string {
	rounded, _ := f.err.Details()[name].(*big.Float)
	for _, schema := range p.schemas() {
		for _, keyword := range limits[name] {
			value := t.tree.get(schema, keyword)
			if value == nil || rounded == nil {
				continue
			}
			if exact, ok := exactly(value); ok && new(big.Float).SetRat(exact).Cmp(rounded) == 0 {
				return value.text
			}
		}
	}
	return detail(f, name)
}

// union explains anyOf and oneOf. gojsonschema tells of one alternative only, and often not of the one that was meant: they
// are held against the value once more, each for itself.
func (t *translator) union(f *failure, p place, code finding.Code) []cause {
	keyword := unionKeywords[code]
	if unions := t.tree.with(p.schemas(), keyword); len(unions) == 1 {
		return t.choose(p, code, t.tree.get(unions[0], keyword).children)
	}
	if len(f.inner) == 0 {
		c := p.because(code, "%s fits more than one alternative of %s", p.subject(), keyword)
		return []cause{c.hinting("let the alternatives exclude each other, or use anyOf")}
	}
	first, more, ok := nearestOf(t.causes(f.inner))
	if !ok {
		return nil
	}
	return []cause{p.fitsNone(code, "no alternative of "+keyword, first, more)}
}

// choose holds each alternative against the value. There is nothing to explain where they, each for itself, fit as they
// should.
func (t *translator) choose(p place, code finding.Code, alternatives []*node) []cause {
	if types := t.tree.typesOfAll(alternatives); len(types) > 0 && !hasType(p.value, types) {
		return []cause{p.typed(code, types)}
	}
	var fitting []int
	var best trial
	for i, alternative := range alternatives {
		tried := t.try(alternative, p)
		if len(tried.failures) == 0 {
			fitting = append(fitting, i)
		} else if best.failures == nil || tried.compare(best.distance) < 0 {
			best = tried
		}
	}
	switch {
	case len(fitting) > 1 && code == finding.SchemaOneOf:
		return []cause{p.fitsSeveral(fitting)}
	case len(fitting) > 0:
		return nil
	}
	first, more, ok := nearestOf(best.causes(best.failures))
	if !ok {
		return nil
	}
	return []cause{p.fitsNone(code, noneOf(len(alternatives), code), first, more)}
}

func firstOf(causes []cause) (first cause, ok bool) {
	if len(causes) == 0 {
		return cause{}, false
	}
	return causes[0], true
}

// nearestOf picks the cause that most likely tells why an alternative does not fit.
func nearestOf(causes []cause) (first cause, more int, ok bool) {
	if len(causes) == 0 {
		return cause{}, 0, false
	}
	first = slices.MinFunc(causes, func(a, b cause) int { return cmp.Compare(rank(a.code), rank(b.code)) })
	return first, len(causes) - 1, true
}

// trial is one alternative held against a value.
type trial struct {
	*translator
	failures []*failure
	distance
}

// engine is what a part of the schema compiles to. The whole of it compiles, so the part does as well.
func (t *translator) engine(part *node) *gojsonschema.Schema {
	engine := t.engines[part]
	if engine == nil {
		engine, _ = compile(lower(t.tree, part))
		t.engines[part] = engine
	}
	return engine
}

// try holds one alternative against the value.
func (t *translator) try(alternative *node, p place) trial {
	errs, _ := validate(t.engine(alternative), p.value.Any())
	failures := treeOf(errs)
	inside := &translator{
		tree: t.tree, root: alternative, row: p.value, above: p.path, inElement: t.inElement, engines: t.engines,
	}
	return trial{inside, failures, distanceOf(failures)}
}

func distanceOf(failures []*failure) distance {
	var d distance
	for _, f := range failures {
		if f.kind == thenFailed || f.kind == elseFailed {
			inner := distanceOf(f.inner)
			d.wrongType, d.wrongConstant, d.all = d.wrongType+inner.wrongType, d.wrongConstant+inner.wrongConstant, d.all+inner.all
			continue
		}
		d.all++
		depth := len(f.tokens())
		if f.kind == "invalid_type" && depth == 0 {
			d.wrongType++
		}
		if f.isListing() && depth <= 1 {
			d.wrongConstant++
		}
	}
	return d
}
