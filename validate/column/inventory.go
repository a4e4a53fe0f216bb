package column

import (
	"bytes"
	"encoding/binary"
	"math"
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

// inventory gathers what Field reports of a field's own values.
type inventory struct {
	kinds   [kindCount]kindSeen
	numbers extremes
	// fractions says that some number has a part behind its point, or is out of the range of exact floats.
	fractions bool
	chars     lengths
	items     lengths
	values    texts
	missings  texts
	example   string
	// cells and pandasOnly are those of Field.
	cells      int64
	pandasOnly bool
}

type kindSeen struct {
	count int64
	first Place
}

func (v *inventory) merge(next *inventory) {
	for i := range v.kinds {
		if v.kinds[i].count == 0 {
			v.kinds[i].first = next.kinds[i].first
		}
		v.kinds[i].count += next.kinds[i].count
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
	for i := range v.kinds {
		n += v.kinds[i].count
	}
	return n
}

// see counts a value and keeps the place of the first.
func (k *kindSeen) see(row *rows.Row, node int) {
	if k.count == 0 {
		k.first = placeOf(row, node)
	}
	k.count++
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
	if next.any {
		l.add(next.min)
		l.add(next.max)
	}
}

func (l lengths) span() Span {
	if !l.any {
		return Span{0, -1}
	}
	return Span{l.min, l.max}
}

// extremes holds the least and the greatest number with their digits. Of equal numbers the first stays.
type extremes struct {
	min, max   num
	minT, maxT []byte
	// above and below bound values that surely are between the two.
	above, below float64
	// lost says that a number was too long to keep.
	lost bool
}

func (e *extremes) add(n *num, raw []byte) {
	if e.above < n.approx && n.approx < e.below && len(raw) <= maxDigits {
		return
	}
	switch {
	case e.lost:
		return
	case len(raw) > maxDigits:
		*e = extremes{lost: true}
		return
	case e.minT == nil:
		e.min, e.max = *n, *n
		e.minT, e.maxT = bytes.Clone(raw), bytes.Clone(raw)
	case string(raw) == string(e.minT), string(raw) == string(e.maxT):
		return
	case n.less(raw, &e.min, e.minT):
		e.min, e.minT = *n, append(e.minT[:0], raw...)
	case e.max.less(e.maxT, n, raw):
		e.max, e.maxT = *n, append(e.maxT[:0], raw...)
	}
	doubt := closeFactor * max(math.Abs(e.min.approx), math.Abs(e.max.approx))
	e.above, e.below = e.min.approx+2*doubt, e.max.approx-2*doubt
}

func (e *extremes) merge(next *extremes) {
	switch {
	case next.lost:
		*e = extremes{lost: true}
	case next.minT != nil:
		e.add(&next.min, next.minT)
		e.add(&next.max, next.maxT)
	}
}

// texts counts distinct short texts until there are too many.
type texts struct {
	counts []ValueCount
	// heads tell most of the texts apart.
	heads []uint64
	many  bool
	// last is where the last text was found: neighbours are often equal.
	last int
}

// wholeHead is up to how many bytes headOf tells texts of one length apart for sure.
const wholeHead = 8

// headOf mixes the length of a text with bytes of it.
func headOf(s []byte) uint64 {
	n := len(s)
	head := uint64(n) << 56
	switch {
	case n >= 8:
		head ^= binary.LittleEndian.Uint64(s)
	case n >= 4:
		head ^= uint64(binary.LittleEndian.Uint32(s)) | uint64(binary.LittleEndian.Uint32(s[n-4:]))<<32
	case n > 0:
		head ^= uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	return head
}

func (t *texts) add(text []byte) {
	if t.many {
		return
	}
	if len(text) > maxValueBytes {
		*t = texts{many: true}
		return
	}
	head := headOf(text)
	if t.last < len(t.heads) && t.heads[t.last] == head && t.is(t.last, text) {
		t.counts[t.last].Count++
		return
	}
	for i := range t.heads {
		if t.heads[i] == head && t.is(i, text) {
			t.counts[i].Count++
			t.last = i
			return
		}
	}
	t.insert(ValueCount{string(text), 1})
}

// is says that a text is the i-th, which has the same head.
func (t *texts) is(i int, text []byte) bool {
	known := t.counts[i].Text
	return len(known) == len(text) && (len(text) <= wholeHead || known == string(text))
}

func (t *texts) insert(value ValueCount) {
	if len(t.counts) == maxValues {
		*t = texts{many: true}
		return
	}
	t.counts = append(t.counts, value)
	t.heads = append(t.heads, headOf([]byte(value.Text)))
}

func (t *texts) merge(next *texts) {
	if t.many || next.many {
		*t = texts{many: true}
		return
	}
next:
	for _, value := range next.counts {
		for i := range t.counts {
			if t.counts[i].Text == value.Text {
				t.counts[i].Count += value.Count
				continue next
			}
		}
		if t.insert(value); t.many {
			return
		}
	}
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
		objects += f.inventory.kinds[kindObject].count
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
	for kind, seen := range all.kinds {
		if seen.count > 0 {
			field.Kinds = append(field.Kinds, KindCount{kindNames[kind], seen.count, seen.first})
		}
	}
	field.Present, field.Nulls = all.present(), all.kinds[kindNull].count
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
