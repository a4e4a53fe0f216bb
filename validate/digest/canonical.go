package digest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// AppendCanonical appends the canonical bytes of a value, as the package comment defines them, to dst.
func AppendCanonical(dst []byte, v tape.Value) []byte {
	var c canon
	return c.appendValue(dst, v)
}

// canon writes canonical bytes; its buffers are reused from row to row.
//
// What it writes is never longer than the text, but for numbers with a point or an exponent. So room is made once for a whole row, and
// copies need not look how much is left of it: see [canon.room] and copy.go.
type canon struct {
	doc *tape.Tape
	// out takes what is written, up to its capacity: functions are given how many bytes are written, and return how many are then.
	out []byte
	// most is the length in the text of the value that is written.
	most int
	// orders are those kept with shapes; nil until one is needed.
	shapes *tape.Shapes
	orders *orders
	// values are the nodes of the values of the objects being written, the innermost last.
	values []int
	// long is kept for long rows.
	long []byte
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

// orders are how the objects of a tape are written, by their shapes.
type orders struct{ list []*order }

// keeper is the owner of orders.
type keeper struct{}

// order is how objects of one shape are written.
type order struct {
	members []ordered
	// sorted says that the members stand in this order in the object, short that their keys are short.
	sorted, short bool
}

// ordered is a member in its order.
type ordered struct {
	// head holds the first bytes of the key's text, and keySize is its length.
	head    [shortKey]byte
	keySize int
	// key is the text in front of the value: the key in quotes with its colon, and before that the brace or a comma.
	key string
	// place is how many members are before this one in the object, value the node of the value behind that of the object if each value
	// before takes one.
	place, value uint32
}

// shortKey is how long most keys are at most.
const shortKey = 32

// appendRow appends the canonical bytes of a tape's value to dst.
func (c *canon) appendRow(dst []byte, doc *tape.Tape) []byte { return c.appendValue(dst, doc.Root()) }

// appendValue appends the canonical bytes of a value to dst.
func (c *canon) appendValue(dst []byte, v tape.Value) []byte {
	c.begin(v.Tape())
	c.out, c.most = dst, c.size(v.Node())
	c.room(len(dst))
	n, _ := c.value(len(dst), v.Node())
	dst, c.out = c.out[:n], nil
	return dst
}

// begin turns to a value of a tape.
func (c *canon) begin(doc *tape.Tape) {
	c.doc = doc
	if shapes := doc.Shapes(); shapes != c.shapes {
		c.shapes, c.orders = shapes, nil
	}
}

// size is the length of a value in the text.
func (c *canon) size(node int) int {
	v := &c.doc.Nodes[node]
	start, end := v.Span()
	if v.Kind() == tape.String {
		return end - start + len(`""`)
	}
	return end - start
}

// room makes room behind the first n bytes for all that is left to write, and for what copies write behind that.
func (c *canon) room(n int) {
	c.out = slices.Grow(c.out[:n], c.most+overrun)
	c.out = c.out[:cap(c.out)]
}

// value writes the value at a node behind the first n bytes. It returns how many bytes are written then, and the node behind the value.
func (c *canon) value(n, node int) (written, behind int) {
	v := &c.doc.Nodes[node]
	switch kind := v.Kind(); {
	case kind == tape.Object:
		return c.object(n, node)
	case kind == tape.Array:
		return c.array(n, node)
	case v.Verbatim():
		start, end := v.Whole()
		return c.copy(n, start, end), node + 1
	case kind == tape.String:
		return c.recoded(n, node), node + 1
	}
	return c.number(n, node), node + 1
}

// number writes a number whose canonical form may be another than that in the text, even a longer one.
func (c *canon) number(n, node int) int {
	v := &c.doc.Nodes[node]
	start, end := v.Span()
	number := c.doc.Text[start:end]
	if v.Decimal() {
		c.out = appendDecimal(c.out[:n], number)
	} else {
		c.out = appendInteger(c.out[:n], number)
	}
	n = len(c.out)
	c.room(n)
	return n
}

func (c *canon) array(n, node int) (written, behind int) {
	count := c.doc.Nodes[node].Len()
	c.out[n] = '['
	n++
	node++
	for left := count; left > 0; {
		if alike := c.doc.Alike(node, left); alike > 1 {
			o := c.orderOf(n, node)
			behind := node + alike*(1+2*len(o.members))
			n, node = c.flat(n, node, behind, o), behind
			left -= alike
			continue
		}
		n, node = c.value(n, node)
		c.out[n] = ','
		n++
		left--
	}
	if count > 0 {
		n-- // the last comma
	}
	c.out[n] = ']'
	return n + 1, node
}

// object writes the members of an object sorted by key.
func (c *canon) object(n, node int) (written, behind int) {
	v := &c.doc.Nodes[node]
	if v.Len() == 0 {
		return n + copy(c.out[n:], "{}"), node + 1
	}
	o := c.orderOf(n, node)
	if o == nil {
		return c.dictionary(n, node)
	}
	behind = v.After(node)
	switch {
	case behind == node+1+2*len(o.members):
		return c.flat(n, node, behind, o) - len(","), behind
	case o.sorted:
		key := node + 1
		for i := range o.members {
			n = c.name(n, &o.members[i])
			n, key = c.value(n, key+1)
		}
	default:
		n = c.unsorted(n, node, o)
	}
	c.out[n] = '}'
	return n + 1, behind
}

// flat writes objects of one shape that stand one behind the other, the nodes of all of them before behind, and a comma after each.
// Their values take one node each.
func (c *canon) flat(n, node, behind int, o *order) int {
	stride := 1 + 2*len(o.members)
	_, end := c.doc.Nodes[behind-stride].Span()
	short := o.short && end+overrun <= cap(c.doc.Text)
	for i := 0; node < behind; {
		if short {
			if n, node, i = c.short(n, node, behind, o.members, i); node == behind {
				break
			}
		}
		if i == len(o.members) {
			n += copy(c.out[n:], "},")
			node += stride
			i = 0
			continue
		}
		m := &o.members[i]
		n = c.name(n, m)
		n, _ = c.value(n, node+int(m.value))
		i++
	}
	return n
}

// unsorted writes the members of an object that do not stand in their order.
func (c *canon) unsorted(n, node int, o *order) int {
	first := len(c.values)
	key := node + 1
	for range o.members {
		c.values = append(c.values, key+1)
		key = c.doc.Nodes[key+1].After(key + 1)
	}
	for i := range o.members {
		m := &o.members[i]
		n = c.name(n, m)
		n, _ = c.value(n, c.values[first+int(m.place)])
	}
	c.values = c.values[:first]
	return n
}

// orderOf returns how an object is written that has members, nil for one without a shape. It is to be written behind the first n bytes.
func (c *canon) orderOf(n, node int) *order {
	shape := c.doc.Value(node).Shape()
	if c.orders != nil && int(shape) < len(c.orders.list) && c.orders.list[shape] != nil {
		return c.orders.list[shape]
	}
	return c.findOrder(n, node, shape)
}

func (c *canon) findOrder(n, node int, shape tape.Shape) *order {
	if shape == 0 {
		return nil
	}
	c.orders = tape.Kept[orders](c.shapes, keeper{})
	for int(shape) >= len(c.orders.list) {
		c.orders.list = append(c.orders.list, nil)
	}
	if c.orders.list[shape] == nil {
		c.orders.list[shape] = c.newOrder(n, node)
	}
	return c.orders.list[shape]
}

// newOrder writes the keys where the object is going to be written, which has more to it.
func (c *canon) newOrder(n, node int) *order {
	first, text := len(c.members), len(c.text)
	members := c.gather(c.doc.Value(node))
	o := &order{members: make([]ordered, len(members)), sorted: true, short: true}
	end := n
	for i, m := range members {
		from := end
		end = c.key(end, i, m.key)
		key := c.out[from:end]
		o.members[i] = ordered{key: string(key), keySize: len(key), place: m.place, value: 2 + 2*m.place}
		copy(o.members[i].head[:], key)
		o.sorted = o.sorted && int(m.place) == i
		o.short = o.short && len(key) <= shortKey
	}
	c.members, c.text = c.members[:first], c.text[:text]
	return o
}

// dictionary writes an object that has no shape.
func (c *canon) dictionary(n, node int) (written, behind int) {
	v := c.doc.Value(node)
	first, text := len(c.members), len(c.text)
	for i, m := range c.gather(v) {
		n = c.key(n, i, m.key)
		n, _ = c.value(n, int(m.value))
	}
	c.out[n] = '}'
	c.members, c.text = c.members[:first], c.text[:text]
	return n + 1, v.After().Node()
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
func (c *canon) key(n, i int, key uint32) int {
	c.out[n] = ','
	if i == 0 {
		c.out[n] = '{'
	}
	n, _ = c.value(n+1, int(key))
	c.out[n] = ':'
	return n + 1
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
func (c *canon) recoded(n, node int) int {
	v := c.doc.Value(node)
	from, end := c.doc.Nodes[node].Span()
	c.out[n] = '"'
	n++
	if listed, all := v.ListedCodes(); all {
		for _, code := range listed {
			n, from = c.recode(n, from, code)
		}
	} else {
		codes := v.Codes()
		for code, more := codes.Next(); more; code, more = codes.Next() {
			n, from = c.recode(n, from, code)
		}
	}
	n = c.copy(n, from, end)
	c.out[n] = '"'
	return n + 1
}

// recode writes a string from a place in the text on to an escape, and that. It returns the place behind it, too.
func (c *canon) recode(n, from int, code tape.Code) (written, behind int) {
	start, behind := code.Span()
	if from < start {
		n = c.copy(n, from, start)
	}
	r := code.Rune()
	if r < utf8.RuneSelf {
		return len(appendASCII(c.out[:n], byte(r))), behind
	}
	return c.wide(n, r), behind
}

// character writes a character of a string.
func (c *canon) character(n int, r rune) int {
	if r < utf8.RuneSelf {
		return len(appendASCII(c.out[:n], byte(r)))
	}
	return c.wide(n, r)
}

// wide writes a character that is not ASCII.
func (c *canon) wide(n int, r rune) int {
	// Four bytes with six bits each, of which the first ones are shifted out.
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError
	}
	size := 2
	if r >= 0x800 {
		size++
	}
	if r >= 0x10000 {
		size++
	}
	six := uint32(r)>>18&0x3F | uint32(r)>>12&0x3F<<8 | uint32(r)>>6&0x3F<<16 | uint32(r)&0x3F<<24 | 0x80808080
	first := uint32(0xF00) >> size & 0xF0
	binary.LittleEndian.PutUint32(c.out[n:], six>>(32-8*size)|first)
	return n + size
}

// appendASCII appends an ASCII character of a string.
func appendASCII(dst []byte, ch byte) []byte {
	const hex = "0123456789abcdef"
	switch ch {
	case '"', '\\':
		return append(dst, '\\', ch)
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
	if ch < ' ' {
		return append(dst, '\\', 'u', '0', '0', hex[ch>>4], hex[ch&15])
	}
	return append(dst, ch)
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
	if short := bytes.TrimRight(number, "0"); isShortest(short) {
		return append(dst, bytes.TrimSuffix(short, []byte("."))...)
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
