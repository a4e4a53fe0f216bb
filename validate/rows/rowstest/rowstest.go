// Package rowstest shows rows to observers in tests.
package rowstest

import (
	"bytes"
	"io"
	"testing"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

// Together shows the rows of a file of JSON Lines to two observers: to run together, as far as they can be, to one each by itself. It
// returns how many were shown together.
func Together(t testing.TB, path string, content []byte, run rows.RunObserver, one rows.Observer) (together int) {
	t.Helper()
	show := func(row *rows.Row) error { run.Observe(row); return nil }
	showRun := func(r *rows.Run) error { run.ObserveRun(r); together += r.Rows; return nil }
	Read(t, path, content, 0, show, showRun)
	Read(t, path, content, 0, func(row *rows.Row) error { one.Observe(row); return nil }, nil)
	return together
}

// Read reads all blocks of a file, one behind the other; blockSize and the functions are those of [rows.Options] and [rows.Block.Read].
func Read(t testing.TB, path string, content []byte, blockSize int, show func(*rows.Row) error, together func(*rows.Run) error) {
	t.Helper()
	src := rows.Source{Path: path, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
	f, err := rows.Open(t.Context(), src, rows.Options{BlockSize: blockSize})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var doc tape.Tape
	for b, err := f.Next(); err != io.EOF; b, err = f.Next() {
		if err != nil {
			t.Fatal(err)
		}
		b.Hash(&sha256pair.Batch{})
		if err := b.Read(&doc, show, together); err != nil {
			t.Fatal(err)
		}
		f.Add(b)
	}
}
