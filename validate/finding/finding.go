// Package finding holds the words in which hfpub says what it found.
//
// A [Finding] is one thing to say about a release: a code, how bad it is, where it is, what is wrong and what to
// do. Every code stands in one table (codes.go) and has a page (pages/) that `hfpub explain CODE` prints. A [Set]
// collects findings in bounded memory: equal ones fold into one with a count and the first places, and two sets
// merge, so that workers can collect side by side.
package finding

import (
	"fmt"
	"strings"
)

// Severity says what a finding means for the release.
type Severity string

const (
	// Error stops the release: exit code 1.
	Error Severity = "error"
	// Warning is reported; it stops the release only with --strict.
	Warning Severity = "warning"
	// Note is worth knowing and never stops anything.
	Note Severity = "note"
)

// rank orders severities from worst to mildest.
func (s Severity) rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	}
	return 2
}

// Place is where a finding is: a file, a physical line and column from 1 (0: not known), and an RFC 6901 JSON
// Pointer into the row or document at that line.
type Place struct {
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Pointer string `json:"pointer,omitempty"`
}

// Finding is one thing hfpub has to say. Its JSON form is part of the report's contract: fields may be added,
// never renamed.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Repo     string   `json:"repo,omitempty"`
	Config   string   `json:"config,omitempty"`
	Split    string   `json:"split,omitempty"`
	Place
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Count is how many equal findings this one stands for, at least 1.
	Count int `json:"count"`
	// Places lists the first places of a folded finding (Count above 1), its own place included.
	Places []Place `json:"places,omitempty"`
}

// New makes a finding of the code's usual severity. Place, hint and the rest are set by the caller.
func New(code Code, format string, args ...any) Finding {
	return Finding{Code: code, Severity: code.Severity(), Message: fmt.Sprintf(format, args...), Count: 1}
}

// At returns the finding at a file and physical line; 0 means that the line is not known or does not matter.
func (f Finding) At(path string, line int) Finding {
	f.Path, f.Line = path, line
	return f
}

// AtColumn returns the finding at a file, physical line and column, both from 1.
func (f Finding) AtColumn(path string, line, column int) Finding {
	f.Path, f.Line, f.Column = path, line, column
	return f
}

// In returns the finding at a JSON Pointer into the row or document.
func (f Finding) In(pointer string) Finding {
	f.Pointer = pointer
	return f
}

// Hinting returns the finding with advice on what to do.
func (f Finding) Hinting(format string, args ...any) Finding {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// As returns the finding with another severity than its code's usual one.
func (f Finding) As(s Severity) Finding {
	f.Severity = s
	return f
}

// OfSplit returns the finding with the names of the config and the split it is about.
func (f Finding) OfSplit(config, split string) Finding {
	f.Config, f.Split = config, split
	return f
}

// Where writes the place as a person reads it: path:line:column and the pointer, as far as they are known.
func (p Place) Where() string {
	var b strings.Builder
	b.WriteString(p.Path)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
		if p.Column > 0 {
			fmt.Fprintf(&b, ":%d", p.Column)
		}
	}
	if p.Pointer != "" {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.Pointer)
	}
	return b.String()
}

// Tally counts findings by severity, folded ones by their count.
func Tally(found []Finding) (errors, warnings, notes int) {
	for _, f := range found {
		switch f.Severity {
		case Error:
			errors += f.Count
		case Warning:
			warnings += f.Count
		default:
			notes += f.Count
		}
	}
	return errors, warnings, notes
}
