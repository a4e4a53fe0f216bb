package column

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Bounds on what ParseFeatures follows, so that aliases cannot make a small text grow without end.
const (
	maxFeatureDepth = 2048
	maxFeatureNodes = 100_000
	maxParamKey     = 256
)

// FeatureError says why features cannot be read, and where: line and column from 1, as in the YAML text.
type FeatureError struct {
	Line, Column int
	Reason       string
}

// Error gives the reason with its place.
func (e *FeatureError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// ParseFeatures reads the list of features of a card (dataset_info.features, or features of a config) as the loader
// does: the first key of an item after its name decides what it is. Old spellings are read as what they mean: a
// sequence of fields is a struct of lists. An error is a *FeatureError.
func ParseFeatures(node *yaml.Node) (Features, error) {
	p := featureParser{}
	if node.Kind == yaml.DocumentNode && len(node.Content) == 1 {
		node = node.Content[0]
	}
	fields, err := p.fields(node, 0)
	if err != nil {
		return nil, err
	}
	return fields, nil
}

type featureParser struct {
	nodes int
}

func fail(node *yaml.Node, format string, args ...any) error {
	return &FeatureError{node.Line, node.Column, fmt.Sprintf(format, args...)}
}

// enter follows an alias and counts what was read.
func (p *featureParser) enter(node *yaml.Node, depth int) (*yaml.Node, error) {
	p.nodes++
	if depth > maxFeatureDepth || p.nodes > maxFeatureNodes {
		return nil, fail(node, "features are nested too deeply or too many")
	}
	if node.Kind == yaml.AliasNode {
		return node.Alias, nil
	}
	return node, nil
}

func (p *featureParser) fields(node *yaml.Node, depth int) ([]Feature, error) {
	node, err := p.enter(node, depth)
	if err != nil {
		return nil, err
	}
	if node.Kind != yaml.SequenceNode {
		return nil, fail(node, "expected a list of features, each with a name and a type")
	}
	fields := []Feature{}
	seen := map[string]bool{}
	for _, item := range node.Content {
		field, err := p.field(item, depth+1)
		if err != nil {
			return nil, err
		}
		if seen[field.Name] {
			return nil, fail(item, "feature %q stands twice", field.Name)
		}
		seen[field.Name] = true
		fields = append(fields, field)
	}
	return fields, nil
}

// field reads one item of a list of features. The name may stand anywhere in it.
func (p *featureParser) field(node *yaml.Node, depth int) (Feature, error) {
	node, err := p.enter(node, depth)
	if err != nil {
		return Feature{}, err
	}
	if node.Kind != yaml.MappingNode {
		return Feature{}, fail(node, "expected a feature with a name and a type, such as {name: id, dtype: int64}")
	}
	var name *yaml.Node
	rest := *node
	rest.Content = nil
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "name" && name == nil {
			name = node.Content[i+1]
			continue
		}
		rest.Content = append(rest.Content, node.Content[i], node.Content[i+1])
	}
	if name == nil {
		return Feature{}, fail(node, "a feature has no name")
	}
	if name, err = p.enter(name, depth); err != nil {
		return Feature{}, err
	}
	if name.Kind != yaml.ScalarNode || name.ShortTag() == "!!null" {
		return Feature{}, fail(name, "the name of a feature is not a text")
	}
	t, err := p.mapped(&rest, depth)
	if err != nil {
		return Feature{}, err
	}
	return Feature{name.Value, t}, nil
}

// mapped reads the type that the first key of a mapping names.
func (p *featureParser) mapped(node *yaml.Node, depth int) (Type, error) {
	if len(node.Content) < 2 {
		return Type{}, fail(node, "a feature has no type: give dtype, list or struct")
	}
	kind, value := node.Content[0], node.Content[1]
	switch kind.Value {
	case "dtype":
		return p.element(value, depth+1)
	case "struct":
		fields, err := p.fields(value, depth+1)
		return Type{Struct: fields}, err
	case "list", "large_list", "sequence":
		element, err := p.element(value, depth+1)
		if err != nil {
			return Type{}, err
		}
		length, err := p.length(node, depth)
		if err != nil {
			return Type{}, err
		}
		if kind.Value == "sequence" && element.Struct != nil {
			return structOfLists(element.Struct, length), nil
		}
		return Type{List: &element, Length: length, Large: kind.Value == "large_list"}, nil
	}
	return p.parametrised(kind, value, depth)
}

// element reads a type where its kind may be left out: a dtype by its name, a list of fields, or a mapping.
func (p *featureParser) element(node *yaml.Node, depth int) (Type, error) {
	node, err := p.enter(node, depth)
	if err != nil {
		return Type{}, err
	}
	switch node.Kind {
	case yaml.SequenceNode:
		fields, err := p.fields(node, depth+1)
		return Type{Struct: fields}, err
	case yaml.MappingNode:
		return p.mapped(node, depth)
	}
	return dtype(node)
}

func dtype(node *yaml.Node) (Type, error) {
	name := node.Value
	switch {
	case node.ShortTag() == "!!null":
		return Type{}, fail(node, "the type is missing; for a column of nulls write 'null' in quotes")
	case validDtype(name):
		return Type{Dtype: canonical(name)}, nil
	case meant(name) != "":
		return Type{}, fail(node, "unknown type %q: the loader's name for it is %s", name, meant(name))
	}
	return Type{}, fail(node, "unknown type %q", name)
}

