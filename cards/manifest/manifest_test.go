package manifest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

var update = flag.Bool("update", false, "write the golden files anew")

// folder writes files into a new folder called release.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "release")
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, dir string) (*release.Repo, []finding.Finding) {
	t.Helper()
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(rel.Repos) == 0 {
		t.Fatalf("no repo was read: %v", found)
	}
	return &rel.Repos[0], found
}

// splits lists the files of every split once, under config/split, with a star behind the default config.
func splits(repo *release.Repo) map[string][]string {
	out := map[string][]string{}
	for _, config := range repo.Configs {
		name := config.Name
		if config.Default {
			name += "*"
		}
		for _, split := range config.Splits {
			files := slices.Clone(split.Files)
			slices.Sort(files)
			out[name+"/"+split.Name] = slices.Compact(files)
		}
	}
	return out
}

// text writes the hfpub.yaml of a folder.
func text(t testing.TB, dir string, in Input) []byte {
	t.Helper()
	in.Repo, _ = load(t, dir)
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err == nil {
		in.README = readme
	}
	return Text(in)
}

// reload puts an hfpub.yaml into a folder and reads it.
func reload(t testing.TB, dir string, manifest []byte) (*release.Repo, []finding.Finding) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, release.ManifestName), manifest, 0o644); err != nil {
		t.Fatal(err)
	}
	return load(t, dir)
}

// TestTheSameIsReadAfterwards reads folders without hfpub.yaml and with the one that was written for them.
func TestTheSameIsReadAfterwards(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"names of files":                         {"train.jsonl": "", "test.jsonl": "", "test_socratic.jsonl": "", "SOURCE.md": "", "LICENSE": ""},
		"names of folders":                       {"train/a.csv": "", "train/b.csv": "", "dev/a.csv": ""},
		"everything is train":                    {"a.jsonl": "", "b.jsonl": ""},
		"shards":                                 {"data/train-00000-of-00002.jsonl": "", "data/train-00001-of-00002.jsonl": "", "data/extra_1-00000-of-00001.jsonl": ""},
		"shards with a hole":                     {"data/train-00000-of-00003.jsonl": "", "data/train-00002-of-00003.jsonl": ""},
		"odd names":                              {"a[1].jsonl": "", "it's: odd #1.jsonl": "", " - x.jsonl": "", "no.jsonl": "", "2024-01-01.jsonl": "", "a*b?.jsonl": "", "ü {x}, y.jsonl": ""},
		"a file that two words put into a split": {"test-eval.jsonl": "", "train_test.jsonl": ""},
		"a split without data":                   {"train.jsonl": "", "test.md": ""},
		"configs of README.md": {"a.csv": "", "b.csv": "", "x/c.csv": "", "README.md": "---\nconfigs:\n" +
			"- {config_name: \"no\", default: true, data_files: [{split: train, path: \"*.csv\"}]}\n" +
			"- {config_name: \"1e3\", data_files: [{split: dev.1, path: [x/c.csv, a.csv]}, {split: gone, path: nothing-*.csv}]}\n---\n"},
		"one config that says it is the default": {"a.csv": "", "README.md": "---\nconfigs:\n- {config_name: a, default: true, data_files: a.csv}\n---\n"},
		"folders of configs": {"x[1]/train.csv": "", "x[1]/test.csv": "", "x1/no.csv": "", "y/a.csv": "", "README.md": "---\nconfigs:\n" +
			"- {config_name: x, data_dir: \"x[1]\"}\n- {config_name: y, data_dir: y, data_files: \"*.csv\"}\n- {config_name: z, data_dir: nowhere}\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, files)
			before, _ := load(t, dir)
			want := splits(before)
			if len(before.Configs) == 1 && before.Configs[0].Default {
				want = map[string][]string{}
				for key, files := range splits(before) {
					want[strings.Replace(key, "*", "", 1)] = files
				}
			}
			for key, files := range want {
				if len(files) == 0 && !strings.HasSuffix(key, "gone") {
					delete(want, key) // nothing stands for a split without files and patterns
				}
			}
			manifest := text(t, dir, Input{})
			after, found := reload(t, dir, manifest)
			if len(found) > 0 {
				t.Errorf("the hfpub.yaml is not sound: %v\n%s", found, manifest)
			}
			if diff := cmp.Diff(want, splits(after)); diff != "" {
				t.Errorf("splits (-folder +hfpub.yaml):\n%s\n%s", diff, manifest)
			}
		})
	}
}

