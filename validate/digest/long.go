package digest

import (
	"crypto/sha256"
	"hash"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

const (
	// longRow is the length in bytes of the shortest row that is hashed while it is written: it has no second copy in memory.
	longRow = 256 << 10
	// longPart is the length of the shortest value in such a row that is taken apart, and from how many bytes on those written are
	// handed on.
	longPart = 16 << 10
)

// long writes a long row.
type long struct {
	*canon
	sum hash.Hash
	// n is how many bytes are written that have not been handed on.
	n int
}

// sumLong returns the SHA-256 of the canonical bytes of a tape's value.
func (c *canon) sumLong(doc *tape.Tape) [sha256.Size]byte {
	c.begin(doc)
	c.out, c.most = c.long, longPart
	l := long{canon: c, sum: sha256.New()}
	l.value(0)
	l.sum.Write(c.out[:l.n])
	c.out, c.long = nil, c.out
	return [sha256.Size]byte(l.sum.Sum(nil))
}

// value writes the value at a node and returns the node behind it.
func (l *long) value(node int) (behind int) {
	kind := l.doc.Nodes[node].Kind()
	switch {
	case l.size(node) < longPart || kind < tape.String:
		l.handOn()
		l.n, behind = l.canon.value(l.n, node)
		return behind
	case kind == tape.String:
		l.text(node)
		return node + 1
	case kind == tape.Array:
		return l.array(node)
	}
	return l.object(node)
}

// handOn hands on what is written, if it is enough, and makes room for a part.
func (l *long) handOn() {
	if l.n >= longPart {
		l.sum.Write(l.out[:l.n])
		l.n = 0
	}
	l.room(l.n)
}

func (l *long) byte(b byte) {
	l.handOn()
	l.out[l.n] = b
	l.n++
}

func (l *long) array(node int) (behind int) {
	count := l.doc.Nodes[node].Len()
	l.byte('[')
	node++
	for i := range count {
		if i > 0 {
			l.byte(',')
		}
		node = l.value(node)
	}
	l.byte(']')
	return node
}

func (l *long) object(node int) (behind int) {
	v := l.doc.Value(node)
	first, text := len(l.members), len(l.canon.text)
	for i, m := range l.gather(v) {
		if i == 0 {
			l.byte('{')
		} else {
			l.byte(',')
		}
		l.value(int(m.key))
		l.byte(':')
		l.value(int(m.value))
	}
	l.byte('}')
	l.members, l.canon.text = l.members[:first], l.canon.text[:text]
	return v.After().Node()
}

// text writes a string.
func (l *long) text(node int) {
	codes := l.doc.Value(node).Codes()
	from, end := l.doc.Nodes[node].Span()
	l.byte('"')
	for code, more := codes.Next(); more; code, more = codes.Next() {
		start, behind := code.Span()
		l.piece(l.doc.Text[from:start])
		l.n = l.character(l.n, code.Rune())
		from = behind
	}
	l.piece(l.doc.Text[from:end])
	l.byte('"')
}

// piece writes a part of a string, and makes room for a character behind it.
func (l *long) piece(text []byte) {
	if len(text) >= longPart {
		l.sum.Write(l.out[:l.n])
		l.sum.Write(text)
		l.n = 0
	} else {
		l.handOn()
		l.n += copy(l.out[l.n:], text)
	}
	l.handOn()
}
