package rows

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/finding"
)

// position is where a row stands: its text, what the file holds from Offset to End, and its batch.
type position struct {
	Text, Held string
	Batch      int
}

func positions(t *testing.T, name string, content []byte, wrap func(io.Reader) io.Reader) []position {
	t.Helper()
	var out []position
	var found finding.Set
	src := Source{Path: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(wrap(bytes.NewReader(content))), nil }}
	_, err := Read(context.Background(), src, Options{}, &found, func(r *Row) error {
		text := r.Doc.Root().Raw()
		out = append(out, position{string(text), string(content[r.Offset:r.End]), r.Batch})
		return nil
	})
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return out
}

func TestRowsKnowTheirBytes(t *testing.T) {
	const bom = "\xEF\xBB\xBF"
	tests := []struct {
		name, path, content string
		want                []position
	}{
		{"JSON Lines", "a.jsonl", "{\"a\":1}\n\n  \n {\"a\":2}\r\n{\"a\":3}", []position{
			{`{"a":1}`, "{\"a\":1}\n", 0}, {`{"a":2}`, " {\"a\":2}\r\n", 0}, {`{"a":3}`, `{"a":3}`, 0}}},
		{"behind a byte order mark", "a.jsonl", bom + "{\"a\":1}\n{\"a\":2}\n", []position{
			{`{"a":1}`, "{\"a\":1}\n", 0}, {`{"a":2}`, "{\"a\":2}\n", 0}}},
		{"a row that is refused counts", "a.jsonl", "{\"a\":1}\n{nope}\n{\"a\":2}\n", []position{
			{`{"a":1}`, "{\"a\":1}\n", 0}, {`{"a":2}`, "{\"a\":2}\n", 0}}},
		{"an array", "a.json", "[ {\"a\":1},\n{\"a\":2} ]\n", []position{{`{"a":1}`, `{"a":1}`, 0}, {`{"a":2}`, `{"a":2}`, 0}}},
		{"JSON Lines in .json", "a.json", "{\"a\":1} \n\n{\"a\":2}", []position{
			{`{"a":1}`, "{\"a\":1} \n", 0}, {`{"a":2}`, `{"a":2}`, 0}}},
		{"CSV", "a.csv", bom + "a,b\n1,\"x\ny\"\n2,z", []position{
			{`{"a":"1","b":"x\ny"}`, "1,\"x\ny\"\n", 0}, {`{"a":"2","b":"z"}`, "2,z", 0}}},
	}
	for _, test := range tests {
		for how, wrap := range map[string]func(io.Reader) io.Reader{
			"at once":      func(r io.Reader) io.Reader { return r },
			"byte by byte": iotest.OneByteReader,
		} {
			t.Run(test.name+" "+how, func(t *testing.T) {
				if diff := cmp.Diff(test.want, positions(t, test.path, []byte(test.content), wrap)); diff != "" {
					t.Errorf("positions (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestRowsOfABigFileKnowTheirBatch(t *testing.T) {
	var content []byte
	var want []position
	var batches Batches
	pad := strings.Repeat("x", 5000)
	for i := 0; len(content) < 25<<20; i++ {
		if i%7 == 0 {
			content = append(content, " \n"...)
			batches.Line(int64(len(content)))
		}
		row := fmt.Sprintf(`{"a":%d,"pad":"%s"}`, i, pad[:1000+i*37%4000])
		content = append(content, row+"\n"...)
		want = append(want, position{row, row + "\n", batches.Line(int64(len(content)))})
	}
	if last := want[len(want)-1].Batch; last != 2 {
		t.Fatalf("25 MiB are three batches, the last has number %d", last)
	}
	for _, name := range []string{"a.jsonl", "a.json"} {
		got := positions(t, name, content, func(r io.Reader) io.Reader { return r })
		if len(got) != len(want) {
			t.Fatalf("%s: %d rows, want %d", name, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: row %d is in batch %d with %.40q, want batch %d with %.40q", name, i, got[i].Batch, got[i].Held, want[i].Batch, want[i].Held)
			}
		}
	}
}
