package parquet

import (
	"encoding/binary"
	"fmt"
)

// arrowField is a field of an Arrow schema.
type arrowField struct {
	name string
	// kind is the type, as [Type].Name spells it; "dictionary" for one that is dictionary-encoded.
	kind     string
	length   int
	children []arrowField
	// extension names the extension type that the metadata says the field is of; "" for none.
	extension string
}

const (
	// maxArrowTables bounds the tables that are read of one schema, maxArrowText the bytes of its texts: many fields may refer to
	// one long name, or to one long list of metadata.
	maxArrowTables = 100_000
	maxArrowText   = 16 << 20
)

// parseArrowSchema reads an encapsulated Arrow IPC message that holds a schema (Arrow's Message.fbs and Schema.fbs). It
// returns nil when it is anything else: then the format's own types stand.
func parseArrowSchema(text []byte) (fields []arrowField) {
	defer func() {
		if recover() != nil { // an offset led out of the text, or the text asks for too much
			fields = nil
		}
	}()
	if len(text) >= 8 && binary.LittleEndian.Uint32(text) == 0xFFFFFFFF {
		text = text[4:]
	}
	text = text[4:]
	message := table{&flatParser{text: text}, int(binary.LittleEndian.Uint32(text))}
	const schemaHeader = 1
	if message.byte(1) != schemaHeader {
		return nil
	}
	schema, ok := message.table(2)
	if !ok {
		return nil
	}
	return arrowFields(schema.tables(1), 0)
}

// flatParser counts what it reads, since parts of a flat buffer can be read again and again.
type flatParser struct {
	text []byte
	// listed is how many tables were listed, copied how many bytes of text were copied.
	listed, copied int
}

// table is a table of a flat buffer.
type table struct {
	*flatParser
	at int
}

// slot returns the position of a field of the table; ok is false when it has its default.
func (t table) slot(index int) (at int, ok bool) {
	vtable := t.at - int(int32(binary.LittleEndian.Uint32(t.text[t.at:])))
	size := int(binary.LittleEndian.Uint16(t.text[vtable:]))
	entry := 4 + 2*index
	if entry+2 > size {
		return 0, false
	}
	offset := int(binary.LittleEndian.Uint16(t.text[vtable+entry:]))
	return t.at + offset, offset != 0
}

func (t table) byte(index int) byte {
	if at, ok := t.slot(index); ok {
		return t.text[at]
	}
	return 0
}

func (t table) int16(index int) int {
	if at, ok := t.slot(index); ok {
		return int(int16(binary.LittleEndian.Uint16(t.text[at:])))
	}
	return 0
}

func (t table) int32(index int) int {
	if at, ok := t.slot(index); ok {
		return int(int32(binary.LittleEndian.Uint32(t.text[at:])))
	}
	return 0
}

// follow returns where the offset at a position leads.
func follow(text []byte, at int) int { return at + int(binary.LittleEndian.Uint32(text[at:])) }

func (t table) table(index int) (table, bool) {
	at, ok := t.slot(index)
	if !ok {
		return table{}, false
	}
	return table{t.flatParser, follow(t.text, at)}, true
}

func (t table) string(index int) string {
	at, ok := t.slot(index)
	if !ok {
		return ""
	}
	at = follow(t.text, at)
	size := int(binary.LittleEndian.Uint32(t.text[at:]))
	text := t.text[at+4 : at+4+size]
	if t.copied += size; t.copied > maxArrowText {
		panic("too much text")
	}
	return string(text)
}

func (t table) tables(index int) []table {
	at, ok := t.slot(index)
	if !ok {
		return nil
	}
	at = follow(t.text, at)
	count := int(binary.LittleEndian.Uint32(t.text[at:]))
	_ = t.text[at+4 : at+4+4*count]
	if t.listed += count; t.listed > maxArrowTables {
		panic("too many tables")
	}
	out := make([]table, count)
	for i := range out {
		out[i] = table{t.flatParser, follow(t.text, at+4+4*i)}
	}
	return out
}

// arrowFields reads the fields that tables hold.
func arrowFields(tables []table, depth int) []arrowField {
	if depth > maxDepth {
		panic("too deep")
	}
	var out []arrowField
	for _, t := range tables {
		f := arrowField{name: t.string(0)}
		f.kind, f.length = arrowKind(t)
		f.children = arrowFields(t.tables(5), depth+1)
		if _, encoded := t.slot(4); encoded {
			f.kind = "dictionary"
		}
		for _, kv := range t.tables(6) {
			if kv.string(0) == "ARROW:extension:name" {
				f.extension = kv.string(1)
			}
		}
		out = append(out, f)
	}
	return out
}

// arrowKind names the type of a field, as far as it may differ from what the format gives.
func arrowKind(field table) (kind string, length int) {
	t, ok := field.table(3)
	if !ok {
		return "", 0
	}
	units := [...]string{"s", "ms", "us", "ns"}
	switch field.byte(2) { // the members of the union Type, from 1
	case 4:
		return "binary", 0
	case 5:
		return "string", 0
	case 7:
		bits := t.int32(2)
		if bits == 0 {
			bits = 128
		}
		return fmt.Sprintf("decimal%d(%d, %d)", bits, t.int32(0), t.int32(1)), 0
	case 10:
		unit := units[t.int16(0)]
		if zone := t.string(1); zone != "" {
			return "timestamp[" + unit + ", tz=" + zone + "]", 0
		}
		return "timestamp[" + unit + "]", 0
	case 12:
		return "list", 0
	case 13:
		return "struct", 0
	case 16:
		if t.int32(0) < 0 {
			panic("a list of negative length")
		}
		return "fixed_size_list", t.int32(0)
	case 17:
		return "map", 0
	case 18:
		unit := 1 // milliseconds are the default
		if _, ok := t.slot(0); ok {
			unit = t.int16(0)
		}
		return "duration[" + units[unit] + "]", 0
	case 19:
		return "large_binary", 0
	case 20:
		return "large_string", 0
	case 21:
		return "large_list", 0
	case 23:
		return "binary_view", 0
	case 24:
		return "string_view", 0
	}
	return "", 0
}
