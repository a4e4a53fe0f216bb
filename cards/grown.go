package cards

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/strictyaml"
)

// grownConfigs is README.md with the keys that items of its configs lack, each below the name of its config, so that every other
// byte stays as it is, and comments with it. It is nil where that is not all there is to change, and where the items are not
// written as a list of lines.
func grownConfigs(readme []byte, wanted *yaml.Node) []byte {
	block, _ := frontmatter.Split(readme)
	text := block.YAML()
	doc := parseYAML(text)
	if doc == nil || doc.Root == nil || wanted == nil {
		return nil
	}
	present := value(doc.Root, "configs")
	if present == nil || present.Kind != yaml.SequenceNode || present.Style&yaml.FlowStyle != 0 || len(present.Content) != len(wanted.Content) {
		return nil
	}
	var grown []byte
	at := 0
	for i, item := range present.Content {
		lacking, ok := additions(item, wanted.Content[i])
		if !ok {
			return nil
		}
		if len(lacking) == 0 {
			continue
		}
		below, indent, ok := belowName(doc, text, item)
		if !ok || below < at {
			return nil
		}
		grown = append(grown, text[at:below]...)
		grown = append(grown, indented(lacking, indent, lineEnd(text))...)
		at = below
	}
	if grown == nil {
		return nil
	}
	grown = append(grown, text[at:]...)
	if again := parseYAML(grown); again == nil || !yamlout.Same(value(again.Root, "configs"), wanted) {
		return nil
	}
	return slices.Concat(readme[:block.Start], grown, readme[block.End:])
}

// additions are the pairs that an item lacks; ok is false when it has some that it should not have, or others.
func additions(item, wanted *yaml.Node) (pairs []*yaml.Node, ok bool) {
	if item.Kind != yaml.MappingNode || wanted.Kind != yaml.MappingNode || item.Style&yaml.FlowStyle != 0 {
		return nil, yamlout.Same(item, wanted)
	}
	for k, v := range strictyaml.Pairs(item) {
		if want := value(wanted, k.Value); want == nil || !yamlout.Same(v, want) {
			return nil, false
		}
	}
	for k, v := range strictyaml.Pairs(wanted) {
		if value(item, k.Value) == nil {
			pairs = append(pairs, k, v)
		}
	}
	return pairs, true
}

// belowName is where the line behind that of an item's config_name begins, and how far the keys of the item are indented; ok is
// false where the name is not on one line with its key.
func belowName(doc *strictyaml.Document, text []byte, item *yaml.Node) (at, indent int, ok bool) {
	k, v := strictyaml.Lookup(item, "config_name")
	if k == nil || v.Kind != yaml.ScalarNode || v.Line != k.Line || v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return 0, 0, false
	}
	end := bytes.IndexByte(text[doc.Offset(v):], '\n')
	if end < 0 {
		return 0, 0, false
	}
	return doc.Offset(v) + end + 1, doc.Offset(k) - doc.LineStart(k.Line), true
}

// indented writes pairs as lines that are indented so far.
func indented(pairs []*yaml.Node, indent int, eol string) []byte {
	var out []byte
	for i := 0; i+1 < len(pairs); i += 2 {
		for line := range strings.Lines(yamlout.Entry(pairs[i].Value, pairs[i+1])) {
			out = append(out, strings.Repeat(" ", indent)...)
			out = append(out, strings.TrimRight(line, "\n")...)
			out = append(out, eol...)
		}
	}
	return out
}
