package parquet

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	// maxDepth is how deep columns may be nested, maxColumns how many leaves a file may have.
	maxDepth   = 100
	maxColumns = 20_000
)

// shape is what a node of the schema is in a row.
type shape uint8

const (
	isLeaf shape = iota
	isStruct
	isList
	isMap
)

// node is a place in the rows: a column, or something inside one. The levels are those of the Dremel encoding: how many of the
// optional and repeated nodes down to here are there, and at which of the repeated ones a list goes on.
type node struct {
	name  string
	shape shape
	// path is the dotted path in the schema, names its parts.
	path  string
	names []string
	// nullable says that the value may be null, present is the definition level from which on it is not.
	nullable bool
	present  int
	// element is that of a list or, with two members, of a map; filled is the definition level from which on there is one, and
	// repeats the repetition level at which the next one begins.
	element *node
	filled  int
	repeats int
	// members are those of a struct.
	members []*node
	// leaf is the index of the first leaf in the node; last is one behind the last.
	leaf, last int

	// physical and the like are those of a leaf.
	physical format.Type
	length   int
	logical  logical
	// scale and precision are those of a decimal.
	scale, precision int
	// unit is the number of units in a second, utc says that a timestamp is adjusted to UTC.
	unit int64
	utc  bool
	// bits and unsigned are those of an integer.
	bits     int
	unsigned bool
	// json says that the loader takes the text for JSON.
	json bool
	// nested says that there is a repeated node above.
	nested bool
	// maxDefinition and maxRepetition bound the levels.
	maxDefinition, maxRepetition int
}

// logical is what the values of a leaf mean.
type logical uint8

const (
	asStored logical = iota
	asText
	asEnum
	asJSON
	asBSON
	asUUID
	asDate
	asTime
	asTimestamp
	asDecimal
	asInteger
	asFloat16
	asNull
	asInterval
)

// treeBuilder goes through the flat list of a schema, parents before children.
type treeBuilder struct {
	elements []format.SchemaElement
	at       int
	leaves   []*node
}

// buildTree makes the tree of the columns. The root is a struct: the row.
func buildTree(elements []format.SchemaElement) (root *node, leaves []*node, err error) {
	if len(elements) == 0 {
		return nil, nil, damaged("the file has no schema")
	}
	b := &treeBuilder{elements: elements}
	if root, err = b.group(nil, 0, 0, 0); err != nil {
		return nil, nil, err
	}
	switch {
	case b.at != len(elements):
		return nil, nil, damaged("the schema has %d entries that belong to no column", len(elements)-b.at)
	case len(b.leaves) == 0:
		return nil, nil, damaged("the schema has no columns")
	}
	for _, leaf := range b.leaves {
		leaf.nested = leaf.maxRepetition > 0
	}
	return root, b.leaves, nil
}

// next takes the next entry of the schema.
func (b *treeBuilder) next(depth int) (*format.SchemaElement, error) {
	switch {
	case b.at == len(b.elements):
		return nil, damaged("the schema ends too early")
	case depth > maxDepth:
		return nil, unsupported("columns are nested more than %d levels deep", maxDepth)
	case len(b.leaves) > maxColumns:
		return nil, unsupported("the file has more than %d columns", maxColumns)
	}
	b.at++
	e := &b.elements[b.at-1]
	if r := e.RepetitionType; r.Valid && (r.V < format.Required || r.V > format.Repeated) {
		return nil, damaged("the schema says of %q that it is there in the unknown way %d", e.Name, r.V)
	}
	return e, nil
}

// peek is the entry behind the next n ones; nil when there is none.
func (b *treeBuilder) peek(n int) *format.SchemaElement {
	if b.at+n >= len(b.elements) {
		return nil
	}
	return &b.elements[b.at+n]
}

func childCount(e *format.SchemaElement) int { return int(max(e.NumChildren.V, 0)) }

func isRepeated(e *format.SchemaElement) bool { return e.RepetitionType.V == format.Repeated }

// isLeafElement says that an entry is a column of values: an empty group has a number of children and no type.
func isLeafElement(e *format.SchemaElement) bool { return e.Type.Valid }

// group reads an entry that is a group, and what is in it, as a struct. definition and repetition are the levels around it.
func (b *treeBuilder) group(names []string, definition, repetition, depth int) (*node, error) {
	e, err := b.next(depth)
	if err != nil {
		return nil, err
	}
	n := &node{name: e.Name, shape: isStruct, path: strings.Join(names, "."), names: names, leaf: len(b.leaves)}
	n.nullable = depth > 0 && e.RepetitionType.V == format.Optional
	if n.nullable {
		definition++
	}
	n.present = definition
	if isLeafElement(e) || childCount(e) == 0 {
		if depth == 0 {
			return nil, damaged("the schema has no columns")
		}
		return nil, unsupported("the group %q has nothing in it", n.path)
	}
	for range childCount(e) {
		child := b.peek(0)
		if child == nil {
			return nil, damaged("the schema ends too early")
		}
		m, err := b.node(append(slices.Clone(names), child.Name), definition, repetition, depth+1)
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, m)
	}
	n.last = len(b.leaves)
	return n, n.checkNames()
}

