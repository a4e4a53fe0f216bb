package column

import "slices"

// sketch is what types are made of: the kinds of values of a field and of everything inside it, in one batch or in all
// data of a config.
type sketch struct {
	name string
	// all are the kinds seen, pure those seen in batches of one kind only; mixed says that some batch has several.
	all, pure kinds
	mixed     bool
	// differ says that the objects do not all have the same keys, as far as the loader looks at that.
	differ  bool
	wide    bool
	cells   bool
	members []*sketch
	element *sketch
	// inFirstRow says that the first row has the field.
	inFirstRow bool
}

// Config returns the features of a config from the observers of its splits in their order: what load_dataset infers from
// the first batch of the first split, if all data surely fits it; else the types that hold for all data. Without
// rows, or with rows of very many fields, there are none.
func Config(splits []*Observer) Features {
	splits = slices.DeleteFunc(slices.Clone(splits), func(o *Observer) bool { return o.batches == 0 })
	if len(splits) == 0 {
		return nil
	}
	whole := &sketch{}
	for i, o := range splits {
		whole.unite(o.whole(i == 0))
	}
	if whole.wide {
		return nil
	}
	if first := splits[0].FirstBatch(); whole.fits(first) {
		return first
	}
	return whole.features()
}

// FirstBatch returns the features that load_dataset infers from the first batch of the split, which it then demands of all
// other data of the config when this is its first split.
func (o *Observer) FirstBatch() Features {
	if o.batches == 0 {
		return nil
	}
	s := o.openingSketch(o.root)
	s.members = readdJSON(s.members)
	return s.features()
}

// readdJSON puts the columns with Json in them that the first row lacks behind those that it has: the loader adds them to
// every row before it infers the schema.
func readdJSON(columns []*sketch) []*sketch {
	var first, added, rest []*sketch
	for _, c := range columns {
		switch {
		case c.inFirstRow:
			first = append(first, c)
		case c.typ().holdsJSON():
			added = append(added, c)
		default:
			rest = append(rest, c)
		}
	}
	return slices.Concat(first, added, rest)
}

// holdsJSON says that the type is Json or has it in it.
func (t Type) holdsJSON() bool {
	if t.List != nil {
		return t.List.holdsJSON()
	}
	return t.Dtype == dtypeJSON || slices.ContainsFunc(t.Struct, func(f Feature) bool { return f.Type.holdsJSON() })
}

// openingSketch is what the first batch of the run shows of a field.
func (o *Observer) openingSketch(f *field) *sketch {
	b := f.opening(o.batches)
	s := &sketch{name: f.name, all: b.kinds &^ isNull, wide: f.wide, cells: o.cells, differ: o.differ(f)}
	s.inFirstRow = f.inFirstRow
	if o.cells {
		s.all = b.kinds.cells() &^ isNull
	}
	for _, m := range f.members {
		if m.opening(o.batches).present > 0 {
			s.members = append(s.members, o.openingSketch(m))
		}
	}
	if f.element != nil && f.element.opening(o.batches).present > 0 {
		s.element = o.openingSketch(f.element)
	}
	return s
}

// differ says that objects of the first batch have different keys, or none at all. The loader does not look when pandas
// cannot read a number of the batch. The keys of rows may differ.
func (o *Observer) differ(f *field) bool {
	objects := f.opening(o.batches).objects
	if objects == 0 || f == o.root || o.root.opening(o.batches).refused {
		return false
	}
	some := false
	for _, m := range f.members {
		present := m.opening(o.batches).present
		if present > 0 && present < objects {
			return true
		}
		some = some || present > 0
	}
	return !some
}

// whole sketches all data of the split. first says that it is the first split of its config.
func (o *Observer) whole(first bool) *sketch { return o.wholeSketch(o.root, first) }

func (o *Observer) wholeSketch(f *field, first bool) *sketch {
	sum := o.total(f, places{})
	s := &sketch{name: f.name, all: sum.all, pure: sum.pure, mixed: sum.mixed, wide: f.wide, cells: o.cells}
	s.differ = first && o.differ(f)
	for _, m := range f.members {
		s.members = append(s.members, o.wholeSketch(m, first))
	}
	if f.element != nil {
		s.element = o.wholeSketch(f.element, first)
	}
	return s
}

