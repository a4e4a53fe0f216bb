package rows

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/finding"
)

func manyRows(format string, n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, format, i, i%7)
	}
	return b.Bytes()
}

func TestRowsCostNoMemory(t *testing.T) {
	const few, many = 2_000, 40_000
	row := "{\"id\": %d, \"tea\": \"sencha\", \"tags\": [\"green\", %d.5], \"ok\": true}"
	files := map[string]func(n int) []byte{
		"x.jsonl": func(n int) []byte { return manyRows(row+"\n", n) },
		"x.json":  func(n int) []byte { return append(manyRows(row+",\n", n), "{}]"...) },
		"x.csv":   func(n int) []byte { return append([]byte("id,tea\n"), manyRows("%d,\"say \"\"%d\"\"\"\n", n)...) },
	}
	for name, make := range files {
		t.Run(name, func(t *testing.T) {
			count := func(n int) float64 {
				content := make(n)
				if name == "x.json" {
					content = append([]byte{'['}, content...)
				}
				return testing.AllocsPerRun(3, func() {
					var found finding.Set
					totals, err := Read(context.Background(), Source{Path: name, Open: open(content)}, Options{}, &found, func(*Row) error { return nil })
					if err != nil || totals.Rows < int64(n) || found.Len() > 0 {
						t.Fatalf("%+v, %v, %+v", totals, err, found.All())
					}
				})
			}
			// A row of JSON that is cut at the end of a block costs a few: there are eleven blocks.
			if a, b := count(few), count(many); b > a+100 {
				t.Errorf("%d rows take %v allocations, %d rows %v: want hardly more for more rows", few, a, many, b)
			}
		})
	}
}

// TestLongLineCostsItself reads a long line and counts what was allocated.
func TestLongLineCostsItself(t *testing.T) {
	const size = 64 << 20
	content := []byte(`{"a": "` + strings.Repeat("x", size) + `"}`)
	for _, name := range []string{"x.jsonl", "x.json"} {
		var found finding.Set
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Read(context.Background(), Source{Path: name, Open: open(content)}, Options{}, &found, func(*Row) error { return nil }); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		// The buffer doubles: 128 MiB in the end, and as much again on the way. With the race detector a buffer that grows
		// takes another one beside it for a moment.
		if got := after.TotalAlloc - before.TotalAlloc; got > 8*size {
			t.Errorf("%s: a line of %d MiB allocated %d MiB, want at most eight times as much", name, size>>20, got>>20)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("The leaves are steamed, rolled and dried. ", 20)
	lines := manyRows("{\"id\": %d, \"tea\": \"sencha\", \"tags\": [\"green\", %d.5], \"ok\": true}\n", 20_000)
	long := manyRows("{\"id\": %d, \"label\": %d, \"text\": \""+text+"\"}\n", 5_000)
	array := append(append([]byte{'['}, manyRows("{\"id\": %d, \"tea\": \"sencha\", \"tags\": [\"green\", %d.5], \"ok\": true},", 20_000)...), "{}]"...)
	csv := append([]byte("id,label,text\n"), manyRows("%d,%d,\"some, text\"\n", 40_000)...)
	for _, file := range []struct {
		name    string
		content []byte
	}{
		{"short.jsonl", lines}, {"long.jsonl", long}, {"short.json", array}, {"x.csv", csv},
		{"short.jsonl.gz", pack(b, Gzip, lines)}, {"short.jsonl.zst", pack(b, Zstd, lines)}, {"x.arrow", long},
	} {
		b.Run(file.name, func(b *testing.B) {
			b.SetBytes(int64(len(file.content)))
			b.ReportAllocs()
			for b.Loop() {
				var found finding.Set
				src := Source{Path: file.name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file.content)), nil }}
				if _, err := Read(context.Background(), src, Options{}, &found, func(*Row) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
