package release

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
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

// load reads a release that can be read.
func load(t *testing.T, path string) (*Release, []finding.Finding) {
	t.Helper()
	rel, findings, err := Load(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return rel, findings
}

// splits writes the splits of a repo's configs as config/split and files.
func splits(repo Repo) map[string][]string {
	all := map[string][]string{}
	for _, c := range repo.Configs {
		for _, s := range c.Splits {
			all[c.Name+"/"+s.Name] = append([]string{}, s.Files...)
		}
	}
	return all
}

func TestFolderIsReadAsTheLoaderDoes(t *testing.T) {
	type want map[string][]string
	tests := []struct {
		name  string
		files []string
		want  want
	}{
		{"nothing but a card", []string{"README.md"}, want{}},
		{"no files", nil, want{}},
		{"any name is train", []string{"a.jsonl", "b.jsonl"}, want{"default/train": {"a.jsonl", "b.jsonl"}}},
		{"split in the file name", []string{"data/train.jsonl", "data/validation.jsonl", "data/test.jsonl"},
			want{"default/train": {"data/train.jsonl"}, "default/validation": {"data/validation.jsonl"},
				"default/test": {"data/test.jsonl"}}},
		{"files without keyword are ignored beside some with", []string{"train.jsonl", "other.jsonl"},
			want{"default/train": {"train.jsonl"}}},
		{"folder beats file name", []string{"train/a.jsonl", "test.jsonl", "eval/train.jsonl"},
			want{"default/train": {"train/a.jsonl"}, "default/test": {"eval/train.jsonl"}}},
		{"folders further down", []string{"x/train/a.jsonl", "x/dev/b.jsonl"},
			want{"default/train": {"x/train/a.jsonl"}, "default/validation": {"x/dev/b.jsonl"}}},
		{"no delimiter, no keyword", []string{"testfile.jsonl", "mytrain.jsonl"},
			want{"default/train": {"mytrain.jsonl", "testfile.jsonl"}}},
		{"case matters", []string{"TRAIN.jsonl"}, want{"default/train": {"TRAIN.jsonl"}}},
		{"unknown extension in upper case", []string{"train.JSONL"}, want{}},
		{"media extension in upper case", []string{"a.PNG"}, want{"default/train": {"a.PNG"}}},
		{"keyword between delimiters", []string{"my_train_1.csv", "my-test 2.csv", "x.dev.csv"},
			want{"default/train": {"my_train_1.csv"}, "default/validation": {"x.dev.csv"},
				"default/test": {"my-test 2.csv"}}},
		{"shards with a split of their own", []string{"data/train-00000-of-00001.jsonl",
			"data/foo-00000-of-00002.jsonl", "data/foo-00001-of-00002.jsonl", "data/bar.jsonl"},
			want{"default/train": {"data/train-00000-of-00001.jsonl"}, "default/foo": {"data/foo-00000-of-00002.jsonl",
				"data/foo-00001-of-00002.jsonl"}}},
		{"shards elsewhere go by keyword", []string{"x/train-00000-of-00001.jsonl", "x/foo-00000-of-00001.jsonl"},
			want{"default/train": {"x/train-00000-of-00001.jsonl"}}},
		{"evaluation logs", []string{"a/x.eval", "train.jsonl"}, want{"default/logs": {"a/x.eval"}}},
		{"in two splits", []string{"train_test.jsonl"}, want{"default/train": {"train_test.jsonl"},
			"default/test": {"train_test.jsonl"}}},
		{"twice in one split", []string{"test-eval.jsonl", "train.jsonl"},
			want{"default/train": {"train.jsonl"}, "default/test": {"test-eval.jsonl", "test-eval.jsonl"}}},
		{"twice by one keyword", []string{"train-train.jsonl"}, want{"default/train": {"train-train.jsonl",
			"train-train.jsonl"}}},
		{"twice by folders", []string{"train/train-1/x.jsonl"}, want{"default/train": {"train/train-1/x.jsonl",
			"train/train-1/x.jsonl"}}},
		{"never data", []string{"config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json",
			"dummy_data.zip", "a.jsonl", "x/README.md"},
			want{"default/train": {"a.jsonl"}}},
		{"hidden files and folders", []string{".h/train.jsonl", ".b.jsonl", "data.jsonl"},
			want{"default/train": {"data.jsonl"}}},
		{"special folders", []string{"__x/train.jsonl", "_y/train.jsonl"}, want{"default/train": {"_y/train.jsonl"}}},
		{"files without known extension", []string{"LICENSE", ".gitattributes", "train.jsonl", "notes.md"},
			want{"default/train": {"train.jsonl"}}},
		{"a note whose name has a keyword decides too", []string{"data.jsonl", "test_plan.md"}, want{"default/test": {}}},
		{"most files win", []string{"a.jsonl", "b.txt", "c.txt"}, want{"default/train": {"b.txt", "c.txt"}}},
		{"tie between csv and jsonl", []string{"a.jsonl", "b.csv"}, want{"default/train": {"a.jsonl"}}},
		{"tie with parquet", []string{"a.jsonl", "b.parquet"}, want{"default/train": {"b.parquet"}}},
		{"json and jsonl are one builder", []string{"a.jsonl", "schema.json"},
			want{"default/train": {"a.jsonl", "schema.json"}}},
		{"schema.json beside keywords is none", []string{"train.jsonl", "test.jsonl", "schema.json"},
			want{"default/train": {"train.jsonl"}, "default/test": {"test.jsonl"}}},
		{"any part of the name is an extension", []string{"train.json.bak", "train.jsonl.gz"},
			want{"default/train": {"train.json.bak", "train.jsonl.gz"}}},
		{"metadata beside media", []string{"a.png", "metadata.jsonl", "b.png"},
			want{"default/train": {"a.png", "b.png", "metadata.jsonl"}}},
		{"sorted as text", []string{"train-2.jsonl", "train-10.jsonl"},
			want{"default/train": {"train-10.jsonl", "train-2.jsonl"}}},
		{"sorted by whole paths", []string{"a/x.csv", "a-b/x.csv"}, want{"default/train": {"a-b/x.csv", "a/x.csv"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range test.files {
				files[name] = "x\n"
			}
			dir := folder(t, files)
			rel, findings := load(t, dir)
			if len(findings) > 0 {
				t.Errorf("unexpected findings: %v", findings)
			}
			repo := rel.Repos[0]
			if rel.File != "" || repo.Declared || repo.ID != filepath.Base(dir) || repo.Type != Dataset || repo.Status != Public {
				t.Errorf("a folder is a public data set named after itself, got %+v", repo)
			}
			if diff := cmp.Diff(map[string][]string(test.want), splits(repo)); diff != "" {
				t.Errorf("splits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOrderOfSplits(t *testing.T) {
	rel, _ := load(t, folder(t, map[string]string{
		"data/zeta-00000-of-00001.csv": "", "data/test-00000-of-00001.csv": "", "data/alpha-00000-of-00001.csv": "",
		"data/validation-00000-of-00001.csv": "", "data/train-00000-of-00001.csv": "",
	}))
	var got []string
	for _, s := range rel.Repos[0].Configs[0].Splits {
		got = append(got, s.Name)
	}
	if want := []string{"train", "validation", "test", "alpha", "zeta"}; !slices.Equal(got, want) {
		t.Errorf("splits come as %q, want %q", got, want)
	}
}

func TestShardsWithABadSplitName(t *testing.T) {
	_, findings := load(t, folder(t, map[string]string{"data/my-split-00000-of-00001.jsonl": "{}\n"}))
	if len(findings) != 1 || findings[0].Code != finding.LoaderSplitName || findings[0].Path != "data/my-split-00000-of-00001.jsonl" ||
		!strings.Contains(findings[0].Message, `"my-split"`) || !strings.Contains(findings[0].Hint, "my_split") {
		t.Errorf("got %v, want one %s that names my-split and offers my_split", findings, finding.LoaderSplitName)
	}
}

// recorded is a folder and what the real library made of it.
type recorded struct {
	Case  string
	Files map[string]struct{ Text, Base64 *string }
	Load  struct{ Name string } `json:"load_kwargs"`
	// Result holds the rows of every split.
	Result struct {
		OK     bool
		Splits map[string]struct {
			Rows int `json:"num_examples"`
		}
	}
}

func recordedFolders(t *testing.T) []recorded {
	t.Helper()
	text, err := os.ReadFile("../../../shared/reference/loader-cases.json")
	if err != nil {
		t.Skip("the recorded folders are not beside the checkout (../shared/reference/loader-cases.json)")
	}
	// Python writes NaN and Infinity, which only stand in rows.
	text = regexp.MustCompile(`([:,\[]\s*)-?(?:NaN|Infinity)`).ReplaceAll(text, []byte("${1}null"))
	var all struct{ Cases []recorded }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Cases
}

// contents gives the files of a recorded folder. Files recorded as repeated lines are too long to matter here; of those
// and of compressed files the rows are not known.
func (r recorded) contents(t *testing.T) (files map[string]string, rows map[string]int) {
	t.Helper()
	files, rows = map[string]string{}, map[string]int{}
	for name, f := range r.Files {
		switch {
		case f.Text != nil:
			files[name] = *f.Text
			if n, ok := rowsOf(*f.Text); ok && strings.HasSuffix(name, "l") {
				rows[name] = n
			}
		case f.Base64 != nil:
			raw, err := base64.StdEncoding.DecodeString(*f.Base64)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(raw)
		default:
			files[name] = "{}\n"
		}
	}
	return files, rows
}

// rowsOf counts the rows of JSON Lines, where every line is one.
func rowsOf(text string) (rows int, ok bool) {
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			return 0, false
		}
		rows++
	}
	return rows, true
}

// chosen is the config that load_dataset took.
func (r recorded) chosen(configs []Config) Config {
	for _, c := range configs {
		if c.Name == r.Load.Name || r.Load.Name == "" && c.Default {
			return c
		}
	}
	return configs[0]
}

func TestRecordedFolders(t *testing.T) {
	compared := 0
	for _, r := range recordedFolders(t) {
		if !r.Result.OK {
			continue
		}
		t.Run(r.Case, func(t *testing.T) {
			files, rows := r.contents(t)
			rel, findings := load(t, folder(t, files))
			for _, f := range findings {
				if f.Severity == finding.Error {
					t.Fatalf("load_dataset reads it, but %s: %s", f.Where(), f.Message)
				}
			}
			config := r.chosen(rel.Repos[0].Configs)
			if len(config.Splits) != len(r.Result.Splits) {
				t.Errorf("%d splits, load_dataset has %v", len(config.Splits), r.Result.Splits)
			}
			for _, s := range config.Splits {
				want, ok := r.Result.Splits[s.Name]
				if !ok {
					t.Errorf("split %s is none of load_dataset's, which are %v", s.Name, r.Result.Splits)
				}
				sum := 0
				for _, file := range s.Files {
					n, known := rows[file]
					if !known {
						return
					}
					sum += n
				}
				compared++
				if sum != want.Rows {
					t.Errorf("split %s has %d rows in %q, load_dataset reads %d", s.Name, sum, s.Files, want.Rows)
				}
			}
		})
	}
	if compared < 100 {
		t.Errorf("the rows of only %d splits were compared", compared)
	}
}

func TestRecordedRefusals(t *testing.T) {
	refused := []string{
		"sharded custom w dash in split", "configs two defaults", "configs split name with dash", "configs split int",
		`configs split "all"`, "configs name bad char", "configs extra key in data_files item", "configs outside path",
	}
	found := 0
	for _, r := range recordedFolders(t) {
		if !slices.Contains(refused, r.Case) {
			continue
		}
		found++
		files, _ := r.contents(t)
		_, findings := load(t, folder(t, files))
		if !slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Severity == finding.Error }) {
			t.Errorf("%s: load_dataset refuses it, got %v", r.Case, findings)
		}
	}
	if found != len(refused) {
		t.Errorf("%d of %d cases were found", found, len(refused))
	}
}
