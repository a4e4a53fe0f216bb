package column

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ParseInfos reads the features of every config from the text of a dataset_infos.json, in which data sets had them before
// README.md did. What it cannot read is not in the result.
func ParseInfos(text []byte) map[string]Features {
	var infos map[string]struct{ Features json.RawMessage }
	if err := json.Unmarshal(text, &infos); err != nil {
		return nil
	}
	out := map[string]Features{}
	for name, info := range infos {
		if fields, err := infoFields(info.Features, 0); err == nil && fields != nil {
			out[name] = fields
		}
	}
	return out
}

// maxInfoDepth bounds how deep features are nested.
const maxInfoDepth = 256

// infoFields reads the members of an object as fields, in their order.
func infoFields(text json.RawMessage, depth int) ([]Feature, error) {
	names, err := keysOf(text)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	fields := []Feature{}
	for _, name := range names {
		t, err := infoType(members[name], depth+1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, Feature{name, t})
	}
	return fields, nil
}

// keysOf lists the keys of an object in their order, each once.
func keysOf(text json.RawMessage) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("features are no object")
	}
	var keys []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		if name, ok := key.(string); ok && !slices.Contains(keys, name) {
			keys = append(keys, name)
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// infoType reads one type: {"dtype": …, "_type": "Value"} and the like, a list of one type, or an object of fields.
func infoType(text json.RawMessage, depth int) (Type, error) {
	if depth > maxInfoDepth {
		return Type{}, fmt.Errorf("features are nested too deeply")
	}
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil {
		if len(list) != 1 {
			return Type{}, fmt.Errorf("a list of %d types", len(list))
		}
		return infoList(list[0], 0, false, depth)
	}
	var info struct {
		Type    string `json:"_type"`
		Dtype   string
		Names   []string
		Feature json.RawMessage
		Length  int
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return Type{}, err
	}
	switch info.Type {
	case "":
		fields, err := infoFields(text, depth)
		return Type{Struct: fields}, err
	case "Value":
		if !validDtype(info.Dtype) {
			return Type{}, fmt.Errorf("no such dtype: %s", strconv.Quote(info.Dtype))
		}
		return Type{Dtype: canonical(info.Dtype)}, nil
	case "ClassLabel":
		return Type{ClassLabel: info.Names}, nil
	case "List", "LargeList", "Sequence":
		return infoList(info.Feature, info.Length, info.Type == "LargeList", depth)
	}
	name := strings.ToLower(info.Type)
	if !features[name] || strings.ContainsFunc(info.Type[1:], unicode.IsUpper) {
		return Type{}, fmt.Errorf("no such feature: %s", strconv.Quote(info.Type))
	}
	return Type{Dtype: name}, nil
}

func infoList(text json.RawMessage, length int, large bool, depth int) (Type, error) {
	element, err := infoType(text, depth+1)
	return Type{List: &element, Length: max(length, 0), Large: large}, err
}
