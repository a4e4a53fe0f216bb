package rows

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

const (
	objectPerElement = "make every element of the array an object"
	// lookAhead is how many bytes behind a value are looked at to say what is wrong there.
	lookAhead = 16
)

// document reads a .json file: one array whose elements are the rows, one object, or several values one behind the other,
// JSON Lines among them. Values may go over several lines.
type document struct {
	*reader
	ruler   ruler
	batches Batches
	// cr says that the last byte passed was a carriage return.
	cr bool
}

func (r *reader) newDocument(from place) *document {
	d := &document{reader: r, ruler: newRuler(from.line), batches: from.batches, cr: from.cr}
	d.ruler.at, d.ruler.from = r.in.at, r.in.at
	r.in.moving = func(n int) { d.ruler.drop(r.in.buf, n) }
	r.row.Index = from.index - 1
	return d
}

// document returns the line it reached.
func (r *reader) document(from place) (line int, err error) {
	d := r.newDocument(from)
	c, ok := d.next()
	switch {
	case !ok:
	case c == '[':
		r.totals.Array = true
		r.row.Wrapped = r.wraps()
		err = d.array(beforeArray)
	default:
		err = d.values()
	}
	return d.ruler.line, err
}

// next passes over blanks and returns the byte at the cursor; ok is false when there is none.
func (d *document) next() (c byte, ok bool) {
	for {
		rest := d.in.rest()
		n := 0
		for n < len(rest) && isSpace(rest[n]) {
			n++
		}
		d.pass(n)
		if n < len(rest) {
			return rest[n], true
		}
		if !d.in.atLeast(1) {
			return 0, false
		}
	}
}

// pass moves the cursor on by n bytes.
func (d *document) pass(n int) {
	passed := d.in.buf[d.in.at : d.in.at+n]
	d.countCRLF(passed)
	if !d.totals.Array {
		d.countBatches(passed)
	}
	d.in.at += n
	d.ruler.advance(d.in.buf, d.in.at)
}

// countBatches takes the lines that end in passed, the text at the cursor.
func (d *document) countBatches(passed []byte) {
	end := d.in.offset()
	for {
		i := bytes.IndexByte(passed, '\n')
		if i < 0 {
			return
		}
		end += int64(i) + 1
		d.batches.Line(end)
		passed = passed[i+1:]
	}
}

// countCRLF counts the lines of passed that end with CR LF; the two may have been passed one by one.
func (d *document) countCRLF(passed []byte) {
	line := d.ruler.line
	if d.cr && len(passed) > 0 && passed[0] == '\n' {
		d.crlf.add(line)
	}
	if len(passed) > 0 {
		d.cr = passed[len(passed)-1] == '\r'
	}
	for {
		i := bytes.Index(passed, []byte("\r\n"))
		if i < 0 {
			return
		}
		line += bytes.Count(passed[:i], []byte{'\n'})
		d.crlf.add(line)
		passed, line = passed[i+2:], line+1
	}
}

// fault reports what ends the reading of the document, at the cursor.
func (d *document) fault(hint, message string) {
	d.refused, d.stopped = true, true
	line, column := d.ruler.place(d.in.buf, d.in.at)
	f := finding.New(finding.JSONSyntax, "%s", message).AtColumn(d.row.Path, line, column)
	f.Hint = hint
	d.add(f)
}

// cutShort reports that the document ends too early, unless that is because it cannot be unpacked or read, or because
// only a part of it is read here.
func (d *document) cutShort(message string) {
	if d.clean() && !d.inside {
		d.fault("the file is cut short, or a bracket is never closed", message)
	}
}

// stage is a place between the tokens of a document that is an array.
type stage uint8

const (
	beforeArray stage = iota
	beforeFirst       // behind the bracket that opens the array
	behindOne         // behind an element
	behindArray       // behind the bracket that closes it
)

// part reads a part of a document that is an array, as it is cut by [arrayCutter], and returns the line it reached.
func (r *reader) part(from place) (line int, err error) {
	r.totals.Array = true
	d := r.newDocument(from)
	err = d.array(from.stage)
	return d.ruler.line, err
}

