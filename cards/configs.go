package cards

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate"
)

// configs is the block that tells the loader which files belong to which split. The configs of a plain folder come from
// the block itself where it has one, so that it stays as it is, but for what tells the CSV reader how to read. Parameters that
// people added to a config stay in it, but for data_dir, which would move the paths.
func configs(in *Input, present *yaml.Node) *yaml.Node {
	switch {
	case len(in.Repo.Configs) == 0:
		return nil
	case present != nil && !in.Repo.Declared:
		return advisedConfigs(in, present)
	}
	drop := []string{"data_dir"}
	if slices.ContainsFunc(in.Repo.Configs, func(c release.Config) bool { return c.Default }) {
		drop = append(drop, "default")
	}
	list := yamlout.List()
	for i := range in.Repo.Configs {
		config := &in.Repo.Configs[i]
		item := yamlout.Map()
		yamlout.Put(item, "config_name", yamlout.String(config.Name))
		if config.Default && len(in.Repo.Configs) > 1 {
			yamlout.Put(item, "default", yamlout.True())
		}
		old := named(present, config.Name)
		files := dataFiles(&in.Repo, config.Splits)
		if said := value(old, "data_files"); said != nil && value(old, "data_dir") == nil && yamlout.Same(canonicalFiles(said), canonicalFiles(files)) {
			files = said
		}
		yamlout.Put(item, "data_files", files)
		keepOthers(item, old, append(advise(item, old, in.measured(config.Name)), drop...)...)
		list.Content = append(list.Content, item)
	}
	return list
}

// advisedConfigs is the block of a plain folder with what the reader should be told of each config; nil where that is so.
func advisedConfigs(in *Input, present *yaml.Node) *yaml.Node {
	list := yamlout.List()
	changed := false
	for _, old := range strictyaml.Items(present) {
		name := value(old, "config_name")
		if old.Kind != yaml.MappingNode || name == nil {
			list.Content = append(list.Content, old)
			continue
		}
		told := yamlout.Map()
		drop := advise(told, old, in.measured(name.Value))
		item := yamlout.Map()
		for k, v := range strictyaml.Pairs(old) {
			if !slices.Contains(drop, k.Value) && value(told, k.Value) == nil {
				item.Content = append(item.Content, k, v)
			}
		}
		item.Content = append(item.Content, told.Content...)
		changed = changed || !yamlout.Same(canonicalItem(old), canonicalItem(item))
		list.Content = append(list.Content, item)
	}
	if !changed {
		return nil
	}
	return list
}

// measured finds what was measured of a config; nil where it could not be.
func (in *Input) measured(name string) *validate.Config {
	for i := range in.Measured.Configs {
		if config := &in.Measured.Configs[i]; config.Name == name && measured(*config) {
			return config
		}
	}
	return nil
}

// advise puts into a config what its reader should be told, and returns the keys that should go. Features in the config take
// the place of those of dataset_info, and the CSV reader knows them before it parses.
func advise(item, old *yaml.Node, config *validate.Config) (drop []string) {
	if config == nil || len(config.Features) == 0 {
		return nil
	}
	if config.AdviseMissing {
		yamlout.Put(item, "keep_default_na", yamlout.False())
		yamlout.Put(item, "na_values", yamlout.List(yamlout.String("")))
	}
	if !config.AdviseOwn {
		return []string{"features"}
	}
	features := config.Features.YAML()
	if said := value(old, "features"); said != nil && yamlout.Same(canonicalFeatures(said), features) {
		features = said
	}
	yamlout.Put(item, "features", features)
	return nil
}

func dataFiles(repo *release.Repo, splits []release.Split) *yaml.Node {
	list := yamlout.List()
	for _, split := range splits {
		paths := split.Patterns
		if !repo.Declared {
			paths = Patterns(repo, split.Files)
		}
		item := yamlout.Map()
		yamlout.Put(item, "split", yamlout.String(split.Name))
		if len(paths) == 1 {
			yamlout.Put(item, "path", yamlout.String(paths[0]))
		} else {
			yamlout.Put(item, "path", yamlout.Strings(paths))
		}
		list.Content = append(list.Content, item)
	}
	return list
}

// canonicalFiles writes data_files in one of the forms that mean the same to the loader: a list of splits with a list of paths each.
func canonicalFiles(files *yaml.Node) *yaml.Node {
	paths := func(n *yaml.Node) *yaml.Node {
		if n.Kind == yaml.ScalarNode {
			return yamlout.List(n)
		}
		return n
	}
	items := strictyaml.Items(files)
	if files.Kind == yaml.ScalarNode || len(items) > 0 && !slices.ContainsFunc(items, func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode }) {
		train := yamlout.Map()
		yamlout.Put(train, "split", yamlout.String("train"))
		yamlout.Put(train, "path", paths(files))
		return yamlout.List(train)
	}
	out := yamlout.List()
	for _, item := range items {
		if item.Kind != yaml.MappingNode {
			return files
		}
		same := yamlout.Map()
		for k, v := range strictyaml.Pairs(item) {
			if k.Value == "path" {
				v = paths(v)
			}
			same.Content = append(same.Content, k, v)
		}
		out.Content = append(out.Content, same)
	}
	return out
}

// Patterns are what the card of a plain folder says of the files of a split: one pattern for a whole set of shards, as
// `data/train-*.jsonl`, else every path.
func Patterns(repo *release.Repo, files []string) []string {
	if pattern, ok := ofShards(repo, files); ok {
		return []string{pattern}
	}
	return literal(files)
}

// shardName is the name of one file of a set: what all have in common, its index, their number, and the extension.
var shardName = lazyregexp.New(`^(.+-)(\d+)-of-(\d+)(\.[\w.]+)$`)

// ofShards finds the pattern that matches these files and no other one of the repo, if they are a set of shards with
// nothing missing, in its order.
func ofShards(repo *release.Repo, files []string) (string, bool) {
	var prefix, suffix string
	for i, file := range files {
		m := shardName.FindStringSubmatch(file)
		if m == nil || i > 0 && (m[1] != prefix || m[4] != suffix) {
			return "", false
		}
		index, _ := strconv.Atoi(m[2])
		total, _ := strconv.Atoi(m[3])
		if index != i || total != len(files) {
			return "", false
		}
		prefix, suffix = m[1], m[4]
	}
	others := slices.ContainsFunc(repo.Tree, func(f release.TreeFile) bool {
		rest, ok := strings.CutPrefix(f.Path, prefix)
		return ok && strings.HasSuffix(rest, suffix) && !strings.Contains(rest, "/") && !slices.Contains(files, f.Path)
	})
	if len(files) < 2 || others || strings.ContainsAny(prefix, "*?[") || !slices.IsSorted(files) {
		return "", false
	}
	return prefix + "*" + suffix, true
}

// literal writes paths as patterns that match nothing else: a bracket or star in a name stands in brackets.
func literal(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		if strings.ContainsAny(path, "*?[") {
			path = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path)
		}
		out[i] = path
	}
	return out
}
