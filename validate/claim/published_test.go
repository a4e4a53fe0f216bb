package claim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared reads files of the material beside the checkout, and skips the test without it.
func shared(t *testing.T, paths map[string]string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, path := range paths {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(path)))
		if err != nil {
			t.Skipf("the shared material is not beside this checkout: %v", err)
		}
		files[name] = string(text)
	}
	return files
}

// The claims of UnifiedMemBench and Racktic that published files can measure agree or differ as is known of them.
func TestPublishedClaims(t *testing.T) {
	files := shared(t, map[string]string{
		"summary.json":  "umb/dialogue_gen_api/output/final/clean_v8_budget_direct/dataset_summary.json",
		"dsinfo.json":   "umb/configs/parametric_stagewise/dataset_info.json",
		"figure4.json":  "umb/results/figures/figure4_plot_data.json",
		"figure4.csv":   "umb/results/figures/figure4_overall_comparison.csv",
		"profiles.csv":  "umb/results/figures/figure4_taskwise_profiles.csv",
		"matrix.csv":    "umb/results/retention/retention_overall_matrix_long.glm_held_out.csv",
		"retention.csv": "umb/results/retention/retention_rate_overall_by_model.csv",
		"c.csv":         "umb/results/appendix/invalid_json_by_model.csv",
	})
	files["a.jsonl"] = "{}\n"
	var claims strings.Builder
	var want []string
	add := func(id, said, measure, verdict string) {
		claims.WriteString(claim(id, said, measure))
		want = append(want, verdict)
	}
	cell := func(file, where, column string) string {
		return fmt.Sprintf("cell: {file: %s, where: {%s}, column: %s}", file, where, column)
	}
	value := func(file, pointer string) string { return fmt.Sprintf("value: {file: %s, pointer: %s}", file, pointer) }
	// UMB-C03, C04, C11, C14
	add("dialogues", "1,000 dialogues kept", value("summary.json", "/dialogue_counts/retained"), "1000 agrees")
	add("raw", "12,112 raw", value("summary.json", "/qa_task_counts/raw"), "12112 agrees")
	add("valid", "11,795 valid", value("summary.json", "/qa_task_counts/valid_retained"), "11795 agrees")
	add("removed", "317 removed", `expr: "raw - valid"`, "317 agrees")
	add("rate", "97.4 %", `expr: "valid / raw"`, "0.973828 agrees-rounded")
	add("entries", "20 entries", `value: {file: dsinfo.json, pointer: ""}`, "20 agrees")
	add("invalid", "6,810 of them", "sum: {in: table, value: /invalid_json_count}", "6810 agrees")
	add("outputs", "117,950 overall", "sum: {in: table, value: /total_count}", "117950 agrees")
	// UMB-C16, C17 and D-UMB-01: contextual_overall is the mean of six tasks, parametric_overall is not
	tasks := []string{"IE", "MSR", "ES", "TR", "KU", "MA"}
	for _, side := range []string{"contextual", "parametric"} {
		for _, task := range tasks {
			add(side+"-"+task, "0.5", cell("profiles.csv", "model: Qwen3.5-9B, task_code: "+task, side+"_score"), "")
		}
		verdict := map[string]string{"contextual": "0.574283 agrees", "parametric": "0.166042 differs: likely another average: this is the balanced (macro) mean of 6 numbers " +
			"(parametric-IE … parametric-MA), and the balanced (macro) mean of 10 numbers (stage-1 … stage-10) of claim stagewise gives 0.162955"}[side]
		said := map[string]string{"contextual": "0.574283", "parametric": "0.162955"}[side]
		add(side, said, fmt.Sprintf(`expr: "(%s-%s) / 6"`, side, strings.Join(tasks, " + "+side+"-")), verdict)
	}
	var stages []string
	for i := range 10 {
		add(fmt.Sprintf("stage-%d", i+1), "0.5", value("figure4.json", fmt.Sprintf("/models/0/parametric_stagewise_current/%d", i)), "")
		stages = append(stages, fmt.Sprintf("stage-%d", i+1))
	}
	add("stagewise", "0.162955", fmt.Sprintf(`expr: "(%s) / 10"`, strings.Join(stages, " + ")), "0.162955 agrees-rounded")
	// UMB-C15: a score of n samples in halves
	add("lattice", "3494", `expr: "exact * 2906 * 2"`, "3494 agrees-rounded")
	add("exact", "0.601170", value("figure4.json", "/models/0/contextual_taskwise/IE"), "0.60117 agrees-rounded")
	// UMB-C19: retention
	add("first", "0.167949", cell("matrix.csv", "checkpoint_stage: 1, eval_stage: 1", "overall_score"), "0.167949 agrees")
	add("second", "0.100775", cell("matrix.csv", "checkpoint_stage: 2, eval_stage: 1", "overall_score"), "0.100775 agrees")
	add("retention", "0.600033", `expr: "second / first"`, "0.600033 agrees-rounded")
	results, _ := measured(t, claims.String(), files)
	for i, got := range results {
		if want[i] != "" && got != want[i] {
			t.Errorf("claim %d is %q; expected %q", i+1, got, want[i])
		}
	}
}

// RK-C03 and the edges of its episodes.
func TestPublishedEpisodes(t *testing.T) {
	files := shared(t, map[string]string{"c.csv": "dm_alchemy/edges_by_episode.csv"})
	claims := claim("episodes", "1,000 prebuilt episodes", "rows: {in: table}") + claim("indexes", "1,000", "distinct: {in: table, key: /episode_index}") +
		claim("lines", "1,001", "rows: {in: table}")
	for edges, n := range map[int]int{12: 251, 10: 278, 9: 50, 8: 174, 7: 247} {
		claims += claim(fmt.Sprintf("edges-%d", edges), fmt.Sprint(n), fmt.Sprintf("count: {in: table, where: row.edges == %d}", edges))
	}
	results, _ := measured(t, claims, files)
	for i, got := range results {
		if i == 2 {
			if want := "1000 differs: likely the lines of the CSV files, the header lines among them"; got != want {
				t.Errorf("the number of lines is %q; expected %q", got, want)
			}
		} else if !strings.HasSuffix(got, " agrees") {
			t.Errorf("claim %d is %q; it agrees", i+1, got)
		}
	}
}
