package card

import (
	"encoding/json"
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

// declaration is a list of features in a file.
type declaration struct {
	// node is the list, key the key `features` where it is known.
	node, key *yaml.Node
	at        string
	config    string
	// own says that the features stand in the config itself, where the CSV reader sees them; shadowed that such features
	// take the place of these.
	own, shadowed bool
}

// configFeatures judges the features that configs declare, in README.md or hfpub.yaml, and compares them with the data.
func (c *checker) configFeatures() {
	_, configs := c.matter.Get("configs")
	for i, item := range strictyaml.Items(configs) {
		k, v := strictyaml.Lookup(item, "features")
		if k == nil || strictyaml.IsNull(v) {
			continue
		}
		at := fmt.Sprintf("/configs/%d/features", i)
		c.declared(declaration{node: v, key: k, at: at, config: configName(item), own: true})
	}
	for _, config := range c.repo.Configs {
		if config.Features == nil || config.PosFile == readme || config.PosFile == hubYAML {
			continue
		}
		c.file = config.PosFile
		c.declared(declaration{node: config.Features, config: config.Name, own: true})
		c.file = readme
	}
}

func configName(item *yaml.Node) string {
	_, v := strictyaml.Lookup(item, "config_name")
	if v == nil {
		return ""
	}
	return v.Value
}

// declared judges features that a config declares.
func (c *checker) declared(d declaration) {
	c.strict(d.node, d.at)
	declared, ok := c.features(d)
	if measured := c.configs[d.config]; ok && measured != nil {
		c.compareFeatures(d, declared, measured)
	}
}

// features reads a list of features and reports what the loader, or the Hub, does not take.
func (c *checker) features(d declaration) (column.Features, bool) {
	declared, err := column.ParseFeatures(d.node)
	var fault *column.FeatureError
	if errors.As(err, &fault) {
		f := finding.New(finding.CardFeatures, "%s", fault.Reason).AtColumn(c.file, fault.Line, fault.Column)
		f = f.In(pointerTo(d.node, d.at, fault.Line, fault.Column))
		c.found = append(c.found,
			f.Hinting("write `- name: id` with `dtype: string` below it; `hfpub stats` prints the features of the data"))
		return nil, false
	}
	c.featureNames(d.node, d.at)
	return declared, true
}

// pointerTo finds the value at a place below a node; the node's own pointer where there is none.
func pointerTo(n *yaml.Node, at string, line, column int) string {
	if found, ok := search(n, at, line, column); ok {
		return found
	}
	return at
}

func search(n *yaml.Node, at string, line, column int) (string, bool) {
	if n.Line == line && n.Column == column && n.Kind != yaml.SequenceNode {
		return at, true
	}
	for k, v := range strictyaml.Pairs(n) {
		below := at + "/" + strictyaml.Escape(k.Value)
		if k.Line == line && k.Column == column {
			return below, true
		}
		if found, ok := search(v, below, line, column); ok {
			return found, true
		}
	}
	for i, item := range strictyaml.Items(n) {
		if found, ok := search(item, fmt.Sprintf("%s/%d", at, i), line, column); ok {
			return found, true
		}
	}
	return "", false
}

// featureNames reports names that are no text, and label ids that the Hub refuses because they are not.
func (c *checker) featureNames(n *yaml.Node, at string) {
	for k, v := range strictyaml.Pairs(n) {
		below := at + "/" + strictyaml.Escape(k.Value)
		switch {
		case k.Value == "name" && v.Kind == yaml.ScalarNode:
			c.featureName(v, below)
		case k.Value == "class_label":
			c.labelIDs(v, below)
		default:
			c.featureNames(v, below)
		}
	}
	for i, item := range strictyaml.Items(n) {
		c.featureNames(item, fmt.Sprintf("%s/%d", at, i))
	}
}

func (c *checker) featureName(n *yaml.Node, at string) {
	if strictyaml.Ambiguous(n) || strictyaml.Type11(n) == strictyaml.Text {
		return
	}
	c.report(finding.CardFeatures, n, at, "put quotes around it: "+quoted(n.Value),
		"the name of a feature is %s, expected a text",
		strictyaml.Describe(n))
}

// labelIDs reports the first label id of a class_label that is a number without quotes.
func (c *checker) labelIDs(label *yaml.Node, at string) {
	_, names := strictyaml.Lookup(label, "names")
	for k := range strictyaml.Pairs(names) {
		if strictyaml.Type12(k) == strictyaml.Text {
			continue
		}
		c.report(finding.CardFeatures, k, at+"/names/"+strictyaml.Escape(k.Value),
			fmt.Sprintf("put quotes around the ids: '%s'", k.Value),
			"a label id is the number %s, expected a text in quotes: the Hub refuses it",
			k.Value)
		return
	}
}

// sameFeatures tells whether two lists have the same columns and types in the same order.
func sameFeatures(a, b column.Features) bool { return encoded(a) == encoded(b) }

// encoded is the one way in which features are written; texts of JSON compare well.
func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// offer shows the features that fit the data, in the flow form of YAML.
func offer(fitting column.Features) string {
	const advice = "`hfpub card` writes the features that fit"
	if text := encoded(fitting); len(text) <= maxOffer {
		return advice + ": features: " + text
	}
	return advice
}

// maxOffer is up to how many bytes of features a hint shows.
const maxOffer = 1000

// compareFeatures holds declared features against the columns of the data.
func (c *checker) compareFeatures(d declaration, declared column.Features, config *Config) {
	if len(config.Inferred) == 0 {
		return
	}
	own := c.own(config.Name)
	d.shadowed = !d.own && own != nil
	if d.shadowed && sameFeatures(declared, own) {
		return // those of the config have been compared
	}
	problems := fit(declared, config, d.own)
	if len(problems) > 0 && problems[0].severity != finding.Note {
		problems[0].hint += "; " + offer(config.Inferred)
	}
	for _, p := range problems {
		n, at := d.place(p.index)
		f := c.report(finding.CardFeaturesDiffer, n, at, p.hint, "%s", p.message)
		f.Severity = p.severity
		if d.shadowed && f.Severity == finding.Error {
			f.Severity = finding.Warning
		}
		f.Config = d.config
	}
}

// own are the features that a config of README.md has, which the loader takes instead of those of dataset_info; nil when it has
// none.
func (c *checker) own(name string) column.Features {
	_, features := strictyaml.Lookup(c.items[name], "features")
	if features == nil || strictyaml.IsNull(features) {
		return nil
	}
	list, err := column.ParseFeatures(features)
	if err != nil {
		return column.Features{}
	}
	return list
}

// place is where a problem with one of the features is; that of the whole list for a feature that is missing.
func (d declaration) place(index int) (*yaml.Node, string) {
	items := strictyaml.Items(d.node)
	switch {
	case index >= 0 && index < len(items):
		return items[index], fmt.Sprintf("%s/%d", d.at, index)
	case d.key != nil:
		return d.key, d.at
	}
	return d.node, d.at
}

// shortType names a type in a message.
func shortType(t column.Type) string {
	text := []rune(t.String())
	const most = 60
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most]) + "…"
}
