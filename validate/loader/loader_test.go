package loader

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// row is a file of one row; nothing is a file of none.
const (
	row     = "{\"id\": 1}\n"
	nothing = ""
)

// load writes a folder and reads it as a release of one repo. The facts count the lines of every file.
func load(t *testing.T, files map[string]string) (*release.Repo, Facts) {
	t.Helper()
	dir := t.TempDir()
	rows := map[string]int64{}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			if err := os.Symlink(target, path); err != nil {
				t.Skipf("this file system has no symbolic links: %v", err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		rows[name] = int64(strings.Count(text, "\n"))
	}
	rel, _, err := release.Load(context.Background(), dir)
	if err != nil || rel == nil || len(rel.Repos) != 1 {
		t.Fatalf("load: %v, %+v", err, rel)
	}
	return &rel.Repos[0], Facts{Rows: rows}
}

// card is a README.md with one config of these splits, each "NAME: PATTERN PATTERN".
func card(splits ...string) string {
	var b strings.Builder
	b.WriteString("---\nconfigs:\n- config_name: default\n  data_files:\n")
	for _, s := range splits {
		name, patterns, _ := strings.Cut(s, ": ")
		fmt.Fprintf(&b, "  - split: %s\n    path:\n", name)
		for p := range strings.FieldsSeq(patterns) {
			fmt.Fprintf(&b, "    - %q\n", p)
		}
	}
	return b.String() + "---\n"
}

// manifest is an hfpub.yaml with one repo of these splits, in the same form.
func manifest(status string, splits ...string) string {
	text := "version: 1\nrelease: {name: tea, version: 1.0.0}\nrepos:\n  - id: acme/tea\n    type: dataset\n    status: " + status + "\n"
	if len(splits) > 0 {
		text += "    configs:\n      - name: default\n        splits:\n"
	}
	for _, s := range splits {
		name, patterns, _ := strings.Cut(s, ": ")
		text += fmt.Sprintf("          - {name: %s, files: [%s]}\n", name, strings.ReplaceAll(patterns, " ", ", "))
	}
	return text
}

// brief writes a finding as SEVERITY CODE PLACE [SPLIT].
func brief(f finding.Finding) string {
	text := fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Where())
	if f.Split != "" {
		text += " [" + f.Config + "/" + f.Split + "]"
	}
	return text
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		// want are the findings, says are words that the first one must hold.
		want []string
		says []string
	}{
		{name: "a whole repo", files: map[string]string{
			"README.md": card("train: data/train-*.jsonl", "test: ./data/test.jsonl"), "data/train-00000-of-00002.jsonl": row,
			"data/train-00001-of-00002.jsonl": row, "data/test.jsonl": row, "LICENSE": "mit\n", "config.json": "{}\n",
			".hidden/x.jsonl": row, "__pycache/x.jsonl": row, "images/cup.png": "x",
		}},
		{name: "a whole repo without configs", files: map[string]string{"train.jsonl": row, "test.jsonl": row}},
		{name: "a whole release", files: map[string]string{"hfpub.yaml": manifest("public", "train: data/train.jsonl"), "data/train.jsonl": row}},

		{name: "a split without rows", files: map[string]string{
			"README.md": card("train: data/train.jsonl", "test: data/test.jsonl"), "data/train.jsonl": row, "data/test.jsonl": nothing},
			want: []string{"error loader/empty-split data/test.jsonl [default/test]"}, says: []string{`split "test" has no rows`, "data/test.jsonl"}},
		{name: "a split of files without rows", files: map[string]string{
			"README.md": card("train: data/train.jsonl", "test: data/test-*.jsonl"), "data/train.jsonl": row, "data/test-a.jsonl": nothing, "data/test-b.jsonl": nothing},
			want: []string{"error loader/empty-split data/test-a.jsonl [default/test]"}},
		{name: "a table of a header only", files: map[string]string{"train.csv": row, "test.csv": "id"},
			want: []string{"error loader/empty-split test.csv [default/test]"}},
		{name: "an empty file first", files: map[string]string{"train-0.jsonl": nothing, "train-1.jsonl": row, "test.jsonl": row},
			want: []string{"error loader/empty-split train-0.jsonl [default/train]"}, says: []string{"the first file of the first split is empty"}},
		{name: "an empty file later", files: map[string]string{"train-0.jsonl": row, "train-1.jsonl": nothing}},
		{name: "an empty file first in a later split", files: map[string]string{"train.jsonl": row, "test-0.jsonl": nothing, "test-1.jsonl": row}},
		{name: "an empty table later", files: map[string]string{"train-0.csv": row, "train-1.csv": nothing},
			want: []string{"error loader/empty-split train-1.csv [default/train]"}},
		{name: "a guessed split without a file of a known format", files: map[string]string{"train.jsonl": row, "test.docx": "x"},
			want: []string{"error loader/empty-split  [default/test]"}},

		{name: "a mistyped pattern", files: map[string]string{
			"README.md": card("train: data/trian-*.jsonl", "test: data/test.jsonl"), "data/train-0.jsonl": row, "data/test.jsonl": row},
			want: []string{"error loader/no-such-file README.md:7:7 [default/train]", "warning loader/unclaimed-file data/train-0.jsonl"},
			says: []string{"data/trian-*.jsonl matches no data file", "did you mean data/train-0.jsonl?"}},
		{name: "a mistyped pattern in hfpub.yaml", files: map[string]string{
			"hfpub.yaml": manifest("public", "train: data/trian.jsonl"), "data/train.jsonl": row},
			want: []string{"error loader/no-such-file hfpub.yaml:10:35 [default/train]", "warning loader/unclaimed-file data/train.jsonl"},
			says: []string{"did you mean data/train.jsonl?"}},
		{name: "the right name in another folder", files: map[string]string{"README.md": card("train: train.jsonl"), "data/long/way/train.jsonl": row},
			want: []string{"error loader/no-such-file README.md:7:7 [default/train]", "warning loader/unclaimed-file data/long/way/train.jsonl"},
			says: []string{"did you mean data/long/way/train.jsonl?"}},
		{name: "one path of several", files: map[string]string{"README.md": card("train: a.jsonl b.jsonl"), "a.jsonl": row},
			want: []string{"error loader/no-such-file README.md:8:7 [default/train]"}, says: []string{"b.jsonl"}},
		{name: "one glob of several", files: map[string]string{"README.md": card("train: a.jsonl more/*.jsonl"), "a.jsonl": row},
			want: []string{"warning loader/no-such-file README.md:8:7 [default/train]"}, says: []string{"more/*.jsonl", "mend the path"}},
		{name: "odd globs that match", files: map[string]string{
			"README.md": card("train: **/a-?.jsonl b[0-9].jsonl {c}*.jsonl d[!x].jsonl"), "x/y/a-1.jsonl": row, "b1.jsonl": row, "{c}1.jsonl": row, "d1.jsonl": row}},
		{name: "a file of an unknown format", files: map[string]string{"README.md": card("train: a.jsonl", "test: b.docx"), "a.jsonl": row, "b.docx": row},
			want: []string{"error loader/no-such-file README.md:10:7 [default/test]"}, says: []string{"b.docx is there", "extension"}},
		{name: "an extension in upper case", files: map[string]string{"README.md": card("train: a.JSONL"), "a.JSONL": row},
			want: []string{"error loader/no-such-file README.md:7:7 [default/train]", "warning loader/unclaimed-file a.JSONL"}},
		{name: "a link", files: map[string]string{"README.md": card("train: a.jsonl", "test: b.jsonl"), "a.jsonl": row, "b.jsonl": "-> a.jsonl"},
			want: []string{"error loader/no-such-file README.md:10:7 [default/test]"}, says: []string{"symbolic link"}},
		{name: "data that are not out yet", files: map[string]string{"hfpub.yaml": manifest("pending", "train: data/train.jsonl")},
			want: []string{"warning loader/no-such-file hfpub.yaml:10:35 [default/train]"}},

		{name: "a Croissant document beside configs", files: map[string]string{
			"README.md": card("train: a.json"), "a.json": row, "croissant.json": "{}\n"}},
		{name: "a Croissant document of another folder", files: map[string]string{
			"README.md": card("train: a.jsonl"), "a.jsonl": row, "old/croissant.json": "{}\n"},
			want: []string{"note loader/unclaimed-file old/croissant.json"}},
		{name: "a Croissant document without configs", files: map[string]string{"train.json": row, "croissant.json": "{}\n"},
			want: []string{"warning loader/unclaimed-file croissant.json"}},

		{name: "a card alone", files: map[string]string{"README.md": "# x\n"}, want: []string{"error loader/no-data "}},
		{name: "hidden data alone", files: map[string]string{".h/train.jsonl": row}, want: []string{"error loader/no-data "}},
		{name: "upper case alone", files: map[string]string{"train.JSONL": row}, want: []string{"error loader/no-data "}, says: []string{"rename train.JSONL"}},
		{name: "a public repo without data", files: map[string]string{"hfpub.yaml": manifest("public")}, want: []string{"error loader/no-data "},
			says: []string{"status: pending"}},
		{name: "a pending repo without data", files: map[string]string{"hfpub.yaml": manifest("pending")}},

		{name: "left-over shards", files: map[string]string{
			"README.md": card("train: data/train-*.jsonl"), "data/train-00000-of-00003.jsonl": row, "data/train-00001-of-00003.jsonl": row,
			"data/train-00000-of-00002.jsonl": row, "data/train-00001-of-00002.jsonl": row},
			want: []string{"error loader/shards data/train-00000-of-00003.jsonl [default/train]",
				"error loader/shards-mixed data/train-00000-of-00002.jsonl [default/train]"},
			says: []string{"data/train-00002-of-00003.jsonl is missing"}},
		{name: "two whole sets", files: map[string]string{
			"README.md": card("train: data/train-*.jsonl"), "data/train-0-of-1.jsonl": row, "data/train-0-of-2.jsonl": row, "data/train-1-of-2.jsonl": row},
			want: []string{"error loader/shards-mixed data/train-0-of-1.jsonl [default/train]"},
			says: []string{"data/train-0-of-1.jsonl beside data/train-0-of-2.jsonl, data/train-1-of-2.jsonl"}},
		{name: "two sets of different names", files: map[string]string{
			"README.md": card("train: data/*.jsonl"), "data/a-0-of-1.jsonl": row, "data/b-0-of-2.jsonl": row, "data/b-1-of-2.jsonl": row}},
		{name: "many shards missing", files: map[string]string{"data/train-00003-of-00100.jsonl": row},
			want: []string{"error loader/shards data/train-00003-of-00100.jsonl [default/train]"},
			says: []string{"data/train-00000-of-00100.jsonl, data/train-00001-of-00100.jsonl", "train-00005-of-00100.jsonl and 94 more are missing"}},
		{name: "more shards than can be counted", files: map[string]string{"data/train-00000-of-00001.jsonl": row, "README.md": card("train: data/*.jsonl"),
			"data/x-0-of-999999999999999999.jsonl": row},
			want: []string{"error loader/shards data/x-0-of-999999999999999999.jsonl [default/train]"}, says: []string{"999999999999999993 more"}},
		{name: "a shard beyond the total", files: map[string]string{"data/train-00000-of-00001.jsonl": row, "data/train-00001-of-00001.jsonl": row,
			"data/train-00002-of-00001.jsonl": row},
			want: []string{"error loader/shards data/train-00000-of-00001.jsonl [default/train]"}, says: []string{"beyond the total of 1"}},
		{name: "a shard twice", files: map[string]string{"data/train-00000-of-00001.jsonl": row, "data/train-00000-of-00001-abc.jsonl": row},
			want: []string{"error loader/shards data/train-00000-of-00001-abc.jsonl [default/train]"}, says: []string{"claim to be the same shard"}},
		{name: "counted from 1", files: map[string]string{"README.md": card("train: data/*.jsonl"), "data/train-1-of-2.jsonl": row, "data/train-2-of-2.jsonl": row},
			want: []string{"warning loader/shards data/train-1-of-2.jsonl [default/train]"}, says: []string{"counted from 1"}},
		{name: "a shard missing that the card lists", files: map[string]string{
			"README.md": card("train: data/train-00000-of-00002.jsonl data/train-00001-of-00002.jsonl"), "data/train-00000-of-00002.jsonl": row},
			want: []string{"error loader/no-such-file README.md:8:7 [default/train]",
				"error loader/shards data/train-00000-of-00002.jsonl [default/train]"},
			says: []string{"mend the path"}},
		{name: "a split of one shard", files: map[string]string{
			"README.md": card("train: data/train-*.jsonl", "sample: data/train-00000-of-00002.jsonl"), "data/train-00000-of-00002.jsonl": row,
			"data/train-00001-of-00002.jsonl": row}},
		{name: "a hidden shard that a pattern names", files: map[string]string{"README.md": card("train: .h/a-0-of-1.jsonl a.jsonl"), ".h/a-0-of-1.jsonl": row,
			"a.jsonl": row}},

		{name: "guessed from names", files: map[string]string{"data/cats.jsonl": row, "data/steam-train-photos.jsonl": row, "data/testify.jsonl": row},
			want: []string{"warning loader/unclaimed-file data/cats.jsonl"},
			says: []string{"2 files belong to no split and are never loaded: data/cats.jsonl, data/testify.jsonl", "`configs` block"}},
		{name: "side files", files: map[string]string{
			"README.md": card("train: data/train.jsonl"), "data/train.jsonl": row, "data/schema.json": "{}\n", "checksums.txt": "x\n", "results/table.csv": "a\n"},
			want: []string{"note loader/unclaimed-file checksums.txt"}, says: []string{"3 files", "data/schema.json", "results/table.csv"}},
		{name: "rows in another folder", files: map[string]string{"README.md": card("train: data/train.jsonl"), "data/train.jsonl": row, "raw/log.jsonl": row},
			want: []string{"warning loader/unclaimed-file raw/log.jsonl"}, says: []string{"list it in a split"}},
		{name: "a compressed copy", files: map[string]string{"README.md": card("train: data/train.jsonl"), "data/train.jsonl": row, "data/train.jsonl.gz": row},
			want: []string{"warning loader/unclaimed-file data/train.jsonl.gz"}},
		{name: "a table like those of a split", files: map[string]string{"README.md": card("train: data/a.csv"), "data/a.csv": row, "data/b.csv": row},
			want: []string{"warning loader/unclaimed-file data/b.csv"}},

		{name: "two words for one split in a name", files: map[string]string{"train.jsonl": row, "test-eval.jsonl": row},
			want: []string{"warning loader/file-twice test-eval.jsonl [default/test]"}, says: []string{"doubled", "rename"}},
		{name: "two patterns for one file", files: map[string]string{"README.md": card("train: data/*.jsonl data/a.jsonl"), "data/a.jsonl": row, "data/b.jsonl": row},
			want: []string{"warning loader/file-twice data/a.jsonl [default/train]"}, says: []string{"one pattern"}},
		{name: "one file in two splits", files: map[string]string{"README.md": card("train: a.jsonl", "test: a.jsonl"), "a.jsonl": row}},

		{name: "two formats in one config", files: map[string]string{"README.md": card("train: a.jsonl", "test: b.csv"), "a.jsonl": row, "b.csv": row},
			want: []string{"error loader/one-builder b.csv [default/test]"}, says: []string{`split "test" holds csv files, and split default/train json files`}},
		{name: "two formats without configs", files: map[string]string{"train.jsonl": row, "test.csv": row},
			want: []string{"error loader/one-builder test.csv [default/test]"}},
		{name: "two formats in one split", files: map[string]string{"README.md": card("train: data/*"), "data/a.jsonl": row, "data/b.jsonl": row, "data/notes.txt": "x\n"},
			want: []string{"error loader/one-builder data/notes.txt [default/train]"}, says: []string{"data/notes.txt is not"}},
		{name: "two formats in one guessed split", files: map[string]string{"a.jsonl": row, "b.txt": "x\n", "c.txt": "x\n"},
			want: []string{"warning loader/unclaimed-file a.jsonl"}},
		{name: "two separators in one config", files: map[string]string{"train.tsv": row, "test.csv": row},
			want: []string{"error loader/one-builder test.csv [default/test]"}},
		{name: "one format in several endings", files: map[string]string{"README.md": card("train: a.jsonl b.json", "test: c.ndjson d.jsonl.gz"), "a.jsonl": row,
			"b.json": row, "c.ndjson": row, "d.jsonl.gz": row}},
		{name: "tables beside pictures", files: map[string]string{"README.md": card("train: img/*"), "img/a.png": "x\n", "img/b.png": "x\n", "img/metadata.csv": row}},
	} {
		t.Run(c.name, func(t *testing.T) {
			repo, facts := load(t, c.files)
			found := Check(repo, facts)
			got := []string{}
			for _, f := range found {
				got = append(got, brief(f))
			}
			if diff := cmp.Diff(append([]string{}, c.want...), got); diff != "" {
				t.Fatalf("(-want +got):\n%s\n%+v", diff, found)
			}
			for _, words := range c.says {
				if text := found[0].Message + "\n" + found[0].Hint; !strings.Contains(text, words) {
					t.Errorf("the first finding does not say %q:\n%s", words, text)
				}
			}
		})
	}
}

