package rows

import "bytes"

const objectPerLine = "write one JSON object on each line"

// lines reads JSON Lines: a line feed ends a row, and nothing else does. It returns the last line reached.
func (r *reader) lines(from place) (line int, err error) {
	r.row.Index = from.index - 1
	r.row.OneLine = true
	for line = from.line; ; line++ {
		for together := 1; together > 0; line += together {
			if together, err = r.alike(line, &from.batches); err != nil {
				return line, err
			}
		}
		r.row.Offset = r.in.offset()
		text, fed, long := r.in.line(r.limit)
		if !fed && (r.in.err != nil && !r.clean() || len(text) == 0 && !long) {
			break
		}
		r.row.End = r.in.offset()
		r.row.Ahead = r.in.rowsFrom(r.row.Offset)
		r.row.Batch = from.batches.Line(r.row.End)
		if long {
			r.row.Index++
			r.tooLong(line)
			continue
		}
		if n := len(text); fed && n > 0 && text[n-1] == '\r' {
			r.crlf.add(line)
			text = text[:n-1]
		}
		if isBlank(text) {
			r.blank.add(line)
			continue
		}
		r.row.Index++
		if problems := r.row.Doc.Parse(text); problems != nil {
			measure := newRuler(line)
			r.report(problems, &measure, text, 0)
			continue
		}
		if err := r.deliver(line, objectPerLine); err != nil {
			return line, err
		}
	}
	return line, nil
}

// isBlank says that a text holds JSON white space only.
func isBlank(text []byte) bool {
	for _, c := range text {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// lineCutter cuts JSON Lines at line feeds.
type lineCutter struct {
	place
	limit int
	// searched is how much of the text has been looked at for line feeds; ends are the offsets behind those.
	searched int
	ends     []int32
}

func (c *lineCutter) cut(text []byte, target int) int {
	within := text[:min(target, len(text))]
	for c.searched < len(within) && c.find(within) {
	}
	if len(c.ends) > 0 || c.find(text) {
		return int(c.ends[len(c.ends)-1])
	}
	return 0
}

// find goes on behind the next line feed, or to the end of the text when there is none.
func (c *lineCutter) find(text []byte) bool {
	i := bytes.IndexByte(text[c.searched:], '\n')
	if i < 0 {
		c.searched = len(text)
		return false
	}
	c.searched += i + 1
	c.ends = append(c.ends, int32(c.searched))
	return true
}

func (c *lineCutter) more(text []byte) (size int, ok bool) { return readSize, len(text) <= c.limit }

// pass counts lines and rows: what is not blank is a row, and what is too long.
func (c *lineCutter) pass(text []byte) {
	c.batches.pass(text, c.offset)
	c.offset += int64(len(text))
	c.line += len(c.ends)
	start := 0
	for _, end := range c.ends {
		if line := text[start : end-1]; len(line) > c.limit || !isBlank(line) {
			c.index++
		}
		start = int(end)
	}
	c.searched = 0
}

// passLong goes on behind a line that is too long to be a text in memory.
func (c *lineCutter) passLong(end int64) {
	c.searched, c.ends = 0, c.ends[:0]
	c.batches.Line(end)
	c.offset = end
	c.line++
	c.index++
}
