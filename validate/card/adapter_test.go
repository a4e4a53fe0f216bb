package card_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAdapters(t *testing.T) {
	const config, weights = "adapter/adapter_config.json", "adapter/adapter_model.safetensors"
	const model = "model-index:\n- name"
	tests := []struct {
		name string
		// old and new change the card; without a file it is taken away.
		old, new, without string
		want              []string
	}{
		{name: "whole", want: []string{}},
		{name: "no adapter", without: config, old: "library_name: peft\n", want: []string{}},
		{name: "no weights", without: weights, want: []string{"warning card/adapter 0:0 "}},
		{name: "no library", old: "library_name: peft\n", want: []string{"warning card/adapter 2:1 "}},
		{name: "another library", old: "library_name: peft", new: "library_name: transformers", want: []string{"warning card/adapter 7:15 /library_name"}},
		{name: "another relation", old: "relation: adapter", new: "relation: merge", want: []string{"warning card/adapter 6:22 /base_model_relation"}},
		{name: "no data sets", old: "datasets:\n- acme/owls\n- squad\n", want: []string{"note card/adapter 2:1 "}},
		{name: "no results", old: model, new: "results:\n- name", want: []string{"note card/adapter 2:1 "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := copied(t, "release")
			write(t, dir, config, `{"base_model_name_or_path": "acme/bear-7b", "peft_type": "LORA"}`)
			write(t, dir, weights, "weights")
			if tt.without != "" {
				if err := os.Remove(filepath.Join(dir, tt.without)); err != nil {
					t.Fatal(err)
				}
			}
			card, err := os.ReadFile(filepath.Join(dir, "adapter/README.md"))
			if err != nil || !strings.Contains(string(card), tt.old) {
				t.Fatalf("the card does not hold %q (%v)", tt.old, err)
			}
			write(t, dir, "adapter/README.md", strings.Replace(string(card), tt.old, tt.new, 1))
			found := validated(t, dir)
			if diff := cmp.Diff(tt.want, places(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%s", diff, words(found))
			}
		})
	}
}
