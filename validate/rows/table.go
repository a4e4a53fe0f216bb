package rows

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxBadNames is how many faults of one header are reported.
const maxBadNames = 20

// table reads CSV and TSV as RFC 4180 has it and pandas, the Hub's reader, takes it: the first row that is not blank names the
// columns; LF, CR LF or a lone CR outside quotes ends a row; a quote opens a quoted cell only as the first character of the cell,
// and whatever stands behind the closing quote belongs to the value. Every value is text, as written.
type table struct {
	*reader
	comma byte
	ruler ruler
	// header is nil until it has been read.
	header *header
	cells  []cell
	// json and unquoted are reused from row to row.
	json, unquoted []byte
}

// header is the first row.
type header struct {
	names []string
	// heads holds for each column what the JSON text of a row has before its cell: comma, name, colon, quote.
	heads []string
}

// cell is a cell as it stands in the text of its row.
type cell struct {
	// start and end bound the cell, its quotes included.
	start, end int
	// close is the offset of the quote that closes a quoted cell; 0 for a cell that is not quoted.
	close int
	// stray is the offset of the first quote or character that RFC 4180 does not allow there, -1 if there is none.
	stray int
}

// scan is how reading the cells of a row ended.
type scan uint8

const (
	whole    scan = iota
	partial       // the text may go on, and ends before the row is known to
	unclosed      // the text ends inside a quoted cell
)

func (r *reader) newTable(from place, head *header) *table {
	t := &table{reader: r, comma: ',', ruler: newRuler(from.line), header: head}
	if r.totals.Format.Kind == TSV {
		t.comma = '\t'
	}
	t.ruler.at, t.ruler.from = r.in.at, r.in.at
	r.in.moving = func(n int) { t.ruler.drop(r.in.buf, n) }
	r.row.Cells = true
	r.row.Index = from.index - 1
	return t
}

// table reads rows up to the end. head is nil where the header comes first. It returns the line it reached.
func (r *reader) table(from place, head *header) (line int, err error) {
	t := r.newTable(from, head)
	for more := true; more && err == nil; {
		more, err = t.next()
	}
	return t.ruler.line, err
}

// next reads one row, the header first; more is false at the end or when the rest cannot be read.
func (t *table) next() (more bool, err error) {
	length, ended := t.find()
	switch {
	case ended == partial:
		t.stopped = true
		return false, nil
	case ended == unclosed:
		t.unclosedQuote()
		return false, nil
	case length == 0:
		if t.header == nil {
			t.noHeader()
		}
		return false, nil
	}
	text := t.in.rest()[:length]
	more = true
	if !t.blank(text) {
		more, err = t.line(text)
		t.stopped = !more
	}
	if more && err == nil {
		t.pass(text)
	}
	return more, err
}

// noHeader reports a file of blank lines, or of nothing.
func (t *table) noHeader() {
	t.refused = true
	f := finding.New(finding.CSVHeader, "the file has no header: it holds no row at all").At(t.row.Path, 1)
	t.found.Add(f.Hinting("write the names of the columns as the first row"))
}

// line takes in one row that is not blank; goOn is false when the rest of the file cannot be read.
func (t *table) line(text []byte) (goOn bool, err error) {
	if !utf8.Valid(text) {
		t.notUTF8(text)
		return t.header != nil, nil
	}
	if t.header == nil {
		return t.readHeader(text), nil
	}
	if len(t.cells) != len(t.header.names) {
		t.ragged()
		return true, nil
	}
	t.strayQuotes()
	if problems := t.row.Doc.Parse(t.object(text)); len(problems) > 0 {
		t.refused = true
		t.found.Add(finding.New(problems[0].Code, "%s", problems[0].Message).At(t.row.Path, t.ruler.line))
		return true, nil
	}
	t.row.Index++
	t.row.Offset = t.in.offset()
	t.row.End = t.row.Offset + int64(len(text))
	return true, t.deliver(t.ruler.line, "")
}

// find finds the cells of the row at the cursor and its length, line end included; 0 at the end of the file.
func (t *table) find() (length int, ended scan) {
	for {
		length, ended = t.scan(t.in.rest(), t.clean())
		if length > t.limit || ended == partial && len(t.in.rest()) > t.limit {
			t.tooLong(t.ruler.line)
			return 0, partial
		}
		if ended != partial || t.in.ended() {
			return length, ended
		}
		t.in.atLeast(2*len(t.in.rest()) + 1)
	}
}

