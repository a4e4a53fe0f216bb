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
	framed  frame
	members []*sketch
	element *sketch
	// index finds members by their names, when there are enough of them; see member.
	index map[string]*sketch
	// inFirstRow says that the first row has the field.
	inFirstRow bool
	// present counts the places that have the field, objects those where it is one.
	present, objects int64
}

// FirstBatch returns the features that load_dataset infers from the first batch of the split, which it then demands of all
// other data of the config when this is its first split.
func (o *Observer) FirstBatch() Features {
	return o.firstBatch(true, keepsNone)
}

// firstBatch is FirstBatch; keys says whether objects with different keys become Json.
func (o *Observer) firstBatch(keys bool, keep keeping) Features {
	if o.batches == 0 {
		return nil
	}
	s := o.openingSketch(o.root, keys, keep)
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
func (o *Observer) openingSketch(f *field, keys bool, keep keeping) *sketch {
	b := f.opening(o.batches)
	s := &sketch{name: f.name, all: b.loaded(o.root.opening(o.batches).isCut()) &^ (isNull | isBlended), wide: f.wide, cells: o.cells, framed: f.frameOf(o.framed), differ: keys && o.differ(f)}
	s.inFirstRow = f.inFirstRow
	switch {
	case o.framed:
		s.all = b.framed(o.root.opening(o.batches).present, s.framed) &^ (isNull | isParsed)
	case o.cells && keep != keepsNone:
		s.all = b.all().kept(keep).cells() &^ isNull
	case o.cells:
		s.all = b.all().cells() &^ isNull
	}
	for _, m := range f.members {
		if m.opening(o.batches).present > 0 {
			s.members = append(s.members, o.openingSketch(m, keys, keep))
		}
	}
	if f.element != nil && f.element.opening(o.batches).present > 0 {
		s.element = o.openingSketch(f.element, keys, keep)
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
func (o *Observer) whole(first bool, keep keeping) *sketch { return o.wholeSketch(o.root, first, keep) }

func (o *Observer) wholeSketch(f *field, first bool, keep keeping) *sketch {
	sum := o.total(f, places{})
	s := &sketch{name: f.name, all: sum.all, pure: sum.pure, mixed: sum.mixed, wide: f.wide, cells: o.cells, framed: f.frameOf(o.framed)}
	switch {
	case !o.cells:
	case keep == keepsAll:
		s.all, s.pure = sum.as.full, sum.as.full
	case keep == keepsWords:
		s.all, s.pure = sum.as.all, sum.as.all
	}
	s.differ = first && o.differ(f)
	s.present, s.objects = f.inventory.present(), f.inventory.counts[kindObject]
	for _, m := range f.members {
		s.members = append(s.members, o.wholeSketch(m, first, keep))
	}
	if f.element != nil {
		s.element = o.wholeSketch(f.element, first, keep)
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
	s.framed = max(s.framed, next.framed)
	s.present += next.present
	s.objects += next.objects
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
	case k.has(isObject) && s.framed != notFramed:
		return Type{Struct: sorted(s.features())}
	case k.has(isObject):
		return Type{Struct: s.features()}
	case s.framed == framedDate && k.only(isZoned):
		return Type{Dtype: "timestamp[ns, tz=UTC]"}
	case s.framed == framedDate && k.only(isDate|isZoned) && k != 0:
		return Type{Dtype: "timestamp[ns]"}
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
	case k.only(isInteger | isUint):
		return dtypeUint64
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
