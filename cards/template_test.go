package cards

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/statistics"
)

// templated is a release with a template of its own.
func templated(t *testing.T, text string) (Input, error) {
	t.Helper()
	in := Input{
		Repo:     release.Repo{ID: "acme/tea", Type: release.Dataset, Declared: true, License: "mit", Root: "."},
		Measured: validate.Repo{Configs: []validate.Config{{Name: "default", Splits: []validate.Split{split("train", "train.jsonl", 10)}}}},
	}
	in.Measured.Configs[0].Splits[0].Example = "{\n  \"a\": \"```\"\n}"
	var err error
	in.Template, err = ParseTemplate("card.md.tmpl", []byte(text))
	return in, err
}

func TestOwnTemplate(t *testing.T) {
	in, err := templated(t, "## Rows\n\n{{count .Rows}} {{plural .Rows \"row\"}} of {{code .ID}}\n\n\n\n{{template \"license.md.tmpl\" .}}\n{{fence \"json\" .Example}}")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Render(in)
	if err != nil {
		t.Fatal(err)
	}
	readme := string(out.Files[0].New)
	const want = "## Rows\n\n10 rows of `acme/tea`\n\n## Licensing Information\n\n`mit`\n\n````json\n{\n  \"a\": \"```\"\n}\n````\n\n<!-- hfpub:end data -->"
	if !strings.Contains(readme, want) || strings.Contains(readme, "Data Splits") {
		t.Errorf("README.md is\n%s\nwant the data block to be\n%s", readme, want)
	}
	in.README = out.Files[0].New
	again, err := Render(in)
	if err != nil || again.Files[0].Changed() {
		t.Errorf("rendered again, README.md changes (%v):\n%s", err, cmp.Diff(readme, string(again.Files[0].New)))
	}
}

func TestOwnTemplateFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		text, want   string
		line, column int
	}{
		"syntax":            {"a\n{{if}}\n", "missing value for if", 2, 0},
		"never closed":      {"a\n\n{{range .Configs}}\n", "unexpected EOF", 4, 0},
		"unknown function":  {"{{shout .ID}}", `function "shout" not defined`, 1, 0},
		"unknown data":      {"a\nb {{.Splitz}}\n", "can't evaluate field Splitz", 2, 4},
		"unknown template":  {"a\n{{template \"no.md.tmpl\" .}}", `template "no.md.tmpl" not defined`, 2, 11},
		"deep in a part":    {"{{range .Configs}}\n{{range .Splits}}{{.Row}}{{end}}{{end}}", "can't evaluate field Row", 2, 19},
		"a marker":          {"a\n<!-- hfpub:end data -->\n", "a marker of hfpub", 0, 0},
		"more than is read": {"{{define \"a\"}}{{range .Configs}}" + strings.Repeat("x", 1<<10) + "{{end}}{{end}}" + strings.Repeat("{{template \"a\" .}}", 9<<10), "more than 8 MiB", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := templated(t, tt.text)
			if err == nil {
				_, err = Render(in)
			}
			var refusal *Refusal
			if !errors.As(err, &refusal) || len(refusal.Findings) != 1 {
				t.Fatalf("error %v, want a refusal with one finding", err)
			}
			f := refusal.Findings[0]
			if f.Code != finding.CardTemplate || f.Path != "card.md.tmpl" || !strings.Contains(f.Message, tt.want) || f.Hint == "" {
				t.Errorf("finding %+v, want one of card/template that says %q", f, tt.want)
			}
			if tt.line > 0 && (f.Line != tt.line || f.Column != tt.column) {
				t.Errorf("the finding is at %d:%d, want %d:%d: %s", f.Line, f.Column, tt.line, tt.column, f.Message)
			}
		})
	}
}

