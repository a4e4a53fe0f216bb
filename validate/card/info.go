package card

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

const (
	infoForm   = "write `dataset_info:` as one mapping, or as a list of mappings with config_name"
	splitsForm = "write a list: `- name: train` with `num_examples: 100` below it"
)

// entry is what dataset_info says of one config.
type entry struct {
	node *yaml.Node
	at   string
	// config is the name as load_dataset reads it, named the node that gives it; nil where it is left out.
	config string
	named  *yaml.Node
}

// datasetInfo judges the form of dataset_info and compares it with what was measured.
func (c *checker) datasetInfo(v *yaml.Node, at string) {
	c.strict(v, at, numberKeys...)
	entries := c.entries(v, at)
	first := map[string]entry{}
	for _, e := range entries {
		if old, twice := first[e.config]; twice {
			c.report(finding.CardDatasetInfo, e.node, e.at, "give each entry a config_name of its own",
				"dataset_info describes config %q twice: load_dataset reads only this entry, not the one on line %d", e.config,
				old.node.Line).Severity = finding.Warning
		}
		first[e.config] = e
	}
	for _, e := range entries {
		if first[e.config].node == e.node {
			c.entry(e)
		}
	}
	c.unknownConfigs(entries)
}

// entries lists what dataset_info says, config by config.
func (c *checker) entries(v *yaml.Node, at string) []entry {
	if v.Kind == yaml.MappingNode {
		return []entry{c.named(v, at)}
	}
	if v.Kind != yaml.SequenceNode {
		c.report(finding.CardDatasetInfo, v, at, infoForm, "dataset_info is %s, expected a mapping or a list of mappings",
			strictyaml.Describe(v))
		return nil
	}
	var entries []entry
	for i, item := range v.Content {
		below := fmt.Sprintf("%s/%d", at, i)
		if item.Kind != yaml.MappingNode {
			c.report(finding.CardDatasetInfo, item, below, infoForm, "item %d of dataset_info is %s, expected a mapping", i+1,
				strictyaml.Describe(item))
			continue
		}
		e := c.named(item, below)
		if e.named == nil && len(v.Content) > 1 {
			c.report(finding.CardDatasetInfo, item, below, "add `config_name:` with the name of the config",
				"item %d of dataset_info has no config_name, which each of several needs", i+1)
		}
		entries = append(entries, e)
	}
	return entries
}

// named reads the name of the config that an item is about.
func (c *checker) named(item *yaml.Node, at string) entry {
	e := entry{node: item, at: at, config: "default"}
	_, e.named = strictyaml.Lookup(item, "config_name")
	if e.named != nil {
		e.config = e.named.Value
		c.plainText(e.named, at+"/config_name", "config_name")
	}
	return e
}

// plainText reports what is no text to anybody; what is one to some readers only has been reported.
func (c *checker) plainText(n *yaml.Node, at, what string) {
	if n.Kind == yaml.ScalarNode && strictyaml.Ambiguous(n) {
		return
	}
	c.text(n, at, what)
}

// unknownConfigs reports entries about configs that the repo does not have. load_dataset takes the only entry for the
// default config where nothing else names one, and fails on a name that no files belong to.
func (c *checker) unknownConfigs(entries []entry) {
	var names []string
	var first *entry
	present := c.names()
	for i, e := range entries {
		if slices.Contains(present, e.config) {
			continue
		}
		if first == nil {
			first = &entries[i]
		}
		names = append(names, e.config)
	}
	if first == nil || len(c.configs) == 0 {
		return
	}
	place, at := first.node, first.at
	if first.named != nil {
		place, at = first.named, first.at+"/config_name"
	}
	if len(entries) == 1 && len(c.repo.Configs) == 1 && c.repo.Configs[0].PosFile == "" {
		hint := fmt.Sprintf("take config_name out, or add a `configs` block that says which files config %q has",
			first.config)
		c.report(finding.CardConfigUnknown, place, at, hint,
			"dataset_info names the config %q, which has no files: load_dataset fails on it",
			first.config).Severity = finding.Error
		return
	}
	hint := "the repo has " + c.configNames() + ": correct the name, or take the entry out"
	if near, ok := nearest.Word(first.config, present); ok {
		hint = "did you mean " + near + "?"
	}
	c.report(finding.CardConfigUnknown, place, at, hint, "dataset_info describes %s not there: %s",
		plural(len(names), "a config that is", "configs that are"), list(names))
}

func (c *checker) names() []string {
	var names []string
	for _, m := range c.measured {
		names = append(names, m.Name)
	}
	return names
}

func (c *checker) configNames() string {
	return plural(len(c.measured), "the config ", "the configs ") + list(c.names())
}

func plural[N int | int64](n N, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// list names a few of many.
func list(names []string) string {
	const most = 5
	shown := make([]string, 0, most+1)
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, quoted(name))
	}
	if more := len(names) - most; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(shown, ", ")
}

