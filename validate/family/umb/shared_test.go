package umb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// sharedDir holds real files of the benchmark, beside the checkout.
const sharedDir = "../../../../shared/data/umb"

// realFiles are the real files by what they hold, those of JSON and those of CSV.
var realFiles = []struct{ repo, path, artifact string }{
	{"data", "configs/parametric_stagewise/dataset_info.json", "umb/dataset-info"},
	{"data", "data_gen/output/personas_1000_v3.first3.json", "umb/personas"},
	{"data", "data_gen/output/stories_v4_characters_qa.first3.json", "umb/qa"},
	{"data", "dialogue_gen_api/output/final/clean_v8_budget_direct/dataset_summary.json", "umb/dataset-summary"},
	{"data", "results/figures/figure4_plot_data.json", "umb/results"},
	{"tables", "results/appendix/invalid_json_by_model.csv", "umb/results"},
	{"tables", "results/appendix/invalid_json_by_task.csv", "umb/results"},
	{"tables", "results/appendix/invalid_json_model_task.csv", "umb/results"},
	{"tables", "results/appendix/parametric_current_stage_by_stage.csv", "umb/results"},
	{"tables", "results/appendix/parametric_taskwise_summary.csv", "umb/results"},
	{"tables", "results/figures/figure4_overall_comparison.csv", "umb/results"},
	{"tables", "results/figures/figure4_taskwise_profiles.csv", "umb/results"},
	{"tables", "results/retention/retention_overall_matrix_long.glm_held_out.csv", "umb/results"},
	{"tables", "results/retention/retention_rate_overall_by_model.csv", "umb/results"},
}

// realRelease is a release of the real files, a config for each.
func realRelease(t *testing.T) familytest.Files {
	files := familytest.Files{}
	manifest := "version: 1\nrelease: {name: real-files, version: 1.0.0}\nrepos:\n"
	repo := ""
	for i, f := range realFiles {
		text, err := os.ReadFile(filepath.Join(sharedDir, filepath.FromSlash(f.path)))
		if err != nil {
			t.Skip("the real files of UnifiedMemBench are not beside the checkout")
		}
		files[f.repo+"/"+f.path] = string(text)
		standard := ""
		if f.repo != repo {
			repo, standard = f.repo, "        default: true\n"
			manifest += fmt.Sprintf("  - id: real-files/%s\n    type: dataset\n    status: public\n    root: %s\n    license: cc-by-4.0\n    configs:\n", repo, repo)
		}
		manifest += fmt.Sprintf("      - name: c%d\n%s        splits: [{name: test, files: [%s], artifact: %s}]\n", i, standard, f.path, f.artifact)
	}
	files["hfpub.yaml"] = manifest
	return files
}

