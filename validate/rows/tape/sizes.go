package tape

import "unicode/utf8"

// maxSizes is for how many strings of one text a stringSize is remembered, in sixteen bytes each.
const maxSizes = 1 << 20

// stringSize is what a string's bytes and characters in the text do not say of its size.
type stringSize struct {
	// code is which of Tape.codes is the string's first, from 1; 0 when that is not known.
	code uint32
	// continued counts the bytes that continue a character in UTF-8, of the decoded text.
	continued uint32
	// grown is by how much the string is longer in ASCII than in the text: each character beyond ASCII \uXXXX, or two of these, and
	// the coded escapes as [Value.ASCII] has them.
	grown int64
}

// addRunes takes characters beyond ASCII, pairs of them beyond the basic plane.
func (s *stringSize) addRunes(bytes, runes, pairs int) {
	s.continued += uint32(bytes - runes)
	s.grown += int64(len(`\u0000`)*(runes+pairs) - bytes)
}

// addCode takes a coded escape. What is beyond ASCII has no shorter one.
func (s *stringSize) addCode(length int, r rune) {
	if r < utf8.RuneSelf {
		s.grown += int64(asciiLen(byte(r), length) - length)
		return
	}
	// Without branches: which one comes, a processor cannot foretell.
	s.continued += 1 + uint32(0x7FF-r)>>31 + uint32(0xFFFF-r)>>31
}

// asciiLen is the length of an ASCII character of a string in ASCII; in the text it is an escape of some length.
func asciiLen(c byte, length int) int {
	switch {
	case c == '"', c == '\\', c == '\b', c == '\t', c == '\n', c == '\f', c == '\r', c == '/' && length > len(`\/`):
		return 2
	case c < ' ':
		return len(`\u0000`)
	}
	return 1
}

// endSize remembers the size of the string that has been read, which is coded or wide, and says which one it is; 0 when it is not
// remembered. Before the string so many codes were remembered.
func (t *Tape) endSize(codes int) uint32 {
	size := t.size
	t.size = stringSize{}
	if len(t.sizes) == maxSizes {
		return 0
	}
	if len(t.codes) < maxCodes {
		size.code = uint32(codes + 1)
	}
	t.sizes = append(t.sizes, size)
	return uint32(len(t.sizes) - 1)
}

// noted is how many codes and sizes there were at some place.
type noted struct{ codes, sizes int }

func (t *Tape) noted() noted { return noted{len(t.codes), len(t.sizes)} }

// forget forgets what was noted since: only what is in values is remembered, not what is in keys.
func (t *Tape) forget(since noted) {
	t.codes, t.sizes, t.size = t.codes[:since.codes], t.sizes[:since.sizes], stringSize{}
}

// size is that of a string that is coded or wide; nil when it is not remembered, or not needed.
func (v Value) size() *stringSize {
	n := v.at()
	if n.bits&(kindMask|isKey) != uint32(String) || n.count() == 0 {
		return nil
	}
	return &v.tape.sizes[n.count()]
}

// Sizes is [Value.Sizes] of a string that is no key, by its node, where they are known. It takes no branch: which of the strings of a row are
// wide, a processor cannot foretell.
func (t *Tape) Sizes(n *Node) (text, ascii int, known bool) {
	s := &t.sizes[n.count()]
	return int(n.link) + int(s.continued), int(n.end-n.start) + int(s.grown), n.count() > 0 || n.Narrow()
}

// Sizes returns the length in bytes of a string's text, and of what stands between its quotes when it is written in ASCII: with
// escapes for quotes, backslashes, control characters, and all that is beyond ASCII; for a slash too where that is a \u in the
// text (whoever escapes all adds the number of those that stand there). For a key it takes longer.
func (v Value) Sizes() (text, ascii int) {
	n := v.at()
	raw := int(n.end - n.start)
	if n.bits&(isCoded|isWide|isKey) == 0 {
		return int(n.link), raw
	}
	if s := v.size(); s != nil {
		return int(n.link) + int(s.continued), raw + int(s.grown)
	}
	var again Tape
	_, _, extra := again.scanString(v.tape.Text, int(n.start))
	return raw - extra + int(again.size.continued), raw + int(again.size.grown)
}
