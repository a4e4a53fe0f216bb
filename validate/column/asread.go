package column

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// FieldsAsRead are the fields of CSV files as they are read: a column whose own feature is string holds its cells as they are
// written, and texts such as NA are texts where the config keeps them. Other fields stay.
func FieldsAsRead(fields []Field, features Features, r Reading) []Field {
	if !r.KeepsMissing && !r.Own {
		return fields
	}
	texts := map[string]bool{}
	for _, f := range features {
		texts[string(tape.AppendToken(nil, f.Name))] = f.Type.Dtype == "string"
	}
	out := slices.Clone(fields)
	for i := range out {
		f := &out[i]
		if f.Cells != f.Present {
			continue
		}
		if r.KeepsMissing {
			f.keepMissing()
		}
		if r.Own && texts[f.Pointer] {
			f.asText()
		}
	}
	return out
}

// keepMissing takes the words for missing values for texts.
func (f *Field) keepMissing() {
	for _, word := range f.Missings {
		f.Nulls -= word.Count
		f.count("null", -word.Count)
		f.count("string", word.Count)
		n := int64(len([]rune(word.Text)))
		if f.Chars.Max < 0 {
			f.Chars = Span{n, n}
		}
		f.Chars = Span{min(f.Chars.Min, n), max(f.Chars.Max, n)}
	}
	if len(f.Missings) == 0 || f.ManyValues {
		return
	}
	f.Values = slices.Concat(f.Values, f.Missings)
	if len(f.Values) > maxValues {
		f.Values, f.ManyValues = nil, true
	}
}

// asText takes numbers and truth values for the texts that they are in the file. How long those are, and which, was not kept.
func (f *Field) asText() {
	for _, kind := range []string{"boolean", "integer", "number"} {
		i := slices.IndexFunc(f.Kinds, func(k KindCount) bool { return k.Kind == kind })
		if i < 0 {
			continue
		}
		f.count("string", f.Kinds[i].Count)
		f.count(kind, -f.Kinds[i].Count)
		f.Chars, f.Values, f.ManyValues = Span{0, -1}, nil, true
	}
	f.Min, f.Max, f.Fractions = "", "", false
}

// count adds n values of a kind. Kinds is not that of the field this one is a copy of afterwards.
func (f *Field) count(kind string, n int64) {
	var out []KindCount
	for i, name := range kindNames {
		at := slices.IndexFunc(f.Kinds, func(k KindCount) bool { return k.Kind == kindNames[i] })
		k := KindCount{Kind: name}
		if at >= 0 {
			k = f.Kinds[at]
		}
		if name == kind {
			k.Count += n
		}
		if k.Count > 0 {
			out = append(out, k)
		}
	}
	f.Kinds = out
}

// ExampleAsRead is [Observer.Example] as it is read: of a CSV file, which has texts only, numbers, truth values and missing values
// in the columns whose feature has them.
func (o *Observer) ExampleAsRead(features Features, r Reading) string {
	if !o.cells {
		return o.example
	}
	var cells []string
	in := json.NewDecoder(strings.NewReader(o.example))
	for {
		token, err := in.Token()
		if err != nil {
			break
		}
		text, ok := token.(string)
		if !ok && token != json.Delim('{') && token != json.Delim('}') {
			return o.example
		}
		if ok {
			cells = append(cells, text)
		}
	}
	if len(cells) == 0 || len(cells)%2 != 0 {
		return o.example
	}
	var out bytes.Buffer
	for i := 0; i < len(cells); i += 2 {
		out.WriteString(",\n  ")
		out.Write(appendJSONText(nil, cells[i]))
		out.WriteString(": ")
		at := slices.IndexFunc(features, func(f Feature) bool { return f.Name == cells[i] })
		if at < 0 {
			out.Write(appendJSONText(nil, cells[i+1]))
			continue
		}
		out.Write(cellAsRead(cells[i+1], features[at].Type, r))
	}
	return "{" + out.String()[1:] + "\n}"
}

// cellAsRead is the JSON of a cell in a column of a type.
func cellAsRead(text string, t Type, r Reading) []byte {
	if text == "" && r.keeping() != keepsAll || text != "" && IsMissing([]byte(text)) && !r.KeepsMissing {
		return []byte("null")
	}
	kind, number := kindOfCell([]byte(text))
	switch {
	case t.Dtype == dtypeBool && kind == isBool:
		return []byte(strings.ToLower(text))
	case scalars[t.Dtype] > 0 && number != nil:
		return number
	}
	return appendJSONText(nil, text)
}