// scan finds the cells of the row that text begins with.
func (t *table) scan(text []byte, last bool) (length int, ended scan) {
	t.cells = t.cells[:0]
	if len(text) == 0 {
		if last {
			return 0, whole
		}
		return 0, partial
	}
	for i := 0; ; i++ {
		c := cell{start: i, stray: -1}
		if i < len(text) && text[i] == '"' {
			c.close = closingQuote(text, i+1)
			if c.close < 0 || c.close == len(text)-1 && !last {
				t.cells = append(t.cells, c)
				if last {
					return len(text), unclosed
				}
				return 0, partial
			}
			i = c.close + 1
		}
		from := i
		for i < len(text) && text[i] != t.comma && text[i] != '\n' && text[i] != '\r' {
			if text[i] == '"' && c.stray < 0 {
				c.stray = i
			}
			i++
		}
		if c.close > 0 && i > from {
			c.stray = from
		}
		c.end = i
		t.cells = append(t.cells, c)
		switch {
		case i == len(text) && last:
			return i, whole
		case i == len(text):
			return 0, partial
		case text[i] == '\n':
			return i + 1, whole
		case text[i] == '\r' && i+1 == len(text) && !last:
			return 0, partial
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			return i + 2, whole
		case text[i] == '\r':
			return i + 1, whole
		}
	}
}

// closingQuote returns the offset of the quote that closes the cell whose first character is at i; -1 if none does. Two
// quotes stand for one.
func closingQuote(text []byte, i int) int {
	for {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		if i+1 == len(text) || text[i+1] != '"' {
			return i
		}
		i += 2
	}
}

// blank says that the row is a blank line, which pandas skips.
func (t *table) blank(text []byte) bool {
	return len(t.cells) == 1 && t.cells[0].close == 0 && isBlank(text[:t.cells[0].end])
}

// pass moves the cursor behind a row.
func (t *table) pass(row []byte) {
	line := t.ruler.line
	t.in.at += len(row)
	t.ruler.advance(t.in.buf, t.in.at)
	switch {
	case bytes.HasSuffix(row, []byte("\r\n")):
		t.crlf.add(line)
	case bytes.HasSuffix(row, []byte("\r")):
		t.ruler.newLine()
	}
}

// readHeader takes in the names of the columns; it is false when they cannot be used.
func (t *table) readHeader(text []byte) bool {
	t.strayQuotes()
	t.header = &header{}
	first := map[string]int{}
	measure := t.ruler
	bad := 0
	for i, c := range t.cells {
		name := string(t.value(text, c))
		message := ""
		if before, again := first[name]; again {
			message = fmt.Sprintf("columns %d and %d have the same name %q", before, i+1, name)
		} else {
			first[name] = i + 1
		}
		if name == "" {
			message = fmt.Sprintf("column %d has no name", i+1)
		}
		if message != "" && bad < maxBadNames {
			line, column := measure.place(t.in.buf, t.in.at+c.start)
			f := finding.New(finding.CSVHeader, "%s", message).AtColumn(t.row.Path, line, column)
			t.found.Add(f.Hinting("give every column a name of its own in the first row; no row is read without that"))
			bad++
		}
		t.header.add(name)
	}
	t.refused = t.refused || bad > 0
	return bad == 0
}

func (h *header) add(name string) {
	head := tape.AppendEscaped([]byte(`,"`), []byte(name))
	if len(h.names) == 0 {
		head = head[1:]
	}
	h.names = append(h.names, name)
	h.heads = append(h.heads, string(head)+`":"`)
}

// placeInRow tells the line and column of an offset in the row at the cursor.
func (t *table) placeInRow(offset int) (line, column int) {
	measure := t.ruler
	return measure.place(t.in.buf, t.in.at+offset)
}

// ragged reports a row with more or fewer cells than the header.
func (t *table) ragged() {
	t.refused = true
	f := finding.New(finding.CSVRaggedRow, "row has %s, expected %d", cellCount(len(t.cells)), len(t.header.names)).At(t.row.Path, t.ruler.line)
	t.found.Add(f.Hinting("put quotes around a cell that holds a comma, a quote or a line break, and write empty cells too"))
}

