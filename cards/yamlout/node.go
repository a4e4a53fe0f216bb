package yamlout

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// String makes a node of a text.
func String(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}

// Int makes a node of an integer.
func Int(i int64) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(i, 10)}
}

// Number makes a node of a number as it is written.
func Number(text string) *yaml.Node {
	tag := "!!int"
	if strings.ContainsAny(text, ".eE") {
		tag = "!!float"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

// True makes the node `true`.
func True() *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"}
}

// False makes the node `false`.
func False() *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "false"}
}

// List makes a sequence of nodes.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

// Strings makes a sequence of texts.
func Strings(items []string) *yaml.Node {
	list := List()
	for _, s := range items {
		list.Content = append(list.Content, String(s))
	}
	return list
}

// Map makes an empty mapping, to be filled by [Put].
func Map() *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
}

// Put appends a pair to a mapping. It does not look whether the key is there.
func Put(m *yaml.Node, key string, value *yaml.Node) {
	m.Content = append(m.Content, String(key), value)
}
