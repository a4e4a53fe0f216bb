package release

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// The forms that the loader takes, for hints.
const (
	configsForm   = "write `configs:` as a list of mappings, each with config_name and data_files"
	dataFilesForm = "write a path, a list of paths, or a list of `- split: train` with `path: data/train.jsonl` each"
)

// cardReader reads the configs of a card as load_dataset does and reports what load_dataset refuses.
type cardReader struct {
	file     string
	tree     tree
	findings []finding.Finding
	// detected are the splits found by the names of files, by folder.
	detected map[string][]Split
}

// detect finds the splits below a folder by the names of files. Many configs may ask for the same folder.
func (r *cardReader) detect(base string) []Split {
	splits, known := r.detected[base]
	if !known {
		var findings []finding.Finding
		splits, findings = r.tree.detect(base)
		r.findings = append(r.findings, findings...)
		if r.detected == nil {
			r.detected = map[string][]Split{}
		}
		r.detected[base] = splits
	}
	return slices.Clone(splits)
}

func (r *cardReader) fault(n *yaml.Node, at, hint, format string, args ...any) *finding.Finding {
	f := finding.New(finding.CardConfigs, format, args...).AtColumn(r.file, n.Line, n.Column).In(at)
	f.Hint = hint
	r.findings = append(r.findings, f)
	return &r.findings[len(r.findings)-1]
}

// configs reads the list of configs. present is false where there is none, and the names of files decide.
func (r *cardReader) configs(list *yaml.Node) (configs []Config, present bool) {
	const at = "/configs"
	if strictyaml.IsNull(list) {
		r.fault(list, at, "take the key out, or list the configs", "configs has no value")
		return nil, false
	}
	if list.Kind != yaml.SequenceNode {
		r.fault(list, at, configsForm, "configs is %s, expected a list", strictyaml.Describe(list))
		return nil, false
	}
	places := map[string]int{}
	for i, item := range list.Content {
		pointer := at + "/" + strconv.Itoa(i)
		if item.Kind != yaml.MappingNode {
			r.fault(item, pointer, configsForm, "config %d is %s, expected a mapping with config_name and data_files",
				i+1, strictyaml.Describe(item))
			continue
		}
		config := r.config(item, i, pointer)
		if old, twice := places[config.Name]; twice && config.Name != "" {
			r.fault(item, pointer, "give each config a name of its own",
				"config %q stands twice: load_dataset reads only this one, not the one on line %d",
				config.Name, configs[old].Pos.Line).Severity = finding.Warning
			configs[old] = config
			continue
		}
		places[config.Name] = len(configs)
		configs = append(configs, config)
	}
	r.checkDefaults(configs)
	return configs, len(list.Content) > 0
}

func (r *cardReader) config(item *yaml.Node, i int, at string) Config {
	c := Config{Name: r.configName(item, i, at), Node: item, PosFile: r.file, Pos: Pos{item.Line, item.Column}}
	if _, v := strictyaml.Lookup(item, "default"); v != nil && !strictyaml.IsNull(v) {
		c.Default = r.isDefault(v, at+"/default")
	}
	if _, v := strictyaml.Lookup(item, "features"); v != nil && !strictyaml.IsNull(v) {
		c.Features = v
	}
	if _, v := strictyaml.Lookup(item, "field"); v != nil && !strictyaml.IsNull(v) {
		if key, ok := r.text(v, at+"/field", "field"); ok {
			c.Field = &key
		}
	}
	base, ok := r.dataDir(item, at)
	_, files := strictyaml.Lookup(item, "data_files")
	switch {
	case !ok:
	case files == nil || strictyaml.IsNull(files):
		c.Splits = r.detect(base)
		for j := range c.Splits {
			c.Splits[j].PosFile, c.Splits[j].Pos = r.file, c.Pos
		}
	default:
		c.Splits = r.dataFiles(files, base, at+"/data_files")
	}
	return c
}

