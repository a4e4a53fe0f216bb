package tape

import "bytes"

// maxCodes is how many coded escapes of one text are remembered, in four bytes each.
const maxCodes = 1 << 20

// noteCode remembers the place of a coded escape.
func (t *Tape) noteCode(at int) {
	if len(t.codes) < maxCodes {
		t.codes = append(t.codes, uint32(at))
	}
}

// codesFrom says which of the places remembered, from 1, is the first of the string that begins at start and is the last
// one read; 0 when perhaps not all of them are.
func (t *Tape) codesFrom(start int) uint32 {
	if len(t.codes) == maxCodes {
		return 0
	}
	first := len(t.codes)
	for first > 0 && int(t.codes[first-1]) >= start {
		first--
	}
	return uint32(first + 1)
}

// Codes goes through the coded escapes of a string: those that are \/ or \u.
type Codes struct {
	raw []byte
	// start is the offset of raw in the tape's text. places are those of the escapes there that are left, and of others
	// behind the string; known says that there is no need to search.
	start  int
	places []uint32
	known  bool
	// at is where to search on.
	at int
}

// Codes returns the coded escapes of a string or key.
func (v Value) Codes() Codes {
	n := v.at()
	c := Codes{raw: v.Raw(), start: int(n.start)}
	if first := n.count(); n.Kind() == String && first > 0 {
		c.places, c.known = v.tape.codes[first-1:], true
	}
	return c
}

// Next returns the index in Raw of the next coded escape, its length, and the character it stands for; both halves of a
// surrogate pair are one. Behind the last one the length is 0 and the index that of the end.
func (c *Codes) Next() (at, length int, r rune) {
	at = c.next()
	switch {
	case at == len(c.raw):
		return at, 0, 0
	case c.raw[at+1] == '/':
		r, length = '/', len(`\/`)
	default:
		r, length = surrogatePair(c.raw, at)
	}
	c.at = at + length
	return at, length, r
}

func (c *Codes) next() int {
	if !c.known {
		return nextCoded(c.raw, c.at)
	}
	if len(c.places) == 0 || int(c.places[0])-c.start >= len(c.raw) {
		return len(c.raw)
	}
	at := int(c.places[0]) - c.start
	c.places = c.places[1:]
	return at
}

// nextCoded finds the first coded escape from raw[i] on.
func nextCoded(raw []byte, i int) int {
	for {
		n := bytes.IndexByte(raw[i:], '\\')
		if n < 0 {
			return len(raw)
		}
		if i += n; raw[i+1] == 'u' || raw[i+1] == '/' {
			return i
		}
		i += 2
	}
}
