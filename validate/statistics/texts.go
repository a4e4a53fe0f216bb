package statistics

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/column"
)

// texts measures the texts of a column. As long as there are few distinct ones they are counted one by one, and all else is
// told from those; when they are many, what may still be asked of them is measured text by text.
type texts struct {
	count int64
	// opening are the first texts.
	opening opening
	// labels are nil when there are too many.
	labels   *labels
	lengths  tally
	distinct distinct
	numerals numerals
	dates    dates
}

func newTexts() *texts { return &texts{labels: &labels{}} }

// add takes the next text, which has so many characters.
func (t *texts) add(text []byte, chars int) {
	t.count++
	t.opening.add(text)
	t.put(labelOf(text, chars, 1), text)
}

// put counts a label.
func (t *texts) put(e label, text []byte) {
	if t.labels != nil {
		if t.labels.count(e, text) {
			return
		}
		t.disperse()
	}
	t.scatter(e, text)
}

// disperse measures what was counted as labels.
func (t *texts) disperse() {
	known := t.labels
	t.labels = nil
	for i := range known.entries {
		t.scatter(known.entries[i], known.text(&known.entries[i]))
	}
}

// scatter measures a text. Of a long one the beginning is enough: it is neither number nor date.
func (t *texts) scatter(e label, text []byte) {
	n := uint64(e.count)
	t.lengths.add(keyOf(float64(e.chars)), n)
	t.distinct.add(e.hash)
	t.numerals.add(text, n)
	t.dates.add(text, n)
}

func (t *texts) seal() {
	t.lengths.seal()
	t.numerals.values.seal()
	t.dates.seal()
}

// merge takes over the texts that follow.
func (t *texts) merge(next *texts, limit int) {
	t.count += next.count
	t.opening.merge(&next.opening)
	if t.labels != nil && next.labels != nil {
		t.mergeLabels(next.labels)
		return
	}
	for _, side := range []*texts{t, next} {
		if side.labels != nil {
			side.disperse()
		}
	}
	t.lengths.merge(&next.lengths, limit)
	t.distinct.merge(&next.distinct)
	t.numerals.merge(&next.numerals, limit)
	t.dates.merge(&next.dates, limit)
}

func (t *texts) mergeLabels(next *labels) {
	if next.beginnings && !t.labels.beginnings {
		t.labels.shorten()
	}
	for i := range next.entries {
		t.put(next.entries[i], next.text(&next.entries[i]))
	}
}

// numerals counts the numbers that texts stand for, as long as every text does.
type numerals struct {
	values tally
	broken bool
}

func (n *numerals) add(text []byte, count uint64) {
	if n.broken {
		return
	}
	x, ok := column.CellNumber(text)
	if !ok {
		*n = numerals{broken: true}
		return
	}
	n.values.add(keyOf(x), count)
}

func (n *numerals) merge(next *numerals, limit int) {
	if n.broken || next.broken {
		*n = numerals{broken: true}
		return
	}
	n.values.merge(&next.values, limit)
}

const (
	// maxOpening is how many texts the viewer looks at to find out whether a column holds dates.
	maxOpening = 100
	// maxDate is the length in bytes of the longest text that may be a date.
	maxDate = 64
	// maxDateWord is the length of the longest word that is part of a date: September.
	maxDateWord = 9
)

// opening holds the first texts of a column, up to one that surely is no date.
type opening struct {
	texts []string
	// broken says that a text that is no date follows.
	broken bool
}

func (o *opening) add(text []byte) {
	if o.broken || len(o.texts) == maxOpening {
		return
	}
	if surelyNoDate(text) {
		o.broken = true
		return
	}
	o.texts = append(o.texts, string(text))
}

func (o *opening) merge(next *opening) {
	for _, text := range next.texts {
		o.add([]byte(text))
	}
	if next.broken && !o.broken && len(o.texts) < maxOpening {
		o.broken = true
	}
}

// surelyNoDate says that python-dateutil surely refuses a text.
func surelyNoDate(text []byte) bool {
	if len(text) == 0 || len(text) > maxDate {
		return true
	}
	word := 0
	for _, c := range text {
		if c >= 0x80 {
			return true
		}
		if lower := c | 0x20; 'a' <= lower && lower <= 'z' {
			if word++; word > maxDateWord {
				return true
			}
		} else {
			word = 0
		}
	}
	return len(bytes.TrimSpace(text)) == 0
}
