// Package draft writes a first JSON Schema (draft 7) for rows that nobody has described yet.
//
// [Schema] turns the inventory of fields that column makes into what holds for every row seen, and leaves the rest open:
//
//   - the types of each field, with null where it was null; integer only where every number had neither point nor exponent;
//   - required for what every row, or every object around a field, had; no other fields than those seen;
//   - an enum for texts where a few short ones come again and again, as labels do.
//
// There are no bounds on numbers and lengths: what the data happens to have there is seldom a promise. An object whose
// many keys come and go, such as one keyed by ids, is left open, for its keys are data.
//
// A cell of CSV is a text, which package shape reads as a number, a truth value or null where the schema allows no string.
// A column gets such a type when all its cells have the form of one; with a 007 or an NA among them it is a column of texts.
package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/column"
)

const (
	// maxLabels is how many texts make an enum at most, maxLabelChars how long they may be, minLabelled how many values have
	// to be there before a few texts are taken for all there are, and minEach how often each of them.
	maxLabels     = 8
	maxLabelChars = 32
	minLabelled   = 50
	minEach       = 5
	// maxOptional is how many fields an object may have before it is left open when no field is in all of them.
	maxOptional = 32
	// maxText is the length in bytes of the longest draft, and maxNodes the number of fields: a longer one is nothing to
	// read or edit.
	maxText  = 1 << 20
	maxNodes = 10_000
)

// Schema writes the schema of rows with these fields, the list that [column.Fields] gives. It is nil when there are no
// fields, or so many that nobody could use it.
func Schema(fields []column.Field) []byte {
	if len(fields) == 0 || len(fields) > maxNodes {
		return nil
	}
	text := appendDocument(nil, tree(fields))
	if len(text) > maxText {
		return nil
	}
	return text
}

// node is a field with what is inside it.
type node struct {
	*column.Field
	name     string
	children []*node
}

// tree puts fields back into one another. Each stands behind the one it is in, so that of two with one pointer (the
// elements of arrays, and a key * of objects in the same place) the later is the one that is being filled.
func tree(fields []column.Field) *node {
	row := column.Field{Kinds: []column.KindCount{{Kind: "object"}}}
	root := &node{Field: &row}
	last := map[string]*node{"": root}
	for i := range fields {
		pointer := fields[i].Pointer
		slash := strings.LastIndexByte(pointer, '/')
		n := &node{Field: &fields[i], name: unescape.Replace(pointer[slash+1:])}
		parent := last[pointer[:slash]]
		parent.children = append(parent.children, n)
		last[pointer] = n
	}
	return root
}

// unescape makes a key of a token of an RFC 6901 JSON Pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// parts tells what is inside arrays from what is inside objects: elements stand behind all members.
func (n *node) parts() (members []*node, element *node) {
	if last := len(n.children) - 1; n.Items.Max > 0 && last >= 0 {
		return n.children[:last], n.children[last]
	}
	return n.children, nil
}

// isRow says that a node is the row itself.
func (n *node) isRow() bool { return n.Pointer == "" }

// isMap says that an object is left open, since its keys look like data.
func isMap(members []*node) bool {
	return len(members) > maxOptional && !slices.ContainsFunc(members, func(m *node) bool { return m.Missing == 0 })
}

// types are the types that a field's values have, null last; none when nothing can be said.
func (n *node) types() []string {
	var types []string
	for _, kind := range n.Kinds {
		types = append(types, kind.Kind)
	}
	types = without(types, "null")
	if slices.Contains(types, "number") {
		types = without(types, "integer") // a number may be an integer
	}
	switch {
	case n.Cells > 0 && n.Cells < n.Present:
		return nil // one file has the field as cells, another as JSON
	case n.Cells > 0 && (len(types) != 1 || n.PandasOnly):
		types = []string{"string"}
	}
	if n.Nulls > 0 {
		types = append(types, "null")
	}
	return types
}

func without(types []string, kind string) []string {
	return slices.DeleteFunc(types, func(t string) bool { return t == kind })
}

// labels are the texts of a field that has a few only, sorted; nil for any other.
func (n *node) labels() []string {
	onlyTexts := !slices.ContainsFunc(n.Kinds, func(k column.KindCount) bool { return k.Kind != "string" && k.Kind != "null" })
	emptyCells := n.Cells > 0 && n.Nulls > 0 // an empty cell is a text to the schema of a column of texts
	if !onlyTexts || emptyCells || n.ManyValues || len(n.Values) == 0 || len(n.Values) > maxLabels {
		return nil
	}
	var labels []string
	total := int64(0)
	for _, v := range n.Values {
		total += v.Count
		if v.Count < minEach || !isLabel(v.Text) {
			return nil
		}
		labels = append(labels, v.Text)
	}
	if total < minLabelled {
		return nil
	}
	slices.Sort(labels)
	return labels
}

// isLabel says that a text is short and on one line.
func isLabel(text string) bool {
	return utf8.RuneCountInString(text) <= maxLabelChars && !strings.ContainsFunc(text, unicode.IsControl)
}
