package cards

import (
	"encoding/json"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// baseID is the form of the id of a model on the Hub with its namespace; what PEFT was given may be a folder instead.
var baseID = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.-]*/[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// adapterKeys lists what adapter_config.json tells of an adapter, where neither hfpub.yaml nor the front matter says it.
func adapterKeys(in *Input, present *yaml.Node) []entry {
	var config struct {
		Base string `json:"base_model_name_or_path"`
	}
	if json.Unmarshal(in.AdapterConfig, &config) != nil {
		return nil
	}
	model := &in.Repo.Card.Model
	var out []entry
	add := func(key, word string, said bool) {
		if !said && value(present, key) == nil {
			out = append(out, entry{key, yamlout.String(word)})
		}
	}
	if baseID.MatchString(config.Base) {
		add("base_model", config.Base, len(model.BaseModel) > 0)
		add("base_model_relation", "adapter", model.Relation != "")
	}
	add("library_name", "peft", model.LibraryName != "")
	return out
}
