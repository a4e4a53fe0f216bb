package rows

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// ruler tells the line and column of places in a text, one behind the other. Columns count characters from 1, as editors
// do; bytes that are not UTF-8 count one each. Characters are counted only when a column is asked for.
type ruler struct {
	// line is that of the offset at.
	line, at int
	// column is that of the offset from, which stands on the same line at or before at.
	column, from int
}

func newRuler(line int) ruler { return ruler{line: line, column: 1} }

// advance moves on to an offset of text, at or behind the last one.
func (r *ruler) advance(text []byte, to int) {
	passed := text[r.at:to]
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		r.line += n
		r.column, r.from = 1, r.at+bytes.LastIndexByte(passed, '\n')+1
	}
	r.at = to
}

// place moves on to an offset of text and tells its line and column.
func (r *ruler) place(text []byte, to int) (line, column int) {
	r.advance(text, to)
	r.column += characters(text[r.from:to])
	r.from = to
	return r.line, r.column
}

// characters counts those of the line before the offset at.
func (r *ruler) characters(text []byte) int {
	_, column := r.place(text, r.at)
	return column - 1
}

// newLine says that a line ends before the offset at, although no line feed stands there.
func (r *ruler) newLine() {
	r.line++
	r.column, r.from = 1, r.at
}

// drop forgets the first n bytes of text, all of them before at: the offsets of what follows are smaller by n.
func (r *ruler) drop(text []byte, n int) {
	if r.from < n {
		r.column += characters(text[r.from:n])
		r.from = n
	}
	r.from -= n
	r.at -= n
}

// lastColumn counts the characters behind the last line feed of a text; ok says that there is one.
func lastColumn(text []byte) (characterCount int, ok bool) {
	i := bytes.LastIndexByte(text, '\n')
	return characters(text[i+1:]), i >= 0
}

// characters is utf8.RuneCount, faster where the text is ASCII: a file may be one line.
func characters(text []byte) int {
	const beyondASCII = 0x8080808080808080
	n := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:])&beyondASCII == 0 {
			i += 8
			n += 8
			continue
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
		n++
	}
	return n
}
