package cards

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/hfpub/hfpub/cards/marked"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
)

// Template is a template that people wrote for what a card says of the data. It has the functions and the data of hfpub's own,
// which it can use by their names: {{template "structure.md.tmpl" .}}.
type Template struct {
	path string
	set  *template.Template
}

// maxRendered bounds the bytes that a template may write: the Hub takes no README.md of more than 10 MiB.
const maxRendered = 8 << 20

// ParseTemplate reads a template; path is its name in findings. The error is a *Refusal.
func ParseTemplate(path string, text []byte) (*Template, error) {
	set, err := templates().Clone()
	if err != nil {
		return nil, err
	}
	set, err = set.New(path).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, templateFault(path, err)
	}
	return &Template{path, set}, nil
}

// render fills in the template.
func (t *Template) render(p *page) (string, error) {
	out := &boundedText{}
	if err := t.set.Execute(out, p); err != nil {
		return "", templateFault(t.path, err)
	}
	text := tidy(unix(out.text.String()))
	if marked.HasMarker(text) {
		f := finding.New(finding.CardTemplate, "the template writes a line that is a marker of hfpub").At(t.path, 0)
		return "", refuse(f.Hinting("take the line out of the template"))
	}
	return text, nil
}

// boundedText is a text that cannot grow beyond all measure.
type boundedText struct{ text strings.Builder }

var errRendered = errors.New("it writes more than 8 MiB")

// Write implements [io.Writer].
func (b *boundedText) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxRendered {
		return 0, errRendered
	}
	return b.text.Write(p)
}

// templatePlace is how package text/template begins its errors: the name, the line and, where it runs, the column.
var templatePlace = lazyregexp.New(`^template: (.+?):(\d+)(?::(\d+))?: (?s:(.*))$`)

// templateFault makes a refusal of what package text/template says.
func templateFault(path string, err error) error {
	message, line, column := err.Error(), 0, 0
	if m := templatePlace.FindStringSubmatch(message); m != nil && m[1] == path {
		line, _ = strconv.Atoi(m[2])
		column, _ = strconv.Atoi(m[3])
		message = strings.TrimPrefix(m[4], fmt.Sprintf("executing %q at ", path))
	}
	f := finding.New(finding.CardTemplate, "the template cannot be used: %s", message).AtColumn(path, line, column)
	return refuse(f.Hinting("hfpub's guide to card templates lists the data and the functions that there are"))
}