func (r *cardReader) configName(item *yaml.Node, i int, at string) string {
	k, v := strictyaml.Lookup(item, "config_name")
	if k == nil {
		f := r.fault(item, at, "add `config_name: default`, or another name", "config %d has no config_name", i+1)
		for key := range strictyaml.Pairs(item) {
			if _, near := nearest.Word(key.Value, []string{"config_name"}); near || key.Value == "name" {
				f.Hint = fmt.Sprintf("write config_name instead of %s", key.Value)
			}
		}
		return ""
	}
	name, ok := r.text(v, at+"/config_name", "config_name")
	if !ok {
		return v.Value
	}
	if fault := checkConfigName(name); fault != "" {
		r.fault(v, at+"/config_name", "choose a name of letters, digits, -, _ and .",
			"config name %q is refused by load_dataset: %s", name, fault)
	}
	return name
}

// isDefault reads `default: true`. YAML 1.1, which Python reads, has more words for it.
func (r *cardReader) isDefault(v *yaml.Node, at string) bool {
	if value, ok := strictyaml.Bool(v); ok {
		return value
	}
	if strictyaml.Type11(v) != strictyaml.Boolean {
		r.fault(v, at, "write `default: true` for one config", "default is %s, expected true or false",
			strictyaml.Describe(v))
		return false
	}
	switch strings.ToLower(v.Value) {
	case "yes", "on":
		return true
	}
	return false
}

// dataDir gives the folder that a config's patterns are relative to, "" for the repo's root.
func (r *cardReader) dataDir(item *yaml.Node, at string) (dir string, ok bool) {
	_, v := strictyaml.Lookup(item, "data_dir")
	if v == nil || strictyaml.IsNull(v) {
		return "", true
	}
	dir, ok = r.text(v, at+"/data_dir", "data_dir")
	if !ok {
		return "", false
	}
	if err := checkLocal(dir); err != nil {
		r.fault(v, at+"/data_dir", "name a folder of this repo", "data_dir %q cannot be used: %v", dir, err)
		return "", false
	}
	if dir = path.Clean(dir); dir == "." {
		return "", true
	}
	return dir, true
}

// dataFiles reads the files of a config in any of the forms that the loader takes.
func (r *cardReader) dataFiles(n *yaml.Node, base, at string) []Split {
	switch n.Kind {
	case yaml.ScalarNode:
		return []Split{r.split("train", n, n, base, at)}
	case yaml.MappingNode:
		r.fault(n, at, dataFilesForm,
			"data_files is a mapping, expected a path, a list of paths or a list of split and path")
		return r.splitsOfMapping(n, base, at)
	}
	items := strictyaml.Items(n)
	if len(items) == 0 {
		r.fault(n, at, dataFilesForm, "data_files is an empty list")
		return nil
	}
	mappings := 0
	for _, item := range items {
		if item.Kind == yaml.MappingNode {
			mappings++
		}
	}
	if mappings == 0 {
		return []Split{r.split("train", n, n, base, at)}
	}
	return r.splits(items, base, at)
}

// splitsOfMapping reads {train: path}, which the loader refuses, for what is meant, so that the files are checked all the same.
func (r *cardReader) splitsOfMapping(n *yaml.Node, base, at string) []Split {
	var splits []Split
	for k, v := range strictyaml.Pairs(n) {
		splits = append(splits, r.split(k.Value, k, v, base, at+"/"+strictyaml.Escape(k.Value)))
	}
	return splits
}

func (r *cardReader) splits(items []*yaml.Node, base, at string) []Split {
	var splits []Split
	first := map[string]int{}
	for i, item := range items {
		pointer := at + "/" + strconv.Itoa(i)
		if item.Kind != yaml.MappingNode {
			r.fault(item, pointer, dataFilesForm, "data_files mixes paths with split and path: item %d is %s", i+1,
				strictyaml.Describe(item))
			continue
		}
		name, files := r.checkItem(item, pointer)
		if files == nil {
			continue
		}
		if line, twice := first[name]; twice {
			r.fault(item, pointer, "list all paths of a split in one `path:`",
				"split %q stands twice in one config, first on line %d", name, line)
			continue
		}
		first[name] = item.Line
		splits = append(splits, r.split(name, item, files, base, pointer+"/path"))
	}
	return splits
}

