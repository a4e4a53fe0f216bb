package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
)

// told is what hfpub says of one claim of a release.
type told struct{ ID, Said, Measured, Verdict, State, Reason string }

// discrepanciesOf runs hfpub discrepancies on a release.
func discrepanciesOf(t *testing.T, dir string) []told {
	t.Helper()
	var out, problems bytes.Buffer
	run(t.Context(), []string{"discrepancies", "--format", "json", dir}, &out, &problems)
	var report struct{ Claims []told }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || len(report.Claims) == 0 {
		t.Fatalf("hfpub discrepancies %s: %v\n%s", dir, err, problems.String())
	}
	return report.Claims
}

// publishedRelease puts the public files beside the checkout into the folders of testdata/releases/printed/published.
func publishedRelease(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"umb", "dm_alchemy", "memgym-site", "memgym"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(sharedPath(t, "data/"+folder))); err != nil {
			t.Fatal(err)
		}
	}
	ids, err := os.ReadFile(filepath.Join(dir, "memgym/data/swegym_diverse_500.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for id := range strings.FieldsSeq(string(ids)) {
		repo, _, _ := strings.Cut(id, "__")
		rows = append(rows, fmt.Sprintf(`{"id": %q, "repo": %q}`, id, repo))
	}
	put(t, dir, "memgym/data/swegym_diverse_500.jsonl", strings.Join(rows, "\n")+"\n")
	copyManifest(t, "published", dir)
	return dir
}

func copyManifest(t *testing.T, name, dir string) {
	t.Helper()
	text, err := os.ReadFile(repoPath(t, "testdata/releases/printed/"+name+"/hfpub.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "hfpub.yaml", string(text))
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repeat writes n rows.
func repeat(n int, row func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i))
		b.WriteByte('\n')
	}
	return b.String()
}

const notice = "This release holds an adapter of Qwen/Qwen3-1.7B.\n\nDatasets are CC-BY-NC-4.0 unless noted.\n"

