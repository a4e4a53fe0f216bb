package digest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// AppendCanonical appends the canonical bytes of a value, as the package comment defines them, to dst.
func AppendCanonical(dst []byte, v tape.Value) []byte {
	c := canon{out: dst}
	c.begin(v)
	c.value(v.Node())
	return c.out
}

// canon writes canonical bytes; its buffers are reused from row to row.
type canon struct {
	out []byte
	// sink, where there is one, takes what has been written: a long row has no second copy in memory. long is what has not been
	// handed on.
	sink hash.Hash
	long []byte
	doc  *tape.Tape
	// orders are those of the shapes of the objects seen, for the tape that has these shapes.
	orders []*order
	shapes *tape.Shapes
	// values are the nodes of the values of the objects being written, the innermost last.
	values []int
	// members are those of the dictionaries being written, the innermost last, and text the decoded text of their keys.
	members []member
	text    []byte
}

// member is a member of an object.
type member struct {
	// head holds the first bytes of the key's text, from and to bound it in canon.text.
	head     uint64
	from, to uint32
	// key and value are nodes, place counts the members before this one in the object.
	key, value, place uint32
}

// order is how objects of one shape are written.
type order struct {
	members []ordered
	// keys is the length of all keys.
	keys int
	// sorted says that the members stand in this order in the object.
	sorted bool
}

// ordered is a member in its order.
type ordered struct {
	// key is the text in front of the value: the key in quotes with its colon, and before that the brace or a comma. head holds
	// its first bytes.
	key  []byte
	head [shortText]byte
	// place is how many members are before this one in the object.
	place int
}

// shortText is up to how many bytes are copied at once: most keys and many values are not longer, and a call for each
// takes longer than the copy.
const shortText = 16

// appendShort appends the first n bytes of text.
func appendShort(dst []byte, text *[shortText]byte, n int) []byte {
	if cap(dst)-len(dst) < shortText {
		return append(dst, text[:n]...)
	}
	*(*[shortText]byte)(dst[len(dst) : len(dst)+shortText]) = *text
	return dst[:len(dst)+n]
}

// appendRow appends the canonical bytes of a tape's value to dst.
func (c *canon) appendRow(dst []byte, doc *tape.Tape) []byte {
	c.out = dst
	c.begin(doc.Root())
	c.value(0)
	dst, c.out = c.out, nil
	return dst
}

const (
	// longRow is the length in bytes of the shortest row that goes through the sink, longText that of the shortest text which
	// is handed on without a copy.
	longRow  = 256 << 10
	longText = 16 << 10
)

// sumLong returns the SHA-256 of the canonical bytes of a tape's value, which go through the sink.
func (c *canon) sumLong(doc *tape.Tape) [sha256.Size]byte {
	c.sink = sha256.New()
	c.long = c.appendRow(c.long[:0], doc)
	c.sink.Write(c.long)
	h := c.sink.Sum(nil)
	c.sink = nil
	return [sha256.Size]byte(h)
}

// write appends text, which may be long.
func (c *canon) write(text []byte) {
	if c.sink == nil || len(c.out)+len(text) < longText {
		c.out = append(c.out, text...)
		return
	}
	c.sink.Write(c.out)
	c.sink.Write(text)
	c.out = c.out[:0]
}

// begin turns to another value, perhaps of another tape.
func (c *canon) begin(v tape.Value) {
	c.doc = v.Tape()
	if shapes := c.doc.Shapes(); shapes != c.shapes {
		c.shapes = shapes
		clear(c.orders)
	}
}

// value writes the value at a node and returns the index of the node behind it.
func (c *canon) value(node int) int {
	n := &c.doc.Nodes[node]
	switch n.Kind() {
	case tape.Array:
		return c.array(node)
	case tape.Object:
		return c.object(node)
	}
	if c.sink == nil {
		c.out = c.scalar(c.out, node)
		return node + 1
	}
	c.longScalar(node)
	return node + 1
}

// scalar appends a value that takes one node to out: no array or object with anything in it.
func (c *canon) scalar(out []byte, node int) []byte {
	n := &c.doc.Nodes[node]
	start, end := n.Whole()
	text := c.doc.Text
	switch {
	case n.Verbatim() && end-start <= shortText && start+shortText <= len(text):
		return appendShort(out, (*[shortText]byte)(text[start:]), end-start)
	case n.Verbatim():
		return append(out, text[start:end]...)
	case n.Decimal():
		return appendDecimal(out, text[start:end])
	case n.Kind() == tape.Number:
		return appendInteger(out, text[start:end])
	case n.Kind() == tape.Array:
		return append(out, "[]"...)
	case n.Kind() == tape.Object:
		return append(out, "{}"...)
	}
	c.out = out
	c.recoded(c.doc.Value(node))
	return c.out
}

