package cards

import (
	"regexp"
	"slices"
	"strconv"
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
		yamlout.Put(item, "data_files", dataFiles(&in.Repo, config.Splits))
		keepOthers(item, named(present, config.Name), drop...)
		list.Content = append(list.Content, item)
	}
	return list
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

// Patterns are what the card of a plain folder says of the files of a split: one pattern for a whole set of shards, as
// `data/train-*.jsonl`, else every path.
func Patterns(repo *release.Repo, files []string) []string {
	if pattern, ok := ofShards(repo, files); ok {
		return []string{pattern}
	}
	return literal(files)
}

// shardName is the name of one file of a set: what all have in common, its index, their number, and the extension.
var shardName = regexp.MustCompile(`^(.+-)(\d+)-of-(\d+)(\.[\w.]+)$`)

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
