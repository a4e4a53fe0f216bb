package croissant

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/column"
)

// field is a column, or a field inside one.
type field struct {
	Type        string      `json:"@type"`
	ID          string      `json:"@id"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	DataType    string      `json:"dataType,omitempty"`
	Repeated    bool        `json:"repeated,omitempty"`
	Source      *source     `json:"source,omitempty"`
	References  *references `json:"references,omitempty"`
	SubField    []field     `json:"subField,omitempty"`
}

// source says where a value comes from: the files, what of them, and what to do with it.
type source struct {
	FileSet   ref        `json:"fileSet"`
	Extract   extract    `json:"extract"`
	Transform *transform `json:"transform,omitempty"`
}

// extract has one of its properties.
type extract struct {
	Column       string `json:"column,omitempty"`
	JSONPath     string `json:"jsonPath,omitempty"`
	FileProperty string `json:"fileProperty,omitempty"`
}

// transform has one of its properties.
type transform struct {
	Regex    string `json:"regex,omitempty"`
	JSONPath string `json:"jsonPath,omitempty"`
}

type references struct {
	Field ref `json:"field"`
}

// fieldReader makes fields from features.
type fieldReader struct {
	ids   ids
	table *table
	// left are the fields that Croissant has no type or no word for, as column/field.
	left []string
}

// column makes the field of a column; ok is false where Croissant has no type or no word for it.
func (r *fieldReader) column(under string, feature column.Feature) (field, bool) {
	from := extract{Column: feature.Name}
	switch row := r.table.encoding.row; {
	case row != "":
		from = extract{JSONPath: joined(row, feature.Name)}
	case feature.Name == "":
		r.left = append(r.left, feature.Name)
		return field{}, false
	}
	return r.field(under, feature, place{from: from, shown: feature.Name, pointer: pointer("", feature.Name)})
}

// place is where a field is found in a row.
type place struct {
	from extract
	// path leads from the column's value to the field; "" for the value itself.
	path string
	// shown and pointer name the field for people and in the inventory of fields.
	shown, pointer string
}

func (r *fieldReader) field(under string, feature column.Feature, at place) (field, bool) {
	kind, depth := feature.Type, 0
	for ; kind.List != nil; depth++ {
		kind = *kind.List
		at.pointer += "/*"
	}
	out := field{Type: "cr:Field", Name: feature.Name, Repeated: depth > 0}
	if depth > 1 {
		out.Description = "A " + feature.Type.String() + "." // Croissant 1.0 knows lists, and no lists of lists
	}
	if kind.Struct != nil {
		return r.object(under, out, kind.Struct, depth, at)
	}
	out.DataType = r.dataType(kind, at.pointer)
	if out.DataType == "" {
		r.left = append(r.left, at.shown)
		return field{}, false
	}
	out.ID = r.ids.claim(under, feature.Name, false)
	out.Source = &source{FileSet: ref{r.table.fileSet}, Extract: at.from}
	if at.path != "" {
		out.Source.Transform = &transform{JSONPath: at.path}
	}
	return out, true
}

// object makes the field of a struct, or of lists of them. A path is applied to every element of a column that is a list,
// so the path begins inside of the first list; a list further down is passed by [*].
func (r *fieldReader) object(under string, out field, inside []column.Feature, depth int, at place) (field, bool) {
	if at.path == "" {
		at.path = strings.Repeat("[*]", max(depth-1, 0))
	} else {
		at.path += strings.Repeat("[*]", depth)
	}
	out.ID = r.ids.claim(under, out.Name, false)
	for _, feature := range inside {
		sub := place{
			from: at.from, path: joined(at.path, feature.Name), shown: at.shown + "/" + feature.Name, pointer: pointer(at.pointer, feature.Name),
		}
		if f, ok := r.field(out.ID, feature, sub); ok {
			out.SubField = append(out.SubField, f)
		}
	}
	if len(out.SubField) == 0 {
		delete(r.ids, out.ID)
		if len(inside) == 0 {
			r.left = append(r.left, at.shown)
		}
		return field{}, false
	}
	return out, true
}

// pointer leads one step further down.
func pointer(to, name string) string {
	return to + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// plainName is a name that stands in a JSONPath as it is. In words are operators of some readers.
var plainName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

var operators = []string{"where", "wherenot", "flatten", "parent"}

// joined leads a JSONPath one step further down.
func joined(path, name string) string {
	switch {
	case !plainName.MatchString(name) || slices.Contains(operators, name):
		return path + "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(name) + "']"
	case path == "":
		return name
	}
	return path + "." + name
}

// dataType is the type of a scalar, "" where Croissant has none. The names of a label may stand in the data in place of its
// ids.
func (r *fieldReader) dataType(t column.Type, pointer string) string {
	if t.ClassLabel != nil {
		for _, seen := range r.table.kinds[pointer] {
			if seen.Kind == "string" {
				return "sc:Text"
			}
		}
		return "sc:Integer"
	}
	name, _, _ := strings.Cut(t.Dtype, "[")
	return dataTypes[name]
}

// dataTypes are the types that the Hub gives the dtypes of columns, in the words of Croissant 1.0. It has none for json and
// null, for decimals and durations. Images and sounds stand in rows by their paths only.
var dataTypes = map[string]string{
	"bool": "sc:Boolean",
	"int8": "sc:Integer", "int16": "sc:Integer", "int32": "sc:Integer", "int64": "sc:Integer",
	"uint8": "sc:Integer", "uint16": "sc:Integer", "uint32": "sc:Integer", "uint64": "sc:Integer",
	"float16": "sc:Float", "float32": "sc:Float", "float64": "sc:Float", "float": "sc:Float", "double": "sc:Float",
	"string": "sc:Text", "large_string": "sc:Text", "string_view": "sc:Text",
	"binary": "sc:Text", "large_binary": "sc:Text", "binary_view": "sc:Text", "fixed_size_binary": "sc:Text",
	"date32": "sc:Date", "date64": "sc:Date", "time32": "sc:Time", "time64": "sc:Time", "timestamp": "sc:DateTime",
}
