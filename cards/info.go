package cards

import (
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
)

// datasetInfo is what was measured of every config: one mapping for a config named default that stands alone, else a
// list. What the card says of a config that could not be measured stays; nil where nothing was measured.
func datasetInfo(configs []validate.Config, present *yaml.Node) *yaml.Node {
	list := yamlout.List()
	any := false
	for _, config := range configs {
		old := named(present, config.Name)
		switch {
		case measured(config):
			any = true
			list.Content = append(list.Content, info(config, old))
		case old != nil:
			list.Content = append(list.Content, old)
		}
	}
	if !any {
		return nil
	}
	if only := list.Content[0]; len(configs) == 1 && configs[0].Name == "default" {
		only.Content = only.Content[2:]
		return only
	}
	return list
}

// info is the entry of one config. Byte sizes are left out where they are not known.
func info(config validate.Config, old *yaml.Node) *yaml.Node {
	item := yamlout.Map()
	yamlout.Put(item, "config_name", yamlout.String(config.Name))
	if len(config.Features) > 0 {
		yamlout.Put(item, "features", config.Features.YAML())
	}
	splits := yamlout.List()
	var download, size int64
	sized := true
	seen := map[string]bool{}
	for _, split := range config.Splits {
		s := yamlout.Map()
		yamlout.Put(s, "name", yamlout.String(split.Name))
		if split.NumBytes != nil {
			yamlout.Put(s, "num_bytes", yamlout.Int(*split.NumBytes))
			size += *split.NumBytes
		} else {
			sized = false
		}
		yamlout.Put(s, "num_examples", yamlout.Int(*split.Rows))
		splits.Content = append(splits.Content, s)
		for _, file := range split.Files {
			if !seen[file.Path] {
				seen[file.Path] = true
				download += file.Bytes
			}
		}
	}
	yamlout.Put(item, "splits", splits)
	yamlout.Put(item, "download_size", yamlout.Int(download))
	if sized {
		yamlout.Put(item, "dataset_size", yamlout.Int(size))
	}
	keepOthers(item, old, "dataset_size", "features")
	return item
}

// measured tells whether all files of a config were read as rows. A split without files has not been measured: its
// pattern is wrong, or the files are elsewhere.
func measured(config validate.Config) bool {
	for _, split := range config.Splits {
		if split.Rows == nil || len(split.Files) == 0 {
			return false
		}
	}
	return len(config.Splits) > 0
}

// canonicalInfo is a dataset_info as a list in which every item has its config_name, and features in the spelling that
// hfpub writes, so that what means the same compares as equal.
func canonicalInfo(n *yaml.Node) *yaml.Node {
	items := n.Content
	switch n.Kind {
	case yaml.MappingNode:
		items = []*yaml.Node{n}
	case yaml.ScalarNode:
		return n
	}
	list := yamlout.List()
	for _, item := range items {
		list.Content = append(list.Content, canonicalItem(item))
	}
	return list
}

func canonicalItem(item *yaml.Node) *yaml.Node {
	if item.Kind != yaml.MappingNode {
		return item
	}
	out := yamlout.Map()
	if value(item, "config_name") == nil {
		yamlout.Put(out, "config_name", yamlout.String("default"))
	}
	for k, v := range strictyaml.Pairs(item) {
		if k.Value == "features" {
			v = canonicalFeatures(v)
		}
		out.Content = append(out.Content, k, v)
	}
	return out
}

// canonicalFeatures leaves features as they are that cannot be read, or that some reader could take for others.
func canonicalFeatures(n *yaml.Node) *yaml.Node {
	features, err := column.ParseFeatures(n)
	if err != nil || !unambiguous(n) {
		return n
	}
	return features.YAML()
}

// unambiguous tells whether all keys and names below a node are texts to every reader.
func unambiguous(n *yaml.Node) bool {
	if strictyaml.Ambiguous(n) {
		return false
	}
	for k, v := range strictyaml.Pairs(n) {
		if k.ShortTag() != "!!str" || !unambiguous(k) || !unambiguous(v) {
			return false
		}
	}
	for _, item := range strictyaml.Items(n) {
		if !unambiguous(item) {
			return false
		}
	}
	return true
}
