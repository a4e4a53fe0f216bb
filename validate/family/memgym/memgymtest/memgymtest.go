// Package memgymtest makes the example release of MemGym for tests: nine small repos that keep every promise the real ones make,
// with rows that were made up. The same files come out every time.
package memgymtest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Files returns the data files of the release by their paths. hfpub.yaml is not among them.
func Files() map[string]string {
	files := map[string]string{}
	corpus(files)
	webArena(files)
	extras(files)
	strategies(files)
	deepResearch(files)
	codeQA(files)
	files["rm-midtrain-sft/midtrain_v1.jsonl"] = lines(midTraining())
	model(files)
	return files
}

// repos of the corpus, with the number of rows of each.
var repos = []struct {
	name string
	rows int
}{{"acme", 2}, {"bolt", 2}, {"cask", 4}, {"dune", 9}, {"ember", 13}}

// perturbations and sources are those of the corpus.
var (
	perturbations = []string{"aggressive_0.5", "summary_redaction", "truncate_last_10", "random_drop_0.2", "attr_delete_paths", "summary_noise"}
	sources       = [][2]string{
		{"sonnet_fork_gap554_scaleA_v1", "sonnet45"}, {"gptoss_fork_gap554_scaleA_v1", "gptoss120b"}, {"haiku45_fork_diverse500_scaleA_v1", "haiku45"},
	}
)

// conversation is what the agent saw before the judgment turn.
func conversation(n int) []object {
	messages := []object{
		{"role", "system", "content", "You repair a repository.\nSay what you do next."},
		{"role", "user", "content", fmt.Sprintf("Issue %d: the list \"open\" is shown twice.", n)},
		{"role", "assistant", "content", "I look at the tests first."},
		{"role", "tool", "content", "tests/test_list.py:12: AssertionError: 2 ≠ 1"},
	}
	if n%3 == 0 {
		messages = append(messages, object{"role", "user", "content", "[Summary] The list is built in views.py, and again in cache.py."})
	}
	return messages
}

// flatten is the prompt that is made of messages.
func flatten(messages []object) string {
	var parts []string
	for _, m := range messages {
		role := m.get("role").(string)
		parts = append(parts, "["+strings.ToUpper(role[:1])+role[1:]+"]\n"+m.get("content").(string))
	}
	return strings.Join(parts, "\n\n")
}

// pair is a row of pairs with the 23 fields of the corpus.
func pair(n int, trajectory, dir, model, perturbation, split string, step, label int) object {
	messages := conversation(n)
	recorded, predicted := "sed -n 1,40p views.py", "sed -n 1,40p views.py"
	if label == 0 {
		predicted = "cat cache.py"
	}
	view := len(messages)
	compactions, chars := 0, 0
	if n%3 == 0 {
		compactions, chars = 1, len("The list is built in views.py, and again in cache.py.")
	}
	messages = append(messages, object{"role", "user", "content", fmt.Sprintf(
		"At step %d the agent did: %s\nAfter %s it would do: %s\nIs the perturbation safe?", step, recorded, perturbation, predicted)})
	input := flatten(messages)
	word := [2]string{" N", " Y"}[label]
	return object{
		"trajectory_id", trajectory, "instance_id", trajectory, "fork_event_id", fmt.Sprintf("%s_%d_%s", trajectory, step, perturbation),
		"source_dir", dir, "source_model", model, "step", step, "perturbation", perturbation, "label", label, "completion", word, "target", word,
		"messages", messages, "prompt", input + "\n\nAnswer:", "input", input, "recorded_action", recorded, "predicted_action", predicted,
		"diverged", label == 0, "n_compactions_active", compactions, "active_summary_chars", chars, "n_messages_in_view", view,
		"original_msgs", view + 20 + n%7, "filtered_msgs", view,
		"provenance", object{
			"training_path", "runs/" + dir + "/" + trajectory + ".json", "replay_path", "replays/" + dir + "/" + trajectory + ".json",
			"build_view_fn", "build_view", "build_script", "scripts/build_pairs.py", "keep_first", 3,
		},
		"split", split,
	}
}

