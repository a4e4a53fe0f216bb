package column

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
)

// num is what is known of a number from its text.
type num struct {
	kind kinds
	// whole says that the text has neither point nor exponent; integer is its value when it is in int64.
	whole   bool
	integer int64
	// approx is the value within a few units in the last place.
	approx float64
	// encoded is the length in bytes of the text in which pandas writes the number; refused says that it cannot read it,
	// because its integer part is outside 64 bits.
	encoded int
	refused bool
	// text is the length in bytes of the text to which Arrow casts the number as a float64; 0 when that was not worth
	// finding out, because there are very many digits.
	text int
}

const (
	// maxExact is up to where float64 holds every integer.
	maxExact = 1 << 53
	// closeFactor is more than the relative error of num.approx: what is closer is compared digit by digit.
	closeFactor = 1e-14
	// mantissaLimit is below where one more digit still fits 64 bits, plainDigits how many digits always fit int64.
	mantissaLimit = 1e18
	plainDigits   = 18
	// exactDigits is up to how many digits every decimal comes back from float64 as it went in.
	exactDigits = 15
	// plainCast is up to how many digits Arrow writes an integer of float64 as it stands.
	plainCast = 10
)

// powers are the powers of ten that float64 holds exactly.
var powers = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// integerPowers are the powers of ten for the decimals of a short decimal.
var integerPowers = [shortDecimal]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
}

// parseNumber looks at a number in JSON's form.
func parseNumber(raw []byte) num {
	var n num
	n.parse(raw)
	return n
}

// parse makes n what is known of a number in JSON's form. (Filled in place: returning it costs a fifth of the time on short
// numbers.)
func (n *num) parse(raw []byte) {
	i := 0
	negative := raw[0] == '-'
	if negative {
		i = 1
	}
	start := i
	var whole uint64
	for ; i < len(raw) && raw[i]-'0' <= 9; i++ {
		whole = whole*10 + uint64(raw[i]-'0')
	}
	digits := i - start
	switch {
	case i == len(raw) && digits <= plainDigits:
		n.setWhole(raw, int64(whole), negative)
	case i == len(raw):
		n.parseLong(raw)
	case raw[i] == '.' && digits <= plainDigits && len(raw) <= shortDecimal:
		n.parseFraction(raw, i+1, whole, negative)
	case raw[i] == '.' && digits <= plainDigits:
		n.parseLongFraction(raw, i+1, whole, negative)
	default:
		n.parseExponent(raw, negative)
	}
}

// shortDecimal is the length of the longest decimal whose digits are read as one integer that float64 holds about as well as
// the decimal, and whose decimals pandas reads all.
const shortDecimal = 17

// parseFraction looks at a short number from behind its point on.
func (n *num) parseFraction(raw []byte, start int, whole uint64, negative bool) {
	mantissa := whole
	for _, c := range raw[start:] {
		if c -= '0'; c > 9 {
			n.parseExponent(raw, negative)
			return
		}
		mantissa = mantissa*10 + uint64(c)
	}
	scale := len(raw) - start
	d := decimalsOf(raw[start:])
	d.value = fraction{mantissa - whole*integerPowers[scale], scale}
	n.setDecimal(raw, start, whole, float64(mantissa)/powers[scale], d, negative)
}

// parseLongFraction is parseFraction for a longer number.
func (n *num) parseLongFraction(raw []byte, start int, whole uint64, negative bool) {
	mantissa, scale := whole, 0
	d := decimalsOf(raw[start:])
	for i := start; i < len(raw); i++ {
		c := raw[i] - '0'
		if c > 9 {
			n.parseExponent(raw, negative)
			return
		}
		if mantissa < mantissaLimit {
			mantissa = mantissa*10 + uint64(c)
			scale++
		}
		d.value.add(c)
	}
	if scale >= len(powers) {
		n.parseExponent(raw, negative)
		return
	}
	n.setDecimal(raw, start, whole, float64(mantissa)/powers[scale], d, negative)
}

// decimals are what stands behind a point: as pandas reads them, how many there are but for zeros at the end, and which of
// them, from 1, is the first that is not zero; 0 for none.
type decimals struct {
	value       fraction
	kept, first int
}

