package output

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/hfpub/hfpub/validate/finding"
)

// ANSI colours of the severities.
var colors = map[finding.Severity]string{finding.Error: "\x1b[31m", finding.Warning: "\x1b[33m", finding.Note: "\x1b[36m"}

const (
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

// shownPlaces is how many places of a folded finding the table form lists; the JSON form lists all that were kept.
const shownPlaces = 5

// writeTable prints the tables, then the findings, worst first, a hint once for all of a kind that share it, then one line of totals and the command's lines.
func writeTable(w io.Writer, r Result, o Options) error {
	var b bytes.Buffer
	if !o.Quiet {
		for _, t := range r.Tables {
			if err := textTable(&b, t, o); err != nil {
				return err
			}
			b.WriteByte('\n')
		}
	}
	for i := range r.Findings {
		writeFinding(&b, &r.Findings[i], o)
		if hint := r.Findings[i].Hint; hint != "" && !goesOn(r.Findings[i:]) {
			fmt.Fprintf(&b, "        → %s\n", OneLine(hint))
		}
	}
	if r.Omitted > 0 {
		b.WriteString(notShown(r.Omitted) + "\n")
	}
	if len(r.Findings) > 0 && !o.Quiet {
		b.WriteByte('\n')
	}
	if !o.Quiet {
		for _, line := range r.Lines {
			b.WriteString(OneLine(line))
			b.WriteByte('\n')
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// notShown says how many findings were left out of the list.
func notShown(n int) string {
	return Plural(n, "more finding") + " not shown: use --max-findings 0 to see all"
}

// textTable draws one table. tablewriter changes headers to upper case and wraps cells unless it is told not to:
// names of fields, splits and files must stand as they are.
func textTable(w io.Writer, t Table, o Options) error {
	if t.Title != "" {
		fmt.Fprintln(w, paint(o, bold, OneLine(t.Title)))
	}
	align := make([]tw.Align, len(t.Header))
	for i := range align {
		align[i] = tw.AlignLeft
		if slices.Contains(t.Numbers, i) {
			align[i] = tw.AlignRight
		}
	}
	var drawn bytes.Buffer
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleLight)}),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithRowAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithAlignment(align),
	)
	table.Header(cells(t.Header))
	for _, row := range t.Rows {
		if err := table.Append(cells(row)); err != nil {
			return fmt.Errorf("write a table: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("write a table: %w", err)
	}
	frame, _, _ := bytes.Cut(drawn.Bytes(), []byte{'\n'})
	if o.Width > 0 && utf8.RuneCount(frame) > o.Width {
		rowByRow(w, t)
		return nil
	}
	_, err := w.Write(drawn.Bytes())
	return err
}

// rowByRow writes a table that is too wide: each cell on a line behind the name of its column, and a blank line between two rows.
func rowByRow(w io.Writer, t Table) {
	names := cells(t.Header)
	widest := 0
	for _, name := range names {
		widest = max(widest, utf8.RuneCountInString(name))
	}
	for i, row := range t.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		for j, cell := range cells(row) {
			if cell != "" && j < len(names) {
				fmt.Fprintf(w, "%-*s  %s\n", widest, names[j], cell)
			}
		}
	}
}

func cells(row []string) []string {
	out := make([]string, len(row))
	for i, c := range row {
		out[i] = OneLine(c)
	}
	return out
}

// goesOn says that the second of some findings is of the kind of the first, with the same hint: it stands once, behind the last of them.
func goesOn(list []finding.Finding) bool {
	return len(list) > 1 && list[1].Code == list[0].Code && list[1].Severity == list[0].Severity && list[1].Hint == list[0].Hint
}

func writeFinding(b *bytes.Buffer, f *finding.Finding, o Options) {
	fmt.Fprintf(b, "%s %s", paint(o, colors[f.Severity], fmt.Sprintf("%-7s", f.Severity)), paint(o, bold, string(f.Code)))
	if where := whereOf(f, o); where != "" {
		fmt.Fprintf(b, "  %s", OneLine(where))
	}
	fmt.Fprintf(b, "\n        %s\n", OneLine(f.Message))
	if f.Count > 1 {
		fmt.Fprintf(b, "        %d times: %s\n", f.Count, OneLine(places(f)))
	}
}

// whereOf is the finding's place, or the repo, config and split it is about when it has no file.
func whereOf(f *finding.Finding, o Options) string {
	if f.Path == "" {
		return strings.Join(slices.DeleteFunc([]string{f.Repo, f.Config, f.Split}, func(s string) bool { return s == "" }), " ")
	}
	p := f.Place
	p.Path = o.locate(f, p.Path)
	return p.Where()
}

// places lists the first places of a folded finding, shortly.
func places(f *finding.Finding) string {
	var parts []string
	all := placesOf(f)
	for _, p := range all[:min(len(all), shownPlaces)] {
		switch {
		case p.Path == f.Path && p.Line > 0:
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("line %d %s", p.Line, p.Pointer)))
		default:
			parts = append(parts, p.Where())
		}
	}
	text := strings.Join(parts, ", ")
	if f.Count > len(parts) {
		text += ", …"
	}
	return text
}

func paint(o Options, color, text string) string {
	if !o.Color || color == "" {
		return text
	}
	return color + text + reset
}

// OneLine makes a text safe for a terminal or log and keeps it on one line: data, file names and servers can hold anything.
// Control characters, and those that change the direction of what follows, are replaced.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0:
			return '�'
		case r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
			return '�'
		}
		return r
	}, s)
}
