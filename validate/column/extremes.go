package column

import (
	"bytes"
	"math"
	"strconv"
)

// extremes holds the least and the greatest number with their digits. Of equal numbers the first stays.
type extremes struct {
	min, max   num
	minT, maxT []byte
	// above and below bound values that surely are between the two.
	above, below float64
	// lost says that a number was too long to keep.
	lost bool
	// under and over hold short integers that were added since: shortLimit minus the least of them, and plus the greatest. 0 is none.
	under, over int64
}

// shortLimit is beyond the integers that addShort takes.
const shortLimit = 1 << 40

// addShort adds an integer that is written as strconv does. What the extremes are by it is left to settle.
func (e *extremes) addShort(n int64) {
	e.under, e.over = max(e.under, shortLimit-n), max(e.over, shortLimit+n)
}

// settle takes in the integers that addShort has taken.
func (e *extremes) settle() {
	if e.over == 0 {
		return
	}
	least, most := shortLimit-e.under, e.over-shortLimit
	e.under, e.over = 0, 0
	for _, integer := range [...]int64{least, most} {
		raw := strconv.AppendInt(nil, integer, 10)
		n := parseNumber(raw)
		e.add(&n, raw)
	}
}

// between says that a number surely is neither extreme.
func (e *extremes) between(approx float64) bool { return e.above < approx && approx < e.below }

// add adds any number.
func (e *extremes) add(n *num, raw []byte) {
	e.settle()
	if e.between(n.approx) && len(raw) <= maxDigits {
		return
	}
	switch {
	case e.lost:
		return
	case len(raw) > maxDigits:
		*e = extremes{lost: true}
		return
	case e.minT == nil:
		e.min, e.max = *n, *n
		e.minT, e.maxT = bytes.Clone(raw), bytes.Clone(raw)
	case string(raw) == string(e.minT), string(raw) == string(e.maxT):
		return
	case n.less(raw, &e.min, e.minT):
		e.min, e.minT = *n, append(e.minT[:0], raw...)
	case e.max.less(e.maxT, n, raw):
		e.max, e.maxT = *n, append(e.maxT[:0], raw...)
	}
	doubt := closeFactor * max(math.Abs(e.min.approx), math.Abs(e.max.approx))
	e.above, e.below = e.min.approx+2*doubt, e.max.approx-2*doubt
}

func (e *extremes) merge(next *extremes) {
	e.settle()
	next.settle()
	switch {
	case next.lost:
		*e = extremes{lost: true}
	case next.minT != nil:
		e.add(&next.min, next.minT)
		e.add(&next.max, next.maxT)
	}
}
