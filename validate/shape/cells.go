package shape

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

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

var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?$`)

// isNumber says that a text is a JSON number, of a size that is read.
func isNumber(text string) bool {
	if len(text) > tape.MaxNumber {
		return false
	}
	m := jsonNumber.FindStringSubmatch(text)
	if m == nil || m[1] == "" {
		return m != nil
	}
	exponent, err := strconv.Atoi(m[1])
	return err == nil && -tape.MaxNumber <= exponent && exponent <= tape.MaxNumber
}

// value is what a cell stands for; present is false for one that stands for nothing.
func (c cell) value(text string) (value any, present bool) {
	switch {
	case text == "" && c.null, text == "null" && c.null:
		return nil, true
	case text == "" && !c.required:
		return nil, false
	case c.number && isNumber(text):
		return json.Number(text), true
	case c.boolean && (text == "true" || text == "True"):
		return true, true
	case c.boolean && (text == "false" || text == "False"):
		return false, true
	}
	return text, true
}

// row makes a row of CSV cells the object that the schema is about.
func (s *Schema) row(cells tape.Value) map[string]any {
	row := make(map[string]any, cells.Len())
	for column, text := range cells.Members() {
		rule, typed := s.cells[column.Text()]
		if !typed {
			row[column.Text()] = text.Text()
			continue
		}
		if value, present := rule.value(text.Text()); present {
			row[column.Text()] = value
		}
	}
	return row
}
