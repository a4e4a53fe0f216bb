package column

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

const (
	lowBytes  = 0x0101010101010101
	highBits  = 0x8080808080808080
	zeroes    = lowBytes * '0'
	beyond9   = lowBytes * (0x80 - 10)
	wordBytes = 8
)

// Short numbers are integers of at most plainCast digits, but -0, and numbers of at most eight characters, but for their sign, that have a digit
// behind their point that is not zero. So few digits come back from float64: pandas and Arrow write such a number as it stands, but for zeros at its end.

// shortIntegers is shortTexts for short integers of a field that is known to have such, and for nulls among them.
func (f *field) shortIntegers(v values) (count, size int) {
	if !f.tail.kinds.has(isInt) || len(v.doc.Text) < wordBytes {
		return 0, 0
	}
	nodes, text, at := v.nodes(), v.doc.Text, uint(v.node)
	knowsNull := f.knowsNull()
	nulls := 0
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for ; at < uint(len(nodes)); at += uint(v.stride) {
		n := &nodes[at]
		start, end := n.Span()
		if n.Kind() == tape.Null && knowsNull {
			nulls++
			continue
		}
		if n.Kind() != tape.Number || n.Decimal() {
			break
		}
		negative := 0
		if text[start] == '-' {
			negative = 1
		}
		length := end - start - negative
		if length > plainCast {
			break
		}
		word, more := wordAt(text, start+negative), max(length-wordBytes, 0)
		integer := int64(firstDigits(word, length-more))
		if more > 0 {
			integer = integer*int64(integerPowers[more]) + int64(firstDigits(wordAt(text, end-more), more))
		}
		if integer < int64(negative) { // -0
			break
		}
		integer = (integer ^ -int64(negative)) + int64(negative)
		least, most = min(least, integer), max(most, integer)
		size += end - start
	}
	count = v.before(at)
	if numbers := int64(count - nulls); numbers > 0 {
		f.inventory.numbers.addShort(least)
		f.inventory.numbers.addShort(most)
		f.inventory.counts[kindInteger] += numbers
		f.addNumbers(numbers, size, size)
	}
	return count, size + f.addNulls(nulls)
}

// shortDecimals is shortTexts for short numbers with a point of a field that is known to have such, and for nulls among them.
func (f *field) shortDecimals(v values) (count, size int) {
	if !f.tail.kinds.has(isFloat) || len(v.doc.Text) < wordBytes {
		return 0, 0
	}
	nodes, text, at := v.nodes(), v.doc.Text, uint(v.node)
	knowsNull := f.knowsNull()
	nulls, digits := 0, 0
	least, most := extreme{value: math.MaxInt64}, extreme{value: math.MinInt64}
	for ; at < uint(len(nodes)); at += uint(v.stride) {
		n := &nodes[at]
		start, end := n.Span()
		if n.Kind() == tape.Null && knowsNull {
			nulls++
			continue
		}
		if !n.Decimal() {
			break
		}
		negative := 0
		if text[start] == '-' {
			negative = 1
		}
		length := end - start - negative
		if length > wordBytes {
			break
		}
		word := wordAt(text, start+negative)
		point := bits.TrailingZeros64(zeroBytes(word^lowBytes*'.')) / 8
		scale := length - 1 - point
		if scale <= 0 {
			break
		}
		// The digits without the point, and the zeros behind the last that is none.
		before := uint64(1)<<(8*point) - 1
		word = word&before | word>>8&^before
		values := (word ^ zeroes) << (8 * (wordBytes - length + 1))
		zeros := bits.LeadingZeros64(values) / 8
		if zeros >= scale || (values+beyond9)&highBits != 0 {
			break
		}
		value := int64(firstDigits(word, length-1) * integerPowers[shortScale-scale])
		value = (value ^ -int64(negative)) + int64(negative)
		if value < least.value {
			least = extreme{value, int(at)}
		}
		if value > most.value {
			most = extreme{value, int(at)}
		}
		digits += end - start
		size += end - start - zeros
	}
	count = v.before(at)
	if numbers := int64(count - nulls); numbers > 0 {
		f.inventory.numbers.addScaled(v.doc, least, most)
		f.inventory.counts[kindNumber] += numbers
		f.addNumbers(numbers, digits, size)
	}
	return count, size + f.addNulls(nulls)
}

// extreme is the least or the greatest of short decimals, the first of equal ones: its value times 10^shortScale, and its node.
type extreme struct {
	value int64
	node  int
}

// shortScale is how many digits a short number has behind its point at most.
const shortScale = 7

// addScaled adds the extremes of short decimals.
func (e *extremes) addScaled(doc *tape.Tape, least, most extreme) {
	if e.between(float64(least.value)/1e7) && e.between(float64(most.value)/1e7) {
		return
	}
	if least.node > most.node {
		least, most = most, least
	}
	for _, x := range [...]extreme{least, most} {
		raw := doc.Value(x.node).Raw()
		n := parseNumber(raw)
		e.add(&n, raw)
	}
}

// addNumbers counts numbers of so many characters together, which pandas and Arrow write in so many.
func (f *field) addNumbers(count int64, digits, size int) {
	b := &f.tail
	b.present += count
	b.valid += count
	b.cast += int64(size)
	b.digits += int64(digits)
	b.encoded += int64(size)
}

// fullWordAt returns the eight bytes at an index, all of them in the text.
func fullWordAt(text []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(text[i : i+wordBytes : i+wordBytes])
}

// wordAt returns the eight bytes at an index, zeros for those behind the end of a text that has eight at least.
func wordAt(text []byte, i int) uint64 {
	if last := len(text) - wordBytes; i > last {
		return fullWordAt(text, last) >> (8 * (i - last))
	}
	return fullWordAt(text, i)
}

// firstDigits is the value of the first digits in a word, at most eight.
func firstDigits(word uint64, count int) uint64 {
	return tape.EightDigits(word << (8 * (wordBytes - count)))
}

// zeroBytes marks, in the top bits of bytes, the first that is zero, and perhaps others behind it.
func zeroBytes(x uint64) uint64 { return (x - lowBytes) &^ x & highBits }
