package memgym

import (
	"slices"

	"github.com/hfpub/hfpub/validate/family/pythonrandom"
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
	random := pythonrandom.New(seed)
	var areas []float64
	for range resamples {
		if area, ok := ranks.area(len(list), func(int) int { return random.Below(len(list)) }); ok {
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
