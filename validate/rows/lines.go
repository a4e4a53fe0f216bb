package rows

import "github.com/hfpub/hfpub/validate/finding"

const objectPerLine = "write one JSON object on each line"

// lines reads JSON Lines: a line feed ends a row, and nothing else does. It returns the last line reached.
func (r *reader) lines() (line int, err error) {
	var blank tally
	var batches Batches
	r.totals.BlankFirst = r.in.atLeast(1) && isSpace(r.in.rest()[0])
	for line = 1; ; line++ {
		r.row.Offset = r.in.offset()
		text, fed, long := r.in.line(r.limit)
		if !fed && (r.in.err != nil && !r.clean() || len(text) == 0 && !long) {
			break
		}
		r.row.End = r.in.offset()
		r.row.Batch = batches.Line(r.row.End)
		if long {
			r.tooLong(line)
			continue
		}
		if n := len(text); fed && n > 0 && text[n-1] == '\r' {
			r.crlf.add(line)
			text = text[:n-1]
		}
		if isBlank(text) {
			blank.add(line)
			continue
		}
		if problems := r.row.Doc.Parse(text); problems != nil {
			measure := newRuler(line)
			r.report(problems, &measure, text, 0)
			continue
		}
		if err := r.deliver(line, objectPerLine); err != nil {
			return line, err
		}
	}
	if blank.count > 0 {
		f := finding.New(finding.JSONBlankLine, "blank line").At(r.row.Path, blank.first).Hinting("remove it")
		f.Count = blank.count
		r.found.Add(f)
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