func decimalsOf(digits []byte) decimals {
	var d decimals
	for d.kept = len(digits); d.kept > 0 && digits[d.kept-1] == '0'; d.kept-- {
	}
	if d.kept == 0 {
		return d
	}
	for d.first = 1; digits[d.first-1] == '0'; d.first++ {
	}
	return d
}

// setDecimal makes n a number with a point, the decimals of which begin at start.
func (n *num) setDecimal(raw []byte, start int, whole uint64, approx float64, d decimals, negative bool) {
	*n = num{kind: isFloat, approx: signed(approx, negative)}
	if d.kept == 0 {
		n.kind = isGreat
		if whole <= maxExact {
			n.kind = isWhole
		}
	}
	n.text = castDecimal(start-1-sign(negative), whole, d)
	if n.text > 0 {
		n.text += sign(negative)
	}
	if d.kept > encodedDecimals || whole >= 1e4 {
		n.encoded = writtenFloat(float64(whole)+d.value.value(), negative)
		return
	}
	// So short a number is written as it stands, but for zeros at its end and the sign of zero.
	n.encoded = start + max(d.kept, 1)
	if negative && whole == 0 && d.kept == 0 {
		n.encoded--
	}
}

// castDecimal is castSize for a number of so many digits before its point; whole is their value. It is 0 when there are too
// many digits.
func castDecimal(digits int, whole uint64, d decimals) int {
	switch {
	case digits+d.kept > exactDigits:
		return 0
	case whole == 0 && d.kept == 0:
		return len("0")
	case whole == 0:
		return castSize(d.kept-d.first+1, -d.first)
	case d.kept > 0:
		return castSize(digits+d.kept, digits-1)
	}
	kept := digits
	for ; whole%10 == 0; whole /= 10 {
		kept--
	}
	return castSize(kept, digits-1)
}

// setWhole makes n an integer of at most plainDigits digits.
func (n *num) setWhole(raw []byte, magnitude int64, negative bool) {
	*n = num{kind: isInt, whole: true, integer: magnitude, encoded: len(raw)}
	if magnitude > maxExact {
		n.kind = isLong
	}
	if negative {
		n.integer = -magnitude
		if magnitude == 0 {
			n.encoded = 1
		}
	}
	n.approx = float64(n.integer)
	digits := len(raw) - sign(negative)
	switch {
	case digits <= plainCast:
		n.text = len(raw)
	case digits <= exactDigits:
		kept := len(bytes.TrimRight(raw, "0")) - sign(negative)
		n.text = sign(negative) + castSize(max(kept, 1), digits-1)
	}
}

func sign(negative bool) int {
	if negative {
		return 1
	}
	return 0
}

// castSize is the length to which Arrow casts a positive float64 of so many significant digits, the first of which counts
// 10^exponent. (formatting.cc: the shortest form that reads back, as a plain decimal from 10^-6 to 10^10.)
func castSize(digits, exponent int) int {
	switch {
	case exponent < -6 || exponent >= 10:
		size := digits + len("e+") + len(strconv.Itoa(max(exponent, -exponent)))
		if digits > 1 {
			size++
		}
		return size
	case exponent < 0:
		return len("0.") - exponent - 1 + digits
	case digits > exponent+1:
		return digits + len(".")
	}
	return exponent + 1
}

// castFloat is castSize for any float64.
func castFloat(value float64) int {
	if value == 0 || math.IsInf(value, 0) {
		return sign(math.Signbit(value)) + len("0")
	}
	var buf [32]byte
	mantissa, exponent, _ := bytes.Cut(strconv.AppendFloat(buf[:0], math.Abs(value), 'e', -1, 64), []byte("e"))
	power, _ := strconv.Atoi(string(exponent))
	digits := len(mantissa)
	if digits > 1 {
		digits--
	}
	return sign(math.Signbit(value)) + castSize(digits, power)
}

func signed(value float64, negative bool) float64 {
	if negative {
		return -value
	}
	return value
}