// corpus writes both splits of the corpus and their manifest.
func corpus(files map[string]string) {
	rows := map[string][]object{}
	ids := map[string][]string{"train": {}, "eval": {}}
	assigned := map[string]string{}
	total, n := 0, 0
	for _, repo := range repos {
		total += repo.rows
	}
	given := 0
	for _, repo := range repos { // they stand in the order of the rule
		split := "train"
		if given < total/10 {
			split = "eval"
			given += repo.rows
		}
		assigned[repo.name] = split
		for i := range repo.rows {
			trajectory := fmt.Sprintf("%s__kit-%d", repo.name, 100+i/2)
			label := 0
			if n%8 == 3 {
				label = 1
			}
			source := sources[n%3]
			rows[split] = append(rows[split], pair(n, trajectory, source[0], source[1], perturbations[n%6], split, 2+i, label))
			if list := ids[split]; !slices.Contains(list, trajectory) {
				ids[split] = append(list, trajectory)
			}
			n++
		}
	}
	var table []string
	for repo, split := range assigned {
		table = append(table, repo+"\t"+split+"\n")
	}
	slices.Sort(table)
	sum := sha256.Sum256([]byte(strings.Join(table, "")))
	slices.Sort(ids["train"])
	slices.Sort(ids["eval"])
	counts := func(count func(split string) int) object {
		return object{"train", count("train"), "eval", count("eval")}
	}
	manifest := object{
		"meta", object{
			"config", "v2", "source_jsonl_relpath", "data/reward_model_pairs_v2.jsonl", "source_jsonl_rows", total,
			"algorithm_version", "v2-tie-broken-by-repo-name", "eval_frac_target", 0.10, "split_sha256", hex.EncodeToString(sum[:]),
			"row_counts", counts(func(s string) int { return len(rows[s]) }),
			"trajectory_counts", counts(func(s string) int { return len(ids[s]) }),
			"repo_counts", counts(func(s string) int {
				n := 0
				for _, split := range assigned {
					if split == s {
						n++
					}
				}
				return n
			}),
		},
		"repo_assignments", assigned,
		"splits", object{"train", ids["train"], "eval", ids["eval"]},
	}
	files["rm-train/reward_model_pairs_v2_train.jsonl"] = lines(rows["train"])
	files["rm-train/reward_model_v2_split.json"] = indented(manifest)
	files["rm-iid-heldout/reward_model_pairs_v2_eval.jsonl"] = lines(rows["eval"])
}

// outOfDomain is a row of pairs of another domain, with rewards.
func outOfDomain(n int, trajectory, dir, model, perturbation string, delta int, reward string) object {
	label := 0
	if delta > 0 {
		label = 1
	}
	row := pair(n, trajectory, dir, model, perturbation, "eval", n, label).without("provenance")
	baseline := 0
	if delta < 0 {
		baseline = 1
	}
	return row.with("delta_r", delta, "baseline_reward", baseline, reward, baseline+delta)
}

// webArena writes the scored rows and the union that they are a part of.
func webArena(files map[string]string) {
	var union []object
	for n := range 8 {
		row := pair(n, fmt.Sprintf("shop_%d", n), "webarena_runs", "haiku45", "summary_noise", "eval", n+1, n%2)
		union = append(union, row)
	}
	files["rm-scenario-ood-webarena/pairs_paper_eval.jsonl"] = lines(union[:6])
	files["rm-scenario-ood-webarena/pairs_union.jsonl"] = lines(union)
}

