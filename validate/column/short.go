package column

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// What follows is the short way of values that are like others of their field. Each of its functions does what the long way in
// value.go does, or does nothing and says so.

// shortTexts counts strings of a field that is known to have texts, the first at a node and each a stride behind the one before, until
// so many are counted or one is not as every other of them: it begins with nothing of which Arrow or pandas could make anything
// else, and is among the distinct ones that are counted. slashes says that some may be in them.
func (f *field) shortTexts(doc *tape.Tape, node, stride, limit int, slashes bool) (count, size int) {
	if !f.tail.kinds.has(isText) {
		return 0, 0
	}
	if !f.inventory.values.many {
		return f.knownTexts(doc, node, stride, limit)
	}
	nodes, text := doc.Nodes, doc.Text
	length, least, most := 0, math.MaxInt, 0
	for ; count < limit; count++ {
		n := &nodes[node]
		start, end := n.Span()
		if n.Kind() != tape.String || end+1 >= len(text) || firstBytes[text[start]]&secondBytes[text[start+1]] != 0 {
			break
		}
		bytes, ascii := n.Chars(), end-start
		if !n.Narrow() {
			bytes, ascii = doc.Value(node).Sizes()
		}
		if slashes {
			ascii += countSlashes(text[start:end])
		}
		least, most = min(least, n.Chars()), max(most, n.Chars())
		length += bytes
		size += ascii
		node += stride
	}
	return f.addTexts(count, length, size, least, most)
}

// knownTexts is shortTexts for a field whose distinct texts are counted.
func (f *field) knownTexts(doc *tape.Tape, node, stride, limit int) (count, size int) {
	length, least, most := 0, math.MaxInt, 0
	for ; count < limit; count++ {
		n := &doc.Nodes[node]
		if n.Kind() != tape.String || n.Escaped() {
			break
		}
		start, end := n.Span()
		ascii := f.inventory.values.see(doc.Text, start, end)
		if ascii == 0 {
			break
		}
		least, most = min(least, n.Chars()), max(most, n.Chars())
		length += end - start
		size += ascii
		node += stride
	}
	return f.addTexts(count, length, size, least, most)
}

// addTexts counts texts of so many bytes together, which pandas writes in so many between quotes; the shortest has least characters, the
// longest most. It returns how many they are and their length with quotes.
func (f *field) addTexts(count, length, size, least, most int) (int, int) {
	if count == 0 {
		return 0, 0
	}
	b, n := &f.tail, int64(count)
	size += count * quotes
	f.inventory.chars.merge(lengths{int64(least), int64(most), true})
	f.inventory.counts[kindString] += n
	b.present += n
	b.valid += n
	b.strings += n
	b.bytes += int64(length)
	b.encoded += int64(size)
	return count, size
}

// shortText is shortTexts for one string of many, without slashes, when it is as long in all forms. Then it returns the length in which
// pandas writes it, else 0.
func (f *field) shortText(text []byte, n *tape.Node) (size int) {
	start, end := n.Span()
	if !f.inventory.values.many || !n.Narrow() || !f.tail.kinds.has(isText) || end+1 >= len(text) || firstBytes[text[start]]&secondBytes[text[start+1]] != 0 {
		return 0
	}
	_, size = f.addTexts(1, n.Chars(), end-start, n.Chars(), n.Chars())
	return size
}

// firstBytes and secondBytes say what a string in a text may be by its first two bytes, the quote behind it included: when they have
// a bit in common, [openings] lets it be something else than a text. All bytes may stand behind one that is no letter.
var firstBytes, secondBytes = func() (first, second [256]uint8) {
	const anything = 1
	for c := range second {
		second[c] = anything
	}
	second['\\'] = 0xff
	bit := uint8(anything)
	for _, word := range [...]string{"tr", "fa", "Tr", "TR", "Fa", "FA", "nu", "Na", "In"} {
		if first[word[0]] == 0 {
			bit <<= 1
			first[word[0]] = bit
		}
		second[word[1]] |= first[word[0]]
	}
	for c, opens := range openings {
		if opens != 0 && first[c] == 0 && c != '"' {
			first[c] = anything
		}
	}
	return first, second
}()

const (
	lowBytes  = 0x0101010101010101
	highBits  = 0x8080808080808080
	zeroes    = lowBytes * '0'
	beyond9   = lowBytes * (0x80 - 10)
	wordBytes = 8
)

// shortNumber counts a number of at most eight characters but for its sign, of a field that is known to have such, and returns the
// length in which pandas writes it; 0 when it is another. It is an integer but -0, or has a digit behind its point that is not zero. So
// few digits come back from float64: pandas and Arrow write such a number as it stands, but for zeros at its end.
func (f *field) shortNumber(text []byte, n *tape.Node) (size int) {
	start, end := n.Span()
	from := start
	negative := text[start] == '-'
	if negative {
		from++
	}
	length := end - from
	if length > wordBytes || len(text) < wordBytes {
		return 0
	}
	digits := wordAt(text, from)
	b, in := &f.tail, &f.inventory
	size = end - start
	if !n.Decimal() {
		integer := int64(firstDigits(digits, length))
		if !b.kinds.has(isInt) || negative && integer == 0 {
			return 0
		}
		if negative {
			integer = -integer
		}
		in.numbers.addShort(integer)
		in.counts[kindInteger]++
	} else {
		point := bits.TrailingZeros64(zeroBytes(digits^lowBytes*'.')) / 8
		scale := length - 1 - point
		if !b.kinds.has(isFloat) || scale <= 0 {
			return 0
		}
		// The digits without the point, and the zeros among them.
		before := uint64(1)<<(8*point) - 1
		digits = digits&before | digits>>8&^before
		values := (digits ^ zeroes) << (8 * (wordBytes - length + 1))
		zeros := bits.LeadingZeros64(values) / 8
		if zeros >= scale || (values+beyond9)&highBits != 0 {
			return 0
		}
		approx := signed(float64(firstDigits(digits, length-1))*tenths[scale], negative)
		if !in.numbers.between(approx) {
			return 0
		}
		in.counts[kindNumber]++
		size -= zeros
	}
	b.present++
	b.valid++
	b.cast += int64(size)
	b.digits += int64(end - start)
	b.encoded += int64(size)
	return size
}

// wordAt returns the eight bytes at an index, zeros for those behind the end of a text that has eight at least.
func wordAt(text []byte, i int) uint64 {
	if last := len(text) - wordBytes; i > last {
		return binary.LittleEndian.Uint64(text[last:]) >> (8 * (i - last))
	}
	return binary.LittleEndian.Uint64(text[i:])
}

// firstDigits is the value of the first digits in a word, at most eight.
func firstDigits(word uint64, count int) uint64 {
	return tape.EightDigits(word << (8 * (wordBytes - count)))
}

// zeroBytes marks, in the top bits of bytes, the first that is zero, and perhaps others behind it.
func zeroBytes(x uint64) uint64 { return (x - lowBytes) &^ x & highBits }
