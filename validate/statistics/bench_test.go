package statistics

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// BenchmarkObserve measures rows of seven fields in blocks, with merging and with their tokenisation.
func BenchmarkObserve(b *testing.B) {
	const blockRows = 4000
	random := rand.New(rand.NewPCG(1, 1))
	var doc tape.Tape
	lines := make([][]byte, 16*blockRows)
	size := 0
	for i := range lines {
		line := fmt.Sprintf(`{"id": %d, "uid": "u-%08x", "q": "Was white where page going go second days %d", "tag": "T%d", "score": %.4f, "ok": %t, "src": "s%d"}`,
			i, random.Uint32(), random.IntN(6000), i%6, random.Float64(), i%3 > 0, i%7)
		size += len(line)
		lines[i] = []byte(line)
	}
	b.SetBytes(int64(size / len(lines) * blockRows))
	whole := NewObserver(1)
	n := 0
	for b.Loop() {
		part := NewObserver(1)
		for range blockRows {
			doc.Parse(lines[n%len(lines)])
			part.Observe(&rows.Row{Path: "a", Doc: &doc})
			n++
		}
		part.Seal()
		whole.Merge(part)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/row")
}
