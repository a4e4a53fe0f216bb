package rows

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// arrayCutter cuts a document that is an array between its elements. It knows strings and brackets and nothing else: up to the
// first fault it sees the elements as the reader does, and the reader does not go beyond that.
type arrayCutter struct {
	place
	limit int
	// at is how much of the text has been scanned.
	at int
	// opened and closed say that the brackets of the array have been passed; depth counts those that are open in an
	// element, and quoted says that a string is.
	opened, closed, quoted bool
	depth                  int
	// begun counts elements. inElement says that one has begun since the last comma, and since is where it or else that
	// comma stands.
	begun     int64
	inElement bool
	since     int
	// found is the last border, and held one behind it that was beyond the target.
	found, held border
}

// border is a place between two elements where the text can be cut.
type border struct {
	end   int
	index int64
	stage stage
}

func (c *arrayCutter) cut(text []byte, target int) int {
	for {
		next := c.held
		c.held = border{}
		if next.end == 0 {
			next = c.next(text)
		}
		switch {
		case next.end == 0:
			return c.found.end
		case c.found.end > 0 && next.end > target:
			c.held = next
			return c.found.end
		}
		c.found = next
		if next.end >= target {
			return next.end
		}
	}
}

func (c *arrayCutter) more(text []byte) (size int, ok bool) {
	return readSize, len(text)-c.since <= c.limit
}

func (c *arrayCutter) pass(text []byte) {
	n := len(text)
	c.offset += int64(n)
	c.line += bytes.Count(text, []byte{'\n'})
	c.index, c.stage = c.found.index, c.found.stage
	c.cr = text[n-1] == '\r'
	c.at -= n
	c.since -= n
	if c.held.end > 0 {
		c.held.end -= n
	}
	c.found = border{}
}

// next scans on to the next border; its end is 0 when there is none in the text.
func (c *arrayCutter) next(text []byte) border {
	for c.at < len(text) {
		switch {
		case c.closed:
			c.at = len(text)
			return border{c.at, c.begun, behindArray}
		case c.quoted:
			if !c.string(text) {
				return border{}
			}
		case c.depth > 0:
			c.inside(text)
		default:
			if b := c.between(text); b.end > 0 {
				return b
			}
		}
	}
	return border{}
}

// string goes behind a string; it is false when the string goes on behind the text.
func (c *arrayCutter) string(text []byte) bool {
	rest := text[c.at:]
	i := bytes.IndexByte(rest, '"')
	if i < 0 {
		// A backslash at the end is looked at again with what it stands before.
		c.at = len(text) - backslashes(rest)%2
		return false
	}
	c.at += i + 1
	c.quoted = backslashes(rest[:i])%2 == 1
	return true
}

// backslashes counts those that text ends with.
func backslashes(text []byte) int {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n
}

// inside goes behind the next quote or bracket in an element.
func (c *arrayCutter) inside(text []byte) {
	i := structural(text, c.at)
	c.at = i + 1
	if i == len(text) {
		c.at = i
		return
	}
	switch text[i] {
	case '"':
		c.quoted = true
	case '{', '[':
		c.depth++
	default:
		c.depth--
	}
}

// structural returns the index of the first quote or bracket from i on, len(text) if there is none.
//
// Eight bytes are looked at in one step: a byte of x is zero when subtracting 1 from it borrows, and borrows of bytes that
// are not zero only come from zeros below.
func structural(text []byte, i int) int {
	const (
		lows  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:])
		folded := x | lows*0x20 // makes { of [ and } of ]
		quotes, opening, closing := x^lows*'"', folded^lows*'{', folded^lows*'}'
		found := ((quotes-lows)&^quotes | (opening-lows)&^opening | (closing-lows)&^closing) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for ; i < len(text); i++ {
		switch text[i] {
		case '"', '{', '}', '[', ']':
			return i
		}
	}
	return i
}

// between takes one byte that stands in no element, or begins one, or belongs to a number or word; it returns the border
// that is before it, if the text does not begin there.
func (c *arrayCutter) between(text []byte) border {
	i := c.at
	c.at++
	switch ch := text[i]; {
	case !c.opened:
		c.opened = ch == '['
	case isSpace(ch):
		if c.inElement {
			return border{i, c.begun, behindOne}
		}
		if c.begun == 0 {
			return border{i, 0, beforeFirst}
		}
	case ch == ',':
		before := border{i, c.begun, behindOne}
		if c.inElement {
			c.inElement, c.since = false, i
			return before
		}
	case ch == ']':
		c.closed = true
	default:
		if !c.inElement {
			c.inElement, c.since = true, i
			c.begun++
		}
		c.quoted = ch == '"'
		if ch == '{' || ch == '[' {
			c.depth = 1
		}
	}
	return border{}
}