// entry judges what dataset_info says of one config.
func (c *checker) entry(e entry) {
	config := c.configs[e.config]
	var declared column.Features
	known := false
	k, features := strictyaml.Lookup(e.node, "features")
	switch {
	case k == nil:
	case strictyaml.IsNull(features):
		c.blank(field{}, k, e.at+"/features")
	default:
		d := declaration{node: features, key: k, at: e.at + "/features", config: e.config}
		declared, known = c.features(d)
		if known && config != nil {
			c.compareFeatures(d, declared, config)
		}
	}
	splits := c.splits(e)
	if config == nil {
		return
	}
	c.compareSplits(e, splits, config)
	c.compareSizes(e, splits, config, k == nil || known && sameFeatures(declared, config.Features))
}

// numberKeys are the keys of dataset_info that hold numbers.
var numberKeys = []string{"num_bytes", "num_examples", "download_size", "dataset_size"}

// splitKeys are the keys that a split may have; load_dataset fails on any other.
var splitKeys = []string{"name", "num_bytes", "num_examples", "shard_lengths", "original_shard_lengths", "dataset_name"}

// splitInfo is what dataset_info says of one split.
type splitInfo struct {
	name string
	node *yaml.Node
	at   string
	// nameNode, examples and bytes are the values of the keys; nil where they are left out.
	nameNode, examples, bytes *yaml.Node
}

// splits reads the splits of an entry. They are nil when there are none to compare.
func (c *checker) splits(e entry) []splitInfo {
	for _, key := range []string{"download_size", "dataset_size"} {
		if _, v := strictyaml.Lookup(e.node, key); v != nil {
			c.number(v, e.at+"/"+key, key)
		}
	}
	k, v := strictyaml.Lookup(e.node, "splits")
	at := e.at + "/splits"
	switch {
	case k == nil:
		return nil
	case strictyaml.IsNull(v):
		c.blank(field{}, k, at)
		return nil
	case v.Kind != yaml.SequenceNode:
		c.report(finding.CardDatasetInfo, v, at, splitsForm, "splits is %s, expected a list", strictyaml.Describe(v))
		return nil
	}
	splits := []splitInfo{}
	lines := map[string]int{}
	for i, item := range v.Content {
		s, ok := c.split(item, fmt.Sprintf("%s/%d", at, i), i)
		if !ok {
			continue
		}
		if line, twice := lines[s.name]; twice {
			c.report(finding.CardDatasetInfo, item, s.at, "keep one of the two",
				"split %q stands twice, first on line %d: load_dataset fails", s.name, line)
			continue
		}
		lines[s.name] = item.Line
		splits = append(splits, s)
	}
	return splits
}

func (c *checker) split(item *yaml.Node, at string, i int) (splitInfo, bool) {
	if item.Kind != yaml.MappingNode {
		c.report(finding.CardDatasetInfo, item, at, splitsForm, "item %d of splits is %s, expected a mapping", i+1,
			strictyaml.Describe(item))
		return splitInfo{}, false
	}
	s := splitInfo{node: item, at: at}
	for k, v := range strictyaml.Pairs(item) {
		below := at + "/" + strictyaml.Escape(k.Value)
		switch k.Value {
		case "name":
			s.nameNode, s.name = v, v.Value
			c.plainText(v, below, "the name of a split")
		case "num_examples":
			s.examples = v
			c.number(v, below, k.Value)
		case "num_bytes":
			s.bytes = v
			c.number(v, below, k.Value)
		default:
			c.splitKey(k, below)
		}
	}
	if s.nameNode == nil {
		c.report(finding.CardDatasetInfo, item, at, splitsForm, "item %d of splits has no name", i+1)
		return s, false
	}
	return s, true
}

func (c *checker) splitKey(k *yaml.Node, at string) {
	if slices.Contains(splitKeys, k.Value) {
		return
	}
	hint := "take it out; known are name, num_bytes and num_examples"
	if near, ok := nearest.Word(k.Value, splitKeys); ok {
		hint = "did you mean " + near + "?"
	}
	c.report(finding.CardDatasetInfo, k, at, hint, "key %q of a split: load_dataset knows none of that name and fails",
		k.Value)
}

// number judges a value that is a whole number to every reader.
func (c *checker) number(n *yaml.Node, at, name string) {
	value, ok := wholeNumber(n)
	switch {
	case n.Kind == yaml.ScalarNode && strictyaml.Ambiguous(n):
		c.ambiguous(n, at, "write it in plain digits", name)
	case !ok || value < 0:
		c.report(finding.CardDatasetInfo, n, at, "write it in plain digits, without quotes",
			"%s is %s, expected a whole number", name, strictyaml.Describe(n))
	}
}

// wholeNumber reads a whole number that every reader takes for the same. The datasets library has written some with a
// point: 96.0.
func wholeNumber(n *yaml.Node) (int64, bool) {
	if n.Kind != yaml.ScalarNode || strictyaml.Ambiguous(n) {
		return 0, false
	}
	if strictyaml.Type12(n) != strictyaml.Float {
		return strictyaml.Int(n)
	}
	value, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || value != math.Trunc(value) || math.Abs(value) > 1<<53 {
		return 0, false
	}
	return int64(value), true
}
