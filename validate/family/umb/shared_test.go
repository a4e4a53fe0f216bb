package umb_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/family/familytest"
)

// sharedDir holds real files of the benchmark, beside the checkout.
const sharedDir = "../../../../shared/data/umb"

// What is wrong in the real files is known, and found; nothing else is.
func TestRealFiles(t *testing.T) {
	if _, err := os.Stat(sharedDir); err != nil {
		t.Skip("the real files of UnifiedMemBench are not beside the checkout")
	}
	artifacts := map[string]string{
		"data_gen/output/personas_1000_v3.first3.json":                              "umb/personas",
		"data_gen/output/stories_v4_characters_qa.first3.json":                      "umb/qa",
		"dialogue_gen_api/output/final/clean_v8_budget_direct/dataset_summary.json": "umb/dataset-summary",
		"configs/parametric_stagewise/dataset_info.json":                            "umb/dataset-info",
		"results/appendix/invalid_json_by_model.csv":                                "umb/results",
		"results/appendix/invalid_json_by_task.csv":                                 "umb/results",
		"results/appendix/invalid_json_model_task.csv":                              "umb/results",
		"results/appendix/parametric_current_stage_by_stage.csv":                    "umb/results",
		"results/appendix/parametric_taskwise_summary.csv":                          "umb/results",
		"results/figures/figure4_overall_comparison.csv":                            "umb/results",
		"results/figures/figure4_taskwise_profiles.csv":                             "umb/results",
		"results/figures/figure4_plot_data.json":                                    "umb/results",
		"results/retention/retention_rate_overall_by_model.csv":                     "umb/results",
		"results/retention/retention_overall_matrix_long.glm_held_out.csv":          "umb/results",
	}
	config := release.Config{Name: "default"}
	for path, artifact := range artifacts {
		full := filepath.ToSlash(filepath.Join(sharedDir, path))
		config.Splits = append(config.Splits, release.Split{Name: filepath.Base(path), Files: []string{full}, Artifact: artifact})
	}
	slices.SortFunc(config.Splits, func(a, b release.Split) int { return strings.Compare(a.Files[0], b.Files[0]) })
	rel := &release.Release{Name: "files", Repos: []release.Repo{{ID: "files", Type: release.Dataset, Status: release.Public, Configs: []release.Config{config}}}}
	report, err := validate.Run(t.Context(), rel, nil, validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, line := range []string{
		// The first record corrects a year that its question does not mention.
		"umb/premise-year data_gen/output/stories_v4_characters_qa.first3.json:229 /validated_tasks/10/gold_answer",
		// Figure 4 has two definitions of overall.
		"umb/overall-definition results/figures/figure4_overall_comparison.csv:2 /parametric_overall",
		"umb/overall-definition results/figures/figure4_overall_comparison.csv:3 /parametric_overall",
		"umb/overall-definition results/figures/figure4_overall_comparison.csv:4 /parametric_overall",
		"umb/overall-definition results/figures/figure4_plot_data.json:40 /models/0/parametric_overall",
		"umb/overall-definition results/figures/figure4_plot_data.json:80 /models/1/parametric_overall",
		"umb/overall-definition results/figures/figure4_plot_data.json:120 /models/2/parametric_overall",
		// Qwen2.5-7B has supervised scores of one stage only.
		"umb/stage-missing results/appendix/parametric_current_stage_by_stage.csv:32",
		// GLM's stage 1 comes from an override file.
		"umb/source-override results/figures/figure4_plot_data.json:77 /models/1/sources/stage1_override",
		// The retention table calls two models by their labels.
		"umb/model-name results/retention/retention_rate_overall_by_model.csv:2 /model",
		"umb/model-name results/retention/retention_rate_overall_by_model.csv:20 /model",
	} {
		code, place, _ := strings.Cut(line, " ")
		want = append(want, code+" "+filepath.ToSlash(sharedDir)+"/"+place)
	}
	if got := familytest.Places(report.Findings, "umb", "schema", "json"); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// One broken cell among the real tables is seen.
func TestRealTablesBroken(t *testing.T) {
	if _, err := os.Stat(sharedDir); err != nil {
		t.Skip("the real files of UnifiedMemBench are not beside the checkout")
	}
	for _, broken := range []struct{ file, old, new, want string }{
		{"results/retention/retention_rate_overall_by_model.csv", "10,0.535124", "10,0.535324", "umb/retention retention_rate_overall_by_model.csv:10 /mean_retention_rate"},
		{"results/appendix/invalid_json_by_task.csv", "954,25440", "955,25440", "umb/margin invalid_json_by_task.csv:4 /invalid_json_count"},
		{"results/figures/figure4_plot_data.json", "0.44084119496855345", "0.44184119496855345", "umb/lattice figure4_plot_data.json:54 /models/0/contextual_taskwise/ES"},
	} {
		dir := t.TempDir()
		config := release.Config{Name: "default"}
		for _, folder := range []string{"appendix", "figures", "retention"} {
			found, err := filepath.Glob(filepath.Join(sharedDir, "results", folder, "*"))
			if err != nil || len(found) == 0 {
				t.Fatalf("no tables in %s: %v", folder, err)
			}
			for _, path := range found {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(filepath.ToSlash(path), broken.file) {
					if !strings.Contains(string(text), broken.old) {
						t.Fatalf("%s does not hold %s", path, broken.old)
					}
					text = []byte(strings.Replace(string(text), broken.old, broken.new, 1))
				}
				name := filepath.Base(path)
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
					t.Fatal(err)
				}
				config.Splits = append(config.Splits, release.Split{Name: name, Files: []string{name}, Artifact: "umb/results"})
			}
		}
		rel := &release.Release{Name: "tables", Repos: []release.Repo{{ID: "tables", Type: release.Dataset, Status: release.Public, Dir: dir, Configs: []release.Config{config}}}}
		report, err := validate.Run(t.Context(), rel, nil, validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := familytest.Places(report.Findings, "umb", "schema", "json"); !slices.Contains(got, broken.want) {
			t.Errorf("%s in place of %s: found\n  %s\nwant %s", broken.new, broken.old, strings.Join(got, "\n  "), broken.want)
		}
	}
}
