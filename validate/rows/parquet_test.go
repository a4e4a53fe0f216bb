package rows

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

type parquetRow struct {
	ID   int64   `parquet:"id"`
	Text string  `parquet:"text"`
	X    float64 `parquet:"x"`
}

func parquetFile(t testing.TB, rows []parquetRow, options ...pq.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := pq.NewGenericWriter[parquetRow](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestParquetRows(t *testing.T) {
	content := parquetFile(t, []parquetRow{{1, "a", 0.5}, {2, "b\xffc", 1}, {3, "é", math.NaN()}})
	got := readContent(t, "x.parquet", content, Options{})
	wantRows := []string{`1: {"id":1,"text":"a","x":0.5}`, `3: {"id":3,"text":"é","x":null}`}
	if diff := cmp.Diff(wantRows, got.rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantFound := []string{
		"error parquet/text x.parquet:2 /text: a column of texts holds bytes that are not UTF-8",
		"note parquet/nan x.parquet:3: NaN or an infinity in a column of floats: it counts as null",
	}
	if diff := cmp.Diff(wantFound, got.found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	switch totals := got.totals; {
	case totals.Parquet == nil || len(totals.Parquet.Fields) != 3:
		t.Errorf("schema %+v, want three columns", totals.Parquet)
	case totals.SHA256 != hexSum(content) || totals.Bytes != int64(len(content)) || totals.Rows != 2 || !totals.Refused:
		t.Errorf("totals %+v, want the size and hash of the file, two rows, and one refused", totals)
	}
}

// A damaged file has the hash of all of its bytes, and the rows before the damage.
func TestParquetDamage(t *testing.T) {
	var rows []parquetRow
	for i := range 3000 {
		rows = append(rows, parquetRow{int64(i), fmt.Sprint("row ", i), 1})
	}
	content := parquetFile(t, rows, pq.MaxRowsPerRowGroup(1000), pq.PageBufferSize(800))
	half := len(content) / 2
	copy(content[half:half+200], bytes.Repeat([]byte{0xEE}, 200))
	got := readContent(t, "x.parquet", content, Options{})
	if n := len(got.rows); n < 1000 || n >= 2000 || len(got.found) != 1 || !got.totals.Refused || got.totals.SHA256 != hexSum(content) {
		t.Errorf("%d rows, totals %+v, findings %q, want the rows of the first row group, some of the second, and one finding", n, got.totals, got.found)
	}
	want := fmt.Sprintf("error parquet/unreadable x.parquet:%d: ", len(got.rows)+1)
	if !slices.ContainsFunc(got.found, func(f string) bool { return len(f) > len(want) && f[:len(want)] == want }) {
		t.Errorf("findings %q, want one that begins with %q", got.found, want)
	}
}

func TestParquetWithoutFooter(t *testing.T) {
	got := readContent(t, "x.parquet", []byte("PAR1 and no more"), Options{})
	want := []string{"error parquet/unreadable x.parquet: the file does not end with PAR1: it is cut short, or was never closed by its writer"}
	if diff := cmp.Diff(want, got.found); diff != "" || !got.totals.Unread || got.totals.Parquet != nil {
		t.Errorf("totals %+v, findings (-want +got):\n%s", got.totals, diff)
	}
}

// Divided into blocks of any size, a file gives the same.
func TestParquetBlocks(t *testing.T) {
	var rows []parquetRow
	for i := range 5000 {
		r := parquetRow{int64(i), fmt.Sprint("row ", i), float64(i)}
		if i%700 == 0 {
			r.Text, r.X = "\xff", math.NaN()
		}
		rows = append(rows, r)
	}
	content := parquetFile(t, rows, pq.MaxRowsPerRowGroup(2000), pq.PageBufferSize(1000))
	checkCuts(t, "x.parquet", content, Options{MaxPlaces: 3})
	half := len(content) / 2
	copy(content[half:half+200], bytes.Repeat([]byte{0xEE}, 200))
	checkCuts(t, "x.parquet", content, Options{MaxPlaces: 3})
}

func TestParquetIsNotShared(t *testing.T) {
	for name, want := range map[string]bool{"x.parquet": false, "x.jsonl": true, "x.csv": true, "x.jsonl.gz": false, "x.arrow": false} {
		if format, _ := FormatOf(name); format.Shareable() != want {
			t.Errorf("%s: shareable %v, want %v", name, !want, want)
		}
	}
	if format, _ := FormatOf("x.parquet.gz"); format.Readable() {
		t.Error("x.parquet.gz is read, want it not to be: Parquet is packed inside")
	}
}

// What is known of a Parquet file survives being written by one process and merged by another.
func TestParquetPart(t *testing.T) {
	content := parquetFile(t, []parquetRow{{1, "a", math.NaN()}})
	f, err := Open(t.Context(), Source{"x.parquet", open(content)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		b, err := f.Next()
		if err != nil {
			break
		}
		b.Hash(&sha256pair.Batch{})
		if err := b.Read(new(tape.Tape), func(*Row) error { return nil }, nil); err != nil {
			t.Fatal(err)
		}
		f.Add(b)
	}
	data, err := f.Part().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := NewPart(0)
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	want, wantFound := f.Part().Finish()
	got, gotFound := again.Finish()
	if diff := cmp.Diff(want, got) + cmp.Diff(wantFound.All(), gotFound.All()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(gotFound.All()) != 1 || gotFound.All()[0].Code != finding.ParquetNaN {
		t.Errorf("findings %+v, want the one about NaN", gotFound.All())
	}
}
