// Package strictyaml reads one YAML document and says what is wrong with it, by line and column.
//
// It stands on yaml.v3 and is stricter: one document only; no key twice in a mapping; no merge keys, no tags beyond !!str,
// !!map and !!seq, no tabs where Python's reader stops at them; bounds on size, depth and what aliases expand to. Syntax
// errors get the place where the text stops being YAML, which yaml.v3 does not tell.
//
// [Parse] returns a [Document]: yaml.v3's nodes with physical lines and columns of the file, aliases already followed, and
// a way from a node to its byte in the text. The getters ([Lookup], [String], [Strings], …) read nodes by their type, and
// [Ambiguous] tells plain values that YAML 1.1 and YAML 1.2 readers take for different things.
package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/validate/finding"
)

const (
	// MaxBytes bounds the text of a document.
	MaxBytes = 4 << 20
	// MaxDepth bounds how deep mappings and lists nest, aliases followed.
	MaxDepth = 200
	// MaxExpansion bounds the nodes that aliases add to those that are written out.
	MaxExpansion = 100_000
)

// Source is a YAML document inside a file, with the codes under which its faults are reported.
type Source struct {
	// Path is the file as findings name it.
	Path string
	Text []byte
	// FirstLine is the line of the file on which Text starts, counted from 1; 0 means 1.
	FirstLine int
	// Syntax is the code of text that is not YAML or not in the strict form; DuplicateKey that of a key standing twice.
	Syntax, DuplicateKey finding.Code
}

// Document is a YAML document that could be read.
type Document struct {
	// Root is the document's only value, nil when there is none. Its nodes have lines and columns of the file, columns
	// counted in characters. It holds no alias nodes: the node an alias refers to stands in its place, so that a node may
	// occur more than once.
	Root *yaml.Node
	// Aliases are the aliases in the order of the text.
	Aliases []Alias
	// Opaque are the byte ranges of quoted and block scalars in the order of the text. Blanks, tabs and # signs in them
	// belong to a value.
	Opaque []Span

	text      []byte
	firstLine int
	// lines and offsets are where the lines and nodes start in text.
	lines   []int
	offsets map[*yaml.Node]int
}

// Alias is a place where an alias stood, and the node it refers to.
type Alias struct {
	Line, Column int
	Target       *yaml.Node
}

// Span is the range of bytes from Start up to, not including, End.
type Span struct{ Start, End int }

// Parse reads the one document of src. The document is nil when the text cannot be read at all; with other findings it is
// there, so that its reader can go on and report all faults in one go. Text without a value gives a document without root.
func Parse(src Source) (*Document, []finding.Finding) {
	p := &parser{src: src, text: bytes.TrimPrefix(src.Text, []byte("\ufeff"))}
	doc := p.parse()
	return doc, p.findings
}

// Offset is the index in the source's text of the first byte of a node that came from it.
func (d *Document) Offset(n *yaml.Node) int { return d.offsets[n] }

// LineStart is the index in the source's text at which a line of the file starts.
func (d *Document) LineStart(line int) int {
	return d.lines[min(max(line-d.firstLine, 0), len(d.lines)-1)]
}

// position gives the line and column of a byte of the source's text.
func (d *Document) position(at int) (line, column int) {
	i, found := slices.BinarySearch(d.lines, at)
	if !found {
		i--
	}
	return d.firstLine + i, 1 + utf8.RuneCount(d.text[d.lines[i]:at])
}

type parser struct {
	src      Source
	text     []byte
	findings []finding.Finding
	doc      *Document
	// scalars are the places of scalars in the order of the text, with their pointers.
	scalars []scalarPlace
	// sizes holds the number of nodes under an anchored node, aliases followed; -1 while it is being counted.
	sizes map[*yaml.Node]int
	// repeated counts the nodes that aliases add.
	repeated int
}

type scalarPlace struct {
	offset  int
	pointer string
}

func (p *parser) parse() *Document {
	bom := len(p.src.Text) - len(p.text)
	p.doc = &Document{text: p.src.Text, firstLine: max(p.src.FirstLine, 1), lines: lineStarts(p.src.Text),
		offsets: map[*yaml.Node]int{}}
	p.doc.lines[0] = bom
	if len(p.text) > MaxBytes {
		p.report(bom, "the YAML text is longer than %d MiB", MaxBytes>>20).Hint = "keep data out of it"
		return nil
	}
	if at, what := unreadable(p.text); what != "" {
		p.report(bom+at, "%s", what).Hint = "save the text as UTF-8 and take the character out"
		return nil
	}
	root, second, err := decode(bytes.NewReader(p.text))
	if err != nil {
		p.reportSyntax(err)
		return nil
	}
	if root == nil {
		return p.doc
	}
	p.place(root)
	if second != nil {
		p.place(second)
		p.at(second, "", "a second YAML document starts here").Hint = "keep one document and take out the line of three dashes"
	}
	p.doc.Root = root
	p.sizes = map[*yaml.Node]int{}
	p.expansion(root, 0)
	if p.doc.Root == nil {
		return nil
	}
	p.check(root, "")
	p.doc.Opaque = p.opaque(nil, root, -1)
	slices.SortFunc(p.doc.Opaque, func(a, b Span) int { return a.Start - b.Start })
	p.checkTabs()
	p.doc.Root = follow(root)
	return p.doc
}

