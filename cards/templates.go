package cards

import (
	"bytes"
	"embed"
	"regexp"
	"strings"
	"text/template"

	"github.com/hfpub/hfpub/cards/markdown"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

// templates hold the text of the cards. What they are given is foreign text: every value goes through one of the
// functions that make it fit for Markdown.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"code":   code,
	"text":   plain,
	"inline": inline,
	"link":   link,
	"count":  markdown.Count,
	"rows":   rowCount,
	"plural": plural,
}).ParseFS(templateFiles, "templates/*.tmpl"))

var blankLines = regexp.MustCompile(`\n{3,}`)

// execute fills in a template. The result has no blank lines at its ends, never two in a row, and ends in LF unless it
// is empty.
func execute(name string, data any) (string, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	text := strings.Trim(blankLines.ReplaceAllString(b.String(), "\n\n"), "\n")
	if text == "" {
		return "", nil
	}
	return text + "\n", nil
}

func rowCount(n *int64) string {
	if n == nil {
		return ""
	}
	return markdown.Count(*n)
}

func plural(n int64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// link shows a path or an address and leads to it.
func link(target string) string {
	to := target
	if strings.ContainsAny(target, " ()<>\\") {
		to = "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C").Replace(target) + ">"
	}
	return "[" + markdown.Text(target) + "](" + to + ")"
}

// code, plain and inline make foreign text fit for a cell: verbatim, without Markdown of its own, and with it.
func code(s string) string { return markdown.Cell(markdown.Code(s)) }

func plain(s string) string { return markdown.Cell(markdown.Text(s)) }

func inline(s string) string { return markdown.Cell(markdown.Inline(s)) }
