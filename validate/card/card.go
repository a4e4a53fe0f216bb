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
		c.keys()
		c.configFeatures()
	}
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

// config finds what was measured of a config that can be compared with the card, nil where there is none.
func (c *checker) config(name string) *Config {
	for i := range c.measured {
		if c.measured[i].Name == name && c.comparable(i) {
			return &c.measured[i]
		}
	}
	return nil
}

// comparable tells whether load_dataset reads a config as it was measured: parameters of the builder, such as sep or
// field, may change rows and columns, and another file may give the loader other metadata.
func (c *checker) comparable(i int) bool {
	if i >= len(c.repo.Configs) || slices.ContainsFunc(c.repo.Tree, isHubYAML) {
		return false
	}
	for k := range strictyaml.Pairs(c.readmeConfig(c.measured[i].Name)) {
		switch k.Value {
		case "config_name", "default", "data_files", "data_dir", "description", "version", "features", "chunksize",
			"on_mixed_types", "parse_agent_traces":
		default:
			return false
		}
	}
	return slices.ContainsFunc(c.measured[i].Splits, func(s Split) bool { return len(s.Files) > 0 })
}

// readmeConfig finds a config in README.md, nil where there is none. Of two with one name the later counts.
func (c *checker) readmeConfig(name string) *yaml.Node {
	var found *yaml.Node
	_, configs := c.matter.Get("configs")
	for _, item := range strictyaml.Items(configs) {
		if configName(item) == name {
			found = item
		}
	}
	return found
}

func isHubYAML(f release.TreeFile) bool { return f.Path == hubYAML }

// rows counts the rows of all configs; false where some could not be counted.
func (c *checker) rows() (int64, bool) {
	var total int64
	for i, config := range c.measured {
		if !c.comparable(i) {
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
