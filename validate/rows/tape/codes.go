package tape

import "bytes"

// maxCodes is how many coded escapes of one text are remembered, in eight bytes each.
const maxCodes = 1 << 20

// Code is a coded escape: \/ or \u, both halves of a surrogate pair together.
type Code struct {
	at uint32
	// what is the character beside the length of the escape, which has four bits.
	what uint32
}

const codeShift = 4

// Span bounds the escape in the tape's text.
func (c Code) Span() (start, end int) {
	return int(c.at), int(c.at + c.what&(1<<codeShift-1))
}

// Rune is the character that the escape stands for.
func (c Code) Rune() rune { return rune(c.what >> codeShift) }

func codeOf(at, length int, r rune) Code {
	return Code{uint32(at), uint32(r)<<codeShift | uint32(length)}
}

// noteCode remembers a coded escape of the string being read.
func (t *Tape) noteCode(at, length int, r rune) {
	if len(t.codes) < maxCodes {
		t.codes = append(t.codes, codeOf(at, length, r))
	}
	t.size.addCode(length, r)
}

// Codes goes through the coded escapes of a string: those that are \/ or \u.
type Codes struct {
	// list are those of the tape that are left, and others behind the string; end is where that ends.
	list []Code
	end  uint32
	// text is where escapes are searched from at on; nil when they are in the list.
	text []byte
	at   int
}

// ListedCodes returns the coded escapes of a string at once, if they are known; all says so.
func (v Value) ListedCodes() (codes []Code, all bool) {
	s := v.size()
	if s == nil || s.code == 0 {
		return nil, false
	}
	codes, end := v.tape.codes[s.code-1:], v.at().end
	count := 0
	for count < len(codes) && codes[count].at < end {
		count++
	}
	return codes[:count], true
}

// Codes returns the coded escapes of a string or key.
func (v Value) Codes() Codes {
	n := v.at()
	if s := v.size(); s != nil && s.code > 0 {
		return Codes{list: v.tape.codes[s.code-1:], end: n.end}
	}
	return Codes{text: v.tape.Text[:n.end], at: int(n.start)}
}

// Next returns the next coded escape; more is false behind the last one.
func (c *Codes) Next() (next Code, more bool) {
	switch {
	case len(c.list) > 0 && c.list[0].at < c.end:
		next, c.list = c.list[0], c.list[1:]
		return next, true
	case c.text == nil:
		return Code{}, false
	}
	return c.search()
}

func (c *Codes) search() (next Code, more bool) {
	at := nextCoded(c.text, c.at)
	if at == len(c.text) {
		return Code{}, false
	}
	r, length := '/', len(`\/`)
	if c.text[at+1] != '/' {
		r, length = surrogatePair(c.text, at)
	}
	c.at = at + length
	return codeOf(at, length, r), true
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