// length reads the length beside a list; -1, the loader's own default, and a missing one mean any.
func (p *featureParser) length(node *yaml.Node, depth int) (int, error) {
	for i := 2; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != "length" {
			continue
		}
		value, err := p.enter(node.Content[i+1], depth)
		if err != nil {
			return 0, err
		}
		n, err := strconv.Atoi(value.Value)
		if err != nil || n < -1 || value.Kind != yaml.ScalarNode {
			return 0, fail(value, "length is not a number of elements")
		}
		return max(n, 0), nil
	}
	return 0, nil
}

// structOfLists is what the loader makes of a sequence of fields.
func structOfLists(fields []Feature, length int) Type {
	out := Type{Struct: []Feature{}}
	for _, f := range fields {
		out.Struct = append(out.Struct, Feature{f.Name, Type{List: &f.Type, Length: length}})
	}
	return out
}

// parametrised reads a feature class with its parameters: {class_label: {names: …}}, {audio: {sampling_rate: 16000}}.
func (p *featureParser) parametrised(kind, value *yaml.Node, depth int) (Type, error) {
	value, err := p.enter(value, depth)
	if err != nil {
		return Type{}, err
	}
	if kind.Value == "class_label" {
		names, err := p.labels(value, depth+1)
		return Type{ClassLabel: names}, err
	}
	if !parametrised[kind.Value] {
		return Type{}, fail(kind, "unknown kind of feature %q: the first key after the name must be dtype, list or struct", kind.Value)
	}
	if value.Kind != yaml.MappingNode {
		return Type{}, fail(value, "the parameters of %s are not a mapping", kind.Value)
	}
	params, err := p.params(nil, value, depth+1)
	return Type{Dtype: kind.Value, Params: string(params)}, err
}

// labels reads the parameters of a class_label: names as a mapping from ids, or as a list, or only their number.
func (p *featureParser) labels(node *yaml.Node, depth int) ([]string, error) {
	if node.Kind != yaml.MappingNode {
		return nil, fail(node, "class_label needs names: {'0': …, '1': …}")
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		value, err := p.enter(node.Content[i+1], depth)
		if err != nil {
			return nil, err
		}
		switch node.Content[i].Value {
		case "names":
			return p.names(value, depth+1)
		case "num_classes":
			return numbered(value)
		}
	}
	return nil, fail(node, "class_label needs names: {'0': …, '1': …}")
}

func numbered(node *yaml.Node) ([]string, error) {
	n, err := strconv.Atoi(node.Value)
	if err != nil || n < 0 || n > maxFeatureNodes {
		return nil, fail(node, "num_classes is not a number of labels")
	}
	names := []string{}
	for id := range n {
		names = append(names, strconv.Itoa(id))
	}
	return names, nil
}

func (p *featureParser) names(node *yaml.Node, depth int) ([]string, error) {
	ordered := node.Content
	if node.Kind == yaml.MappingNode {
		var err error
		if ordered, err = byID(node); err != nil {
			return nil, err
		}
	} else if node.Kind != yaml.SequenceNode {
		return nil, fail(node, "the names of a class_label are neither a mapping from ids nor a list")
	}
	names := []string{}
	seen := map[string]bool{}
	for _, item := range ordered {
		name, err := p.enter(item, depth)
		if err != nil {
			return nil, err
		}
		if name.Kind != yaml.ScalarNode {
			return nil, fail(item, "the name of a label is not a text")
		}
		if seen[name.Value] {
			return nil, fail(item, "two labels are named %q", name.Value)
		}
		seen[name.Value] = true
		names = append(names, name.Value)
	}
	return names, nil
}

// byID puts the names of a mapping in the order of their ids, which must be 0, 1, 2, … without a gap.
func byID(node *yaml.Node) ([]*yaml.Node, error) {
	ordered := make([]*yaml.Node, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		id, err := strconv.Atoi(key.Value)
		if err != nil || id < 0 {
			return nil, fail(key, "label id %q is not a whole number from 0", key.Value)
		}
		if id >= len(ordered) {
			return nil, fail(key, "label ids must be 0 to %d without a gap, found %d", len(ordered)-1, id)
		}
		if ordered[id] != nil {
			return nil, fail(key, "label id %d stands twice", id)
		}
		ordered[id] = node.Content[i+1]
	}
	return ordered, nil
}

// params appends parameters as JSON, keys in their order.
func (p *featureParser) params(out []byte, node *yaml.Node, depth int) ([]byte, error) {
	node, err := p.enter(node, depth)
	if err != nil {
		return nil, err
	}
	switch node.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		return p.paramList(out, node, depth)
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return nil, fail(node, "a parameter cannot be read")
	}
	if node.ShortTag() == "!!str" || node.ShortTag() == "!!timestamp" {
		value = node.Value
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil, fail(node, "parameter %q cannot be written as JSON", node.Value)
	}
	return append(out, encoded...), nil
}

func (p *featureParser) paramList(out []byte, node *yaml.Node, depth int) ([]byte, error) {
	brackets, step := "[]", 1
	if node.Kind == yaml.MappingNode {
		brackets, step = "{}", 2
	}
	out = append(out, brackets[0])
	for i := 0; i+step <= len(node.Content); i += step {
		if i > 0 {
			out = append(out, ',')
		}
		if step == 2 {
			key := node.Content[i]
			if len(key.Value) > maxParamKey {
				return nil, fail(key, "the name of a parameter is too long")
			}
			out = append(appendJSONText(out, key.Value), ':')
		}
		var err error
		if out, err = p.params(out, node.Content[i+step-1], depth+1); err != nil {
			return nil, err
		}
	}
	return append(out, brackets[1]), nil
}
