package hubtest

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/license"
)

// cardReport is what the Hub thinks of a README.md. Errors stop a push, warnings do not.
type cardReport struct {
	// unreadable says why the metadata is no YAML, "" when it is.
	unreadable       string
	errors, warnings []string
}

// frontMatter is how the Hub finds a card's metadata: optional white space, "---" and a line end at once, then as little
// as possible up to a line that is "---" but for blanks. A byte order mark before it, or nothing between: no metadata.
var frontMatter = lazyregexp.New(`(?s)^\s*---[\r\n]+(.*?)[\r\n]+---[ \t]*(?:\r|\n|$)`)

// judgeCard checks the metadata of a card for what the Hub is known to refuse. It knows less than the real one.
func judgeCard(kind release.Type, text string) cardReport {
	block := frontMatter.FindStringSubmatch(text)
	if block == nil || strings.TrimSpace(block[1]) == "" {
		return cardReport{warnings: []string{"empty or missing yaml metadata in repo card"}}
	}
	root, err := readYAML(block[1])
	if err != nil {
		return cardReport{unreadable: err.Error()}
	}
	var c cardReport
	c.license(lookup(root, "license"))
	c.language(lookup(root, "language"))
	for _, name := range []string{"configs", "model-index"} {
		if n := lookup(root, name); n != nil && n.Kind != yaml.SequenceNode {
			c.fail("%q must be an array", name)
		}
	}
	for _, name := range []string{"tags", "task_categories", "task_ids", "size_categories", "datasets"} {
		if n := lookup(root, name); n != nil && n.Kind == yaml.MappingNode {
			c.fail("%q must be an array", name)
		}
	}
	if n := lookup(root, "datasets"); kind == release.Model && n != nil && isBlank(n) {
		c.fail(`"datasets" is not allowed to be empty`)
	}
	c.classLabels(lookup(root, "dataset_info"))
	return c
}

// readYAML reads the one mapping of a card's metadata.
func readYAML(text string) (root *yaml.Node, err error) {
	defer func() {
		if broken := recover(); broken != nil { // yaml.v3 panics on some texts
			root, err = nil, fmt.Errorf("%v", broken)
		}
	}()
	var doc yaml.Node
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(doc.Content) == 0 || follow(doc.Content[0]).Kind != yaml.MappingNode {
		return nil, errors.New("the metadata must be a mapping")
	}
	return doc.Content[0], checkNodes(doc.Content[0])
}

// checkNodes refuses tags of other languages and keys that stand twice.
func checkNodes(n *yaml.Node) error {
	switch n.ShortTag() {
	case "", "!!null", "!!bool", "!!str", "!!int", "!!float", "!!timestamp", "!!seq", "!!map", "!!merge":
	default:
		return fmt.Errorf("unknown tag !<%s> (line %d)", n.LongTag(), n.Line)
	}
	if n.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind == yaml.ScalarNode && seen[key.Value] {
				return fmt.Errorf("duplicated mapping key %q (line %d)", key.Value, key.Line)
			}
			seen[key.Value] = true
		}
	}
	for _, child := range n.Content {
		if err := checkNodes(child); err != nil {
			return err
		}
	}
	return nil
}

// follow returns the node an alias stands for.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// lookup finds a key of a mapping, nil when it is not there.
func lookup(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return follow(m.Content[i+1])
		}
	}
	return nil
}

func isBlank(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Value == "" || n.ShortTag() == "!!null")
}

func (c *cardReport) fail(format string, args ...any) {
	c.errors = append(c.errors, fmt.Sprintf(format, args...))
}

// oneOrMore goes through a value that may be one text or a list of them, with the name the Hub gives each.
func oneOrMore(name string, n *yaml.Node, visit func(name string, n *yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		visit(name, n)
		return
	}
	for i, item := range n.Content {
		visit(fmt.Sprintf("%s[%d]", name, i), follow(item))
	}
}

func (c *cardReport) license(n *yaml.Node) {
	if n == nil {
		return
	}
	oneOrMore("license", n, func(name string, n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || isBlank(n) || !license.Known(n.Value) {
			c.fail("%q must be one of the ids on https://huggingface.co/docs/hub/repositories-licenses", name)
		}
	})
}

var languageCode = lazyregexp.New(`^(?:[a-z]{2,3}|code|multilingual)$`)

func (c *cardReport) language(n *yaml.Node) {
	if n == nil {
		return
	}
	oneOrMore("language", n, func(name string, n *yaml.Node) {
		switch {
		case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
			c.fail("%q must be a string", name)
		case n.Value != strings.ToLower(n.Value):
			c.fail("%q must only contain lowercase characters", name)
		case !languageCode.MatchString(n.Value):
			c.fail("%q with value %q is not valid. It must be an ISO 639-1, 639-2 or 639-3 code (two/three letters), or a "+
				"special value like \"code\", \"multilingual\". BCP-47 identifiers go into language_bcp47.", name, n.Value)
		}
	})
}

// classLabels refuses label ids that are numbers: the Hub wants them as quoted strings.
func (c *cardReport) classLabels(n *yaml.Node) {
	if n == nil {
		return
	}
	if names := lookup(lookup(n, "class_label"), "names"); names != nil && names.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(names.Content); i += 2 {
			if names.Content[i].ShortTag() == "!!int" {
				c.fail("the keys of class_label names must be strings: write '%s' in quotes", names.Content[i].Value)
				break
			}
		}
	}
	for _, child := range n.Content {
		c.classLabels(child)
	}
}
