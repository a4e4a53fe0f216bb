package statistics

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/record"
)

// carried is an observer that went to another process and back.
func carried(t testing.TB, o *Observer) *Observer {
	t.Helper()
	data, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	out := NewObserver(o.splits)
	if err := out.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestObserversComeBack(t *testing.T) {
	for _, splits := range []int{1, manySplits} {
		random := rand.New(rand.NewPCG(5, 5))
		lines := table(random, 3000, 2500)
		want := described(t, seen(t, splits, false, lines...))
		first, second := seen(t, splits, false, lines[:1700]...), seen(t, splits, false, lines[1700:]...)
		first = carried(t, first)
		first.Merge(carried(t, second))
		if diff := cmp.Diff(want, described(t, carried(t, first))); diff != "" {
			t.Errorf("with memory for %d splits, what came back says something else (-one process +several):\n%s", splits, diff)
		}
	}
}

func TestDamagedObserversAreRefused(t *testing.T) {
	data, err := seen(t, 1, false, table(rand.New(rand.NewPCG(5, 5)), 20, 10)...).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		if err := NewObserver(1).UnmarshalBinary(data[:n]); !errors.Is(err, record.ErrDamaged) {
			t.Errorf("the first %d of %d bytes are taken for an observer", n, len(data))
		}
	}
	if err := NewObserver(1).UnmarshalBinary(append(data, 0)); !errors.Is(err, record.ErrDamaged) {
		t.Error("an observer with a byte behind it is taken")
	}
}

// Whatever bytes are taken for an observer, it can be merged and asked.
func FuzzUnmarshal(f *testing.F) {
	random := rand.New(rand.NewPCG(5, 5))
	for _, splits := range []int{1, manySplits} {
		data, err := seen(f, splits, false, table(random, 40, 30)...).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := NewObserver(1)
		if o.UnmarshalBinary(data) != nil {
			return
		}
		o.Merge(seen(t, 1, false, table(random, 3, 3)...))
		again := carried(t, o)
		again.Merge(o)
		again.Finish(tableFeatures)
	})
}
