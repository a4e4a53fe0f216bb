package statistics

import (
	"math"
	"math/bits"
	"slices"
)

// tally counts values: numbers, lengths or instants, each as a key of 64 bits whose order is that of the values.
//
// It holds every distinct key with its count as long as there are at most so many, and is exact then. Beyond that it drops the
// lowest bits of all keys, as few as make the rest few enough: a key then stands for the values of a small interval, whose
// ends differ by a part in some thousands. How many bits that are depends on the values alone, not on their order nor on
// where runs of rows were cut, since a part of the values never needs more bits dropped than all of them do. That makes it a
// sketch which merges without loss and gives the same bytes on every machine.
type tally struct {
	// instants says that keys are those of instants, not of numbers.
	instants bool
	count    uint64
	// least and greatest are exact.
	least, greatest uint64
	// level is the number of bits that are dropped: they are 0 in the keys of runs.
	level uint
	// runs hold pairs with growing keys, long runs first. A key may be in several.
	runs [][]pair
	// seen and distinct take every value once bits are dropped.
	seen     moments
	distinct distinct

	// recent holds pairs that came a short time ago, by hash; loose and heavy those that had to leave it, with a count of one
	// and with more.
	recent []pair
	loose  []uint64
	heavy  []pair
}

// pair is a key and how often it was seen.
type pair struct{ key, count uint64 }

// unlimited keeps every value that is there.
const unlimited = math.MaxInt / 4

// recentBits is the logarithm of the number of recent pairs.
const recentBits = 6

// add counts a key n times.
func (t *tally) add(key, n uint64) {
	if t.count == 0 {
		t.least, t.greatest = key, key
	}
	t.count += n
	t.least, t.greatest = min(t.least, key), max(t.greatest, key)
	if t.recent == nil {
		t.recent = make([]pair, 1<<recentBits)
	}
	slot := &t.recent[(key*0x9e3779b97f4a7c15)>>(64-recentBits)]
	if slot.key != key {
		t.evict(*slot)
		*slot = pair{key: key}
	}
	slot.count += n
}

func (t *tally) evict(p pair) {
	switch p.count {
	case 0:
	case 1:
		t.loose = append(t.loose, p.key)
	default:
		t.heavy = append(t.heavy, p)
	}
}

// seal sorts what was added, so that others need not.
func (t *tally) seal() {
	if t.recent == nil {
		return
	}
	for _, p := range t.recent {
		t.evict(p)
	}
	slices.Sort(t.loose)
	slices.SortFunc(t.heavy, byKey)
	run := make([]pair, 0, len(t.loose)+len(t.heavy))
	for _, key := range t.loose {
		if n := len(run); n > 0 && run[n-1].key == key {
			run[n-1].count++
		} else {
			run = append(run, pair{key, 1})
		}
	}
	run = mergeRuns(run, mergeRuns(t.heavy, nil))
	t.recent, t.loose, t.heavy = nil, nil, nil
	t.push(run)
}

