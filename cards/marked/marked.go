// Package marked keeps the parts of a Markdown file that hfpub owns apart from what people wrote.
//
// A part stands between two lines of its own, which readers of the page do not see:
//
//	<!-- hfpub:begin data -->
//	…
//	<!-- hfpub:end data -->
//
// [Parse] finds the blocks of a text; [Text.Replace] and [Text.Append] change one block and no byte outside of it. Blocks
// whose name nobody asks for stay as they are.
package marked

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Text is a Markdown text with its blocks.
type Text struct {
	raw    string
	eol    string
	blocks []block
}

// block is where a block stands: its marker lines are raw[begin:inside] and raw[after:end].
type block struct {
	name                      string
	begin, inside, after, end int
}

// Fault is a marker without its partner, or one that stands where it must not.
type Fault struct {
	// Line is the line of the marker, from 1; First is that of a block before it which has the same name, else 0.
	Line, First int
	Message     string
}

// Error says what is wrong and on which line.
func (f *Fault) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Below(0)) }

// Below says what is wrong in a text that so many lines stand above.
func (f *Fault) Below(lines int) string {
	if f.First == 0 {
		return f.Message
	}
	return fmt.Sprintf("%s; the first is on line %d", f.Message, lines+f.First)
}

var (
	marker = lazyregexp.New(`^[ \t]*<!--[ \t]*hfpub:(begin|end)[ \t]+([^\s<>]+)[ \t]*-->[ \t]*$`)
	almost = lazyregexp.New(`(?i)^[ \t]*<!--[ \t]*/?[ \t]*hfpub[ \t]*:[ \t]*(?:begin|end)\b`)
)

// Parse finds the blocks of a text. The error is a *Fault for a marker that cannot be read, has no partner, or stands
// inside another block, and for a name that has two blocks. Lines of a new block end like the text's first line, or as
// eol says where the text has none.
func Parse(text []byte, eol string) (*Text, error) {
	t := &Text{raw: string(text), eol: lineEnd(text, eol)}
	var open *block
	seen := map[string]int{}
	at, line := 0, 0
	for raw := range strings.Lines(t.raw) {
		begin, end := at, at+len(raw)
		at, line = end, line+1
		if !strings.Contains(raw, "<!--") {
			continue
		}
		raw = strings.TrimRight(raw, "\r\n")
		m := marker.FindStringSubmatch(raw)
		switch {
		case m == nil && almost.MatchString(raw):
			return nil, &Fault{Line: line, Message: fmt.Sprintf("%s is not a marker of hfpub", strings.TrimSpace(raw))}
		case m == nil:
		case m[1] == "begin" && open != nil:
			return nil, &Fault{Line: line, Message: fmt.Sprintf("the block %q begins inside the block %q", m[2], open.name)}
		case m[1] == "begin" && seen[m[2]] > 0:
			return nil, &Fault{Line: line, First: seen[m[2]], Message: fmt.Sprintf("the block %q begins a second time", m[2])}
		case m[1] == "begin":
			seen[m[2]] = line
			open = &block{name: m[2], begin: begin, inside: end}
		case open == nil:
			return nil, &Fault{Line: line, Message: fmt.Sprintf("the block %q ends without a beginning", m[2])}
		case open.name != m[2]:
			return nil, &Fault{Line: line, Message: fmt.Sprintf("the block %q ends inside the block %q", m[2], open.name)}
		default:
			open.after, open.end = begin, end
			t.blocks = append(t.blocks, *open)
			open = nil
		}
	}
	if open != nil {
		return nil, &Fault{Line: seen[open.name], Message: fmt.Sprintf("the block %q has no end", open.name)}
	}
	return t, nil
}

// HasMarker tells whether a text to be put into a block holds a line that would be taken for a marker.
func HasMarker(text string) bool {
	for line := range strings.Lines(text) {
		if almost.MatchString(line) {
			return true
		}
	}
	return false
}

func lineEnd(text []byte, other string) string {
	at := bytes.IndexByte(text, '\n')
	switch {
	case at < 0:
		return other
	case at > 0 && text[at-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// Names lists the blocks in their order.
func (t *Text) Names() []string {
	var names []string
	for _, b := range t.blocks {
		names = append(names, b.name)
	}
	return names
}

// Replace puts content, lines that end in LF, into the block of that name and reports whether there is one. A block that
// holds the content already, whatever its line ends, keeps its bytes.
func (t *Text) Replace(name, content string) bool {
	for i, b := range t.blocks {
		if b.name != name {
			continue
		}
		if unix(t.raw[b.inside:b.after]) != content {
			t.splice(i, b.inside, b.after, t.lines(content))
		}
		return true
	}
	return false
}

// Append adds a block at the end of the text, set apart by a blank line.
func (t *Text) Append(name, content string) {
	gap := t.eol + t.eol
	switch {
	case t.raw == "" || strings.HasSuffix(unix(t.raw), "\n\n"):
		gap = ""
	case strings.HasSuffix(t.raw, "\n"):
		gap = t.eol
	}
	b := block{name: name, begin: len(t.raw) + len(gap)}
	b.inside = b.begin + len(beginLine(name)) + len(t.eol)
	content = t.lines(content)
	b.after = b.inside + len(content)
	t.raw += gap + beginLine(name) + t.eol + content + endLine(name) + t.eol
	b.end = len(t.raw)
	t.blocks = append(t.blocks, b)
}

// Remove takes a block and its markers out, with one of the blank lines around it.
func (t *Text) Remove(name string) {
	for i, b := range t.blocks {
		if b.name != name {
			continue
		}
		begin, end := b.begin, b.end
		if rest := strings.TrimLeft(t.raw[end:], "\r"); strings.HasPrefix(rest, "\n") {
			end = len(t.raw) - len(rest) + 1
		} else if rest == "" {
			begin = blankLineBefore(t.raw[:begin])
		}
		t.splice(i, begin, end, "")
		t.blocks = append(t.blocks[:i], t.blocks[i+1:]...)
		return
	}
}

// blankLineBefore is the length of s without the blank line it ends in.
func blankLineBefore(s string) int {
	cut := strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	if strings.HasSuffix(cut, "\n") {
		return len(cut)
	}
	return len(s)
}

// splice replaces raw[begin:end], which belongs to block i, and moves the blocks after it.
func (t *Text) splice(i, begin, end int, with string) {
	t.raw = t.raw[:begin] + with + t.raw[end:]
	by := len(with) - (end - begin)
	t.blocks[i].after += by
	t.blocks[i].end += by
	for j := i + 1; j < len(t.blocks); j++ {
		b := &t.blocks[j]
		b.begin, b.inside, b.after, b.end = b.begin+by, b.inside+by, b.after+by, b.end+by
	}
}

// Bytes is the text as it stands now.
func (t *Text) Bytes() []byte { return []byte(t.raw) }

// Block writes a block as it stands in a new text whose lines end in LF.
func Block(name, content string) string {
	return beginLine(name) + "\n" + content + endLine(name) + "\n"
}

func beginLine(name string) string { return "<!-- hfpub:begin " + name + " -->" }

func endLine(name string) string { return "<!-- hfpub:end " + name + " -->" }

func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func (t *Text) lines(content string) string { return strings.ReplaceAll(content, "\n", t.eol) }

// Covers says that a byte of the text stands in a block.
func (t *Text) Covers(at int) bool {
	for _, b := range t.blocks {
		if b.begin <= at && at < b.end {
			return true
		}
	}
	return false
}