func TestWhatTheFrontMatterSays(t *testing.T) {
	for name, test := range map[string]struct {
		matter string
		in     Input
		want   release.Repo
	}{
		"all of it": {
			"license: other\nlicense_name: \"yes\"\nlicense_link: LICENSE\npretty_name: 'A: b'\nlanguage: [en, \"no\"]\ntags: x\ntask_categories: [other]\n", Input{},
			release.Repo{License: "other", LicenseName: "yes", LicenseLink: "LICENSE", Card: release.Card{
				PrettyName: "A: b", Language: []string{"en", "no"}, Tags: []string{"x"}, TaskCategories: []string{"other"}}},
		},
		"a license of its own":             {"license: [mit]\nlicense_name: x\n", Input{}, release.Repo{License: "mit"}},
		"several licenses stay there":      {"license: [mit, cc0-1.0]\n", Input{LicenseFile: "LICENSE", FileLicense: "mit"}, release.Repo{}},
		"that of a file":                   {"tags: [a]\n", Input{LicenseFile: "LICENSE", FileLicense: "mit"}, release.Repo{License: "mit", Card: release.Card{Tags: []string{"a"}}}},
		"no license that is no text":       {"license: {a: b}\n", Input{LicenseFile: "LICENSE", FileLicense: "mit"}, release.Repo{}},
		"languages that the Hub refuses":   {"language: [en, en-US]\npretty_name: P\n", Input{}, release.Repo{Card: release.Card{PrettyName: "P"}}},
		"tags that are no texts, or empty": {"tags: [2024, a]\ntask_categories: [\"\"]\npretty_name: \"\"\n", Input{}, release.Repo{}},
		"a front matter that is none":      {"- a\n", Input{}, release.Repo{}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"train.jsonl": "{}", "README.md": "---\n" + test.matter + "---\nText.\n"})
			manifest := text(t, dir, test.in)
			repo, found := reload(t, dir, manifest)
			if len(found) > 0 {
				t.Errorf("the hfpub.yaml is not sound: %v\n%s", found, manifest)
			}
			got := release.Repo{License: repo.License, LicenseName: repo.LicenseName, LicenseLink: repo.LicenseLink, Card: repo.Card}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("what hfpub.yaml says (-want +got):\n%s\n%s", diff, manifest)
			}
		})
	}
}

// TestText holds the words of an hfpub.yaml to its golden files.
func TestText(t *testing.T) {
	readme := "---\nlicense: mit\npretty_name: Tea\nlanguage: en\nconfigs:\n- {config_name: a, data_files: [{split: train, path: \"*.csv\"}]}\n- {config_name: b, default: true, data_files: x/b.csv}\n---\n"
	for name, test := range map[string]struct {
		files map[string]string
		in    Input
	}{
		"bare": {map[string]string{"train.jsonl": "", "test.jsonl": ""}, Input{}},
		"full": {map[string]string{"a.csv": "", "x/b.csv": "", "README.md": readme},
			Input{ID: "tea-house/tea", Schemas: map[string]string{"a": ".hfpub/a.schema.json"}}},
		"no-data": {map[string]string{"notes.md": ""}, Input{LicenseFile: "LICENSE", FileLicense: "mit"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := text(t, folder(t, test.files), test.in)
			golden := filepath.Join("testdata", name+".yaml")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("hfpub.yaml differs from %s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

func TestGuessID(t *testing.T) {
	for folder, want := range map[string]string{
		"gsm8k":                  "you/gsm8k",
		"My Data (v2)":           "you/My-Data-v2",
		"a..b--c":                "you/a-b-c",
		".hidden.":               "you/hidden",
		"x.git":                  "you/x",
		"x.git.git":              "you/dataset",
		"日本語":                    "you/dataset",
		"":                       "you/dataset",
		"/":                      "you/dataset",
		strings.Repeat("a", 200): "you/" + strings.Repeat("a", 96),
	} {
		if got := GuessID(folder); got != want {
			t.Errorf("GuessID(%q) = %q, want %q", folder, got, want)
		}
	}
}

// FuzzText writes the hfpub.yaml of folders with any README.md and any name of a file, and reads it.
func FuzzText(f *testing.F) {
	f.Add("license: mit\nlanguage: [no]\n", "train.jsonl")
	f.Add("pretty_name: |\n  a\n  b\ntags: ['#', \"\\0\"]\n", "a: b #c.csv")
	f.Add("configs:\n- {config_name: '~', data_files: '**'}\n", "x/[y]*.jsonl")
	f.Add("license_name: x\nlicense: other\n", "- \u2028.json")
	f.Fuzz(func(t *testing.T, matter, name string) {
		if _, bad := frontmatter.Read("README.md", []byte("---\n"+matter+"\n---\n")); len(bad) > 0 || !filepath.IsLocal(name) || strings.ContainsAny(name, "\\\x00") {
			return
		}
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, nil, 0o644) != nil {
			return
		}
		if os.WriteFile(filepath.Join(dir, "README.md"), []byte("---\n"+matter+"\n---\n"), 0o644) != nil {
			return
		}
		if _, found := load(t, dir); len(found) > 0 {
			return
		}
		if _, err := os.Stat(filepath.Join(dir, release.ManifestName)); err == nil {
			return
		}
		manifest := text(t, dir, Input{})
		_, found := reload(t, dir, manifest)
		for _, f := range found {
			if f.Severity == finding.Error {
				t.Errorf("the hfpub.yaml is not sound: %v\n%s", f, manifest)
			}
		}
	})
}
