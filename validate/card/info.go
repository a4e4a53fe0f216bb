package card

import (
	"fmt"
	"slices"
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
	for i, e := range entries {
		if slices.ContainsFunc(c.measured, func(m Config) bool { return m.Name == e.config }) {
			continue
		}
		if first == nil {
			first = &entries[i]
		}
		names = append(names, e.config)
	}
	if first == nil || !slices.ContainsFunc(c.measured, func(m Config) bool { return c.config(m.Name) != nil }) {
		return
	}
	place, at := first.node, first.at
	if first.named != nil {
		place, at = first.named, first.at+"/config_name"
	}
	if len(entries) == 1 && len(c.measured) == 1 && c.repo.Configs[0].PosFile == "" {
		c.report(finding.CardConfigUnknown, place, at, "take config_name out, or add a `configs` block that says which files config "+
			quoted(first.config)+" has", "dataset_info names the config %q, which has no files: load_dataset fails on it",
			first.config).Severity = finding.Error
		return
	}
	hint := "the repo has " + c.configNames() + ": correct the name, or take the entry out"
	if near, ok := nearest.Word(first.config, c.names()); ok {
		hint = "did you mean " + near + "?"
	}
	c.report(finding.CardConfigUnknown, place, at, hint, "dataset_info describes %s that %s not there: %s", plural(len(names), "a config", "configs"),
		plural(len(names), "is", "are"), list(names))
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
	config := c.config(e.config)
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
			c.report(finding.CardDatasetInfo, item, s.at, "keep one of the two", "split %q stands twice, first on line %d: load_dataset fails",
				s.name, line)
			continue
		}
		lines[s.name] = item.Line
		splits = append(splits, s)
	}
	return splits
}

