package memgym

import (
	"math/bits"
	"slices"
)

// The bootstrap of the evaluator.
const (
	resamples = 1000
	seed      = 42
	// maxSampled is of how many predictions samples are drawn at most: far more than an evaluation has, and few enough to draw from in
	// some seconds.
	maxSampled = 200_000
	// fewest is how many samples have to have a value for an interval to be given.
	fewest = resamples / 10
)

// interval is the interval of the area under the curve that the evaluator gives: the percentiles of the areas of samples that
// Python's random.Random(42) draws with repetition. It is not defined when too few samples have an area, and not computed of too
// many predictions.
func interval(list []prediction) (low, high float64, ok bool) {
	if len(list) == 0 || len(list) > maxSampled {
		return 0, 0, false
	}
	ranks := newRanks(list)
	random := newTwister(seed)
	var areas []float64
	for range resamples {
		if area, ok := ranks.area(len(list), func(int) int { return random.below(len(list)) }); ok {
			areas = append(areas, area)
		}
	}
	if len(areas) < fewest {
		return 0, 0, false
	}
	slices.Sort(areas)
	level := 0.95
	tail := (1 - level) / 2
	n := float64(len(areas))
	last := len(areas) - 1
	return areas[min(last, max(0, int(tail*n)))], areas[min(last, max(0, int((1-tail)*n)-1))], true
}

// The numbers of the Mersenne Twister MT19937, by Matsumoto and Nishimura.
const (
	twisterSize  = 624
	twisterShift = 397
)

// twister is the generator that Python's module random uses.
type twister struct {
	state [twisterSize]uint32
	next  int
}

// newTwister begins with a seed as Python does: by the array of its 32-bit words, of which a small one has one.
func newTwister(seed uint32) *twister {
	t := &twister{next: twisterSize}
	s := &t.state
	s[0] = 19650218
	for i := 1; i < twisterSize; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	i := 1
	turn := func() {
		if i++; i == twisterSize {
			s[0], i = s[twisterSize-1], 1
		}
	}
	for range twisterSize {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + seed
		turn()
	}
	for range twisterSize - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		turn()
	}
	s[0] = 1 << 31
	return t
}

// word draws 32 bits.
func (t *twister) word() uint32 {
	if t.next == twisterSize {
		s := &t.state
		for i := range s {
			y := s[i]&(1<<31) | s[(i+1)%twisterSize]&(1<<31-1)
			s[i] = s[(i+twisterShift)%twisterSize] ^ y>>1 ^ y&1*0x9908b0df
		}
		t.next = 0
	}
	y := t.state[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// below draws a number from 0 to n-1 as random.randrange does: bits until they are small enough.
func (t *twister) below(n int) int {
	size := bits.Len(uint(n))
	for {
		if got := int(t.word() >> (32 - size)); got < n {
			return got
		}
	}
}
