package tape

import (
	"encoding/json"
	"fmt"
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

// BenchmarkString sets the scan of eight bytes at a time beside the plain loop it replaces.
func BenchmarkString(b *testing.B) {
	var tape Tape
	text := []byte(strings.Repeat("The leaves are steamed, rolled and dried. ", 100) + `"`)
	b.Run("eight", func(b *testing.B) {
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
