package validate

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

// liveHeap is the memory in bytes that is in use, without what the garbage collector would free.
func liveHeap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// written makes a file of what a function writes.
func written(t *testing.T, name string, write func(w io.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// tinyRow is a row of which no other is a repeat, in numbers and texts of many values.
func tinyRow(i int) string {
	return fmt.Sprintf(`{"id": %d, "tea": "no. %d", "cups": %d}`, i, i%5000, i%7)
}

// What the observers keep does not grow with the rows, but for the fingerprint of each where repeats are looked for.
func TestMemoryForEachRow(t *testing.T) {
	const few, many = 150_000, 350_000 // behind the first blocks: what workers use again counts for none
	tests := map[string]struct {
		opt Options
		// most is how many bytes may be kept for each row: less than a hash, and room for what pools keep at one time or another.
		most float64
	}{
		"a schema tried on values": {Options{AnyValue: true}, 24},
		"statistics":               {Options{AnyValue: true, Statistics: true}, 24},
		"repeats are looked for":   {Options{}, 64},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.opt.Jobs, tt.opt.MaxPlaces = 1, 10
			tt.opt.Schema = written(t, "schema.json", func(w io.Writer) {
				fmt.Fprint(w, `{"properties": {"id": {"type": "integer"}, "tea": {"type": "integer"}}}`) // every row is refused
			})
			each := float64(keptFor(t, many, tt.opt)-keptFor(t, few, tt.opt)) / (many - few)
			if each > tt.most {
				t.Errorf("%.1f bytes are kept for each row, want at most %.0f", each, tt.most)
			}
			t.Logf("%.2f bytes for each row", each)
		})
	}
}

// keptFor is the memory in bytes that a pass holds behind the last of n rows.
func keptFor(t *testing.T, n int, opt Options) int64 {
	t.Helper()
	path := written(t, "rows.jsonl", func(w io.Writer) {
		for i := range n {
			fmt.Fprintln(w, tinyRow(i))
		}
	})
	rel, err := Loose([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	before := liveHeap()
	p, err := newPass(rel, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer p.keys.Close()
	files := p.dataFiles()
	for _, s := range p.stretches(files) {
		s.split.seen = s.seen
	}
	if err := newCrew(p, files).read(context.Background()); err != nil {
		t.Fatal(err)
	}
	kept := liveHeap() - before
	if got := p.splits[0].seen.digest.Rows(); got != int64(n) {
		t.Fatalf("%d rows were seen, want %d", got, n)
	}
	return kept
}

// A file that is one array is never held whole, and a row that is nearly all of a file a few times at most.
func TestMemoryOfBigValues(t *testing.T) {
	const size = 24 << 20
	tests := map[string]struct {
		name  string
		write func(w io.Writer)
		// most is the memory in bytes that may be in use at any time.
		most int64
	}{
		"an array": {"array.json", func(w io.Writer) {
			fmt.Fprint(w, "[")
			for i := 0; i*45 < size; i++ {
				fmt.Fprintf(w, "%s,\n", tinyRow(i+1_000_000))
			}
			fmt.Fprint(w, "{}]")
		}, size / 2},
		"a row": {"row.jsonl", func(w io.Writer) {
			fmt.Fprint(w, `{"text": "`)
			for i := 0; i*16 < size; i++ {
				fmt.Fprintf(w, "%016d", i)
			}
			fmt.Fprint(w, "\"}\n{}\n")
		}, 4 * size},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rel, err := Loose([]string{written(t, tt.name, tt.write)})
			if err != nil {
				t.Fatal(err)
			}
			defer debug.SetGCPercent(debug.SetGCPercent(5)) // so that little of what is in use is garbage
			before, peak := liveHeap(), int64(0)
			opt := Options{Jobs: 1, MaxPlaces: 10, AnyValue: true, OnBytes: func(int64) {
				var stats runtime.MemStats
				runtime.ReadMemStats(&stats)
				peak = max(peak, int64(stats.HeapAlloc)-before)
			}}
			report, err := Run(context.Background(), rel, nil, opt)
			if err != nil {
				t.Fatal(err)
			}
			if peak > tt.most || peak == 0 {
				t.Errorf("%d MB were in use, want at most %d for a file of %d MB", peak>>20, tt.most>>20, report.Summary.Bytes>>20)
			}
			t.Logf("%.1f MB of %d", float64(peak)/(1<<20), report.Summary.Bytes>>20)
		})
	}
}
