package shape

import (
	"cmp"
	"math/big"
	"math/bits"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxShort is how many digits a number has at most that is compared by them at once.
const maxShort = 8

// shortNumbers are the keywords about numbers, for short ones as the least and the most that their digits may be.
type shortNumbers struct {
	// all are the keywords for any number; whole says that it has to be an integer.
	all   *numberMatcher
	whole bool
	// bounded says that least and most are all that is asked. They are by the number of digits behind the point, and count from the
	// last of these.
	bounded     bool
	least, most [maxShort]int64
}

// shortNumbersOf is what a matcher asks of numbers.
func shortNumbersOf(s *matcher) *shortNumbers {
	n := &shortNumbers{whole: s.whole, all: cmp.Or(s.number, &numberMatcher{})}
	n.bounded = n.all.multipleOf == nil
	scale := big.NewRat(1, 1)
	for k := range maxShort {
		n.least[k] = max(n.all.minimum.least(scale, false), n.all.exclusiveMinimum.least(scale, true))
		n.most[k] = min(n.all.maximum.most(scale, false), n.all.exclusiveMaximum.most(scale, true))
		scale.Mul(scale, big.NewRat(10, 1))
	}
	return n
}

// beyondShort is more than all short numbers.
const beyondShort = 1_000_000_000

// least is the least whole number that is not below a bound times scale, and is above it where that is strict. nil is no bound.
func (b *bound) least(scale *big.Rat, strict bool) int64 {
	if b == nil {
		return -beyondShort
	}
	limit, _ := new(big.Rat).SetString(b.text)
	limit.Mul(limit, scale)
	floor := new(big.Int).Div(limit.Num(), limit.Denom())
	if strict || !limit.IsInt() {
		floor.Add(floor, big.NewInt(1))
	}
	return clipped(floor)
}

// most is the greatest whole number that is not above a bound times scale, and is below it where that is strict.
func (b *bound) most(scale *big.Rat, strict bool) int64 {
	if b == nil {
		return beyondShort
	}
	limit, _ := new(big.Rat).SetString(b.text)
	limit.Mul(limit, scale)
	floor := new(big.Int).Div(limit.Num(), limit.Denom())
	if strict && limit.IsInt() {
		floor.Sub(floor, big.NewInt(1))
	}
	return clipped(floor)
}

func clipped(n *big.Int) int64 {
	if n.IsInt64() {
		return max(-beyondShort, min(n.Int64(), beyondShort))
	}
	return int64(n.Sign()) * beyondShort
}

// fits says that a number is valid.
func (n *shortNumbers) fits(v tape.Value) bool {
	if n.whole && !isWhole(v) {
		return false
	}
	if n.bounded && !n.all.natural {
		start, end := v.Tape().Nodes[v.Node()].Span()
		if value, scale, ok := shortNumber(v.Tape().Text, start, end); ok {
			return n.least[scale] <= value && value <= n.most[scale]
		}
	}
	return n.all.fits(v)
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// shortNumber reads a number of up to [maxShort] characters but for its sign, between start and end of a text: it is value ÷ 10^scale. ok is
// false for longer ones, those with an exponent, and those that stand at the very start of the text.
func shortNumber(text []byte, start, end int) (value int64, scale int, ok bool) {
	negative := text[start] == '-'
	if negative {
		start++
	}
	size := end - start
	if size > maxShort || end < 8 {
		return 0, 0, false
	}
	// The digits are in the upper bytes, their order that of the text from the lowest on; zeros stand before them.
	shift := 64 - 8*size
	x := (eightAt(text, end-8) ^ lows*'0') >> (shift & 63) << (shift & 63)
	const point = '.' ^ '0'
	y := x ^ lows*point
	if points := (y - lows) &^ y & highs; points != 0 {
		at := bits.TrailingZeros64(points) & 56
		below := x & (1<<at - 1)
		x = x>>at>>8<<at<<8 | below<<8
		scale = 7 - at>>3
	}
	if (x+lows*(0x80-10)|x)&highs != 0 {
		return 0, 0, false
	}
	value = int64(tape.EightDigits(x))
	if negative {
		value = -value
	}
	return value, scale, true
}
