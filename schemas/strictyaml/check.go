package strictyaml

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// expansion counts the nodes under n with aliases followed, and stops the reading of a document that nests too deeply,
// that holds itself, or that grows out of bounds. The count saturates.
func (p *parser) expansion(n *yaml.Node, depth int) int {
	if p.doc.Root == nil {
		return 0
	}
	if depth > MaxDepth {
		p.stop(n, "flatten the values", "values nest deeper than %d levels", MaxDepth)
		return 0
	}
	if n.Kind == yaml.AliasNode {
		return p.aliasExpansion(n, depth)
	}
	if n.Anchor != "" {
		p.sizes[n] = -1
	}
	size := 1
	for _, c := range n.Content {
		size += p.expansion(c, depth+1)
	}
	if n.Anchor != "" {
		p.sizes[n] = size
	}
	return size
}

func (p *parser) aliasExpansion(n *yaml.Node, depth int) int {
	p.doc.Aliases = append(p.doc.Aliases, Alias{Line: n.Line, Column: n.Column, Target: n.Alias})
	size := p.sizes[n.Alias]
	if size < 0 {
		p.stop(n, "write the value out", "alias *%s refers to a value that holds the alias itself", n.Value)
		return 0
	}
	if p.repeated += size; p.repeated > MaxExpansion {
		p.stop(n, "write fewer aliases", "aliases repeat more than %d values", MaxExpansion)
		return 0
	}
	if depth+height(n.Alias) > MaxDepth {
		p.stop(n, "flatten the values", "values nest deeper than %d levels", MaxDepth)
		return 0
	}
	return size
}

// height is how deep values nest under n. Aliases in n were bounded when they were met, so this ends soon.
func height(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		return height(n.Alias)
	}
	deepest := 0
	for _, c := range n.Content {
		deepest = max(deepest, 1+height(c))
	}
	return deepest
}

func (p *parser) stop(n *yaml.Node, hint, format string, args ...any) {
	p.doc.Root = nil
	p.at(n, "", format, args...).Hint = hint
}

// check reports what the strict form does not allow: keys that stand twice or are no text, merge keys and tags.
func (p *parser) check(n *yaml.Node, pointer string) {
	p.checkTag(n, pointer)
	switch n.Kind {
	case yaml.ScalarNode:
		p.scalars = append(p.scalars, scalarPlace{p.doc.Offset(n), pointer})
	case yaml.SequenceNode:
		for i, c := range n.Content {
			p.check(c, pointer+"/"+strconv.Itoa(i))
		}
	case yaml.MappingNode:
		p.checkKeys(n, pointer)
		for i := 0; i+1 < len(n.Content); i += 2 {
			below := pointer + "/" + Escape(n.Content[i].Value)
			p.check(n.Content[i], below)
			p.check(n.Content[i+1], below)
		}
	}
}

func (p *parser) checkKeys(m *yaml.Node, pointer string) {
	type key struct{ tag, text string }
	first := map[key]*yaml.Node{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		k := m.Content[i]
		if k.Kind != yaml.ScalarNode {
			p.at(k, pointer, "a key is %s, expected plain text",
				Describe(k)).Hint = "write the key as one word or a quoted text"
			continue
		}
		below := pointer + "/" + Escape(k.Value)
		if k.ShortTag() == "!!merge" {
			p.at(k, below, "merge keys (<<) are not read").Hint = "write the keys out, or quote \"<<\" if it is a name"
			continue
		}
		if k.ShortTag() == "!!null" {
			p.at(k, below, "a key is null, expected text").Hint = "write a key before the colon, or put quotes around it if it is a name"
			continue
		}
		id := key{k.ShortTag(), k.Value}
		if old := first[id]; old != nil {
			f := p.add(p.src.DuplicateKey, k.Line, k.Column,
				"key %s stands twice: first on line %d, column %d, again on line %d, column %d",
				strconv.Quote(k.Value), old.Line, old.Column, k.Line, k.Column)
			f.Pointer, f.Hint = below, "keep one of the two; readers differ on which one counts"
			continue
		}
		first[id] = k
	}
}

func (p *parser) checkTag(n *yaml.Node, pointer string) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	switch tag := n.ShortTag(); {
	case tag == "!!str" && n.Kind == yaml.ScalarNode:
	case tag == "!!map" && n.Kind == yaml.MappingNode:
	case tag == "!!seq" && n.Kind == yaml.SequenceNode:
	default:
		p.at(n, pointer, "tag %q is not read", tag).Hint = "take the tag out and write the value plainly"
	}
}

// follow puts the nodes that aliases refer to in the aliases' places.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	for i, c := range n.Content {
		n.Content[i] = follow(c)
	}
	return n
}

// Escape writes a key as one part of a JSON Pointer (RFC 6901).
func Escape(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// Describe names what a node is, for messages: "a mapping", "a list", "the number 7", "nothing".
func Describe(n *yaml.Node) string {
	switch {
	case n == nil || IsNull(n):
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return n.Value
	}
	return fmt.Sprintf("the text %s", strconv.Quote(shorten(n.Value)))
}

func shorten(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
