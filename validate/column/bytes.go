package column

// maxSingle is how many batches of one row the loader puts into one table.
const maxSingle = 1000

// NumBytes returns the num_bytes that load_dataset counts for the split when its config has these features: the sum over
// the tables it writes, one for each batch, of the bytes that their Arrow arrays refer to. It is false where the exact
// number is not known:
//   - a value is not of its column's type and the size of what the loader makes of it depends on how it writes it;
//   - an object of the split is wide, and its features are not json;
//   - the split has more than 1,000 batches of one row, or rows of several formats.
//
// It says what the loader would count if it takes the split, not whether it does. Rows that were not observed, because
// they are not strict JSON, are missing from the number.
func (o *Observer) NumBytes(features Features) (int64, bool) {
	return o.NumBytesAs(features, Reading{})
}

// NumBytesAs is NumBytes for files that are read in a certain way.
func (o *Observer) NumBytesAs(features Features, r Reading) (int64, bool) {
	if o.batches == 0 {
		return 0, true
	}
	at := placesOf(o.root, o.batches)
	rows := o.total(o.root, at)
	if o.json && o.cells || o.root.wide || rows.single > maxSingle || rows.all&^isObject != 0 {
		return 0, false
	}
	s := sizer{observer: o, typed: o.cells && r.Own, refused: rows.refused, ok: true}
	if o.cells {
		s.keep = r.keeping()
	}
	p := pool{count: o.root.inventory.present(), bits: rows.bits, single: rows.single, places: at}
	var size int64
	for i, feature := range features {
		s.absent = absence{}
		size += s.column(o.root.at(i, []byte(feature.Name)), feature.Type, p, true)
	}
	return size, s.ok
}

// pool is what a column has one place for each of: the rows, or the elements of a list.
type pool struct {
	count  int64
	bits   int64
	single int64
	places places
}

func (p pool) bitmap() int64 { return p.bits + (p.single+7)/8 }

// sizer adds up sizes; ok turns false when one of them is not known.
type sizer struct {
	observer *Observer
	// typed says that the CSV reader is told the types, keep which cells are texts to it that are missing to others.
	typed bool
	keep  keeping
	// refused says that a number of the split cannot be written by pandas.
	refused bool
	// absent are the batches without the column that is being measured, where the loader writes it as null with everything inside
	// it: it does so with a struct that holds Json, whose places it fills in before Arrow sees the rows.
	absent absence
	ok     bool
}

func (s *sizer) unknown() int64 {
	s.ok = false
	return 0
}

// column is the size of a column, or with top false of something inside one; f is nil when it is missing everywhere.
func (s *sizer) column(f *field, t Type, p pool, top bool) int64 {
	inside := p
	if f == nil {
		f = &field{}
		f.sum.missing(p.places.between)
		inside.places = p.places.nowhere()
	} else {
		inside.places = p.places.inside(f, s.observer.batches)
	}
	if !top {
		inside = p
	}
	sum := s.observer.total(f, p.places)
	switch s.keep {
	case keepsWords:
		sum.validity, sum.singleValid = sum.as.validity, sum.as.singleValid
	case keepsAll:
		sum.validity, sum.singleValid = 0, sum.single
	}
	if !top {
		sum.validity += s.absent.bits
		sum.singleValid -= s.absent.single
	}
	validity := sum.validity
	if sum.singleValid < p.single {
		validity += (p.single + 7) / 8
	}
	switch {
	case t.Struct != nil:
		if f.wide || !sum.all.only(isObject) {
			return s.unknown()
		}
		if top && t.holdsJSON() {
			s.absent = sum.gone
		}
		var size int64
		for i, member := range t.Struct {
			size += s.column(f.at(i, []byte(member.Name)), member.Type, inside, false)
		}
		return size
	case t.List != nil:
		return validity + s.list(f, sum, t, p)
	case t.ClassLabel != nil:
		return validity + 8*p.count
	case isMedia(t.Dtype):
		return s.media(f, sum, validity, p)
	case t.Params != "":
		return s.unknown()
	case t.Dtype == dtypeNull:
		return 0
	}
	return validity + s.scalar(sum, t.Dtype, p)
}

