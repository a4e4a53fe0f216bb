package parquet

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// Schema is what a footer says of a file's columns: the types that Arrow gives them, and what datasets has kept beside them.
type Schema struct {
	Fields []Field `json:"fields"`
	// Huggingface is the value of the file's metadata of that name, in which datasets keeps the features; "" for none.
	Huggingface string `json:"huggingface,omitempty"`
	Stats       Stats  `json:"stats"`
}

// Field is a column, or a member of a struct.
type Field struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// Type is an Arrow type.
type Type struct {
	// Name is the type as pyarrow names it, in the spelling of a card where the two differ: int64, float64, string,
	// timestamp[us, tz=UTC], decimal128(9, 2), fixed_size_binary[4]; list, large_list, fixed_size_list, struct and map for what
	// has others in it. A dictionary is the type of its values.
	Name string `json:"name"`
	// Length is that of a fixed_size_list.
	Length int `json:"length,omitempty"`
	// Fields are the members of a struct, or the one element of a list, or the key and the value of a map.
	Fields []Field `json:"fields,omitempty"`
	// Extension is the name of an Arrow extension type, whose values are stored as this type.
	Extension string `json:"extension,omitempty"`
}

// String writes a type as messages name it: list<int64>, struct<a: string>.
func (t Type) String() string {
	switch {
	case t.Extension != "":
		return t.Extension
	case len(t.Fields) == 0:
		return t.Name
	}
	var parts []string
	for _, f := range t.Fields {
		if t.Name == "struct" {
			parts = append(parts, f.Name+": "+f.Type.String())
		} else {
			parts = append(parts, f.Type.String())
		}
	}
	inner := strings.Join(parts, ", ")
	if t.Length > 0 {
		inner += ", " + strconv.Itoa(t.Length)
	}
	return t.Name + "<" + inner + ">"
}

// Equal says that two types are the same, names of list elements aside.
func (t Type) Equal(u Type) bool {
	if t.Name != u.Name || t.Length != u.Length || t.Extension != u.Extension {
		return false
	}
	same := func(a, b Field) bool { return (t.Name != "struct" || a.Name == b.Name) && a.Type.Equal(b.Type) }
	return slices.EqualFunc(t.Fields, u.Fields, same)
}

// schemaOf reads the schema as pyarrow does: the types that the format gives, refined by the Arrow schema that Arrow's
// writers keep in the metadata.
func schemaOf(root *node, meta *format.FileMetaData) Schema {
	s := Schema{Stats: statsOf(meta)}
	var arrow string
	for _, kv := range meta.KeyValueMetadata {
		switch kv.Key {
		case "ARROW:schema":
			arrow = kv.Value
		case "huggingface":
			s.Huggingface = kv.Value
		}
	}
	var stored []arrowField
	if text, err := base64.StdEncoding.DecodeString(arrow); err == nil && arrow != "" {
		stored = parseArrowSchema(text)
	}
	for i, n := range root.members {
		f := Field{Name: n.name, Type: n.arrow()}
		if len(stored) == len(root.members) && stored[i].name == n.name {
			f.Type = f.Type.refined(stored[i])
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

// arrow is the type that Arrow gives a node without being told.
func (n *node) arrow() Type {
	switch n.shape {
	case isStruct:
		t := Type{Name: "struct"}
		for _, m := range n.members {
			t.Fields = append(t.Fields, Field{m.name, m.arrow()})
		}
		return t
	case isList:
		return Type{Name: "list", Fields: []Field{{"element", n.element.arrow()}}}
	case isMap:
		t := n.element.arrow()
		t.Name = "map"
		return t
	}
	return Type{Name: n.scalar()}
}

// scalar names the type of a leaf.
func (n *node) scalar() string {
	switch n.logical {
	case asText, asJSON:
		if n.physical == format.ByteArray {
			return "string"
		}
	case asDate:
		return "date32"
	case asTime:
		if n.unit == 1e3 {
			return "time32[ms]"
		}
		return "time64[" + n.unitName() + "]"
	case asTimestamp:
		if n.utc {
			return "timestamp[" + n.unitName() + ", tz=UTC]"
		}
		return "timestamp[" + n.unitName() + "]"
	case asDecimal:
		width := 128
		if n.precision > 38 {
			width = 256
		}
		return fmt.Sprintf("decimal%d(%d, %d)", width, n.precision, n.scale)
	case asInteger:
		if n.unsigned {
			return "uint" + strconv.Itoa(n.bits)
		}
		return "int" + strconv.Itoa(n.bits)
	case asFloat16:
		return "float16"
	case asNull:
		return "null"
	}
	switch n.physical {
	case format.Boolean:
		return "bool"
	case format.Int32:
		return "int32"
	case format.Int64:
		return "int64"
	case format.Int96:
		return "timestamp[ns]"
	case format.Float:
		return "float32"
	case format.Double:
		return "float64"
	case format.FixedLenByteArray:
		return fmt.Sprintf("fixed_size_binary[%d]", n.length)
	}
	return "binary"
}

func (n *node) unitName() string {
	switch n.unit {
	case 1e6:
		return "us"
	case 1e9:
		return "ns"
	}
	return "ms"
}

// refined takes over from the stored Arrow field what the format cannot say, where the two agree otherwise.
func (t Type) refined(stored arrowField) Type {
	t.Extension = stored.extension
	switch {
	case stored.kind == "dictionary":
		return t
	case t.Name == "list" && len(stored.children) == 1:
		if stored.kind == "list" || stored.kind == "large_list" || stored.kind == "fixed_size_list" {
			t.Name, t.Length = stored.kind, stored.length
		}
		t.Fields = []Field{{t.Fields[0].Name, t.Fields[0].Type.refined(stored.children[0])}}
	case t.Name == "struct" && stored.kind == "struct" && len(stored.children) == len(t.Fields):
		t.Fields = slices.Clone(t.Fields)
		for i, child := range stored.children {
			if child.name == t.Fields[i].Name {
				t.Fields[i].Type = t.Fields[i].Type.refined(child)
			}
		}
	case restores(t.Name, stored.kind):
		t.Name = stored.kind
	case strings.HasPrefix(t.Name, "timestamp[") && strings.HasPrefix(stored.kind, "timestamp["):
		t.Name = withZone(t.Name, stored.kind)
	}
	return t
}

// restores says that Arrow gives a type back that it stored as another one.
func restores(name, stored string) bool {
	switch stored {
	case "large_string", "string_view":
		return name == "string"
	case "large_binary", "binary_view", "string":
		return name == "binary"
	}
	switch {
	case strings.HasPrefix(stored, "duration["):
		return name == "int64"
	case strings.HasPrefix(stored, "decimal256("):
		return strings.HasPrefix(name, "decimal")
	}
	return false
}

// withZone gives a timestamp the zone that it was stored with; its unit is that of the file.
func withZone(name, stored string) string {
	unit, _, utc := strings.Cut(strings.TrimSuffix(name, "]"), ", ")
	_, zone, zoned := strings.Cut(strings.TrimSuffix(stored, "]"), ", ")
	if !utc || !zoned {
		return name
	}
	return unit + ", " + zone + "]"
}
