package digest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/rowstest"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// observeTogether shows the rows of a file to an observer, those together that can be. It returns how many those are.
func observeTogether(t testing.TB, o *Observer, content string, blockSize int) (together int) {
	t.Helper()
	one := func(row *rows.Row) error { o.Observe(row); return nil }
	run := func(run *rows.Run) error { together += run.Rows; o.ObserveRun(run); return nil }
	rowstest.Read(t, "x.jsonl", []byte(content), blockSize, one, run)
	return together
}

// Rows that were read together have the digest that they have one by one: values of all kinds and lengths, keys in any order, rows at the
// borders of blocks, the last ones at the end of all memory.
func TestObserveRun(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	all := 0
	for range 100 {
		var keys []string
		for i := range 1 + random.IntN(8) {
			keys = append(keys, fmt.Sprintf("%q: ", strings.Repeat(string(rune('b'+i*3%8)), 1+random.IntN(8)/7*random.IntN(40))))
		}
		var content strings.Builder
		for range 200 {
			for i, key := range keys {
				content.WriteString([]string{"{", ", "}[min(i, 1)] + key + randomText(random, 0))
			}
			content.WriteString("}\n")
		}
		want, got := NewFirst(), NewFirst()
		observe(t, want, "x.jsonl", content.String())
		together := observeTogether(t, got, content.String(), random.IntN(2)*(1+random.IntN(3000)))
		if got.Digest() != want.Digest() || got.Rows() != want.Rows() {
			t.Fatalf("%d of %d rows together have %+v, one by one %+v:\n%s", together, got.Rows(), got.Digest(), want.Digest(), content.String())
		}
		all += together
	}
	if all < 10_000 {
		t.Errorf("only %d of 20000 rows were shown together", all)
	}
}

// Rows are hashed before there are too many, shown together or one by one.
func TestRunsAreHashedInTime(t *testing.T) {
	o := NewObserver()
	observeTogether(t, o, strings.Repeat(`{"tea": "sencha", "origin": "Uji"}`+"\n", mostUnhashed/64+2000), 0)
	if size := o.Batch().Size(); size == 0 || size >= mostUnhashed {
		t.Errorf("%d bytes are not hashed, expected less than %d, those of the last rows", size, mostUnhashed)
	}
}

// BenchmarkRows sets rows that are shown together beside rows one by one, without their hashes.
func BenchmarkRows(b *testing.B) {
	var content strings.Builder
	random := rand.New(rand.NewPCG(5, 2))
	var doc tape.Tape
	doc.Parse([]byte(`{"id": 1, "tea": "sencha", "score": 0.5, "ok": true, "note": ""}`))
	for i := range 60 {
		fmt.Fprintf(&content, `{"id": %d, "tea": "%s", "score": %.4f, "ok": %t, "note": "%s"}`+"\n", i, []string{"sencha", "assam"}[random.IntN(2)], random.Float64(),
			random.IntN(2) == 0, strings.Repeat("x", 30+random.IntN(30)))
	}
	text := []byte(content.String())
	run := rows.Run{Doc: &doc, Rows: doc.ParseRun(text), Stride: 11}
	if run.Rows != 60 {
		b.Fatalf("%d rows are read together, expected 60", run.Rows)
	}
	b.Run("together", func(b *testing.B) {
		var o Observer
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			o.batch.Reset(mostKept)
			o.ObserveRun(&run)
		}
	})
	b.Run("one by one", func(b *testing.B) {
		var row []*rows.Row
		for line := range strings.Lines(content.String()) {
			one := &tape.Tape{}
			one.ParseLike(&doc, []byte(line))
			row = append(row, &rows.Row{Doc: one})
		}
		var o Observer
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			o.batch.Reset(mostKept)
			for _, r := range row {
				o.Observe(r)
			}
		}
	})
}
