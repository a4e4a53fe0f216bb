package release

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/validate/finding"
)

// TestPatternsBelowADataDir holds the patterns of a config to what they match, from the root of the repo.
func TestPatternsBelowADataDir(t *testing.T) {
	rel, _ := load(t, folder(t, map[string]string{
		"README.md":      "---\nconfigs:\n- config_name: m\n  data_dir: x[1]/y\n  data_files: ./*.csv\n---\n",
		"x[1]/y/a.csv":   "",
		"x1/y/wrong.csv": "",
	}))
	split := rel.Repos[0].Configs[0].Splits[0]
	if diff := cmp.Diff([]string{"x[[]1]/y/*.csv"}, split.Patterns); diff != "" {
		t.Errorf("patterns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x[1]/y/a.csv"}, split.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestConfigsOfAREADME(t *testing.T) {
	files := map[string]string{
		"data/a.jsonl": "", "data/b.jsonl": "", "data/c.csv": "", "data/notes.md": "", "raw/train.csv": "", "raw/test.csv": "", "raw/x/y.csv": "", "odd[1].csv": "", "a-b.csv": "",
	}
	tests := []struct {
		name, configs string
		want          map[string][]string
		findings      []string
	}{
		{"a path", "- config_name: m\n  data_files: data/a.jsonl\n", map[string][]string{"m/train": {"data/a.jsonl"}}, nil},
		{"paths", "- config_name: m\n  data_files: [data/b.jsonl, data/a.jsonl]\n",
			map[string][]string{"m/train": {"data/b.jsonl", "data/a.jsonl"}}, nil},
		{"splits", "- config_name: m\n  data_files:\n  - {split: test, path: data/a.jsonl}\n  - split: v1.0\n    path: [\"data/*.csv\", ./data/b.jsonl]\n",
			map[string][]string{"m/test": {"data/a.jsonl"}, "m/v1.0": {"data/c.csv", "data/b.jsonl"}}, nil},
		{"files without known extension are dropped", "- config_name: m\n  data_files: data/*\n",
			map[string][]string{"m/train": {"data/a.jsonl", "data/b.jsonl", "data/c.csv"}}, nil},
		{"a file twice", "- config_name: m\n  data_files: [\"data/*.jsonl\", data/a.jsonl]\n",
			map[string][]string{"m/train": {"data/a.jsonl", "data/b.jsonl", "data/a.jsonl"}}, nil},
		{"a pattern without match", "- config_name: m\n  data_files:\n  - {split: train, path: data/trian-*.jsonl}\n",
			map[string][]string{"m/train": {}}, nil},
		{"data_dir with files", "- config_name: m\n  data_dir: raw\n  data_files: \"*.csv\"\n",
			map[string][]string{"m/train": {"raw/test.csv", "raw/train.csv"}}, nil},
		{"data_dir alone", "- config_name: m\n  data_dir: raw/\n", map[string][]string{"m/train": {"raw/train.csv"},
			"m/test": {"raw/test.csv"}}, nil},
		{"neither", "- config_name: m\n", map[string][]string{"m/train": {"raw/train.csv"}, "m/test": {"raw/test.csv"}},
			nil},
		{"several configs and parameters",
			"- config_name: a\n  data_files: a-b.csv\n  sep: \";\"\n  default: true\n- config_name: b\n  data_files: data/c.csv\n", map[string][]string{"a/train": {"a-b.csv"}, "b/train": {"data/c.csv"}}, nil},
		{"n is text to Python", "- config_name: n\n  data_files: a-b.csv\n",
			map[string][]string{"n/train": {"a-b.csv"}}, nil},

		{"case 28: hyphen in a split name",
			"- config_name: m\n  data_files:\n  - split: train-clean\n    path: data/a.jsonl\n  - split: train.other\n    path: data/b.jsonl\n",
			map[string][]string{"m/train-clean": {"data/a.jsonl"}, "m/train.other": {"data/b.jsonl"}},
			[]string{`error 5:12 /configs/0/data_files/0/split "train-clean" is refused | train_clean`}},
		{"case 29: data_files is a mapping, no config_name",
			"- config_name: m\n  data_files:\n    train: data/a.jsonl\n- data_files: data/b.jsonl\n",
			map[string][]string{"m/train": {"data/a.jsonl"}, "/train": {"data/b.jsonl"}},
			[]string{"error 5:5 /configs/0/data_files data_files is a mapping | - split: train",
				"error 6:3 /configs/1 config 2 has no config_name | config_name"}},
		{"configs is a mapping", "  {config_name: m, data_files: data/a.jsonl}\n",
			map[string][]string{"default/train": {"raw/train.csv"}, "default/test": {"raw/test.csv"}},
			[]string{"error 3:3 /configs a mapping, expected a list | config_name"}},
		{"configs without value", "", map[string][]string{"default/train": {"raw/train.csv"},
			"default/test": {"raw/test.csv"}}, []string{"error 2:9 /configs no value"}},
		{"a config that is text", "- m\n- config_name: x\n  data_files: a-b.csv\n",
			map[string][]string{"x/train": {"a-b.csv"}}, []string{`error 3:3 /configs/0 the text "m", expected a mapping`}},
		{"name in the place of config_name", "- name: m\n  data_files: a-b.csv\n",
			map[string][]string{"/train": {"a-b.csv"}}, []string{"error 3:3 /configs/0 no config_name | instead of name"}},
		{"config_name with a slash", "- config_name: a/b\n  data_files: a-b.csv\n",
			map[string][]string{"a/b/train": {"a-b.csv"}}, []string{`error 3:16 /configs/0/config_name "a/b" is refused`}},
		{"config_name is a number", "- config_name: 2024\n  data_files: a-b.csv\n",
			map[string][]string{"2024/train": {"a-b.csv"}}, []string{"error 3:16 /configs/0/config_name the number 2024, expected text | \"2024\""}},
		{"config_name is a boolean to Python", "- config_name: no\n  data_files: a-b.csv\n",
			map[string][]string{"no/train": {"a-b.csv"}}, []string{"error 3:16 /configs/0/config_name takes for a boolean | \"no\""}},
		{"split is a number", "- config_name: m\n  data_files: [{split: 2024, path: a-b.csv}]\n",
			map[string][]string{"m/2024": {"a-b.csv"}}, []string{"error 4:24 /configs/0/data_files/0/split the number 2024"}},
		{"split is called all", "- config_name: m\n  data_files: [{split: all, path: a-b.csv}]\n",
			map[string][]string{"m/all": {"a-b.csv"}}, []string{"error 4:24 /configs/0/data_files/0/split union of all splits"}},
		{"a key too many", "- config_name: m\n  data_files: [{split: s, path: a-b.csv, note: x}]\n",
			map[string][]string{"m/s": {"a-b.csv"}}, []string{`error 4:42 /configs/0/data_files/0/note key "note"`}},
		{"paths misspelt", "- config_name: m\n  data_files: [{split: s, paths: a-b.csv}]\n", map[string][]string{},
			[]string{`error 4:27 /configs/0/data_files/0/paths key "paths" | path`,
				"error 4:16 /configs/0/data_files/0 has no path"}},
		{"a split twice", "- config_name: m\n  data_files: [{split: s, path: a-b.csv}, {split: s, path: data/c.csv}]\n",
			map[string][]string{"m/s": {"a-b.csv"}}, []string{`error 4:43 /configs/0/data_files/1 split "s" stands twice`}},
		{"paths mixed with splits", "- config_name: m\n  data_files: [{split: s, path: a-b.csv}, data/c.csv]\n",
			map[string][]string{"m/s": {"a-b.csv"}}, []string{"error 4:43 /configs/0/data_files/1 mixes"}},
		{"no paths", "- config_name: m\n  data_files: []\n", map[string][]string{},
			[]string{"error 4:15 /configs/0/data_files empty list"}},
		{"path outside", "- config_name: m\n  data_files: ../x.csv\n", map[string][]string{"m/train": {}},
			[]string{`error 4:15 /configs/0/data_files "../x.csv" cannot be used`}},
		{"path with two stars in a part", "- config_name: m\n  data_files: \"**.csv\"\n",
			map[string][]string{"m/train": {}}, []string{"error 4:15 /configs/0/data_files whole part"}},
		{"an address", "- config_name: m\n  data_files: hf://datasets/a/b/x.csv\n", map[string][]string{"m/train": {}},
			[]string{"warning 4:15 /configs/0/data_files an address"}},
		{"data_dir outside", "- config_name: m\n  data_dir: ../x\n", map[string][]string{},
			[]string{"error 4:13 /configs/0/data_dir cannot be used"}},
		{"two defaults", "- config_name: default\n  data_files: a-b.csv\n- config_name: b\n  data_files: data/c.csv\n  default: true\n", map[string][]string{"default/train": {"a-b.csv"}, "b/train": {"data/c.csv"}},
			[]string{`error 5:3  two default configs, "default" and "b"`}},
		{"default is no boolean", "- config_name: b\n  data_files: data/c.csv\n  default: maybe\n",
			map[string][]string{"b/train": {"data/c.csv"}}, []string{`error 5:12 /configs/0/default the text "maybe", expected true or false`}},
		{"a config twice", "- config_name: b\n  data_files: data/c.csv\n- config_name: b\n  data_files: a-b.csv\n",
			map[string][]string{"b/train": {"a-b.csv"}}, []string{`warning 5:3 /configs/1 "b" stands twice`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := map[string]string{"README.md": "---\nconfigs:\n" + test.configs + "---\n# T\n"}
			for name, text := range files {
				all[name] = text
			}
			rel, findings := load(t, folder(t, all))
			repo := rel.Repos[0]
			if diff := cmp.Diff(test.want, splits(repo)); diff != "" {
				t.Errorf("splits (-want +got):\n%s", diff)
			}
			if len(findings) != len(test.findings) {
				t.Fatalf("got %v, want %q", findings, test.findings)
			}
			for i, f := range findings {
				line, hint, _ := strings.Cut(test.findings[i], " | ")
				place := fmt.Sprintf("%s %d:%d %s ", f.Severity, f.Line, f.Column, f.Pointer)
				says, ok := strings.CutPrefix(line, place)
				if !ok || !strings.Contains(f.Message, says) || !strings.Contains(f.Hint,
					hint) || f.Hint == "" || f.Code != finding.CardConfigs || f.Path != "README.md" {
					t.Errorf("got %s%s %q (%s), want %q", place, f.Code, f.Message, f.Hint, test.findings[i])
				}
			}
		})
	}
}

func TestPlacesOfAREADME(t *testing.T) {
	rel, _ := load(t, folder(t, map[string]string{"m.jsonl": "", "README.md": `---
license: [mit, cc0-1.0]
configs:
- config_name: c
  features: [{name: id, dtype: int64}]
  data_files:
  - split: train
    path:
    - data/trian-*.jsonl
    - m.jsonl
---
`}))
	repo := rel.Repos[0]
	if repo.License != "mit" {
		t.Errorf("license is %q, want the first one", repo.License)
	}
	config := repo.Configs[0]
	if config.PosFile != "README.md" || config.Pos != (Pos{4, 3}) || config.Features == nil || config.Node == nil {
		t.Errorf("config c stands at %s %v, features %v", config.PosFile, config.Pos, config.Features)
	}
	split := config.Splits[0]
	if split.PosFile != "README.md" || split.Pos != (Pos{7, 5}) || !slices.Equal(split.PatternPos, []Pos{{9, 7}, {10,
		7}}) ||
		!slices.Equal(split.Patterns, []string{"data/trian-*.jsonl", "m.jsonl"}) || !slices.Equal(split.Files,
		[]string{"m.jsonl"}) {
		t.Errorf("got %+v", split)
	}
}

func TestHuggingfaceYAMLTakesThePlaceOfConfigs(t *testing.T) {
	rel, findings := load(t, folder(t, map[string]string{
		"a.csv": "", "b.csv": "",
		"README.md":         "---\nconfigs:\n- config_name: m\n  data_files: a.csv\n---\n",
		".huggingface.yaml": "configs:\n- config_name: n\n  data_files: b.csv\n- config_name: x/y\n  data_files: b.csv\n",
	}))
	if got := splits(rel.Repos[0]); !slices.Equal(got["n/train"], []string{"b.csv"}) || got["m/train"] != nil {
		t.Errorf("got %v, want the configs of .huggingface.yaml", got)
	}
	if len(findings) != 1 || findings[0].Path != ".huggingface.yaml" || findings[0].Line != 4 {
		t.Errorf("got %v, want one finding on line 4 of .huggingface.yaml", findings)
	}
}

func FuzzLoadOfAREADME(f *testing.F) {
	for _, s := range []string{
		"configs:\n- config_name: m\n  data_files: a.csv\n", "configs: [{config_name: m, data_files: [{split: a, path: [x, y]}]}]\n", "configs: {a: b}\n", "configs: [1, [2]]\n",
		"configs:\n- {data_dir: x, default: 1, data_files: {a: [b]}}\n", "configs: &x\n- *x\n", "license: [[a]]\nconfigs: []\n", "configs:\n- config_name: [a]\n  data_files: [[a]]\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, yaml []byte) {
		text := "---\n" + string(yaml) + "\n---\n"
		reader := &cardReader{file: "README.md", tree: tree{{Path: "a.csv"}, {Path: "x/b.jsonl"}}}
		_, list := matterOf(text)
		reader.read(list)
		for _, f := range reader.findings {
			if f.Line < 1 && f.Code != finding.LoaderSplitName || f.Message == "" || f.Hint == "" {
				t.Errorf("finding without place or words: %+v", f)
			}
		}
	})
}

// matterOf gives the configs of a README.md.
func matterOf(readme string) (k, v *yaml.Node) {
	m, _ := frontmatter.Read("README.md", []byte(readme))
	return m.Get("configs")
}
