package loader

import (
	"os"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/column"
)

const (
	readmePath = "README.md"
	// infosPath is where data sets had their dataset_info before README.md did.
	infosPath = "dataset_infos.json"
	// maxCard bounds the bytes of either; the Hub takes no README.md of more than 10 MiB.
	maxCard = 64 << 20
)

// Card is what a repo's card says of how its configs are read.
type Card struct {
	configs, infos map[string]*yaml.Node
	legacy         map[string]column.Features
}

// ReadCard reads the card of a repo. What cannot be read of it says nothing; why, is judged elsewhere.
func ReadCard(repo *release.Repo) *Card {
	c := &Card{configs: map[string]*yaml.Node{}, infos: map[string]*yaml.Node{}}
	if repo.Dir == "" {
		return c
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return c
	}
	defer root.Close()
	if text, err := regularfile.ReadIn(root, readmePath, maxCard); err == nil {
		matter, _ := frontmatter.Read(readmePath, text)
		if matter.Node != nil {
			c.addMatter(matter)
		}
	}
	if len(c.infos) > 0 {
		return c
	}
	if text, err := regularfile.ReadIn(root, infosPath, maxCard); err == nil {
		c.legacy = column.ParseInfos(text)
	}
	return c
}

func (c *Card) addMatter(matter *frontmatter.Matter) {
	_, configs := matter.Get("configs")
	for _, item := range strictyaml.Items(configs) {
		c.configs[textOf(item, "config_name")] = item
	}
	_, info := matter.Get("dataset_info")
	if info == nil {
		return
	}
	items := []*yaml.Node{info}
	if info.Kind == yaml.SequenceNode {
		items = info.Content
	}
	for _, item := range items {
		if item.Kind != yaml.MappingNode {
			continue
		}
		name := textOf(item, "config_name")
		if name == "" {
			name = "default"
		}
		c.infos[name] = item
	}
}

func textOf(mapping *yaml.Node, key string) string {
	_, v := strictyaml.Lookup(mapping, key)
	if v == nil || v.Kind != yaml.ScalarNode {
		return ""
	}
	return v.Value
}

// Reading says how the loader reads a config: features of the config come before those of dataset_info.
func (c *Card) Reading(config *release.Config) column.Reading {
	item := config.Node
	if item == nil {
		item = c.configs[config.Name]
	}
	var r column.Reading
	if k, v := strictyaml.Lookup(item, "on_mixed_types"); k != nil {
		r.NoJSON = strictyaml.IsNull(v)
	}
	r.NoTraces = isFalse(item, "parse_agent_traces")
	r.KeepsMissing = isFalse(item, "keep_default_na") || isFalse(item, "na_filter")
	r.KeepsEmpty = r.KeepsMissing && (isFalse(item, "na_filter") || !marksEmpty(item))
	_, own := strictyaml.Lookup(item, "features")
	for _, features := range []*yaml.Node{config.Features, own} {
		if r.Declared = parsed(features); r.Declared != nil {
			r.Own = true
			return r
		}
	}
	_, said := strictyaml.Lookup(c.infos[config.Name], "features")
	if r.Declared = parsed(said); r.Declared == nil {
		r.Declared = c.legacy[config.Name]
	}
	return r
}

func parsed(features *yaml.Node) column.Features {
	if features == nil || strictyaml.IsNull(features) {
		return nil
	}
	list, err := column.ParseFeatures(features)
	if err != nil {
		return nil
	}
	return list
}

// marksEmpty says that the na_values of a config have the empty text among them.
func marksEmpty(config *yaml.Node) bool {
	_, v := strictyaml.Lookup(config, "na_values")
	if v == nil || strictyaml.IsNull(v) {
		return false
	}
	values := strictyaml.Items(v)
	if v.Kind == yaml.ScalarNode {
		values = []*yaml.Node{v}
	}
	return slices.ContainsFunc(values, func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "" })
}

func isFalse(mapping *yaml.Node, key string) bool {
	_, v := strictyaml.Lookup(mapping, key)
	if v == nil {
		return false
	}
	value, ok := strictyaml.Bool(v)
	return ok && !value
}
