package strictyaml

import (
	"bytes"
	"sort"

	"gopkg.in/yaml.v3"
)

// opaque collects the ranges of quoted and block scalars under n. indent is that of the collection n stands in, -1 for the
// root.
func (p *parser) opaque(spans []Span, n *yaml.Node, indent int) []Span {
	switch n.Kind {
	case yaml.ScalarNode:
		if span, ok := p.scalarSpan(n, indent); ok {
			spans = append(spans, span)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			inside := p.indentation(n, n.Content[i], '?')
			spans = p.opaque(spans, n.Content[i], inside)
			spans = p.opaque(spans, n.Content[i+1], inside)
		}
	case yaml.SequenceNode:
		for _, c := range n.Content {
			spans = p.opaque(spans, c, p.indentation(n, c, '-'))
		}
	}
	return spans
}

// indentation is the column, from 0, at which the entries of a block collection start: that of the mark before the entry,
// else that of a mapping's key, else that of the collection. In brackets and braces there is none.
func (p *parser) indentation(collection, entry *yaml.Node, mark byte) int {
	if collection.Style&yaml.FlowStyle != 0 {
		return -1
	}
	text := p.doc.text
	at := p.doc.Offset(entry)
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	before := bytes.TrimRight(text[start:at], " \t")
	if len(before) > 0 && before[len(before)-1] == mark {
		return entry.Column - 1 - (at - start - (len(before) - 1))
	}
	if collection.Kind == yaml.MappingNode {
		return entry.Column - 1
	}
	return collection.Column - 1
}

func (p *parser) scalarSpan(n *yaml.Node, indent int) (Span, bool) {
	text := p.doc.text
	at := skipProperties(text, p.doc.Offset(n))
	if at >= len(text) {
		return Span{}, false
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0 && text[at] == '"':
		return Span{at, endOfDoubleQuoted(text, at)}, true
	case n.Style&yaml.SingleQuotedStyle != 0 && text[at] == '\'':
		return Span{at, endOfSingleQuoted(text, at)}, true
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return blockSpan(text, at, indent), true
	}
	return Span{}, false
}

// skipProperties steps over the anchor and tag before a scalar, and what may stand between them and it.
func skipProperties(text []byte, at int) int {
	for at < len(text) && (text[at] == '&' || text[at] == '!') {
		at += tokenLength(text[at:])
		at = skipBlanks(text, at)
	}
	return at
}

func tokenLength(text []byte) int {
	if i := bytes.IndexAny(text, " \t\r\n"); i >= 0 {
		return i
	}
	return len(text)
}

// skipBlanks steps over blanks, line ends and comments.
func skipBlanks(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '#':
			at = endOfLine(text, at)
		default:
			return at
		}
	}
	return at
}

func endOfDoubleQuoted(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func endOfSingleQuoted(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '\'' {
			i++
			continue
		}
		return i + 1
	}
	return len(text)
}

// blockSpan is the range of lines below the | or > at text[at]. A scalar that indents its lines by itself takes those that
// are blank or indented as far as its first line; trailing blank lines are left out.
func blockSpan(text []byte, at, indent int) Span {
	header := text[at:endOfLine(text, at)]
	start := endOfLine(text, at)
	content := -1
	if i := bytes.IndexAny(header[1:min(len(header), 3)], "123456789"); i >= 0 {
		content = max(indent, 0) + int(header[1+i]-'0')
	}
	end := start
	for line := start; line < len(text); line = endOfLine(text, line) {
		next := endOfLine(text, line)
		blanks := leadingBlanks(text[line:next])
		if isBlankLine(text[line:next]) {
			continue
		}
		if content < 0 {
			content = max(blanks, indent+1)
		}
		if blanks < content || indent < 0 && content == 0 && isMarker(text[line:next]) {
			break
		}
		end = next
	}
	return Span{start, end}
}

// isMarker reports whether a line starts or ends a document.
func isMarker(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0)
}

func leadingBlanks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

func isBlankLine(line []byte) bool { return len(bytes.Trim(line, " \r\n")) == 0 }

// endOfLine is the index after the line end at or behind at.
func endOfLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// checkTabs reports the first tab of every line that stands outside values and comments. yaml.v3 skips such tabs; Python's
// reader stops at them.
func (p *parser) checkTabs() {
	text := p.doc.text
	spans := p.doc.Opaque
	for at := 0; at < len(text); {
		if len(spans) > 0 && at >= spans[0].Start {
			at = max(at, spans[0].End)
			spans = spans[1:]
			continue
		}
		switch {
		case text[at] == '#' && (at == 0 || bytes.IndexByte([]byte(" \t\r\n"), text[at-1]) >= 0):
			at = endOfLine(text, at)
		case text[at] == '\t':
			p.reportTab(at)
			at = endOfLine(text, at)
		default:
			at++
		}
	}
}

func (p *parser) reportTab(at int) {
	f := p.report(at, "a tab stands outside quotes: Python's YAML reader stops at it")
	f.Hint = "replace the tab with blanks, or take it out at the end of the line"
	before := sort.Search(len(p.scalars), func(i int) bool { return p.scalars[i].offset > at })
	if before > 0 {
		f.Pointer = p.scalars[before-1].pointer
	}
}