// What is wrong in the real files is known, and found; nothing else is, in any area. None of it is an error.
func TestRealFiles(t *testing.T) {
	want := []string{
		// Nobody wrote cards for this release.
		"warning card/missing README.md:0",
		// Only tasks of Knowledge Updating have an old state, as the generator says.
		"warning loader/keys-differ data_gen/output/stories_v4_characters_qa.first3.json:52 /validated_tasks",
		// The first record corrects a year that its question does not mention (D-UMB-13).
		"warning umb/premise-year data_gen/output/stories_v4_characters_qa.first3.json:229 /validated_tasks/10/gold_answer",
		// Figure 4 has two definitions of overall (D-UMB-01).
		"warning umb/overall-definition results/figures/figure4_plot_data.json:40 /models/0/parametric_overall",
		"warning umb/overall-definition results/figures/figure4_plot_data.json:80 /models/1/parametric_overall",
		"warning umb/overall-definition results/figures/figure4_plot_data.json:120 /models/2/parametric_overall",
		"warning card/missing README.md:0",
		"warning umb/overall-definition results/figures/figure4_overall_comparison.csv:2 /parametric_overall",
		"warning umb/overall-definition results/figures/figure4_overall_comparison.csv:3 /parametric_overall",
		"warning umb/overall-definition results/figures/figure4_overall_comparison.csv:4 /parametric_overall",
		// GLM's stage 1 comes from an override file (D-UMB-11).
		"note umb/source-override results/figures/figure4_plot_data.json:77 /models/1/sources/stage1_override",
		// The tables end their lines with CR LF.
		"note csv/crlf results/appendix/invalid_json_by_model.csv:1",
		"note csv/crlf results/appendix/invalid_json_by_task.csv:1",
		"note csv/crlf results/appendix/invalid_json_model_task.csv:1",
		"note csv/crlf results/appendix/parametric_current_stage_by_stage.csv:1",
		// Qwen2.5-7B has supervised scores of one stage only (D-UMB-10).
		"note umb/stage-missing results/appendix/parametric_current_stage_by_stage.csv:32",
		"note csv/crlf results/appendix/parametric_taskwise_summary.csv:1",
		"note csv/crlf results/figures/figure4_overall_comparison.csv:1",
		"note csv/crlf results/figures/figure4_taskwise_profiles.csv:1",
		"note csv/crlf results/retention/retention_overall_matrix_long.glm_held_out.csv:1",
		"note csv/crlf results/retention/retention_rate_overall_by_model.csv:1",
		// The retention table calls two models by their labels (D-UMB-09).
		"note umb/model-name results/retention/retention_rate_overall_by_model.csv:2 /model",
		"note umb/model-name results/retention/retention_rate_overall_by_model.csv:20 /model",
	}
	if got := realRelease(t).FoundAll(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// One broken cell, task or entry among the real files is seen, and only that beside what is known.
func TestRealFilesBroken(t *testing.T) {
	files := realRelease(t)
	known := files.FoundAll(t)
	const qa, summary, info = "data/data_gen/output/stories_v4_characters_qa.first3.json", "data/dialogue_gen_api/output/final/clean_v8_budget_direct/dataset_summary.json", "data/configs/parametric_stagewise/dataset_info.json"
	for _, broken := range []struct {
		name, file, old, new string
		want                 []string
	}{
		{"a duration", qa, "Duration: 66 days", "Duration: 67 days", []string{"error umb/temporal-duration data_gen/output/stories_v4_characters_qa.first3.json:165 /validated_tasks/6/answer_components/2"}},
		{"an answer in days", qa, "428 days passed", "482 days passed", []string{"error umb/temporal-duration data_gen/output/stories_v4_characters_qa.first3.json:175 /validated_tasks/7/gold_answer"}},
		{"a date", qa, "Start: 2020-02-15", "Start: 2020-02-16", []string{"error umb/temporal-duration data_gen/output/stories_v4_characters_qa.first3.json:767 /validated_tasks/8/answer_components/2"}},
		{"an event", qa, "\"source_event_ids\": [\n          \"2020_E1\"", "\"source_event_ids\": [\n          \"2020_E9\"", []string{"error umb/event-unknown data_gen/output/stories_v4_characters_qa.first3.json:55 /validated_tasks/0/source_event_ids/0"}},
		{"a mean retention", "tables/results/retention/retention_rate_overall_by_model.csv", "10,0.535124", "10,0.535324", []string{"error umb/retention results/retention/retention_rate_overall_by_model.csv:10 /mean_retention_rate"}},
		{"a deviation", "tables/results/retention/retention_rate_overall_by_model.csv", "0.535124,0.152234", "0.535124,0.152334", []string{"error umb/retention results/retention/retention_rate_overall_by_model.csv:10 /std_retention_rate"}},
		{"a margin", "tables/results/appendix/invalid_json_by_task.csv", "954,25440", "955,25440", []string{"error umb/margin results/appendix/invalid_json_by_task.csv:4 /invalid_json_count"}},
		{"a rate", "tables/results/appendix/invalid_json_by_model.csv", "22.57%", "22.58%", []string{"error umb/rate results/appendix/invalid_json_by_model.csv:2 /invalid_json_rate"}},
		{"a score of a stage", "data/results/figures/figure4_plot_data.json", "0.14410480349344978", "0.14510480349344978", []string{
			"error umb/overall results/figures/figure4_plot_data.json:40 /models/0/parametric_overall", "error umb/lattice results/figures/figure4_plot_data.json:46 /models/0/parametric_stagewise_current/4"}},
		{"a number of valid tasks", summary, `"valid": 2544`, `"valid": 2545`, []string{
			"error umb/cleaning dialogue_gen_api/output/final/clean_v8_budget_direct/dataset_summary.json:18 /by_task_type/Event Summarization/valid"}},
		{"a rate of cleaning", summary, `"97.4%"`, `"97.3%"`, []string{"error umb/cleaning-rate dialogue_gen_api/output/final/clean_v8_budget_direct/dataset_summary.json:13 /qa_task_counts/valid_rate"}},
		{"a file of another stage", info, "../train_pt/stage_01_pt.jsonl", "../train_pt/stage_02_pt.jsonl", []string{"error umb/dataset-info configs/parametric_stagewise/dataset_info.json:3 /umb_entitysplit_stage_01_pt/file_name"}},
	} {
		t.Run(broken.name, func(t *testing.T) {
			t.Parallel()
			changed, _ := files.With(t, edits{edit(broken.file, broken.old, broken.new)})
			var more []string
			for _, found := range changed.FoundAll(t) {
				if !slices.Contains(known, found) {
					more = append(more, found)
				}
			}
			if !slices.Equal(more, broken.want) {
				t.Errorf("%s in place of %s: found\n  %s\nwant\n  %s", broken.new, broken.old, strings.Join(more, "\n  "), strings.Join(broken.want, "\n  "))
			}
		})
	}
}

// The sample of an evaluation row is one, and is none when something is wrong with it.
func TestRealEvaluationRow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(sharedDir, "examples", "sample_parametric_eval_record.json"))
	if err != nil {
		t.Skip("the real files of UnifiedMemBench are not beside the checkout")
	}
	var sample struct {
		Record json.RawMessage `json:"record"`
	}
	if err := json.Unmarshal(text, &sample); err != nil {
		t.Fatal(err)
	}
	var row bytes.Buffer
	if err := json.Compact(&row, sample.Record); err != nil {
		t.Fatal(err)
	}
	const file = "eval_unseen/memory_eval_stage_01.jsonl"
	files := familytest.Files{file: row.String() + "\n", "hfpub.yaml": "version: 1\nrelease: {name: sample, version: 1.0.0}\nrepos:\n  - id: sample/eval\n    type: dataset\n    status: public\n" +
		"    root: .\n    license: cc-by-4.0\n    configs:\n      - name: default\n        splits: [{name: test, files: [" + file + "], artifact: umb/eval-unseen}]\n"}
	mutate(t, files, []mutation{
		{"another family in the id", edits{edit(file, "::Information Extraction::0", "::Temporal Reasoning::0")}, []string{"umb/eval-id " + file + ":1 /id"}},
		{"something behind the question", edits{edit(file, "was canceled?\",\"reference", "was canceled? Say it.\",\"reference")}, []string{"umb/eval-prompt " + file + ":1 /prompt"}},
		{"a turn before the question", edits{edit(file, "[Question]", "assistant: We had a trek in mind.\\n[Question]")}, []string{"umb/eval-dialogue " + file + ":1 /prompt"}},
		{"another stage", edits{edit(file, `"dialogue_stage":1`, `"dialogue_stage":2`)}, []string{"umb/stage-file " + file + ":1 /metadata/dialogue_stage"}},
		{"an answer beside the question", edits{edit(file, `"metadata":{`, `"metadata":{"gold_answer":"Patagonia",`)}, []string{"schema/additional-properties " + file + ":1 /metadata"}},
	})
}
