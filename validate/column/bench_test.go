package column

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// BenchmarkObserve measures one observer over rows, with their tokenisation by one tape.
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
			var texts [][]byte
			for i := range 200 {
				texts = append(texts, []byte(row(i)))
			}
			benchmarkRows(b, texts)
		})
	}
}

func BenchmarkObserveGSM8K(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(shared(b, "data", "gsm8k"), "train.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	benchmarkRows(b, bytes.SplitAfter(bytes.TrimSpace(text), []byte("\n")))
}

func benchmarkRows(b *testing.B, texts [][]byte) {
	o := NewObserver()
	var doc tape.Tape
	row := rows.Row{Path: "train.jsonl", Doc: &doc}
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			if problems := doc.Parse(text); problems != nil {
				b.Fatal(problems)
			}
			o.Observe(&row)
			row.Index++
		}
	}
}
