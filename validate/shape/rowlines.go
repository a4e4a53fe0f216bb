package shape

import (
	"bytes"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// rowLines finds the physical lines of the values that causes are about, in one walk over the row.
type rowLines struct {
	row *rows.Row
	// line is the line of each pointer that is asked for.
	line map[string]int
	// pointer leads to the value the walk is at.
	pointer []byte
	// counted is the offset up to which line ends are counted, lineEnds how many there are.
	counted, lineEnds int
}

func linesOfRow(row *rows.Row, causes []cause) *rowLines {
	l := &rowLines{row: row, line: map[string]int{}}
	for _, c := range causes {
		l.line[pointerTo(c.path)] = row.Line
	}
	if !row.Cells && bytes.IndexByte(row.Doc.Text, '\n') >= 0 {
		l.walk(row.Doc.Root())
	}
	return l
}

func (l *rowLines) walk(v tape.Value) {
	if _, wanted := l.line[string(l.pointer)]; wanted {
		l.line[string(l.pointer)] = l.lineOf(v)
	}
	before := len(l.pointer)
	for i, element := range v.Elements() {
		l.pointer = tape.AppendToken(l.pointer, strconv.Itoa(i))
		l.walk(element)
		l.pointer = l.pointer[:before]
	}
	for key, member := range v.Members() {
		l.pointer = tape.AppendToken(l.pointer, key.Text())
		l.walk(member)
		l.pointer = l.pointer[:before]
	}
}

// lineOf is the line on which a value begins; values are asked for in the order of the text.
func (l *rowLines) lineOf(v tape.Value) int {
	l.lineEnds += bytes.Count(l.row.Doc.Text[l.counted:v.Offset()], []byte{'\n'})
	l.counted = v.Offset()
	return l.row.Line + l.lineEnds
}
