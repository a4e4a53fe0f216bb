package tape

const (
	// blockSize is how many bytes of a text have one bit each in a mask.
	blockSize = 64
	// windowBlocks is how many blocks are marked at once, a power of two. The code for AVX-512 knows it.
	windowBlocks = 16
)

// marks are masks of the bytes of a block by what they are in a string, the first byte in the lowest bit.
type marks struct {
	// ends are quotes that are not escaped.
	ends uint64
	// escaped are the bytes behind a backslash that is not escaped itself.
	escaped uint64
	// halts are what a string is not passed over without a look: ends, control characters, and the escaped bytes that are not of simple
	// escapes.
	halts uint64
	// special are halts, escaped and wide.
	special uint64
	// wide are the bytes beyond ASCII; continued are those of them that continue a character, astral those that begin one of four.
	wide, continued, astral uint64
	// With this, marks are as long as their block.
	_ uint64
}

// sums count bytes of a string by their marks, in the order of these.
type sums struct{ _, escaped, _, _, wide, continued, astral, _ int }

// window holds the marks of a part of a text, for processors that make them fast. It goes through the text from its first block to its
// last.
type window struct {
	// limit is where the window ends, a multiple of blockSize; 0 if there are no marks.
	limit int
	// open is 1 when the last byte of the window is a backslash whose escape goes on behind it.
	open uint64
	// broken is not 0 when something up to the limit is not UTF-8.
	broken uint64
	// slashes is not 0 when any stand before the limit.
	slashes uint64
	marks   [windowBlocks]marks
}

// begin marks the first part of a text.
func (w *window) begin(text []byte) {
	w.limit, w.open, w.broken, w.slashes = 0, 0, 0, 0
	if marking && len(text) > 0 {
		w.advance(text)
	}
}

// advance marks the next part of a text; there must be one. Behind the end of the text there seem to be zeros.
func (w *window) advance(text []byte) {
	part := text[w.limit:min(len(text), w.limit+windowBlocks*blockSize)]
	open, broken, slashes := markAVX512(&w.marks, &part[0], len(part), w.limit > 0, w.open)
	w.open, w.broken, w.slashes = open, w.broken|broken, w.slashes|slashes
	w.limit += (len(part) + blockSize - 1) / blockSize * blockSize
}

// reach marks on until the window has come to a place in the text, if there are marks.
func (w *window) reach(text []byte, i int) {
	for w.limit > 0 && i >= w.limit {
		w.advance(text)
	}
}

// at are the marks of the block of a place in the window.
func (w *window) at(i int) *marks { return &w.marks[uint(i)/blockSize%windowBlocks] }

// passMarked is [Tape.scanString] for a string that the window has come to. Where something in or near the string is not UTF-8, it says
// so.
func (t *Tape) passMarked(text []byte, i int) (end int, seen notes, extra int) {
	w := &t.window
	var s sums
	for {
		for i >= w.limit {
			if w.limit >= len(text) {
				return len(text), seen | unclosed, extra
			}
			w.advance(text)
		}
		if i = passMarks(&w.marks, i, w.limit, &s); i == w.limit {
			continue
		}
		m, bit := w.at(i), uint64(1)<<(uint(i)%blockSize)
		if m.ends&bit != 0 {
			break
		}
		if i >= len(text) {
			return len(text), seen | unclosed, extra
		}
		if m.escaped&bit == 0 {
			return i, seen | control, extra
		}
		next, n, spare := t.passCodes(text, i-1)
		i, seen, extra = next, seen|n, extra+spare
		if n&(badEscape|unclosed) != 0 {
			return i, seen, extra
		}
	}
	if s.escaped > 0 {
		seen |= escaped
	}
	if s.wide > 0 {
		seen |= wide
		t.size.addRunes(s.wide, s.wide-s.continued, s.astral)
		if w.broken != 0 {
			seen |= notUTF8
		}
	}
	return i, seen, extra + s.escaped + s.continued
}
