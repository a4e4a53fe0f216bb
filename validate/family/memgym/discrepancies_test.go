package memgym_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
)

// What is known to be wrong with MemGym's data, or was at some time, is found when a release has it. The ids are those of the list
// of discrepancies; what is wrong with papers and documents only is not on this one.
func TestDiscrepancies(t *testing.T) {
	apache := "                                 Apache License\n                           Version 2.0, January 2004\n                        http://www.apache.org/licenses/\n"
	for id, c := range map[string]struct {
		edit func(t *testing.T, f familytest.Files)
		want string
	}{
		"D-MG-04, a split by another rule": {func(t *testing.T, f familytest.Files) {
			// bolt goes to train with all its rows, as a hash could have it.
			for line := 4; line >= 3; line-- {
				lines := strings.SplitAfter(f[evalFile], "\n")
				f[trainFile] += lines[line-1]
				f[evalFile] = strings.Join(slices.Delete(lines, line-1, line), "")
				change(t, f, trainFile, strings.Count(f[trainFile], "\n"), func(r row) { r["split"] = "train" })
			}
		}, "memgym/split-rule reward_model_pairs_v2_train.jsonl:27 /trajectory_id"},
		"D-MG-06, rows of the long-context builder": {func(t *testing.T, f familytest.Files) {
			change(t, f, tau2File, 1, func(r row) { r["messages"] = []any{} })
		}, "schema/additional-properties reward_model_pairs_tau2.jsonl:1 "},
		"D-MG-07, nothing gained is HARMFUL": {func(t *testing.T, f familytest.Files) {
			change(t, f, strategyFile, 1, func(r row) {
				r["delta_r"], r["ood_reward"], r["label"], r["completion"], r["target"] = 0, r["baseline_reward"], 0, " N", " N"
			})
		}, "memgym/reward-label data/rm_strategy_ood_pairs.jsonl:1 /label"},
		"D-MG-08, another license text in the bundle": {func(_ *testing.T, f familytest.Files) { f["rm-strategy-ood/LICENSE"] = apache },
			"license/disagree hfpub.yaml:"},
		"D-MG-09, a NOTICE with another license": {func(_ *testing.T, f familytest.Files) {
			f["rm-train/NOTICE"] = "MemGym\n\nThe datasets are licensed under CC-BY-NC-4.0 unless noted.\n"
		}, "license/disagree hfpub.yaml:"},
		"D-MG-10, another base model": {func(_ *testing.T, f familytest.Files) {
			f["rm-1p7b/README.md"] = "---\nbase_model: Qwen/Qwen3-1.7B\nlicense: apache-2.0\n---\n"
		}, "license/base-model-name checkpoint-500/adapter_config.json:"},
		"D-MG-12, an adapter that the name of the repo does not load": {func(_ *testing.T, f familytest.Files) {
			f["hfpub.yaml"] = strings.Replace(f["hfpub.yaml"], "subfolder=", "folder ", 1)
		}, "memgym/adapter-folder checkpoint-500/adapter_config.json:0 "},
		"D-MG-17, six questions": {func(t *testing.T, f familytest.Files) {
			change(t, f, codeFile, 1, func(r row) {
				for _, id := range []string{"Q3", "Q4", "Q5", "Q6"} {
					question := row{}
					for key, value := range r.at("qa_pairs", 1) {
						question[key] = value
					}
					question["qa_id"], question["question"] = id, "Where is "+id+"?"
					r["qa_pairs"] = append(r.list("qa_pairs"), question)
				}
			})
		}, "memgym/questions codeqa.jsonl:1 /qa_pairs"},
		"D-MG-18, a score between the bounds of text and code": {func(t *testing.T, f familytest.Files) {
			change(t, f, drFile, 1, func(r row) {
				r.in("verification")["score_long_context"], r.in("verification")["context_gap"] = 0.8625, 0.0125
			})
		}, "memgym/long-context 4hop_paper_run.jsonl:1 /verification/score_long_context"},
		"D-MG-19, a passage of Wikipedia": {func(t *testing.T, f familytest.Files) {
			change(t, f, drFile, 1, func(r row) { r.at("turns", 0).at("documents", 0)["title"] = "River - Wikipedia" })
		}, "memgym/wikipedia 4hop_paper_run.jsonl:1 /turns/0/documents/0/title"},
		"D-MG-20, an id of two instances": {func(t *testing.T, f familytest.Files) {
			change(t, f, drFile, 2, func(r row) { r["instance_id"] = "memgym_ir__research__00003" })
		}, "memgym/instance-twice 4hop_paper_run.jsonl:2 /instance_id"},
		"D-MG-21, a row of a data set": {func(t *testing.T, f familytest.Files) {
			change(t, f, drFile, 2, func(r row) { r["source_dataset"] = "2wiki" })
		}, "schema/const 4hop_paper_run.jsonl:2 /source_dataset"},
		"D-MG-25, instances that are not to be redistributed": {func(_ *testing.T, f familytest.Files) {
			f["hfpub.yaml"] = strings.Replace(f["hfpub.yaml"], "status: withheld", "status: public", 1)
		}, "memgym/not-released midtrain_v1.jsonl:0 "},
	} {
		t.Run(id, func(t *testing.T) {
			files := example()
			c.edit(t, files)
			if got := files.All(t); !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, c.want) }) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), c.want)
			}
		})
	}
}

// D-MG-13: read as a folder, the bundle is more than its 22 rows, and the loader fails on it. With the configs of hfpub.yaml it
// loads.
func TestABundleReadAsAFolder(t *testing.T) {
	files := example().Only("rm-strategy-ood")
	folder := familytest.Files{}
	for name, text := range files {
		if inside, ok := strings.CutPrefix(name, "rm-strategy-ood/"); ok && strings.HasPrefix(inside, "data/") {
			folder[inside] = text
		}
	}
	const want = "loader/columns-differ data/rm_strategy_ood_pairs.jsonl:1 /active_summary_chars"
	if got := folder.All(t); !slices.Contains(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want)
	}
}
