package column

import (
	"bytes"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Bounds on what is kept of a field's values.
const (
	// maxValues is how many distinct short texts are counted one by one, maxValueBytes how long one may be.
	maxValues     = 12
	maxValueBytes = 64
	// maxExample is the length of an example in characters.
	maxExample = 80
	// maxDigits is the length in bytes of the longest number that is kept as an extreme.
	maxDigits = 1024
)

// The kinds of values in the words of JSON Schema; a number is an integer when it has neither point nor exponent.
const (
	kindNull = iota
	kindBoolean
	kindInteger
	kindNumber
	kindString
	kindArray
	kindObject
	kindCount
)

var kindNames = [kindCount]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// Field is what is known of one field at any depth, for schema.md.
type Field struct {
	// Pointer is the field's place in a row: an RFC 6901 JSON Pointer in which * stands for every element of an array.
	Pointer string
	// Kinds are the kinds of values seen, in a fixed order, null included.
	Kinds []KindCount
	// Present counts the objects around the field that have it (for elements of an array: the elements), Nulls those
	// where it is null, Missing the objects without it. A field of the row itself counts rows.
	Present, Nulls, Missing int64
	// Min and Max are the extreme numbers as they are written in the data; empty without numbers, or when a number had
	// more than 1,024 bytes.
	Min, Max string
	// Fractions says that some number is not a whole one that float64 holds exactly; 2.0 and 1e3 are whole.
	Fractions bool
	// Chars bounds the lengths of texts in characters, Items those of arrays.
	Chars, Items Span
	// Values counts the distinct texts, in order of first appearance, while there are at most 12 of them and each has at
	// most 64 bytes. ManyValues says that there were more or longer ones; Values is empty then.
	Values     []ValueCount
	ManyValues bool
	// Missings counts the texts of a CSV column that pandas takes for a missing value though they are not empty.
	Missings []ValueCount
	// Cells counts the values that were cells of CSV files. PandasOnly says that one of them is a number, a truth value or
	// missing to pandas in a form that is a text to a schema (see package shape): 007, +5, inf, TRUE, NA. An empty cell is
	// missing to both.
	Cells      int64
	PandasOnly bool
	// Example is the first value that is neither null nor empty, as JSON text of at most 80 characters; a longer value
	// is cut and ends in an ellipsis.
	Example string
	// Wide says that the field is an object with more distinct fields inside than are tracked. They are not listed, and
	// the object counts as json.
	Wide bool
}

// KindCount says how many values of a kind were seen, and where the first one is.
type KindCount struct {
	// Kind is null, boolean, integer, number, string, array or object.
	Kind  string
	Count int64
	First Place
}

// Place is a line of a data file.
type Place struct {
	Path string
	Line int
}

// ValueCount says how often a text was seen.
type ValueCount struct {
	Text  string
	Count int64
}

// Span is a range of lengths. Max is -1 when there was nothing to measure.
type Span struct{ Min, Max int64 }

// inventory gathers what Field reports of a field's own values. What every value touches stands together.
type inventory struct {
	counts [kindCount]int64
	chars  lengths
	values texts
	// example is that of Field.
	example string
	numbers extremes
	// firsts are the places of the first value of each kind.
	firsts [kindCount]Place
	// fractions says that some number has a part behind its point, or is out of the range of exact floats.
	fractions bool
	items     lengths
	missings  texts
	// cells and pandasOnly are those of Field.
	cells      int64
	pandasOnly bool
}

func (v *inventory) merge(next *inventory) {
	for i := range v.counts {
		if v.counts[i] == 0 {
			v.firsts[i] = next.firsts[i]
		}
		v.counts[i] += next.counts[i]
	}
	v.numbers.merge(&next.numbers)
	v.fractions = v.fractions || next.fractions
	v.chars.merge(next.chars)
	v.items.merge(next.items)
	v.values.merge(&next.values)
	v.missings.merge(&next.missings)
	v.cells += next.cells
	v.pandasOnly = v.pandasOnly || next.pandasOnly
	if v.example == "" {
		v.example = next.example
	}
}

// present counts the values, null included.
func (v *inventory) present() int64 {
	var n int64
	for _, count := range v.counts {
		n += count
	}
	return n
}

// see counts a value of a kind and keeps the place of the first.
func (v *inventory) see(kind int, row *rows.Row, node int) {
	if v.counts[kind] == 0 {
		v.firsts[kind] = placeOf(row, node)
	}
	v.counts[kind]++
}

func placeOf(row *rows.Row, node int) Place {
	return Place{row.Path, row.LineOf(row.Doc.Value(node))}
}

// lengths is a range of lengths; any says that it holds one.
type lengths struct {
	min, max int64
	any      bool
}

func (l *lengths) add(n int64) {
	if !l.any {
		*l = lengths{n, n, true}
		return
	}
	l.min, l.max = min(l.min, n), max(l.max, n)
}

func (l *lengths) merge(next lengths) {
	switch {
	case !next.any:
	case !l.any:
		*l = next
	default:
		l.min, l.max = min(l.min, next.min), max(l.max, next.max)
	}
}

func (l lengths) span() Span {
	if !l.any {
		return Span{0, -1}
	}
	return Span{l.min, l.max}
}

// setExample keeps a value as the example if it is the first one that holds anything.
func (v *inventory) setExample(value tape.Value, text []byte) {
	if v.example != "" {
		return
	}
	switch value.Kind() {
	case tape.Null:
	case tape.Array, tape.Object:
		if value.Len() > 0 {
			v.example = cut(compact(value.Raw()), maxExample)
		}
	case tape.String:
		if len(text) > 0 {
			v.example = string(appendJSONText(nil, cut(text, maxExample)))
		}
	default:
		v.example = cut(value.Raw(), maxExample)
	}
}

// cut shortens a text to a number of characters, the last one an ellipsis.
func cut(text []byte, limit int) string {
	end := 0
	for n := 0; end < len(text); n++ {
		if n == limit-1 {
			_, size := utf8.DecodeRune(text[end:])
			if end+size < len(text) {
				return string(text[:end]) + "…"
			}
		}
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return string(text)
}

// compact leaves out the blanks between the tokens at the head of a JSON text, as much of it as an example can show.
func compact(raw []byte) []byte {
	var out []byte
	inside, escaped := false, false
	for _, c := range raw {
		if len(out) > maxExample*utf8.UTFMax {
			break
		}
		if inside || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			out = append(out, c)
		}
		switch {
		case escaped:
			escaped = false
		case inside && c == '\\':
			escaped = true
		case c == '"':
			inside = !inside
		}
	}
	return out
}

// Fields lists the fields of a config's splits at any depth, each behind the one it is in, otherwise in order of first
// appearance. What was seen in several splits is added up.
func Fields(splits []*Observer) []Field {
	var roots []*field
	for _, o := range splits {
		roots = append(roots, o.root)
	}
	return appendFields(nil, nil, roots)
}

// Fields lists the fields of the split; see [Fields].
func (o *Observer) Fields() []Field { return Fields([]*Observer{o}) }

// appendFields lists what is inside the fields of one pointer, one for each split.
func appendFields(out []Field, pointer []byte, same []*field) []Field {
	var names []string
	members := map[string][]*field{}
	var elements []*field
	objects := int64(0)
	wide := false
	for _, f := range same {
		objects += f.inventory.counts[kindObject]
		wide = wide || f.wide
		if f.element != nil {
			elements = append(elements, f.element)
		}
		for _, m := range f.members {
			if members[m.name] == nil {
				names = append(names, m.name)
			}
			members[m.name] = append(members[m.name], m)
		}
	}
	if wide {
		return out
	}
	for _, name := range names {
		out = appendField(out, tape.AppendToken(bytes.Clone(pointer), name), members[name], objects)
	}
	if elements != nil {
		out = appendField(out, append(bytes.Clone(pointer), "/*"...), elements, -1)
	}
	return out
}

// appendField lists one field and what is inside it. objects counts the objects that could have it, -1 for an element.
func appendField(out []Field, pointer []byte, same []*field, objects int64) []Field {
	var all inventory
	field := Field{Pointer: string(pointer)}
	for _, f := range same {
		all.merge(&f.inventory)
		field.Wide = field.Wide || f.wide
	}
	for kind, count := range all.counts {
		if count > 0 {
			field.Kinds = append(field.Kinds, KindCount{kindNames[kind], count, all.firsts[kind]})
		}
	}
	field.Present, field.Nulls = all.present(), all.counts[kindNull]
	if objects >= 0 {
		field.Missing = objects - field.Present
	}
	field.Min, field.Max = string(all.numbers.minT), string(all.numbers.maxT)
	field.Fractions = all.fractions
	field.Chars, field.Items = all.chars.span(), all.items.span()
	field.Values, field.ManyValues = all.values.counts, all.values.many
	field.Missings = all.missings.counts
	field.Cells, field.PandasOnly = all.cells, all.pandasOnly
	field.Example = all.example
	return appendFields(append(out, field), pointer, same)
}
