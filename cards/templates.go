package cards

import (
	"bytes"
	"embed"
	"strings"
	"sync"
	"text/template"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

// functions are what templates can call. What templates are given is foreign text: every value goes through one of those that
// make it fit for Markdown.
var functions = template.FuncMap{
	"code":    code,
	"text":    plain,
	"inline":  inline,
	"link":    link,
	"count":   markdown.Count,
	"rows":    rowCount,
	"plural":  plural,
	"fence":   markdown.Fence,
	"bibtex":  isBibTeX,
	"model":   func(id string) string { return hubLink("", id) },
	"dataset": func(id string) string { return hubLink("datasets/", id) },
}

// templates hold the text of the cards. They are parsed when the first card is written.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.tmpl"))
})

var blankLines = lazyregexp.New(`\n{3,}`)

// execute fills in a template. The result has no blank lines at its ends, never two in a row, and ends in LF unless it
// is empty.
func execute(name string, data any) (string, error) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return tidy(b.String()), nil
}

// tidy takes blank lines off the ends of a text, and all but one where there are several in a row. What is not empty ends in LF.
func tidy(text string) string {
	text = strings.Trim(blankLines.ReplaceAllString(text, "\n\n"), "\n")
	if text == "" {
		return ""
	}
	return text + "\n"
}

// isBibTeX says that a citation is an entry of BibTeX.
func isBibTeX(citation string) bool { return strings.HasPrefix(citation, "@") }

// hubLink leads to a repo on the Hub; what is no id of one is shown as it is.
func hubLink(kind, id string) string {
	if !repoID.MatchString(id) {
		return code(id)
	}
	return "[" + markdown.Text(id) + "](https://huggingface.co/" + kind + id + ")"
}

var repoID = lazyregexp.New(`^[\w.-]+(/[\w.-]+)?$`)

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
