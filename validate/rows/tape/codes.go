package tape

import "bytes"

// maxCodes is how many coded escapes of one text are remembered, in eight bytes each.
const maxCodes = 1 << 20

// code is a coded escape: its place in the text, and the character it stands for beside its length, which has four bits.
type code struct{ at, what uint32 }

const codeShift = 4

func (c code) length() int { return int(c.what & (1<<codeShift - 1)) }

func (c code) rune() rune { return rune(c.what >> codeShift) }

// noteCode remembers a coded escape of the string being read.
func (t *Tape) noteCode(at, length int, r rune) {
	if len(t.codes) < maxCodes {
		t.codes = append(t.codes, code{uint32(at), uint32(r)<<codeShift | uint32(length)})
	}
	t.size.addCode(length, r)
}

// Codes goes through the coded escapes of a string: those that are \/ or \u.
type Codes struct {
	raw []byte
	// start is the offset of raw in the tape's text. codes are those there that are left, and others behind the string; known says
	// that there is no need to search.
	start int
	codes []code
	known bool
	// at is where to search on.
	at int
}

// Codes returns the coded escapes of a string or key.
func (v Value) Codes() Codes {
	n := v.at()
	c := Codes{raw: v.Raw(), start: int(n.start)}
	if s := v.size(); s != nil && s.code > 0 {
		c.codes, c.known = v.tape.codes[s.code-1:], true
	}
	return c
}

// Next returns the index in Raw of the next coded escape, its length, and the character it stands for; both halves of a
// surrogate pair are one. Behind the last one the length is 0 and the index that of the end.
func (c *Codes) Next() (at, length int, r rune) {
	if !c.known {
		return c.search()
	}
	if len(c.codes) == 0 || int(c.codes[0].at)-c.start >= len(c.raw) {
		return len(c.raw), 0, 0
	}
	next := c.codes[0]
	c.codes = c.codes[1:]
	return int(next.at) - c.start, next.length(), next.rune()
}

func (c *Codes) search() (at, length int, r rune) {
	at = nextCoded(c.raw, c.at)
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
