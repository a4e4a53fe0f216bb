package cards

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/card"
)

// entry is a key of the front matter and the value it must have.
type entry struct {
	key   string
	value *yaml.Node
}

// wantedKeys lists what the front matter must say, in the order the Hub's cards have. The keys of hfpub.yaml are listed
// where it gives them; every other key stays as it stands, and so does one of hfpub's own that could not be measured.
// Present is the root of the front matter, nil where there is none.
func wantedKeys(in *Input, present *yaml.Node) []entry {
	var out []entry
	add := func(key string, value *yaml.Node) {
		if value != nil {
			out = append(out, entry{key, value})
		}
	}
	if in.Repo.Declared {
		card := &in.Repo.Card
		add("license", text(in.Repo.License))
		add("license_name", text(in.Repo.LicenseName))
		add("license_link", text(in.Repo.LicenseLink))
		add("language", texts(card.Language))
		add("pretty_name", text(card.PrettyName))
		add("tags", texts(card.Tags))
		add("task_categories", texts(card.TaskCategories))
	}
	if in.Repo.Declared && in.Repo.Type == release.Model {
		out = append(out, modelKeys(&in.Repo)...)
	}
	if in.Repo.Type == release.Model && in.AdapterConfig != nil {
		out = append(out, adapterKeys(in, present)...)
	}
	if in.Repo.Type == release.Dataset {
		add("size_categories", sizeCategories(in.Measured.Configs))
		add("configs", configs(in, value(present, "configs")))
		add("dataset_info", datasetInfo(in.Measured.Configs, value(present, "dataset_info")))
	}
	return out
}

// saysAlready tells whether a key of the front matter has its value, however that is written. One text in place of a list
// of one is the same to the Hub.
func saysAlready(key string, have, want *yaml.Node) bool {
	switch {
	case have == nil:
		return false
	case key == "dataset_info":
		return yamlout.Same(canonicalInfo(have), canonicalInfo(want))
	case have.Kind == yaml.ScalarNode && want.Kind == yaml.SequenceNode && len(want.Content) == 1:
		return yamlout.Same(have, want.Content[0])
	case have.Kind == yaml.SequenceNode && want.Kind == yaml.ScalarNode && len(have.Content) == 1:
		return yamlout.Same(have.Content[0], want)
	}
	return yamlout.Same(have, want)
}

func text(s string) *yaml.Node {
	if s == "" {
		return nil
	}
	return yamlout.String(s)
}

func texts(s []string) *yaml.Node {
	if len(s) == 0 {
		return nil
	}
	return yamlout.Strings(s)
}

// value is the value of a key of a mapping, nil where there is none.
func value(m *yaml.Node, key string) *yaml.Node {
	_, v := strictyaml.Lookup(m, key)
	return v
}

// sizeCategories counts the rows of all configs; nil where some could not be counted.
func sizeCategories(configs []validate.Config) *yaml.Node {
	var rows int64
	for _, config := range configs {
		if !measured(config) {
			return nil
		}
		for _, split := range config.Splits {
			rows += *split.Rows
		}
	}
	if len(configs) == 0 {
		return nil
	}
	return yamlout.List(yamlout.String(card.SizeCategory(rows)))
}

// named finds the item of a config in a list, or a mapping that stands for a list of one. An item of dataset_info
// without a name is that of the config default.
func named(present *yaml.Node, name string) *yaml.Node {
	items := strictyaml.Items(present)
	if present != nil && present.Kind == yaml.MappingNode {
		items = []*yaml.Node{present}
	}
	for _, item := range items {
		if item.Kind != yaml.MappingNode {
			continue
		}
		got := "default"
		if v := value(item, "config_name"); v != nil {
			got = v.Value
		}
		if got == name {
			return item
		}
	}
	return nil
}

// keepOthers appends the keys of an old item that the new one lacks, but for those that are dropped.
func keepOthers(item, old *yaml.Node, drop ...string) {
	for k, v := range strictyaml.Pairs(old) {
		if value(item, k.Value) == nil && !slices.Contains(drop, k.Value) {
			item.Content = append(item.Content, k, v)
		}
	}
}