// longScalar is scalar for a row that goes through the sink.
func (c *canon) longScalar(node int) {
	n := &c.doc.Nodes[node]
	if start, end := n.Span(); n.Kind() == tape.String && !n.Coded() {
		c.write(c.doc.Text[start-1 : end+1])
	} else {
		c.out = c.scalar(c.out, node)
	}
	if len(c.out) >= longText {
		c.write(nil)
	}
}

func (c *canon) array(node int) int {
	count := c.doc.Nodes[node].Len()
	node++
	c.out = append(c.out, '[')
	for i := range count {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		node = c.value(node)
	}
	c.out = append(c.out, ']')
	return node
}

// object writes the members of an object sorted by key.
func (c *canon) object(node int) int {
	v := c.doc.Value(node)
	shape := v.Shape()
	if shape == 0 {
		return c.dictionary(v)
	}
	o := c.orderOf(shape, v)
	behind := v.After().Node()
	switch {
	case c.sink == nil && behind == node+1+2*len(o.members):
		c.flat(node, o)
	case o.sorted:
		key := node + 1
		for i := range o.members {
			c.out = append(c.out, o.members[i].key...)
			key = c.value(key + 1)
		}
	default:
		c.unsorted(v, o)
	}
	c.out = append(c.out, '}')
	return behind
}

// flat writes the members of an object whose values take one node each. There is room for all that stand as they are, so that none
// needs a look at what is left of it.
func (c *canon) flat(node int, o *order) {
	nodes, text := c.doc.Nodes, c.doc.Text
	start, end := nodes[node].Span()
	room := o.keys + end - start + shortText
	out := slices.Grow(c.out, room)
	n := len(out)
	out = out[:cap(out)]
	for i := range o.members {
		m := &o.members[i]
		if len(m.key) <= shortText {
			*(*[shortText]byte)(out[n:]) = m.head
		} else {
			copy(out[n:], m.key)
		}
		n += len(m.key)
		value := node + 2 + 2*m.place
		v := &nodes[value]
		if !v.Verbatim() {
			out = slices.Grow(c.scalar(out[:n], value), room)
			n = len(out)
			out = out[:cap(out)]
			continue
		}
		start, end := v.Whole()
		if end-start <= shortText && start+shortText <= len(text) {
			*(*[shortText]byte)(out[n:]) = *(*[shortText]byte)(text[start:])
		} else {
			copy(out[n:], text[start:end])
		}
		n += end - start
	}
	c.out = out[:n]
}

// unsorted writes the members of an object that do not stand in their order.
func (c *canon) unsorted(v tape.Value, o *order) {
	first := len(c.values)
	key := v.First()
	for range o.members {
		value := key.After()
		c.values = append(c.values, value.Node())
		key = value.After()
	}
	for i := range o.members {
		m := &o.members[i]
		c.out = append(c.out, m.key...)
		c.value(c.values[first+m.place])
	}
	c.values = c.values[:first]
}

// orderOf returns how objects of a shape are written; v is one.
func (c *canon) orderOf(shape tape.Shape, v tape.Value) *order {
	for int(shape) >= len(c.orders) {
		c.orders = append(c.orders, nil)
	}
	if c.orders[shape] == nil {
		c.orders[shape] = c.newOrder(v)
	}
	return c.orders[shape]
}

func (c *canon) newOrder(v tape.Value) *order {
	first, text := len(c.members), len(c.text)
	o := &order{}
	out, sink := c.out, c.sink
	c.sink = nil
	for i, m := range c.gather(v) {
		c.out = nil
		c.key(i, m.key)
		member := ordered{key: c.out, place: int(m.place)}
		copy(member.head[:], c.out)
		o.keys += len(c.out)
		o.members = append(o.members, member)
	}
	c.out, c.sink = out, sink
	o.sorted = slices.IsSortedFunc(o.members, func(a, b ordered) int { return a.place - b.place })
	c.members, c.text = c.members[:first], c.text[:text]
	return o
}

// dictionary writes an object that has no shape.
func (c *canon) dictionary(v tape.Value) int {
	if v.Len() == 0 {
		c.out = append(c.out, "{}"...)
		return v.Node() + 1
	}
	first, text := len(c.members), len(c.text)
	for i, m := range c.gather(v) {
		c.key(i, m.key)
		c.value(int(m.value))
	}
	c.out = append(c.out, '}')
	c.members, c.text = c.members[:first], c.text[:text]
	return v.After().Node()
}

