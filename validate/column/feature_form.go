package column

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// YAML returns the list a card's dataset_info.features holds. The loader takes the first key after the name for the
// kind of a feature, so keys keep their order; what a reader of YAML 1.1 or 1.2 could take for something other than
// text is quoted.
func (f Features) YAML() *yaml.Node {
	return fieldList(f)
}

// MarshalJSON writes the list a card's dataset_info.features holds, as JSON, with its keys in the same order.
func (f Features) MarshalJSON() ([]byte, error) {
	return nodeJSON(nil, f.YAML()), nil
}

// MarshalJSON writes one item of the list.
func (f Feature) MarshalJSON() ([]byte, error) {
	return nodeJSON(nil, fieldNode(f)), nil
}

// String returns the type as messages name it: int64, list of string, struct, …
func (t Type) String() string {
	switch {
	case t.List != nil:
		return "list of " + t.List.String()
	case t.Struct != nil:
		names := make([]string, len(t.Struct))
		for i, f := range t.Struct {
			names[i] = f.Name
		}
		return "struct of " + strings.Join(names, ", ")
	case t.ClassLabel != nil:
		return "class_label"
	}
	return t.Dtype
}

func fieldList(fields []Feature) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	if len(fields) == 0 {
		list.Style = yaml.FlowStyle
	}
	for _, f := range fields {
		list.Content = append(list.Content, fieldNode(f))
	}
	return list
}

func fieldNode(f Feature) *yaml.Node {
	return mapping(append([]*yaml.Node{text("name"), textValue(f.Name)}, typeEntries(f.Type)...)...)
}

// typeEntries returns the keys and values that give a type where a mapping is open for them: the kind first.
func typeEntries(t Type) []*yaml.Node {
	switch {
	case t.List != nil:
		kind := "list"
		if t.Large {
			kind = "large_list"
		}
		entries := []*yaml.Node{text(kind), elementNode(*t.List)}
		if t.Length > 0 {
			entries = append(entries, text("length"), number(t.Length))
		}
		return entries
	case t.Struct != nil:
		return []*yaml.Node{text("struct"), fieldList(t.Struct)}
	case t.ClassLabel != nil, t.Params != "":
		return []*yaml.Node{text("dtype"), mapping(parametrisedEntries(t)...)}
	}
	return []*yaml.Node{text("dtype"), textValue(t.Dtype)}
}

// elementNode is what stands behind list: for elements of a type.
func elementNode(t Type) *yaml.Node {
	switch {
	case t.List != nil:
		return mapping(typeEntries(t)...)
	case t.Struct != nil:
		return fieldList(t.Struct)
	case t.ClassLabel != nil, t.Params != "":
		return mapping(parametrisedEntries(t)...)
	}
	return textValue(t.Dtype)
}

func parametrisedEntries(t Type) []*yaml.Node {
	if t.ClassLabel == nil {
		return []*yaml.Node{text(t.Dtype), paramsNode(t.Params)}
	}
	var names []*yaml.Node
	for id, name := range t.ClassLabel {
		key := text(strconv.Itoa(id))
		key.Style = yaml.SingleQuotedStyle
		names = append(names, key, textValue(name))
	}
	return []*yaml.Node{text("class_label"), mapping(text("names"), mapping(names...))}
}

// paramsNode turns the JSON text of parameters into YAML. JSON is YAML, so the keys keep their order.
func paramsNode(params string) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(params), &doc); err != nil || len(doc.Content) != 1 {
		return mapping()
	}
	node := doc.Content[0]
	blockStyle(node)
	return node
}

func blockStyle(node *yaml.Node) {
	node.Line, node.Column = 0, 0
	switch node.Kind {
	case yaml.MappingNode:
		node.Style = 0
	case yaml.ScalarNode:
		if node.Tag == "!!str" {
			*node = *textValue(node.Value)
		}
	}
	for _, child := range node.Content {
		blockStyle(child)
	}
}

func mapping(entries ...*yaml.Node) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: entries}
	if len(entries) == 0 {
		node.Style = yaml.FlowStyle
	}
	return node
}

func text(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}

func number(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(n)}
}

// textValue is a text that somebody chose, quoted unless every reader of YAML takes it for text without quotes.
func textValue(s string) *yaml.Node {
	node := text(s)
	switch {
	case plainText(s):
	case strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	}):
		node.Style = yaml.DoubleQuotedStyle
	default:
		node.Style = yaml.SingleQuotedStyle
	}
	return node
}

// plainText says that a text may stand without quotes: an ASCII letter or underscore, then letters, digits and a few harmless
// marks, and no word that YAML 1.1 reads as a boolean or null.
func plainText(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case isLetter(c), '0' <= c && c <= '9', c == '-', c == '.', c == '/', c == '[', c == ']', c == '(', c == ')', c == '=':
		case (c == ' ' || c == ',') && i+1 < len(s):
		default:
			return false
		}
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	return true
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// nodeJSON appends a node of the forms above as JSON.
func nodeJSON(out []byte, node *yaml.Node) []byte {
	switch node.Kind {
	case yaml.SequenceNode:
		out = append(out, '[')
		for i, child := range node.Content {
			if i > 0 {
				out = append(out, ',')
			}
			out = nodeJSON(out, child)
		}
		return append(out, ']')
	case yaml.MappingNode:
		out = append(out, '{')
		for i := 0; i+1 < len(node.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSONText(out, node.Content[i].Value)
			out = append(out, ':')
			out = nodeJSON(out, node.Content[i+1])
		}
		return append(out, '}')
	}
	if node.Tag == "!!str" {
		return appendJSONText(out, node.Value)
	}
	return append(out, node.Value...)
}

// appendJSONText appends a text as a JSON string, with no more escapes than JSON needs.
func appendJSONText(out []byte, s string) []byte {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	// A string always encodes.
	_ = encoder.Encode(s)
	return append(out, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
