package tape

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// reach is how far into a string members looks for its end where there are no marks; in longer ones whole chunks are passed.
const reach = 48

// nextPart is what is next to be read.
type nextPart uint8

const (
	keyNext     nextPart = iota
	valueNext            // the value of the last key
	endNext              // what is behind a value
	refusedNext          // nothing: the text is not strict JSON, or perhaps not
	cutNext              // nothing: the text ends
)

// members reads members of an object from i on, as long as their keys come as foretold and their values are strings, numbers or
// literals. When the object is in a list, that goes on with the list's next object; rows of JSON Lines, which are in no value, are
// a list too. It takes nothing but strict JSON, and leaves all else to the loop of accept. after is the object being read: its members are counted up to the last whole one, its keys up to the one of the
// value next to be read.
//
// Most members of rows are read here. There is no call in the loop for short values: for BenchmarkRows that is 0.8 of the time that
// accept takes for each of them.
func (t *Tape) members(text []byte, i int, nodes []Node, object nesting, list *nesting) (end int, read []Node, after nesting, next nextPart) {
	o := octetsOf(text)
	seqs := t.shapes.sequences
	expected := seqs[object.at].next.last
	if object.count == 0 {
		expected = seqs[object.at].inside.last
	}
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
		object.at, expected = expected, q.next.last
		i += q.size
		x := o.at(i)
		if byte(x) == ' ' {
			i++
			x = o.at(i)
		}
		value := &nodes[k+1]
		switch c := byte(x); {
		case c == '"':
			from := i + 1
			var end int
			var plain bool
			if from < t.window.limit {
				// Where the string is not plain any more it is read on below.
				m := t.window.at(from)
				special := m.special >> (uint(from) % blockSize)
				for end = from; special == 0; special = m.special {
					if end = end&^(blockSize-1) + blockSize; end >= t.window.limit {
						break
					}
					m = t.window.at(end)
				}
				if special != 0 {
					end += bits.TrailingZeros64(special)
					plain = m.ends>>(uint(end)%blockSize)&1 != 0
				}
			} else {
				// The first sixteen bytes take the same way wherever the string ends in them.
				end = from
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
				if s != 0 {
					at := bits.TrailingZeros64(s) & 56
					end, plain = end+at>>3, byte(x>>at) == '"'
				}
			}
			if plain {
				*value = Node{uint32(from), uint32(end), uint32(end - from), uint32(String)}
				i = end + 1
				break
			}
			end, how := t.text(text, from, end-from, value)
			switch how {
			case refused:
				return i, nodes, object, refusedNext
			case cut:
				return i, nodes, object, cutNext
			}
			i = end + 1
		case c-'0' <= 9 || c == '-':
			from := i
			if c == '-' {
				from++
				x = o.at(from)
			}
			first := from
			digits := leadingDigits(x)
			bits := uint32(Number)
			long := digits == 0 || digits == 64 || digits > 8 && byte(x) == '0'
			if !long {
				from += digits >> 3
				if first > i && byte(x) == '0' {
					bits |= isLoose
				}
				next := byte(x >> (digits & 56))
				if next == '.' {
					x = o.at(from + 1)
					digits = leadingDigits(x)
					long = digits == 0 || digits == 64
					from += 1 + digits>>3
					next = byte(x >> (digits & 56))
					if bits = uint32(Number) | isDecimal; !long && !isFirm(text[first:from], digits>>3) {
						bits |= isLoose
					}
				}
				long = long || next|0x20 == 'e'
			}
			if long {
				if from, bits = acceptNumber(text, i); from < 0 {
					return i, nodes[:k+1], object, valueNext
				}
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
			return i, nodes[:k+1], object, valueNext
		}
		object.count++
		x = o.at(i)
		if byte(x) == ',' {
			i++
			if byte(x>>8) == ' ' {
				i++
			}
			continue
		}
		// The next object of a list, when it has members.
		var gap int
		switch {
		case list == nil:
		case list.kind == outside:
			if uint32(x) == nextRow {
				gap = len("}\n")
			}
		case x&(1<<40-1) == nextObject:
			gap = len(`}, `)
		case uint32(x) == nextObjectClose:
			gap = len(`},`)
		}
		if gap == 0 || len(nodes) == cap(nodes) || !seqs[list.at].isKnown() {
			return i, nodes, object, endNext
		}
		t.shapes.looksUp(list.at)
		object.end(nodes, i+1)
		i += gap
		if list.kind == outside {
			t.window.reach(text, i)
		}
		list.count++
		object.node, object.count, object.at = uint32(len(nodes)), 0, list.at
		expected = seqs[list.at].inside.last
		nodes = nodes[:object.node+1]
		nodes[object.node] = Node{start: uint32(i), bits: uint32(Object)}
		i++
	}
	return i, nodes, object, keyNext
}

// end ends an array or object at i, behind its nodes. Of an object whose keys are a sequence that is remembered, and that has some, it
// keeps the shape.
func (in nesting) end(nodes []Node, i int) {
	n := &nodes[in.node]
	n.end, n.link = uint32(i), uint32(len(nodes))
	n.bits |= in.count << lenShift
	if in.kind == inObject && in.count > 0 {
		nodes[in.node+1].link = uint32(in.at)
	}
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

// The literals, and what is between the objects of a list, with and without a blank, and between rows; the first byte lowest.
const (
	wordNull  = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	wordTrue  = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	wordFalse = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32

	nextObject      = '}' | ','<<8 | ' '<<16 | '{'<<24 | '"'<<32
	nextObjectClose = '}' | ','<<8 | '{'<<16 | '"'<<24
	nextRow         = '}' | '\n'<<8 | '{'<<16 | '"'<<24
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