// array reads on in a document that is an array.
func (d *document) array(at stage) error {
	if at == beforeArray {
		d.next()
		d.arrayLine = d.ruler.line
		d.pass(1)
	}
	defer func() { d.elements = d.row.Index + 1 }()
	if closed, err := d.list(at, d.element); err != nil || !closed {
		return err
	}
	if _, ok := d.next(); ok {
		d.fault("write one array, or one object on each line of a .jsonl file", "text behind the array")
	}
	return nil
}

// list reads on in an array up to behind the bracket that closes it, each element with a function of which goOn is false when
// nothing can be read behind it. closed is false when the bracket was not reached.
func (d *document) list(at stage, each func() (goOn bool, err error)) (closed bool, err error) {
	const cut = "the file ends inside its array"
	for at != behindArray {
		c, ok := d.next()
		if !ok {
			d.cutShort(cut)
			return false, nil
		}
		if c == ']' {
			d.pass(1)
			break
		}
		if at == behindOne {
			if c != ',' {
				d.fault("put a comma between two elements", "expected a comma or ] after an element of the array")
				return false, nil
			}
			if trailing, ok := d.trailingComma(); trailing || !ok {
				return false, nil
			}
			d.pass(1)
			if _, ok = d.next(); !ok {
				d.cutShort(cut)
				return false, nil
			}
		}
		if goOn, err := each(); err != nil || !goOn {
			return false, err
		}
		at = behindOne
	}
	return true, nil
}

// wrapHead is how many bytes of an array load_dataset looks at for the brace of an object.
const wrapHead = 100

// wraps says, at the bracket of an array, that load_dataset sees no brace of an object behind it. It looks no further than to the
// first quote, and not at all where the file does not begin with the bracket.
func (r *reader) wraps() bool {
	r.in.atLeast(wrapHead)
	head := r.in.rest()[:min(wrapHead, len(r.in.rest()))]
	head, _, _ = bytes.Cut(head, []byte{'"'})
	return !r.totals.BlankFirst && bytes.IndexByte(head, '{') < 0
}

// trailingComma reports the comma at the cursor when the end of the array stands behind it. ok is false when that cannot be
// told.
func (d *document) trailingComma() (trailing, ok bool) {
	for n := 1; ; n++ {
		if !d.in.atLeast(n + 1) {
			return false, true
		}
		switch c := d.in.rest()[n]; {
		case c == ']':
			d.fault("remove the comma", "trailing comma before ]")
			return true, true
		case !isSpace(c):
			return false, true
		case n > d.limit:
			d.tooLong(d.ruler.line)
			return false, false
		}
	}
}

// element reads and shows the element at the cursor; goOn is false when nothing can be read behind it.
func (d *document) element() (goOn bool, err error) {
	d.row.Index++
	line := d.ruler.line
	n, sound, ok := d.whole()
	switch {
	case !ok:
		return false, nil
	case !sound:
		d.pass(n)
		return true, nil
	}
	d.row.Element = true
	d.row.Offset = d.in.offset()
	d.row.End = d.row.Offset + int64(n)
	d.row.Ahead = d.in.rowsFrom(d.row.Offset)
	if err := d.deliver(line, objectPerElement); err != nil {
		return false, err
	}
	d.pass(n)
	return true, nil
}

// whole puts the value at the cursor on the tape, and tells what is wrong with it; sound is false where something is. ok is false,
// and reading is over, when nothing can be read behind it.
func (d *document) whole() (n int, sound, ok bool) {
	n, problems, ok := d.value()
	if ok && len(problems) > 0 {
		d.report(problems, &d.ruler, d.in.buf, d.in.at)
		ok = !problems[len(problems)-1].Fatal
	}
	d.stopped = d.stopped || !ok
	return n, len(problems) == 0, ok
}

// value puts the value at the cursor on the tape and returns its length. ok is false when it cannot be read to its end:
// it is too long, or the rest of the file cannot be unpacked.
func (d *document) value() (n int, problems []tape.Problem, ok bool) {
	for {
		n, problems = d.row.Doc.ParseFirst(d.in.visible(), d.in.ended())
		read := n > 0 || len(problems) > 0
		if n > d.limit || !read && len(d.in.rest()) > d.limit {
			d.tooLong(d.ruler.line)
			return 0, nil, false
		}
		if read || d.in.ended() {
			return n, problems, !d.cutOff(n, problems)
		}
		d.in.atLeast(2 * len(d.in.rest()))
	}
}