// syntheticRelease makes the rows of testdata/releases/printed/synthetic: of the size that is printed, and nothing else.
func syntheticRelease(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	copyManifest(t, "synthetic", dir)
	for name, of := range map[string]string{"strategy": "strategy_ood_166.csv", "webarena": "webarena_426.csv", "rm": "iid_3007.csv"} {
		text, err := os.ReadFile(repoPath(t, "testdata/releases/printed/synthetic/predictions/"+of))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, name+"/predictions.csv", string(text))
	}
	empty := func(int) string { return "{}" }
	event := func(i int) string { return fmt.Sprintf(`{"fork_event_id": "event-%d"}`, i) }
	corpus := func(first, pairs, repos int) func(int) string {
		return func(i int) string {
			label := 0
			if first+i >= 16357 {
				label = 1
			}
			return fmt.Sprintf(`{"repo": "repo-%d-%d", "source_dir": "run-%d", "instance_id": "issue-%d", "label": %d}`, first, i%repos, i%pairs%3, i%pairs+first, label)
		}
	}
	stage := func(per int) func(int) string {
		return func(i int) string { return fmt.Sprintf(`{"stage_id": %d}`, i/per+1) }
	}
	issue := func(n int) string { return fmt.Sprintf(`"issue-%d"`, n) }
	for name, text := range map[string]string{
		"NOTICE":                                    notice,
		"corpus/train.jsonl":                        repeat(15630, corpus(0, 800, 50)),
		"corpus/eval.jsonl":                         repeat(3007, corpus(15630, 46, 7)),
		"webarena/pairs_union.jsonl":                repeat(487, event),
		"extras/tau2.jsonl":                         repeat(6209, func(i int) string { return fmt.Sprintf(`{"prompt": "p", "label": %d}`, i%2) }),
		"webarena/pairs_paper_eval.jsonl":           repeat(426, event),
		"extras/webarena_longctx.jsonl":             repeat(111, empty),
		"strategy/LICENSE":                          "Apache License\nVersion 2.0, January 2004\n",
		"strategy/data/rm_strategy_ood_pairs.jsonl": repeat(22, func(i int) string { return fmt.Sprintf(`{"prompt": "p", "label": %d}`, min(i, 1)) }),
		"strategy/data/per_slice/a.jsonl":           repeat(11, empty),
		"strategy/data/per_slice/b.jsonl":           repeat(11, empty),
		"rm/checkpoint-500/adapter_config.json": `{"r": 16, "lora_alpha": 32, "lora_dropout": 0.05, "target_modules": ["q", "k", "v", "o"], ` +
			`"base_model_name_or_path": "Qwen/Qwen3-1.7B-Base"}`,
		"rm/README.md":            "---\nlicense: apache-2.0\nbase_model: Qwen/Qwen3-1.7B-Base\n---\n# Model\n",
		"dr/3hop_verified.jsonl":  repeat(161, empty),
		"dr/4hop_paper_run.jsonl": repeat(916, empty),
		"dr/56hop_clean.jsonl":    repeat(117, empty),
		"codeqa/attempts.jsonl":   repeat(4999, func(i int) string { return fmt.Sprintf(`{"kept": %t}`, i < 4289) }),
		"midtrain/v1.jsonl":       repeat(582, empty),
		"midtrain/v2.jsonl":       repeat(2126, empty),
		"racktic/alchemy.jsonl":   repeat(950, empty),
		"racktic/tasks.jsonl":     repeat(4584, func(i int) string { return `{"instance_id": ` + issue(i) + "}" }),
		"racktic/streams.jsonl": repeat(382, func(i int) string {
			tier := "mixed"
			if i < 63 {
				tier = "pure_easy"
			} else if i < 63+138 {
				tier = "easy_mid"
			}
			var ids []string
			for k := range 12 {
				ids = append(ids, issue(12*i+k))
			}
			return fmt.Sprintf(`{"tier": %q, "repos": ["repo-%d", "repo-%d"], "instance_ids": [%s]}`, tier, i%53, (i+1)%53, strings.Join(ids, ","))
		}),
		"umb/personas.jsonl": repeat(1000, empty),
		"umb/report.json":    `{"characters": 1000, "issues": 0, "warnings": 0}`,
		"umb/assignments.jsonl": repeat(1000, func(i int) string {
			return fmt.Sprintf(`{"dialogue_id": "d-%d", "stage_id": %d, "qa_count": %d}`, i, i/100+1, 11+btoi(i < 795))
		}),
		"umb/entities.jsonl": repeat(1000, func(i int) string {
			return fmt.Sprintf(`{"stage_id": %d, "side": %q}`, i/100+1, []string{"train", "train", "train", "train", "test"}[i%5])
		}),
		"umb/sft.jsonl":   repeat(19200, stage(1920)),
		"umb/facts.jsonl": repeat(124169, func(i int) string { return fmt.Sprintf(`{"fact_id": "%06d"}`, i+1) }),
	} {
		put(t, dir, name, text)
	}
	for level := range 34 {
		put(t, dir, fmt.Sprintf("umb/ladder/L%02d.jsonl", level+1), repeat(50, empty))
	}
	weights := filepath.Join(dir, "rm/checkpoint-500/adapter_model.safetensors")
	put(t, dir, "rm/checkpoint-500/adapter_model.safetensors", "")
	if err := os.Truncate(weights, 49<<19); err != nil { // 24.5 MiB
		t.Fatal(err)
	}
	return dir
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The claims of the reference lists that are not measured by a claim of an example release, of published files or of the synthetic
// release. rule/code: that finding of an example release, or of its mutations, speaks of it.
var elsewhereMeasured = map[string]string{
	"CLK-C06": "clerk/budget", "CLK-C10": "clerk/ledger-after", "CLK-C11": "clerk/answer", "CLK-C12": "clerk/evict-count", "CLK-C07": "reproduce/differs",
	"CLK-C14": "clerk/turns", "CLK-C13": "license/disagree", "D-CLK-02": "clerk/name-overlap", "D-CLK-03": "clerk/op-twice",
	"MG-C07": "memgym/split-checksum", "MG-C23": "license/base-model", "D-MG-04": "memgym/split-rule", "D-MG-07": "memgym/reward-label",
	"D-MG-08": "license/disagree", "D-MG-09": "license/disagree", "D-MG-10": "license/base-model-name", "D-MG-17": "memgym/questions",
	"D-MG-18": "memgym/verification", "D-MG-20": "memgym/instance-twice",
	"RK-C06": "racktic/episode-excluded", "RK-C07": "racktic/episode-order", "RK-C14": "racktic/stream-tier", "RK-C15": "racktic/stream-order",
	"RK-C17": "racktic/task-file", "RK-C20": "license/disagree", "D-RK-05": "racktic/task-image",
	"UMB-C21": "license/disagree", "D-UMB-09": "umb/model-name", "D-UMB-11": "umb/source-override", "D-UMB-13": "umb/premise-year", "D-UMB-14": "umb/temporal-duration",
	"D-UMB-07": "umb/ladder-name",
}

// notHere are those that nothing here can measure, and why.
var notHere = map[string]string{
	"CLK-C01": "the data is not public; the example has 6 personas", "CLK-C02": "the data is not public; the example has 2 personas",
	"CLK-C03": "the data is not public; the example has 2 personas", "CLK-C04": "the generator is not public: the seeds give hfpub's own timelines",
	"D-CLK-01": "about the files of a repo on the Hub at one time", "D-CLK-04": "about the words of a card", "D-CLK-05": "about what a repo holds: a report of status",
	"MG-C13":  "needs the prompts, 8.1 GB that are not here",
	"D-MG-11": "about the words of a paper and the license of code", "D-MG-12": "about a command of a README",
	"D-MG-19": "needs the released rows, to be searched for passages", "D-MG-21": "about a table of a README", "D-MG-22": "about counts of tests in documents",
	"D-MG-23": "about a version of Python in a README", "D-MG-24": "about defaults of code", "D-MG-25": "about a note of a staging folder",
	"D-RK-06":  "about another version of a file in the history of a repo",
	"D-UMB-03": "about a command of a README", "D-UMB-04": "about the script that wrote a manifest", "D-UMB-05": "about code and its README",
	"D-UMB-06": "about code and its README", "D-UMB-08": "about a path in a script", "D-UMB-12": "about a path in a README",
	"D-UMB-15": "about a file that is not in the index of the repo",
}

