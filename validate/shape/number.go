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

// divides says that d is a whole multiple of f.
//
// d is A × 10^a and f is B × 10^b, with A and B free of zeros at their ends. With a < b, A would have to end with a zero. Else
// B has to divide A × 10^(a-b).
func (f *factor) divides(d *decimal) bool {
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

// bound is a number that others are compared with.
type bound struct {
	decimal
	// small is the value where isSmall.
	small   int64
	isSmall bool
	// text is the number as the schema writes it.
	text string
}

func boundOf(text string) *bound {
	b := &bound{decimal: decimalOf([]byte(text)), text: text}
	b.small, b.isSmall = smallInteger([]byte(text))
	return b
}

// compare is -1, 0 or 1 as a number is less than, equal to or greater than the bound.
func (b *bound) compare(n *numeral) int {
	if b.isSmall && n.isSmall {
		return cmp.Compare(n.small, b.small)
	}
	return n.exact().compare(&b.decimal)
}

// numeral is a number of a row, read as far as it is needed.
type numeral struct {
	raw     []byte
	small   int64
	isSmall bool
	read    bool
	decimal decimal
}

func numeralOf(raw []byte) numeral {
	n := numeral{raw: raw}
	n.small, n.isSmall = smallInteger(raw)
	return n
}

func (n *numeral) exact() *decimal {
	if !n.read {
		n.decimal, n.read = decimalOf(n.raw), true
	}
	return &n.decimal
}

// smallInteger reads a number that is written with up to maxSmall digits and nothing else.
func smallInteger(raw []byte) (value int64, ok bool) {
	negative := raw[0] == '-'
	if negative {
		raw = raw[1:]
	}
	if len(raw) > maxSmall {
		return 0, false
	}
	for _, c := range raw {
		if c-'0' > 9 {
			return 0, false
		}
		value = 10*value + int64(c-'0')
	}
	if negative {
		value = -value
	}
	return value, true
}
