package digest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// observed shows n rows to an observer, numbered from one on.
func observed(t testing.TB, o *Observer, from, n int) *Observer {
	t.Helper()
	var doc tape.Tape
	for i := range n {
		if problems := doc.Parse(fmt.Appendf(nil, `{"b": %d, "a": "x"}`, from+i)); len(problems) > 0 {
			t.Fatal(problems)
		}
		o.Observe(&rows.Row{Doc: &doc})
	}
	return o
}

func TestObserversAreWrittenAndRead(t *testing.T) {
	want := observed(t, NewFirst(), 0, 250).Digest()
	for _, sizes := range [][]int{{250}, {0, 250}, {250, 0}, {100, 150}, {1, 200, 49}, {0, 0, 250, 0}} {
		got := NewFirst()
		from := 0
		for i, n := range sizes {
			o := NewObserver()
			if i == 0 {
				o = NewFirst()
			}
			data, err := observed(t, o, from, n).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			from += n
			var read Observer
			if err := read.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			if read.First() != (i == 0) {
				t.Errorf("run %d: First() = %v", i, read.First())
			}
			if read.Rows() != int64(n) {
				t.Errorf("%d rows were read, want %d", read.Rows(), n)
			}
			got.Merge(&read)
		}
		if got.Digest() != want {
			t.Errorf("runs of %v rows: digest %v, want %v", sizes, got.Digest(), want)
		}
	}
}

func FuzzObserverUnmarshal(f *testing.F) {
	for _, n := range []int{0, 1, 200} {
		for _, o := range []*Observer{NewFirst(), NewObserver()} {
			data, err := observed(f, o, 0, n).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var o Observer
		if err := o.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, record.ErrDamaged) {
				t.Errorf("error %v, want ErrDamaged", err)
			}
			return
		}
		first := NewFirst()
		first.Merge(&o)
		observed(t, first, 0, 3)
		if d := first.Digest(); len(d.Sequence) != 64 || len(d.Set) != 64 {
			t.Errorf("digest %v", d)
		}
	})
}
