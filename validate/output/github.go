package output

import (
	"fmt"
	"io"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// The escapes of GitHub's workflow commands, for messages and for property values, both on one line already.
var (
	githubMessage  = strings.NewReplacer("%", "%25")
	githubProperty = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

// writeGitHub prints one workflow command for each place, so that GitHub shows it beside the line. GitHub shows
// errors, warnings and notices; the command's lines stand below them in the log, as any other text.
func writeGitHub(w io.Writer, r Result, o Options) error {
	for _, f := range r.Findings {
		for _, p := range placesOf(&f) {
			if _, err := fmt.Fprintln(w, githubCommand(&f, p, o)); err != nil {
				return err
			}
		}
	}
	lines := r.Lines
	if r.Omitted > 0 {
		lines = append([]string{notShown(r.Omitted)}, lines...)
	}
	for _, line := range lines {
		// A text that begins with two colons would be a command.
		if _, err := fmt.Fprintln(w, strings.TrimLeft(OneLine(line), ": ")); err != nil {
			return err
		}
	}
	return nil
}

func githubCommand(f *finding.Finding, p finding.Place, o Options) string {
	var b strings.Builder
	switch f.Severity {
	case finding.Error:
		b.WriteString("::error ")
	case finding.Warning:
		b.WriteString("::warning ")
	default:
		b.WriteString("::notice ")
	}
	if p.Path != "" {
		fmt.Fprintf(&b, "file=%s,", githubProperty.Replace(OneLine(o.locate(f, p.Path))))
		if p.Line > 0 {
			fmt.Fprintf(&b, "line=%d,", p.Line)
		}
		if p.Column > 0 {
			fmt.Fprintf(&b, "col=%d,", p.Column)
		}
	}
	fmt.Fprintf(&b, "title=%s::%s", githubProperty.Replace(string(f.Code)), githubMessage.Replace(OneLine(sentence(f, p.Pointer))))
	return b.String()
}

// placesOf returns every known place of a finding, at least its own.
func placesOf(f *finding.Finding) []finding.Place {
	if len(f.Places) > 0 {
		return f.Places
	}
	return []finding.Place{f.Place}
}

// sentence is the message with its pointer and hint, on one line.
func sentence(f *finding.Finding, pointer string) string {
	text := f.Message
	if pointer != "" {
		text = pointer + ": " + text
	}
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	return text
}