// extras writes the rows of tau2-bench and those of WebArena with a long context.
func extras(files map[string]string) {
	var tau2, long []object
	domains := []string{"mock", "telecom", "airline", "retail"}
	for n := range 8 {
		domain := domains[n%4]
		strategy := "tau2_summarizing_ms10kf1kl2r0.6"
		delta := n%3 - 1
		row := outOfDomain(n, fmt.Sprintf("tau2_%s_%d", domain, n), "run_a", strategy, "scenario_swap__"+strategy, delta, "memory_reward")
		if delta == 0 {
			row = row.set("label", 1, "completion", " Y", "target", " Y", "diverged", false)
		}
		row = row.without("messages", "recorded_action", "predicted_action", "n_compactions_active", "active_summary_chars", "n_messages_in_view",
			"original_msgs", "filtered_msgs")
		tau2 = append(tau2, row.with("domain", domain, "tau2_run", "run_a"))
	}
	for n := range 5 {
		row := outOfDomain(n, fmt.Sprintf("webarena_webarena_gitlab_%d", n), "webarena_runs", "haiku45", "scenario_swap__summary", 2*(n%2)-1, "memory_reward")
		long = append(long, row.with("domain", "webarena_gitlab", "webarena_cohort", "prefix", "ood_was_compacted_here", true,
			"ood_compression_ratio", 0.4, "ood_step_strategy", "summary"))
	}
	files["rm-scenario-ood-extras/reward_model_pairs_tau2.jsonl"] = lines(tau2)
	files["rm-scenario-ood-extras/reward_model_pairs_webarena_longctx.jsonl"] = lines(long)
}

// strategies writes the strategy bundle.
func strategies(files map[string]string) {
	var combined []object
	var slicesOf []object
	n := 0
	for _, name := range []string{"obs_masking_w100", "pipeline_mask"} {
		var partial []object
		for i := range 4 {
			delta := 1
			if i == 3 && name == "pipeline_mask" {
				delta = -1
			}
			row := outOfDomain(n, fmt.Sprintf("dune__kit-%d", 200+i), "heldout", "sonnet45", "strategy_swap__"+name, delta, "ood_reward").
				with("ood_strategy", name, "ood_compression_ratio", 0.5, "ood_step_strategy", name)
			combined = append(combined, row)
			var projected object
			for _, key := range []string{"instance_id", "step", "perturbation", "diverged", "label", "split", "recorded_action", "predicted_action", "delta_r",
				"baseline_reward", "ood_reward", "ood_strategy"} {
				projected = projected.with(key, row.get(key))
			}
			partial = append(partial, projected)
			n++
		}
		slice := "heldout_sonnet45_" + name
		files["rm-strategy-ood/data/per_slice/"+slice+"__pairs_partial.jsonl"] = lines(partial)
		files["rm-strategy-ood/reeval/"+slice+".json"] = indented(object{"resolved_ids", []string{partial[0].get("instance_id").(string)},
			"unresolved_ids", []string{partial[3].get("instance_id").(string)}, "completed_ids", []string{"dune__kit-200", "dune__kit-203"}, "strategy", name})
		slicesOf = append(slicesOf, object{"name", slice, "n_pairs", len(partial)})
	}
	files["rm-strategy-ood/data/rm_strategy_ood_pairs.jsonl"] = lines(combined)
	files["rm-strategy-ood/manifest.json"] = indented(object{"schema_version", 1, "bundle", "rm-strategy-ood", "n_pairs_combined", len(combined),
		"slices", slicesOf, "reevals", []string{}})
}

// deepResearch writes the three strata.
func deepResearch(files map[string]string) {
	number := 0
	for _, stratum := range []struct {
		file string
		hops []int
	}{{"3hop_verified", []int{3, 3, 3}}, {"4hop_paper_run", []int{4, 4}}, {"56hop_clean", []int{5, 6}}} {
		var rows []object
		for _, hops := range stratum.hops {
			rows = append(rows, research(number, hops))
			number++
		}
		files["dr-instances/"+stratum.file+".jsonl"] = lines(rows)
	}
}

