package cards

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/card"
	"github.com/hfpub/hfpub/validate/finding"
)

// replacement is new text for the bytes from start to end.
type replacement struct {
	start, end int
	text       string
}

// repaired is README.md without two faults that readers of YAML 1.1 stumble over and those of YAML 1.2 do not see: bare
// words such as `no` where the Hub wants a text get quotes, and tabs beside values go. What the front matter means to a
// reader of YAML 1.2 does not change; where it would, nothing does.
func repaired(readme []byte) []byte {
	block, _ := frontmatter.Split(readme)
	yamlText := block.YAML()
	doc := parseYAML(yamlText)
	if doc == nil || doc.Root == nil {
		return readme
	}
	repairs := append(tabRepairs(yamlText, doc.Opaque), quoteRepairs(yamlText, doc)...)
	if len(repairs) == 0 {
		return readme
	}
	slices.SortFunc(repairs, func(a, b replacement) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, r := range repairs {
		out = append(append(out, yamlText[at:r.start]...), r.text...)
		at = r.end
	}
	out = append(out, yamlText[at:]...)
	if again := parseYAML(out); again == nil || !yamlout.Same(again.Root, doc.Root) {
		return readme
	}
	return slices.Concat(readme[:block.Start], out, readme[block.End:])
}

func parseYAML(text []byte) *strictyaml.Document {
	doc, _ := strictyaml.Parse(strictyaml.Source{
		Text: text, Syntax: finding.CardFrontMatter, DuplicateKey: finding.CardDuplicateKey,
	})
	return doc
}

// quoteRepairs puts quotes around texts that stand bare where a YAML 1.1 reader takes them for something else.
func quoteRepairs(text []byte, doc *strictyaml.Document) []replacement {
	var out []replacement
	quote := func(n *yaml.Node) {
		if n == nil || !strictyaml.Ambiguous(n) {
			return
		}
		at := doc.Offset(n)
		if at+len(n.Value) <= len(text) && string(text[at:at+len(n.Value)]) == n.Value {
			out = append(out, replacement{at, at + len(n.Value), yamlout.Text(n.Value)})
		}
	}
	all := func(n *yaml.Node) {
		quote(n)
		for _, item := range strictyaml.Items(n) {
			quote(item)
		}
	}
	for k, v := range strictyaml.Pairs(doc.Root) {
		if card.HoldsText(k.Value) {
			all(v)
		}
		if k.Value != "configs" {
			continue
		}
		for _, config := range strictyaml.Items(v) {
			quote(value(config, "config_name"))
			files := value(config, "data_files")
			all(files)
			for _, item := range strictyaml.Items(files) {
				quote(value(item, "split"))
				all(value(item, "path"))
			}
		}
	}
	return unique(out)
}

// unique drops the second of two repairs of one place, as an alias makes them.
func unique(repairs []replacement) []replacement {
	slices.SortFunc(repairs, func(a, b replacement) int { return a.start - b.start })
	return slices.Compact(repairs)
}

// tabRepairs takes out the blanks at the end of a line that has a tab among them, and makes blanks of tabs behind a colon
// and before a comment.
func tabRepairs(text []byte, opaque []strictyaml.Span) []replacement {
	var out []replacement
	for at := 0; at < len(text); at++ {
		for len(opaque) > 0 && opaque[0].End <= at {
			opaque = opaque[1:]
		}
		switch {
		case len(opaque) > 0 && opaque[0].Start <= at:
			at = opaque[0].End - 1
			continue
		case isComment(text, at):
			at = endOfLine(text, at) - 1
			continue
		case text[at] != '\t':
			continue
		}
		start, end := at, at
		for start > 0 && isBlank(text[start-1]) {
			start--
		}
		for end < len(text) && isBlank(text[end]) {
			end++
		}
		switch {
		case end == len(text) || text[end] == '\n' || text[end] == '\r':
			out = append(out, replacement{start, end, ""})
		case text[end] == '#' || start > 0 && text[start-1] == ':':
			out = append(out, replacement{start, end, string(bytes.Repeat([]byte(" "), end-start))})
		}
		at = end - 1
	}
	return out
}

// endOfLine is the index of the line feed at or behind at, or of the end of the text.
func endOfLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isComment tells whether a comment begins at a byte.
func isComment(text []byte, at int) bool {
	return text[at] == '#' && (at == 0 || bytes.IndexByte([]byte(" \t\r\n"), text[at-1]) >= 0)
}
