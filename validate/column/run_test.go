package column

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// readRuns reads a file of JSON Lines in blocks of about so many bytes, and shows its rows to two observers in turn, which are merged
// behind each block, and used again. together shows rows that can be seen together.
func readRuns(t testing.TB, text string, size int, together func(*Observer, *rows.Run)) *Observer {
	t.Helper()
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	f, err := rows.Open(t.Context(), rows.Source{Path: "train.jsonl", Open: open}, rows.Options{BlockSize: size})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var doc tape.Tape
	merged, o, other := NewObserver(), NewObserver(), NewObserver()
	for b, err := f.Next(); err != io.EOF; b, err = f.Next() {
		if err != nil {
			t.Fatal(err)
		}
		b.Hash(&sha256pair.Batch{})
		err := b.Read(&doc, func(row *rows.Row) error { o.Observe(row); return nil }, func(run *rows.Run) error { together(o, run); return nil })
		if err != nil {
			t.Fatal(err)
		}
		f.Add(b)
		if merged.Merge(o); !o.Reuse() {
			o = NewObserver()
		}
		o, other = other, o
	}
	return merged
}

// What is seen of rows together is what is seen of them one by one.
func TestRunsOfRows(t *testing.T) {
	values := strings.Split(`"user" "assistant" "a/b" "" "t" "true" "12" "2024-01-02" "[1]" "\u00e9" "é" "a\nb" 1 -3 -0 0.5 2.50 1e3 18446744073709551616 true null [] {}`, " ")
	together := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 10))
		var pools [4][]string
		for i := range pools {
			for range 1 + random.IntN(6) {
				pools[i] = append(pools[i], values[random.IntN(len(values))])
			}
		}
		var text strings.Builder
		for i := range random.IntN(200) {
			value := func(k int) string {
				if random.IntN(40) == 0 {
					return values[random.IntN(len(values))]
				}
				return pools[k][random.IntN(len(pools[k]))]
			}
			switch random.IntN(40) {
			case 0:
				fmt.Fprintf(&text, "%s\n", value(0))
			case 1:
				fmt.Fprintf(&text, `{"b": [%s, {"x": %s}], "a": %s}`+"\n", value(0), value(1), value(2))
			case 2:
				fmt.Fprintf(&text, `{"a": %s, "new %d": %s}`+"\n", value(0), random.IntN(3), value(1))
			case 3:
				text.WriteString("{} refused\n\n")
			default:
				if i/9%3 == 1 {
					fmt.Fprintf(&text, `{"b": %s, "late": %s}`+"\n", value(0), value(1))
					continue
				}
				fmt.Fprintf(&text, `{"a": %s, "b": %s, "number": %s, "c": %s, "text": "text %d"}`+"\n", value(0), value(1), randomNumber(random), value(3), i%40)
			}
		}
		together += checkRuns(t, text.String(), random.IntN(4000))
	}
	if together < 10_000 {
		t.Errorf("only %d rows were read together", together)
	}
}

// checkRuns holds what observers see of rows together against what others see of them one by one, and returns how many there were of
// those that can be seen together.
func checkRuns(t *testing.T, text string, size int) (together int) {
	t.Helper()
	fast := readRuns(t, text, size, (*Observer).ObserveRun)
	slow := readRuns(t, text, size, func(o *Observer, run *rows.Run) {
		for i := range run.Rows {
			o.Observe(run.Alone(i))
		}
		together += run.Rows
	})
	if diff := cmp.Diff(state(slow), state(fast)); diff != "" {
		t.Fatalf("one by one and together are different (-one by one +together):\n%s\nof %.3000s", diff, text)
	}
	return together
}

// Keys that only the tape has seen before are new to an observer.
func TestRunsOfNewKeys(t *testing.T) {
	seen := 0
	readRuns(t, strings.Repeat(`{"tea": "sencha", "cups": 2}`+"\n", 20), 0, func(_ *Observer, run *rows.Run) {
		fast, slow := NewObserver(), NewObserver()
		for _, o := range []*Observer{fast, slow} {
			first := *run.At(0)
			first.Doc = new(tape.Tape)
			first.Doc.Parse([]byte(`{"tea": "bancha"}`))
			o.Observe(&first)
		}
		fast.ObserveRun(run)
		for i := range run.Rows {
			slow.Observe(run.Alone(i))
		}
		if diff := cmp.Diff(state(slow), state(fast)); diff != "" {
			t.Fatalf("one by one and together are different (-one by one +together):\n%s", diff)
		}
		seen += run.Rows
	})
	if seen == 0 {
		t.Error("no rows were read together")
	}
}

// Arrow's blocks end within runs, and so many rows are of several batches.
func TestRunsOverManyBlocks(t *testing.T) {
	for _, size := range []int{3 * blockSize, maxCut - 3, 2 * maxCut, 18 << 20} {
		var text strings.Builder
		for i := 0; text.Len() < size; i++ {
			kinds := []string{`"t"`, `"12"`, "1", "true", "null"}
			fmt.Fprintf(&text, `{"id": %d, "kind": %s, "text": %q}`+"\n", i, kinds[text.Len()/(blockSize*2/3)%len(kinds)], strings.Repeat("words ", i%30))
		}
		if together := checkRuns(t, text.String(), 0); together < 1000 {
			t.Errorf("of %d bytes only %d rows were read together", size, together)
		}
	}
}