func (c *checker) split(item *yaml.Node, at string, i int) (splitInfo, bool) {
	if item.Kind != yaml.MappingNode {
		c.report(finding.CardDatasetInfo, item, at, splitsForm, "item %d of splits is %s, expected a mapping", i+1, strictyaml.Describe(item))
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
	c.report(finding.CardDatasetInfo, k, at, hint, "key %q of a split: load_dataset knows none of that name and fails", k.Value)
}

// number judges a value that is a number in plain digits to every reader.
func (c *checker) number(n *yaml.Node, at, name string) {
	value, ok := strictyaml.Int(n)
	switch {
	case n.Kind == yaml.ScalarNode && strictyaml.Ambiguous(n):
		c.ambiguous(n, at, "write it in plain digits", name)
	case !ok || value < 0:
		c.report(finding.CardDatasetInfo, n, at, "write it in plain digits, without quotes", "%s is %s, expected a number", name,
			strictyaml.Describe(n))
	}
}

// compareSplits holds the splits of an entry against those that have files. load_dataset does the same, and fails when names
// or row counts differ.
func (c *checker) compareSplits(e entry, splits []splitInfo, config *Config) {
	if splits == nil {
		return
	}
	var listed []string
	for _, s := range splits {
		listed = append(listed, s.name)
		measured := config.split(s.name)
		if measured == nil {
			c.splitWithoutData(e, s, config)
			continue
		}
		c.compareExamples(e, s, measured)
	}
	k, _ := strictyaml.Lookup(e.node, "splits")
	for _, split := range config.Splits {
		if len(split.Files) == 0 || slices.Contains(listed, split.Name) {
			continue
		}
		f := c.report(finding.CardSplitsDiffer, k, e.at+"/splits", "list it, or let `hfpub card` write dataset_info anew",
			"split %q has data%s and is not listed in dataset_info: load_dataset fails", split.Name, inRows(split.Rows))
		*f = f.OfSplit(e.config, split.Name)
	}
}

func inRows(rows *int64) string {
	if rows == nil {
		return ""
	}
	return fmt.Sprintf(" (%d %s)", *rows, plural(*rows, "row", "rows"))
}

func (c *checker) splitWithoutData(e entry, s splitInfo, config *Config) {
	hint := "take it out, or let `hfpub card` write dataset_info anew"
	var names []string
	for _, split := range config.Splits {
		names = append(names, split.Name)
	}
	if near, ok := nearest.Word(s.name, names); ok && near != s.name {
		hint = "did you mean " + near + "?"
	}
	f := c.report(finding.CardSplitsDiffer, s.nameNode, s.at+"/name", hint,
		"dataset_info lists split %q, to which no data belongs: load_dataset fails", s.name)
	*f = f.OfSplit(e.config, s.name)
}

// compareExamples holds num_examples against the rows; load_dataset takes a missing one for 0.
func (c *checker) compareExamples(e entry, s splitInfo, measured *Split) {
	if measured.Rows == nil || len(measured.Files) == 0 {
		return
	}
	rows := *measured.Rows
	if s.examples == nil && rows != 0 {
		f := c.report(finding.CardNumExamples, s.node, s.at, fmt.Sprintf("add `num_examples: %d`", rows),
			"split %q has %d rows and no num_examples: load_dataset takes that for 0 and fails", s.name, rows)
		*f = f.OfSplit(e.config, s.name)
	}
	if s.examples == nil {
		return
	}
	said, ok := strictyaml.Int(s.examples)
	if !ok || said == rows || strictyaml.Ambiguous(s.examples) {
		return
	}
	f := c.report(finding.CardNumExamples, s.examples, s.at+"/num_examples", fmt.Sprintf("write %d; `hfpub card` does it", rows),
		"split %q: num_examples says %d, found %d rows (difference %+d): load_dataset fails", s.name, said, rows, rows-said)
	*f = f.OfSplit(e.config, s.name)
}

// compareSizes holds the sizes in bytes against what was measured. Sizes in memory depend on the features, so they are
// compared only where the card has none or the same.
func (c *checker) compareSizes(e entry, splits []splitInfo, config *Config, sameTypes bool) {
	var total int64
	sized := sameTypes
	for _, split := range config.Splits {
		if split.NumBytes == nil || len(split.Files) == 0 {
			sized = false
			continue
		}
		total += *split.NumBytes
	}
	for _, s := range splits {
		if measured := config.split(s.name); sameTypes && measured != nil && measured.NumBytes != nil && s.bytes != nil {
			f := c.compareBytes(s.bytes, s.at+"/num_bytes", fmt.Sprintf("num_bytes of split %q", s.name), *measured.NumBytes)
			if f != nil {
				*f = f.OfSplit(e.config, s.name)
			}
		}
	}
	_, size := strictyaml.Lookup(e.node, "dataset_size")
	if size != nil && sized {
		c.compareBytes(size, e.at+"/dataset_size", "dataset_size", total)
	}
	_, download := strictyaml.Lookup(e.node, "download_size")
	if files, ok := config.fileBytes(); download != nil && ok {
		c.compareBytes(download, e.at+"/download_size", "download_size", files)
	}
}

func (c *checker) compareBytes(n *yaml.Node, at, what string, found int64) *finding.Finding {
	said, ok := strictyaml.Int(n)
	if !ok || said == found || strictyaml.Ambiguous(n) {
		return nil
	}
	return c.report(finding.CardBytesDiffer, n, at, fmt.Sprintf("write %d; `hfpub card` does it", found),
		"%s says %d, found %d (difference %+d)", what, said, found, found-said)
}

func (m *Config) split(name string) *Split {
	for i := range m.Splits {
		if m.Splits[i].Name == name {
			return &m.Splits[i]
		}
	}
	return nil
}

// fileBytes sums the sizes of the config's files, each counted once; false when some split could not be read.
func (m *Config) fileBytes() (int64, bool) {
	var total int64
	seen := map[string]bool{}
	for _, split := range m.Splits {
		if split.Rows == nil || len(split.Files) == 0 {
			return 0, false
		}
		for _, file := range split.Files {
			if !seen[file.Path] {
				seen[file.Path] = true
				total += file.Bytes
			}
		}
	}
	return total, true
}
