package leak

import "testing"

func TestPurposes(t *testing.T) {
	for split, want := range map[string]Purpose{
		"train": Training, "train_sft": Training, "training": Training, "pretrain": Training, "train.jsonl": Training, "train2": Training,
		"test": Evaluation, "validation": Evaluation, "dev": Evaluation, "test_unseen": Evaluation, "eval2": Evaluation, "Test": Evaluation,
		"val": Evaluation, "train_eval": Evaluation, "rows": Other, "retrain": Other, "latest": Other, "values": Other, "": Other,
	} {
		if got := PurposeOf(split); got != want {
			t.Errorf("the purpose of split %q is %d, not %d", split, got, want)
		}
	}
}
