// Package minhash tells which of many texts are nearly the same, without comparing each with each.
//
// A text is the set of its shingles: runs of so many words, see [Shingler]. How alike two texts are is the Jaccard similarity of
// their sets, the shared shingles as a share of all. A [Hasher] makes of a set its MinHash signature: numbers of which two texts
// have as many in common as they are alike. The signature is cut into bands; texts that agree in all of one band are candidates
// (locality-sensitive hashing, see [Bands]), and only those are compared by what they hold: a [Sketch] of each.
//
// Signatures are made by one permutation that is cut into bins, with optimal densification for the bins that stay empty: one hash
// for each shingle instead of one for each shingle and permutation, with the same chance of agreeing.
//
// Sources: A. Broder, On the resemblance and containment of documents (1997); J. Leskovec, A. Rajaraman, J. Ullman, Mining of
// Massive Datasets, chapter 3 (bands and rows); A. Shrivastava, Optimal Densification for Fast and Accurate Minwise Hashing (2017).
package minhash

import (
	"math"
	"math/bits"

	"github.com/hfpub/hfpub/validate/fingerprint"
)

// recall is how likely a pair that is just as alike as the threshold becomes a candidate, at least.
const recall = 0.98

// Bands cuts a signature of so many permutations into bands of rows: of those by which a pair at the threshold becomes a candidate
// with a chance of 0.98 or more, the one with the most rows, since that has the fewest false candidates. The chance of a pair with
// similarity s is 1 - (1 - s^rows)^bands. Permutations that fill no band are not used.
func Bands(threshold float64, permutations int) (bands, rows int) {
	for rows = permutations; rows > 1; rows-- {
		if bands = permutations / rows; Chance(threshold, bands, rows) >= recall {
			return bands, rows
		}
	}
	return permutations, 1
}

// Chance is how likely a pair of texts with the given similarity becomes a candidate.
func Chance(similarity float64, bands, rows int) float64 {
	return 1 - math.Pow(1-math.Pow(similarity, float64(rows)), float64(bands))
}

// Hasher makes signatures and their bands. It holds what is reused from text to text: each goroutine needs one of its own.
type Hasher struct {
	bands, rows int
	seed        uint64
	bins        []uint64
	filled      []bool
	signature   []uint64
}

// NewHasher returns a hasher for signatures of bands × rows permutations.
func NewHasher(bands, rows int, seed uint64) *Hasher {
	n := bands * rows
	return &Hasher{bands: bands, rows: rows, seed: seed, bins: make([]uint64, n), filled: make([]bool, n), signature: make([]uint64, n)}
}

// Each calls see with the key of every band of the signature of a set of shingles; an empty set has none.
func (h *Hasher) Each(shingles []uint64, see func(fingerprint.Key)) {
	if len(shingles) == 0 {
		return
	}
	h.sign(shingles)
	for band := range h.bands {
		key := fingerprint.Key{mix(uint64(band) + 1), mix(^uint64(band))}
		for _, value := range h.signature[band*h.rows : (band+1)*h.rows] {
			key[0] = mix(key[0] ^ value)
			key[1] = mix(key[1]*odd + value)
		}
		see(key)
	}
}

// Whole returns the key of shingles in their order: texts that differ in nothing that shingles see have the same.
func Whole(shingles []uint64) fingerprint.Key {
	key := fingerprint.Key{odd, uint64(len(shingles))}
	for _, s := range shingles {
		key[0] = mix(key[0] ^ s)
		key[1] = mix(key[1]*odd + s)
	}
	return key
}

// sign makes the signature: the smallest shingle of each bin, and for a bin without one that of another bin, which is drawn by the
// number of the empty one alone, so that it is the same for every text that has something there.
func (h *Hasher) sign(shingles []uint64) {
	clear(h.filled)
	n := uint64(len(h.bins))
	for _, s := range shingles {
		bin, value := bits.Mul64(mix(s^h.seed), n)
		if !h.filled[bin] || value < h.bins[bin] {
			h.bins[bin], h.filled[bin] = value, true
		}
	}
	for i := range h.signature {
		from := uint64(i)
		for attempt := uint64(1); !h.filled[from]; attempt++ {
			from, _ = bits.Mul64(mix(uint64(i)*odd^attempt<<32^h.seed), n)
		}
		h.signature[i] = h.bins[from]
	}
}

const odd = 0x9E3779B97F4A7C15

// mix spreads the bits of a number over all of it: the finaliser of MurmurHash3.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
