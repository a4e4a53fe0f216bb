package column

import (
	"math"

	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxCount bounds counts and lengths that are read from outside: more than any split has, and no overflow when they are added
// up.
const maxCount = math.MaxInt64 >> 16

// MarshalBinary writes what the observer saw, for another process to merge. The form is that of package record; it has no
// version of its own.
func (o *Observer) MarshalBinary() ([]byte, error) {
	var w record.Writer
	w.Uint(uint64(o.batches))
	o.first.write(&w)
	o.last.write(&w)
	w.Uint(uint64(o.block))
	for _, b := range []bool{o.fromStart, o.newFile, o.json, o.cells, o.framed, o.spread} {
		w.Bool(b)
	}
	w.Text(o.example)
	o.sets.write(&w)
	o.root.write(&w)
	return w.Bytes(), nil
}

// UnmarshalBinary makes the observer one that has seen what MarshalBinary wrote. It is [record.ErrDamaged] when data is
// anything else.
func (o *Observer) UnmarshalBinary(data []byte) error {
	r := fieldReader{Reader: record.NewReader(data), left: maxRowFields + 1}
	out := Observer{root: &field{}}
	out.batches = int(r.number())
	out.first, out.last = r.batchID(), r.batchID()
	out.block = r.block()
	for _, b := range []*bool{&out.fromStart, &out.newFile, &out.json, &out.cells, &out.framed, &out.spread} {
		*b = r.Bool()
	}
	if out.example = r.Text(); !validExample(out.example) {
		r.Fail()
	}
	r.sets(&out.sets)
	r.field(out.root, 0)
	if err := r.End(); err != nil {
		return err
	}
	out.root.settle()
	*o = out
	return nil
}

func (id *batchID) write(w *record.Writer) {
	w.Text(id.path)
	w.Uint(uint64(id.number))
}

// write writes a field with everything inside it. What can be told from the rest (levels, lengths of keys, indexes, weights) is
// left out.
func (f *field) write(w *record.Writer) {
	w.Bool(f.wide)
	w.Bool(f.inFirstRow)
	f.head.write(w)
	f.tail.write(w)
	f.sum.write(w)
	f.inventory.write(w)
	w.Uint(uint64(len(f.members)))
	for _, m := range f.members {
		w.Text(m.name)
		m.write(w)
	}
	w.Bool(f.element != nil)
	if f.element != nil {
		f.element.write(w)
	}
}

func (b *batch) write(w *record.Writer) {
	for _, n := range b.counts() {
		w.Uint(uint64(*n))
	}
	w.Uint(uint64(b.kinds))
	w.Uint(uint64(b.earlier))
	w.Bool(b.unsized)
	w.Bool(b.refused)
	writeMarks(w, b.first, b.more)
}

func writeMarks(w *record.Writer, first mark, more []mark) {
	for _, m := range append([]mark{first}, more...) {
		w.Uint(uint64(m.kinds))
		w.Uint(uint64(m.line))
		w.Uint(uint64(m.block))
	}
	w.Uint(0)
	w.Uint(0)
	w.Uint(0)
}

func (s *variants) write(w *record.Writer) {
	w.Bool(s.many)
	w.Uint(uint64(len(s.list)))
	for _, v := range s.list {
		w.Uint(uint64(v.kinds))
		for _, b := range []bool{v.single, v.after, v.refused} {
			w.Bool(b)
		}
		w.Uint(uint64(v.batches))
		w.Text(v.path)
		writeMarks(w, v.first, v.more)
	}
}

func (s *columnSets) write(w *record.Writer) {
	w.Bool(s.many)
	w.Uint(uint64(len(s.list)))
	for _, set := range s.list {
		w.Uint(uint64(len(set.names)))
		for _, name := range set.names {
			w.Text(name)
		}
		w.Uint(uint64(set.batches))
		w.Text(set.first.Path)
		w.Uint(uint64(set.first.Line))
	}
}

func (b *batch) counts() []*int64 {
	return []*int64{&b.present, &b.valid, &b.objects, &b.strings, &b.bytes, &b.encoded, &b.cast, &b.digits, &b.words, &b.wordBytes}
}

func (s *sums) write(w *record.Writer) {
	for _, n := range s.counts() {
		w.Uint(uint64(*n))
	}
	w.Uint(uint64(s.pure))
	w.Uint(uint64(s.all))
	w.Uint(uint64(s.as.all))
	w.Uint(uint64(s.as.full))
	w.Bool(s.mixed)
	w.Bool(s.refused)
	w.Bool(s.unsized)
	s.seen.write(w)
}

func (s *sums) counts() []*int64 {
	return []*int64{&s.bits, &s.single, &s.validity, &s.singleValid, &s.gone.bits, &s.gone.single, &s.encoded, &s.text, &s.mixedText,
		&s.as.bytes, &s.as.words, &s.as.validity, &s.as.singleValid}
}

func (v *inventory) write(w *record.Writer) {
	for i, count := range v.counts {
		w.Uint(uint64(count))
		if count > 0 {
			w.Text(v.firsts[i].Path)
			w.Uint(uint64(v.firsts[i].Line))
		}
	}
	v.numbers.settle()
	w.Bool(v.numbers.lost)
	w.Text(string(v.numbers.minT))
	w.Text(string(v.numbers.maxT))
	w.Bool(v.fractions)
	v.chars.write(w)
	v.items.write(w)
	v.values.write(w)
	v.missings.write(w)
	w.Text(v.example)
	w.Uint(uint64(v.cells))
	w.Bool(v.pandasOnly)
}

func (l *lengths) write(w *record.Writer) {
	w.Bool(l.any)
	if l.any {
		w.Uint(uint64(l.min))
		w.Uint(uint64(l.max))
	}
}

func (t *texts) write(w *record.Writer) {
	w.Bool(t.many)
	w.Uint(uint64(len(t.counts)))
	for _, c := range t.counts {
		w.Text(c.Text)
		w.Uint(uint64(c.Count))
	}
}

// fieldReader reads fields, at most so many.
type fieldReader struct {
	*record.Reader
	left int
}

func (r *fieldReader) number() int64 {
	n := r.Uint()
	if n > maxCount {
		r.Fail()
		return 0
	}
	return int64(n)
}

func (r *fieldReader) batchID() batchID { return batchID{r.Text(), r.number()} }

// field reads a field and what is inside it, so deep in others.
func (r *fieldReader) field(f *field, depth int) {
	if r.left--; r.left < 0 || depth > tape.MaxDepth {
		r.Fail()
		return
	}
	f.wide, f.inFirstRow = r.Bool(), r.Bool()
	r.batch(&f.head)
	r.batch(&f.tail)
	r.sums(&f.sum)
	r.inventory(&f.inventory)
	for range r.Count(r.left) {
		name := r.Text()
		if r.Err() != nil || f.find([]byte(name)) >= 0 {
			r.Fail()
			return
		}
		r.field(f.appendMember(name), depth+1)
	}
	if r.Bool() {
		f.element = &field{level: f.level, parent: f}
		r.field(f.element, depth+1)
	}
	if f.wide {
		if len(f.members) > 0 || f.element != nil {
			r.Fail()
		}
		f.giveUp()
	}
}

func (r *fieldReader) batch(b *batch) {
	for _, n := range b.counts() {
		*n = r.number()
	}
	b.kinds, b.earlier = r.kinds(), r.kinds()
	b.unsized, b.refused = r.Bool(), r.Bool()
	b.first, b.more = r.marks()
}

// maxMarks is how many marks a batch has at most: in each block one of each kind, and one of null.
const maxMarks = 32*(uncut+1) + 1

// marks reads the marks of a batch.
func (r *fieldReader) marks() (first mark, more []mark) {
	for n := 0; ; n++ {
		m := mark{r.kinds(), int(r.number()), r.block()}
		switch {
		case m.line == 0 && (m.kinds != 0 || n == 0) || n > maxMarks:
			if m.kinds != 0 || n > maxMarks {
				r.Fail()
				return first, more
			}
		case m.line == 0:
			return first, more
		case n == 0:
			first = m
		default:
			more = append(more, m)
		}
		if r.Err() != nil {
			return first, more
		}
	}
}

// block reads the number of a block.
func (r *fieldReader) block() int {
	n := r.number()
	if n > uncut {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *fieldReader) variants(s *variants) {
	s.many = r.Bool()
	for range r.Count(maxVariants) {
		v := variant{kinds: r.kinds()}
		v.single, v.after, v.refused = r.Bool(), r.Bool(), r.Bool()
		v.batches, v.path = r.number(), r.Text()
		v.first, v.more = r.marks()
		s.list = append(s.list, v)
	}
	if s.many && len(s.list) > 0 {
		r.Fail()
	}
}

func (r *fieldReader) sets(s *columnSets) {
	s.many = r.Bool()
	for range r.Count(maxVariants) {
		var set columnSet
		for range r.Count(maxRowFields) {
			set.names = append(set.names, r.Text())
		}
		set.batches = r.number()
		set.first = Place{r.Text(), int(r.number())}
		s.list = append(s.list, set)
	}
	if s.many && len(s.list) > 0 {
		r.Fail()
	}
}

func (r *fieldReader) kinds() kinds {
	k := r.Uint()
	if k > math.MaxUint32 {
		r.Fail()
	}
	return kinds(k)
}

func (r *fieldReader) sums(s *sums) {
	for _, n := range s.counts() {
		*n = r.number()
	}
	s.pure, s.all, s.as.all, s.as.full = r.kinds(), r.kinds(), r.kinds(), r.kinds()
	s.mixed, s.refused, s.unsized = r.Bool(), r.Bool(), r.Bool()
	r.variants(&s.seen)
}

func (r *fieldReader) inventory(v *inventory) {
	for i := range v.counts {
		if v.counts[i] = r.number(); v.counts[i] > 0 {
			v.firsts[i] = Place{r.Text(), int(r.number())}
		}
	}
	r.extremes(&v.numbers)
	v.fractions = r.Bool()
	r.lengths(&v.chars)
	r.lengths(&v.items)
	r.texts(&v.values)
	r.texts(&v.missings)
	v.example = r.Text()
	v.cells = r.number()
	v.pandasOnly = r.Bool()
}

func (r *fieldReader) extremes(e *extremes) {
	e.lost = r.Bool()
	least, greatest := r.Part(), r.Part()
	if len(least) == 0 && len(greatest) == 0 {
		return
	}
	for _, number := range [][]byte{least, greatest} {
		if e.lost || len(number) == 0 || len(number) > maxDigits || !isNumeric(number) {
			r.Fail()
			return
		}
		n := parseNumber(number)
		e.add(&n, number)
	}
}

func (r *fieldReader) lengths(l *lengths) {
	if l.any = r.Bool(); l.any {
		l.min, l.max = r.number(), r.number()
	}
	if l.min > l.max {
		r.Fail()
	}
}

func (r *fieldReader) texts(t *texts) {
	t.many = r.Bool()
	for range r.Count(maxValues) {
		value := ValueCount{r.Text(), r.number()}
		if t.many || len(value.Text) > maxValueBytes {
			r.Fail()
			return
		}
		t.insert([]byte(value.Text), value.Count)
	}
}
