package column

import (
	"slices"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Limits on the fields that are tracked: for the row with everything inside it, for a column that holds objects, and so on,
// each level a quarter of the one around it. An object with more distinct fields inside is given up: it is wide, and
// counts as json. Only objects count as levels.
const (
	maxRowFields    = 32_768
	maxColumnFields = 8_192
	minFieldLimit   = 128
	// fewMembers is up to how many members are searched one after another, fewSkipped up to how many from where the next one is
	// likely to be.
	fewMembers = 8
	fewSkipped = 4
)

func fieldLimit(level int) int {
	if level == 0 {
		return maxRowFields
	}
	return max(maxColumnFields>>(2*min(level-1, 16)), minFieldLimit)
}

// field is what is seen of one place in the rows: the row itself, a member of an object, or the elements of a list
// taken together.
type field struct {
	name string
	// key is the length of `"name":` as pandas writes it.
	key int
	// level counts the objects around the field, weight the distinct fields inside it, as far as its limit and one beyond.
	level  int
	weight int
	wide   bool
	// inFirstRow says that the first row of the run has the field.
	inFirstRow bool

	parent  *field
	members []*field
	index   map[string]int
	element *field
	// layouts are those of some shapes of the objects, the oldest to be replaced next.
	layouts []layout
	oldest  int

	// head and tail are the first and the last batch of the run, which may go on in its neighbours; see Observer. sum
	// holds the batches that are complete.
	head, tail batch
	sum        sums

	inventory inventory
}

// layout holds the members of objects of one shape in their order.
type layout struct {
	shapes  *tape.Shapes
	shape   tape.Shape
	members []*field
}

// maxLayouts is how many layouts a field keeps.
const maxLayouts = 8

// layout returns the members of an object's keys in their order; nil when one of them is new, or the keys not known by a
// shape.
func (o *Observer) layout(f *field, object tape.Value) []*field {
	shape := object.Shape()
	if shape == 0 || f.wide {
		return nil
	}
	shapes := object.Tape().Shapes()
	for i := range f.layouts {
		if l := &f.layouts[i]; l.shape == shape && l.shapes == shapes {
			return l.members
		}
	}
	if f.oldest == len(f.layouts) {
		f.layouts = append(f.layouts, layout{})
	}
	l := &f.layouts[f.oldest]
	*l = layout{shapes, shape, l.members[:0]}
	for key := range object.Members() {
		m := f.at(len(l.members), o.decode(key))
		if m == nil {
			l.shape = 0
			return nil
		}
		l.members = append(l.members, m)
	}
	f.oldest = (f.oldest + 1) % maxLayouts
	return l.members
}

// at returns the member of that name, which may be at index i; nil if there is none.
func (f *field) at(i int, name []byte) *field {
	if i < len(f.members) && f.members[i].name == string(name) {
		return f.members[i]
	}
	if i = f.find(name); i >= 0 {
		return f.members[i]
	}
	return nil
}

// find returns the index of the member of that name, -1 if there is none.
func (f *field) find(name []byte) int {
	if f.index != nil {
		if i, ok := f.index[string(name)]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(f.members, func(m *field) bool { return m.name == string(name) })
}

// addMember adds a member to an object; nil when that makes an object around it wide. In the batches that are complete
// the member was missing.
func (f *field) addMember(name string) *field {
	m := f.appendMember(name)
	m.sum.missing(f.between())
	return f.grown(m)
}

func (f *field) appendMember(name string) *field {
	size := decodedSize([]byte(name))
	m := &field{name: name, key: size.encoded + quotes + 1, level: f.level + 1, parent: f}
	f.members = append(f.members, m)
	switch {
	case f.index != nil:
		f.index[name] = len(f.members) - 1
	case len(f.members) > fewMembers:
		f.index = make(map[string]int, 2*len(f.members))
		for i, m := range f.members {
			f.index[m.name] = i
		}
	}
	return m
}

// between says how many places the complete batches have for a member of f.
func (f *field) between() span {
	column := f
	for f.parent != nil && f.parent.element != f {
		column, f = f, f.parent
	}
	s := span{bits: f.sum.bits, single: f.sum.single}
	if f.parent == nil && column != f {
		s.gone = column.sum.gone
	}
	return s
}

// settle counts anew what is inside of fields after a merge, and gives up what is wide now.
func (f *field) settle() {
	if f.wide {
		return
	}
	f.weight = 0
	for _, m := range f.members {
		m.settle()
		f.weight += 1 + m.weight
	}
	if f.element != nil {
		f.element.settle()
		f.weight += 1 + f.element.weight
	}
	if len(f.members) > 0 && f.weight > fieldLimit(f.level) {
		f.giveUp()
	}
}

// addElement adds the elements of a list.
func (f *field) addElement() *field {
	f.element = &field{level: f.level, parent: f}
	return f.grown(f.element)
}

// grown counts a new field in everything around it; nil when something around it is wide now.
func (f *field) grown(added *field) *field {
	for around := f; around != nil; around = around.parent {
		if around.wide {
			return nil
		}
		around.weight++
		if len(around.members) > 0 && around.weight > fieldLimit(around.level) {
			around.giveUp()
			added = nil
		}
	}
	return added
}

// giveUp forgets what is inside an object and keeps its weight one beyond the limit.
func (f *field) giveUp() {
	f.wide = true
	f.weight = fieldLimit(f.level) + 1
	f.members, f.index, f.element, f.layouts = nil, nil, nil, nil
}

// batch is what is seen of a field in one of the loader's batches.
type batch struct {
	// present counts the places that have the field, null included; valid those where it is not null.
	present, valid int64
	objects        int64
	strings        int64
	// bytes is the length of the texts, encoded that of all values as a Json column holds them, and cast that of the numbers
	// as Arrow writes floats; unsized says that cast lacks some.
	bytes, encoded, cast int64
	unsized              bool
	// words counts the CSV cells with texts that pandas takes for missing values, wordBytes is their length.
	words, wordBytes int64
	// digits is the length of the numbers of JSON as they are written.
	digits int64
	// kinds are those of the last block, earlier those of the blocks before it; see [blockOf].
	kinds, earlier kinds
	// refused says that pandas cannot read a number in here.
	refused bool
	// first and more say where the kinds were first seen.
	first mark
	more  []mark
}

// add takes over the rows that follow in the batch. Which of the kinds are those of the last block is then to be said: by
// seal or goOnIn.
func (b *batch) add(next *batch) {
	b.addMarks(next)
	b.present += next.present
	b.valid += next.valid
	b.objects += next.objects
	b.strings += next.strings
	b.bytes += next.bytes
	b.encoded += next.encoded
	b.cast += next.cast
	b.words += next.words
	b.wordBytes += next.wordBytes
	b.unsized = b.unsized || next.unsized
	b.digits += next.digits
	b.earlier |= b.kinds | next.all()
	b.kinds = 0
	b.refused = b.refused || next.refused
}

// timestampText is the length of a timestamp[s] that is cast to text: YYYY-MM-DD HH:MM:SS.
const timestampText = 19

// asText is the length of the batch's values when the column is of text and the loader sees one kind of values: texts
// that are all timestamps are parsed first and written in another form.
func (b *batch) asText(k kinds) int64 {
	switch {
	case k.only(isDate | isZoned):
		return timestampText * b.strings
	case k.only(isString) && k.has(isBlended):
		return b.bytes + b.digits
	case k.only(isString):
		return b.bytes
	case k.castsFloats():
		return b.cast
	}
	return b.encoded
}

// castsFloats says that Arrow has the values as floats before it casts them.
func (k kinds) castsFloats() bool {
	return k.has(isFloating|isHuge) && k.only(isNumber)
}

// cellsAsText is the same for a chunk of a CSV column: pandas keeps the cells of a column of texts as they are.
func (b *batch) cellsAsText() int64 {
	switch kind := b.all().cells(); {
	case kind.only(isString):
		return b.bytes
	case kind.has(isFloating):
		return b.cast
	}
	return b.encoded
}

// span counts places in complete batches: bits is the size in bytes of one bit for each, batch by batch, and single the
// number of places in batches of one row. The loader puts those together before it writes them.
type span struct {
	bits, single int64
	// gone are those of the batches that lack the whole column. The loader fills in null for the column, and what is inside
	// of a struct is then empty, but not null.
	gone absence
}

type absence struct{ bits, single int64 }

// sums adds up complete batches.
type sums struct {
	// bits and single count the places for the field, validity is the size of the bits of those batches in which it is null or
	// missing somewhere. singleValid counts the places of single in which it is not.
	bits, single          int64
	validity, singleValid int64
	// gone are the batches without the field.
	gone absence
	// encoded is the length of the values as a Json column holds them. text is their length in a column of texts up to the
	// first batch of mixed kinds, mixedText from there on: the loader writes all of those as JSON.
	encoded, text, mixedText int64
	// as are the same for a CSV reader that keeps cells as they are.
	as cellSums
	// pure are the kinds seen in batches of one kind, all those seen in any.
	pure, all kinds
	mixed     bool
	refused   bool
	// unsized says that a number's length in a column of texts is not known.
	unsized bool
	// seen are the kinds batch by batch.
	seen variants
}

// cellSums adds up CSV columns as they are when their reader is told their types, or that texts such as NA are texts.
type cellSums struct {
	// bytes is the length of all cells that are not missing, words that of the texts that pandas takes for missing values.
	bytes, words int64
	// validity and singleValid are those of sums when only empty cells are missing, all the kinds.
	validity, singleValid int64
	all                   kinds
	// full are the kinds when empty cells are texts too: then nothing is missing.
	full kinds
}

func (s *cellSums) add(b *batch, c closing, valid int64) {
	s.bytes += b.bytes
	s.words += b.wordBytes
	valid += b.words
	switch {
	case c.single:
		s.singleValid += valid
	case valid < c.n:
		s.validity += (c.n + 7) / 8
	}
	if c.cells {
		s.all |= b.all().kept(keepsWords).cells() &^ isNull
		s.full |= b.all().kept(keepsAll).cells() &^ isNull
	}
}

func (s *cellSums) merge(next *cellSums) {
	s.bytes += next.bytes
	s.words += next.words
	s.validity += next.validity
	s.singleValid += next.singleValid
	s.all |= next.all
	s.full |= next.full
}

// closing says how a batch is added to the complete ones.
type closing struct {
	// n is the number of places for the field in the batch.
	n int64
	// single says that the batch has one row, gone that it lacks the column around the field.
	single, gone bool
	// cells says that it is a chunk of a CSV file, frame what the field is to pandas; see frame.go.
	cells bool
	frame frame
	// path is the file of the batch, cut says that Arrow reads it in several blocks.
	path string
	cut  bool
}

// add takes a complete batch.
func (s *sums) add(b *batch, c closing) {
	bitmap := (c.n + 7) / 8
	valid := b.valid
	if c.gone {
		valid = c.n
	}
	s.as.add(b, c, valid)
	words := int64(0)
	if c.cells && b.all().conflicts() {
		valid, words = b.present, b.wordBytes
	}
	if c.single {
		s.single += c.n
		s.singleValid += valid
	} else {
		s.bits += bitmap
		if valid < c.n {
			s.validity += bitmap
		}
	}
	if b.present == 0 {
		if c.single {
			s.gone.single += c.n
		} else {
			s.gone.bits += bitmap
		}
	}
	loaded := b.loaded(c.cut)
	seen, mixed, text := loaded, loaded.mixed(), b.asText(loaded)
	if c.cells {
		seen, mixed, text = loaded.cells(), false, b.cellsAsText()+words
	}
	if c.frame != notFramed {
		loaded = b.framed(c.n, c.frame)
		seen, mixed, text = loaded, false, b.bytes
	}
	seen &^= isNull | isBlended | isParsed
	s.all |= seen
	s.refused = s.refused || b.refused
	if b.present > 0 {
		v := b.variant(loaded, c.path)
		v.single, v.after = c.single, s.mixed
		s.seen.add(v)
	}
	s.unsized = s.unsized || b.unsized && seen.has(isFloating|isHuge) && !mixed
	if mixed {
		s.mixed = true
	} else {
		s.pure |= seen
	}
	s.encoded += b.encoded
	if s.mixed {
		s.mixedText += b.encoded
	} else {
		s.text += text
	}
}

// missing takes complete batches without the field.
func (s *sums) missing(between span) {
	s.bits += between.bits
	s.single += between.single
	s.validity += between.bits - between.gone.bits
	s.singleValid += between.gone.single
	s.as.validity += between.bits - between.gone.bits
	s.as.singleValid += between.gone.single
	s.gone.bits += between.bits
	s.gone.single += between.single
}

// merge takes the batches that follow.
func (s *sums) merge(next *sums) {
	s.bits += next.bits
	s.single += next.single
	s.validity += next.validity
	s.singleValid += next.singleValid
	s.as.merge(&next.as)
	s.gone.bits += next.gone.bits
	s.gone.single += next.gone.single
	if s.mixed {
		s.mixedText += next.encoded
	} else {
		s.text += next.text
		s.mixedText += next.mixedText
	}
	s.encoded += next.encoded
	s.seen.merge(&next.seen, s.mixed)
	s.pure |= next.pure
	s.all |= next.all
	s.mixed = s.mixed || next.mixed
	s.refused = s.refused || next.refused
	s.unsized = s.unsized || next.unsized
}
