// Package yamlout writes YAML that readers of YAML 1.1 and of YAML 1.2 understand alike.
//
// Go and the Hub read YAML 1.2, Python's `datasets` reads YAML 1.1: bare `no`, `1:20` or `2024-01-01` are texts to the
// one and a boolean, a number and a date to the other. [Text] quotes whatever any of them could take for something
// else. [Entry] writes one key with its value in the block style the Hub's own tools use, and [Same] tells whether a
// value that stands in a card already means what would be written, so that it can be left as it is.
package yamlout

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Text is the scalar that every YAML reader takes for the string s: s itself where that is safe, else s in double
// quotes. It is always one line. Bytes of s that are not UTF-8 become U+FFFD.
func Text(s string) string {
	if plain(s) {
		return s
	}
	return quote(s)
}

// plain tells whether s may stand bare, as a key or a value of a block collection.
func plain(s string) bool {
	if s == "" || !utf8.ValidString(s) || reserved[strings.ToLower(s)] {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !strings.ContainsRune("_/.0123456789", first) {
		return false
	}
	if strings.ContainsRune(".0123456789", first) && strings.Trim(s, numberRunes) == "" {
		return false
	}
	if strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") || strings.Contains(s, ": ") || strings.Contains(s, " #") {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// reserved holds the words that YAML 1.1 or 1.2 reads as a null or a boolean, in lower case.
var reserved = map[string]bool{
	"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true,
}

// numberRunes are the runes of numbers, dates and times in YAML 1.1 and 1.2: 0x1F, 0b1, 0o7, 1_000, 1e3, 1:20, .inf,
// .NaN, 2001-12-14t21:59:43.10-05:00, 2001-12-14 21:59:43.10 Z.
const numberRunes = "0123456789abcdefABCDEFxXoOinIN_.:+-tTzZ "

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		// YAML prints everything above U+FFFF, so that an emoji's parts stay what they are.
		case unicode.IsPrint(r) || r > 0xFFFF:
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Entry writes `key: value` as lines that end in LF. Lists stand at the column of their key, as the Hub's tools write
// them. A scalar that was read from a file and stood there bare keeps its text, so that its meaning stays what it was
// to every reader. The nodes hold no aliases, as those of package strictyaml.
func Entry(key string, value *yaml.Node) string {
	var b strings.Builder
	entry(&b, Text(key), value, "")
	return b.String()
}

// entry writes a pair of a mapping whose keys stand at the given indentation.
func entry(b *strings.Builder, key string, value *yaml.Node, indent string) {
	b.WriteString(key)
	b.WriteByte(':')
	if p := props(value); p != "" {
		b.WriteByte(' ')
		b.WriteString(strings.TrimSuffix(p, " "))
	}
	switch {
	case isBlock(value) && value.Kind == yaml.MappingNode:
		b.WriteByte('\n')
		b.WriteString(indent + "  ")
		mapping(b, value, indent+"  ")
	case isBlock(value):
		b.WriteByte('\n')
		b.WriteString(indent)
		sequence(b, value, indent)
	default:
		if s := flat(value); s != "" {
			b.WriteString(" " + s)
		}
		b.WriteByte('\n')
	}
}

// mapping writes the pairs of a block mapping; the indentation before the first one stands already.
func mapping(b *strings.Builder, n *yaml.Node, indent string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			b.WriteString(indent)
		}
		k := n.Content[i]
		entry(b, props(k)+flat(k), n.Content[i+1], indent)
	}
}

// sequence writes the items of a block sequence; the indentation before the first one stands already.
func sequence(b *strings.Builder, n *yaml.Node, indent string) {
	for i, item := range n.Content {
		if i > 0 {
			b.WriteString(indent)
		}
		b.WriteByte('-')
		p := props(item)
		switch {
		case !isBlock(item):
			if s := p + flat(item); s != "" {
				b.WriteString(" " + s)
			}
			b.WriteByte('\n')
		case p != "":
			b.WriteString(" " + strings.TrimSuffix(p, " ") + "\n" + indent + "  ")
			collection(b, item, indent+"  ")
		default:
			b.WriteByte(' ')
			collection(b, item, indent+"  ")
		}
	}
}

func collection(b *strings.Builder, n *yaml.Node, indent string) {
	if n.Kind == yaml.MappingNode {
		mapping(b, n, indent)
		return
	}
	sequence(b, n, indent)
}

func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && len(n.Content) > 0
}

// props writes the anchor and the explicit tag of a node, each with a blank after it.
func props(n *yaml.Node) string {
	s := ""
	if n.Anchor != "" {
		s = "&" + n.Anchor + " "
	}
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != "" {
		s += n.ShortTag() + " "
	}
	return s
}

// flat writes a node that needs no lines of its own: a scalar or an empty collection.
func flat(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "{}"
	case yaml.SequenceNode:
		return "[]"
	}
	if bare(n) || n.ShortTag() != "!!str" && n.Style&quoted == 0 {
		return n.Value
	}
	return Text(n.Value)
}

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// bare tells whether a scalar was read from a file, where it stood on one line without quotes.
func bare(n *yaml.Node) bool {
	return n.Line > 0 && n.Style&quoted == 0 && !strings.Contains(n.Value, "\n")
}
