package tape

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// reach is how far into a string members looks for its end; in longer ones whole chunks are passed.
const reach = 48

// nextPart is what is next to be read.
type nextPart uint8

const (
	keyNext   nextPart = iota
	valueNext          // the value of the last key
	endNext            // what is behind a value
)

// members reads members of an object from i on, as long as their keys come as foretold, the first of them being that of expected, and
// their values are short: numbers, literals, and strings without escapes and in ASCII. It takes nothing but strict JSON, and leaves all
// else to the loop of accept. n counts the members read, last is the sequence of keys up to the last one, which may be that of the value next
// to be read. Of that plain bytes are a string's first, known to need nothing.
//
// Most members of small rows are read here. There is no call in the loop, so that its state stays in registers: for BenchmarkRows
// that is 0.8 of the time that accept takes for each of them.
func (t *Tape) members(text []byte, i int, nodes []Node, expected Shape) (end int, read []Node, last Shape, n uint32, next nextPart, plain int) {
	o := octetsOf(text)
	seqs := t.shapes.sequences
	for k := len(nodes); k+2 <= cap(nodes) && i <= o.size-8; k = len(nodes) {
		q := &seqs[expected]
		if (o.full(i)^q.head)&q.mask != 0 {
			break
		}
		if q.size > 8 && (i+q.size > o.size || o.full(i+q.size-8) != q.tail || q.size > 16 && !q.between(o, i)) {
			break
		}
		nodes = nodes[:k+2]
		nodes[k] = Node{start: uint32(i + 1), end: uint32(i + q.size - 2), bits: q.bits}
		last, expected = expected, q.next.last
		i += q.size
		x := o.at(i)
		if byte(x) == ' ' {
			i++
			x = o.at(i)
		}
		value := &nodes[k+1]
		switch c := byte(x); {
		case c == '"':
			// The first sixteen bytes take the same way wherever the string ends in them.
			from := i + 1
			end := from
			x = o.at(end)
			y := o.at(end + 8)
			s, r := special(x), special(y)
			if s == 0 {
				x, s, end = y, r, end+8
			}
			for s == 0 && end < from+reach {
				end += 8
				x = o.at(end)
				s = special(x)
			}
			if s == 0 {
				return i, nodes[:k+1], last, n, valueNext, end - from
			}
			at := bits.TrailingZeros64(s) & 56
			if byte(x>>at) != '"' {
				return i, nodes[:k+1], last, n, valueNext, end - from
			}
			end += at >> 3
			*value = Node{uint32(from), uint32(end), uint32(end - from), uint32(String)}
			i = end + 1
		case c-'0' <= 9 || c == '-':
			from := i
			if c == '-' {
				from++
				x = o.at(from)
			}
			first := from
			digits := leadingDigits(x)
			if digits == 0 || digits == 64 || digits > 8 && byte(x) == '0' {
				return i, nodes[:k+1], last, n, valueNext, 0
			}
			from += digits >> 3
			bits := uint32(Number)
			if first > i && byte(x) == '0' {
				bits |= isLoose
			}
			next := byte(x >> (digits & 56))
			if next == '.' {
				x = o.at(from + 1)
				if digits = leadingDigits(x); digits == 0 || digits == 64 {
					return i, nodes[:k+1], last, n, valueNext, 0
				}
				from += 1 + digits>>3
				if bits = uint32(Number) | isDecimal; !isFirm(text[first:from], digits>>3) {
					bits |= isLoose
				}
				next = byte(x >> (digits & 56))
			}
			if next|0x20 == 'e' {
				return i, nodes[:k+1], last, n, valueNext, 0
			}
			*value = Node{start: uint32(i), end: uint32(from), bits: bits}
			i = from
		case uint32(x) == wordNull:
			*value = Node{start: uint32(i), end: uint32(i + 4), bits: uint32(Null)}
			i += 4
		case uint32(x) == wordTrue:
			*value = Node{start: uint32(i), end: uint32(i + 4), bits: uint32(True)}
			i += 4
		case x&(1<<40-1) == wordFalse:
			*value = Node{start: uint32(i), end: uint32(i + 5), bits: uint32(False)}
			i += 5
		default:
			return i, nodes[:k+1], last, n, valueNext, 0
		}
		n++
		x = o.at(i)
		if byte(x) != ',' {
			return i, nodes, last, n, endNext, 0
		}
		i++
		if byte(x>>8) == ' ' {
			i++
		}
	}
	return i, nodes, last, n, keyNext, 0
}

// between says that all but the first and the last eight bytes of a key stand at i.
func (q *sequence) between(o octets, i int) bool {
	key := octets{unsafe.Pointer(unsafe.StringData(q.quoted)), q.size}
	for k := 8; k < q.size-8; k += 8 {
		if o.full(i+k) != key.full(k) {
			return false
		}
	}
	return true
}

// The literals, the first byte lowest.
const (
	wordNull  = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	wordTrue  = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	wordFalse = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32
)

// leadingDigits is eight times the number of digits that the bytes begin with.
func leadingDigits(x uint64) int {
	x ^= lows * '0'
	return bits.TrailingZeros64((x&^highs+lows*(0x80-10)|x)&highs) &^ 7
}

// octets reads a text eight bytes at a time.
type octets struct {
	first unsafe.Pointer
	size  int
}

func octetsOf(text []byte) octets { return octets{unsafe.Pointer(unsafe.SliceData(text)), len(text)} }

// full returns the eight bytes at i, all of them in the text.
func (o octets) full(i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(o.first, i))[:])
}

// at returns the eight bytes at i, zeros for those behind the end of a text of eight bytes at least.
func (o octets) at(i int) uint64 {
	if i <= o.size-8 {
		return o.full(i)
	}
	return o.full(o.size-8) >> (8 * uint(i+8-o.size))
}
