package cards

import (
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
)

func TestAdapterConfigFillsTheCard(t *testing.T) {
	const filled = "base_model: acme/base-7b\nbase_model_relation: adapter\nlibrary_name: peft\n"
	const config = `{"base_model_name_or_path": "acme/base-7b"}`
	tests := []struct {
		name, config, readme string
		model                release.ModelCard
		want, not            string
	}{
		{"nothing said", config, "", release.ModelCard{}, filled, ""},
		{"said in hfpub.yaml", config, "", release.ModelCard{BaseModel: []string{"acme/other"}}, "base_model: acme/other\n", "base-7b"},
		{"said in the front matter", config, "---\nbase_model: acme/mine\n---\n", release.ModelCard{}, "base_model: acme/mine\n", "base-7b"},
		{"a folder", `{"base_model_name_or_path": "/data/base"}`, "", release.ModelCard{}, "library_name: peft\n", "base_model"},
		{"a folder beside", `{"base_model_name_or_path": "./base"}`, "", release.ModelCard{}, "library_name: peft\n", "base_model"},
		{"no JSON", `{`, "", release.ModelCard{}, "license: mit\n", "peft"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{AdapterConfig: []byte(tt.config), Repo: release.Repo{
				ID: "acme/lora", Type: release.Model, Declared: true, License: "mit", Card: release.Card{Model: tt.model},
			}}
			if tt.readme != "" {
				in.README = []byte(tt.readme)
			}
			out, err := Render(in)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(out.Files[0].New), "\n---")
			if !strings.Contains(head+"\n", tt.want) || tt.not != "" && strings.Contains(head, tt.not) {
				t.Errorf("front matter is\n%s\nwant it to have %q and not %q", head, tt.want, tt.not)
			}
			in.README = out.Files[0].New
			if again, err := Render(in); err != nil || again.Files[0].Changed() {
				t.Errorf("rendered again, README.md changes (%v)", err)
			}
		})
	}
}