// research is an instance in which the first fact is needed at the last hop, and each other one at the hop after its own.
func research(number, hops int) object {
	question := fmt.Sprintf("Which river flows by the town where engineer %d was born?", number)
	var steps, turns, facts, retention []object
	var required []string
	files := object{}
	for hop := range hops {
		answer := fmt.Sprintf("answer %d of %d", hop, number)
		steps = append(steps, object{"sub_question", fmt.Sprintf("What is fact %d?", hop), "sub_answer", answer})
		facts = append(facts, object{"fact_id", fmt.Sprintf("F%d", hop+1), "content", fmt.Sprintf("Fact %d is known.", hop), "fact_type", "bridge_fact",
			"source_paragraph_title", fmt.Sprintf("Page %d", hop), "needed_at_hop", min(hop+1, hops-1), "first_available_at_hop", hop,
			"retention_span", min(hop+1, hops-1) - hop, "is_discoverable", true, "intermediate_answer", answer})
	}
	facts[0] = facts[0].set("needed_at_hop", hops-1, "retention_span", hops-1)
	facts[hops-1] = facts[hops-1].set("fact_type", "terminal_fact", "intermediate_answer", nil)
	var contents []string
	var spans, answers, bridges []object
	for _, f := range facts {
		contents = append(contents, f.get("content").(string))
		if answer := f.get("intermediate_answer"); answer != nil {
			answers = append(answers, object{"hop", f.get("needed_at_hop"), "answer", answer})
		}
		if f.get("retention_span").(int) > 0 {
			spans = append(spans, object{"fact_id", f.get("fact_id"), "retention_span", f.get("retention_span")})
			bridges = append(bridges, object{"fact_id", f.get("fact_id"), "from_hop", f.get("first_available_at_hop"), "to_hop", f.get("needed_at_hop")})
		}
	}
	// Between the first two hops stands a red herring.
	hopOf := map[int]int{}
	for turn := range hops + 1 {
		herring := turn == 1
		hop := turn
		if turn > 1 {
			hop--
		}
		query := fmt.Sprintf("fact %d", hop)
		if herring {
			query = "another town"
		} else {
			hopOf[hop] = turn
		}
		turns = append(turns, object{"turn_index", turn, "sub_query", query, "sub_answer", "see the page", "documents", []object{
			{"title", fmt.Sprintf("Page %d", hop), "text", fmt.Sprintf("Fact %d is known.", hop), "is_supporting", !herring}}, "is_red_herring", herring})
		files = files.with(fmt.Sprintf("search_results_turn_%d.txt", turn), fmt.Sprintf("Fact %d is known.", hop))
		critical, gone, seen := []string{}, []string{}, []string{}
		for f := range hops {
			first := facts[f].get("first_available_at_hop").(int)
			id := fmt.Sprintf("F%d", f+1)
			switch shown, ok := hopOf[first]; {
			case ok && shown == turn:
				seen = append(seen, id)
			case ok && shown < turn:
				gone = append(gone, id)
				if !herring && facts[f].get("needed_at_hop") == hop {
					critical = append(critical, id)
				}
			}
		}
		for _, id := range critical {
			if !slices.Contains(required, id) {
				required = append(required, id)
			}
		}
		retention = append(retention, object{"turn", turn, "available_facts", seen, "evicted_facts", gone, "critical", critical})
	}
	scores := []float64{0.25}
	for range hops - 1 {
		scores = append(scores, cmp.Or(float64(len(scores))*0.125+0.25, 0.5))
	}
	scores[len(scores)-1] = 0.875
	return object{
		"instance_id", fmt.Sprintf("memgym_ir__research__%05d", number), "base_instance", question, "source_dataset", "deep_research", "question", question,
		"original_question", question, "answer", fmt.Sprintf("Tributary %d", number), "num_hops", hops, "decomposition", steps, "turns", turns,
		"grounding_facts", facts,
		"distractors", []object{
			{"id", "D1", "content", "Another engineer was born elsewhere.", "source", "sibling_near_miss", "target_turn", 1},
			{"id", "D2", "content", "Fact 0 is in doubt.", "source", "adversarial", "target_turn", 2, "interferes_with", "F1"},
		},
		"memory_files", files, "gold_supporting_paragraphs", []object{{"title", "Page 0", "text", "Fact 0 is known."}}, "contradictions", []string{},
		"transforms_applied", []string{"grow_by_search"}, "difficulty_preset", "research_memory", "reveal_mode", "immediate",
		"eviction_policy", object{"mode", "full_eviction", "window_size", 1, "allow_notes", true, "notes_budget_tokens", 200},
		"memory_required_facts", required,
		"context_tokens", object{"supporting_paragraphs", 100 * hops, "cross_instance_noise", 10, "same_topic_noise", 20, "adversarial_noise", 5,
			"same_entity_contradictions", 0, "expanded_context", 0, "redundant_overlap", 0, "dead_end_noise", 30, "conflicting_authority", 0, "filler_noise", 0,
			"total", 100*hops + 65},
		"total_tokens", 100*hops + 65,
		"verification", object{"scores", scores, "score_no_memory", 0.25, "score_all_memory", 0.875, "score_long_context", 0.75, "memory_gap", 0.625,
			"context_gap", 0.125, "passed", true, "hack_score", 0.25, "hack_passed", true},
		"rubric", object{"expected_answer", fmt.Sprintf("Tributary %d", number), "retention_facts", contents, "noise_contradictions", []string{},
			"temporal_facts", spans, "per_hop_answers", answers, "bridge_dependencies", bridges, "per_turn_retention", retention},
	}
}

