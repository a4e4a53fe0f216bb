package parquet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// FuzzFile changes bytes of sound files: whatever comes out, it is rows of JSON or one clear error, and no panic.
func FuzzFile(f *testing.F) {
	rows, _ := flatRows(40)
	name := "n"
	deep := []nested{{ID: 1, Name: &name, Tags: []string{"a"}, Parts: []part{{"p", []string{"q"}}}}, {ID: 2}}
	for version := 1; version <= 2; version++ {
		f.Add(write(f, rows, pq.DataPageVersion(version), pq.Compression(&pq.Snappy)), uint32(100), byte(7), uint32(9), byte(1))
		f.Add(write(f, deep, pq.DataPageVersion(version), pq.Compression(&pq.Zstd)), uint32(40), byte(255), uint32(3), byte(0))
	}
	f.Add(write(f, []scalars{{}}), uint32(4), byte(0), uint32(0), byte(0))
	f.Add([]byte("PAR1PAR1"), uint32(0), byte(0), uint32(0), byte(0))
	f.Fuzz(func(t *testing.T, content []byte, at uint32, to byte, at2 uint32, to2 byte) {
		if n := uint32(len(content)); n > 0 {
			content = bytes.Clone(content)
			content[at%n] ^= to
			content[n-1-at2%n] ^= to2
		}
		rows, err := read(content, 0)
		var fault *Error
		if err != nil && (!errors.As(err, &fault) || fault.Reason == "" || fault.Advice == "") {
			t.Errorf("error %v (%T), want one that says what to do", err, err)
		}
		for _, row := range rows {
			if !json.Valid([]byte(row)) && !strings.Contains(strings.ToValidUTF8(row, "�"), "�") {
				t.Errorf("row %q is no JSON", row)
			}
		}
	})
}

// withFooter makes a file of a page and a footer.
func withFooter(t *testing.T, body []byte, meta *format.FileMetaData) []byte {
	t.Helper()
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, meta)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat([]byte(magic), body, footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte(magic))
}

func oneColumn(physical format.Type, codec format.CompressionCodec, rows, size int64) *format.FileMetaData {
	schema := []format.SchemaElement{
		{Name: "schema", NumChildren: thrift.New(int32(1))},
		{Name: "a", Type: thrift.New(physical), RepetitionType: thrift.New(format.Optional)},
	}
	column := format.ColumnMetaData{
		Type: physical, PathInSchema: []string{"a"}, Codec: codec, NumValues: rows,
		TotalCompressedSize: size, TotalUncompressedSize: size, DataPageOffset: int64(len(magic)),
	}
	group := format.RowGroup{NumRows: rows, TotalByteSize: size, Columns: []format.ColumnChunk{{MetaData: column}}}
	return &format.FileMetaData{Version: 2, Schema: schema, NumRows: rows, RowGroups: []format.RowGroup{group}}
}

func pageOf(t *testing.T, header format.PageHeader, data []byte) []byte {
	t.Helper()
	head, err := thrift.Marshal(&thrift.CompactProtocol{}, &header)
	if err != nil {
		t.Fatal(err)
	}
	return append(head, data...)
}

// A few bytes that ask for gigabytes get an error, and not the memory.
func TestSmallFilesCannotAskForMuchMemory(t *testing.T) {
	dataPage := func(unpacked, values int, encoding format.Encoding, data []byte) []byte {
		return pageOf(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: int32(unpacked), CompressedPageSize: int32(len(data)),
			DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(values), Encoding: encoding, RepetitionLevelEncoding: format.RLE, DefinitionLevelEncoding: format.RLE}),
		}, data)
	}
	w, _ := zstd.NewWriter(nil)
	bomb := w.EncodeAll(make([]byte, 64<<20), nil)
	allThere := []byte{2, 0, 0, 0, 20, 1} // ten values, none null
	prefixes := bytes.Clone(allThere)
	prefixes = append(prefixes, 128, 1, 4, 10, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0)
	files := map[string][]byte{}
	add := func(name string, codec format.CompressionCodec, rows int64, page []byte) {
		files[name] = withFooter(t, page, oneColumn(format.ByteArray, codec, rows, int64(len(page))))
	}
	add("a page that unpacks to more than it says", format.Zstd, 10, dataPage(100, 10, format.Plain, bomb))
	add("a page said to have 2 GiB", format.Snappy, 10, dataPage(1<<31-1, 10, format.Plain, []byte{1}))
	add("a snappy page said to have 4 GiB", format.Snappy, 10, dataPage(100, 10, format.Plain, []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0}))
	add("a run of 2^31 levels", format.Uncompressed, 10, dataPage(10, 10, format.Plain, []byte{6, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 1}))
	add("a run of 2^31 references", format.Uncompressed, 10, dataPage(13, 10, format.RLEDictionary, append(bytes.Clone(allThere), 1, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 1)))
	add("2^31 deltas", format.Uncompressed, 10, dataPage(17, 10, format.DeltaBinaryPacked, append(bytes.Clone(allThere), 128, 1, 4, 0xFF, 0xFF, 0xFF, 0xFF, 7, 0, 0, 0)))
	add("prefixes of gigabytes", format.Uncompressed, 10, dataPage(len(prefixes), 10, format.DeltaByteArray, prefixes))
	add("2^31 values in a page", format.Uncompressed, 1<<40, dataPage(6, 1<<31-1, format.Plain, []byte{2, 0, 0, 0, 20, 1}))

	list := []byte{0x15, 4, 0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07} // a schema of 2^31 elements
	files["a footer with 2^31 columns"] = slices.Concat([]byte(magic), list, binary.LittleEndian.AppendUint32(nil, uint32(len(list))), []byte(magic))
	many := slices.Concat([]byte{0x15, 4, 0x19, 0xFC, 0x80, 0x89, 0x7A}, make([]byte, 2_000_000), []byte{0})
	files["a footer with two million empty columns"] = slices.Concat([]byte(magic), many, binary.LittleEndian.AppendUint32(nil, uint32(len(many))), []byte(magic))

	for name, content := range files {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := read(content, 0)
			runtime.ReadMemStats(&after)
			var fault *Error
			if !errors.As(err, &fault) {
				t.Errorf("error %v, want one about the file", err)
			}
			const allowed = 600 << 20
			if taken := after.TotalAlloc - before.TotalAlloc; taken > allowed {
				t.Errorf("%d bytes of memory, want at most %d (error %v)", taken, allowed, err)
			}
			t.Logf("%v: %d KiB", err, (after.TotalAlloc-before.TotalAlloc)>>10)
		})
	}
}