// unite adds what another split shows of the same field.
func (s *sketch) unite(next *sketch) {
	s.all |= next.all
	s.pure |= next.pure
	s.mixed = s.mixed || next.mixed
	s.wide = s.wide || next.wide
	s.differ = s.differ || next.differ
	s.cells = s.cells || next.cells
	byName := map[string]*sketch{}
	for _, m := range s.members {
		byName[m.name] = m
	}
	for _, m := range next.members {
		if own := byName[m.name]; own != nil {
			own.unite(m)
		} else {
			s.members = append(s.members, m)
		}
	}
	switch {
	case s.element == nil:
		s.element = next.element
	case next.element != nil:
		s.element.unite(next.element)
	}
}

func (s *sketch) features() Features {
	out := Features{}
	for _, m := range s.members {
		out = append(out, Feature{m.name, m.typ()})
	}
	return out
}

// typ is the type that holds for everything that was seen.
func (s *sketch) typ() Type {
	switch k := s.all; {
	case s.cells:
		return Type{Dtype: cellDtype(k)}
	case s.wide, s.differ, k.mixed():
		return Type{Dtype: dtypeJSON}
	case k.has(isObject):
		return Type{Struct: s.features()}
	case k.has(isList):
		element := Type{Dtype: dtypeNull}
		if s.element != nil {
			element = s.element.typ()
		}
		return Type{List: &element}
	default:
		return Type{Dtype: scalarDtype(k)}
	}
}

// scalarDtype is the Arrow type of values of one kind.
func scalarDtype(k kinds) string {
	switch {
	case k == 0:
		return dtypeNull
	case k.only(isBool):
		return dtypeBool
	case k.only(isInteger):
		return dtypeInt64
	case k.only(isNumber):
		return dtypeFloat64
	case k.only(isDate | isZoned):
		return dtypeTimestamp
	}
	return dtypeString
}

// cellDtype is the type of a CSV column from what its chunks are.
func cellDtype(k kinds) string {
	switch {
	case k == 0:
		return dtypeFloat64
	case k.only(isBool):
		return dtypeBool
	case k.only(isInteger):
		return dtypeInt64
	case k.only(isInteger | isUint):
		return dtypeUint64
	case k.only(isNumber):
		return dtypeFloat64
	}
	return dtypeString
}

// fits says that the loader surely casts all data of an object, or of the rows, to these fields. It may say no although the
// loader would manage.
func (s *sketch) fits(fields []Feature) bool {
	types := map[string]Type{}
	for _, f := range fields {
		types[f.Name] = f.Type
	}
	for _, m := range s.members {
		t, ok := types[m.name]
		if !ok || !m.castable(t) {
			return false
		}
	}
	return true
}

// castable says that all values surely cast to a type.
func (s *sketch) castable(t Type) bool {
	switch {
	case t.Dtype == dtypeJSON:
		return true
	case t.Dtype == dtypeString:
		return s.pure.only(isScalar)
	case s.mixed:
		return s.all != 0 && s.all.only(parsedTo(t.Dtype))
	case s.wide:
		return false
	case t.Struct != nil:
		return s.all.only(isObject) && s.fits(t.Struct)
	case t.List != nil:
		return s.all.only(isList) && (s.element == nil || s.element.castable(*t.List))
	}
	return s.all.only(castTo(t.Dtype))
}

// castTo are the kinds that surely cast to a dtype, in batches of one kind each.
func castTo(dtype string) kinds {
	switch dtype {
	case dtypeBool:
		return isBool | isNumber | isTruth | isBit
	case dtypeInt64:
		return isBool | isInteger | isWhole | isGreat | isDate | isZoned | isDigits | isBit
	case dtypeUint64:
		return isBool | isUint
	case dtypeFloat64:
		return isBool | isInt | isFloating | isHuge | isDigits | isBit | isDecimal
	case dtypeTimestamp:
		return isDate | isZoned | isInteger
	}
	return 0
}

// parsedTo are the kinds that surely cast to a dtype when a batch mixes them: the loader writes all of its values as
// JSON text and parses that.
func parsedTo(dtype string) kinds {
	switch dtype {
	case dtypeInt64:
		return isInteger | isDigits | isBit
	case dtypeFloat64:
		return isInt | isFloating | isDigits | isBit | isDecimal
	}
	return 0
}
