package frontmatter

import (
	"bytes"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// Edit changes one key at the top of a front matter.
type Edit struct {
	Key string
	// Lines are the new lines of the key in block style, from `key:` in the first column to the last line of its value.
	// Nil takes the key out.
	Lines []byte
}

// entry is a key at the top and the bytes of the YAML text that belong to it: from the start of its line to the end of
// the last line of its value, or of the comments below that are indented further than keys are. Blank lines and other
// comments below belong to nobody and stay.
type entry struct {
	key        string
	start, end int
}

// layout says how a YAML text is made up.
type layout struct {
	entries []entry
	// end is where a new key goes: the end of the text, or the line of dots that ends the document.
	end int
	// indent is the number of blanks before every key.
	indent int
	// aliases are pairs of entries: the first holds an alias to an anchor in the second.
	aliases [][2]int
}

// Apply makes the edits and returns the new README.md. An edit of a key that is there replaces its lines in place; of a key
// standing twice the second goes. A new key goes below the last one, in the order of the edits; of two edits of a key the
// last counts. Line ends are those of the block. A README.md without block gets one at the top, before any text but in
// the place of a byte order mark. Where [Block.Editable] gives an error nothing changes.
func (b Block) Apply(edits []Edit) []byte {
	lines := map[string][]byte{}
	var keys []string
	for _, e := range edits {
		if _, seen := lines[e.Key]; !seen {
			keys = append(keys, e.Key)
		}
		lines[e.Key] = e.Lines
	}
	if !b.found {
		return b.withNewBlock(keys, lines)
	}
	l, err := b.layout()
	if err != nil || l.shared(keys) != "" {
		return slices.Clone(b.readme)
	}
	text, eol := b.YAML(), b.lineEnd()
	out := slices.Clone(b.readme[:b.Start])
	at := 0
	for _, e := range l.entries {
		replacement, edited := lines[e.key]
		if !edited {
			continue
		}
		out = append(out, text[at:e.start]...)
		at = e.end
		if i := slices.Index(keys, e.key); i >= 0 {
			out = append(out, written(replacement, l.indent, eol)...)
			keys = slices.Delete(keys, i, i+1)
		}
		if len(replacement) == 0 {
			at = skipBlankLines(text, at, l.end)
		}
	}
	out = append(out, text[at:l.end]...)
	for _, key := range keys {
		out = append(out, written(lines[key], l.indent, eol)...)
	}
	out = append(out, text[l.end:]...)
	return append(out, b.readme[b.End:]...)
}

// Editable tells whether Apply can edit the keys. It cannot where the block is no YAML mapping with one key to a line, or
// where another key refers to an anchor inside one of the keys; the error says which and on what line.
func (b Block) Editable(keys ...string) error {
	if !b.found {
		return nil
	}
	l, err := b.layout()
	if err != nil {
		return err
	}
	if key := l.shared(keys); key != "" {
		return fmt.Errorf("the front matter cannot be edited: another key uses an anchor inside %q; write the value out there", key)
	}
	return nil
}

// shared gives the first of the keys that holds an anchor which another key refers to.
func (l layout) shared(keys []string) string {
	for _, pair := range l.aliases {
		if key := l.entries[pair[1]].key; slices.Contains(keys, key) {
			return key
		}
	}
	return ""
}

// withNewBlock puts a block with the new keys above the text.
func (b Block) withNewBlock(keys []string, lines map[string][]byte) []byte {
	eol := b.lineEnd()
	var yaml []byte
	for _, key := range keys {
		yaml = append(yaml, written(lines[key], 0, eol)...)
	}
	if len(yaml) == 0 {
		return slices.Clone(b.readme)
	}
	body := bytes.TrimPrefix(b.readme, []byte(mark))
	out := slices.Concat([]byte("---"+eol), yaml, []byte("---"+eol))
	if len(body) > 0 && body[0] != '\n' && body[0] != '\r' {
		out = append(out, eol...)
	}
	return append(out, body...)
}

// lineEnd is that of the first line of the block, or of README.md when it has no block.
func (b Block) lineEnd() string {
	if bytes.HasSuffix(b.readme[b.Open:endOfLine(b.readme, b.Open)], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// written gives lines the indentation and line ends of the block.
func written(lines []byte, indent int, eol string) []byte {
	var out []byte
	for line := range bytes.Lines(lines) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 {
			out = append(out, bytes.Repeat([]byte(" "), indent)...)
		}
		out = append(append(out, line...), eol...)
	}
	return out
}

func (b Block) layout() (layout, error) {
	text := b.YAML()
	doc, findings := strictyaml.Parse(strictyaml.Source{Text: text, FirstLine: b.FirstLine,
		Syntax: finding.CardFrontMatter})
	if doc == nil {
		return layout{}, fmt.Errorf("the front matter cannot be edited: line %d: %s", findings[0].Line, findings[0].Message)
	}
	l := layout{end: endOfDocument(text, 0, doc.Opaque)}
	if doc.Root == nil || strictyaml.IsNull(doc.Root) && doc.Root.Value == "" && doc.Root.Anchor == "" {
		return l, nil
	}
	if err := l.addKeys(doc, text); err != nil {
		return layout{}, err
	}
	for _, a := range doc.Aliases {
		from, to := l.at(doc.LineStart(a.Line)), l.at(doc.Offset(a.Target))
		if from != to {
			l.aliases = append(l.aliases, [2]int{from, to})
		}
	}
	return l, nil
}

// addKeys adds the entries of the root.
func (l *layout) addKeys(doc *strictyaml.Document, text []byte) error {
	root := doc.Root
	if root.Kind != yaml.MappingNode || root.Style&(yaml.FlowStyle|yaml.TaggedStyle) != 0 || root.Anchor != "" {
		return fmt.Errorf("the front matter cannot be edited: line %d: expected lines of `key: value`", root.Line)
	}
	for key := range strictyaml.Pairs(root) {
		start := doc.LineStart(key.Line)
		l.indent = doc.Offset(key) - start
		if key.Kind != yaml.ScalarNode || len(bytes.Trim(text[start:start+l.indent], " ")) > 0 {
			return fmt.Errorf("the front matter cannot be edited: line %d: expected a key at the start of the line",
				key.Line)
		}
		l.entries = append(l.entries, entry{key: key.Value, start: start})
	}
	if len(l.entries) > 0 {
		l.end = endOfDocument(text, l.entries[len(l.entries)-1].start, doc.Opaque)
	}
	for i := range l.entries {
		end := l.end
		if i+1 < len(l.entries) {
			end = l.entries[i+1].start
		}
		l.entries[i].end = l.endOfValue(text, l.entries[i].start, end, doc.Opaque)
	}
	return nil
}

// at is the index of the entry that holds a byte.
func (l layout) at(offset int) int {
	i, found := slices.BinarySearchFunc(l.entries, offset, func(e entry, at int) int { return e.start - at })
	if found {
		return i
	}
	return i - 1
}

// skipBlankLines steps over the blank lines below a key that is taken out: below a block of text they would belong to it.
func skipBlankLines(text []byte, at, end int) int {
	for at < end {
		next := endOfLine(text, at)
		if len(bytes.Trim(text[at:next], " \t\r\n")) > 0 {
			break
		}
		at = next
	}
	return at
}

// endOfValue cuts blank lines and comments off the lines of a key, but not off a text in quotes or a block.
func (l layout) endOfValue(text []byte, start, end int, opaque []strictyaml.Span) int {
	least := endOfLine(text, start)
	for _, s := range opaque {
		if s.Start >= start && s.Start < end {
			least = max(least, s.End)
		}
	}
	for end > least {
		line := bytes.LastIndexByte(text[:end-1], '\n') + 1
		content := bytes.TrimLeft(text[line:end], " \t\r\n")
		comment := len(content) > 0 && content[0] == '#' && end-line-len(content) <= l.indent
		if line < least || len(content) > 0 && !comment {
			break
		}
		end = line
	}
	return end
}

// endOfDocument is the start of the first line of dots behind from, outside texts in quotes and blocks; else the end.
func endOfDocument(text []byte, from int, opaque []strictyaml.Span) int {
	for line := from; line < len(text); line = endOfLine(text, line) {
		isDots := bytes.HasPrefix(text[line:],
			[]byte("...")) && (len(text) == line+3 || bytes.IndexByte([]byte(" \t\r\n"), text[line+3]) >= 0)
		if isDots && !slices.ContainsFunc(opaque, func(s strictyaml.Span) bool { return s.Start <= line && line < s.End }) {
			return line
		}
	}
	return len(text)
}
