package shape

import (
	"slices"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// cell says what the text of a column's cells may stand for.
type cell struct {
	number, boolean, null, required bool
}

// cellsOf finds the columns whose cells may stand for something else than text.
func cellsOf(t *tree) map[string]cell {
	root := t.deref(t.root)
	properties := t.get(root, "properties")
	if root.kind != tape.Object || properties == nil {
		return nil
	}
	var required []string
	if value := t.get(root, "required"); value != nil {
		required = distinct(value)
	}
	cells := map[string]cell{}
	for _, property := range t.usable(properties) {
		types := t.typesOf(t.deref(property))
		if len(types) == 0 || slices.Contains(types, "string") {
			continue
		}
		cells[property.token] = cell{
			number:   slices.Contains(types, "number") || slices.Contains(types, "integer"),
			boolean:  slices.Contains(types, "boolean"),
			null:     slices.Contains(types, "null"),
			required: slices.Contains(required, property.token),
		}
	}
	return cells
}

// isNumber says that a text is a JSON number, of a size that is read.
func isNumber(s []byte) bool {
	if len(s) > tape.MaxNumber {
		return false
	}
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	whole := countDigits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	if s = s[whole:]; len(s) > 0 && s[0] == '.' {
		digits := countDigits(s[1:])
		if digits == 0 {
			return false
		}
		s = s[1+digits:]
	}
	if len(s) == 0 {
		return true
	}
	if s[0]|0x20 != 'e' {
		return false
	}
	if s = s[1:]; len(s) > 1 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return len(s) > 0 && countDigits(s) == len(s) && exponentOf(s) <= tape.MaxNumber
}

func countDigits(s []byte) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// kind is the kind of value that a cell stands for: a string stays as it is. present is false for a cell that stands for
// nothing.
func (c cell) kind(text []byte) (kind tape.Kind, present bool) {
	switch {
	case len(text) == 0 && c.null, string(text) == "null" && c.null:
		return tape.Null, true
	case len(text) == 0 && !c.required:
		return tape.Null, false
	case c.number && isNumber(text):
		return tape.Number, true
	case c.boolean && (string(text) == "true" || string(text) == "True"):
		return tape.True, true
	case c.boolean && (string(text) == "false" || string(text) == "False"):
		return tape.False, true
	}
	return tape.String, true
}

// typedCells makes of rows of CSV cells the objects that a schema is about.
type typedCells struct {
	doc     tape.Tape
	json    []byte
	scratch []byte
}

// read returns the row as an object, valid until the next call.
func (t *typedCells) read(rules map[string]cell, row *tape.Tape) *tape.Tape {
	if len(rules) == 0 {
		return row
	}
	t.json = append(t.json[:0], '{')
	for column, value := range row.Root().Members() {
		t.scratch = column.AppendText(t.scratch[:0])
		rule, typed := rules[string(t.scratch)]
		kind, present := tape.String, true
		if typed {
			t.scratch = value.AppendText(t.scratch[:0])
			kind, present = rule.kind(t.scratch)
		}
		if present {
			t.member(column.Raw(), value.Raw(), kind)
		}
	}
	t.json = append(t.json, '}')
	t.doc.Parse(t.json)
	return &t.doc
}

// member writes one member, whose value is of a kind. A number's text is in scratch.
func (t *typedCells) member(column, text []byte, kind tape.Kind) {
	if len(t.json) > 1 {
		t.json = append(t.json, ',')
	}
	t.json = append(append(append(t.json, '"'), column...), '"', ':')
	switch kind {
	case tape.Null:
		t.json = append(t.json, "null"...)
	case tape.True:
		t.json = append(t.json, "true"...)
	case tape.False:
		t.json = append(t.json, "false"...)
	case tape.Number:
		t.json = append(t.json, t.scratch...)
	default:
		t.json = append(append(append(t.json, '"'), text...), '"')
	}
}
