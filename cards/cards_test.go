package cards

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what is rendered; go test -update writes it (-want +got):\n%s", path, diff)
	}
}

func count(n int64) *int64 { return &n }

// split is a measured split of one file; 8 bytes in memory for a row.
func split(name, path string, rows int64) validate.Split {
	return validate.Split{
		Name: name, Rows: count(rows), NumBytes: count(8 * rows),
		Files: []validate.File{{Path: path, Bytes: 10 * rows, Rows: count(rows), SHA256: strings.Repeat("ab", 32)}},
	}
}

// field is a field of a row that has values of one kind.
func field(pointer, kind string, present, nulls int64, example string) column.Field {
	f := column.Field{
		Pointer: pointer, Present: present, Nulls: nulls, Example: example,
		Chars: column.Span{Max: -1}, Items: column.Span{Max: -1},
	}
	if present > nulls {
		f.Kinds = append(f.Kinds, column.KindCount{Kind: kind, Count: present - nulls})
	}
	if nulls > 0 {
		f.Kinds = append([]column.KindCount{{Kind: "null", Count: nulls}}, f.Kinds...)
	}
	return f
}

// folder is a plain folder with one split of two rows.
func folder(readme string) Input {
	in := Input{
		Repo: release.Repo{ID: "owls", Type: release.Dataset, Status: release.Public, Configs: []release.Config{{
			Name: "default", Splits: []release.Split{{Name: "train", Patterns: []string{"data/train.jsonl"}, Files: []string{"data/train.jsonl"}}},
		}}},
		Measured: validate.Repo{ID: "owls", Configs: []validate.Config{{
			Name:     "default",
			Features: column.Features{{Name: "id", Type: column.Type{Dtype: "int64"}}, {Name: "call", Type: column.Type{Dtype: "string"}}},
			Splits:   []validate.Split{split("train", "data/train.jsonl", 2)},
			Fields:   []column.Field{field("/id", "integer", 2, 0, "1"), field("/call", "string", 2, 0, `"hoo"`)},
		}}},
	}
	if readme != "" {
		in.README = []byte(readme)
	}
	return in
}

// declared is a repo of an hfpub.yaml with two configs.
func declared() Input {
	gold := func(config, split string) []string { return []string{config + "/" + split + ".jsonl"} }
	features := column.Features{{Name: "question", Type: column.Type{Dtype: "string"}}, {Name: "answer", Type: column.Type{Dtype: "string"}}}
	fields := func(n int64) []column.Field {
		q := field("/question", "string", n, 0, `"How many?"`)
		q.Chars, q.ManyValues = column.Span{Min: 12, Max: 985}, true
		a := field("/answer", "string", n, 3, `"18"`)
		return []column.Field{q, a}
	}
	return Input{
		Repo: release.Repo{
			ID: "acme/gsm8k", Type: release.Dataset, Status: release.Public, Declared: true, License: "mit",
			Card: release.Card{
				PrettyName: "Grade School Math 8K", Language: []string{"en", "no"}, Tags: []string{"math-word-problems", "1:20"},
				TaskCategories: []string{"text-generation"},
				Sections: []release.Section{
					{Heading: "Uses", Text: "Training *and* evaluation.\n\n- one\n- two\n"},
					{Heading: "Citation", Text: "```bibtex\n@misc{gsm8k}\n```"},
				},
			},
			Configs: []release.Config{
				{Name: "main", Default: true, Splits: []release.Split{
					{Name: "train", Patterns: gold("main", "train"), Files: gold("main", "train")},
					{Name: "test", Patterns: []string{"main/test-*.jsonl", "main/more.jsonl"}, Files: gold("main", "test")},
				}},
				{Name: "socratic", Splits: []release.Split{{Name: "test", Patterns: []string{"socratic/*.jsonl"}, Files: gold("socratic", "test")}}},
			},
			Upstream:  []release.Upstream{{Name: "Problems | by hand", License: "cc-by-4.0", Flow: "content"}, {Name: "A tool", Flow: "tool"}},
			Reproduce: &release.Reproduce{Run: []string{"make-data", "--seed", "137", "it's"}, Produces: "main/train.jsonl"},
		},
		Measured: validate.Repo{ID: "acme/gsm8k", Configs: []validate.Config{
			{Name: "main", Features: features, Splits: []validate.Split{split("train", "main/train.jsonl", 7473), split("test", "main/test.jsonl", 1319)},
				Fields: fields(8792)},
			{Name: "socratic", Features: features, Splits: []validate.Split{split("test", "socratic/test.jsonl", 1319)}, Fields: fields(1319)},
		}},
	}
}

func render(t *testing.T, in Input) Output {
	t.Helper()
	out, err := Render(in)
	if err != nil {
		t.Fatalf("Render: %v", err)
	}
	return out
}

