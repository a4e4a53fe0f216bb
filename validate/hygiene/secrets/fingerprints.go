package secrets

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// place says which bytes of a pattern are its fingerprint, depth of them from at on, and in which set of begin they are.
type place struct{ at, set int }

// chooseFingerprints gives each pattern, a text of at least depth sets of bytes, a fingerprint, and adds it to begin. Fingerprints in one
// set are mixed up: the first byte of one goes with the second of another. So each pattern, that of the most common bytes
// first, takes the bytes and the set that add least to what is found in vain. Once all have theirs, each chooses again.
func (t *tables) chooseFingerprints(patterns []pattern) []place {
	order := make([]int, len(patterns))
	alone := make([]float64, len(patterns))
	choices := make([][]halves, len(patterns))
	for i, p := range patterns {
		order[i] = i
		choices[i] = halvesOf(p.bytes)
		_, alone[i] = cheapest(choices[i], make([]halves, 1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(alone[b], alone[a]) })
	places := make([]place, len(patterns))
	sets := make([]halves, 8)
	for _, i := range order {
		places[i], _ = cheapest(choices[i], sets)
		sets[places[i].set].add(&choices[i][places[i].at])
	}
	for _, i := range order {
		of := places[i].set
		sets[of] = halves{}
		for j, p := range places {
			if j != i && p.set == of {
				sets[of].add(&choices[j][p.at])
			}
		}
		places[i], _ = cheapest(choices[i], sets)
		sets[places[i].set].add(&choices[i][places[i].at])
	}
	for i, p := range places {
		for k, bytes := range patterns[i].bytes[p.at : p.at+depth] {
			for b := range 256 {
				if bytes.has(byte(b)) {
					t.add(k, p.set, byte(b))
				}
			}
		}
	}
	return places
}

// cheapest returns the fingerprint, of those that a pattern has by their places, that adds least to what sets find, and how much
// that is.
func cheapest(choices, sets []halves) (best place, least float64) {
	least = 2
	for set := range sets {
		before := sets[set].share()
		for at := range choices {
			with := sets[set]
			with.add(&choices[at])
			if more := with.share() - before; more < least {
				best, least = place{at, set}, more
			}
		}
	}
	return best, least
}

// half holds the lower and the upper halves that bytes have.
type half struct{ low, high uint16 }

func (s *byteSet) halves() (out half) {
	for i, word := range s {
		for part := range 4 {
			if low := uint16(word >> (16 * part)); low != 0 {
				out.low |= low
				out.high |= 1 << (4*i + part)
			}
		}
	}
	return out
}

// halves are the bytes of the fingerprints of a set as [nibbles] keeps them: for each, the lower and the upper halves that there are.
type halves [depth]half

// halvesOf are all depth bytes in a row of a pattern.
func halvesOf(pattern []byteSet) []halves {
	out := make([]halves, len(pattern)-depth+1)
	for i, bytes := range pattern {
		of := bytes.halves()
		for at := max(0, i-depth+1); at <= min(i, len(out)-1); at++ {
			out[at][i-at] = of
		}
	}
	return out
}

func (h *halves) add(other *halves) {
	for k := range h {
		h[k].low |= other[k].low
		h[k].high |= other[k].high
	}
}

// share is at about how many places of a text the set finds something, if the bytes of a text do not depend on each other.
func (h *halves) share() float64 {
	shares := shares()
	product := 1.0
	for _, byte := range h {
		sum := 0.0
		for high := byte.high; high != 0; high &= high - 1 {
			of := &shares[bits.TrailingZeros16(high)]
			sum += of[0][byte.low&15] + of[1][byte.low>>4&15] + of[2][byte.low>>8&15] + of[3][byte.low>>12]
		}
		product *= sum
	}
	return product
}

// shares says roughly how common bytes are in JSON with English texts and code: those with an upper half, in four parts by
// their lower halves, for each choice of the four in a part.
var shares = sync.OnceValue(func() *[16][4][16]float64 {
	out := new([16][4][16]float64)
	var of [256]float64
	for b := range of {
		of[b] = 0.0005
	}
	for i, b := range []byte(` etaoinsrlhdcumpfgywbvk"._,/0-1:2'()=x\34j5z678q9`) {
		of[b] = 0.12 / (1 + float64(i)*0.35)
		if 'a' <= b && b <= 'z' {
			of[b-'a'+'A'] = of[b] / 10
		}
	}
	for b, share := range of {
		part := &out[b>>4][b>>2&3]
		for choice := range part {
			if choice>>(b&3)&1 != 0 {
				part[choice] += share
			}
		}
	}
	return out
})