// cutOff says that reading a value ended only because the rest of the content cannot be unpacked.
func (d *document) cutOff(n int, problems []tape.Problem) bool {
	if d.in.err == nil || d.clean() {
		return false
	}
	end := len(d.in.rest())
	if len(problems) > 0 {
		last := problems[len(problems)-1]
		return last.Fatal && last.Offset >= end
	}
	return n == end && d.row.Doc.Root().Kind() == tape.Number
}

// values reads values one behind the other, each on lines of its own.
func (d *document) values() error {
	seen, onOneLine := 0, true
	for {
		if _, ok := d.next(); !ok {
			break
		}
		n, problems, ok := d.value()
		if !ok {
			d.stopped = true
			return nil
		}
		fatal := len(problems) > 0 && problems[len(problems)-1].Fatal
		if !fatal {
			behind, known := d.behind(n)
			if !known {
				continue // read again: the buffer has moved
			}
			if behind > 0 {
				problems = d.row.Doc.Parse(d.in.rest()[:min(behind+lookAhead, len(d.in.rest()))])
				n, fatal = behind, true
			}
		}
		seen++
		d.row.Index++
		line := d.ruler.line
		onOneLine = onOneLine && (fatal || bytes.IndexByte(d.in.rest()[:n], '\n') < 0)
		if len(problems) > 0 {
			measure := d.ruler // a copy: after a fault reading goes on at a line that may begin before it
			d.report(problems, &measure, d.in.buf, d.in.at)
		}
		switch {
		case fatal:
			d.recover(n)
			continue
		case len(problems) == 0:
			d.row.Offset = d.in.offset()
			d.row.End = d.row.Offset + int64(d.lineEnd(n))
			d.row.Batch = d.batches.batch
			if err := d.deliver(line, objectPerLine); err != nil {
				return err
			}
		}
		d.pass(n)
	}
	if seen > 1 {
		d.found.Add(d.severalValues(onOneLine))
	}
	return nil
}

// severalValues is the note about a .json file that holds more than one value.
func (d *document) severalValues(onOneLine bool) finding.Finding {
	f := finding.New(finding.JSONLinesInJSON, "the file holds several JSON values, one behind the other").At(d.row.Path, 1)
	if onOneLine {
		f = finding.New(finding.JSONLinesInJSON, "the file holds JSON Lines").At(d.row.Path, 1)
	}
	return f.Hinting("name it .jsonl, with one object on each line")
}

// behind looks at what follows the value of length n on its last line: 0 when nothing does, else the offset from the cursor.
// known is false when more had to be read to tell, which moves what the tape points to.
func (d *document) behind(n int) (offset int, known bool) {
	rest := d.in.rest()
	for n < len(rest) && rest[n] != '\n' && isSpace(rest[n]) {
		n++
	}
	if n+lookAhead > len(rest) && !d.in.ended() {
		d.in.atLeast(n + lookAhead)
		return 0, false
	}
	if n == len(rest) || rest[n] == '\n' {
		return 0, true
	}
	return n, true
}

// lineEnd is the offset from the cursor behind the line end that follows the value of length n.
func (d *document) lineEnd(n int) int {
	rest := d.in.rest()
	if i := bytes.IndexByte(rest[n:], '\n'); i >= 0 {
		return n + i + 1
	}
	return len(rest)
}

// recover moves on from a fault at an offset from the cursor to the next line that begins with an object: in JSON Lines
// the next row, in pretty-printed JSON the next value.
func (d *document) recover(offset int) {
	if i := bytes.LastIndexByte(d.in.rest()[:offset], '\n'); i >= 0 {
		offset = i
	}
	d.pass(offset)
	for {
		i := bytes.IndexByte(d.in.rest(), '\n')
		if i < 0 {
			d.pass(len(d.in.rest()))
			if !d.in.fill() {
				return
			}
			continue
		}
		d.pass(i)
		more := d.in.atLeast(2)
		d.pass(1)
		if !more || d.in.rest()[0] == '{' {
			return
		}
	}
}
