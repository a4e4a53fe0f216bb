package tape

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var samples = []struct{ name, text string }{
	{"small", `{"id": 12, "tea": "sencha", "score": 0.75, "tags": ["green", "steamed"], "ok": true}`},
	{"numbers", `{"x": [` + strings.Repeat("1234.5, ", 1000) + `0]}`},
	{"text", `{"text": "` + strings.Repeat(`The leaves are steamed, rolled and dried.\n`, 200) + `"}`},
	{"accents", `{"text": "` + strings.Repeat(`Thé vert, 煎茶は蒸した茶葉から作られる。`, 200) + `"}`},
	{"keys", func() string {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, `"column_%d": %d, `, i, i)
		}
		return "{" + b.String() + `"z": 0}`
	}()},
}

// words are what the texts of rowSets are made of.
const words = "the leaves are steamed, rolled and dried in the sun before anyone pours water over them; "

// rowSets are rows as people release them: dialogues with a few keys again and again, long texts full of escapes, and small rows.
var rowSets = []struct {
	name string
	row  func(random *rand.Rand, i int) string
}{
	{"dialogues", func(random *rand.Rand, i int) string {
		var b strings.Builder
		fmt.Fprintf(&b, `{"id": %d, "guest": "Zoë", "turns": [`, i)
		for turn := range 40 {
			if turn > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, `{"role": %q, "content": "%s \"%d\" 茶"}`, []string{"guest", "host"}[turn%2], words[:20+random.IntN(65)], turn)
		}
		b.WriteString(`], "ledger": "[[\"Zoë\", \"tea\", \"sencha\"], [\"Zoë\", \"pot\", \"kyusu\"]]"}`)
		return b.String()
	}},
	{"escaped texts", func(random *rand.Rand, i int) string {
		var b strings.Builder
		fmt.Fprintf(&b, `{"label": %d, "prompt": "`, i%2)
		for range 300 {
			b.WriteString(words[:10+random.IntN(75)])
			b.WriteString([]string{`\n`, `\n    `, `\"`, `\u2014`, `\ud83c\udf75`, "é"}[random.IntN(6)])
		}
		b.WriteString(`", "completion": " Y"}`)
		return b.String()
	}},
	{"small rows", func(random *rand.Rand, i int) string {
		return fmt.Sprintf(`{"id": %d, "uid": "u-%08x", "q": "%s", "tag": "%s", "score": 0.%04d, "ok": true, "src": null}`,
			i, random.Uint32(), words[:random.IntN(50)], []string{"A", "BC"}[i%2], random.IntN(10_000))
	}},
}

// BenchmarkRows reads different rows one after another, as from a file.
func BenchmarkRows(b *testing.B) {
	for _, set := range rowSets {
		b.Run(set.name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 1))
			var rows [][]byte
			size := 0
			for i := 0; size < 1<<20; i++ {
				row := []byte(set.row(random, i))
				rows = append(rows, row)
				size += len(row)
			}
			var tape Tape
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, row := range rows {
					if tape.Parse(row) != nil {
						b.Fatalf("%.100s must be strict JSON", row)
					}
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, s := range samples {
		text := []byte(s.text)
		b.Run(s.name, func(b *testing.B) {
			var tape Tape
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if tape.Parse(text) != nil {
					b.Fatal("the sample must be strict JSON")
				}
			}
		})
		b.Run(s.name+"/encoding-json-valid", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				json.Valid(text)
			}
		})
	}
}

// BenchmarkString sets the scan of sixteen bytes at a time beside the plain loop it replaces.
func BenchmarkString(b *testing.B) {
	var tape Tape
	text := []byte(strings.Repeat("The leaves are steamed, rolled and dried. ", 100) + `"`)
	b.Run("sixteen", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			tape.scanString(text, 0)
		}
	})
	b.Run("one", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for i := 0; text[i] != '"' && text[i] != '\\' && text[i] >= 0x20 && text[i] < 0x80; i++ {
			}
		}
	})
}
