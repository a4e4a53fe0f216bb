package hygiene

import (
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/observe/observetest"
)

func FuzzUnmarshal(f *testing.F) {
	rel := oneRepo()
	check, err := NewRowCheck(rel, observetest.Options(f))
	if err != nil {
		f.Fatal(err)
	}
	observetest.FuzzUnmarshal(f, []observe.Check{check}, splitsOf(rel), `{"a": "`+token+`"}`, `{"a": "/home/anna/x"}`)
}

// splitsOf returns a split of the first repo.
func splitsOf(rel *release.Release) []*observe.Split {
	split := &release.Split{Name: "train", Files: []string{"train.jsonl"}}
	return []*observe.Split{{Repo: &rel.Repos[0], Config: &release.Config{Name: "default"}, Split: split}}
}
