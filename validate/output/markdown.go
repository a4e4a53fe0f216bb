package output

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
)

// writeMarkdown prints tables and findings as GitHub-flavoured Markdown, for a comment or a page.
func writeMarkdown(w io.Writer, r Result, o Options) error {
	var b bytes.Buffer
	for _, t := range r.Tables {
		if t.Title != "" {
			fmt.Fprintf(&b, "### %s\n\n", MarkdownText(t.Title))
		}
		MarkdownTable(&b, t)
		b.WriteByte('\n')
	}
	if len(r.Findings) > 0 {
		MarkdownTable(&b, findingsTable(r.Findings, o))
		b.WriteByte('\n')
	}
	if r.Omitted > 0 {
		fmt.Fprintf(&b, "%s\n\n", MarkdownText(notShown(r.Omitted)))
	}
	for _, line := range r.Lines {
		fmt.Fprintf(&b, "%s\n", MarkdownText(line))
	}
	_, err := w.Write(b.Bytes())
	return err
}

func findingsTable(findings []finding.Finding, o Options) Table {
	t := Table{Header: []string{"severity", "code", "place", "finding", "count"}, Numbers: []int{4}}
	for _, f := range findings {
		t.Rows = append(t.Rows, []string{string(f.Severity), string(f.Code), whereOf(&f, o), sentence(&f, ""), fmt.Sprint(f.Count)})
	}
	return t
}

// MarkdownTable writes a table of plain texts as Markdown: every row has as many cells as the header, and no text can
// break out of its cell. (tablewriter's Markdown renderer escapes no pipe and makes a row of every line break.)
func MarkdownTable(b *bytes.Buffer, t Table) {
	markdownRow(b, t.Header)
	for i := range t.Header {
		if slices.Contains(t.Numbers, i) {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		markdownRow(b, row)
	}
}

func markdownRow(b *bytes.Buffer, row []string) {
	for _, c := range row {
		fmt.Fprintf(b, "| %s ", MarkdownText(c))
	}
	b.WriteString("|\n")
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`)

// edgeUnderscore finds the underscores that Markdown could take for emphasis; inside a word it never does, so that
// field names stay as they are.
var edgeUnderscore = lazyregexp.New(`(^|[^\pL\pN_])_+|_+($|[^\pL\pN_])`)

// MarkdownText writes a plain text so that Markdown shows it as it is, on one line.
func MarkdownText(s string) string {
	s = markdownEscapes.Replace(OneLine(s))
	return edgeUnderscore.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, "_", `\_`) })
}