// The guide names every function, every template and all data of the page.
func TestGuideListsWhatTemplatesCanUse(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "cmd", "hfpub", "doc", "card-templates.md"))
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	var names []string
	for name := range functions {
		names = append(names, name)
	}
	for _, own := range templates().Templates() {
		if own.Name() != "schema.md.tmpl" && own.Name() != "catalog.md.tmpl" && own.Name() != "" {
			names = append(names, own.Name())
		}
	}
	for _, data := range []any{page{}, configView{}, splitView{}, fileSum{}, reproduction{}, balanceView{}, labelView{}} {
		for i := range reflect.TypeOf(data).NumField() {
			names = append(names, reflect.TypeOf(data).Field(i).Name)
		}
	}
	for _, name := range names {
		if !strings.Contains(guide, "`"+name+"`") && !strings.Contains(guide, "`."+name+"`") {
			t.Errorf("the guide does not name %s", name)
		}
	}
}

func TestBalance(t *testing.T) {
	labels := func(counts ...statistics.LabelCount) statistics.Column {
		return statistics.Column{Name: "label", Kind: statistics.Label, Values: &statistics.Labels{Frequencies: counts}}
	}
	config := validate.Config{Name: "default", Splits: []validate.Split{
		{Name: "train", Statistics: []statistics.Column{labels(statistics.LabelCount{Label: "neg", Count: 750}, statistics.LabelCount{Label: "pos", Count: 250})}},
		{Name: "test", Statistics: []statistics.Column{labels(statistics.LabelCount{Label: "pos", Count: 7}, statistics.LabelCount{Label: "new", Count: 1000})}},
	}}
	want := []balanceView{{"default", []string{"train", "test"}, []labelView{
		{"label", "neg", []string{"750 (75.0%)", "0 (0.0%)"}},
		{"label", "pos", []string{"250 (25.0%)", "7 (0.7%)"}},
		{"label", "new", []string{"0 (0.0%)", "1,000 (99.3%)"}},
	}}, {"apart", []string{"train", "test"}, []labelView{
		{"label", "neg", []string{"100 (33.3%)", "–"}},
		{"label", "pos", []string{"200 (66.7%)", "–"}},
	}}}
	apart := validate.Config{Name: "apart", Splits: []validate.Split{
		{Name: "train", Statistics: []statistics.Column{labels(statistics.LabelCount{Label: "neg", Count: 100}, statistics.LabelCount{Label: "pos", Count: 200})}},
		{Name: "test"},
	}}
	if diff := cmp.Diff(want, balances([]validate.Config{config, apart, {Name: "empty"}})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestModelCard(t *testing.T) {
	result := release.ModelResult{Task: "text-generation", Dataset: "acme/tea", Config: "default", Split: "test", Metric: "accuracy", Value: "0.91"}
	second := result
	second.Metric, second.Value = "f1", "0.9"
	in := Input{Repo: release.Repo{ID: "acme/tea-lora", Type: release.Model, Declared: true, License: "mit", Card: release.Card{Model: release.ModelCard{
		BaseModel: []string{"acme/base-7b"}, Relation: "adapter", LibraryName: "peft", Datasets: []string{"acme/tea"},
		Results: []release.ModelResult{result, second},
	}}}}
	out, err := Render(in)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "model.md", out.Files[0].New)
	in.README = out.Files[0].New
	if again, err := Render(in); err != nil || again.Files[0].Changed() {
		t.Errorf("rendered again, README.md changes (%v)", err)
	}
}

func TestDiscrepanciesAndCitation(t *testing.T) {
	in, err := templated(t, "{{template \"discrepancies.md.tmpl\" .}}{{template \"citation.md.tmpl\" .}}")
	if err != nil {
		t.Fatal(err)
	}
	in.Repo.Card.Citation = "Ada | 2024"
	in.Measured.Claims = []validate.Claim{
		{ID: "rows", Said: "12", Measured: "11", Verdict: "differs", State: "explained", Why: "one was *withdrawn*"},
		{ID: "writers", Said: "3", Measured: "3", Verdict: "agrees"},
	}
	out, err := Render(in)
	if err != nil {
		t.Fatal(err)
	}
	const want = "| `rows` | 12 | 11 | explained | one was *withdrawn* |\n\n## Citation\n\nAda \\| 2024\n"
	if readme := string(out.Files[0].New); !strings.Contains(readme, want) || strings.Contains(readme, "writers") {
		t.Errorf("README.md is\n%s\nwant it to have\n%s", readme, want)
	}
}
