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

// What the header of a page, its levels and its values say of one another is held together before parquet-go decodes it, which prints
// a warning for some of it and takes the rest for zeros. What stands behind the values is passed over, as Arrow does.
func TestPagesThatContradictThemselves(t *testing.T) {
	page := func(values int, encoding format.Encoding, data ...[]byte) []byte {
		text := slices.Concat(data...)
		return pageOf(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: int32(len(text)), CompressedPageSize: int32(len(text)),
			DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(values), Encoding: encoding, RepetitionLevelEncoding: format.RLE, DefinitionLevelEncoding: format.RLE}),
		}, text)
	}
	dictionary := func(values int, encoding format.Encoding, text []byte) []byte {
		return pageOf(t, format.PageHeader{
			Type: format.DictionaryPage, UncompressedPageSize: int32(len(text)), CompressedPageSize: int32(len(text)),
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(values), Encoding: encoding}),
		}, text)
	}
	levels := func(runs ...byte) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(runs))), runs...)
	}
	texts := func(values ...string) (out []byte) {
		for _, v := range values {
			out = append(binary.LittleEndian.AppendUint32(out, uint32(len(v))), v...)
		}
		return out
	}
	ints := func(values ...uint32) (out []byte) {
		for _, v := range values {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
		return out
	}
	refs := []byte{1, 4, 0, 2, 1} // indices 0 0 1
	for _, tt := range []struct {
		name     string
		physical format.Type
		body     []byte
		// want is part of the error, "" for three rows.
		want string
	}{
		{"texts", format.ByteArray, page(3, format.Plain, levels(6, 1), texts("a", "b", "c")), ""},
		{"texts and null", format.ByteArray, page(3, format.Plain, levels(3, 0b101), texts("a", "c")), ""},
		{"all null", format.ByteArray, page(3, format.Plain, levels(6, 0)), ""},
		{"more texts than levels", format.ByteArray, page(3, format.Plain, levels(6, 1), texts("a", "b", "c", "d")), ""},
		{"bytes behind the texts", format.ByteArray, page(3, format.Plain, levels(6, 1), texts("a", "b", "c"), []byte{0}), ""},
		{"fewer texts than levels", format.ByteArray, page(3, format.Plain, levels(6, 1), texts("a", "b")), "2 values of 3"},
		{"a text that is cut", format.ByteArray, page(3, format.Plain, levels(6, 1), texts("a", "b", "cc")[:15]), "value 3 of 3 is said to have 2 bytes"},
		{"a level that is too high in a run", format.ByteArray, page(3, format.Plain, levels(6, 2), texts("a", "b", "c")), "a level of 2 where 1 is the highest"},
		{"fewer levels than values", format.ByteArray, page(3, format.Plain, levels(4, 1), texts("a", "b", "c")), "the bytes end too early"},
		{"a dictionary", format.Int32, append(dictionary(2, format.Plain, ints(7, 8)), page(3, format.RLEDictionary, levels(6, 1), refs)...), ""},
		{"a dictionary with bytes behind", format.Int32, append(dictionary(2, format.Plain, ints(7, 8, 9)), page(3, format.RLEDictionary, levels(6, 1), refs)...), ""},
		{"a dictionary that is cut", format.Int32, append(dictionary(2, format.Plain, ints(7)), page(3, format.RLEDictionary, levels(6, 1), refs)...), "2 values in 4 bytes"},
		{"a dictionary of texts that is cut", format.ByteArray, append(dictionary(2, format.Plain, texts("a")), page(3, format.RLEDictionary, levels(6, 1), refs)...), "1 values of 2"},
		{"a dictionary of an odd encoding", format.Int32, append(dictionary(2, format.DeltaBinaryPacked, ints(7, 8)), page(3, format.RLEDictionary, levels(6, 1), refs)...), "its dictionary cannot be read: it is encoded as"},
		{"a dictionary of booleans", format.Boolean, append(dictionary(2, format.Plain, ints(7, 8)), page(3, format.RLEDictionary, levels(6, 1), refs)...), "its dictionary cannot be read: values of type BOOLEAN"},
		{"two dictionaries", format.Int32, slices.Concat(dictionary(2, format.Plain, ints(7, 8)), dictionary(2, format.Plain, ints(7, 8)), page(3, format.RLEDictionary, levels(6, 1), refs)), "a second dictionary"},
		{"a type that is none", format.Type(99), page(3, format.Plain, levels(6, 1), ints(1, 2, 3)), "the unknown type 99"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := read(withFooter(t, tt.body, oneColumn(tt.physical, format.Uncompressed, 3, int64(len(tt.body)))), 0)
			var fault *Error
			switch {
			case tt.want == "" && (err != nil || len(rows) != 3):
				t.Errorf("%d rows, error %v; want 3 rows", len(rows), err)
			case tt.want != "" && (!errors.As(err, &fault) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("rows %q, error %v; want one about %q", rows, err, tt.want)
			}
		})
	}
}

// Levels of lists do not fill their bits: 3 where 2 is the highest is an error also in the middle of a packed run.
func TestLevelsInPackedRuns(t *testing.T) {
	for _, tt := range []struct {
		data            []byte
		highest, values int
		want            int
		bad             bool
	}{
		{[]byte{3, 0b10_01_00_10, 0}, 2, 4, 2, false},
		{[]byte{3, 0b10_11_00_10, 0}, 2, 4, 0, true},
		{[]byte{3, 0b10_01_00_10, 0b11}, 2, 4, 2, false}, // what pads the last run is nobody's
		{[]byte{6, 2, 3, 0b10, 0}, 2, 5, 4, false},
		{[]byte{6, 3}, 2, 3, 0, true},
		{[]byte{3, 0b10}, 2, 5, 0, true},
		{[]byte{0, 0, 2, 5}, 5, 1, 1, false},
		{[]byte{5, 0b01_101_101, 0b1_101_101_1, 0b101_101_10, 0b01_101_101, 0, 0}, 5, 9, 9, false}, // values of three bits across bytes
	} {
		n, err := atHighest(tt.data, tt.highest, tt.values)
		if (err != nil) != tt.bad || n != tt.want {
			t.Errorf("%v: %d of %d are at the highest level %d, error %v; want %d, an error: %v", tt.data, n, tt.values, tt.highest, err, tt.want, tt.bad)
		}
	}
}