// differing are the claims that differ, as the list of discrepancies says: with the measured number, and words of the reason or state.
var differing = map[string]string{
	"D-MG-01": "0.578331 open", "D-MG-02": "0.05 resolved", "D-MG-05": "0.161346 explained", "D-MG-06": "0 open", "D-MG-13": "44 open", "D-MG-14": "4289 explained",
	"D-MG-15": "2131 open", "D-MG-16": "1194 open", "MG-C22.size": "25690112 explained mix-up of units: it is 24.5 MiB and 25.7 MB",
	"D-RK-01": "1000 open", "D-RK-02.easy_mid": "138 explained", "D-RK-02.mixed": "181 explained",
	"D-UMB-01.Qwen3.5": "0.166042 explained another average", "D-UMB-01.GLM": "0.17788 explained another average", "D-UMB-01.Qwen2.5": "0.127603 explained another average",
	"D-UMB-02.dialogues": "../output/final_dialogues_v8_seg150_tok3000.json open", "D-UMB-02.report": "../output/final/eval_report_v8_full_budget.json open",
	"D-UMB-10": "1 open",
}

// Every claim and discrepancy of the reference lists is measured, by a claim that agrees or differs as it is known to, or by a rule;
// or it is said why not.
func TestListedClaims(t *testing.T) {
	dirs := []string{publishedRelease(t), syntheticRelease(t)}
	for _, name := range []string{"memgym", "racktic", "clerk"} {
		dirs = append(dirs, repoPath(t, "testdata/releases/"+name))
	}
	measured := map[string]int{}
	for _, dir := range dirs {
		for _, c := range discrepanciesOf(t, dir) {
			id, _, _ := strings.Cut(c.ID, ".")
			measured[id]++
			want, differs := differing[c.ID]
			switch {
			case differs != (c.Verdict == "differs"):
				t.Errorf("%s: %q is measured as %q: %s; it is known to differ: %t", c.ID, c.Said, c.Measured, c.Verdict, differs)
			case differs:
				number, want, _ := strings.Cut(want, " ")
				state, reason, _ := strings.Cut(want, " ")
				if c.Measured != number || c.State != state || !strings.Contains(c.Reason, reason) {
					t.Errorf("%s: measured %s, %s (%s); want %s, %s (%s)", c.ID, c.Measured, c.State, c.Reason, number, state, reason)
				}
			case c.Verdict == "not-measured":
				t.Errorf("%s is not measured: %s", c.ID, c.Reason)
			}
		}
	}
	var missing []string
	for _, list := range []string{"claims.jsonl", "discrepancies.jsonl"} {
		for _, id := range idsOf(t, sharedPath(t, "reference/"+list)) {
			code, byRule := elsewhereMeasured[id]
			why, no := notHere[id]
			switch {
			case byRule && !known(code):
				t.Errorf("%s is to be found by %s, and there is no such finding", id, code)
			case measured[id] == 0 && !byRule && why == "":
				missing = append(missing, id)
			case no && measured[id] > 0:
				t.Errorf("%s is measured, and said not to be: %s", id, why)
			}
			t.Logf("%s: %d claims, %s%s", id, measured[id], code, why)
		}
	}
	if len(missing) > 0 {
		t.Errorf("nobody measures %v, and nothing says why", missing)
	}
}

func known(code string) bool {
	_, ok := finding.Lookup(finding.Code(code))
	return ok
}

// idsOf reads the ids of a list; of "D-MG-01 (M2)" the first word.
func idsOf(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var ids []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct{ ID string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		id, _, _ := strings.Cut(row.ID, " ")
		ids = append(ids, id)
	}
	return ids
}

// The rules of the synthetic release hold; what its licenses say against each other is found: the LICENSE of another license than the
// card's, a NOTICE that puts all data sets under a third, and one that names another base model.
func TestSyntheticRelease(t *testing.T) {
	var out, problems bytes.Buffer
	run(t.Context(), []string{"validate", "--format", "json", syntheticRelease(t)}, &out, &problems)
	var report struct {
		Findings []struct{ Code, Repo, Message string }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err, problems.String())
	}
	wanted := []string{"license/disagree synthetic/memgym-strategy apache-2.0 (LICENSE)", "license/disagree synthetic/memgym-corpus cc-by-nc-4.0 (../NOTICE:3)",
		"license/base-model-name synthetic/memgym-rm Qwen/Qwen3-1.7B"}
	for _, f := range report.Findings {
		if strings.HasPrefix(f.Code, "rule/") {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
		wanted = slices.DeleteFunc(wanted, func(want string) bool {
			words := strings.SplitN(want, " ", 3)
			return f.Code == words[0] && f.Repo == words[1] && strings.Contains(f.Message, words[2])
		})
	}
	if len(wanted) > 0 {
		t.Errorf("not found: %q", wanted)
	}
}
