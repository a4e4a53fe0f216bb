package shape

import (
	"cmp"
	"math/big"
	"math/bits"
	"strings"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// decimal is the exact value of a JSON number, by its digits: ±0.DIGITS × 10^exponent.
type decimal struct {
	negative bool
	// digits begin and end with another digit than 0; a decimal point may stand among them. Zero has none.
	digits []byte
	// count is the number of digits.
	count    int
	exponent int
}

// decimalOf reads a number that the tokeniser took, so that its form is valid and its exponent in range. The digits belong
// to raw.
func decimalOf(raw []byte) decimal {
	var d decimal
	if raw[0] == '-' {
		d.negative, raw = true, raw[1:]
	}
	first, last, point, end := -1, -1, -1, len(raw)
	for i, c := range raw {
		if c == '.' {
			point = i
			continue
		}
		if c|0x20 == 'e' {
			end = i
			break
		}
		if c != '0' {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return decimal{}
	}
	if point < 0 {
		point = end
	}
	d.digits, d.count = raw[first:last+1], last+1-first
	d.exponent = point - first
	if first > point {
		d.exponent++ // the point stands before the first digit
	} else if point < last {
		d.count--
	}
	if end < len(raw) {
		d.exponent += exponentOf(raw[end+1:])
	}
	return d
}

func exponentOf(raw []byte) int {
	negative := raw[0] == '-'
	if negative || raw[0] == '+' {
		raw = raw[1:]
	}
	n := 0
	for _, c := range raw {
		n = min(10*n+int(c-'0'), 10*tape.MaxNumber)
	}
	if negative {
		return -n
	}
	return n
}

func (d *decimal) isZero() bool { return d.count == 0 }

// isWhole says that the number has no digit behind the point once it is written without an exponent.
func (d *decimal) isWhole() bool { return d.exponent >= d.count }

// sign is -1, 0 or 1.
func (d *decimal) sign() int {
	switch {
	case d.isZero():
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// compare is -1, 0 or 1 as d is less than, equal to or greater than other.
func (d *decimal) compare(other *decimal) int {
	sign := d.sign()
	if c := cmp.Compare(sign, other.sign()); c != 0 || sign == 0 {
		return c
	}
	if c := cmp.Compare(d.exponent, other.exponent); c != 0 {
		return c * sign
	}
	return d.compareDigits(other) * sign
}

// compareDigits compares the digits as those of fractions.
func (d *decimal) compareDigits(other *decimal) int {
	a, b := d.digits, other.digits
	i, k := 0, 0
	for {
		if i < len(a) && a[i] == '.' {
			i++
		}
		if k < len(b) && b[k] == '.' {
			k++
		}
		if i == len(a) || k == len(b) {
			return cmp.Compare(len(a)-i, len(b)-k)
		}
		if a[i] != b[k] {
			return cmp.Compare(a[i], b[k])
		}
		i, k = i+1, k+1
	}
}

// factor is the number of a multipleOf.
type factor struct {
	decimal
	// small is what the digits are as an integer, 0 when they are too many.
	small uint64
	large *big.Int
	// text is the number as the schema writes it.
	text string
}

// maxSmall is how many digits a number may have so that ten times it, and one digit more, fit into 64 bits.
const maxSmall = 18

func factorOf(text string) *factor {
	f := &factor{decimal: decimalOf([]byte(text)), text: text}
	if f.count <= maxSmall {
		f.small = f.remainder(1 << 63)
		return f
	}
	f.large = f.integer()
	return f
}

// divides says that a number is a whole multiple of f.
func (f *factor) divides(n *numeral) bool {
	d := n.exact()
	return f.dividesExact(&d)
}

// dividesExact is divides: d is A × 10^a and f is B × 10^b, with A and B free of zeros at their ends. With a < b, A would have to end with a zero. Else
// B has to divide A × 10^(a-b).
func (f *factor) dividesExact(d *decimal) bool {
	if d.isZero() {
		return true
	}
	power := (d.exponent - d.count) - (f.exponent - f.count)
	if power < 0 {
		return false
	}
	if f.small == 1 {
		return true
	}
	if f.small != 0 {
		return multiply(d.remainder(f.small), powerOfTen(power, f.small), f.small) == 0
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), f.large)
	return ten.Mod(ten.Mul(ten, d.integer()), f.large).Sign() == 0
}

// remainder is what the digits, as an integer, leave when divided by a number of up to maxSmall digits.
func (d *decimal) remainder(by uint64) uint64 {
	var r uint64
	for _, c := range d.digits {
		if c != '.' {
			r = (10*r + uint64(c-'0')) % by
		}
	}
	return r
}

// integer is the digits as an integer.
func (d *decimal) integer() *big.Int {
	n, _ := new(big.Int).SetString("0"+strings.ReplaceAll(string(d.digits), ".", ""), 10)
	return n
}

// powerOfTen is 10^n modulo by.
func powerOfTen(n int, by uint64) uint64 {
	power, base := 1%by, 10%by
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			power = multiply(power, base, by)
		}
		base = multiply(base, base, by)
	}
	return power
}

// multiply is a × b modulo by; both are less than it.
func multiply(a, b, by uint64) uint64 {
	high, low := bits.Mul64(a, b)
	_, r := bits.Div64(high, low, by)
	return r
}

// numeral is a number as it is written, read as far as comparing it mostly needs: where it is short and without an exponent,
// it is value ÷ 10^scale.
type numeral struct {
	raw   []byte
	value int64
	scale int
	// length is up to how many digits the value has, at most maxSmall; 0 for a number that is long or has an exponent.
	length int
}

func numeralOf(raw []byte) numeral {
	n := numeral{raw: raw}
	i := 0
	if raw[0] == '-' {
		i = 1
	}
	if len(raw)-i > maxSmall {
		return n
	}
	point := len(raw)
	var value int64
	for k := i; k < len(raw); k++ {
		switch c := raw[k]; {
		case c-'0' <= 9:
			value = 10*value + int64(c-'0')
		case c == '.':
			point = k + 1
		default:
			return n
		}
	}
	if i == 1 {
		value = -value
	}
	n.value, n.scale, n.length = value, len(raw)-point, len(raw)-i
	return n
}

// exact is the number with all its digits.
func (n *numeral) exact() decimal { return decimalOf(n.raw) }

// compare is -1, 0 or 1 as n is less than, equal to or greater than other.
func (n *numeral) compare(other *numeral) int {
	if n.length > 0 && other.length > 0 {
		if n.scale == other.scale {
			return cmp.Compare(n.value, other.value)
		}
		if a, b, ok := align(n, other); ok {
			return cmp.Compare(a, b)
		}
	}
	a, b := n.exact(), other.exact()
	return a.compare(&b)
}

// align writes two numbers with as many digits behind the point, where they fit.
func align(a, b *numeral) (x, y int64, ok bool) {
	more := b.scale - a.scale
	if more < 0 {
		y, x, ok = align(b, a)
		return x, y, ok
	}
	if a.length+more > maxSmall {
		return 0, 0, false
	}
	x = a.value
	for range more {
		x *= 10
	}
	return x, b.value, true
}

// bound is a number that others are compared with.
type bound struct {
	numeral
	// text is the number as the schema writes it.
	text string
}

func boundOf(text string) *bound { return &bound{numeralOf([]byte(text)), text} }

func (b *bound) isZero() bool {
	d := b.exact()
	return d.isZero()
}

// compare is -1, 0 or 1 as a number is less than, equal to or greater than the bound.
func (b *bound) compare(n *numeral) int { return n.compare(&b.numeral) }
