package card_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/card"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
)

// FuzzCheck demands of any README.md that it is judged without a crash, and that every finding has a known code, a
// place in the file and something to say.
func FuzzCheck(f *testing.F) {
	for _, path := range []string{"dataset/README.md", "release/adapter/README.md"} {
		text, err := os.ReadFile(filepath.Join("testdata", path))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, seed := range []string{
		"", "# Owls\n", "---\n---\n", "---\nlicense:\n", "---\nlanguage: [no, =, <<, 1:20]\n? {a: b}\n: c\n---\n",
		"---\na: &a [x]\ntags: *a\nlicense: *a\n---\n",
		"---\ndataset_info: [{config_name: default, splits: [{name: train}], features: [{name: id, list: [{name: x}]}]}]\n---\n",
		"---\ndataset_info:\n  features: [{name: o, struct: [{name: x, dtype: {class_label: {names: {0: a}}}}]}]\n---\n",
		"---\nextra_gated_fields: [{a: b}]\nconfigs: [{config_name: default, features: [{name: id, dtype: int8}]}, x]\n---\n",
		"---\nmodel-index: [{name: a, results: [{task: x, dataset: [], metrics: [{type: 1}]}]}]\n---\n",
	} {
		f.Add(seed)
	}
	rows, size := int64(2), int64(20)
	features := column.Features{{Name: "id", Type: column.Type{Dtype: "int64"}}, {Name: "o",
		Type: column.Type{Dtype: "json"}}}
	config := card.Config{
		Name: "default", Features: features, Inferred: features,
		Fields: []column.Field{
			{Pointer: "/id", Kinds: []column.KindCount{{Kind: "integer", Count: 2}}, Min: "1", Max: "300"},
			{Pointer: "/o", Kinds: []column.KindCount{{Kind: "object", Count: 2}}},
			{Pointer: "/o/x", Kinds: []column.KindCount{{Kind: "string", Count: 1}}, Values: []column.ValueCount{{Text: "a",
				Count: 1}}},
		},
		Splits: []card.Split{{Name: "train", Rows: &rows, NumBytes: &size, Files: []card.File{{Path: "train.jsonl",
			Bytes: 9}}}},
	}
	f.Fuzz(func(t *testing.T, readme string) {
		matter, _ := frontmatter.Read("README.md", []byte(readme))
		for _, kind := range []release.Type{release.Dataset, release.Model} {
			repo := &release.Repo{ID: "acme/owls", Type: kind, Configs: []release.Config{{Name: "default"}}}
			for _, found := range card.Check(repo, matter, card.Measured{Configs: []card.Config{config}}) {
				_, known := finding.Lookup(found.Code)
				if !known || found.Message == "" || found.Path != "README.md" || found.Line < 1 ||
					found.Line > 1+strings.Count(readme, "\n") {
					t.Errorf("a finding without code, words or place: %+v", found)
				}
			}
		}
	})
}
