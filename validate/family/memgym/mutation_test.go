package memgym_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// row is a row as tests change it.
type row map[string]any

func (r row) list(key string) []any       { return r[key].([]any) }
func (r row) in(key string) row           { return row(r[key].(map[string]any)) }
func (r row) at(key string, i int) row    { return row(r.list(key)[i].(map[string]any)) }
func (r row) text(key string) string      { return r[key].(string) }
func (r row) add(key string, text string) { r[key] = r.text(key) + text }

// change changes a row of a file of JSON Lines.
func change(t *testing.T, files familytest.Files, path string, line int, edit func(r row)) {
	t.Helper()
	lines := strings.SplitAfter(files[path], "\n")
	r := row{}
	d := json.NewDecoder(strings.NewReader(lines[line-1]))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	edit(r)
	lines[line-1] = encode(t, r) + "\n"
	files[path] = strings.Join(lines, "")
}

func encode(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// The files of the example.
const (
	trainFile    = "rm-train/reward_model_pairs_v2_train.jsonl"
	evalFile     = "rm-iid-heldout/reward_model_pairs_v2_eval.jsonl"
	manifestFile = "rm-train/reward_model_v2_split.json"
	paperFile    = "rm-scenario-ood-webarena/pairs_paper_eval.jsonl"
	tau2File     = "rm-scenario-ood-extras/reward_model_pairs_tau2.jsonl"
	longFile     = "rm-scenario-ood-extras/reward_model_pairs_webarena_longctx.jsonl"
	strategyFile = "rm-strategy-ood/data/rm_strategy_ood_pairs.jsonl"
	sliceFile    = "rm-strategy-ood/data/per_slice/heldout_sonnet45_pipeline_mask__pairs_partial.jsonl"
	bundleFile   = "rm-strategy-ood/manifest.json"
	drFile       = "dr-instances/4hop_paper_run.jsonl"
	codeFile     = "codeqa-instances/codeqa.jsonl"
	evaluated    = "rm-1p7b/eval_iid.json"
	midtrainFile = "rm-midtrain-sft/midtrain_v1.jsonl"
	reevalFile   = "rm-strategy-ood/reeval/heldout_sonnet45_pipeline_mask.json"
)

// Each mutation breaks one promise of one row, and exactly that is found at exactly that place.
func TestMutationsOfRows(t *testing.T) {
	for _, c := range []struct {
		name, path string
		line       int
		code       string
		pointer    string
		edit       func(r row)
	}{
		{"a label turned", trainFile, 2, "memgym/label", "/completion", func(r row) { r["label"] = 1 - number(r["label"]) }},
		{"a completion turned", trainFile, 2, "memgym/label", "/completion", func(r row) { r["completion"] = map[string]string{" Y": " N", " N": " Y"}[r.text("completion")] }},
		{"a target turned", trainFile, 2, "memgym/label", "/target", func(r row) { r["target"] = map[string]string{" Y": " N", " N": " Y"}[r.text("target")] }},
		{"a completion without its blank", trainFile, 2, "schema/enum", "/completion", func(r row) { r["completion"], r["target"], r["label"] = "N", " N", 0 }},
		{"a message changed", trainFile, 3, "memgym/prompt", "/prompt", func(r row) { r.at("messages", 1).add("content", " Really.") }},
		{"a prompt changed", trainFile, 3, "memgym/prompt", "/prompt", func(r row) { r["prompt"] = strings.Replace(r.text("prompt"), "[Tool]", "[User]", 1) }},
		{"a prompt without its end", trainFile, 3, "memgym/prompt", "/prompt", func(r row) { r["prompt"] = strings.TrimSuffix(r.text("prompt"), "\n\nAnswer:") }},
		{"an input changed", trainFile, 3, "memgym/input", "/input", func(r row) { r.add("input", "\n") }},
		{"a judgment turn without the action", trainFile, 3, "memgym/judgment", "/messages/*/content", func(r row) { r["recorded_action"] = "rm -r build" }},
		{"messages counted wrongly", trainFile, 4, "memgym/counts", "/n_messages_in_view", func(r row) { r["n_messages_in_view"] = number(r["n_messages_in_view"]) + 1 }},
		{"a summary of no compaction", trainFile, 4, "memgym/counts", "/active_summary_chars", func(r row) { r["n_compactions_active"], r["active_summary_chars"] = 0, 12 }},
		{"more messages than there were", trainFile, 4, "memgym/counts", "/filtered_msgs", func(r row) { r["filtered_msgs"] = 400 }},
		{"another instance", trainFile, 5, "memgym/ids", "/instance_id", func(r row) { r["instance_id"] = "ember__kit-1" }},
		{"an event of another step", trainFile, 5, "memgym/ids", "/fork_event_id", func(r row) { r["fork_event_id"] = strings.Replace(r.text("fork_event_id"), "_", "_9", 3) }},
		{"a run of another reasoner", trainFile, 6, "memgym/source", "/source_model", func(r row) {
			r["source_model"] = map[string]string{"sonnet45": "haiku45", "haiku45": "gptoss120b", "gptoss120b": "sonnet45"}[r.text("source_model")]
		}},
		{"an absolute path", trainFile, 6, "schema/not", "/provenance/training_path", func(r row) { r.in("provenance")["training_path"] = "/home/me/x.json" }},
		{"the field split", trainFile, 7, "memgym/split-field", "/split", func(r row) { r["split"] = "eval" }},
		{"a field too many", trainFile, 7, "schema/additional-properties", "", func(r row) { r["extra"] = 1 }},
		{"a field missing", trainFile, 7, "schema/required", "", func(r row) { delete(r, "diverged") }},
		{"a reward that does not add up", tau2File, 1, "memgym/delta", "/delta_r", func(r row) { r["memory_reward"] = 2 }},
		{"a label against the reward", tau2File, 2, "memgym/reward-label", "/label", func(r row) { r["label"], r["completion"], r["target"] = 0, " N", " N" }},
		{"a task of another domain", tau2File, 3, "memgym/ids", "/trajectory_id", func(r row) { r["domain"] = "mock" }},
		{"a reward of nothing", longFile, 2, "memgym/reward-label", "/delta_r", func(r row) { r["delta_r"], r["memory_reward"] = 0, r["baseline_reward"] }},
		{"a label against the long reward", longFile, 2, "memgym/reward-label", "/label", func(r row) { r["label"], r["completion"], r["target"] = 0, " N", " N" }},
		{"a long reward that does not add up", longFile, 2, "memgym/delta", "/delta_r", func(r row) { r["memory_reward"] = 5 }},
		{"a scored row that is not in the union", paperFile, 2, "memgym/union", "/fork_event_id", func(r row) {
			for _, field := range []string{"trajectory_id", "instance_id"} {
				r[field] = "shop_77"
			}
			r["fork_event_id"] = strings.Replace(r.text("fork_event_id"), "shop_1", "shop_77", 1)
		}},
		{"an event of another instance out of domain", paperFile, 2, "memgym/ids", "/instance_id", func(r row) { r["instance_id"] = "shop_77" }},
		{"an event of another step out of domain", strategyFile, 2, "memgym/ids", "/fork_event_id", func(r row) { r.add("fork_event_id", "x") }},
		{"a long event of another step", longFile, 2, "memgym/ids", "/fork_event_id", func(r row) { r.add("fork_event_id", "x") }},
		{"an input without its end", tau2File, 2, "memgym/input", "/input", func(r row) { r.add("input", " ") }},
		{"a strategy of another name", tau2File, 2, "memgym/strategy-name", "/tau2_run", func(r row) { r["tau2_run"] = "run_b" }},
		{"another strategy of a row", tau2File, 2, "memgym/strategy-name", "/perturbation", func(r row) {
			r["fork_event_id"] = strings.Replace(r.text("fork_event_id"), "0.6", "0.7", 1)
			r["perturbation"] = strings.Replace(r.text("perturbation"), "0.6", "0.7", 1)
		}},
		{"a label of another kind", tau2File, 2, "schema/enum", "/label", func(r row) { r["label"] = true }},
		{"a row without its cohort", longFile, 2, "schema/required", "", func(r row) { delete(r, "webarena_cohort") }},
		{"a row that was not compacted", longFile, 2, "schema/const", "/ood_was_compacted_here", func(r row) { r["ood_was_compacted_here"] = false }},
		{"a SAFE row that has diverged", trainFile, 8, "memgym/diverged", "/diverged", func(r row) { r["diverged"] = r["diverged"] == false }},
		{"actions that differ", longFile, 2, "memgym/diverged", "/diverged", func(r row) { r["diverged"] = r["diverged"] == false }},
		{"a scored row of another label", paperFile, 2, "memgym/union", "/label", func(r row) {
			r["label"] = 1 - number(r["label"])
			word := [2]string{" N", " Y"}[r["label"].(int)]
			r["completion"], r["target"] = word, word
		}},
		{"a summary of another length", trainFile, 3, "memgym/summary", "/active_summary_chars", func(r row) { r["active_summary_chars"] = 12 }},
		{"no summary where one is active", trainFile, 2, "memgym/summary", "/active_summary_chars", func(r row) { r["n_compactions_active"], r["active_summary_chars"] = 1, 12 }},
		{"a summary where none is active", trainFile, 3, "memgym/summary", "/n_compactions_active", func(r row) { r["n_compactions_active"], r["active_summary_chars"] = 0, 0 }},
		{"a scored row with another label", paperFile, 2, "memgym/label", "/completion", func(r row) { r["label"] = 1 - number(r["label"]) }},
		{"a row of a slice changed", sliceFile, 2, "memgym/projection", "/recorded_action", func(r row) { r["recorded_action"], r["predicted_action"] = "ls", "ls" }},
		{"a row of a slice of another step", sliceFile, 2, "memgym/projection", "/instance_id", func(r row) { r["step"] = 77 }},
		{"a slice of another strategy", sliceFile, 2, "memgym/ids", "/perturbation", func(r row) { r["perturbation"] = "strategy_swap__other" }},
		{"a hop too many", drFile, 1, "memgym/hops", "/num_hops", func(r row) { r["num_hops"] = 5 }},
		{"another seed question", drFile, 1, "memgym/seed-question", "/original_question", func(r row) { r.add("original_question", "!") }},
		{"a turn with another number", drFile, 1, "memgym/turn-index", "/turns/2/turn_index", func(r row) { r.at("turns", 2)["turn_index"] = 3 }},
		{"a span that is none", drFile, 1, "memgym/retention-span", "/grounding_facts/0/retention_span", func(r row) { r.at("grounding_facts", 0)["retention_span"] = 1 }},
		{"a fact that is not there", drFile, 1, "memgym/fact-id", "/distractors/1/interferes_with", func(r row) { r.at("distractors", 1)["interferes_with"] = "F99" }},
		{"a required fact that is not there", drFile, 1, "memgym/fact-id", "/memory_required_facts/0", func(r row) { r.list("memory_required_facts")[0] = "F77" }},
		{"a required fact left out", drFile, 1, "memgym/required-facts", "/memory_required_facts", func(r row) { r["memory_required_facts"] = r.list("memory_required_facts")[1:] }},
		{"a critical fact left out", drFile, 1, "memgym/per-turn-retention", "/rubric/per_turn_retention/4/critical", func(r row) {
			r.in("rubric").at("per_turn_retention", 4)["critical"] = []any{}
		}},
		{"a fact in view that is not", drFile, 1, "memgym/per-turn-retention", "/rubric/per_turn_retention/4/available_facts", func(r row) {
			entry := r.in("rubric").at("per_turn_retention", 4)
			entry["available_facts"] = append([]any{entry.list("evicted_facts")[0]}, entry.list("available_facts")...)
		}},
		{"an evicted fact left out", drFile, 1, "memgym/per-turn-retention", "/rubric/per_turn_retention/3/evicted_facts", func(r row) {
			entry := r.in("rubric").at("per_turn_retention", 3)
			entry["evicted_facts"] = entry.list("evicted_facts")[1:]
		}},
		{"a turn whose retention is not told", drFile, 1, "memgym/per-turn-retention", "/rubric/per_turn_retention", func(r row) {
			r.in("rubric")["per_turn_retention"] = r.in("rubric").list("per_turn_retention")[1:]
		}},
		{"the retention of another turn", drFile, 1, "memgym/per-turn-retention", "/rubric/per_turn_retention/1/turn", func(r row) {
			r.in("rubric").at("per_turn_retention", 1)["turn"] = 2
		}},
		{"evicted facts out of order", drFile, 1, "memgym/per-turn-retention", "/rubric/per_turn_retention/4/evicted_facts", func(r row) {
			slices.Reverse(r.in("rubric").at("per_turn_retention", 4).list("evicted_facts"))
		}},
		{"tokens that do not add up", drFile, 1, "memgym/context-tokens", "/context_tokens/total", func(r row) { r.in("context_tokens")["filler_noise"] = 3 }},
		{"another number of tokens", drFile, 1, "memgym/total-tokens", "/total_tokens", func(r row) { r["total_tokens"] = 9 }},
		{"an instance of another source", drFile, 1, "schema/const", "/source_dataset", func(r row) { r["source_dataset"] = "musique" }},
		{"an id of four digits", drFile, 1, "schema/pattern", "/instance_id", func(r row) { r["instance_id"] = "memgym_ir__research__0003" }},
		{"no growing by search", drFile, 1, "schema/const", "/transforms_applied/0", func(r row) { r["transforms_applied"] = []any{"other"} }},
		{"another preset", drFile, 1, "schema/const", "/difficulty_preset", func(r row) { r["difficulty_preset"] = "hard" }},
		{"no fact to remember", drFile, 1, "schema/min-items", "/memory_required_facts", func(r row) { r["memory_required_facts"], r["eviction_policy"] = []any{}, nil }},
		{"a verification without its scores", drFile, 1, "schema/required", "/verification", func(r row) { delete(r.in("verification"), "scores") }},
		{"a rubric without its spans", drFile, 1, "schema/required", "/rubric", func(r row) { delete(r.in("rubric"), "temporal_facts") }},
		{"a paragraph without its text", drFile, 1, "schema/required", "/gold_supporting_paragraphs/0", func(r row) { delete(r.at("gold_supporting_paragraphs", 0), "text") }},
		{"a fact twice", drFile, 1, "memgym/id-twice", "/distractors/1/id", func(r row) { r.at("distractors", 1)["id"] = "D1" }},
		{"a distractor of no turn", drFile, 1, "memgym/target-turn", "/distractors/0/target_turn", func(r row) { r.at("distractors", 0)["target_turn"] = 5 }},
		{"a score between two bounds", drFile, 1, "memgym/long-context", "/verification/score_long_context", func(r row) {
			r.in("verification")["score_long_context"], r.in("verification")["context_gap"] = json.Number("0.8625"), json.Number("0.0125")
		}},
		{"too good without memory", drFile, 1, "memgym/verification", "/verification/passed", func(r row) {
			r.in("verification")["score_long_context"], r.in("verification")["context_gap"] = json.Number("0.9375"), json.Number("-0.0625")
		}},
		{"a passage of Wikipedia", drFile, 1, "memgym/wikipedia", "/turns/2/documents/0/title", func(r row) { r.at("turns", 2).at("documents", 0)["title"] = "Page 1 - Wikipedia" }},
		{"an address of Wikipedia", drFile, 1, "memgym/wikipedia", "/gold_supporting_paragraphs/0/text", func(r row) {
			r.at("gold_supporting_paragraphs", 0)["text"] = "See https://en.wikipedia.org/wiki/Fact."
		}},
		{"a gap that is none", drFile, 1, "memgym/verification", "/verification/memory_gap", func(r row) { r.in("verification")["memory_gap"] = 0.5 }},
		{"a score too few", drFile, 1, "memgym/verification", "/verification/scores", func(r row) {
			r.in("verification")["scores"] = r.in("verification").list("scores")[1:]
		}},
		{"an instance that did not pass", drFile, 1, "memgym/verification", "/verification/passed", func(r row) { r.in("verification")["passed"] = false }},
		{"a hack test that did not pass", drFile, 1, "memgym/verification", "/verification/hack_passed", func(r row) { r.in("verification")["hack_score"] = 0.5 }},
		{"an answer given away", drFile, 1, "memgym/near-miss", "/distractors/0/content", func(r row) { r.at("distractors", 0)["content"] = "It is TRIBUTARY 3." }},
		{"an id twice", drFile, 2, "memgym/instance-twice", "/instance_id", func(r row) { r["instance_id"] = "memgym_ir__research__00003" }},
		{"external facts counted wrongly", codeFile, 2, "memgym/external-facts", "/num_external_facts", func(r row) { r["num_external_facts"] = 2 }},
		{"linked facts counted wrongly", codeFile, 2, "memgym/linked-facts", "/qa_pairs/0/num_linked_facts", func(r row) { r.at("qa_pairs", 0)["num_linked_facts"] = 3 }},
		{"a fact that no question can need", codeFile, 2, "memgym/fact-id", "/qa_pairs/0/linked_fact_ids/0", func(r row) { r.at("qa_pairs", 0).list("linked_fact_ids")[0] = "F9" }},
		{"a question too easy", codeFile, 2, "memgym/difficulty", "/qa_pairs/0/difficulty", func(r row) { r.at("qa_pairs", 0)["difficulty"] = "easy" }},
		{"a question that is said to require nothing", codeFile, 2, "memgym/requires", "/qa_pairs/1/requires_memory", func(r row) { r.at("qa_pairs", 1)["requires_memory"] = true }},
		{"no question about memory", codeFile, 2, "memgym/questions", "/qa_pairs", func(r row) {
			r.at("qa_pairs", 0)["requires_memory"], r.at("qa_pairs", 0)["difficulty"] = false, "easy"
			r.at("grounding_facts", 0)["discoverable"], r["num_external_facts"] = true, 0
		}},
		{"one question", codeFile, 2, "memgym/questions", "/qa_pairs", func(r row) { r["qa_pairs"] = r.list("qa_pairs")[:1] }},
		{"a question asked twice", codeFile, 2, "memgym/questions", "/qa_pairs", func(r row) { r.at("qa_pairs", 1)["question"] = r.at("qa_pairs", 0).text("question") }},
		{"a question of another number", codeFile, 2, "memgym/id-twice", "/qa_pairs/1/qa_id", func(r row) { r.at("qa_pairs", 1)["qa_id"] = "Q1" }},
		{"a distractor of no question", codeFile, 2, "memgym/question-id", "/distractors/0/target_qa_id", func(r row) { r.at("distractors", 0)["target_qa_id"] = "Q9" }},
		{"critical facts counted wrongly", codeFile, 2, "memgym/critical-facts", "/num_critical_facts", func(r row) { r["num_critical_facts"] = 2 }},
		{"a question as easy in a long instance", codeFile, 2, "memgym/difficulty", "/qa_pairs/0/difficulty", func(r row) { r["target_tokens"] = 500000 }},
		{"a completion of another length", midtrainFile, 1, "memgym/counts", "/completion_chars", func(r row) { r["completion_chars"] = 1 }},
		{"a perturbation that is left out", midtrainFile, 1, "schema/not", "/perturbation", func(r row) { r["perturbation"] = "aggressive_0.5" }},
		{"a problem too long", midtrainFile, 1, "schema/max-length", "/problem_statement", func(r row) { r["problem_statement"] = strings.Repeat("x", 3001) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := beside(c.path)
			last := 0
			change(t, files, c.path, c.line, func(r row) {
				c.edit(r)
				if messages, ok := r["messages"].([]any); ok {
					last = len(messages) - 1
				}
			})
			pointer := strings.Replace(c.pointer, "*", fmt.Sprint(last), 1)
			want := []string{fmt.Sprintf("%s %s:%d %s", c.code, inRepo(c.path), c.line, pointer)}
			if got := files.Findings(t); !slices.Equal(got, want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
			}
		})
	}
}

// inRepo is a path as findings name it: below the root of its repo.
func inRepo(path string) string {
	_, rest, _ := strings.Cut(path, "/")
	return rest
}

func number(v any) int {
	n, _ := v.(json.Number).Int64()
	return int(n)
}

// Documents are changed as text, so that their lines stay.
func TestMutationsOfDocuments(t *testing.T) {
	for _, c := range []struct {
		name, path, old, text string
		code, pointer         string
	}{
		{"the checksum", manifestFile, `"split_sha256": "`, `"split_sha256": "0`, "memgym/split-checksum", "/meta/split_sha256"},
		{"rows counted wrongly", manifestFile, "\"train\": 26,\n      \"eval\": 4", "\"train\": 25,\n      \"eval\": 4", "memgym/manifest", "/meta/row_counts/train"},
		{"rows of the source", manifestFile, `"source_jsonl_rows": 30`, `"source_jsonl_rows": 31`, "memgym/manifest", "/meta/source_jsonl_rows"},
		{"repos counted wrongly", manifestFile, "\"train\": 3,\n      \"eval\": 2\n", "\"train\": 4,\n      \"eval\": 2\n", "memgym/manifest", "/meta/repo_counts/train"},
		{"lists out of order", manifestFile, "\"acme__kit-100\",\n      \"bolt__kit-100\"", "\"bolt__kit-100\",\n      \"acme__kit-100\"", "memgym/manifest-ids", "/splits/eval/1"},
		{"a list with another id", manifestFile, `"cask__kit-100"`, `"cask__kit-1000"`, "memgym/manifest-ids", "/splits/train/0"},
		{"combined rows", bundleFile, `"n_pairs_combined": 8`, `"n_pairs_combined": 9`, "memgym/bundle", "/n_pairs_combined"},
		{"rows of a slice", bundleFile, "\"n_pairs\": 4\n    }\n  ],", "\"n_pairs\": 5\n    }\n  ],", "memgym/bundle", "/slices/1/n_pairs"},
		{"rows of an evaluation", evaluated, `"n_eval_rows": 4`, `"n_eval_rows": 5`, "memgym/eval-rows", "/n_eval_rows"},
		{"a metric", evaluated, "\n    \"accuracy\": 1", "\n    \"accuracy\": 0.99", "memgym/metrics", "/metrics/accuracy"},
		{"the calibration", evaluated, `"ece": 0.25`, `"ece": 0.26`, "memgym/metrics", "/metrics/ece"},
		{"a share of cut prompts", evaluated, `"truncated_pct": 25`, `"truncated_pct": 24`, "memgym/metrics", "/truncation/truncated_pct"},
		{"a prediction against its probability", evaluated, `"pred_label": 1`, `"pred_label": 0`, "memgym/prediction", "/per_row_predictions/3/pred_label"},
		{"predictions counted wrongly", evaluated, `"total": 4,`, `"total": 5,`, "memgym/metrics", "/metrics/total"},
		{"a table of confusion", evaluated, "\"confusion\": [\n      1,", "\"confusion\": [\n      10,", "memgym/metrics", "/metrics/confusion/0"},
		{"a slice", evaluated, "\"sonnet45\": {\n        \"count\": 2", "\"sonnet45\": {\n        \"count\": 3", "memgym/metrics", "/metrics/by_source/sonnet45/count"},
		{"a slice of nothing", evaluated, `"by_perturbation": {`, `"by_perturbation": {"none": {"count": 0},`, "memgym/metrics", "/metrics/by_perturbation/none"},
		{"the coverage", evaluated, `"coverage": 0,`, `"coverage": 0.25,`, "memgym/metrics", "/metrics/coverage"},
		{"the best threshold", evaluated, `"threshold": 0.38`, `"threshold": 0.39`, "memgym/metrics", "/metrics/best_under_constraint/threshold"},
		{"the interval", evaluated, "\"auroc_ci\": [\n      0.5", "\"auroc_ci\": [\n      0.6", "memgym/metrics", "/metrics/auroc_ci/0"},
		{"a prediction of no perturbation", evaluated, "\"perturbation\": \"random_drop_0.2\",", "", "schema/required", "/per_row_predictions/3"},
		{"a percentile", evaluated, `"prompt_length_p95": 120`, `"prompt_length_p95": 80`, "memgym/metrics", "/truncation/prompt_length_p95"},
		{"an instance resolved and not", reevalFile, "\"unresolved_ids\": [\n    \"dune__kit-203\"", "\"unresolved_ids\": [\n    \"dune__kit-200\"", "memgym/reevaluation", "/unresolved_ids/0"},
		{"an instance that did not run", reevalFile, "\"dune__kit-203\"\n  ],\n  \"strategy\"", "\"dune__kit-204\"\n  ],\n  \"strategy\"", "memgym/reevaluation", "/unresolved_ids/0"},
		{"an instance that is neither", reevalFile, "\"unresolved_ids\": [\n    \"dune__kit-203\"\n  ]", "\"unresolved_ids\": [\n  ]", "memgym/reevaluation", "/completed_ids/1"},
		{"a bundle of another version", bundleFile, `"schema_version": 1`, `"schema_version": 2`, "schema/const", "/schema_version"},
		{"a confidence", evaluated, `"confidence": 0.875`, `"confidence": 0.9`, "memgym/prediction", "/per_row_predictions/0/confidence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := beside(c.path)
			if strings.Count(files[c.path], c.old) != 1 {
				t.Fatalf("%q stands %d times in\n%s", c.old, strings.Count(files[c.path], c.old), files[c.path])
			}
			files[c.path] = strings.Replace(files[c.path], c.old, c.text, 1)
			got := files.Findings(t)
			want := fmt.Sprintf("%s %s:", c.code, inRepo(c.path))
			if c.name == "the checksum" { // one digit more is no SHA-256 either
				got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "schema/pattern") })
			}
			if len(got) != 1 || !strings.HasPrefix(got[0], want) || !strings.HasSuffix(got[0], " "+c.pointer) {
				t.Fatalf("found\n  %s\nwant\n  %s... %s", strings.Join(got, "\n  "), want, c.pointer)
			}
			var line int
			if _, err := fmt.Sscanf(strings.TrimPrefix(got[0], want), "%d", &line); err != nil {
				t.Fatal(err)
			}
			field := c.pointer[strings.LastIndexByte(c.pointer, '/')+1:]
			if at := strings.Split(files[c.path], "\n")[line-1]; !strings.Contains(at, field) && !strings.Contains(at, "__kit-") && !strings.Contains(at, "{") {
				t.Errorf("line %d is %q, which does not hold %s", line, at, field)
			}
		})
	}
}

