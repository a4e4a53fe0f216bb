package column

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// BenchmarkObserve measures one observer over rows that are tokenised already.
func BenchmarkObserve(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, and so on. ", 6)
	var floats []string
	for range 256 {
		floats = append(floats, fmt.Sprint(random.NormFloat64()))
	}
	chat := func(i int) string {
		return fmt.Sprintf(`{"id": "row-%d", "n": %d, "score": %.3f, "ok": true, "messages": [{"role": "user", "content": %q}, {"role": "assistant", "content": %q}], `+
			`"meta": {"lang": "en", "source": null, "tags": ["a", "b"]}}`, i, i, random.Float64(), text, text+"\n"+text)
	}
	kinds := map[string]func(int) string{
		"chat":      chat,
		"embedding": func(i int) string { return fmt.Sprintf(`{"id": %d, "vector": [%s]}`, i, strings.Join(floats, ", ")) },
		"small": func(i int) string {
			return fmt.Sprintf(`{"a": %d, "b": %d, "c": "x%d", "d": %.2f, "e": null}`, i, i*i, i%7, float64(i)/3)
		},
		"keys": func(i int) string {
			return fmt.Sprintf(`{"id": %d, "words": {"w%d": 1, "w%d": 2, "w%d": 3}}`, i, random.IntN(3000), 3000+random.IntN(3000), 6000+random.IntN(2000))
		},
		"cjk": func(i int) string {
			return fmt.Sprintf(`{"id": %d, "text": %q}`, i, strings.Repeat("日本語の文章。", 60))
		},
	}
	for name, row := range kinds {
		b.Run(name, func(b *testing.B) {
			var docs []*tape.Tape
			size := 0
			for i := range 200 {
				doc := &tape.Tape{}
				text := row(i)
				if problems := doc.Parse([]byte(text)); len(problems) > 0 {
					b.Fatal(problems)
				}
				docs = append(docs, doc)
				size += len(text)
			}
			benchmarkRows(b, docs, size)
		})
	}
}

func BenchmarkObserveGSM8K(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(shared(b, "data", "gsm8k"), "train.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	var docs []*tape.Tape
	for line := range strings.Lines(string(text)) {
		doc := &tape.Tape{}
		doc.Parse([]byte(line))
		docs = append(docs, doc)
	}
	benchmarkRows(b, docs, len(text))
}

func benchmarkRows(b *testing.B, docs []*tape.Tape, size int) {
	o := NewObserver()
	row := rows.Row{Path: "train.jsonl"}
	show := func() {
		for _, doc := range docs {
			row.Doc = doc
			o.Observe(&row)
			row.Index++
		}
	}
	show()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		show()
	}
}
