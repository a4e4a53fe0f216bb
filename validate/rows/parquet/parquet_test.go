package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
)

// write makes a file of rows, with options for the writer.
func write[T any](t testing.TB, rows []T, options ...pq.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := pq.NewGenericWriter[T](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read reads all rows in blocks of about so many bytes.
func read(content []byte, blockSize int64) (rows []string, err error) {
	f, err := Open(context.Background(), bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	for _, block := range f.Blocks(blockSize) {
		next := int64(len(rows))
		if block.First != next {
			return rows, fmt.Errorf("a block begins with row %d, want %d", block.First, next)
		}
		_, err := f.Read(context.Background(), block, func(index int64, text []byte) error {
			if index != int64(len(rows)) {
				return fmt.Errorf("row %d, want %d", index, len(rows))
			}
			rows = append(rows, string(text))
			return nil
		})
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

type part struct {
	Text string   `parquet:"text"`
	Tags []string `parquet:"tags,list"`
}

type nested struct {
	ID    int64             `parquet:"id"`
	Name  *string           `parquet:"name,optional"`
	Tags  []string          `parquet:"tags,list"`
	Parts []part            `parquet:"parts,list"`
	Inner *part             `parquet:"inner,optional"`
	Grid  [][]int32         `parquet:"grid,list"`
	Map   map[string]string `parquet:"map"`
	Bare  []float64         `parquet:"bare"`
}

func TestNestedValues(t *testing.T) {
	name := "Ada \"x\"\n"
	rows := []nested{
		{ID: 1, Name: &name, Tags: []string{"a", ""}, Parts: []part{{"p", nil}, {"q", []string{"r"}}}, Inner: &part{"in", []string{"z"}}, Bare: []float64{0.5}},
		{ID: 2},
		{ID: -3, Tags: []string{}, Parts: []part{{}}, Map: map[string]string{"k": "v"}},
	}
	got, err := read(write(t, rows), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"id":1,"name":"Ada \"x\"\n","tags":["a",""],"parts":[{"text":"p","tags":[]},{"text":"q","tags":["r"]}],"inner":{"text":"in","tags":["z"]},"grid":[],"map":[],"bare":[0.5]}`,
		`{"id":2,"name":null,"tags":[],"parts":[],"inner":null,"grid":[],"map":[],"bare":[]}`,
		`{"id":-3,"name":null,"tags":[],"parts":[{"text":"","tags":[]}],"inner":null,"grid":[],"map":[{"key":"k","value":"v"}],"bare":[]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// scalars has a column of every type that a value can be stored as.
type scalars struct {
	Bool    bool             `parquet:"bool"`
	Int8    int8             `parquet:"int8"`
	Uint64  uint64           `parquet:"uint64"`
	Int64   int64            `parquet:"int64"`
	Float32 float32          `parquet:"float32"`
	Float64 float64          `parquet:"float64"`
	Text    string           `parquet:"text"`
	Bytes   []byte           `parquet:"bytes"`
	Fixed   [3]byte          `parquet:"fixed"`
	UUID    [16]byte         `parquet:"uuid,uuid"`
	Enum    string           `parquet:"enum,enum"`
	JSON    string           `parquet:"json,json"`
	Date    int32            `parquet:"date,date"`
	Time    int64            `parquet:"time,time(microsecond)"`
	Millis  int64            `parquet:"millis,timestamp(millisecond)"`
	Nanos   int64            `parquet:"nanos,timestamp(nanosecond:local)"`
	Dec     int32            `parquet:"dec,decimal(2:9)"`
	Old     deprecated.Int96 `parquet:"old"`
}

func TestScalars(t *testing.T) {
	rows := []scalars{
		{true, -128, math.MaxUint64, math.MinInt64, 0.1, 1e300, "é", []byte{0, 255}, [3]byte{1, 2, 3}, [16]byte{0x12, 15: 0x34}, "RED", `{"a": 1}`,
			19_782, 3_661_000_001, 1_709_251_200_500, -1, -5, deprecated.Int96{1_000_000_000, 0, 2_440_589}},
		{Float64: 2, Float32: float32(math.NaN()), Nanos: 1_000_000_000, Dec: 1234},
		{Float64: math.Inf(-1), Float32: 16_777_216, Dec: 100},
	}
	got, err := read(write(t, rows), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"bool":true,"int8":-128,"uint64":18446744073709551615,"int64":-9223372036854775808,"float32":0.1,"float64":1e+300,"text":"é","bytes":"AP8=",` +
			`"fixed":"AQID","uuid":"12000000-0000-0000-0000-000000000034","enum":"RED","json":"{\"a\": 1}","date":"2024-02-29","time":"01:01:01.000001",` +
			`"millis":"2024-03-01T00:00:00.500Z","nanos":"1969-12-31T23:59:59.999999999","dec":-0.05,"old":"1970-01-02T00:00:01"}`,
		`{"bool":false,"int8":0,"uint64":0,"int64":0,"float32":null,"float64":2.0,"text":"","bytes":"","fixed":"AAAA",` +
			`"uuid":"00000000-0000-0000-0000-000000000000","enum":"","json":"","date":"1970-01-01","time":"00:00:00",` +
			`"millis":"1970-01-01T00:00:00Z","nanos":"1970-01-01T00:00:01","dec":12.34,"old":"-4713-11-24T00:00:00"}`,
		`{"bool":false,"int8":0,"uint64":0,"int64":0,"float32":16777216.0,"float64":null,"text":"","bytes":"","fixed":"AAAA",` +
			`"uuid":"00000000-0000-0000-0000-000000000000","enum":"","json":"","date":"1970-01-01","time":"00:00:00",` +
			`"millis":"1970-01-01T00:00:00Z","nanos":"1970-01-01T00:00:00","dec":1.00,"old":"-4713-11-24T00:00:00"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// mixed is a row with flat and nested columns, flat one without lists.
type mixed struct {
	flat
	Tags []string `parquet:"tags,list"`
}

type flat struct {
	ID    int64   `parquet:"id"`
	Word  *string `parquet:"word,optional,dict"`
	Text  string  `parquet:"text"`
	Delta int64   `parquet:"delta,delta"`
	Long  string  `parquet:"long,delta"`
	Split float64 `parquet:"split,split"`
	Flag  bool    `parquet:"flag"`
}

func flatRows(n int) (rows []flat, want []string) {
	for i := range n {
		r := flat{ID: int64(i), Text: fmt.Sprintf("row %d", i), Delta: int64(i * i), Long: strings.Repeat("x", i%50), Split: float64(i) / 4, Flag: i%3 == 0}
		word := "null"
		if i%5 > 0 {
			s := fmt.Sprintf("w%d", i%7)
			r.Word, word = &s, `"`+s+`"`
		}
		split := fmt.Sprint(r.Split)
		if !strings.Contains(split, ".") {
			split += ".0"
		}
		rows = append(rows, r)
		want = append(want, fmt.Sprintf(`{"id":%d,"word":%s,"text":"row %d","delta":%d,"long":"%s","split":%s,"flag":%v}`, i, word, i, i*i, r.Long, split, r.Flag))
	}
	return rows, want
}

// Every codec and both versions of pages give the same rows, however the file is divided.
func TestCodecsAndPages(t *testing.T) {
	rows, want := flatRows(700)
	for _, codec := range []compress.Codec{&pq.Uncompressed, &pq.Snappy, &pq.Gzip, &pq.Zstd, &pq.Brotli, &pq.Lz4Raw} {
		for version := 1; version <= 2; version++ {
			content := write(t, rows, pq.Compression(codec), pq.DataPageVersion(version), pq.PageBufferSize(256), pq.MaxRowsPerRowGroup(400))
			for _, size := range []int64{0, 1000, 7_000} {
				got, err := read(content, size)
				if err != nil {
					t.Fatalf("%v, pages of version %d, blocks of %d bytes: %v", codec, version, size, err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%v, pages of version %d, blocks of %d bytes: rows (-want +got):\n%.2000s", codec, version, size, diff)
				}
			}
		}
	}
}

func TestListsAcrossPages(t *testing.T) {
	flats, _ := flatRows(2000)
	var rows []mixed
	for i, f := range flats {
		m := mixed{flat: f}
		for j := range i % 9 {
			m.Tags = append(m.Tags, fmt.Sprint(j))
		}
		rows = append(rows, m)
	}
	got, err := read(write(t, rows, pq.PageBufferSize(300)), 100)
	if err != nil || len(got) != len(rows) {
		t.Fatalf("%d rows and error %v, want %d rows", len(got), err, len(rows))
	}
	for i, row := range got {
		if n := strings.Count(row[strings.Index(row, `"tags"`):], ","); n != max(i%9-1, 0) {
			t.Fatalf("row %d is %s, want %d tags", i, row, i%9)
		}
	}
}

func TestBlocksAreEvenAndWhole(t *testing.T) {
	rows, _ := flatRows(5000)
	content := write(t, rows, pq.MaxRowsPerRowGroup(2000))
	f, err := Open(context.Background(), bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	blocks := f.Blocks(10_000)
	if len(blocks) < 6 {
		t.Errorf("%d blocks of a file of three row groups, want several of each", len(blocks))
	}
	var next int64
	for _, b := range blocks {
		if b.First != next || b.From >= b.To {
			t.Errorf("block %+v, want one that begins with row %d", b, next)
		}
		next += b.To - b.From
	}
	if next != 5000 || f.Rows() != 5000 {
		t.Errorf("blocks of %d rows, %d in the file, want 5000", next, f.Rows())
	}
}

func TestCountsWhatIsNoNumber(t *testing.T) {
	type row struct {
		X float64 `parquet:"x"`
	}
	content := write(t, []row{{1}, {math.NaN()}, {2}, {math.Inf(1)}})
	f, err := Open(context.Background(), bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	count, err := f.Read(context.Background(), f.Blocks(0)[0], func(int64, []byte) error { return nil })
	if want := (Count{NaNs: 2, FirstNaN: 1}); err != nil || count != want {
		t.Errorf("count %+v and error %v, want %+v", count, err, want)
	}
}

// Every kind of damage is told with its place.
func TestDamage(t *testing.T) {
	rows, _ := flatRows(400)
	good := write(t, rows, pq.PageBufferSize(400), pq.Compression(&pq.Snappy), pq.MaxRowsPerRowGroup(200))
	footer := int(binary.LittleEndian.Uint32(good[len(good)-8:]))
	change := func(at int, b ...byte) []byte {
		out := bytes.Clone(good)
		if at < 0 {
			at += len(out)
		}
		copy(out[at:], b)
		return out
	}
	tests := []struct {
		name    string
		content []byte
		rows    int
		want    string
	}{
		{"whole", good, 400, ""},
		{"empty", nil, 0, "the file has 0 bytes: it is no Parquet file"},
		{"text", []byte("{\"a\": 1}\n{\"a\": 2}\n"), 0, "it neither begins nor ends with PAR1"},
		{"cut short", good[:len(good)-3], 0, "does not end with PAR1"},
		{"head", change(0, 'X'), 0, "does not begin with PAR1"},
		{"encrypted", change(-1, 'E'), 0, "encrypted"},
		{"footer of a wrong length", change(-8, 255, 255, 255, 127), 0, "the footer is said to have 2147483647 bytes"},
		{"footer of no length", change(-8, 0, 0, 0, 0), 0, "the footer is said to have 0 bytes"},
		{"footer", change(-8-footer, 0xFF, 0xFF, 0xFF), 0, "the footer cannot be read"},
		{"first page", change(6, 0xFF, 0xFF, 0xFF), 0, `column "id":`},
		{"a page in the middle", append(bytes.Clone(good[:len(good)*2/3]), append(bytes.Repeat([]byte{0xEE}, 300), good[len(good)*2/3+300:]...)...), 200, "column"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(tt.content, 0)
			var fault *Error
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case tt.want != "" && (!errors.As(err, &fault) || !strings.Contains(err.Error(), tt.want) || fault.Advice == ""):
				t.Errorf("error %v, want one about %q with advice", err, tt.want)
			}
			if len(got) < tt.rows {
				t.Errorf("%d rows before the damage, want %d", len(got), tt.rows)
			}
		})
	}
}

func TestTwoColumnsOfOneName(t *testing.T) {
	type row struct {
		First  int64 `parquet:"aa"`
		Second int64 `parquet:"bb"`
	}
	content := bytes.ReplaceAll(write(t, []row{{1, 2}}), []byte("bb"), []byte("aa"))
	if _, err := read(content, 0); err == nil || !strings.Contains(err.Error(), `two columns are named "aa"`) {
		t.Errorf("error %v, want one about the name", err)
	}
}

// The file's and the context's own errors come as they are.
func TestErrorsOfTheFile(t *testing.T) {
	rows, _ := flatRows(10)
	content := write(t, rows)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Open(stopped, bytes.NewReader(content), int64(len(content))); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	f, err := Open(context.Background(), bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(int64, []byte) error { return nil }
	if _, err := f.Read(stopped, f.Blocks(0)[0], nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	mine := errors.New("mine")
	if _, err := f.Read(context.Background(), f.Blocks(0)[0], func(int64, []byte) error { return mine }); err != mine {
		t.Errorf("error %v, want that of show", err)
	}
}
