package rows

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// readShare reads a share of a file, and writes and reads again what is known of it.
func readShare(t testing.TB, src Source, opt Options) (rows []string, part *Part) {
	t.Helper()
	opt.Buffers = &lent
	f, err := Open(context.Background(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var doc tape.Tape
	for b := range blocksOf(t, f) {
		b.Hash(&sha256pair.Batch{})
		var shown []string
		show := func(r *Row) error { shown = append(shown, rowText(r)); return nil }
		if err := b.Read(&doc, show, alone(show)); err != nil {
			t.Fatal(err)
		}
		if f.Add(b) {
			rows = append(rows, shown...)
		}
	}
	data, err := f.Part().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	part = NewPart(opt.MaxPlaces)
	if err := part.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return rows, part
}

// checkShares reads a file in shares that meet at the given places, and holds them together against the whole file.
func checkShares(t *testing.T, name string, content []byte, borders []int64, opt Options) {
	t.Helper()
	src := Source{Path: name, Open: open(content)}
	want := readLive(t, src, opt)
	var got everything
	var all *Part
	from := int64(0)
	for _, to := range append(borders, ToTheEnd) {
		opt.Share = &Share{from, to}
		from = to
		rows, part := readShare(t, src, opt)
		if all == nil {
			got.Rows, all = rows, part
			continue
		}
		if !all.Stopped() {
			got.Rows = append(got.Rows, rows...)
		}
		all.Merge(part)
	}
	totals, found := all.Finish()
	got.Findings, got.Totals = found.All(), totals
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s %.300q: in shares that meet at %v and blocks of %d bytes, the file gives something else (-whole +shares):\n%s",
			name, content, borders, opt.BlockSize, diff)
	}
}

func TestSharesGiveWhatTheFileGives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, contents := range nasty {
		for i, content := range contents {
			t.Run(fmt.Sprintf("%s %d", name, i), func(t *testing.T) {
				for _, size := range []int{0, 1, 7, 100} {
					for range 4 {
						borders := []int64{1 + random.Int64N(int64(len(content)/2+1))}
						borders = append(borders, borders[0]+1+random.Int64N(int64(len(content)/2+1)))
						checkShares(t, name, []byte(content), borders, Options{BlockSize: size, MaxPlaces: 3})
					}
				}
			})
		}
	}
}

func TestPartOfAShareIsRefused(t *testing.T) {
	for name, data := range map[string][]byte{"nothing": nil, "something else": []byte("{\"a\": 1}"), "zeros": make([]byte, 40)} {
		part := NewPart(1)
		if err := part.UnmarshalBinary(data); !errors.Is(err, record.ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", name, err)
		}
	}
}

func FuzzPartUnmarshal(f *testing.F) {
	for name, contents := range nasty {
		for _, content := range contents {
			_, part := readShare(f, Source{Path: name, Open: open([]byte(content))}, Options{MaxPlaces: 3})
			data, err := part.MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		part := NewPart(3)
		if err := part.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, record.ErrDamaged) {
				t.Errorf("error %v, want ErrDamaged", err)
			}
			return
		}
		whole := NewPart(3)
		whole.Merge(part)
		whole.Finish()
	})
}
