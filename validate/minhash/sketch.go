package minhash

import "slices"

// Sketch is a set of shingles, or the smallest of them by their hashes, which are a fair sample.
type Sketch struct {
	// Hashes ascend, each once.
	Hashes []uint64
	// Whole says that they are all.
	Whole bool
}

// NewSketch makes a sketch of at most so many of the given hashes, whose order it changes.
func NewSketch(hashes []uint64, most int) Sketch {
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return Sketch{hashes[:min(len(hashes), most)], len(hashes) <= most}
}

// Similarity is the Jaccard similarity of two sets: the shared shingles as a share of all, from 0 to 1. It is exact where both
// sketches are whole (but for two shingles with one 64-bit hash), else an estimate by the smallest hashes of both sets together,
// with a standard error of at most 0.5 / √n for sketches of n.
func Similarity(a, b Sketch) (share float64, exact bool) {
	most := len(a.Hashes) + len(b.Hashes)
	for _, s := range []Sketch{a, b} {
		if !s.Whole {
			most = min(most, len(s.Hashes))
		}
	}
	both, all := 0, 0
	for i, j := 0, 0; all < most && (i < len(a.Hashes) || j < len(b.Hashes)); all++ {
		switch {
		case j == len(b.Hashes) || i < len(a.Hashes) && a.Hashes[i] < b.Hashes[j]:
			i++
		case i == len(a.Hashes) || b.Hashes[j] < a.Hashes[i]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	if all == 0 {
		return 0, true
	}
	return float64(both) / float64(all), a.Whole && b.Whole
}