func byKey(a, b pair) int {
	switch {
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return 0
}

// push takes a run of exact keys.
func (t *tally) push(run []pair) {
	if t.level > 0 {
		t.note(run)
		run = masked(run, t.level)
	}
	t.keep(run)
}

// note takes exact values before bits of them are dropped.
func (t *tally) note(run []pair) {
	for _, p := range run {
		t.seen.add(t.valueOf(p.key), p.count)
		t.distinct.add(mixed(p.key))
	}
}

// valueOf is the number of a key, or its microseconds.
func (t *tally) valueOf(key uint64) float64 {
	if t.instants {
		return float64(instantOfKey(key))
	}
	return numberOf(key)
}

// clone returns a copy that can be changed.
func (t *tally) clone() *tally {
	t.seal()
	out := *t
	out.runs = slices.Clone(t.runs)
	out.seen = moments{t.seen.first.clone(), t.seen.second.clone()}
	out.distinct = t.distinct.clone()
	return &out
}

// keep keeps a run and merges those that are about as long.
func (t *tally) keep(run []pair) {
	if len(run) == 0 {
		return
	}
	t.runs = append(t.runs, run)
	for n := len(t.runs); n > 1 && 2*len(t.runs[n-1]) > len(t.runs[n-2]); n = len(t.runs) {
		t.runs = append(t.runs[:n-2], mergeRuns(t.runs[n-2], t.runs[n-1]))
	}
}

// size is the number of pairs that are held.
func (t *tally) size() int {
	n := 0
	for _, run := range t.runs {
		n += len(run)
	}
	return n
}

// merge takes over what another tally counted.
func (t *tally) merge(next *tally, limit int) {
	t.seal()
	next.seal()
	if next.count == 0 {
		return
	}
	if t.count == 0 {
		*t = *next
		return
	}
	t.count += next.count
	t.least, t.greatest = min(t.least, next.least), max(t.greatest, next.greatest)
	if t.level != next.level {
		level := max(t.level, next.level)
		t.drop(level)
		next.drop(level)
	}
	t.seen.merge(&next.seen)
	t.distinct.merge(&next.distinct)
	for _, run := range next.runs {
		t.keep(run)
	}
	if t.size() > 2*limit {
		t.settle(limit)
	}
}

// drop drops bits of the keys.
func (t *tally) drop(level uint) {
	if level <= t.level {
		return
	}
	if t.level == 0 {
		t.whole()
		for _, run := range t.runs {
			t.note(run)
		}
	}
	t.level = level
	runs := t.runs
	t.runs = nil
	for _, run := range runs {
		t.keep(masked(run, level))
	}
}

// whole merges all runs into one.
func (t *tally) whole() {
	for n := len(t.runs); n > 1; n = len(t.runs) {
		t.runs = append(t.runs[:n-2], mergeRuns(t.runs[n-2], t.runs[n-1]))
	}
}

// settle merges all runs and drops as many bits as make at most limit pairs.
func (t *tally) settle(limit int) []pair {
	t.seal()
	t.whole()
	if len(t.runs) == 0 {
		return nil
	}
	run := t.runs[0]
	if len(run) > limit {
		t.drop(levelFor(run, limit))
	}
	return t.runs[0]
}

// levelFor is the number of bits to drop of the keys of a run to make at most limit of them.
func levelFor(run []pair, limit int) uint {
	// differ counts the neighbours that are still different when so many bits are dropped.
	var differ [65]int
	for i := 1; i < len(run); i++ {
		differ[bits.Len64(run[i].key^run[i-1].key)]++
	}
	left := len(run)
	level := uint(0)
	for ; level < 64 && left > limit; level++ {
		left -= differ[level+1]
	}
	return level
}

// masked drops bits of the keys of a run.
func masked(run []pair, level uint) []pair {
	out := make([]pair, 0, len(run))
	for _, p := range run {
		p.key = p.key >> level << level
		if n := len(out); n > 0 && out[n-1].key == p.key {
			out[n-1].count += p.count
		} else {
			out = append(out, p)
		}
	}
	return slices.Clip(out)
}

// mergeRuns merges two runs. Equal keys may stand in both, and side by side in one.
func mergeRuns(a, b []pair) []pair {
	out := make([]pair, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var p pair
		if len(b) == 0 || len(a) > 0 && a[0].key <= b[0].key {
			p, a = a[0], a[1:]
		} else {
			p, b = b[0], b[1:]
		}
		if n := len(out); n > 0 && out[n-1].key == p.key {
			out[n-1].count += p.count
		} else {
			out = append(out, p)
		}
	}
	return out
}

// keyOf is the key of a number. Both zeros have one.
func keyOf(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// numberOf is the number of a key.
func numberOf(key uint64) float64 {
	if key>>63 == 1 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// mixed makes a well mixed hash of a key, a different one of every key (the finalizer of splitmix64).
func mixed(key uint64) uint64 {
	key ^= key >> 30
	key *= 0xbf58476d1ce4e5b9
	key ^= key >> 27
	key *= 0x94d049bb133111eb
	return key ^ key>>31
}