// codeQA writes instances of which no data leaves: their repo is pending.
func codeQA(files map[string]string) {
	var rows []object
	for n := range 3 {
		rows = append(rows, object{
			"instance_id", fmt.Sprintf("coding_qa__%d", n), "base_instance", fmt.Sprintf("dune__kit-%d", n), "task_prompt", "Repair the list.",
			"memory_files", object{"notes.txt", "The user wants the list once."}, "repo_context", "A small kit.", "repo_files", object{"views.py", "pass\n"},
			"image_name", "kit", "referenced_files", []string{"views.py"},
			"qa_pairs", []object{
				{"qa_id", "Q1", "question", "What does the user want?", "gold_answer", "The list once.", "linked_fact_ids", []string{"F1"},
					"category", "user_requirement", "requires_memory", true, "difficulty", "medium", "num_linked_facts", 1},
				{"qa_id", "Q2", "question", "Where is the list built?", "gold_answer", "In views.py.", "linked_fact_ids", []string{"F2"},
					"category", "debug_finding", "requires_memory", false, "difficulty", "easy", "num_linked_facts", 1},
			},
			"grounding_facts", []object{
				{"id", "F1", "content", "The user wants the list once.", "category", "user_requirement", "discoverable", false, "relevance", "critical", "hunks_enabled", []int{0}},
				{"id", "F2", "content", "views.py builds the list.", "category", "debug_finding", "discoverable", true, "relevance", "helpful", "hunks_enabled", []int{}},
			},
			"distractors", []object{{"id", "D1", "content", "Another kit has two lists.", "source", "cross_instance"}},
			"patch", "--- a/views.py\n+++ b/views.py\n", "num_critical_facts", 1, "num_external_facts", 1, "difficulty_preset", "medium", "fact_test_results", object{},
		})
	}
	files["codeqa-instances/codeqa.jsonl"] = lines(rows)
}

// midTraining are rows that never leave.
func midTraining() []object {
	return []object{{
		"trajectory_id", "dune__kit-7", "source_model", "sonnet45", "source_dir", "run", "step", 4, "compaction_index", 1, "prev_compaction_step", nil,
		"problem_statement", "The list is shown twice.", "compression_ratio", 0.5, "original_tokens", 400, "filtered_tokens", 200, "forgotten", "the tests",
		"fork_event_id", "dune__kit-7_4_summary", "perturbation", "summary_noise", "aug_kind", "baseline", "prompt", "Sum up.", "completion", "The list is built twice.",
		"num_input_chars", 7, "completion_chars", 24, "split", "train",
	}}
}

