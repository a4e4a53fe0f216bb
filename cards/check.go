package cards

import (
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// Check says which files are not what would be written: one finding for each, at the first line that differs.
func (o *Output) Check() []finding.Finding {
	var out []finding.Finding
	for _, file := range o.Files {
		if file.Changed() {
			f := outOfDate(&file)
			f.Repo = o.Repo
			out = append(out, f.Hinting("`hfpub card` writes the file anew"))
		}
	}
	return out
}

func outOfDate(file *File) finding.Finding {
	if file.Old == nil {
		return finding.New(finding.CardOutOfDate, "%s does not exist", file.Path).At(file.Path, 0)
	}
	have, want := lines(file.Old), lines(file.New)
	at := 0
	for at < len(have) && at < len(want) && have[at] == want[at] {
		at++
	}
	f := finding.New(finding.CardOutOfDate, "out of date")
	switch {
	case at == len(have):
		f.Message = "the file ends here, expected " + shown(want[at])
	case at == len(want):
		f.Message = "the line is " + shown(have[at]) + ", expected the end of the file"
	default:
		f.Message = "the line is " + shown(have[at]) + ", expected " + shown(want[at])
	}
	return f.At(file.Path, at+1)
}

// lines cuts a text into lines with their ends, so that a changed line end is a difference.
func lines(text []byte) []string { return strings.SplitAfter(string(text), "\n") }

// maxShown is how many runes of a line a message shows.
const maxShown = 80

// shown quotes a line for a message.
func shown(line string) string {
	text := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	switch {
	case line == "":
		return "nothing"
	case text == "":
		return "a blank line"
	}
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + "…"
	}
	if strings.HasSuffix(line, "\r\n") {
		text += "\\r\\n"
	}
	return "`" + text + "`"
}
