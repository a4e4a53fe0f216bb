package rows

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"testing"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWhole(t *testing.T) {
	packed := gzipped(t, "[1, 2]")
	tests := map[string]struct {
		path, content string
		// elements is the number of the array's elements, -1 where there is no row.
		elements, line int
		err            error
	}{
		"an array":                    {"a.json", "\n\n [1,\n2]\n", 2, 3, nil},
		"with a byte order mark":      {"a.json", "\ufeff[1]", 1, 1, nil},
		"packed":                      {"a.json.gz", packed, 2, 1, nil},
		"as long as it may be":        {"a.json", "[1,      3]", 2, 1, nil},
		"too long":                    {"a.json", "[1,       3]", -1, 0, ErrTooLong},
		"too long when unpacked":      {"a.json.gz", gzipped(t, "[1,       3]"), -1, 0, ErrTooLong},
		"no strict JSON":              {"a.json", "[NaN]", -1, 0, nil},
		"cut short by the compressor": {"a.json.gz", packed[:len(packed)-5], -1, 0, io.ErrUnexpectedEOF},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			source := Source{Path: test.path, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(test.content))), nil }}
			row, err := Whole(context.Background(), source, len("[1,      3]"))
			if !errors.Is(err, test.err) || (row == nil) != (test.elements < 0) {
				t.Fatalf("row %v, error %v, want %d elements, error %v", row, err, test.elements, test.err)
			}
			if row == nil {
				return
			}
			if root := row.Doc.Root(); root.Len() != test.elements || row.LineOf(root) != test.line {
				t.Errorf("%d elements from line %d, want %d from line %d", root.Len(), row.LineOf(root), test.elements, test.line)
			}
		})
	}
}
