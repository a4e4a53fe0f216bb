package license

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// sentence is a piece of a card's hand-written text: a sentence, a list item, a cell of a table.
type sentence struct {
	text string
	// lines holds the line of README.md of every byte of the text.
	lines []int
	// section are the headings above it, from the outermost, without the card's title.
	section []string
}

var (
	fence   = lazyregexp.New("^ {0,3}(```+|~~~+)")
	heading = lazyregexp.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*$`)
	item    = lazyregexp.New(`^[ \t]*(?:[-*+]|\d+[.)])[ \t]+`)
	rule    = lazyregexp.New(`^[ \t]*(?:[-*_=][ \t]*){3,}$`)
	comment = lazyregexp.New(`(?s)<!--.*?(?:-->|$)`)
	block   = lazyregexp.New(`(?sm)^[ \t]*<!--[ \t]*hfpub:begin\b.*?(?:^[ \t]*<!--[ \t]*hfpub:end\b[^\n]*|\z)`)
	// sentenceEnd is the end of a sentence and the space behind it, when a new sentence follows.
	sentenceEnd = lazyregexp.New("[.!?][\"')\\]*_`]*\\s+[A-Z\\[\"(*_`<]")
)

// prose cuts Markdown into sentences, and finds its title. Code, comments, quotations and the blocks that hfpub writes
// are left out.
func prose(markdown string, firstLine int) (title string, sentences []sentence) {
	p := proseReader{line: firstLine}
	markdown = blank(blank(markdown, block), comment)
	for raw := range strings.Lines(markdown) {
		p.read(strings.TrimRight(raw, "\r\n"))
		p.line++
	}
	p.flush()
	return p.title, p.sentences
}

// blank replaces what an expression matches by blanks; line breaks stay.
func blank(text string, form *lazyregexp.Regexp) string {
	return form.ReplaceAllStringFunc(text, func(found string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, found)
	})
}

type proseReader struct {
	line int
	// title is the text of the first heading of the first level, which is the card's title and no section.
	title     string
	section   []string
	levels    []int
	fence     string
	text      strings.Builder
	lines     []int
	wasBlank  bool
	sentences []sentence
}

func (p *proseReader) read(line string) {
	if p.fence != "" {
		if strings.HasPrefix(strings.TrimLeft(line, " "), p.fence) {
			p.fence = ""
		}
		return
	}
	trimmed := strings.TrimSpace(line)
	indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
	switch {
	case trimmed == "":
		p.flush()
	case fence.MatchString(line):
		p.flush()
		p.fence = fence.FindStringSubmatch(line)[1]
	case heading.MatchString(line):
		p.flush()
		m := heading.FindStringSubmatch(line)
		p.enter(len(m[1]), m[2])
	case rule.MatchString(line), strings.HasPrefix(trimmed, ">"):
		p.flush()
	case item.MatchString(line):
		p.flush()
		p.add(item.ReplaceAllString(line, ""))
	case indented && p.wasBlank:
		// Code, or the next paragraph of a list item: not worth telling apart.
	case strings.HasPrefix(trimmed, "|"):
		p.flush()
		p.row(trimmed)
	default:
		p.add(trimmed)
	}
	p.wasBlank = trimmed == "" || indented && p.wasBlank
}

// enter begins the section of a heading.
func (p *proseReader) enter(level int, title string) {
	if level == 1 && p.title == "" {
		p.title, p.levels, p.section = title, nil, nil
		return
	}
	for len(p.levels) > 0 && p.levels[len(p.levels)-1] >= level {
		p.levels, p.section = p.levels[:len(p.levels)-1], p.section[:len(p.section)-1]
	}
	p.levels, p.section = append(p.levels, level), append(p.section, title)
}

// row reads a row of a table: one that names a property and its value becomes a line of text.
func (p *proseReader) row(line string) {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	if len(cells) == 2 {
		p.add(strings.TrimSpace(cells[0]) + ": " + strings.TrimSpace(cells[1]))
		p.flush()
	}
}

func (p *proseReader) add(text string) {
	if p.text.Len() > 0 {
		text = " " + text
	}
	p.text.WriteString(text)
	p.lines = append(p.lines, slices.Repeat([]int{p.line}, len(text))...)
}

// flush ends a paragraph.
func (p *proseReader) flush() {
	text, start := p.text.String(), 0
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		p.cut(text, start, end[1]-1)
		start = end[1] - 1
	}
	p.cut(text, start, len(text))
	p.text.Reset()
	p.lines = nil
}

func (p *proseReader) cut(text string, start, end int) {
	if strings.TrimSpace(text[start:end]) != "" {
		p.sentences = append(p.sentences, sentence{text[start:end], p.lines[start:end], slices.Clone(p.section)})
	}
}
