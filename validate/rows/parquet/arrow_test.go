package parquet

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
)

// arrowMessage is a schema as the Go library of the Apache Arrow project (arrow-go 18) writes it, with a field of every type
// that a stored schema can tell more of than the format.
func arrowMessage(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/arrow-schema.base64")
	if err != nil {
		t.Fatal(err)
	}
	message, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return message
}

func (f arrowField) String() string {
	text := f.name + ": " + f.kind
	if f.kind == "fixed_size_list" {
		text += "[" + string(rune('0'+f.length)) + "]"
	}
	if f.extension != "" {
		text += " as " + f.extension
	}
	var children []string
	for _, child := range f.children {
		children = append(children, child.String())
	}
	if children != nil {
		text += " <" + strings.Join(children, ", ") + ">"
	}
	return text
}

func TestArrowSchemaOfAnotherWriter(t *testing.T) {
	want := []string{
		"large_string: large_string", "large_binary: large_binary",
		"zoned: timestamp[ms, tz=Europe/Berlin]", "utc: timestamp[us, tz=UTC]", "local: timestamp[ns]",
		"took: duration[ms]", "took_s: duration[s]", "took_ns: duration[ns]",
		"triple: fixed_size_list[3] <item: >",
		"large_list: large_list <item: large_string>",
		"list: list <item: struct <a: large_string, b: fixed_size_list[2] <item: >>>",
		"map: map <entries: struct <key: string, value: large_string>>",
		"dictionary: dictionary",
		"price: decimal128(9, 2)", "wide: decimal256(20, 4)",
		"uuid:  as arrow.uuid", "json: string as arrow.json",
		"int8: ", "uint16: ", "float16: ", "date: ", "time: ", "four: ", "nothing: ",
		"own: large_string as acme.rune",
		"string_view: string_view", "binary_view: binary_view",
	}
	var got []string
	for _, f := range parseArrowSchema(arrowMessage(t)) {
		got = append(got, f.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// Cut anywhere, and with any four bytes replaced by an offset that leads back or far away, a schema is read as something or not
// at all.
func TestDamagedArrowSchemas(t *testing.T) {
	message := arrowMessage(t)
	for n := range message {
		parseArrowSchema(message[:n])
	}
	for at := 0; at+4 <= len(message); at += 4 {
		for _, offset := range []uint32{0, 4, 0xFFFFFFFC, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, uint32(len(message))} {
			damaged := bytes.Clone(message)
			binary.LittleEndian.PutUint32(damaged[at:], offset)
			parseArrowSchema(damaged)
		}
	}
}

// flatWriter writes tables of a flat buffer from its end to its beginning, so that offsets lead forward.
type flatWriter struct{ text []byte }

// put writes bytes before all others and returns where they stand, counted from the end.
func (b *flatWriter) put(text []byte) int {
	b.text = append(bytes.Clone(text), b.text...)
	return len(b.text)
}

// offsets writes a vector of offsets to the same place.
func (b *flatWriter) offsets(count, to int) int {
	vector := make([]byte, 4+4*count)
	binary.LittleEndian.PutUint32(vector, uint32(count))
	for i := range count {
		binary.LittleEndian.PutUint32(vector[4+4*i:], uint32(len(b.text)+4*count-4*i-to))
	}
	return b.put(vector)
}

// table writes a table of offsets and, in front of it, its vtable; slots name the fields of the table in order, 0 for none.
func (b *flatWriter) table(slots ...int) int {
	vtable := binary.LittleEndian.AppendUint16(nil, uint16(4+2*len(slots)))
	vtable = binary.LittleEndian.AppendUint16(vtable, uint16(4+4*len(slots)))
	body := binary.LittleEndian.AppendUint32(nil, uint32(4+2*len(slots)))
	for i, to := range slots {
		from := len(b.text) + 4*(len(slots)-i)
		offset := uint16(4 + 4*i)
		if to == 0 {
			offset = 0
		}
		vtable = binary.LittleEndian.AppendUint16(vtable, offset)
		body = binary.LittleEndian.AppendUint32(body, uint32(from-to))
	}
	at := b.put(body)
	b.put(vtable)
	return at
}

// message writes the message around a schema with so many fields that are all the same one.
func (b *flatWriter) message(fields, field int) []byte {
	schema := b.table(0, b.offsets(fields, field))
	const isSchema = 1
	body := []byte{10, 0, 0, 0, isSchema, 0, 0, 0}
	body = binary.LittleEndian.AppendUint32(body, uint32(len(b.text)+4-schema))
	b.put(body)
	b.put([]byte{10, 0, 12, 0, 0, 0, 4, 0, 8, 0}) // its vtable: no version, the kind of the header, the header
	const vtable = 10
	start := []byte{0xFF, 0xFF, 0xFF, 0xFF}
	start = binary.LittleEndian.AppendUint32(start, uint32(len(b.text)+4))
	start = binary.LittleEndian.AppendUint32(start, 4+vtable)
	return append(start, b.text...)
}

// string writes a text.
func (b *flatWriter) string(text string) int {
	return b.put(append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...))
}

// The parts of a flat buffer may be shared: a short one can stand for a long schema, which is not read.
func TestArrowSchemasCannotAskForMuch(t *testing.T) {
	tests := []struct {
		name string
		make func(b *flatWriter) []byte
		want int
	}{
		{"a sound one", func(b *flatWriter) []byte { return b.message(2, b.table(b.string("a"))) }, 2},
		{"many fields with one long name", func(b *flatWriter) []byte {
			return b.message(50_000, b.table(b.string(strings.Repeat("a", 1<<20))))
		}, 0},
		{"many fields with one long list of metadata", func(b *flatWriter) []byte {
			kv := b.table(b.string("k"), b.string("v"))
			return b.message(50_000, b.table(b.string("a"), 0, 0, 0, 0, 0, b.offsets(50_000, kv)))
		}, 0},
		{"fields of fields of fields", func(b *flatWriter) []byte {
			field := b.table(b.string("a"))
			for range 30 {
				field = b.table(b.string("a"), 0, 0, 0, 0, b.offsets(10, field))
			}
			return b.message(10, field)
		}, 0},
		{"a field inside another, on and on", func(b *flatWriter) []byte {
			field := b.table(b.string("a"))
			for range 200 {
				field = b.table(b.string("a"), 0, 0, 0, 0, b.offsets(1, field))
			}
			return b.message(1, field)
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			message := tt.make(&flatWriter{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			fields := parseArrowSchema(message)
			runtime.ReadMemStats(&after)
			if len(fields) != tt.want {
				t.Errorf("%d fields, want %d", len(fields), tt.want)
			}
			if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 100 {
				t.Errorf("%d MiB, want at most 100", taken)
			}
		})
	}
}

// A stored schema refines the types of the format where the two agree, and is passed over where they do not.
func TestArrowSchemaRefinesTheFormat(t *testing.T) {
	type row struct {
		Large string `parquet:"large_string"`
		Took  int64  `parquet:"took"`
		Price string `parquet:"price"`
	}
	message := &flatWriter{}
	other := message.message(3, message.table(message.string("other")))
	tests := []struct {
		name   string
		stored string
		want   []string
	}{
		{"none", "", []string{"string", "int64", "string"}},
		{"other names", base64.StdEncoding.EncodeToString(other), []string{"string", "int64", "string"}},
		{"no base64", "!", []string{"string", "int64", "string"}},
		{"another number of fields", base64.StdEncoding.EncodeToString(arrowMessage(t)), []string{"string", "int64", "string"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := write(t, []row{{}}, pq.KeyValueMetadata("ARROW:schema", tt.stored))
			f, err := Open(t.Context(), bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, field := range f.schema.Fields {
				got = append(got, field.Type.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("types (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzArrowSchema holds that any bytes are read as a schema of bounded size, or as none.
func FuzzArrowSchema(f *testing.F) {
	f.Add(arrowMessage(f))
	b := &flatWriter{}
	f.Add(b.message(3, b.table(b.string("a"))))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, field := range parseArrowSchema(message) {
			if field.length < 0 {
				t.Errorf("field %q has %d elements", field.name, field.length)
			}
		}
	})
}
