package strictyaml

import (
	"iter"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Pairs goes through the keys and values of a mapping in the order of the text; through none when m is no mapping.
func Pairs(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(*yaml.Node, *yaml.Node) bool) {
		if m == nil || m.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(m.Content); i += 2 {
			if !yield(m.Content[i], m.Content[i+1]) {
				return
			}
		}
	}
}

// Items are the values of a list; none when n is no list.
func Items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// Lookup finds a key of a mapping and its value, both nil when the key is not there or m is no mapping. Of a key that
// stands twice it gives the first.
func Lookup(m *yaml.Node, key string) (k, v *yaml.Node) {
	for k, v := range Pairs(m) {
		if k.Kind == yaml.ScalarNode && k.Value == key {
			return k, v
		}
	}
	return nil, nil
}

// IsNull reports whether a node stands for no value: nothing after the colon, null or ~.
func IsNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// String gives the text of a node that is text. Dates and times are text too, as in YAML 1.2.
func String(n *yaml.Node) (string, bool) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return "", false
	}
	switch n.ShortTag() {
	case "!!str", "!!timestamp", "!!merge":
		return n.Value, true
	}
	return "", false
}

// Strings gives the texts of a list of texts, or of one text as a list of its own.
func Strings(n *yaml.Node) ([]string, bool) {
	if s, ok := String(n); ok {
		return []string{s}, true
	}
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil, false
	}
	all := make([]string, 0, len(n.Content))
	for _, c := range n.Content {
		s, ok := String(c)
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// Bool gives the value of a node that is true or false.
func Bool(n *yaml.Node) (value, ok bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		return false, false
	}
	return n.Value == "true" || n.Value == "True" || n.Value == "TRUE", true
}

// Int gives the value of a node that is a whole number in decimal digits. A zero in front is none: 010 is 8 to some readers.
func Int(n *yaml.Node) (int64, bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" {
		return 0, false
	}
	if digits := strings.TrimLeft(n.Value, "+-"); len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	value, err := strconv.ParseInt(n.Value, 10, 64)
	return value, err == nil
}
