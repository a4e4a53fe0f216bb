package racktic_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the data of the example release anew")

// exampleDir is the example release; hfpub.yaml, cards, license texts and the lock in it are not made here.
const exampleDir = "../../../testdata/releases/racktic"

var repos = []string{"acme__widgets.0a1b2c3d", "acme__kettle.1b2c3d4e", "tern__rowing.2c3d4e5f", "wren__ledger.3d4e5f60"}

// halves are the strategies of a half of a stream in each tier, from easy to hard.
var halves = []struct {
	tier       string
	strategies []string
}{
	{"pure_easy", []string{"func_pm_class_rm_base", "func_pm_ctrl_shuffle", "func_basic", "func_pm_op_swap", "func_pm_op_change", "func_pm_op_change_const"}},
	{"easy_mid", []string{"func_basic", "func_pm_op_swap", "func_pm_op_change", "func_pm_ctrl_invert_if", "other", "combine_file"}},
	{"mixed", []string{"func_basic", "func_pm_op_swap", "combine_file", "func_pm_remove_cond", "lm_rewrite", "combine_module"}},
}

// tierOfStrategy is the tier by construction of the strategies above.
var tierOfStrategy = map[string]int{"func_pm_class_rm_base": 3, "func_pm_ctrl_shuffle": 1, "func_basic": 0, "func_pm_op_swap": 1, "func_pm_op_change": 1,
	"func_pm_op_change_const": 1, "func_pm_ctrl_invert_if": 1, "other": 0, "combine_file": 4, "func_pm_remove_cond": 1, "lm_rewrite": 1, "combine_module": 5}

func issueID(repo, strategy string, n int) string {
	if strategy == "other" {
		return fmt.Sprintf("%s.pr_%d", repo, 100+n)
	}
	return fmt.Sprintf("%s.%s__%08d", repo, strategy, n)
}

type piece struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type message struct {
	Role    string  `json:"role"`
	Content []piece `json:"content"`
}

func prompt(text string) []message { return []message{{"user", []piece{{"text", text}}}} }

type taskRow struct {
	ID         string   `json:"instance_id"`
	Repo       string   `json:"repo"`
	Commit     string   `json:"base_commit"`
	Image      string   `json:"image_name"`
	Problem    string   `json:"problem_statement"`
	TestPatch  string   `json:"test_patch"`
	FailToPass []string `json:"FAIL_TO_PASS"`
	PassToPass []string `json:"PASS_TO_PASS"`
	Command    string   `json:"test_command"`
	Folder     string   `json:"workdir"`
	Timeout    int      `json:"test_timeout"`
	Strategy   string   `json:"strategy"`
	Tier       int      `json:"tier"`
	Cluster    string   `json:"cluster"`
	ToFix      int      `json:"n_f2p"`
	ToKeep     int      `json:"n_p2p_local"`
}

func makeTask(id, repo, strategy string, n int) taskRow {
	file := fmt.Sprintf("tests/test_part%d.py", n%5)
	t := taskRow{
		ID: id, Repo: "swesmith/" + repo, Commit: id, Image: "swesmith.x86_64." + repo, Strategy: strategy, Tier: tierOfStrategy[strategy],
		Problem:   fmt.Sprintf("Part %d of the library gives a wrong result since the last change. Calling it with an empty list should give zero; it raises an error instead. See the failing test.", n),
		TestPatch: "--- a/" + file + "\n+++ b/" + file + "\n@@ -1 +1 @@\n-old\n+new\n", Command: "python -m pytest", Folder: "/testbed", Timeout: 300, Cluster: fmt.Sprintf("core/part%d", n%5),
	}
	t.FailToPass = []string{file + "::test_empty", file + "::test_path[/a b]"}
	t.PassToPass = []string{file + "::test_one", file + "::test_two", file + "::TestMany::test_three"}
	t.ToFix, t.ToKeep = len(t.FailToPass), len(t.PassToPass)
	return t
}

// makeRelease makes the data files of the example release by their paths: two streams of each tier, their tasks, and ten streams
// of alchemy with the table of their episodes.
func makeRelease() map[string]string {
	var streams, tasks strings.Builder
	index := 0
	for _, h := range halves {
		for number := range 2 {
			repoA, repoB := repos[(index)%len(repos)], repos[(index+1)%len(repos)]
			var ids, labels, strategies []string
			for i := range 12 {
				repo := repoA
				if i >= 6 {
					repo = repoB
				}
				strategy := h.strategies[i%6]
				id := issueID(repo, strategy, 12*index+i)
				ids, labels, strategies = append(ids, id), append(labels, repo), append(strategies, strategy)
				tasks.WriteString(line(makeTask(id, repo, strategy, 12*index+i)))
			}
			streams.WriteString(line(struct {
				Prompt   []message `json:"prompt"`
				Metadata any       `json:"metadata"`
			}{prompt(fmt.Sprintf("SWE-smith 6p6 v3-%s episode %d: %s -> %s.", h.tier, number, repoA, repoB)), struct {
				Split      string   `json:"split"`
				Index      int      `json:"episode_index"`
				RepoA      string   `json:"repoA"`
				RepoB      string   `json:"repoB"`
				IDs        []string `json:"instance_ids"`
				Labels     []string `json:"stage_labels"`
				Strategies []string `json:"strategies"`
				Tier       string   `json:"difficulty_tier"`
				Seed       int      `json:"shuffle_seed"`
			}{"train", index, repoA, repoB, ids, labels, strategies, h.tier, index}}))
			index++
		}
	}
	var alchemy strings.Builder
	for _, episode := range []int{3, 0, 7, 5, 1, 8, 2, 9, 6, 4} {
		alchemy.WriteString(line(map[string]any{"prompt": prompt(fmt.Sprintf("Alchemy episode %d.", episode)),
			"metadata": map[string]any{"episode_index": episode, "max_steps_per_trial": 20, "rewrite_granularity": "trial"}}))
	}
	table := "episode_index,edges,trials,stones_per_trial,potions_per_trial,excluded\n"
	for episode, edges := range []int{12, 10, 8, 12, 7, 10, 7, 12, 9, 8, 12, 10} {
		table += fmt.Sprintf("%d,%d,10,3,12,%t\n", episode, edges, episode >= 10)
	}
	return map[string]string{
		"memory-tasks/symbolic_alchemy/train_streams.jsonl":    alchemy.String(),
		"memory-tasks/codebase_adaptation/train_streams.jsonl": streams.String(),
		"memory-tasks/codebase_adaptation/tasks.jsonl":         tasks.String(),
		"episodes/episodes.csv":                                table,
	}
}

func line(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return b.String()
}

// TestExampleRelease holds the data of the example release to its makers.
func TestExampleRelease(t *testing.T) {
	for path, text := range makeRelease() {
		full := filepath.Join(exampleDir, filepath.FromSlash(path))
		if *update {
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != text {
			t.Errorf("%s is not what the maker writes: run the tests of this package with -update", path)
		}
	}
}