// gather lists the members of an object sorted by key, at the end of c.members.
func (c *canon) gather(v tape.Value) []member {
	first := len(c.members)
	sorted := true
	for key, value := range v.Members() {
		from := len(c.text)
		c.text = key.AppendText(c.text)
		n := len(c.members)
		c.members = append(c.members, member{
			head: headOf(c.text[from:]), from: uint32(from), to: uint32(len(c.text)),
			key: uint32(key.Node()), value: uint32(value.Node()), place: uint32(n - first),
		})
		sorted = sorted && (n == first || c.compare(c.members[n-1], c.members[n]) < 0)
	}
	members := c.members[first:]
	if !sorted {
		slices.SortFunc(members, c.compare)
	}
	return members
}

// headOf returns the first eight bytes of a text in their order, zeros where there are fewer.
func headOf(text []byte) uint64 {
	if len(text) >= 8 {
		return binary.BigEndian.Uint64(text)
	}
	var head uint64
	for i, c := range text {
		head |= uint64(c) << (56 - 8*i)
	}
	return head
}

func (c *canon) compare(a, b member) int {
	if different := a.head ^ b.head; different != 0 {
		shift := (63 - bits.LeadingZeros64(different)) &^ 7
		return compareBytes(byte(a.head>>shift), byte(b.head>>shift))
	}
	return compareUTF16(c.text[a.from:a.to], c.text[b.from:b.to])
}

// key writes what stands in front of the i-th value of an object.
func (c *canon) key(i int, key uint32) {
	before := byte(',')
	if i == 0 {
		before = '{'
	}
	c.out = append(c.out, before)
	c.value(int(key))
	c.out = append(c.out, ':')
}

// compareUTF16 compares two texts in UTF-8 by their UTF-16 code units. The orders differ only where a character beyond
// U+FFFF, which is a pair of code units from U+D800 on, meets one from U+E000 to U+FFFF: their first bytes are 0xF0 and
// more, and 0xEE or 0xEF.
func compareUTF16(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x != y {
			return compareBytes(x, y)
		}
	}
	return len(a) - len(b)
}

// compareBytes compares the first bytes in which two texts differ.
func compareBytes(x, y byte) int {
	if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
		return int(y) - int(x)
	}
	return int(x) - int(y)
}

// recoded writes a string with \/ and \u as RFC 8785, section 3.2.2.2, has them, all else as it is.
func (c *canon) recoded(v tape.Value) {
	c.out = append(c.out, '"')
	raw, codes := v.Raw(), v.Codes()
	for from := 0; ; {
		at, length, r := codes.Next()
		c.write(raw[from:at])
		if length == 0 {
			break
		}
		c.out = appendCharacter(c.out, r)
		from = at + length
	}
	c.out = append(c.out, '"')
}

// appendCharacter appends a character of a string.
func appendCharacter(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	if r < ' ' {
		return append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// appendInteger appends a number without point and exponent.
func appendInteger(dst, number []byte) []byte {
	if string(number) == "-0" {
		return append(dst, '0')
	}
	return append(dst, number...)
}

// appendDecimal appends a number with a point or an exponent.
func appendDecimal(dst, number []byte) []byte {
	if isShortest(number) {
		return append(dst, number...)
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return appendExact(dst, number)
	}
	return appendFloat(dst, f)
}

// appendFloat writes a number as ECMAScript's Number::toString does (ECMA-262, section 6.1.6.1.20).
func appendFloat(dst []byte, f float64) []byte {
	size := math.Abs(f)
	switch {
	case size == 0:
		return append(dst, '0')
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // Go writes two digits of the exponent at least: 1e-07
		dst = dst[:n-1]
	}
	return dst
}

// appendExact writes a number too large for float64 as one digit, a point, the other digits and the exponent.
func appendExact(dst, number []byte) []byte {
	number, negative := bytes.CutPrefix(number, []byte("-"))
	mantissa, exponent := number, 0
	if e := bytes.IndexAny(number, "eE"); e >= 0 {
		mantissa = number[:e]
		exponent, _ = strconv.Atoi(string(number[e+1:])) // at most tape.MaxNumber
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := append(bytes.Clone(whole), fraction...)
	exponent += len(whole) - 1
	significant := bytes.TrimLeft(digits, "0")
	exponent -= len(digits) - len(significant)
	significant = bytes.TrimRight(significant, "0")
	if negative {
		dst = append(dst, '-')
	}
	dst = append(dst, significant[0])
	if len(significant) > 1 {
		dst = append(append(dst, '.'), significant[1:]...)
	}
	return strconv.AppendInt(append(dst, "e+"...), int64(exponent), 10)
}

// AppendNumber appends the canonical bytes of a number that is not on a tape. Its form must be that of a JSON number.
func AppendNumber(dst, number []byte) []byte {
	if bytes.ContainsAny(number, ".eE") {
		return appendDecimal(dst, number)
	}
	return appendInteger(dst, number)
}
