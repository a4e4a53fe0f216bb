package statistics

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// moments holds the exact sums of numbers and of their squares: they do not depend on the order of the numbers, and nothing
// cancels out when the spread is taken from them. Infinities are left out.
type moments struct{ first, second sum }

func (m *moments) add(x float64, n uint64) {
	if math.IsInf(x, 0) {
		return
	}
	fraction, exponent := math.Frexp(x)
	whole := uint64(math.Abs(math.Ldexp(fraction, 53)))
	exponent -= 53
	hi, lo := bits.Mul64(whole, n)
	m.first.add(hi, lo, exponent, x < 0)
	hi, lo = bits.Mul64(whole, whole)
	// The square has 106 bits, so that it is added n times in steps of 20 bits of n.
	for shift := 0; n > 0; shift += 20 {
		part := n & (1<<20 - 1)
		n >>= 20
		over, low := bits.Mul64(lo, part)
		m.second.add(hi*part+over, low, 2*exponent+shift, false)
	}
}

func (m *moments) merge(next *moments) {
	m.first.merge(&next.first)
	m.second.merge(&next.second)
}

// mean is that of n numbers, std their standard deviation with n-1 degrees of freedom.
func (m *moments) mean(n uint64) float64 {
	x := m.first.value()
	x.Quo(x, new(big.Float).SetUint64(n))
	out, _ := x.Float64()
	return out
}

func (m *moments) std(n uint64) float64 {
	if n < 2 {
		return math.NaN()
	}
	count := new(big.Int).SetUint64(n)
	// n * the sum of the squares - the square of the sum, in units of 2^(-2*sumBias).
	squares := m.second.integer()
	squares.Lsh(squares, sumBias)
	squares.Mul(squares, count)
	total := m.first.integer()
	total.Mul(total, total)
	squares.Sub(squares, total)
	x := new(big.Float).SetPrec(sumPrecision).SetInt(squares)
	x.SetMantExp(x, -2*sumBias)
	x.Quo(x, new(big.Float).SetInt(count.Mul(count, new(big.Int).SetUint64(n-1))))
	out, _ := x.Sqrt(x).Float64()
	return out
}

const (
	// limbBits is the number of bits of a limb that are filled; the others take carries.
	limbBits = 32
	// sumBias is the exponent of the lowest bit: below that of any square, whose fractions are written with 106 bits.
	sumBias = 72 * limbBits
	// maxAdds is how often can be added before carries must move on.
	maxAdds = 1 << 29
	// sumPrecision is the number of bits in which exact sums are divided.
	sumPrecision = 256
)

// sum is an exact sum of binary floating point numbers in fixed point (Kulisch's accumulator): limb i counts 2^(32(base+i) -
// sumBias). Only limbs that were needed are there.
type sum struct {
	base  int
	limbs []int64
	adds  int
}

// add adds a number of 128 bits times 2^exponent.
func (s *sum) add(hi, lo uint64, exponent int, negative bool) {
	if hi|lo == 0 {
		return
	}
	at := exponent + sumBias
	limb, shift := at/limbBits, uint(at%limbBits)
	s.reach(limb, limb+5)
	parts := [5]uint64{
		lo << shift & math.MaxUint32,
		lo >> (limbBits - shift) & math.MaxUint32,
		(lo>>(2*limbBits-shift) | hi<<shift) & math.MaxUint32,
		hi >> (limbBits - shift) & math.MaxUint32,
		hi >> (2*limbBits - shift),
	}
	limbs := s.limbs[limb-s.base:]
	for i, part := range parts {
		if negative {
			limbs[i] -= int64(part)
		} else {
			limbs[i] += int64(part)
		}
	}
	if s.adds++; s.adds >= maxAdds {
		s.carry()
	}
}

// reach makes the limbs from one up to before another be there.
func (s *sum) reach(from, to int) {
	switch {
	case s.limbs == nil:
		s.base = from
	case from < s.base:
		s.limbs = append(make([]int64, s.base-from), s.limbs...)
		s.base = from
	}
	for len(s.limbs) < to-s.base {
		s.limbs = append(s.limbs, 0)
	}
}

// carry moves what is beyond the filled bits of limbs on to the next.
func (s *sum) carry() {
	s.adds = 0
	for i := 0; i < len(s.limbs); i++ {
		over := s.limbs[i] >> limbBits
		last := i == len(s.limbs)-1
		if over == 0 || last && over == -1 {
			continue // the sign is that of the last limb
		}
		if last {
			s.limbs = append(s.limbs, 0)
		}
		s.limbs[i] -= over << limbBits
		s.limbs[i+1] += over
	}
	for n := len(s.limbs); n > 0 && s.limbs[n-1] == 0; n = len(s.limbs) {
		s.limbs = s.limbs[:n-1]
	}
}

func (s *sum) merge(next *sum) {
	s.carry()
	next.carry()
	if len(next.limbs) == 0 {
		return
	}
	s.reach(next.base, next.base+len(next.limbs))
	for i, limb := range next.limbs {
		s.limbs[next.base-s.base+i] += limb
	}
	s.carry()
}

func (s *sum) clone() sum {
	out := *s
	out.limbs = slices.Clone(s.limbs)
	return out
}

// integer is the sum in units of 2^-sumBias.
func (s *sum) integer() *big.Int {
	out := new(big.Int)
	for i := len(s.limbs) - 1; i >= 0; i-- {
		out.Lsh(out, limbBits)
		out.Add(out, big.NewInt(s.limbs[i]))
	}
	return out.Lsh(out, uint(s.base*limbBits))
}

func (s *sum) value() *big.Float {
	x := new(big.Float).SetPrec(sumPrecision).SetInt(s.integer())
	return x.SetMantExp(x, -sumBias)
}
