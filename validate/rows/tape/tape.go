// Package tape holds one JSON value as a flat list of nodes over its text, made by one strict tokenisation.
//
// A [Tape] is reused from row to row: no maps, no allocation per value. Numbers keep their digits and strings their
// bytes; nothing is converted until somebody asks. [Tape.Parse] is strict: what RFC 8259 forbids or leaves open
// (duplicate keys, lone surrogates, bytes that are not UTF-8) is a [Problem] with its place.
//
// Two readers share the work. One takes nothing but strict JSON and is fast (accept.go, with members.go for the usual members of
// objects); where the processor can, it knows beforehand what each byte is in a string (marks.go). What it refuses is read again by
// the other, which finds every problem and its place (parse.go).
//
// Rows are much alike, so a tape remembers the sequences of keys it has seen: the [Shape] of an object. An object whose
// keys come as foretold needs no check for duplicate keys, and whoever looks at rows can keep by shape what it found out
// about an object's keys; see [Tape.Shapes].
package tape

import (
	"bytes"
	"encoding/binary"
	"iter"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
)

// String names the kind as JSON Schema does; False and True are both "boolean".
func (k Kind) String() string {
	return [...]string{"null", "boolean", "boolean", "number", "string", "array", "object"}[k]
}

// Node is one value, or one key of an object, in 16 bytes. An object's children alternate: key, value, key, value.
type Node struct {
	// start and end bound the node in the text. For strings and keys the quotes are left out.
	start, end uint32
	// link is, of an array or object, the index of the node behind it and everything inside it; of a string, the number of its
	// characters; of the first key of an object, the object's shape.
	link uint32
	// bits holds the kind in its lowest bits, then the traits, then the number of elements or members; of a string that is coded or
	// wide, which of Tape.sizes is its own, if that is known; of the first key of an object, what [Tape.Alike] counted from there on.
	bits uint32
}

// The layout of Node.bits.
const (
	kindMask  = 1<<3 - 1
	traitMask = 1<<lenShift - 1 - kindMask
	lenShift  = 7
)

// Traits of strings and keys, and of numbers. They share their bits.
const (
	isKey = 8 << iota
	// isEscaped says that there is a backslash escape, isCoded that one of them is \/ or \u.
	isEscaped
	isCoded
	// isWide says that bytes beyond ASCII stand in the text.
	isWide

	// isDecimal says that a number has a point or an exponent.
	isDecimal = isEscaped
	// isLoose says that the canonical form of a number may be another.
	isLoose = isCoded
)

// A count of nodes has to fit behind the traits.
const _ = uint32((MaxNodes - 1) << lenShift)

// Kind is the kind of the value; a key is a string.
func (n *Node) Kind() Kind { return Kind(n.bits & kindMask) }

// Len is the number of elements of an array or members of an object, else 0.
func (n *Node) Len() int {
	if n.Kind() < Array {
		return 0
	}
	return n.count()
}

func (n *Node) count() int { return int(n.bits >> lenShift) }

// Span bounds the node in the tape's text. For strings and keys the quotes are left out.
func (n *Node) Span() (start, end int) { return int(n.start), int(n.end) }

// Escaped says that a string holds backslash escapes, so that its bytes in the text are not its text.
func (n *Node) Escaped() bool { return n.bits&(kindMask|isEscaped) == uint32(String)|isEscaped }

// Coded says that some of a string's escapes are \/ or \u. All others stand for one ASCII character each and have no
// other spelling in JSON.
func (n *Node) Coded() bool { return n.bits&(kindMask|isCoded) == uint32(String)|isCoded }

// Plain says that a string has neither escapes nor bytes beyond ASCII: its text is its bytes in the text, each a character.
func (n *Node) Plain() bool { return n.bits&(kindMask|isEscaped|isWide) == uint32(String) }

// Verbatim says that a value, no array or object, surely stands in its canonical form (RFC 8785, but that an integer keeps all its
// digits).
func (n *Node) Verbatim() bool { return n.bits&(kindMask|isCoded) < uint32(Array) }

// Whole is [Node.Span] of a value that is no array or object, with the quotes of a string. It takes no branch: which of the values of
// a row are strings, a processor does not always foretell.
func (n *Node) Whole() (start, end int) {
	quote := int(n.bits & kindMask / uint32(String))
	return int(n.start) - quote, int(n.end) + quote
}

// Narrow says that a string is neither coded nor wide: an escape in it is one ASCII character.
func (n *Node) Narrow() bool { return n.bits&(isCoded|isWide) == 0 }

// Chars is the number of characters of a string that is no key.
func (n *Node) Chars() int { return int(n.link) }

// Wide says that a string has bytes beyond ASCII in the text.
func (n *Node) Wide() bool { return n.bits&(kindMask|isWide) == uint32(String)|isWide }

// After is the index of the node behind a value and everything inside it; at is the index of the value's own.
func (n *Node) After(at int) int {
	if n.Kind() >= Array {
		return int(n.link)
	}
	return at + 1
}