func TestSeveralConfigs(t *testing.T) {
	config := func(name, file string, more ...string) string {
		return "- config_name: " + name + "\n  data_files: " + file + "\n" + strings.Join(more, "")
	}
	for _, c := range []struct {
		name, configs string
		want          []string
		says          string
	}{
		{"none is the default", config("a", "a.jsonl") + config("b", "b.jsonl"), []string{"note loader/default-config README.md:3:3"}, "`default: true`"},
		{"one says so", config("a", "a.jsonl") + config("b", "b.jsonl", "  default: true\n"), nil, ""},
		{"one is called so", config("a", "a.jsonl") + config("default", "b.jsonl"), nil, ""},
		{"another format", config("default", "a.jsonl") + config("b", "c.csv"), []string{"error loader/one-builder c.csv [b/train]"}, "load_dataset reads all configs as json"},
		{"another separator", config("default", "c.csv") + config("b", "d.tsv"), []string{"warning loader/one-builder d.tsv [b/train]"}, "wrong separator"},
		{"another separator, said", config("default", "c.csv") + config("b", "d.tsv", "  sep: \"\\t\"\n"), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"README.md": "---\nconfigs:\n" + c.configs + "---\n"}
			for _, name := range []string{"a.jsonl", "b.jsonl", "c.csv", "d.tsv"} {
				if strings.Contains(c.configs, name) {
					files[name] = row
				}
			}
			repo, facts := load(t, files)
			got := []string{}
			for _, f := range Check(repo, facts) {
				got = append(got, brief(f))
				if text := f.Message + "\n" + f.Hint; !strings.Contains(text, c.says) {
					t.Errorf("the finding does not say %q:\n%s", c.says, text)
				}
			}
			if diff := cmp.Diff(append([]string{}, c.want...), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEmptyFirstFileWithDeclaredFeaturesIsAWarning(t *testing.T) {
	repo, facts := load(t, map[string]string{
		"README.md": "---\nconfigs:\n- config_name: default\n  data_files: \"*.jsonl\"\n  features:\n  - name: id\n    dtype: int64\n---\n",
		"a.jsonl":   nothing, "b.jsonl": row,
	})
	found := Check(repo, facts)
	if len(found) != 1 || brief(found[0]) != "warning loader/empty-split a.jsonl [default/train]" {
		t.Errorf("want one warning loader/empty-split, got %+v", found)
	}
}

func TestFilesThatWereNotCountedAreNotCalledEmpty(t *testing.T) {
	repo, facts := load(t, map[string]string{"README.md": card("train: a.jsonl b.jsonl"), "a.jsonl": nothing, "b.jsonl": nothing})
	facts.Rows = map[string]int64{"b.jsonl": 0}
	if found := Check(repo, facts); len(found) > 0 {
		t.Errorf("nobody knows the rows of a.jsonl, yet: %+v", found)
	}
}

func TestSchemaOfASplitIsNoData(t *testing.T) {
	repo, facts := load(t, map[string]string{"README.md": card("train: data/a.json"), "data/a.json": row, "data/row.schema.json": "{}\n"})
	repo.Configs[0].Splits[0].Schema = "./data/row.schema.json"
	if found := Check(repo, facts); len(found) > 0 {
		t.Errorf("a schema is taken for data: %+v", found)
	}
}

func TestWhatIsNoBusinessOfTheLoader(t *testing.T) {
	repo, facts := load(t, map[string]string{"weights.safetensors": "x", "eval.json": "{}\n"})
	repo.Type, repo.Configs = release.Model, nil
	if found := Check(repo, facts); len(found) > 0 {
		t.Errorf("a model repo: %+v", found)
	}
	loose := &release.Repo{Configs: []release.Config{{Splits: []release.Split{{Name: "a", Patterns: []string{"x/a-0-of-2.jsonl"}, Files: []string{"x/a-0-of-2.jsonl"}}}}}}
	if found := Check(loose, Facts{}); len(found) > 0 {
		t.Errorf("loose files: %+v", found)
	}
	gone := &release.Repo{Dir: filepath.Join(t.TempDir(), "gone"), Type: release.Dataset, Declared: true, Configs: loose.Configs}
	if found := Check(gone, Facts{}); len(found) > 0 {
		t.Errorf("a folder that is not there: %+v", found)
	}
}

func TestLongListsAreCut(t *testing.T) {
	var files []string
	for i := range 23 {
		files = append(files, fmt.Sprint(i))
	}
	if got := list(files); !strings.HasSuffix(got, "18, 19 and 3 more") {
		t.Errorf("list writes %s", got)
	}
}

// The order of findings depends on nothing but the folder.
func TestSameFindingsEveryTime(t *testing.T) {
	repo, facts := load(t, map[string]string{
		"README.md": card("train: *.jsonl", "test: none.jsonl"), "a-0-of-3.jsonl": row, "a-0-of-4.jsonl": row, "b-1-of-2.jsonl": row, "c-0-of-9.jsonl": row, "x.csv": row, "y.txt": row,
	})
	first := Check(repo, facts)
	for range 20 {
		if diff := cmp.Diff(first, Check(repo, facts)); diff != "" {
			t.Fatalf("a second look gave something else:\n%s", diff)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("data/train-00000-of-00003.jsonl\ndata/train-1-of-2.csv.gz\n.h/x.zip", "data/tr*\n**/[a-]?\ndata/trian.jsonl", "data/train-00000-of-00003.jsonl")
	f.Add("a-999999999999999999-of-0.json\na-0-of-99999999999999999999", "{a}*", "a-999999999999999999-of-0.json")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, names, patterns, files string) {
		repo := &release.Repo{Dir: dir, Type: release.Dataset, Status: release.Public, Root: "."}
		for _, name := range strings.Split(names, "\n") {
			repo.Tree = append(repo.Tree, release.TreeFile{Path: name})
		}
		split := release.Split{Name: "train", Patterns: strings.Split(patterns, "\n"), Files: strings.Split(files, "\n")}
		repo.Configs = []release.Config{{Name: "default", PosFile: "README.md", Splits: []release.Split{split}}}
		Check(repo, Facts{Rows: map[string]int64{split.Files[0]: 0}})
	})
}

func TestArrayPlace(t *testing.T) {
	files := map[string]string{"README.md": card("train: a.json b.json"), "a.json": row, "b.json": row}
	array := func(f Form) Form {
		f.Array, f.ArrayLine = true, max(f.ArrayLine, 1)
		return f
	}
	for _, c := range []struct {
		name          string
		first, second Form
		want, says    string
	}{
		{name: "brackets first", first: array(Form{}), second: array(Form{})},
		{name: "lines behind blanks and a mark", first: Form{BlankFirst: true, BOM: true}, second: Form{BlankFirst: true, BOM: true}},
		{name: "blanks in the first file", first: array(Form{BlankFirst: true, ArrayLine: 3}), second: array(Form{}),
			want: "error loader/array-place a.json:3 [default/train]", says: "blanks stand before the bracket"},
		{name: "blanks in the second file", first: array(Form{}), second: array(Form{BlankFirst: true}),
			want: "error loader/array-place b.json:1 [default/train]", says: "blanks stand"},
		{name: "a byte order mark in the first file, where it is passed over", first: array(Form{BOM: true}), second: array(Form{})},
		{name: "a byte order mark in the second file", first: array(Form{}), second: array(Form{BOM: true}),
			want: "error loader/array-place b.json:1 [default/train]", says: "a byte order mark stands"},
		{name: "a byte order mark and blanks in the first file", first: array(Form{BOM: true, BlankFirst: true, ArrayLine: 2}), second: array(Form{}),
			want: "error loader/array-place a.json:2 [default/train]", says: "blanks stand"},
	} {
		t.Run(c.name, func(t *testing.T) {
			repo, facts := load(t, files)
			facts.Forms = map[string]Form{"a.json": c.first, "b.json": c.second}
			var got, message string
			for _, f := range Check(repo, facts) {
				if f.Code == finding.LoaderArrayPlace {
					got, message = got+brief(f), f.Message
				}
			}
			if got != c.want || !strings.Contains(message, c.says) {
				t.Errorf("got %q (%s), want %q with the words %q", got, message, c.want, c.says)
			}
		})
	}
}
