package rows

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Run is rows of JSON Lines that follow one another, tokenised together: objects of one shape with nothing inside their members, each on
// a line of its own without blanks around it. So they can be looked at column by column. All are in one batch; see [Row.Batch].
type Run struct {
	// Doc holds the rows. The object of row i is at node i*Stride, the key of its member k at 1+2*k behind that, with the value behind
	// it.
	Doc *tape.Tape
	// Rows is how many rows there are, Stride how many nodes each has.
	Rows, Stride int
	// first is the first row, which Doc begins with, at the one that At returned last; all else in them is the same.
	first, at Row
	alone     tape.Tape
}

// At returns a row by its index in the run, from 0, valid until the next call of At or Alone. Its Doc is that of the run: its
// root is not the row's, and its text that of all rows.
func (r *Run) At(i int) *Row {
	start, end := r.Doc.Nodes[i*r.Stride].Span()
	first, at := &r.first, &r.at
	at.Doc = r.Doc
	at.Line = first.Line + i
	at.Index = first.Index + int64(i)
	at.Offset = first.Offset + int64(start)
	at.End = first.Offset + int64(end) + int64(len("\n"))
	at.Ahead = first.Ahead[start:]
	return at
}

// Alone returns a row by its index in the run, from 0, on a tape of its own, valid until the next call of At or Alone. It is read
// once more for that.
func (r *Run) Alone(i int) *Row {
	row := r.At(i)
	row.Doc = &r.alone
	start, end := r.Doc.Nodes[i*r.Stride].Span()
	row.Doc.ParseLike(r.Doc, r.Doc.Text[start:end])
	return row
}

// runs reads the rows of a block of JSON Lines that can be read together.
type runs struct {
	show func(*Run) error
	run  Run
	// missed counts the places, one behind the other, at which no rows could be read together; skip is how many rows are read one by one
	// before that is tried again.
	missed, skip int
}

const (
	// runBytes is up to how many bytes of rows are read together, longTogether how long the first of them is at most: long rows gain
	// nothing by it.
	runBytes     = 16 << 10
	longTogether = 2 << 10
	// maxSkip is how many rows at most are read one by one where none can be read together.
	maxSkip = 64
)

// next reads rows at the beginning of text, which are in one batch, and returns how many they are. first is the length of the first
// line, with its line feed.
func (r *runs) next(doc *tape.Tape, text []byte, first int) int {
	if first == 0 || first > longTogether || first > len(text) {
		return 0
	}
	if r.skip > 0 {
		r.skip--
		return 0
	}
	// What is behind the last whole row would be read twice.
	end := bytes.LastIndexByte(text[:min(len(text), runBytes)], '\n') + 1
	n := doc.ParseRun(text[:min(len(text), end+tape.Overlap)])
	if n == 0 {
		r.missed++
		r.skip = min(1<<min(r.missed, 16)-1, maxSkip)
		return 0
	}
	r.missed = 0
	return n
}

// alike shows the next rows of a block together, as many as can be, and returns how many they are.
func (r *reader) alike(line int, batches *Batches) (rows int, err error) {
	if r.runs.show == nil {
		return 0, nil
	}
	offset := r.in.offset()
	text := r.in.rowsFrom(offset)
	n := r.runs.next(r.row.Doc, text[:min(len(text), batches.left(offset))], r.in.nextLine(longTogether))
	if n == 0 {
		return 0, nil
	}
	run := &r.runs.run
	run.Doc, run.Rows, run.Stride = r.row.Doc, n, int(r.row.Doc.Nodes[0].After(0))
	run.first = r.row
	run.first.Line, run.first.Index, run.first.Offset, run.first.Ahead = line, r.row.Index+1, offset, text
	run.first.Batch = batches.batch
	run.at = run.first
	r.in.pass(n, len(r.row.Doc.Text)+len("\n"))
	r.row.Index += int64(n)
	r.rows += int64(n)
	return n, r.runs.show(run)
}
