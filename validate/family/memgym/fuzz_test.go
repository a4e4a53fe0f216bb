package memgym

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/memgym/memgymtest"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// A row of any artifact can be any JSON: it is judged or passed over, joined with itself, and what was seen of it can be
// written and read again.
func FuzzRow(f *testing.F) {
	artifacts := []string{pairs, pairsTau2, pairsWebArena, strategy, strategySlice, strategyManifest, splitManifest, evaluation, deepResearch, codeQA,
		midTraining, leaderboard}
	for _, text := range memgymtest.Files() {
		if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "{") && len(first) > 1 {
			f.Add(first)
		} else {
			f.Add(text)
		}
	}
	f.Add(`{"entries":[{"track":"dr","n":1,"score":1,"baseline":null,"notes":"5/6-hop"}],"meta":{"tracks":{"dr":{"headline":"+1"}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var doc tape.Tape
		if len(doc.Parse([]byte(text))) > 0 {
			return
		}
		c := &check{release: &release.Release{}, maxPlaces: 3}
		var all []observe.Seen
		for _, artifact := range artifacts {
			split := &observe.Split{Repo: &release.Repo{}, Config: &release.Config{}, Split: &release.Split{Name: "paper_union"}, Artifact: artifact}
			o := c.Observer(split)
			o.Observe(&rows.Row{Path: "4hop.json", Line: 1, Doc: &doc})
			first, err := o.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			again := c.Observer(split)
			if err := again.UnmarshalBinary(first); err != nil {
				t.Fatalf("%s: what was written cannot be read: %v", artifact, err)
			}
			if second, err := again.MarshalBinary(); err != nil || !bytes.Equal(first, second) {
				t.Errorf("%s: what was read is written otherwise (%v)", artifact, err)
			}
			all = append(all, observe.Seen{Split: split, Observer: o, Whole: true})
		}
		if err := c.Finish(t.Context(), all, observe.NewFindings(3)); err != nil {
			t.Error(err)
		}
	})
}

// A partial result may come from anywhere.
func FuzzUnmarshalBinary(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 2})
	c := &check{release: &release.Release{}, maxPlaces: 3}
	split := &observe.Split{Repo: &release.Repo{}, Config: &release.Config{}, Split: &release.Split{}, Artifact: pairs}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := c.Observer(split).UnmarshalBinary(data); err == nil && len(data) == 0 {
			t.Error("no bytes are taken for a record")
		}
	})
}