// model writes the adapter and its evaluation on the eval split.
func model(files map[string]string) {
	files["rm-1p7b/checkpoint-500/adapter_config.json"] = indented(object{"base_model_name_or_path", "Qwen/Qwen3-1.7B-Base", "lora_alpha", 32,
		"lora_dropout", 0.05, "peft_type", "LORA", "r", 16, "target_modules", []string{"q_proj", "k_proj", "v_proj", "o_proj"}})
	files["rm-1p7b/checkpoint-500/adapter_model.safetensors"] = "\x08\x00\x00\x00\x00\x00\x00\x00{}      "
	files["rm-1p7b/checkpoint-500/tokenizer_config.json"] = indented(object{"model_max_length", 32768})
	var predictions []object
	probabilities := []float64{0.125, 0.25, 0.375, 0.75} // of SAFE, which the last row of eval is
	for i, line := range strings.Split(strings.TrimSpace(files["rm-iid-heldout/reward_model_pairs_v2_eval.jsonl"]), "\n") {
		var row struct {
			Instance     string `json:"instance_id"`
			Step, Label  int
			Source       string `json:"source_model"`
			Perturbation string
			Dir          string `json:"source_dir"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			panic(err) // it was written above
		}
		p := probabilities[i]
		said, confidence := 0, 1-p
		if p >= 0.5 {
			said, confidence = 1, p
		}
		predictions = append(predictions, object{"instance_id", row.Instance, "step", row.Step, "true_label", row.Label, "pred_label", said,
			"confidence", confidence, "prob_safe", p, "source", row.Source, "perturbation", row.Perturbation, "source_dir", row.Dir})
	}
	slice := func(count, harmful int) object {
		safe := 0.0
		if count > harmful {
			safe = 1
		}
		return object{"count", count, "accuracy", 1, "harmful_f1", min(harmful, 1), "safe_f1", safe, "harmful_count", harmful,
			"harmful_pct", 100 * float64(harmful) / float64(count)}
	}
	point := object{"accuracy", 1, "safe_f1", 1, "safe_precision", 1, "safe_recall", 1, "harmful_f1", 1, "harmful_precision", 1, "harmful_recall", 1,
		"confusion", []int{1, 0, 0, 3}}
	files["rm-1p7b/eval_iid.json"] = indented(object{
		"checkpoint", "checkpoint-500", "pairs", "data/reward_model_pairs_v2_eval.jsonl", "n_eval_rows", len(predictions), "system_prompt_prefix", "",
		"truncation", object{"max_length_ref", 32768, "truncated_count", 1, "truncated_pct", 25.0, "prompt_length_p50", 90, "prompt_length_p95", 120, "prompt_length_max", 120},
		"metrics", object{"total", 4, "correct", 4, "accuracy", 1.0, "harmful_precision", 1, "harmful_recall", 1, "harmful_f1", 1.0, "harmful_support", 3,
			"safe_precision", 1, "safe_recall", 1, "safe_f1", 1.0, "safe_support", 1, "confusion", []int{1, 0, 0, 3}, "auroc", 1.0, "ece", 0.25,
			"by_source", object{"sonnet45", slice(2, 1), "gptoss120b", slice(1, 1), "haiku45", slice(1, 1)},
			"by_perturbation", object{"aggressive_0.5", slice(1, 1)}, "by_source_model", object{"sonnet", slice(2, 1)},
			"coverage", 0, "n_covered", 0, "auroc_ci", []float64{0.5, 1},
			"best_under_constraint", append(object{"threshold", 0.38}, point...)},
		"per_row_predictions", predictions,
	})
}
