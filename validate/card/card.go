// Package card holds the front matter of a README.md against what the Hub and load_dataset take, and against what was
// measured of the data.
//
// [Check] goes through the keys one by one. What each key may hold stands in a table (fields.go): its form, and the
// Hub's list of values where there is one. Words that YAML 1.1 and YAML 1.2 readers take for different things are
// reported where a text, a number or a truth value is expected, and more mildly in keys that nobody knows
// (ambiguous.go). dataset_info is read as the loader reads it (info.go, features.go), and its splits, row counts and
// sizes (compare.go) and its features (fit.go) are compared with [Measured]; cast.go says what the loader makes of
// values of one type in a column of another. model.go has the structure of model-index.
//
// An error is what the Hub refuses or load_dataset fails on, and a promise about the data that does not hold; a warning
// is what works and says something else than it seems to. The form of `configs`, and which license ids there are, is
// judged elsewhere.
package card

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

const (
	readme = "README.md"
	// hubYAML is a file whose keys take the place of the same keys in README.md when load_dataset reads a repo.
	hubYAML = ".huggingface.yaml"
)

// Measured is what reading the data files of a repo showed.
type Measured struct {
	Configs []Config
}

// Config is what was measured of one config.
type Config struct {
	Name string
	// Inferred are the columns as the loader infers them from the data alone, Features as it gives them with the card as
	// it is; sizes in memory are those of Features.
	Inferred, Features column.Features
	// Fields are the fields at any depth with the values seen in them.
	Fields []column.Field
	Splits []Split
}

// Split is what was measured of one split. Rows is nil where it could not be read as rows, NumBytes where the size in
// memory is not known.
type Split struct {
	Name           string
	Rows, NumBytes *int64
	Files          []File
}

// File is a data file with its size in bytes, by its path relative to the repo's root.
type File struct {
	Path  string
	Bytes int64
}

// checker is one check under way.
type checker struct {
	repo     *release.Repo
	matter   *frontmatter.Matter
	measured []Config
	// items are the configs of README.md by their names, configs those of measured that can be compared with the card.
	items   map[string]*yaml.Node
	configs map[string]*Config
	// file is the file that findings are about.
	file string
	// meansLicense says that a key that is not license was meant to be.
	meansLicense bool
	found        []finding.Finding
}

// Check judges the front matter of a repo's README.md. What could not be measured is not compared.
func Check(repo *release.Repo, matter *frontmatter.Matter, measured Measured) []finding.Finding {
	c := &checker{repo: repo, matter: matter, measured: measured.Configs, file: readme}
	if matter.Node != nil {
		c.index()
		c.keys()
		c.configFeatures()
	}
	c.adapter()
	c.license()
	return c.found
}

// report adds a finding at a node.
func (c *checker) report(code finding.Code, n *yaml.Node, at, hint, format string, args ...any) *finding.Finding {
	f := finding.New(code, format, args...).AtColumn(c.file, n.Line, n.Column).In(at)
	f.Hint = hint
	c.found = append(c.found, f)
	return &c.found[len(c.found)-1]
}

// index finds the configs of README.md by their names, the later of two with one name, and what can be compared with
// the card: nothing beside a file that may give the loader other metadata.
func (c *checker) index() {
	c.items, c.configs = map[string]*yaml.Node{}, map[string]*Config{}
	_, list := c.matter.Get("configs")
	for _, item := range strictyaml.Items(list) {
		c.items[configName(item)] = item
	}
	if slices.ContainsFunc(c.repo.Tree, isHubYAML) {
		return
	}
	for i := range c.measured {
		if config := &c.measured[i]; c.comparable(config) {
			c.configs[config.Name] = config
		}
	}
}

// comparable tells whether load_dataset reads a config as it was measured: parameters of the builder, such as sep or
// field, may change rows and columns.
func (c *checker) comparable(config *Config) bool {
	for k := range strictyaml.Pairs(c.items[config.Name]) {
		switch k.Value {
		case "config_name", "default", "data_files", "data_dir", "description", "version", "features", "chunksize", "keep_default_na", "na_values",
			"on_mixed_types", "parse_agent_traces":
		default:
			return false
		}
	}
	return slices.ContainsFunc(config.Splits, func(s Split) bool { return len(s.Files) > 0 })
}

func isHubYAML(f release.TreeFile) bool { return f.Path == hubYAML }

// rows counts the rows of all configs; false where some could not be counted.
func (c *checker) rows() (int64, bool) {
	var total int64
	for _, config := range c.measured {
		if c.configs[config.Name] == nil {
			return 0, false
		}
		for _, split := range config.Splits {
			if split.Rows == nil || len(split.Files) == 0 {
				return 0, false
			}
			total += *split.Rows
		}
	}
	return total, len(c.measured) > 0
}
