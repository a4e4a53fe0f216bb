package shape

import (
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Elements returns the schema for the elements of a file that is one JSON array, so that the array need not be held in
// memory: its observers are shown the elements as rows, and say of them what would be said of the array as a whole, with
// pointers that begin with the element's index. ok is false when the schema is about anything else than an array, or
// holds a keyword that needs all of it at once; [Schema.AboutArrays] tells the two apart.
//
// Whoever reads the file
//   - sets [rows.Row.Index] to the element's index in the array, and [rows.Row.Line] to the line it begins on;
//   - calls [Observer.EndArray] once, on any observer, unless the array was not read to its end.
func (s *Schema) Elements() (elements *Schema, ok bool) {
	root := s.root
	if !s.AboutArrays() || root.listings != nil || root.inPlace != nil {
		return nil, false
	}
	array := root.array
	if array == nil {
		array = &arrayMatcher{most: unbounded}
	}
	if array.unique || array.hasContains {
		return nil, false
	}
	of := *s
	of.elements = array
	return &of, true
}

// AboutArrays says that no value but an array meets the schema.
func (s *Schema) AboutArrays() bool { return s.root != nil && s.root.kinds == 1<<tape.Array }

// ofRow is the schema that a row is held against.
func (s *Schema) ofRow(row *rows.Row) *matcher {
	if s.elements == nil {
		return s.root
	}
	return s.elements.element(int(min(row.Index, unbounded)))
}

// EndArray says what is wrong with the number of elements of an array that was shown element by element; see
// [Schema.Elements]. The array begins on a line of the file at path and has n elements.
func (o *Observer) EndArray(path string, line int, n int64) {
	array := o.schema.elements
	if array == nil {
		return
	}
	var p place
	var causes []cause
	size := counted(int(n), "element", "elements")
	if n < int64(array.least) {
		causes = append(causes, p.tooFew(finding.SchemaMinItems, size, strconv.Itoa(array.least)))
	}
	if n > int64(array.most) {
		causes = append(causes, p.tooMany(finding.SchemaMaxItems, size, strconv.Itoa(array.most)))
	}
	if array.closed && n > int64(len(array.list)) {
		causes = append(causes, p.tooManyItems(size))
	}
	for _, c := range causes {
		o.found.AddHinted(finding.New(c.code, "%s", c.message).At(path, line), c.hint)
	}
}
