package shape

import "sort"

// lines finds the line and column of an offset without reading the text up to it.
type lines struct {
	// starts are the offsets at which lines begin.
	starts []int
	// characters counts the characters before each block of the text.
	characters []int
}

const block = 4096

func linesOf(text []byte) lines {
	l := lines{starts: []int{0}}
	n := 0
	for i, c := range text {
		if i%block == 0 {
			l.characters = append(l.characters, n)
		}
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
		n += starts(c)
	}
	l.characters = append(l.characters, n)
	return l
}

// starts is 1 for a byte that starts a character of UTF-8.
func starts(c byte) int {
	if c&0xC0 == 0x80 {
		return 0
	}
	return 1
}

// place returns the physical line and the column in characters, both from 1.
func (l lines) place(text []byte, offset int) (line, column int) {
	offset = min(offset, len(text))
	line = sort.SearchInts(l.starts, offset+1)
	return line, 1 + l.before(text, offset) - l.before(text, l.starts[line-1])
}

// before counts the characters before an offset.
func (l lines) before(text []byte, offset int) int {
	i := offset / block
	n := l.characters[i]
	for _, c := range text[i*block : offset] {
		n += starts(c)
	}
	return n
}