// checkItem reads one item of data_files, a mapping with exactly the keys split and path. files is nil where the item
// cannot be used.
func (r *cardReader) checkItem(item *yaml.Node, at string) (name string, files *yaml.Node) {
	for k := range strictyaml.Pairs(item) {
		if k.Value == "split" || k.Value == "path" {
			continue
		}
		hint := dataFilesForm
		if near, ok := nearest.Word(k.Value, []string{"split", "path"}); ok {
			hint = fmt.Sprintf("did you mean %s?", near)
		}
		r.fault(k, at+"/"+strictyaml.Escape(k.Value), hint,
			"key %q in data_files: load_dataset takes split and path only", k.Value)
	}
	_, split := strictyaml.Lookup(item, "split")
	_, files = strictyaml.Lookup(item, "path")
	if split == nil || files == nil {
		missing := "split"
		if split != nil {
			missing = "path"
		}
		r.fault(item, at, dataFilesForm, "item of data_files has no %s", missing)
	}
	if split == nil {
		return "", nil
	}
	name, ok := r.text(split, at+"/split", "split")
	if !ok {
		return split.Value, files
	}
	if fault := checkSplitName(name); fault != "" {
		r.fault(split, at+"/split", fmt.Sprintf("call it %s", mendSplitName(name)),
			"split name %q is refused by load_dataset: %s", name, fault)
	}
	return name, files
}

// split reads the paths of one split and finds their files.
func (r *cardReader) split(name string, at, paths *yaml.Node, base, pointer string) Split {
	s := Split{Name: name, PosFile: r.file, Pos: Pos{at.Line, at.Column}}
	items, below := []*yaml.Node{paths}, func(int) string { return pointer }
	if paths.Kind == yaml.SequenceNode {
		items, below = paths.Content, func(i int) string { return pointer + "/" + strconv.Itoa(i) }
	}
	if len(items) == 0 {
		r.fault(paths, pointer, dataFilesForm, "split %q has no path", name)
	}
	var globs []glob
	for i, item := range items {
		pattern, ok := r.text(item, below(i), "path")
		if !ok {
			continue
		}
		g, err := compileGlob(pattern)
		if err != nil {
			r.badPattern(item, below(i), pattern, err)
			continue
		}
		if base != "" {
			pattern = literal(base) + "/" + g.pattern
			g = compileAll("", literal(base)+"/"+g.pattern)[0]
		}
		globs = append(globs, g)
		s.Patterns = append(s.Patterns, pattern)
		s.PatternPos = append(s.PatternPos, Pos{item.Line, item.Column})
	}
	s.Files = r.tree.data(globs)
	return s
}

// badPattern reports a pattern that cannot be matched. An address is fine for the loader, and only beyond hfpub.
func (r *cardReader) badPattern(n *yaml.Node, at, pattern string, err error) {
	f := r.fault(n, at, "name files of this repo, relative to its root", "path %q cannot be used: %v", pattern, err)
	if strings.Contains(pattern, "://") {
		f.Severity = finding.Warning
	}
}

// checkDefaults reports two configs that both claim to be the default.
func (r *cardReader) checkDefaults(configs []Config) {
	if len(configs) < 2 {
		return
	}
	first := -1
	for i, c := range configs {
		if c.Name != "default" && !c.Default {
			continue
		}
		if first >= 0 {
			f := finding.New(finding.CardConfigs, "two default configs, %q and %q: load_dataset refuses both",
				configs[first].Name, c.Name)
			r.findings = append(r.findings, f.AtColumn(r.file, c.Pos.Line, c.Pos.Column).
				Hinting("keep `default: true` on one config only; a config named default counts as one"))
			return
		}
		first = i
	}
}

// text gives the text of a value that must be text to Python's YAML 1.1 reader too.
func (r *cardReader) text(n *yaml.Node, at, what string) (string, bool) {
	if n.Kind == yaml.ScalarNode && strictyaml.Type11(n) == strictyaml.Text {
		return n.Value, true
	}
	hint := fmt.Sprintf("write %s as text", what)
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		hint = fmt.Sprintf("put quotes around it: %q", n.Value)
	}
	found := strictyaml.Describe(n)
	if n.Kind == yaml.ScalarNode && strictyaml.Ambiguous(n) {
		found = fmt.Sprintf("%s, which Python's YAML reader takes for a %s", n.Value, strictyaml.Type11(n))
	}
	r.fault(n, at, hint, "%s is %s, expected text", what, found)
	return "", false
}