// file is a rendered file.
func (o Output) file(t *testing.T, path string) []byte {
	t.Helper()
	for _, f := range o.Files {
		if f.Path == path {
			return f.New
		}
	}
	t.Fatalf("%s was not rendered", path)
	return nil
}

// again renders what a first rendering gave and expects the same bytes.
func again(t *testing.T, in Input, first Output) {
	t.Helper()
	for _, f := range first.Files {
		switch f.Path {
		case ReadmePath:
			in.README = f.New
		case SchemaPath:
			in.SchemaMD = f.New
		}
	}
	second := render(t, in)
	for _, f := range second.Files {
		if f.Changed() {
			t.Errorf("rendered a second time %s differs (-first +second):\n%s", f.Path, cmp.Diff(string(f.Old), string(f.New)))
		}
	}
	if found := second.Check(); len(found) > 0 {
		t.Errorf("Check after rendering finds %v", found)
	}
}

func TestNewCards(t *testing.T) {
	model := Input{Repo: release.Repo{
		ID: "acme/judge", Type: release.Model, Status: release.Public, Declared: true, License: "other", LicenseName: "my-license-1.0",
		LicenseLink: "LICENSE (1).md", Card: release.Card{Tags: []string{"lora"}},
	}}
	pending := declared()
	pending.Repo.Status = release.Pending
	pending.Repo.Card.Sections = []release.Section{{Heading: "Source data", Text: "By hand."}, {Heading: "License", Text: "MIT, see LICENSE."}}
	pending.Repo.Reproduce = nil
	unread := declared()
	unread.Measured.Configs[1].Splits[0].Rows = nil
	unread.Measured.Configs[1].Fields = nil
	many := folder("")
	for i := range 102 {
		file := validate.File{Path: fmt.Sprintf("data/train-%03d.jsonl", i), Bytes: 1000}
		train := &many.Measured.Configs[0].Splits[0]
		train.Files = append(train.Files, file)
	}
	for name, in := range map[string]Input{
		"declared": declared(), "folder": folder(""), "model": model, "pending": pending, "unread": unread, "many-files": many,
	} {
		t.Run(name, func(t *testing.T) {
			out := render(t, in)
			for _, f := range out.Files {
				golden(t, filepath.Join("new", name, f.Path), f.New)
			}
			again(t, in, out)
		})
	}
}

func TestAPlainFolderNamesAWholeSetOfShardsByOnePattern(t *testing.T) {
	for name, c := range map[string]struct{ files, others, want []string }{
		"a set":           {[]string{"data/train-00000-of-00002.jsonl", "data/train-00001-of-00002.jsonl"}, nil, []string{"data/train-*.jsonl"}},
		"packed":          {[]string{"a-0-of-2.csv.gz", "a-1-of-2.csv.gz"}, []string{"b-0-of-2.csv.gz"}, []string{"a-*.csv.gz"}},
		"a file beside":   {[]string{"a-0-of-2.csv", "a-1-of-2.csv"}, []string{"a-old.csv"}, []string{"a-0-of-2.csv", "a-1-of-2.csv"}},
		"one elsewhere":   {[]string{"a-0-of-2.csv", "a-1-of-2.csv"}, []string{"a-old/x.csv", "b/a-0-of-2.csv"}, []string{"a-*.csv"}},
		"a shard missing": {[]string{"a-0-of-3.csv", "a-2-of-3.csv"}, nil, []string{"a-0-of-3.csv", "a-2-of-3.csv"}},
		"two endings":     {[]string{"a-0-of-2.csv", "a-1-of-2.csv.gz"}, nil, []string{"a-0-of-2.csv", "a-1-of-2.csv.gz"}},
		"not in order": {
			[]string{"a-0-of-11.csv", "a-1-of-11.csv", "a-2-of-11.csv", "a-3-of-11.csv", "a-4-of-11.csv", "a-5-of-11.csv", "a-6-of-11.csv",
				"a-7-of-11.csv", "a-8-of-11.csv", "a-9-of-11.csv", "a-10-of-11.csv"}, nil, nil},
		"one shard":   {[]string{"a-0-of-1.csv"}, nil, []string{"a-0-of-1.csv"}},
		"odd letters": {[]string{"[a]-0-of-2.csv", "[a]-1-of-2.csv"}, nil, []string{"[[]a]-0-of-2.csv", "[[]a]-1-of-2.csv"}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := &release.Repo{}
			for _, path := range append(slices.Clone(c.files), c.others...) {
				repo.Tree = append(repo.Tree, release.TreeFile{Path: path})
			}
			if c.want == nil {
				c.want = c.files
			}
			if got := Patterns(repo, c.files); !slices.Equal(got, c.want) {
				t.Errorf("got %q, expected %q", got, c.want)
			}
		})
	}
}
