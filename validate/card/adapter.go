package card

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

// adapterConfig is the file that makes a repo one of an adapter that PEFT loads; adapterWeights are the files that hold it.
const adapterConfig = "adapter_config.json"

var adapterWeights = []string{"adapter_model.safetensors", "adapter_model.bin"}

// adapter judges what the card of an adapter has to say beyond the form of its keys. That it names the base model of its
// configuration is judged with the licenses.
func (c *checker) adapter() {
	if c.repo.Type != release.Model || !c.has(adapterConfig) {
		return
	}
	if !slices.ContainsFunc(adapterWeights, c.has) {
		f := finding.New(finding.CardAdapter, "the repo has %s and no weights: PEFT cannot load it", adapterConfig).At(adapterConfig, 0)
		c.found = append(c.found, f.Hinting("put %s beside it", adapterWeights[0]))
	}
	c.adapterKey("library_name", "peft", "the Hub no longer finds out how to load the model")
	if k, _ := c.matter.Get("base_model_relation"); k != nil {
		c.adapterKey("base_model_relation", "adapter", "")
	}
	for _, key := range []string{"datasets", "model-index"} {
		if k, _ := c.matter.Get(key); k != nil {
			continue
		}
		what := map[string]string{"datasets": "what it was trained on", "model-index": "what was measured of it"}[key]
		f := c.lacks("the card does not say %s: it has no %s", what, key)
		f.Severity = finding.Note
		f.Hint = map[string]string{"datasets": "add `datasets:` with the ids of the data sets",
			"model-index": "add `model-index:`, or card.results in hfpub.yaml"}[key]
	}
}

// adapterKey reports a key that is not there, or has not the value that an adapter needs.
func (c *checker) adapterKey(key, want, effect string) {
	k, v := c.matter.Get(key)
	if k == nil {
		c.lacks("the card of an adapter has no %s: %s", key, effect).Hint = "add `" + key + ": " + want + "`"
		return
	}
	if text, ok := strictyaml.String(v); ok && !strings.EqualFold(text, want) {
		c.report(finding.CardAdapter, v, "/"+key, "write "+want, "%s is %q, and the repo holds an adapter", key, text)
	}
}

// lacks adds a finding at the beginning of the front matter.
func (c *checker) lacks(format string, args ...any) *finding.Finding {
	f := finding.New(finding.CardAdapter, format, args...).AtColumn(readme, max(c.matter.Block.FirstLine, 1), 1)
	c.found = append(c.found, f)
	return &c.found[len(c.found)-1]
}

func (c *checker) has(path string) bool {
	return slices.ContainsFunc(c.repo.Tree, func(f release.TreeFile) bool { return f.Path == path })
}