// checkNames says whether the members of a struct can stand in one object.
func (n *node) checkNames() error {
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.name] {
			return unsupported("two columns are named %q: load_dataset refuses that", m.path)
		}
		if !utf8.ValidString(m.name) {
			return damaged("the name of a column is not UTF-8: %q", m.path)
		}
		seen[m.name] = true
	}
	return nil
}

// node reads an entry and what is in it.
func (b *treeBuilder) node(names []string, definition, repetition, depth int) (*node, error) {
	e := b.peek(0)
	switch {
	case isRepeated(e):
		return b.bareList(names, definition, repetition, depth)
	case isLeafElement(e):
		return b.value(names, definition, repetition, depth)
	case isAnnotatedList(e) && b.holdsRepeated():
		return b.list(names, definition, repetition, depth)
	case isAnnotatedMap(e) && b.holdsRepeated() && !isLeafElement(b.peek(1)):
		return b.dictionary(names, definition, repetition, depth)
	}
	return b.group(names, definition, repetition, depth)
}

// holdsRepeated says that the next entry has one child, which is repeated.
func (b *treeBuilder) holdsRepeated() bool {
	e, child := b.peek(0), b.peek(1)
	return childCount(e) == 1 && child != nil && isRepeated(child)
}

func isAnnotatedList(e *format.SchemaElement) bool {
	_, logical := e.LogicalType.Value.(*format.ListType)
	return logical || e.ConvertedType == thrift.New(deprecated.List)
}

func isAnnotatedMap(e *format.SchemaElement) bool {
	_, logical := e.LogicalType.Value.(*format.MapType)
	return logical || e.ConvertedType == thrift.New(deprecated.Map) || e.ConvertedType == thrift.New(deprecated.MapKeyValue)
}

// bareList reads a repeated entry that no list is declared around: a list that is never null, of elements that are not either.
func (b *treeBuilder) bareList(names []string, definition, repetition, depth int) (*node, error) {
	e := b.peek(0)
	n := &node{name: e.Name, shape: isList, path: strings.Join(names, "."), names: names, leaf: len(b.leaves)}
	n.present, n.filled, n.repeats = definition, definition+1, repetition+1
	var err error
	n.element, err = b.repeatedValue(names, n, depth)
	n.last = len(b.leaves)
	return n, err
}

// repeatedValue reads a repeated entry as the element of a list.
func (b *treeBuilder) repeatedValue(names []string, list *node, depth int) (*node, error) {
	if isLeafElement(b.peek(0)) {
		return b.value(names, list.filled, list.repeats, depth)
	}
	return b.group(names, list.filled, list.repeats, depth)
}

// list reads a group that is declared as a list. Of the repeated group in it, writers have made different things; see the
// rules for backward compatibility in the format's LogicalTypes.md.
func (b *treeBuilder) list(names []string, definition, repetition, depth int) (*node, error) {
	n, err := b.outer(isList, names, definition, repetition, depth)
	if err != nil {
		return nil, err
	}
	repeated := b.peek(0)
	inner := append(slices.Clone(names), repeated.Name)
	child := b.peek(1)
	wraps := !isLeafElement(repeated) && childCount(repeated) == 1 && child != nil && !isRepeated(child) &&
		repeated.Name != "array" && repeated.Name != n.name+"_tuple"
	if !wraps {
		n.element, err = b.repeatedValue(inner, n, depth+1)
	} else {
		b.at++
		n.element, err = b.node(append(inner, child.Name), n.filled, n.repeats, depth+2)
	}
	n.last = len(b.leaves)
	return n, err
}

// outer reads the group around a repeated one.
func (b *treeBuilder) outer(what shape, names []string, definition, repetition, depth int) (*node, error) {
	e, err := b.next(depth)
	if err != nil {
		return nil, err
	}
	n := &node{name: e.Name, shape: what, path: strings.Join(names, "."), names: names, leaf: len(b.leaves)}
	n.nullable = e.RepetitionType.V == format.Optional
	if n.nullable {
		definition++
	}
	n.present, n.filled, n.repeats = definition, definition+1, repetition+1
	return n, nil
}

// dictionary reads a group that is declared as a map. The members of its element are named key and value, whatever the file
// calls them.
func (b *treeBuilder) dictionary(names []string, definition, repetition, depth int) (*node, error) {
	n, err := b.outer(isMap, names, definition, repetition, depth)
	if err != nil {
		return nil, err
	}
	n.element, err = b.group(append(slices.Clone(names), b.peek(0).Name), n.filled, n.repeats, depth+1)
	if err != nil {
		return nil, err
	}
	for i, name := range []string{"key", "value"} {
		if i < len(n.element.members) {
			n.element.members[i].name = name
		}
	}
	n.last = len(b.leaves)
	return n, nil
}

