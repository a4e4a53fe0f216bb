package finding

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Findings that are only counted come out as if they had been added, whatever becomes of their group meanwhile.
func TestRepeats(t *testing.T) {
	for _, maxPlaces := range []int{0, 1, 2, 20} {
		r := rand.New(rand.NewPCG(1, 2))
		added, counted := Set{MaxPlaces: maxPlaces}, Set{MaxPlaces: maxPlaces}
		tallies, skipped := map[string]Repeats{}, 0
		for i := range 20_000 {
			// Up to row 10000 there are few messages, then very many.
			f := New(SchemaMinimum, "%d is less than 0", r.IntN(1+min(i, 50)+max(0, i-10_000))).At("rows.jsonl", i+1).In("/n")
			added.Add(f)
			if tally, ok := tallies[f.Message]; ok {
				tally.Add()
				skipped++
				continue
			}
			tally := counted.AddHinted(f, func() string { return fmt.Sprintf("hint of line %d", f.Line) })
			if tally.Full() {
				tallies[f.Message] = tally
			}
		}
		want, got := added.All(), counted.All()
		for i := range got {
			if wantHint := fmt.Sprintf("hint of line %d", got[i].Line); got[i].Hint != wantHint {
				t.Errorf("the hint is %q, expected that of the first finding, %q", got[i].Hint, wantHint)
			}
			got[i].Hint = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("places %d: findings differ (-added +counted):\n%.2000s", maxPlaces, diff)
		}
		if maxPlaces > 0 && skipped < 1000 {
			t.Errorf("places %d: only %d findings were just counted", maxPlaces, skipped)
		}
	}
}
