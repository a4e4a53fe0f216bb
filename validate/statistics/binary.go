package statistics

import (
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/record"
)

// maxCount bounds counts that are read from outside: more than any split has rows, and no overflow when they are added up.
const maxCount = math.MaxInt64 >> 16

// MarshalBinary writes what the observer saw, for another process to merge. The form is that of package record; it has no
// version of its own.
func (o *Observer) MarshalBinary() ([]byte, error) {
	o.Seal()
	var w record.Writer
	w.Uint(uint64(o.rows))
	w.Bool(o.wide)
	w.Bool(o.json)
	w.Uint(uint64(len(o.columns)))
	for _, c := range o.columns {
		c.write(&w, o.limit())
	}
	return w.Bytes(), nil
}

// UnmarshalBinary makes the observer one that has seen what MarshalBinary wrote. It is [record.ErrDamaged] when data is
// anything else.
func (o *Observer) UnmarshalBinary(data []byte) error {
	r := reader{record.NewReader(data)}
	out := NewObserver(o.splits)
	out.rows = r.count()
	out.wide, out.json = r.Bool(), r.Bool()
	for range r.Count(maxColumns) {
		name := r.Text()
		if _, twice := out.index[name]; twice || out.wide {
			r.Fail()
		}
		if r.Err() != nil {
			break
		}
		r.column(out.addColumn(name), out.rows)
	}
	if err := r.End(); err != nil {
		return err
	}
	if out.wide {
		out.giveUp()
	}
	*o = *out
	return nil
}

func (c *columnSeen) write(w *record.Writer, limit int) {
	w.Text(c.name)
	w.Uint(uint64(c.valid))
	w.Bool(c.inFirstRow)
	w.Bool(c.decimals)
	c.numbers.write(w, limit)
	c.items.write(w, limit)
	w.Uint(uint64(c.truths[0]))
	w.Uint(uint64(c.truths[1]))
	w.Uint(uint64(c.objects))
	w.Bool(c.texts != nil)
	if c.texts != nil {
		c.texts.write(w, limit)
	}
	c.words.write(w)
}

func (t *texts) write(w *record.Writer, limit int) {
	w.Uint(uint64(t.count))
	w.Uint(uint64(len(t.opening.texts)))
	for _, text := range t.opening.texts {
		w.Text(text)
	}
	w.Bool(t.opening.broken)
	w.Bool(t.labels != nil)
	if t.labels != nil {
		t.labels.write(w)
		return
	}
	t.lengths.write(w, limit)
	t.distinct.write(w)
	w.Bool(t.numerals.broken)
	if !t.numerals.broken {
		t.numerals.values.write(w, limit)
	}
	w.Uint(uint64(t.dates.left))
	w.Uint(uint64(t.dates.fine))
	for left := t.dates.left; left != 0; left &= left - 1 {
		t.dates.instants[bits.TrailingZeros32(left)].write(w, limit)
	}
}

func (l *labels) write(w *record.Writer) {
	w.Bool(l.beginnings)
	w.Uint(uint64(len(l.entries)))
	for i := range l.entries {
		e := &l.entries[i]
		w.Part(l.text(e))
		w.Uint(uint64(e.count))
		w.Bool(e.cut)
		if e.cut {
			w.Uint(uint64(e.size))
			w.Uint(uint64(e.chars))
			w.Uint(e.hash)
		}
	}
}

// write writes a tally: its keys as the distances between them, which are small.
func (t *tally) write(w *record.Writer, limit int) {
	w.Uint(t.count)
	if t.count == 0 {
		return
	}
	run := t.settle(limit)
	w.Uint(t.least)
	w.Uint(t.greatest)
	w.Uint(uint64(t.level))
	w.Uint(uint64(len(run)))
	last := uint64(0)
	for _, p := range run {
		w.Uint(p.key>>t.level - last)
		w.Uint(p.count)
		last = p.key >> t.level
	}
	if t.level > 0 {
		t.seen.first.write(w)
		t.seen.second.write(w)
		t.distinct.write(w)
	}
}

func (s *sum) write(w *record.Writer) {
	s.carry()
	w.Uint(uint64(s.base))
	w.Uint(uint64(len(s.limbs)))
	for _, limb := range s.limbs {
		w.Int(limb)
	}
}

func (d *distinct) write(w *record.Writer) {
	d.settle()
	w.Raw(d.registers)
}

// reader reads what observers write, and checks that it could have been written.
type reader struct{ *record.Reader }

func (r reader) count() int64 { return int64(r.upTo(maxCount)) }