// value reads an entry that is a leaf.
func (b *treeBuilder) value(names []string, definition, repetition, depth int) (*node, error) {
	e, err := b.next(depth)
	if err != nil {
		return nil, err
	}
	n := &node{name: e.Name, path: strings.Join(names, "."), names: names, leaf: len(b.leaves), last: len(b.leaves) + 1}
	n.nullable = e.RepetitionType.V == format.Optional
	if n.nullable {
		definition++
	}
	n.present, n.maxDefinition, n.maxRepetition = definition, definition, repetition
	n.physical = e.Type.V
	if n.physical < format.Boolean || n.physical > format.FixedLenByteArray {
		return nil, damaged("column %q holds values of the unknown type %d", n.path, n.physical)
	}
	n.length = int(e.TypeLength.V)
	if n.physical == format.FixedLenByteArray && (n.length <= 0 || n.length > maxPage) {
		return nil, damaged("column %q holds values of %d bytes", n.path, n.length)
	}
	n.interpret(e)
	b.leaves = append(b.leaves, n)
	return n, nil
}

// interpret finds out what the values of a leaf mean. An annotation that does not fit the stored type is passed over.
func (n *node) interpret(e *format.SchemaElement) {
	n.logical = asStored
	n.annotated(e)
	if !n.sound() {
		n.logical = asStored
	}
}

// annotated takes the annotation of a leaf: the new form, else the old one.
func (n *node) annotated(e *format.SchemaElement) {
	switch t := e.LogicalType.Value.(type) {
	case *format.StringType:
		n.logical = asText
	case *format.EnumType:
		n.logical = asEnum
	case *format.JsonType:
		n.logical = asJSON
	case *format.BsonType:
		n.logical = asBSON
	case *format.UUIDType:
		n.logical = asUUID
	case *format.DateType:
		n.logical = asDate
	case *format.TimeType:
		n.logical, n.utc, n.unit = asTime, t.IsAdjustedToUTC, unitOf(t.Unit)
	case *format.TimestampType:
		n.logical, n.utc, n.unit = asTimestamp, t.IsAdjustedToUTC, unitOf(t.Unit)
	case *format.DecimalType:
		n.logical, n.scale, n.precision = asDecimal, int(t.Scale), int(t.Precision)
	case *format.IntType:
		n.logical, n.bits, n.unsigned = asInteger, int(t.BitWidth), !t.IsSigned
	case *format.Float16Type:
		n.logical = asFloat16
	case *format.NullType:
		n.logical = asNull
	default:
		n.converted(e)
	}
}

// converted takes the old form of an annotation.
func (n *node) converted(e *format.SchemaElement) {
	if !e.ConvertedType.Valid {
		return
	}
	switch t := e.ConvertedType.V; t {
	case deprecated.UTF8:
		n.logical = asText
	case deprecated.Enum:
		n.logical = asEnum
	case deprecated.Json:
		n.logical = asJSON
	case deprecated.Bson:
		n.logical = asBSON
	case deprecated.Date:
		n.logical = asDate
	case deprecated.TimeMillis:
		n.logical, n.utc, n.unit = asTime, true, 1e3
	case deprecated.TimeMicros:
		n.logical, n.utc, n.unit = asTime, true, 1e6
	case deprecated.TimestampMillis:
		n.logical, n.utc, n.unit = asTimestamp, true, 1e3
	case deprecated.TimestampMicros:
		n.logical, n.utc, n.unit = asTimestamp, true, 1e6
	case deprecated.Decimal:
		n.logical, n.scale, n.precision = asDecimal, int(e.Scale.V), int(e.Precision.V)
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		n.logical, n.bits = asInteger, 8<<(t-deprecated.Int8)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		n.logical, n.bits, n.unsigned = asInteger, 8<<(t-deprecated.Uint8), true
	case deprecated.Interval:
		n.logical = asInterval
	}
}

func unitOf(unit format.TimeUnit) int64 {
	switch unit.Value.(type) {
	case *format.MicroSeconds:
		return 1e6
	case *format.NanoSeconds:
		return 1e9
	}
	return 1e3
}

// maxScale bounds the digits of a decimal behind its point.
const maxScale = 1000

// sound says that the annotation fits the stored type.
func (n *node) sound() bool {
	bytes := n.physical == format.ByteArray
	fixed := n.physical == format.FixedLenByteArray
	integer := n.physical == format.Int32 || n.physical == format.Int64
	switch n.logical {
	case asText, asEnum, asJSON, asBSON:
		return bytes || fixed && n.logical != asBSON
	case asUUID:
		return fixed && n.length == 16
	case asFloat16:
		return fixed && n.length == 2
	case asInterval:
		return fixed && n.length == 12
	case asDate:
		return n.physical == format.Int32
	case asTime:
		return n.physical == format.Int32 && n.unit == 1e3 || n.physical == format.Int64 && n.unit > 1e3
	case asTimestamp:
		return n.physical == format.Int64
	case asDecimal:
		return n.scale >= 0 && n.scale <= maxScale && (integer || bytes || fixed)
	case asInteger:
		return n.physical == format.Int32 && n.bits <= 32 || n.physical == format.Int64 && n.bits == 64
	}
	return true
}
