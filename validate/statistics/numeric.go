package statistics

import (
	"errors"
	"math"
)

// bins is how many bins a histogram has at most.
const bins = 10

// What makes the viewer's job fail on a column of numbers.
var (
	errOneValue  = errors.New("it has only one value that is not null, and so no standard deviation")
	errInfinite  = errors.New("it holds infinity, or numbers so large that sums of them are infinite")
	errHistogram = errors.New("its numbers are too large, and too close to each other, for the edges of a histogram")
	errTwoEdges  = errors.New("its values differ by one only")
)

// spread is how the values of a column are distributed.
type spread struct {
	// points are in growing order. Those of a tally that dropped bits stand for intervals.
	points []point
	count  uint64
	// distinct is how many values there are; exact says that points and distinct are exact, whole that values are integers.
	distinct        int64
	exact, whole    bool
	least, greatest float64
	mean, std       float64
}

// point stands for count values from lo to hi.
type point struct {
	lo, hi float64
	count  uint64
}

// spread describes the numbers of a tally.
func (t *tally) spread(limit int, whole bool) *spread {
	run := t.settle(limit)
	s := &spread{whole: whole, count: t.count, exact: t.level == 0}
	if t.count == 0 {
		return s
	}
	s.least, s.greatest = t.valueOf(t.least), t.valueOf(t.greatest)
	s.points = make([]point, len(run))
	for i, p := range run {
		lo, hi := t.valueOf(p.key), t.valueOf(p.key|(1<<t.level-1))
		s.points[i] = point{max(lo, s.least), min(hi, s.greatest), p.count}
	}
	sums := &t.seen
	if s.exact {
		sums = &moments{}
		for _, p := range s.points {
			sums.add(p.lo, p.count)
		}
		s.distinct = int64(len(run))
	} else {
		s.distinct = t.distinct.estimate()
	}
	s.mean, s.std = sums.mean(t.count), sums.std(t.count)
	return s
}

// numbers makes the viewer's statistics of values; an error says what makes the viewer's job fail. With errTwoEdges there are
// statistics all the same.
func (s *spread) numbers(nulls Nulls) (*Numbers, error) {
	switch {
	case s.count == 0:
		return &Numbers{Nulls: nulls}, nil
	case s.count == 1:
		return nil, errOneValue
	}
	lo, hi := round5(s.least), round5(s.greatest)
	mean, median, std := Float(round5(s.mean)), Float(round5(s.median())), Float(round5(s.std))
	for _, x := range []float64{hi - lo, s.least, s.greatest, float64(mean), float64(median), float64(std)} {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, errInfinite
		}
	}
	if s.whole {
		lo, hi = math.Trunc(lo), math.Trunc(hi)
	}
	edges := s.edges(lo, hi)
	histogram, err := s.histogram(edges)
	if err != nil && err != errTwoEdges {
		return nil, err
	}
	return &Numbers{Nulls: nulls, Min: s.value(lo), Max: s.value(hi), Mean: &mean, Median: &median, Std: &std, Histogram: histogram}, err
}

// value is a number as the viewer writes it.
func (s *spread) value(x float64) any {
	switch {
	case !s.whole:
		return Float(x)
	case x >= 1<<63:
		return uint64(x)
	}
	return int64(x)
}

// median is the middle value, or the mean of both.
func (s *spread) median() float64 {
	if s.count%2 == 1 {
		return s.at(s.count / 2)
	}
	return (s.at(s.count/2-1) + s.at(s.count/2)) / 2
}

// at is the value with so many before it. Those of an interval are taken to lie evenly in it.
func (s *spread) at(rank uint64) float64 {
	for _, p := range s.points {
		if rank >= p.count {
			rank -= p.count
			continue
		}
		x := p.lo + float64((p.hi-p.lo)*((float64(rank)+0.5)/float64(p.count)))
		if s.whole {
			return math.Round(x)
		}
		return x
	}
	return s.greatest
}

// edges are those of the viewer's bins between two numbers (generate_bins in its statistics_utils.py).
func (s *spread) edges(lo, hi float64) []float64 {
	var edges []float64
	switch {
	case lo == hi:
		return []float64{lo, hi}
	case s.whole:
		edges = arange(lo, hi, math.Ceil((hi-lo+1)/bins))
		for i := range edges {
			edges[i] = math.Trunc(edges[i])
		}
	default:
		edges = arange(lo, hi, (hi-lo)/bins)
	}
	if edges[len(edges)-1] != hi {
		edges = append(edges, hi)
	}
	return edges
}

// arange is numpy.arange in float64; products are rounded before they are added, as there. No histogram asks for more than some steps.
func arange(from, to, step float64) []float64 {
	n := math.Ceil((to - from) / step)
	if !(n >= 1 && n <= 2*bins) {
		return []float64{from}
	}
	out := make([]float64, int(n))
	out[0] = from
	delta := from + step - from
	for i := 1; i < len(out); i++ {
		out[i] = from + float64(float64(i)*delta)
	}
	if len(out) > 1 {
		out[1] = from + step
	}
	return out
}

// histogram counts values between edges. Those that rounding put outside count in the first or the last bin when they are
// outside by at most 1.
func (s *spread) histogram(edges []float64) (*Histogram, error) {
	last := len(edges) - 1
	out := &Histogram{Counts: make([]int64, last)}
	for _, e := range edges {
		shown := s.value(e)
		if !s.whole {
			shown = Float(round5(e))
		}
		out.Edges = append(out.Edges, shown)
	}
	if last == 1 {
		out.Counts[0] = int64(s.count)
		if edges[0] != edges[1] {
			return out, errTwoEdges
		}
		return out, nil
	}
	if !growing(edges) || s.least < edges[0]-1 || s.greatest > edges[last]+1 || s.whole && (edges[0] < -1<<63 || edges[last] >= 1<<63) {
		return nil, errHistogram
	}
	s.fill(out.Counts, edges)
	return out, nil
}

func growing(edges []float64) bool {
	for i := 1; i < len(edges); i++ {
		if edges[i] <= edges[i-1] {
			return false
		}
	}
	return true
}

// fill counts the values of each bin: how many are below its end less how many are below its start.
func (s *spread) fill(counts []int64, edges []float64) {
	before := uint64(0)
	for i := range counts {
		below := s.count
		if i < len(counts)-1 {
			below = max(s.below(edges[i+1]), before)
		}
		counts[i] = int64(below - before)
		before = below
	}
}

// below counts the values less than x.
func (s *spread) below(x float64) uint64 {
	n := uint64(0)
	for _, p := range s.points {
		switch {
		case p.hi < x:
			n += p.count
		case p.lo >= x:
			return n
		default:
			share := (x - p.lo) / (p.hi - p.lo)
			if s.whole {
				share = (math.Ceil(x) - p.lo) / (p.hi - p.lo + 1)
			}
			return n + uint64(math.Round(share*float64(p.count)))
		}
	}
	return n
}
