package card

import (
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// keys judges the keys at the top of the front matter and their values. Of a key that stands twice the first counts;
// that it does has been said.
func (c *checker) keys() {
	fields := fieldsOf(c.repo.Type)
	seen := map[string]bool{}
	for k, v := range strictyaml.Pairs(c.matter.Node) {
		if seen[k.Value] {
			continue
		}
		seen[k.Value] = true
		at := "/" + strictyaml.Escape(k.Value)
		if f, known := fields[k.Value]; known {
			c.value(f, k, v, at)
			continue
		}
		c.unknownKey(k, at, fields)
		if !stopsPython(k) {
			c.scalar(k, at, finding.Warning, finding.Note)
		}
		c.loose(v, at)
	}
}

// value judges the value of a known key.
func (c *checker) value(f field, k, v *yaml.Node, at string) {
	if strictyaml.IsNull(v) && k.Value != "license" && k.Value != "configs" {
		c.blank(f, k, at)
		return
	}
	switch f.form {
	case oneText, textOrNull:
		c.one(f, v, at, k.Value)
	case textList, textOrList:
		c.list(f, v, at, k.Value)
	case trueOrFalse:
		c.boolean(v, at, k.Value)
	}
	switch {
	case f.whole != nil:
		f.whole(c, v, at)
	case f.form == free && k.Value != "license":
		c.loose(v, at)
	}
}

// blank reports a known key without a value, which the Hub does not take for one that is not there. Some keys may be
// blank.
func (c *checker) blank(f field, k *yaml.Node, at string) {
	if f.form == textOrNull {
		return
	}
	r := c.report(finding.CardBlank, k, at, "write a value, or take the key out", "%s has no value", k.Value)
	if k.Value == "datasets" {
		r.Severity = finding.Error
		r.Message += ", which the Hub refuses"
	}
}

// one judges a value that is one text.
func (c *checker) one(f field, v *yaml.Node, at, name string) {
	if text, ok := c.text(v, at, name); ok {
		c.word(f, v, at, name, text)
	}
}

// list judges a value that is a list of texts, or one text where that is allowed.
func (c *checker) list(f field, v *yaml.Node, at, name string) {
	switch v.Kind {
	case yaml.MappingNode:
		c.report(finding.CardType, v, at, fmt.Sprintf("write `%s:` as a list of texts", name),
			"%s is a mapping, expected a list of texts", name)
	case yaml.SequenceNode:
		for i, item := range v.Content {
			below := fmt.Sprintf("%s/%d", at, i)
			if text, ok := c.text(item, below, fmt.Sprintf("item %d of %s", i+1, name)); ok {
				c.word(f, item, below, name, text)
			}
		}
	default:
		text, ok := c.text(v, at, name)
		if !ok {
			return
		}
		if f.form == textList {
			c.report(finding.CardType, v, at, fmt.Sprintf("write it as a list: `%s: [%s]`", name, text),
				"%s is one text, expected a list of texts", name).Severity = finding.Warning
		}
		c.word(f, v, at, name, text)
	}
}

// word judges one text of a key.
func (c *checker) word(f field, n *yaml.Node, at, name, text string) {
	switch {
	case text == "" && f.form != textOrNull:
		c.report(finding.CardBlank, n, at, "write a value, or take it out", "%s holds an empty text", name)
	case f.check != nil:
		f.check(c, n, at, text)
	}
}

// boolean judges a value that is true or false. YAML 1.1 has more words for it.
func (c *checker) boolean(v *yaml.Node, at, name string) {
	if _, ok := strictyaml.Bool(v); ok {
		return
	}
	if v.Kind == yaml.ScalarNode && strictyaml.Ambiguous(v) {
		c.ambiguous(v, at, "write true or false", name)
		return
	}
	c.report(finding.CardType, v, at, "write true or false, without quotes", "%s is %s, expected true or false", name,
		strictyaml.Describe(v))
}

// unknownKey reports a key that is close to a known one, unless that is there too. All other unknown keys are people's
// own.
func (c *checker) unknownKey(k *yaml.Node, at string, fields map[string]field) {
	if singular, plural := map[string]string{"licenses": "license", "languages": "language"}[k.Value]; plural {
		c.meansLicense = c.meansLicense || singular == "license"
		c.report(finding.CardPluralKey, k, at, "write "+singular+":, which takes a list as well",
			"the key is %s, which the Hub does not take", k.Value)
		return
	}
	_, ofData := ofDatasets[k.Value]
	_, ofModel := ofModels[k.Value]
	near, ok := nearest.Word(k.Value, slices.Sorted(maps.Keys(fields)))
	if !ok || ofData || ofModel {
		return
	}
	if present, _ := c.matter.Get(near); present != nil {
		return
	}
	c.meansLicense = c.meansLicense || near == "license"
	c.report(finding.CardKeyMisspelt, k, at, "did you mean "+near+"?", "the Hub knows no key %q", k.Value)
}

// namesOfConfigs are the keys of a config that name configs, splits and files.
var namesOfConfigs = []string{"config_name", "default", "data_dir", "data_files"}

// configWords reports words in the configs of README.md that readers take for different things. Where hfpub reads its
// configs from README.md, what names configs, splits and files has been judged.
func (c *checker) configWords(v *yaml.Node, at string) {
	judged := slices.ContainsFunc(c.repo.Configs, func(config release.Config) bool { return config.PosFile == readme })
	for i, item := range strictyaml.Items(v) {
		for k, value := range strictyaml.Pairs(item) {
			below := fmt.Sprintf("%s/%d/%s", at, i, strictyaml.Escape(k.Value))
			switch {
			case k.Value == "features":
			case !slices.Contains(namesOfConfigs, k.Value):
				c.walk(value, below, finding.Warning, finding.Warning, nil)
			case !judged:
				c.strict(value, below)
			}
		}
	}
}

// gateFields judges the fields that people fill in before they get access.
func (c *checker) gateFields(v *yaml.Node, at string) {
	c.loose(v, at)
	if v.Kind == yaml.SequenceNode {
		c.report(finding.CardType, v, at, "write `label: type` lines without dashes",
			"extra_gated_fields is a list, expected a mapping from labels to types").Severity = finding.Warning
		return
	}
	if v.Kind != yaml.MappingNode {
		c.report(finding.CardType, v, at, "write `label: text` below it",
			"extra_gated_fields is %s, expected a mapping from labels to types", strictyaml.Describe(v))
		return
	}
	for k, item := range strictyaml.Pairs(v) {
		c.gateField(k, item, at+"/"+strictyaml.Escape(k.Value))
	}
}

var gateTypes = []string{"text", "checkbox", "date_picker", "country", "ip_location", "select"}

func (c *checker) gateField(k, v *yaml.Node, at string) {
	kind := v
	if v.Kind == yaml.MappingNode {
		if _, kind = strictyaml.Lookup(v, "type"); kind == nil {
			c.report(finding.CardType, v, at, "add `type: text`, or another type", "field %q of extra_gated_fields has no type",
				k.Value)
			return
		}
		at += "/type"
	}
	what := fmt.Sprintf("the type of field %q", k.Value)
	if text, ok := c.text(kind, at, what); ok {
		c.oneOf(kind, at, what, text, gateTypes)
	}
}