// Decimal says that a number is written with a point or an exponent.
func (n *Node) Decimal() bool { return n.bits&(kindMask|isDecimal) == uint32(Number)|isDecimal }

// Tape is one parsed JSON value. The zero value is ready for Parse.
type Tape struct {
	// Text is the JSON text that the nodes point into. It is not copied: it belongs to the caller of Parse.
	Text []byte
	// Nodes holds the value in document order; the root is node 0.
	Nodes []Node

	// codes are the coded escapes in strings, sizes those of the strings that are coded or wide, all in their order, behind one for all
	// other strings. size is that of the string being read.
	codes  []Code
	sizes  []stringSize
	size   stringSize
	shapes *Shapes
	parser parser
	// window holds marks of the text being read.
	window window
}

// Slashes says that there are slashes in the text, or perhaps in what stood behind it.
func (t *Tape) Slashes() bool {
	w := &t.window
	return w.slashes != 0 || w.limit < len(t.Text) && bytes.IndexByte(t.Text[w.limit:], '/') >= 0
}

// Value is a cursor on one value of a tape.
type Value struct {
	tape *Tape
	node uint32
}

// Root returns the whole value.
func (t *Tape) Root() Value { return Value{t, 0} }

func (v Value) at() *Node { return &v.tape.Nodes[v.node] }

// Value returns the value of a node.
func (t *Tape) Value(node int) Value { return Value{t, uint32(node)} }

// Tape is the tape that the value is on.
func (v Value) Tape() *Tape { return v.tape }

// Node is the index of the value's node.
func (v Value) Node() int { return int(v.node) }

// Kind is the value's kind.
func (v Value) Kind() Kind { return v.at().Kind() }

// Len is the number of elements of an array or members of an object, else 0.
func (v Value) Len() int { return v.at().Len() }

// Offset is the position of the value's first byte in the tape's text; for a string, of its opening quote.
func (v Value) Offset() int {
	n := v.at()
	if n.Kind() == String {
		return int(n.start) - 1
	}
	return int(n.start)
}

// Raw returns the JSON text of the value; of a string or key, what stands between its quotes. The bytes belong to
// the tape's text.
func (v Value) Raw() []byte {
	n := v.at()
	return v.tape.Text[n.start:n.end]
}

// Escaped says that a string holds backslash escapes, so that Raw is not its text.
func (v Value) Escaped() bool { return v.at().Escaped() }

// Coded is [Node.Coded].
func (v Value) Coded() bool { return v.at().Coded() }

// Plain is [Node.Plain].
func (v Value) Plain() bool { return v.at().Plain() }

// Wide is [Node.Wide].
func (v Value) Wide() bool { return v.at().Wide() }

// Decimal is [Node.Decimal].
func (v Value) Decimal() bool { return v.at().Decimal() }

// Ends returns the first and the last eight bytes of a string as it stands in the text, the first of them in the lowest byte. Of a
// shorter one both are all of it, with zeros behind.
func (v Value) Ends() (first, last uint64) {
	n := v.at()
	text, start, end := v.tape.Text, int(n.start), int(n.end)
	if end < 8 {
		return Ends(text[start:end])
	}
	last = binary.LittleEndian.Uint64(text[end-8:])
	if size := end - start; size < 8 {
		last >>= 64 - 8*size
		return last, last
	}
	return binary.LittleEndian.Uint64(text[start:]), last
}

// Ends is [Value.Ends] of any text.
func Ends(text []byte) (first, last uint64) {
	if len(text) < 8 {
		first = eight(text, 0)
		return first, first
	}
	return eight(text, 0), eight(text, len(text)-8)
}

// Chars is the number of characters (code points) of a string's text, else 0.
func (v Value) Chars() int {
	n := v.at()
	if n.bits&(kindMask|isKey) == uint32(String) {
		return int(n.link)
	}
	return v.charsOfKey()
}

// charsOfKey stays out of Chars, which is inlined.
//
//go:noinline
func (v Value) charsOfKey() int { return utf8.RuneCountInString(v.Text()) }

// First returns the first element of an array or the first key of an object; they must not be empty. With [Value.After]
// it walks through them without a function call for each:
//
//	key := object.First()
//	for range object.Len() {
//		value := key.After()
//		…
//		key = value.After()
//	}
func (v Value) First() Value { return Value{v.tape, v.node + 1} }

// After returns what follows a value and everything inside it: the next element, or the next key of an object. Behind a
// key that is its value. There must be something.
func (v Value) After() Value {
	n := v.at()
	if n.Kind() >= Array {
		return Value{v.tape, n.link}
	}
	return Value{v.tape, v.node + 1}
}

// Elements yields the elements of an array in order, with their indexes.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		element := v.First()
		for i := range v.Len() {
			if !yield(i, element) {
				return
			}
			element = element.After()
		}
	}
}

// Members yields the members of an object in document order: the key as a string value, and its value.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != Object {
			return
		}
		key := v.First()
		for range v.Len() {
			value := key.After()
			if !yield(key, value) {
				return
			}
			key = value.After()
		}
	}
}
