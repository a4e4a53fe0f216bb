// Package tape holds one JSON value as a flat list of nodes over its text, made by one strict tokenisation.
//
// A [Tape] is reused from row to row: no maps, no allocation per value. Numbers keep their digits and strings their
// bytes; nothing is converted until somebody asks. [Tape.Parse] is strict: what RFC 8259 forbids or leaves open
// (duplicate keys, lone surrogates, bytes that are not UTF-8) is a [Problem] with its place.
package tape

import "iter"

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

// Node is one value, or one key of an object. An object's children alternate: key, value, key, value.
type Node struct {
	Kind Kind
	// Escaped says that a string or key holds at least one backslash escape.
	Escaped bool
	// Start and End bound the node in the text. For strings and keys the quotes are left out.
	Start, End uint32
	// Next is the index of the node after this one and everything inside it.
	Next uint32
	// Len is the number of elements of an array or members of an object.
	Len uint32
}

// Tape is one parsed JSON value. The zero value is ready for Parse.
type Tape struct {
	// Text is the JSON text that the nodes point into. It is not copied: it belongs to the caller of Parse.
	Text []byte
	// Nodes holds the value in document order; the root is node 0.
	Nodes []Node

	parser parser
}

// Value is a cursor on one value of a tape.
type Value struct {
	tape *Tape
	node uint32
}

// Root returns the whole value.
func (t *Tape) Root() Value { return Value{t, 0} }

// Kind is the value's kind.
func (v Value) Kind() Kind { return v.tape.Nodes[v.node].Kind }

// Len is the number of elements of an array or members of an object, else 0.
func (v Value) Len() int { return int(v.tape.Nodes[v.node].Len) }

// Offset is the position of the value's first byte in the tape's text; for a string, of its opening quote.
func (v Value) Offset() int {
	n := &v.tape.Nodes[v.node]
	if n.Kind == String {
		return int(n.Start) - 1
	}
	return int(n.Start)
}

// Raw returns the JSON text of the value; of a string or key, what stands between its quotes. The bytes belong to
// the tape's text.
func (v Value) Raw() []byte {
	n := &v.tape.Nodes[v.node]
	return v.tape.Text[n.Start:n.End]
}

// Escaped says that a string holds backslash escapes, so that Raw is not its text.
func (v Value) Escaped() bool { return v.tape.Nodes[v.node].Escaped }

// Elements yields the elements of an array in order, with their indexes.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		n := &v.tape.Nodes[v.node]
		if n.Kind != Array {
			return
		}
		at := v.node + 1
		for i := range int(n.Len) {
			if !yield(i, Value{v.tape, at}) {
				return
			}
			at = v.tape.Nodes[at].Next
		}
	}
}

// Members yields the members of an object in document order: the key as a string value, and its value.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		n := &v.tape.Nodes[v.node]
		if n.Kind != Object {
			return
		}
		at := v.node + 1
		for range n.Len {
			if !yield(Value{v.tape, at}, Value{v.tape, at + 1}) {
				return
			}
			at = v.tape.Nodes[at+1].Next
		}
	}
}