// What several files promise together.
func TestMutationsOfFiles(t *testing.T) {
	move := func(files familytest.Files, from, to string, line int) string {
		lines := strings.SplitAfter(files[from], "\n")
		moved := lines[line-1]
		files[from] = strings.Join(slices.Delete(lines, line-1, line), "")
		files[to] += moved
		return moved
	}
	for _, c := range []struct {
		name string
		edit func(t *testing.T, f familytest.Files)
		want []string
	}{
		{"an event twice", func(t *testing.T, f familytest.Files) {
			first := strings.SplitAfter(f[tau2File], "\n")[0]
			change(t, f, tau2File, 5, func(r row) {
				var other row
				if err := json.Unmarshal([]byte(first), &other); err != nil {
					t.Fatal(err)
				}
				for _, field := range []string{"fork_event_id", "trajectory_id", "instance_id", "step", "domain"} {
					r[field] = other[field]
				}
			})
		}, []string{"memgym/fork-twice reward_model_pairs_tau2.jsonl:5 /fork_event_id"}},
		{"a repo in both splits", func(t *testing.T, f familytest.Files) {
			line := strings.Count(f[evalFile], "\n") + 1
			move(f, trainFile, evalFile, 1)
			change(t, f, evalFile, line, func(r row) { r["split"] = "eval" })
		}, []string{"memgym/repo-leak reward_model_pairs_v2_eval.jsonl:5 /trajectory_id"}},
		{"mid-training rows in public", func(_ *testing.T, f familytest.Files) {
			f["hfpub.yaml"] = strings.Replace(f["hfpub.yaml"], "status: withheld", "status: public", 1)
		}, []string{"memgym/not-released midtrain_v1.jsonl:0 "}},
		{"mid-training rows as pending", func(_ *testing.T, f familytest.Files) {
			f["hfpub.yaml"] = strings.Replace(f["hfpub.yaml"], "status: withheld", "status: pending", 1)
		}, []string{"memgym/not-released midtrain_v1.jsonl:0 "}},
		{"a label of a row that was evaluated otherwise", func(t *testing.T, f familytest.Files) {
			change(t, f, evalFile, 3, func(r row) { r["label"], r["completion"], r["target"], r["diverged"] = 1, " Y", " Y", false })
		}, []string{"memgym/true-label eval_iid.json:129 /per_row_predictions/2/true_label"}},
		{"an adapter that nobody finds", func(_ *testing.T, f familytest.Files) {
			f["hfpub.yaml"] = strings.Replace(f["hfpub.yaml"], "subfolder=", "folder ", 1)
		}, []string{"memgym/adapter-folder checkpoint-500/adapter_config.json:0 "}},
		{"another adapter without its weights", func(_ *testing.T, f familytest.Files) {
			f["rm-1p7b/checkpoint-700/adapter_config.json"] = f["rm-1p7b/checkpoint-500/adapter_config.json"]
		}, []string{"memgym/adapter checkpoint-700/adapter_model.safetensors:0 "}},
		{"a label of a strategy against the reward", func(t *testing.T, f familytest.Files) {
			change(t, f, strategyFile, 3, func(r row) { r["label"], r["completion"], r["target"] = 0, " N", " N" })
			change(t, f, strings.Replace(sliceFile, "pipeline_mask", "obs_masking_w100", 1), 3, func(r row) { r["label"] = 0 })
		}, []string{"memgym/reward-label data/per_slice/heldout_sonnet45_obs_masking_w100__pairs_partial.jsonl:3 /label",
			"memgym/reward-label data/rm_strategy_ood_pairs.jsonl:3 /label"}},
		{"an adapter without its weights", func(_ *testing.T, f familytest.Files) {
			delete(f, "rm-1p7b/checkpoint-500/adapter_model.safetensors")
		}, []string{"memgym/adapter checkpoint-500/adapter_model.safetensors:0 ", "license/status hfpub.yaml:4 "}},
		{"a reward of a strategy, in the combined row only", func(t *testing.T, f familytest.Files) {
			change(t, f, strategyFile, 2, func(r row) { r["baseline_reward"] = 7 })
		}, []string{"memgym/projection data/per_slice/heldout_sonnet45_obs_masking_w100__pairs_partial.jsonl:2 /baseline_reward",
			"memgym/delta data/rm_strategy_ood_pairs.jsonl:2 /delta_r"}},
		{"a model repo without an adapter", func(_ *testing.T, f familytest.Files) {
			delete(f, "rm-1p7b/checkpoint-500/adapter_config.json")
			f["hfpub.yaml"] = strings.Replace(f["hfpub.yaml"], "    upstream:\n      - {name: Qwen/Qwen3-1.7B-Base, license: apache-2.0, flow: content}\n", "", 1)
		}, []string{"memgym/adapter adapter_config.json:0 "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := example()
			c.edit(t, files)
			got := files.Findings(t)
			if c.name == "a repo in both splits" {
				got = slices.DeleteFunc(got, func(s string) bool {
					return strings.HasPrefix(s, "memgym/manifest") || strings.HasPrefix(s, "memgym/eval-rows")
				})
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

// corpusOnly is a release with the corpus of the example and nothing else.
func corpusOnly() familytest.Files {
	files := familytest.Files{}
	whole := example()
	for _, path := range []string{trainFile, evalFile} {
		files[inRepo(path)] = whole[path]
	}
	files["hfpub.yaml"] = `version: 1
release: {name: corpus, version: 1.0.0}
repos:
  - {id: a/corpus, type: dataset, status: public, license: mit, configs: [{name: default, splits: [
      {name: train, files: [reward_model_pairs_v2_train.jsonl], artifact: memgym/pairs},
      {name: eval, files: [reward_model_pairs_v2_eval.jsonl], artifact: memgym/pairs}]}]}
`
	return files
}

func TestARepoInBothSplits(t *testing.T) {
	files := corpusOnly()
	const train, eval = "reward_model_pairs_v2_train.jsonl", "reward_model_pairs_v2_eval.jsonl"
	lines := strings.SplitAfter(files[train], "\n")
	files[train] = strings.Join(lines[1:], "")
	line := strings.Count(files[eval], "\n") + 1
	files[eval] += lines[0]
	change(t, files, eval, line, func(r row) { r["split"] = "eval" })
	want := []string{"memgym/repo-leak reward_model_pairs_v2_eval.jsonl:5 /trajectory_id"}
	if got := files.Findings(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
	}
}

// A manifest is held against the splits that are there.
func TestAManifestBesideOneSplit(t *testing.T) {
	files := example().Only("rm-train")
	if got := files.Findings(t); len(got) > 0 {
		t.Fatalf("found\n  %s", strings.Join(got, "\n  "))
	}
	lines := strings.SplitAfter(files[trainFile], "\n")
	files[trainFile] = strings.Join(lines[1:], "")
	want := []string{"memgym/manifest reward_model_v2_split.json:9 /meta/row_counts/train"}
	if got := files.Findings(t); len(got) != 1 || !strings.HasPrefix(got[0], "memgym/manifest ") || !strings.HasSuffix(got[0], "/meta/row_counts/train") {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
	}
}

// The list of the instances of one reasoner is a file beside the rows.
func TestTheListOfInstances(t *testing.T) {
	files := corpusOnly()
	var ids []string
	for _, name := range []string{"reward_model_pairs_v2_train.jsonl", "reward_model_pairs_v2_eval.jsonl"} {
		for line := range strings.Lines(files[name]) {
			var r struct {
				ID    string `json:"trajectory_id"`
				Model string `json:"source_model"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if r.Model == "haiku45" {
				ids = append(ids, r.ID)
			}
		}
	}
	files["swegym_diverse_500.txt"] = strings.Join(ids, "\n") + "\n"
	if got := files.Findings(t); len(got) > 0 {
		t.Fatalf("found\n  %s", strings.Join(got, "\n  "))
	}
	files["swegym_diverse_500.txt"] = strings.Join(slices.DeleteFunc(ids, func(id string) bool { return id == "cask__kit-100" }), "\n")
	want := []string{"memgym/not-listed reward_model_pairs_v2_train.jsonl:2 /trajectory_id"}
	if got := files.Findings(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
	}
}

// Messages with calls of tools are in the prompt as the builder writes them.
func TestPromptsWithCalls(t *testing.T) {
	messages := []any{
		row{"role": "system", "content": "Repair."},
		row{"role": "assistant", "content": "I look.", "tool_calls": []any{row{"function": row{"name": "bash", "arguments": `{"command": "ls \"src\""}`}}}},
		row{"role": "tool", "content": []any{row{"type": "text", "text": "a.py"}, row{"type": "text", "text": "b.py"}}},
		row{"role": "assistant", "content": nil, "tool_calls": []any{row{"function": row{"name": "submit", "arguments": `{}`}}}},
		row{"role": "exit", "content": nil},
	}
	const prompt = "[System]\nRepair.\n\n[Assistant]\nI look.\n$ ls \"src\"\n\n[Tool]\na.py\nb.py\n\n[Assistant]\nsubmit({})\n\n[Exit]\n\n\n"
	for name, c := range map[string]struct {
		old, text string
		found     bool
	}{
		"as it is written":   {"", "", false},
		"another command":    {`$ ls`, `$ cat`, true},
		"another part":       {"b.py", "c.py", true},
		"another other call": {"submit({})", "submit({'a': 1})", false},
		"a lost message":     {"[Tool]\na.py\nb.py\n\n", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			files := corpusOnly()
			change(t, files, "reward_model_pairs_v2_train.jsonl", 2, func(r row) {
				list := r.list("messages")
				judgment := list[len(list)-1].(map[string]any)
				r["messages"] = append(slices.Clone(messages), judgment)
				r["input"] = strings.Replace(prompt, c.old, c.text, 1) + "[User]\n" + judgment["content"].(string)
				r["prompt"] = r.text("input") + "\n\nAnswer:"
				r["n_messages_in_view"] = len(messages)
			})
			var want []string
			if c.found {
				want = []string{"memgym/prompt reward_model_pairs_v2_train.jsonl:2 /prompt"}
			}
			got := slices.DeleteFunc(files.Findings(t), func(s string) bool { return strings.HasPrefix(s, "loader/") })
			if !slices.Equal(got, want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
		})
	}
}

// An evaluation may be true, and of a checkpoint that is not to be released.
func TestTheGate(t *testing.T) {
	var list []string
	for i, p := range []struct {
		truth int
		safe  float64
	}{{1, 0.25}, {1, 0.375}, {0, 0.125}, {0, 0.75}, {1, 0.625}} {
		said, confidence := 0, 1-p.safe
		if p.safe >= 0.5 {
			said, confidence = 1, p.safe
		}
		list = append(list, fmt.Sprintf(`{"instance_id": "a__b-%d", "step": 1, "true_label": %d, "pred_label": %d, "confidence": %v, "prob_safe": %v, "source": "", "perturbation": "", "source_dir": ""}`, i, p.truth, said, confidence, p.safe))
	}
	text := `{"checkpoint": "c", "pairs": "p.jsonl", "n_eval_rows": 5, "system_prompt_prefix": "", "truncation": {"max_length_ref": 1, "truncated_count": 0,
 "truncated_pct": 0.0, "prompt_length_p50": 1, "prompt_length_p95": 1, "prompt_length_max": 1},
 "metrics": {"safe_f1": 0.4, "auroc": 0.5},
 "per_row_predictions": [` + strings.Join(list, ", ") + "]}\n"
	files := familytest.Files{"eval.json": text, "hfpub.yaml": `version: 1
release: {name: evaluation, version: 1.0.0}
repos:
  - {id: a/evaluation, type: dataset, status: public, license: mit, configs: [{name: default, splits: [{name: test, files: [eval.json], artifact: memgym/rm-eval}]}]}
`}
	want := []string{"memgym/gate eval.json:3 /metrics"}
	if got := files.Findings(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
	}
}

// The rule is computed again from the rows of both splits: a repo that grew, and is still in eval, is found.
func TestTheSplitRule(t *testing.T) {
	files := corpusOnly()
	if got := files.Findings(t); len(got) > 0 {
		t.Fatalf("found\n  %s", strings.Join(got, "\n  "))
	}
	// Without the largest repo the target is less, and bolt is no more in eval.
	train := strings.SplitAfter(files["reward_model_pairs_v2_train.jsonl"], "\n")
	files["reward_model_pairs_v2_train.jsonl"] = strings.Join(slices.DeleteFunc(train, func(line string) bool { return strings.Contains(line, "ember__") }), "")
	want := []string{"memgym/split-rule reward_model_pairs_v2_eval.jsonl:3 /trajectory_id"}
	if got := files.Findings(t); !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
	}
}

// What processes and blocks see apart makes one report.
func TestShards(t *testing.T) {
	files := example()
	change(t, files, trainFile, 2, func(r row) { r["label"] = 1 - number(r["label"]) })
	change(t, files, trainFile, 9, func(r row) { r["split"] = "eval" })
	change(t, files, paperFile, 2, func(r row) { r.add("fork_event_id", "x") })
	change(t, files, drFile, 2, func(r row) { r["instance_id"] = "memgym_ir__research__00003" })
	files.HoldShards(t)
}
