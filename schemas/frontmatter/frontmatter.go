// Package frontmatter reads and edits the YAML block at the top of a README.md, the metadata of a Hub card.
//
// [Split] finds the block by its bytes. [Read] parses it and says what is wrong with it, by the lines and columns of
// README.md. [Block.Apply] replaces, adds or removes the lines of single keys and leaves every other byte as it is: order,
// comments, quoting, line ends and the text below.
package frontmatter

import (
	"bytes"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// Block is a README.md with the place of its YAML block. Lines end with LF or CR LF.
type Block struct {
	// Open is the index of the opening line of three dashes, Start and End bound the YAML text between the two lines,
	// Close is the index behind the closing line. All are 0 in a README.md without block.
	Open, Start, End, Close int
	// FirstLine is the line of README.md on which the YAML text starts, counted from 1.
	FirstLine int

	readme []byte
	found  bool
}

const (
	mark   = "\ufeff"
	blanks = " \t\f\v"
)

// Split finds the YAML block of a README.md: a line of three dashes before any other text, up to the next such line. It
// also finds a block that the Hub does not see because a byte order mark stands before it or blanks behind its first dashes,
// so that it can be edited; [Read] reports those. Without block it returns false, and a Block that can still be applied to.
func Split(readme []byte) (Block, bool) {
	b := Block{readme: readme}
	at, line, ok := b.opening()
	if !ok {
		return b, false
	}
	start := endOfLine(readme, at)
	for end := start; end < len(readme); end = endOfLine(readme, end) {
		if isDashes(readme[end:endOfLine(readme, end)]) {
			b.Open, b.Start, b.End, b.Close = at, start, end, endOfLine(readme, end)
			b.FirstLine, b.found = line+1, true
			return b, true
		}
	}
	return b, false
}

// opening finds the line of dashes that stands before any other text, with its number.
func (b Block) opening() (at, line int, ok bool) {
	if bytes.HasPrefix(b.readme, []byte(mark)) {
		at = len(mark)
	}
	for line = 1; at < len(b.readme); line++ {
		next := endOfLine(b.readme, at)
		text := bytes.Trim(b.readme[at:next], blanks+"\r\n")
		if string(text) == "---" && b.readme[next-1] == '\n' {
			return at, line, true
		}
		if len(text) > 0 {
			break
		}
		at = next
	}
	return 0, 0, false
}

// YAML is the text between the two lines of dashes, line ends as they are.
func (b Block) YAML() []byte { return b.readme[b.Start:b.End] }

// Body is the text of README.md below the block.
func (b Block) Body() []byte { return b.readme[b.Close:] }

// isDashes reports whether a line closes a block: three dashes, then at most blanks.
func isDashes(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }

// endOfLine is the index behind the line end at or behind at.
func endOfLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// Matter is the front matter of a README.md.
type Matter struct {
	Block Block
	// Node is the mapping of the YAML block, with lines and columns of README.md; nil when there is no block, or one that
	// cannot be read as a mapping.
	Node *yaml.Node
}

// Get finds a key at the top and its value, both nil when it is not there.
func (m *Matter) Get(key string) (k, v *yaml.Node) { return strictyaml.Lookup(m.Node, key) }

// String gives the text of a key at the top, false when it is not there or no text.
func (m *Matter) String(key string) (string, bool) {
	_, v := m.Get(key)
	return strictyaml.String(v)
}

// Strings gives the texts of a key at the top that is one text or a list of texts, false when it is neither.
func (m *Matter) Strings(key string) ([]string, bool) {
	_, v := m.Get(key)
	return strictyaml.Strings(v)
}

// Read reads the front matter of a README.md that findings name by path. A README.md without block has a Matter without
// Node and no finding. With findings of severity error the Node, where there is one, holds what could be read.
func Read(path string, readme []byte) (*Matter, []finding.Finding) {
	block, found := Split(readme)
	r := &reader{path: path, block: block}
	if !found {
		r.checkUnclosed()
		return &Matter{Block: block}, r.findings
	}
	r.checkDashes()
	return &Matter{Block: block, Node: r.mapping()}, r.findings
}

type reader struct {
	path     string
	block    Block
	findings []finding.Finding
}

func (r *reader) mapping() *yaml.Node {
	doc, findings := strictyaml.Parse(strictyaml.Source{
		Path: r.path, Text: r.block.YAML(), FirstLine: r.block.FirstLine,
		Syntax: finding.CardFrontMatter, DuplicateKey: finding.CardDuplicateKey,
	})
	r.findings = append(r.findings, findings...)
	if doc == nil {
		return nil
	}
	root := doc.Root
	if root == nil || strictyaml.IsNull(root) {
		r.report(finding.Warning, r.block.FirstLine, 1, "write at least a license between the two lines of dashes",
			"the front matter is empty")
		return nil
	}
	if root.Kind != yaml.MappingNode {
		r.report(finding.Error, root.Line, root.Column, "write lines of `key: value`, such as `license: mit`",
			"the front matter is %s, expected a mapping", strictyaml.Describe(root))
		return nil
	}
	return root
}

// checkUnclosed reports an opening line of dashes that no other line closes.
func (r *reader) checkUnclosed() {
	if _, line, ok := r.block.opening(); ok {
		r.report(finding.Error, line, 1, "write a line of three dashes below the last key",
			"the front matter is not closed: the Hub sees no metadata")
	}
}

// checkDashes reports what keeps the Hub, or the datasets library, from seeing the block. The Hub wants the three dashes
// right before a line end and allows blank lines above; the library wants the first line to be three dashes, and the
// closing line too.
func (r *reader) checkDashes() {
	readme, b := r.block.readme, r.block
	opening, closing := readme[b.Open:b.Start], readme[b.End:b.Close]
	line := b.FirstLine - 1
	if bytes.HasPrefix(readme, []byte(mark)) {
		r.report(finding.Error, 1, 1, "save README.md as UTF-8 without byte order mark",
			"a byte order mark stands before the front matter: the Hub sees no metadata")
	}
	dashes := bytes.Index(opening, []byte("---"))
	if after := dashes + len("---"); opening[after] != '\n' && opening[after] != '\r' {
		r.report(finding.Error, line, after+1, "end the line right after the three dashes",
			"blanks follow the opening dashes: the Hub sees no metadata")
	}
	if line > 1 || dashes > 0 {
		r.report(finding.Warning, line, dashes+1, "make three dashes the very first line of README.md",
			"blanks stand before the opening dashes: only some readers see the metadata")
	}
	if bytes.ContainsAny(closing, " \t") {
		last := b.FirstLine + bytes.Count(b.YAML(), []byte("\n"))
		r.report(finding.Warning, last, len("---")+1, "end the line right after the three dashes",
			"blanks follow the closing dashes: only some readers see the metadata")
	}
}

func (r *reader) report(severity finding.Severity, line, column int, hint, format string, args ...any) {
	f := finding.New(finding.CardFrontMatter, format, args...).AtColumn(r.path, line, column).As(severity)
	f.Hint = hint
	r.findings = append(r.findings, f)
}
