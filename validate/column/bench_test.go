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

// BenchmarkMember measures one observer over objects of one member, without tokenisation, by what is in the member: objects that are rows
// of their own, and lists of so many that are alike.
func BenchmarkMember(b *testing.B) {
	random := rand.New(rand.NewPCG(2, 2))
	oneOf := func(values ...string) string { return values[random.IntN(len(values))] }
	for _, c := range []struct {
		name   string
		member func(i int) string
	}{
		{"integers", func(i int) string { return fmt.Sprint(i * 37) }},
		{"times", func(i int) string { return fmt.Sprint(1_700_000_000 + i*7) }},
		{"decimals", func(int) string { return fmt.Sprintf("%.4f", random.Float64()) }},
		{"floats", func(int) string { return fmt.Sprint(random.Float64()) }},
		{"truths", func(int) string { return oneOf("true", "false") }},
		{"labels", func(int) string { return oneOf(`"IE"`, `"MSR"`, `"TR"`, `"MA"`, `"ES"`, `"KU"`) }},
		{"labels and nulls", func(int) string { return oneOf(`"s0"`, `"s1"`, `"s2"`, "null") }},
		{"names", func(int) string { return fmt.Sprintf(`"u-%08x"`, random.Uint32()) }},
		{"texts", func(int) string {
			return `"` + "A text of words, as many of them as there are"[:8+random.IntN(36)] + oneOf("", "", "", "é") + `"`
		}},
		{"paths", func(int) string { return `"` + "a/b/c some path/and other things/"[:1+random.IntN(32)] + `"` }},
		{"nulls", func(int) string { return "null" }},
	} {
		const count = 1024
		var objects []string
		for i := range count {
			objects = append(objects, fmt.Sprintf(`{"name": %s}`, c.member(i)))
		}
		for form, size := range map[string]int{"rows": 1, "lists": 64} {
			b.Run(strings.ReplaceAll(c.name, " ", "-")+"/"+form, func(b *testing.B) {
				o := NewObserver()
				var known tape.Tape // from here on all tapes share their shapes
				known.Parse([]byte("{}"))
				known.Nodes = nil
				var all []*rows.Row
				for i := 0; i < count; i += size {
					text := objects[i]
					if size > 1 {
						text = "[" + strings.Join(objects[i:i+size], ", ") + "]"
					}
					doc := known
					if problems := doc.Parse([]byte(text)); problems != nil {
						b.Fatal(problems)
					}
					all = append(all, &rows.Row{Path: "a", Index: 1, Doc: &doc})
				}
				for b.Loop() {
					for _, row := range all {
						o.Observe(row)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/object")
			})
		}
	}
}
