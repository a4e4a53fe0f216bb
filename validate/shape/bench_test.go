package shape

import (
	"os"
	"testing"
)

func BenchmarkObserve(b *testing.B) {
	schema, err := os.ReadFile("testdata/golden/nested-keys/schema.json")
	if err != nil {
		b.Fatal(err)
	}
	s := compiled(b, string(schema))
	for name, raw := range map[string]string{
		"good": `{"id": "a", "turns": [{"speaker": "user", "text": "hi"}, {"speaker": "assistant", "text": "hello"}]}`,
		"bad":  `{"id": "a", "turns": [{"speaker": "user", "text": "hi"}, {"speaker": "bot", "text": 1, "more": true}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			row := rowOf(b, "rows.jsonl", 1, []byte(raw))
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			o := s.NewObserver(10)
			for b.Loop() {
				o.Observe(row)
			}
		})
	}
}