func (s *sizer) list(f *field, sum sums, t Type, p pool) int64 {
	if f.wide || !sum.all.only(isList) {
		return s.unknown()
	}
	if t.Length > 0 {
		return s.fixedList(f, t, p)
	}
	elements := pool{}
	if f.element != nil {
		total := s.observer.total(f.element, placesOf(f.element, s.observer.batches))
		elements = pool{f.element.inventory.present(), total.bits, total.single, placesOf(f.element, s.observer.batches)}
	}
	offsets := int64(4)
	if t.Large {
		offsets = 8
	}
	around := s.absent
	s.absent = absence{}
	size := offsets*p.count + s.column(f.element, *t.List, elements, false)
	s.absent = around
	return size
}

// fixedList is the size of lists of a fixed length, which have no offsets; it is not known where some are null.
func (s *sizer) fixedList(f *field, t Type, p pool) int64 {
	items := f.inventory.items.span()
	if f.element == nil || f.inventory.present()-f.inventory.counts[kindNull] != p.count || items.Min != items.Max || items.Max != int64(t.Length) {
		return s.unknown()
	}
	at := placesOf(f.element, s.observer.batches)
	total := s.observer.total(f.element, at)
	return s.column(f.element, *t.List, pool{f.element.inventory.present(), total.bits, total.single, at}, false)
}

// media is the size of images, sounds and the like that are given by paths: the loader makes objects of them with the members
// bytes, which are null, and path.
func (s *sizer) media(f *field, sum sums, validity int64, p pool) int64 {
	if f.wide || !sum.all.only(isString) || sum.mixed {
		return s.unknown()
	}
	bytes := p.bitmap() + 4*p.count
	return bytes + validity + 4*p.count + sum.text
}

// scalar is the size of the values of a scalar, without the validity bits.
func (s *sizer) scalar(sum sums, dtype string, p pool) int64 {
	if w := width(dtype); w > 0 {
		return int64(w) * p.count
	}
	switch dtype {
	case dtypeBool:
		return p.bitmap()
	case dtypeJSON:
		if s.refused || s.observer.cells {
			return s.unknown()
		}
		return 4*p.count + sum.encoded
	case dtypeString, "binary", "large_string", "large_binary":
		size, ok := s.text(sum)
		if !ok {
			return s.unknown()
		}
		offsets := int64(4)
		if dtype == "large_string" || dtype == "large_binary" {
			offsets = 8
		}
		return offsets*p.count + size
	}
	return s.unknown()
}

// text is the length of the values of a column of texts.
func (s *sizer) text(sum sums) (int64, bool) {
	words, all := int64(0), sum.as.all
	if s.keep != keepsNone {
		words = sum.as.words
	}
	if s.keep == keepsAll {
		all = sum.as.full
	}
	switch {
	case s.typed, s.keep != keepsNone && all.only(isText):
		return sum.as.bytes + words, true
	case words > 0 || !s.writesText(sum):
		return 0, false
	}
	return sum.text + sum.mixedText, true
}

// writesText says that the length of a column of texts is known. Lists and structs are never written as text.
func (s *sizer) writesText(sum sums) bool {
	return !sum.unsized && !(sum.mixed && s.refused) && sum.pure.only(isScalar)
}

// total adds up all batches of a field; p are the places for it.
func (o *Observer) total(f *field, p places) sums {
	var s sums
	if o.batches > 1 {
		s.add(&f.head, closing{p.head, o.single(&o.root.head), p.headGone, o.cells, f.frameOf(o.framed), o.first.path, o.root.head.isCut()})
		s.merge(&f.sum)
	}
	if o.batches > 0 {
		s.add(&f.tail, closing{p.tail, o.single(&o.root.tail), p.tailGone, o.cells, f.frameOf(o.framed), o.last.path, o.root.tail.isCut()})
	}
	return s
}
