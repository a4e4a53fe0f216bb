package cards

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/release"
)

// configs is the block that tells the loader which files belong to which split. The configs of a plain folder come from
// the block itself where it has one, so that it stays as it is. Parameters that people added to a config stay in it, but
// for data_dir, which would move the paths.
func configs(in *Input, present *yaml.Node) *yaml.Node {
	if len(in.Repo.Configs) == 0 || present != nil && !in.Repo.Declared {
		return nil
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
		yamlout.Put(item, "data_files", dataFiles(in.Repo.Declared, config.Splits))
		keepOthers(item, named(present, config.Name), drop...)
		list.Content = append(list.Content, item)
	}
	return list
}

func dataFiles(declared bool, splits []release.Split) *yaml.Node {
	list := yamlout.List()
	for _, split := range splits {
		paths := split.Patterns
		if !declared {
			paths = literal(split.Files)
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
