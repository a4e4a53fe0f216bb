package cards

import (
	"path"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
	"github.com/hfpub/hfpub/schemas/release"
)

// modelKeys lists what hfpub.yaml says of a model, in the order the Hub's cards have.
func modelKeys(repo *release.Repo) []entry {
	var out []entry
	add := func(key string, value *yaml.Node) {
		if value != nil {
			out = append(out, entry{key, value})
		}
	}
	model := &repo.Card.Model
	add("base_model", oneOrMore(model.BaseModel))
	add("base_model_relation", text(model.Relation))
	add("library_name", text(model.LibraryName))
	add("pipeline_tag", text(model.PipelineTag))
	add("datasets", texts(model.Datasets))
	add("metrics", texts(model.Metrics))
	add("model-index", modelIndex(repo))
	return out
}

// oneOrMore writes one text alone, and several as a list.
func oneOrMore(s []string) *yaml.Node {
	if len(s) == 1 {
		return yamlout.String(s[0])
	}
	return texts(s)
}

// modelIndex writes the results of a model in the form that the Hub reads: those of one task on the same data stand together.
func modelIndex(repo *release.Repo) *yaml.Node {
	results := repo.Card.Model.Results
	if len(results) == 0 {
		return nil
	}
	list := yamlout.List()
	metrics := map[release.ModelResult]*yaml.Node{}
	for _, r := range results {
		group := r
		group.Metric, group.Value = "", ""
		if metrics[group] == nil {
			metrics[group] = yamlout.List()
			list.Content = append(list.Content, resultNode(r, metrics[group]))
		}
		metric := yamlout.Map()
		yamlout.Put(metric, "type", yamlout.String(r.Metric))
		yamlout.Put(metric, "value", yamlout.Number(r.Value))
		metrics[group].Content = append(metrics[group].Content, metric)
	}
	item := yamlout.Map()
	yamlout.Put(item, "name", yamlout.String(path.Base(repo.ID)))
	yamlout.Put(item, "results", list)
	return yamlout.List(item)
}

func resultNode(r release.ModelResult, metrics *yaml.Node) *yaml.Node {
	task, data, out := yamlout.Map(), yamlout.Map(), yamlout.Map()
	yamlout.Put(task, "type", yamlout.String(r.Task))
	yamlout.Put(data, "type", yamlout.String(r.Dataset))
	name := r.DatasetName
	if name == "" {
		name = path.Base(r.Dataset)
	}
	yamlout.Put(data, "name", yamlout.String(name))
	for _, part := range []struct{ key, value string }{{"config", r.Config}, {"split", r.Split}} {
		if part.value != "" {
			yamlout.Put(data, part.key, yamlout.String(part.value))
		}
	}
	yamlout.Put(out, "task", task)
	yamlout.Put(out, "dataset", data)
	yamlout.Put(out, "metrics", metrics)
	return out
}
