package fingerprint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/record"
)

func TestNumbersSortByTheirKeys(t *testing.T) {
	numbers := []float64{math.Inf(-1), -1e300, -2.5, -1, -1e-300, 0, 1e-300, 0.5, 1, 2, 1e300, math.Inf(1)}
	for i, n := range numbers {
		if got := OfNumber(n).Number(); got != n {
			t.Errorf("the number of the key of %v is %v", n, got)
		}
		if i > 0 && OfNumber(numbers[i-1]).compare(OfNumber(n)) >= 0 {
			t.Errorf("the key of %v is not before that of %v", numbers[i-1], n)
		}
	}
	if OfNumber(math.Copysign(0, -1)) != OfNumber(0) {
		t.Error("0 and -0 have different keys")
	}
}

func TestPlaces(t *testing.T) {
	p := At(MaxFiles-1, 1<<indexBits-1)
	if p.File() != MaxFiles-1 || p.Index() != 1<<indexBits-1 {
		t.Errorf("the last place is file %d, row %d", p.File(), p.Index())
	}
}

type seen struct {
	log int
	Record
}

func all(t *testing.T, logs []*Log) []seen {
	t.Helper()
	var got []seen
	if err := Sorted(t.Context(), logs, func(log int, r Record) error {
		got = append(got, seen{log, r})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return got
}

// Whatever fits in memory, and however the logs were merged, the records come in the same order.
func TestSortedDoesNotDependOnMemoryAndMerges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	records := make([][]Record, 3)
	var want []seen
	for log := range records {
		for i := range 400 {
			r := Record{Of(fmt.Append(nil, random.IntN(100))), At(random.IntN(3), int64(i)), uint64(i % 5)}
			records[log] = append(records[log], r)
			want = append(want, seen{log, r})
		}
	}
	slices.SortFunc(want, func(a, b seen) int {
		return cmp.Or(a.Key.compare(b.Key), cmp.Compare(a.log, b.log), a.Record.compare(b.Record))
	})
	for _, limit := range []int{1, 50, 700, 1 << 20} {
		for _, block := range []int{1, 37, 400} {
			store := NewStoreOf(limit)
			var logs []*Log
			for _, list := range records {
				log := store.NewLog()
				for part := range slices.Chunk(list, block) {
					next := store.NewLog()
					for _, r := range part {
						next.Add(r)
					}
					log.Merge(next)
				}
				if log.Len() != int64(len(list)) {
					t.Fatalf("a log of %d records says that it has %d", len(list), log.Len())
				}
				logs = append(logs, log)
			}
			spilt := slices.ContainsFunc(logs, func(l *Log) bool { return len(l.runs) > 0 })
			if spilt != (limit < 1200) {
				t.Errorf("with room for %d records, records were written to a file: %t", limit, spilt)
			}
			for range 2 {
				if diff := gocmp.Diff(want, all(t, logs), gocmp.AllowUnexported(seen{})); diff != "" {
					t.Fatalf("room for %d records, blocks of %d (-want +got):\n%s", limit, block, diff)
				}
			}
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestBinary(t *testing.T) {
	store := NewStoreOf(10)
	defer store.Close()
	log := store.NewLog()
	for i := range 100 {
		next := store.NewLog()
		next.Add(Record{Of([]byte{byte(i)}), At(i%2, int64(i)), 7})
		log.Merge(next)
	}
	data, err := log.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := store.NewLog()
	r := record.NewReader(data)
	again.Read(r, 2)
	if r.End() != nil {
		t.Fatal(r.Err())
	}
	if diff := gocmp.Diff(all(t, []*Log{log}), all(t, []*Log{again}), gocmp.AllowUnexported(seen{})); diff != "" {
		t.Errorf("what was written is not what was read (-want +got):\n%s", diff)
	}
	r = record.NewReader(data)
	store.NewLog().Read(r, 1)
	if r.Err() == nil {
		t.Error("a record of a file that is not there was read")
	}
}

// Nothing stays in the temporary folder, and what cannot be written is an error when the records are asked for.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	store := NewStoreOf(1)
	log := store.NewLog()
	fill := func() {
		next := store.NewLog()
		for i := range 100 {
			next.Add(Record{Key: Of([]byte{byte(i)})})
		}
		log.Merge(next)
	}
	fill()
	if len(log.runs) == 0 {
		t.Fatal("nothing was written to a file")
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	fill()
	err := Sorted(t.Context(), []*Log{log}, func(int, Record) error { return nil })
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("a log of a closed store gives %v", err)
	}
}

func TestSortedEndsWithTheContext(t *testing.T) {
	store := NewStore()
	defer store.Close()
	log := store.NewLog()
	log.Add(Record{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Sorted(ctx, []*Log{log}, func(int, Record) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add(append([]byte{1}, make([]byte, recordSize)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		store := NewStore()
		defer store.Close()
		log := store.NewLog()
		log.Read(record.NewReader(data), 3)
		if log.Len() > int64(len(data)/recordSize) {
			t.Errorf("%d records were read from %d bytes", log.Len(), len(data))
		}
	})
}