func cellCount(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

// notUTF8 reports the first byte of a row that is not UTF-8.
func (t *table) notUTF8(text []byte) {
	t.refused = true
	at := 0
	for at < len(text) {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	line, column := t.placeInRow(at)
	f := finding.New(finding.CSVUTF8, "bytes that are not UTF-8").AtColumn(t.row.Path, line, column).In(t.pointerAt(at))
	t.found.Add(f.Hinting("save the file as UTF-8"))
}

// pointerAt is the pointer to the cell at an offset of the row at the cursor.
func (t *table) pointerAt(offset int) string {
	if t.header == nil || len(t.cells) != len(t.header.names) {
		return ""
	}
	for i, c := range t.cells {
		if offset < c.end {
			return "/" + tape.EscapeToken(t.header.names[i])
		}
	}
	return ""
}

// strayQuotes warns of the first quote in a row that pandas takes as it is or drops, and that other readers refuse.
func (t *table) strayQuotes() {
	i := slices.IndexFunc(t.cells, func(c cell) bool { return c.stray >= 0 })
	if i < 0 {
		return
	}
	c := t.cells[i]
	message, hint := "a quote inside a cell without quotes", `put quotes around the cell and write each quote in it twice: "say ""no"""`
	if c.close > 0 {
		message, hint = "text behind the closing quote of a cell", "write a quote inside a quoted cell twice"
	}
	line, column := t.placeInRow(c.stray)
	f := finding.New(finding.CSVQuote, "%s", message).As(finding.Warning).AtColumn(t.row.Path, line, column)
	t.found.Add(f.In(t.pointerAt(c.stray)).Hinting("%s", hint))
}

// unclosedQuote reports the quoted cell in which the file ends.
func (t *table) unclosedQuote() {
	t.refused = true
	line, column := t.placeInRow(t.cells[len(t.cells)-1].start)
	f := finding.New(finding.CSVQuote, "a quote that is never closed: the cell goes on to the end of the file")
	t.found.Add(f.AtColumn(t.row.Path, line, column).Hinting("close it, or write a quote inside a quoted cell twice"))
}

// object writes the row as the JSON text of an object of text cells in column order.
func (t *table) object(text []byte) []byte {
	out := append(slices.Grow(t.json[:0], len(text)), '{')
	for i, c := range t.cells {
		out = append(out, t.header.heads[i]...)
		out = tape.AppendEscaped(out, t.value(text, c))
		out = append(out, '"')
	}
	t.json = append(out, '}')
	return t.json
}

// value returns a cell's value, which is valid until the next call.
func (t *table) value(text []byte, c cell) []byte {
	if c.close == 0 {
		return text[c.start:c.end]
	}
	inner, behind := text[c.start+1:c.close], text[c.close+1:c.end]
	if len(behind) == 0 && bytes.IndexByte(inner, '"') < 0 {
		return inner
	}
	out := t.unquoted[:0]
	for {
		i := bytes.IndexByte(inner, '"')
		if i < 0 {
			break
		}
		out = append(out, inner[:i+1]...)
		inner = inner[i+2:]
	}
	out = append(out, inner...)
	t.unquoted = append(out, behind...)
	return t.unquoted
}

// rowCutter cuts CSV and TSV behind rows.
type rowCutter struct {
	place
	table *table
	// scanned is how much of the text is whole rows, behind is the place there.
	scanned int
	behind  place
}

func newRowCutter(at place, t *table) *rowCutter {
	scanner := &table{reader: &reader{limit: t.limit}, comma: t.comma, header: t.header}
	return &rowCutter{place: at, behind: at, table: scanner}
}

func (c *rowCutter) cut(text []byte, target int) int {
	for {
		length, ended := c.table.scan(text[c.scanned:], false)
		end := c.scanned + length
		if ended == partial || c.scanned > 0 && end > target {
			return c.scanned
		}
		c.count(text[c.scanned:end])
		c.scanned = end
		if end >= target {
			return end
		}
	}
}

// count counts a row whose cells have been found. Rows have the index that the loader sees: only those that are shown count.
func (c *rowCutter) count(row []byte) {
	c.behind.offset += int64(len(row))
	c.behind.line += bytes.Count(row, []byte{'\n'})
	if row[len(row)-1] == '\r' {
		c.behind.line++
	}
	columns := len(c.table.header.names)
	if len(c.table.cells) == columns && 2*columns+1 < tape.MaxNodes && !c.table.blank(row) && utf8.Valid(row) {
		c.behind.index++
	}
}

// more asks for twice the text: a row that does not end is scanned from its beginning again.
func (c *rowCutter) more(text []byte) (size int, ok bool) {
	return len(text) + 1, len(text) <= c.table.limit
}

func (c *rowCutter) pass([]byte) {
	c.place = c.behind
	c.scanned = 0
}
