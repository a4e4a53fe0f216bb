// Package pythonrandom draws what Python's module random draws, so that what a script has drawn with a seed can be drawn again: the
// samples behind an interval, the order of a stage. The generator is that of gonum; how a seed becomes its state, and how a number
// below a limit and an order are made of its bits, is CPython's (Modules/_randommodule.c, Lib/random.py).
package pythonrandom

import (
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

// Random is random.Random(seed) of Python 3.
type Random struct{ generator *prng.MT19937 }

// New begins with a seed as Python does: with the digits of its size in base 2^32.
func New(seed int) *Random {
	size := uint64(seed)
	if seed < 0 {
		size = -size
	}
	digits := []uint32{uint32(size)}
	if high := uint32(size >> 32); high != 0 {
		digits = append(digits, high)
	}
	r := &Random{prng.NewMT19937()}
	r.generator.SeedFromKeys(digits)
	return r
}

// Word draws 32 bits, as getrandbits(32).
func (r *Random) Word() uint32 { return r.generator.Uint32() }

// Below draws a number from 0 to n-1, as randrange(n): as many bits as n has, again and again until they are below n. n is at least
// 1 and below 2^32.
func (r *Random) Below(n int) int {
	size := bits.Len(uint(n))
	for {
		if draw := int(r.Word() >> (32 - size)); draw < n {
			return draw
		}
	}
}

// Shuffle puts a list into the order that shuffle of a new generator gives it.
func Shuffle[T any](seed int, list []T) {
	r := New(seed)
	for i := len(list) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
