package card

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

const indexForm = "write `model-index:` as a list: each item with a name and results, " +
	"each result with a task, a dataset and metrics"

// modelIndex judges the evaluation results of a model: a list of models, each with a list of results.
func (c *checker) modelIndex(v *yaml.Node, at string) {
	c.indexItems(v, at, "model-index", func(item *yaml.Node, at string) {
		c.need(item, at, "name")
		_, results := strictyaml.Lookup(item, "results")
		if results == nil {
			c.missing(item, at, "results")
			return
		}
		c.indexItems(results, at+"/results", "results", c.result)
	})
}

// result judges one result: what was measured of a model, at which task, on which data.
func (c *checker) result(item *yaml.Node, at string) {
	c.part(item, at, "task", []string{"type"}, []string{"name"})
	c.part(item, at, "dataset", []string{"type", "name"}, []string{"config", "split", "revision"})
	if _, source := strictyaml.Lookup(item, "source"); source != nil {
		c.part(item, at, "source", []string{"url"}, []string{"name"})
	}
	_, metrics := strictyaml.Lookup(item, "metrics")
	if metrics == nil {
		c.missing(item, at, "metrics")
		return
	}
	c.indexItems(metrics, at+"/metrics", "metrics", c.metric)
}

func (c *checker) metric(item *yaml.Node, at string) {
	c.need(item, at, "type")
	c.may(item, at, "name")
	c.may(item, at, "config")
	_, value := strictyaml.Lookup(item, "value")
	if value == nil || strictyaml.IsNull(value) {
		c.missing(item, at, "value")
		return
	}
	c.loose(value, at+"/value")
}

// indexItems goes through a list of mappings.
func (c *checker) indexItems(v *yaml.Node, at, name string, judge func(item *yaml.Node, at string)) {
	if v.Kind != yaml.SequenceNode {
		c.report(finding.CardModelIndex, v, at, indexForm, "%s is %s, expected a list", name, strictyaml.Describe(v))
		return
	}
	for i, item := range v.Content {
		below := fmt.Sprintf("%s/%d", at, i)
		if item.Kind != yaml.MappingNode {
			c.report(finding.CardModelIndex, item, below, indexForm, "item %d of %s is %s, expected a mapping", i+1, name,
				strictyaml.Describe(item))
			continue
		}
		judge(item, below)
	}
}

// part judges a mapping of texts inside a result.
func (c *checker) part(item *yaml.Node, at, name string, needed, optional []string) {
	_, v := strictyaml.Lookup(item, name)
	if v == nil {
		c.missing(item, at, name)
		return
	}
	at += "/" + name
	if v.Kind != yaml.MappingNode {
		c.report(finding.CardModelIndex, v, at, indexForm, "%s is %s, expected a mapping", name, strictyaml.Describe(v))
		return
	}
	for _, key := range needed {
		c.need(v, at, key)
	}
	for _, key := range optional {
		c.may(v, at, key)
	}
}

// need judges a text that has to be there.
func (c *checker) need(item *yaml.Node, at, key string) {
	if _, v := strictyaml.Lookup(item, key); v == nil || strictyaml.IsNull(v) {
		c.missing(item, at, key)
		return
	}
	c.may(item, at, key)
}

// may judges a text that may be left out.
func (c *checker) may(item *yaml.Node, at, key string) {
	if _, v := strictyaml.Lookup(item, key); v != nil {
		c.text(v, at+"/"+key, key)
	}
}

func (c *checker) missing(item *yaml.Node, at, key string) {
	c.report(finding.CardModelIndex, item, at, indexForm, "%s is missing, which the Hub demands here", key)
}
