package cards

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/cards/yamlout"
)

// Keys that a config lacks go below its name, and every byte around them stays: comments, quotes and line ends.
func TestGrownConfigs(t *testing.T) {
	features := yamlout.List(yamlout.Map())
	yamlout.Put(features.Content[0], "name", yamlout.String("zip"))
	yamlout.Put(features.Content[0], "dtype", yamlout.String("string"))
	const grown = "  features:\n  - name: zip\n    dtype: string\n"
	for _, tt := range []struct {
		name, card, want string
	}{
		{"comments stay", "---\nconfigs: # all of them\n- config_name: default # the one\n  # where the rows are\n  data_files: 'a.csv'\n\n# below\n---\n# T\n",
			"---\nconfigs: # all of them\n- config_name: default # the one\n" + grown + "  # where the rows are\n  data_files: 'a.csv'\n\n# below\n---\n# T\n"},
		{"the name comes last", "---\nconfigs:\n  - data_files: a.csv\n    config_name: \"default\"\n---\n",
			"---\nconfigs:\n  - data_files: a.csv\n    config_name: \"default\"\n  " + strings.ReplaceAll(strings.TrimSuffix(grown, "\n"), "\n", "\n  ") + "\n---\n"},
		{"CR LF", "---\r\nconfigs:\r\n- config_name: default\r\n  data_files: a.csv\r\n---\r\n",
			"---\r\nconfigs:\r\n- config_name: default\r\n" + strings.ReplaceAll(grown, "\n", "\r\n") + "  data_files: a.csv\r\n---\r\n"},
		{"a list in brackets is written anew", "---\nconfigs: [{config_name: default, data_files: a.csv}]\n---\n", ""},
		{"a name on a line of its own too", "---\nconfigs:\n- config_name:\n    default\n  data_files: a.csv\n---\n", ""},
		{"features that differ too", "---\nconfigs:\n- config_name: default\n  data_files: a.csv\n  features: []\n---\n", ""},
		{"nothing is lacking", "---\nconfigs:\n- config_name: default\n  data_files: a.csv\n" + grown + "---\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			item := yamlout.Map()
			yamlout.Put(item, "config_name", yamlout.String("default"))
			yamlout.Put(item, "data_files", yamlout.String("a.csv"))
			yamlout.Put(item, "features", features)
			wanted := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{item}}
			if got := string(grownConfigs([]byte(tt.card), wanted)); got != tt.want {
				t.Errorf("the card becomes\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The ways of writing data_files mean the same, and what stands in a card stays.
func TestCanonicalFiles(t *testing.T) {
	want := yamlText(t, "- split: train\n  path: [a.csv]\n")
	for _, tt := range []struct {
		text string
		same bool
	}{
		{"a.csv", true},
		{"[a.csv]", true},
		{"[{split: train, path: a.csv}]", true},
		{"[{path: [a.csv], split: train}]", true},
		{"b.csv", false},
		{"[a.csv, b.csv]", false},
		{"[{split: test, path: a.csv}]", false},
		{"[{split: train, path: a.csv}, b.csv]", false},
		{"{train: a.csv}", false},
	} {
		if got := yamlout.Same(canonicalFiles(yamlText(t, tt.text)), canonicalFiles(want)); got != tt.same {
			t.Errorf("data_files: %s means the same as split train of a.csv: %t, want %t", tt.text, got, tt.same)
		}
	}
}

func yamlText(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Content[0]
}
