package rows

import (
	"bytes"
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
	r.column += utf8.RuneCount(text[r.from:to])
	r.from = to
	return r.line, r.column
}

// newLine says that a line ends before the offset at, although no line feed stands there.
func (r *ruler) newLine() {
	r.line++
	r.column, r.from = 1, r.at
}

// drop forgets the first n bytes of text, all of them before at: the offsets of what follows are smaller by n.
func (r *ruler) drop(text []byte, n int) {
	if r.from < n {
		r.column += utf8.RuneCount(text[r.from:n])
		r.from = n
	}
	r.from -= n
	r.at -= n
}