// parseLong looks at an integer that may be outside int64.
func (n *num) parseLong(raw []byte) {
	*n = num{kind: isHuge, whole: true, encoded: len(raw)}
	if value, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		n.kind, n.integer, n.approx = isLong, value, float64(value)
		return
	}
	n.setApprox(raw)
	if _, err := strconv.ParseUint(string(raw), 10, 64); err != nil {
		n.refused = true
	} else {
		n.kind |= isUint
	}
}

// setApprox reads a number as a float64.
func (n *num) setApprox(raw []byte) {
	n.approx, _ = strconv.ParseFloat(string(raw), 64)
	n.text = castFloat(n.approx)
	if math.IsInf(n.approx, 0) {
		n.kind |= isInfinite
	}
}

// parseExponent looks at a number of any form but that of an integer.
func (n *num) parseExponent(raw []byte, negative bool) {
	*n = num{kind: isFloat}
	n.setApprox(raw)
	switch size := math.Abs(n.approx); {
	case n.approx != math.Trunc(n.approx) || size >= 1<<63:
	case size > maxExact:
		n.kind = isGreat
	case compareNumbers(raw, strconv.AppendFloat(nil, n.approx, 'f', 0, 64)) == 0:
		n.kind = isWhole
	}
	n.encoded, n.refused = encodedFloat(raw, negative)
}

// compareNumbers compares the exact values of two numbers in JSON's form, however long: -1, 0 or 1.
func compareNumbers(a, b []byte) int {
	x, y := decimalOf(a), decimalOf(b)
	if x.zero() || y.zero() || x.negative != y.negative {
		return cmp.Compare(x.sign(), y.sign())
	}
	order := x.magnitude(y)
	if x.negative {
		return -order
	}
	return order
}

// decimal is a number taken apart: 0.DIGITS * 10^exponent, where the digits are those of whole and fraction together and
// the first is not zero.
type decimal struct {
	negative        bool
	whole, fraction []byte
	exponent        int
}

func decimalOf(raw []byte) decimal {
	var d decimal
	if d.negative = raw[0] == '-'; d.negative {
		raw = raw[1:]
	}
	if e := bytes.IndexAny(raw, "eE"); e >= 0 {
		// An exponent that is out of range keeps its sign and is very far out.
		d.exponent, _ = strconv.Atoi(string(bytes.TrimPrefix(raw[e+1:], []byte("+"))))
		d.exponent = min(max(d.exponent, -1<<40), 1<<40)
		raw = raw[:e]
	}
	d.whole, d.fraction, _ = bytes.Cut(raw, []byte("."))
	d.whole = bytes.TrimLeft(d.whole, "0")
	d.exponent += len(d.whole)
	if len(d.whole) == 0 {
		all := len(d.fraction)
		d.fraction = bytes.TrimLeft(d.fraction, "0")
		d.exponent -= all - len(d.fraction)
	}
	return d
}

func (d decimal) zero() bool { return len(d.whole) == 0 && len(d.fraction) == 0 }

func (d decimal) sign() int {
	switch {
	case d.zero():
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// digit returns the i-th digit, 0 beyond the last.
func (d decimal) digit(i int) byte {
	if i < len(d.whole) {
		return d.whole[i]
	}
	if i -= len(d.whole); i < len(d.fraction) {
		return d.fraction[i]
	}
	return '0'
}

func (d decimal) magnitude(other decimal) int {
	if d.exponent != other.exponent {
		return cmp.Compare(d.exponent, other.exponent)
	}
	for i := range max(len(d.whole)+len(d.fraction), len(other.whole)+len(other.fraction)) {
		if x, y := d.digit(i), other.digit(i); x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

// less says whether a number is less than another: by their values as far as those tell, else digit by digit.
func (n *num) less(raw []byte, other *num, otherRaw []byte) bool {
	if n.whole && other.whole && !n.kind.has(isHuge) && !other.kind.has(isHuge) {
		return n.integer < other.integer
	}
	distance := math.Abs(n.approx - other.approx)
	if distance > closeFactor*math.Abs(n.approx) && distance > closeFactor*math.Abs(other.approx) {
		return n.approx < other.approx
	}
	return compareNumbers(raw, otherRaw) < 0
}
