package statistics

import (
	"maps"
	"math"
	"strconv"
	"unsafe"

	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

const (
	// maxColumns is how many columns are measured; the rows of a split with more are too wide for statistics.
	maxColumns = 8192
	// MaxExact is up to how many distinct numbers, lengths or instants of a column are kept one by one; fewest is for how many
	// there is always room, however many columns and splits there are. In between, all columns of all splits share the memory
	// of maxPairs.
	MaxExact = 65_536
	fewest   = 512
	maxPairs = 1 << 21
)

// Observer measures the columns of a split, or of a run of its rows. It does not know their types, which the loader decides
// when it has seen all splits: it measures values by their kind, and [Observer.Finish] makes statistics of them.
//
// What it says does not depend on where runs were cut. Its memory is bounded: see [MaxExact].
type Observer struct {
	splits  int
	rows    int64
	columns []*columnSeen
	index   map[string]int
	// wide says that there are more than maxColumns columns, of which nothing is kept.
	wide bool
	// json says that some rows are from files other than CSV.
	json bool
	// scattered are the columns that are known to have too many distinct texts for labels. The map is never changed.
	scattered map[string]bool

	layouts []layout
	oldest  int
	text    []byte
}

// columnSeen is what is seen of one column.
type columnSeen struct {
	name string
	// valid counts the rows in which it is not null; inFirstRow says that the first row of the run is one of them.
	valid      int64
	inFirstRow bool
	// numbers and items count numbers and lengths of lists, truths false and true. decimals says that a number has a point or an
	// exponent, or is outside of int64.
	numbers, items tally
	truths         [2]int64
	decimals       bool
	objects        int64
	// texts are nil without any.
	texts *texts
	// words counts the texts of CSV cells that are missing values unless the card says otherwise; they are in none of the others.
	words words
}

// layout holds the columns of rows of one shape in their order.
type layout struct {
	shapes  *tape.Shapes
	shape   tape.Shape
	columns []*columnSeen
}

// maxLayouts is how many layouts are kept.
const maxLayouts = 8

// NewObserver returns an observer that has seen nothing. splits is the number of splits that are measured side by side.
func NewObserver(splits int) *Observer {
	return &Observer{splits: max(splits, 1), index: map[string]int{}}
}

// Follow lets an observer that has seen nothing know what another one saw, with which it will be merged: texts of columns that
// have too many distinct ones for labels need not be kept. What the two show together is the same.
func (o *Observer) Follow(before *Observer) { o.scattered = before.scattered }

// limit is how many distinct values are kept of each tally. It never grows while more columns are seen.
func (o *Observer) limit() int {
	return min(max(maxPairs/(o.splits*max(len(o.columns), 1)), fewest), MaxExact)
}

// Observe implements [rows.Observer].
func (o *Observer) Observe(row *rows.Row) {
	o.rows++
	o.json = o.json || !row.Cells
	root := row.Doc.Root()
	if row.Wrapped && !o.wide {
		if c := o.named(0, []byte("text")); c != nil && o.see(c, root, false) {
			c.valid++
			c.inFirstRow = c.inFirstRow || o.rows == 1
		}
		return
	}
	if o.wide || root.Kind() != tape.Object || root.Len() == 0 {
		return
	}
	known := o.layout(root)
	key := root.First()
	for i := range root.Len() {
		value := key.After()
		var c *columnSeen
		if known != nil {
			c = known[i]
		} else if c = o.column(i, key); c == nil {
			return
		}
		if o.see(c, value, row.Cells) {
			c.valid++
			c.inFirstRow = c.inFirstRow || o.rows == 1
		}
		if i < root.Len()-1 {
			key = value.After()
		}
	}
}

// layout returns the columns of a row in their order; nil when its keys are not known by a shape.
func (o *Observer) layout(row tape.Value) []*columnSeen {
	shape, shapes := row.Shape(), row.Tape().Shapes()
	if shape == 0 {
		return nil
	}
	for i := range o.layouts {
		if l := &o.layouts[i]; l.shape == shape && l.shapes == shapes {
			return l.columns
		}
	}
	l := layout{shapes: shapes, shape: shape}
	for key := range row.Members() {
		c := o.column(len(l.columns), key)
		if c == nil {
			return nil
		}
		l.columns = append(l.columns, c)
	}
	if len(o.layouts) < maxLayouts {
		o.layouts = append(o.layouts, l)
	} else {
		o.layouts[o.oldest] = l
		o.oldest = (o.oldest + 1) % maxLayouts
	}
	return l.columns
}

// column returns the column of a key, which may be at index i; nil when there are too many.
func (o *Observer) column(i int, key tape.Value) *columnSeen {
	name := key.Raw()
	if key.Escaped() {
		o.text = key.AppendText(o.text[:0])
		name = o.text
	}
	return o.named(i, name)
}

// named returns the column of a name; see column.
func (o *Observer) named(i int, name []byte) *columnSeen {
	if i < len(o.columns) && o.columns[i].name == string(name) {
		return o.columns[i]
	}
	if at, ok := o.index[string(name)]; ok {
		return o.columns[at]
	}
	return o.addColumn(string(name))
}

func (o *Observer) addColumn(name string) *columnSeen {
	if len(o.columns) == maxColumns {
		o.giveUp()
		return nil
	}
	c := &columnSeen{name: name}
	o.index[name] = len(o.columns)
	o.columns = append(o.columns, c)
	return c
}

func (o *Observer) giveUp() { o.wide, o.columns, o.index, o.layouts = true, nil, nil, nil }

// see measures a value; false when it is null.
func (o *Observer) see(c *columnSeen, v tape.Value, cell bool) bool {
	switch v.Kind() {
	case tape.Null:
		return false
	case tape.Number:
		x := parseNumber(v.Raw(), v.Decimal())
		c.decimals = c.decimals || v.Decimal() || math.Abs(x) >= 1<<63
		c.numbers.add(keyOf(x), 1)
	case tape.False:
		c.truths[0]++
	case tape.True:
		c.truths[1]++
	case tape.Array:
		c.items.add(keyOf(float64(v.Len())), 1)
	case tape.Object:
		c.objects++
	case tape.String:
		text := v.Raw()
		if v.Escaped() {
			o.text = v.AppendText(o.text[:0])
			text = o.text
		}
		if cell && column.IsMissing(text) {
			c.words.add(text)
			return false
		}
		if c.texts == nil {
			c.texts = newTexts()
			if o.scattered[c.name] {
				c.texts.labels = nil
			}
		}
		c.texts.add(text, v.Chars())
	}
	return true
}

// shortInteger is the length of the longest integer that float64 surely holds exactly.
const shortInteger = 15

// parseNumber reads a number in JSON's form.
func parseNumber(raw []byte, decimal bool) float64 {
	if decimal {
		if x, ok := parseDecimal(raw); ok {
			return x
		}
	}
	if decimal || len(raw) > shortInteger {
		// ParseFloat keeps nothing of the text, and copying it would cost more than reading it.
		x, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
		return x
	}
	digits := raw
	if raw[0] == '-' {
		digits = raw[1:]
	}
	var n int64
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(raw) {
		n = -n
	}
	return float64(n)
}

// parseDecimal reads a number of few digits with a point: its digits and the power of ten that divides them are exact in float64,
// and so the quotient is the nearest one (William Clinger, How to read floating point numbers accurately, 1990).
func parseDecimal(raw []byte) (float64, bool) {
	if len(raw) > shortInteger+1 {
		return 0, false
	}
	digits := raw
	if raw[0] == '-' {
		digits = raw[1:]
	}
	var n int64
	point := len(digits) - 1
	for i, c := range digits {
		switch {
		case c == '.':
			point = i
		case isDigit(c):
			n = n*10 + int64(c-'0')
		default:
			return 0, false
		}
	}
	x := float64(n) / tens[len(digits)-1-point]
	if len(digits) < len(raw) {
		x = -x
	}
	return x, true
}

// tens are powers of ten.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}

// Seal does what needs no other observer: a worker calls it behind the last row of a block, so that less is left to merging.
func (o *Observer) Seal() {
	for _, c := range o.columns {
		c.numbers.seal()
		c.items.seal()
		if c.texts != nil {
			c.texts.seal()
		}
	}
	o.layouts = nil
}

// Merge implements [rows.Observer].
func (o *Observer) Merge(next rows.Observer) {
	n := next.(*Observer)
	first := o.rows == 0
	o.rows += n.rows
	o.json = o.json || n.json
	if n.wide && !o.wide {
		o.giveUp()
	}
	for i, theirs := range n.columns {
		if o.wide {
			return
		}
		mine := o.columnNamed(i, theirs.name)
		if mine == nil {
			return
		}
		mine.merge(theirs, o.limit())
		if mine.texts != nil && mine.texts.labels == nil && !o.scattered[mine.name] {
			known := maps.Clone(o.scattered)
			if known == nil {
				known = map[string]bool{}
			}
			known[mine.name] = true
			o.scattered = known
		}
		if first {
			mine.inFirstRow = theirs.inFirstRow
		}
	}
}

func (o *Observer) columnNamed(i int, name string) *columnSeen {
	if i < len(o.columns) && o.columns[i].name == name {
		return o.columns[i]
	}
	if at, ok := o.index[name]; ok {
		return o.columns[at]
	}
	return o.addColumn(name)
}

func (c *columnSeen) merge(next *columnSeen, limit int) {
	c.valid += next.valid
	c.numbers.merge(&next.numbers, limit)
	c.items.merge(&next.items, limit)
	for i, n := range next.truths {
		c.truths[i] += n
	}
	c.objects += next.objects
	c.words.merge(next.words)
	c.decimals = c.decimals || next.decimals
	switch {
	case next.texts == nil:
	case c.texts == nil:
		c.texts = next.texts
	default:
		c.texts.merge(next.texts, limit)
	}
}
