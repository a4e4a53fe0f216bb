package rule

import (
	"context"
	"math"
	"sync"

	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
)

// findRepeats finds the rows whose texts are those of a row before them. Between splits, only those of their own split count: in
// another one the texts are compared.
func (c *comparison) findRepeats(ctx context.Context) error {
	c.repeated = rowSet{}
	some := c.addition()
	var first spot
	var key fingerprint.Key
	started := false
	err := fingerprint.Sorted(ctx, c.whole, func(end int, r fingerprint.Record) error {
		x := spot{end: end, place: r.Place}
		if !started || r.Key != key || c.rule.across && end != first.end {
			first, key, started = x, r.Key, true
			return nil
		}
		c.repeated.add(x)
		some.add(repeatOf(first, x))
		return nil
	})
	some.end()
	return err
}

// noEnd stands in the record of a repeat where a pair has the end of the second row.
const noEnd = math.MaxUint32

// repeatOf is a row that repeats the texts of x. The repeats of x come behind its pairs when they are sorted; see pairOf.
func repeatOf(x, repeat spot) fingerprint.Record {
	r := pairOf(x, spot{end: noEnd, place: repeat.place})
	r.Value = uint64(repeat.end)
	return r
}

func isRepeat(r fingerprint.Record) bool { return uint32(r.Key[1]) == noEnd }

func repeatsOf(r fingerprint.Record) (x, repeat spot) {
	x, repeat = spotsOf(r)
	repeat.end = int(r.Value)
	return x, repeat
}

// rowSet is a set of rows: a bit for each row, in pages for those stretches of a file that have some.
type rowSet map[page]*[pageRows / 64]uint64

// page is a stretch of rows of a file.
type page struct {
	source
	number int64
}

const pageRows = 4096

func pageOf(x spot) (of page, word int64, bit uint64) {
	i := x.place.Index()
	return page{source{x.end, x.place.File()}, i / pageRows}, i % pageRows / 64, 1 << (i % 64)
}

func (s rowSet) add(x spot) {
	of, word, bit := pageOf(x)
	if s[of] == nil {
		s[of] = new([pageRows / 64]uint64)
	}
	s[of][word] |= bit
}

func (s rowSet) has(x spot) bool {
	of, word, bit := pageOf(x)
	bits := s[of]
	return bits != nil && bits[word]&bit != 0
}

// maxKnownTexts is how many texts are remembered while rows are read.
const maxKnownTexts = 1 << 16

// knownTexts remembers some of the texts that were met, by all observers of a rule, so that the bands of rows that repeat them need
// not be logged. What it remembers depends on the order in which blocks are read; what comes of it does not, since the bands of
// all repeats are passed over in the end.
type knownTexts struct {
	mu    sync.Mutex
	slots []knownText
}

type knownText struct {
	split *observe.Split
	fingerprint.Record
}

func newKnownTexts() *knownTexts { return &knownTexts{slots: make([]knownText, maxKnownTexts)} }

// repeats says that a row before this one is known to have its texts.
func (k *knownTexts) repeats(split *observe.Split, r fingerprint.Record) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	slot := &k.slots[r.Key[0]%maxKnownTexts]
	if slot.split == split && slot.Key == r.Key && slot.Place < r.Place {
		return true
	}
	*slot = knownText{split, r}
	return false
}