// report adds a finding at a byte of the source's text.
func (p *parser) report(at int, format string, args ...any) *finding.Finding {
	line, column := p.doc.position(at)
	return p.add(p.src.Syntax, line, column, format, args...)
}

// at adds a finding at a node.
func (p *parser) at(n *yaml.Node, pointer, format string, args ...any) *finding.Finding {
	f := p.add(p.src.Syntax, n.Line, n.Column, format, args...)
	f.Pointer = pointer
	return f
}

func (p *parser) add(code finding.Code, line, column int, format string, args ...any) *finding.Finding {
	p.findings = append(p.findings, finding.New(code, format, args...).AtColumn(p.src.Path, line, column))
	return &p.findings[len(p.findings)-1]
}

// decode gives the roots of the first two documents, nil where there is none. yaml.v3 panics on some inputs; that is an error.
func decode(r io.Reader) (first, second *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			first, second, err = nil, nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	d := yaml.NewDecoder(r)
	if first, err = decodeNext(d); err != nil || first == nil {
		return nil, nil, err
	}
	if second, err = decodeNext(d); err != nil {
		return nil, nil, err
	}
	return first, second, nil
}

func decodeNext(d *yaml.Decoder) (*yaml.Node, error) {
	var doc yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	case len(doc.Content) == 0:
		return nil, nil
	}
	return doc.Content[0], nil
}

// unreadable finds the first byte that no YAML text may hold, and says what it is.
func unreadable(text []byte) (at int, what string) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return at, fmt.Sprintf("byte %#02x is not UTF-8", text[at])
		case r == '\ufeff':
			return at, "a byte order mark (U+FEFF) inside the text"
		case r < 0x20 && r != '\t' && r != '\n' && r != '\r', r >= 0x7f && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return at, fmt.Sprintf("control character %U, which YAML does not allow", r)
		}
		at += size
	}
	return 0, ""
}

// lineStarts gives the index of the first byte of every line. Lines end with LF, as everywhere in hfpub.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// yamlLineStarts does the same for what YAML 1.1, and so yaml.v3, takes for line ends: LF, CR LF, CR, U+0085, U+2028, U+2029.
func yamlLineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		switch r {
		case '\r':
			if at < len(text) && text[at] == '\n' {
				continue
			}
			starts = append(starts, at)
		case '\n', 0x85, 0x2028, 0x2029:
			starts = append(starts, at)
		}
	}
	return starts
}

// place turns the lines and columns of yaml.v3 into those of the file. yaml.v3 counts more line ends than LF, and puts what
// is missing at the end of a text without final line end onto the next line.
func (p *parser) place(root *yaml.Node) {
	starts := yamlLineStarts(p.text)
	bom := p.doc.lines[0]
	// at is the byte of a line and column; nodes come in the order of the text, so that few steps lead to the next.
	at, line, column := 0, 1, 1
	walk(root, func(n *yaml.Node) {
		if n.Line != line || n.Column < column {
			at, line, column = len(p.text), n.Line, n.Column
			if n.Line <= len(starts) {
				at, column = starts[n.Line-1], 1
			}
		}
		for ; column < n.Column; column++ {
			_, size := utf8.DecodeRune(p.text[at:])
			at += size
		}
		p.doc.offsets[n] = bom + at
	})
	p.relocate(root)
}

// relocate gives every node the line and column of its byte.
func (p *parser) relocate(root *yaml.Node) {
	at, line, column := p.doc.lines[0], p.doc.firstLine, 1
	walk(root, func(n *yaml.Node) {
		here := p.doc.offsets[n]
		if here < at {
			at = here
			line, column = p.doc.position(at)
		}
		for at < here {
			_, size := utf8.DecodeRune(p.doc.text[at:])
			column++
			if p.doc.text[at] == '\n' {
				line, column = line+1, 1
			}
			at += size
		}
		n.Line, n.Column = line, column
	})
}

func walk(n *yaml.Node, visit func(*yaml.Node)) {
	visit(n)
	for _, c := range n.Content {
		walk(c, visit)
	}
}