func (r reader) upTo(most uint64) uint64 {
	n := r.Uint()
	if n > most {
		r.Fail()
		return 0
	}
	return n
}

// column reads a column of so many rows.
func (r reader) column(c *columnSeen, rows int64) {
	c.valid, c.inFirstRow, c.decimals = r.count(), r.Bool(), r.Bool()
	r.tally(&c.numbers)
	r.tally(&c.items)
	c.truths = [2]int64{r.count(), r.count()}
	c.objects = r.count()
	all := int64(c.numbers.count) + int64(c.items.count) + c.truths[0] + c.truths[1] + c.objects
	if r.Bool() {
		c.texts = newTexts()
		r.texts(c.texts)
		all += c.texts.count
	}
	if all != c.valid || c.valid+r.words(&c.words) > rows {
		r.Fail()
	}
}

func (r reader) texts(t *texts) {
	t.count = r.count()
	for range r.Count(maxOpening) {
		t.opening.add([]byte(r.Text()))
	}
	t.opening.broken = r.Bool() || t.opening.broken
	if r.Bool() {
		r.labels(t)
		return
	}
	t.labels = nil
	r.tally(&t.lengths)
	r.distinct(&t.distinct)
	if t.numerals.broken = r.Bool(); !t.numerals.broken {
		r.tally(&t.numerals.values)
	}
	left, fine := r.Uint(), r.Uint()
	if left > uint64(allFormats) || fine&^left != 0 || t.lengths.count != uint64(t.count) {
		r.Fail()
		return
	}
	t.dates = dates{any: true, left: uint32(left), fine: uint32(fine), instants: make([]*tally, len(dateFormats))}
	for ; left != 0; left &= left - 1 {
		instants := &tally{instants: true}
		r.tally(instants)
		if instants.count != uint64(t.count) {
			r.Fail()
		}
		t.dates.instants[bits.TrailingZeros64(left)] = instants
	}
}

func (r reader) labels(t *texts) {
	t.labels.beginnings = r.Bool()
	all := int64(0)
	for range r.Count(maxLabels) {
		text := r.Part()
		count := r.count()
		e := labelOf(text, utf8.RuneCount(text), count)
		if cut := r.Bool(); cut {
			e.cut, e.size, e.chars, e.hash = true, int(r.count()), int(r.count()), r.Uint()
			if e.size <= keptBytes || len(text) > keptBytes || !t.labels.beginnings {
				r.Fail()
			}
		}
		before := len(t.labels.entries)
		if all += count; r.Err() != nil || !t.labels.count(e, text) || len(t.labels.entries) == before {
			r.Fail()
			return
		}
	}
	if all != t.count {
		r.Fail()
	}
}

func (r reader) tally(t *tally) {
	t.count = uint64(r.count())
	if t.count == 0 {
		return
	}
	t.least, t.greatest, t.level = r.Uint(), r.Uint(), uint(r.upTo(64))
	run := make([]pair, 0, 16)
	last, all := uint64(0), uint64(0)
	for i := range r.Count(MaxExact) {
		step, count := r.Uint(), uint64(r.count())
		key := last + step
		if r.Err() != nil || i > 0 && step == 0 || key < last || key > math.MaxUint64>>t.level || count == 0 {
			r.Fail()
			return
		}
		run = append(run, pair{key << t.level, count})
		last, all = key, all+count
	}
	if len(run) == 0 || all != t.count || t.least>>t.level<<t.level != run[0].key || t.greatest>>t.level<<t.level != run[len(run)-1].key {
		r.Fail()
		return
	}
	t.runs = [][]pair{run}
	if t.level > 0 {
		r.sum(&t.seen.first)
		r.sum(&t.seen.second)
		r.distinct(&t.distinct)
	}
}

// maxLimbs is how many limbs a sum of squares of float64 can have.
const maxLimbs = (sumBias + 2*1024 + 128) / limbBits

func (r reader) sum(s *sum) {
	s.base = int(r.upTo(maxLimbs))
	for range r.Count(maxLimbs) {
		limb := r.Int()
		if limb < -1<<limbBits || limb >= 1<<limbBits {
			r.Fail()
			return
		}
		s.limbs = append(s.limbs, limb)
	}
}

func (r reader) distinct(d *distinct) {
	d.registers = append([]uint8(nil), r.Raw(1<<registerBits)...)
	for _, rank := range d.registers {
		if rank > 64-registerBits+1 {
			r.Fail()
			return
		}
	}
	if len(d.registers) != 1<<registerBits {
		r.Fail()
	}
}
