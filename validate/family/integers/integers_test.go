package integers_test

import (
	"slices"
	"testing"

	"github.com/hfpub/hfpub/validate/family/familytest"
	"github.com/hfpub/hfpub/validate/family/memgym/memgymtest"
)

// An integer of any depth that is written as a float is found, in all families.
func TestIntegersAsFloats(t *testing.T) {
	memgym := familytest.Files(memgymtest.Files())
	memgym["hfpub.yaml"] = memgymtest.Manifest()
	const train, strategy = "rm-train/reward_model_pairs_v2_train.jsonl", "rm-strategy-ood/data/rm_strategy_ood_pairs.jsonl"
	const areas = "schema"
	familytest.Run(t, memgym, []familytest.Mutation{
		{Name: "at the top", Edits: []familytest.Edit{{File: train, Old: `"step":2,`, New: `"step":2.0,`}},
			Want: []string{"schema/integer-as-float reward_model_pairs_v2_train.jsonl:$1 /step"}},
		{Name: "with an exponent", Edits: []familytest.Edit{{File: train, Old: `"step":2,`, New: `"step":2e0,`}},
			Want: []string{"schema/integer-as-float reward_model_pairs_v2_train.jsonl:$1 /step"}},
		{Name: "one of a few values", Edits: []familytest.Edit{{File: train, Old: `"label":0,`, New: `"label":0.0,`}},
			Want: []string{"schema/integer-as-float reward_model_pairs_v2_train.jsonl:$1 /label"}},
		{Name: "the only value", Edits: []familytest.Edit{{File: train, Old: `"keep_first":3`, New: `"keep_first":3.0`}},
			Want: []string{"schema/integer-as-float reward_model_pairs_v2_train.jsonl:$1 /provenance/keep_first"}},
		{Name: "in a list", Edits: []familytest.Edit{{File: "dr-instances/4hop_paper_run.jsonl", Old: `"turn_index":1,`, New: `"turn_index":1.0,`}},
			Want: []string{"schema/integer-as-float 4hop_paper_run.jsonl:$1 /turns/1/turn_index"}},
		{Name: "a number that need be no integer", Edits: []familytest.Edit{{File: strategy, Old: `"baseline_reward":0,`, New: `"baseline_reward":0.0,`}}, Want: []string{}},
	}, areas)
	for _, c := range []struct{ dir, file, old, text, want string }{
		{"clerk", "sessions/data/timelines_test.jsonl", `"session_idx":1`, `"session_idx":1.0`, "schema/integer-as-float data/timelines_test.jsonl:1 /sessions/1/session_idx"},
		{"racktic", "memory-tasks/codebase_adaptation/train_streams.jsonl", `"episode_index":0`, `"episode_index":0.0`,
			"schema/integer-as-float codebase_adaptation/train_streams.jsonl:1 /metadata/episode_index"},
		{"umb", "construction/personas.json", `"age": 24`, `"age": 24.0`, "schema/integer-as-float personas.json:5 /demographics/age"},
	} {
		files := familytest.Read(t, "../../../testdata/releases/"+c.dir)
		changed, _ := files.With(t, []familytest.Edit{{File: c.file, Old: c.old, New: c.text}})
		if got := changed.Found(t, areas); !slices.Equal(got, []string{c.want}) {
			t.Errorf("found %q, want %s", got, c.want)
		}
	}
}
