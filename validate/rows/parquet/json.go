package parquet

import "encoding/json"

// markJSON marks the columns of texts that datasets has kept as Json: the loader shows what the text stands for.
func (f *File) markJSON() {
	var kept struct {
		Info struct {
			Features map[string]any `json:"features"`
		} `json:"info"`
	}
	if f.schema.Huggingface == "" || json.Unmarshal([]byte(f.schema.Huggingface), &kept) != nil {
		return
	}
	for _, m := range f.root.members {
		m.markJSON(kept.Info.Features[m.name])
	}
}

// markJSON marks what is Json in a node of which the feature is known.
func (n *node) markJSON(feature any) {
	if list, ok := feature.([]any); ok && len(list) == 1 && n.shape == isList {
		n.element.markJSON(list[0])
		return
	}
	known, _ := feature.(map[string]any)
	switch kind := known["_type"]; {
	case n.shape == isLeaf:
		n.json = kind == "Json" && (n.logical == asText || n.logical == asJSON)
	case n.shape == isList && (kind == "List" || kind == "LargeList" || kind == "Sequence"):
		n.element.markJSON(known["feature"])
	case n.shape == isStruct:
		for _, m := range n.members {
			m.markJSON(known[m.name])
		}
	}
}
