package column

import (
	"bytes"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// value looks at the value of a field at a node. It returns the length in which pandas writes it, and the node behind it.
//
// Nearly all values are like others of their field. Those take a short way, on which nothing is found out that is known of the
// field, nor any length that need not be counted: see short.go. It does for them what the long way does.
func (o *Observer) value(f *field, row *rows.Row, node int) (size, next int) {
	doc := row.Doc
	n := &doc.Nodes[node]
	count := 0
	switch {
	case row.Cells:
	case n.Kind() == tape.String:
		if size = f.shortText(doc, n, o.slashes); size > 0 {
			return size, node + 1
		}
		if f.inventory.values.many {
			count, size = f.shortTexts(values{doc, node, 1, 1}, o.slashes)
		}
	case n.Decimal():
		count, size = f.shortDecimals(values{doc, node, 1, 1})
	case n.Kind() == tape.Number:
		count, size = f.shortIntegers(values{doc, node, 1, 1})
	}
	if count > 0 {
		return size, node + 1
	}
	return o.long(f, row, node)
}

// long is value on the long way.
func (o *Observer) long(f *field, row *rows.Row, node int) (size, next int) {
	switch row.Doc.Nodes[node].Kind() {
	case tape.String:
		return o.anyString(f, row, node), node + 1
	case tape.Number:
		return o.number(f, row, node), node + 1
	case tape.Array:
		return o.array(f, row, node)
	case tape.Object:
		return o.object(f, row, node)
	case tape.Null:
		o.null(f, row, node)
		return encodedNull, node + 1
	}
	return o.truth(f, row, node), node + 1
}

// add adds kinds to those of a batch, and keeps where new ones are.
func (o *Observer) add(b *batch, added kinds, row *rows.Row, node int) {
	if added &^= b.kinds; added != 0 {
		b.kinds |= added
		o.mark(b, added, row, node)
	}
}

func (o *Observer) null(f *field, row *rows.Row, node int) {
	b := &f.tail
	b.present++
	f.inventory.see(kindNull, row, node)
	if b.present == 1 {
		o.mark(b, 0, row, node)
	}
}

// begin counts a value that is neither null nor a string.
func (f *field) begin(row *rows.Row, node int) *batch {
	if f.inventory.example == "" {
		f.inventory.setExample(row.Doc.Value(node), nil)
	}
	b := &f.tail
	b.present++
	b.valid++
	return b
}

// truth looks at true or false.
func (o *Observer) truth(f *field, row *rows.Row, node int) int {
	b := f.begin(row, node)
	o.add(b, isBool, row, node)
	f.inventory.see(kindBoolean, row, node)
	start, end := row.Doc.Nodes[node].Span()
	b.encoded += int64(end - start)
	return end - start
}

// mark keeps where a batch first holds kinds of values.
func (o *Observer) mark(b *batch, added kinds, row *rows.Row, node int) {
	b.mark(mark{added, row.LineOf(row.Doc.Value(node)), o.block})
}

func (o *Observer) number(f *field, row *rows.Row, node int) int {
	b := f.begin(row, node)
	start, end := row.Doc.Nodes[node].Span()
	raw := row.Doc.Text[start:end]
	n := &o.num
	n.parse(raw)
	o.add(b, n.kind&^isUint, row, node)
	b.addCast(n)
	b.digits += int64(len(raw))
	b.encoded += int64(n.encoded)
	if n.refused {
		o.root.tail.refused = true
	}
	if n.whole {
		f.inventory.see(kindInteger, row, node)
	} else {
		f.inventory.see(kindNumber, row, node)
	}
	f.inventory.numbers.add(n, raw)
	f.inventory.fractions = f.inventory.fractions || n.kind.has(isFloat|isGreat)
	return n.encoded
}

// addCast counts the length of a number that is cast to text.
func (b *batch) addCast(n *num) {
	b.cast += int64(n.text)
	b.unsized = b.unsized || n.text == 0
}

// anyString looks at a string of JSON or at a cell, whose length as pandas writes it has no use.
func (o *Observer) anyString(f *field, row *rows.Row, node int) (size int) {
	b := &f.tail
	b.present++
	b.valid++
	before := b.kinds
	if row.Cells {
		o.cell(f, row, row.Doc.Value(node))
	} else {
		size = o.string(f, row, node)
	}
	if b.kinds != before {
		o.mark(b, b.kinds&^before, row, node)
	}
	return size
}

func (o *Observer) string(f *field, row *rows.Row, node int) int {
	v := row.Doc.Value(node)
	raw := v.Raw()
	size, length := measured(v)
	in := &f.inventory
	if in.counts[kindString] == 0 || in.example == "" || !in.values.many {
		o.keep(in, row, node, v.Plain(), raw)
	}
	in.counts[kindString]++
	in.chars.add(int64(size.runes))
	b := &f.tail
	b.strings++
	b.bytes += int64(length)
	opens := opening(0)
	if len(raw) > 0 {
		opens = openings[raw[0]]
	}
	if opens&opensNumber != 0 {
		b.kinds |= o.kindOfString(v)
	} else {
		b.kinds |= isText
	}
	if opens&opensJSON != 0 && o.isSelfEncoded(v) {
		b.encoded += int64(length)
	} else {
		b.encoded += int64(size.encoded + quotes)
	}
	return size.encoded + quotes
}

// keep looks at a string as long as something of the field's strings is kept: where the first one is, an example, and how
// often each of a few stands there.
func (o *Observer) keep(in *inventory, row *rows.Row, node int, plain bool, raw []byte) {
	if in.counts[kindString] == 0 {
		in.firsts[kindString] = placeOf(row, node)
	}
	if in.example == "" {
		v := row.Doc.Value(node)
		in.setExample(v, o.decode(v))
	}
	if !in.values.many {
		o.distinct(in, row, node, plain, raw)
	}
}

// distinct counts a string among the distinct ones, which are short.
func (o *Observer) distinct(in *inventory, row *rows.Row, node int, plain bool, raw []byte) {
	switch {
	case plain:
		in.values.add(raw)
	case row.Doc.Value(node).Chars() > maxValueBytes:
		in.values = texts{many: true}
	default:
		in.values.add(o.decode(row.Doc.Value(node)))
	}
}

// isSelfEncoded is selfEncoded for a string. A state that is written as JSON is often written again as it was, and a log of what happened
// with more behind it.
func (o *Observer) isSelfEncoded(v tape.Value) bool {
	raw := v.Raw()
	if o.encoded != nil && bytes.Equal(raw, o.encoded) {
		return true
	}
	if !o.readsAsJSON(v) {
		return false
	}
	o.encoded = raw
	return true
}

// readsAsJSON is selfEncoded for a string. Only one with coded escapes of ASCII is decoded, and first its beginning.
func (o *Observer) readsAsJSON(v tape.Value) bool {
	raw := v.Raw()
	if !v.Coded() || codedBeyondASCII(v) {
		d := lenient{raw, true}
		if known := openList(o.encoded); len(raw) > len(known) && len(known) > 0 && raw[len(known)] == ',' && bytes.HasPrefix(raw, known) {
			return d.goesOn(len(known) + 1)
		}
		return d.whole()
	}
	o.text = tape.AppendUnescaped(o.text[:0], raw[:min(glimpse, len(raw))])
	if surelyNoJSON(o.text) {
		return false
	}
	return selfEncoded(o.decode(v))
}

// codedBeyondASCII says that all coded escapes of a string stand for characters beyond ASCII.
func codedBeyondASCII(v tape.Value) bool {
	codes := v.Codes()
	for code, more := codes.Next(); more; code, more = codes.Next() {
		if code.Rune() < utf8.RuneSelf {
			return false
		}
	}
	return true
}

// openList returns a list that is not empty, as it stands in a string, without its closing bracket: a text that begins so, and goes on with
// a comma, can be read from there on. It is nil for any other text, and for lists that do not end as most do.
func openList(json []byte) []byte {
	end := len(json) - 1
	if end < 2 || json[0] != '[' || json[end] != ']' {
		return nil
	}
	switch json[end-1] {
	case ']', '}', '"':
		return json[:end]
	}
	return nil
}

// kindOfString is kindOfText for a string. An escape that is not coded stands for a character that makes it a text.
func (o *Observer) kindOfString(v tape.Value) kinds {
	if v.Escaped() && !v.Coded() || v.Chars() > maxNumericText {
		return isText
	}
	return kindOfText(o.decode(v))
}

// decode returns the text of a string, valid until the next call.
func (o *Observer) decode(v tape.Value) []byte {
	if !v.Escaped() {
		return v.Raw()
	}
	o.text = v.AppendText(o.text[:0])
	return o.text
}

func (o *Observer) array(f *field, row *rows.Row, node int) (size, next int) {
	b := f.begin(row, node)
	o.add(b, isList, row, node)
	count := row.Doc.Nodes[node].Len()
	f.inventory.see(kindArray, row, node)
	f.inventory.items.add(int64(count))
	size = len("[]") + max(count-1, 0)
	if count > 0 && f.element == nil && !f.wide {
		f.addElement()
	}
	next = node + 1
	for left := count; left > 0; {
		some, seen := 0, 1
		if f.wide {
			element := row.Doc.Value(next)
			some, next = o.unseen(f, element), element.After().Node()
		} else {
			some, seen, next = o.elements(f.element, row, next, left)
		}
		size += some
		left -= seen
	}
	b.encoded += int64(size)
	return size, next
}

func (o *Observer) object(f *field, row *rows.Row, node int) (size, next int) {
	b := f.begin(row, node)
	o.add(b, isObject, row, node)
	b.objects++
	v := row.Doc.Value(node)
	count := v.Len()
	f.inventory.see(kindObject, row, node)
	size = len("{}") + max(count-1, 0)
	next = node + 1
	members := o.layout(f, v)
	guess := 0
	for i := range count {
		var m *field
		switch {
		case f.wide:
		case i < len(members):
			m = members[i]
		default:
			m = o.member(f, &guess, row.Doc.Value(next))
		}
		var one int
		if m == nil {
			key := row.Doc.Value(next)
			value := key.After()
			one, next = o.unseenMember(f, key, value), value.After().Node()
		} else {
			one, next = o.value(m, row, next+1)
			one += m.key
		}
		size += one
	}
	b.encoded += int64(size)
	return size, next
}

// member returns the field of a key, a new one if need be; nil inside an object that is wide. guess is where it may be among
// the members, and moves on to the next.
func (o *Observer) member(f *field, guess *int, key tape.Value) *field {
	name := o.decode(key)
	for i := *guess; i < min(*guess+fewSkipped, len(f.members)); i++ {
		if f.members[i].name == string(name) {
			*guess = i + 1
			return f.members[i]
		}
	}
	if i := f.find(name); i >= 0 {
		*guess = i + 1
		return f.members[i]
	}
	*guess = len(f.members) + 1
	return f.addMember(string(name))
}

// unseen returns the length of a value inside an object that is wide.
func (o *Observer) unseen(f *field, v tape.Value) int {
	switch v.Kind() {
	case tape.String:
		size, _ := measured(v)
		return size.encoded + quotes
	case tape.Number:
		n := parseNumber(v.Raw())
		o.root.tail.refused = o.root.tail.refused || n.refused
		return n.encoded
	case tape.Array:
		size := len("[]") + max(v.Len()-1, 0)
		for _, element := range v.Elements() {
			size += o.unseen(f, element)
		}
		return size
	case tape.Object:
		size := len("{}") + max(v.Len()-1, 0)
		for key, value := range v.Members() {
			size += o.unseenMember(f, key, value)
		}
		return size
	}
	return len(v.Raw())
}

func (o *Observer) unseenMember(f *field, key, value tape.Value) int {
	size, _ := measured(key)
	return size.encoded + quotes + 1 + o.unseen(f, value)
}

// kindOfText says what Arrow could make of a text.
func kindOfText(text []byte) kinds {
	if len(text) == 0 || openings[text[0]]&opensNumber == 0 {
		return isText
	}
	if zoned, ok := timestamp(text); ok {
		if zoned {
			return isZoned
		}
		return isDate
	}
	switch string(text) {
	case "0", "1":
		return isBit
	case "true", "false", "True", "False", "TRUE", "FALSE":
		return isTruth
	}
	number := withoutZeros(text)
	switch {
	case len(text) > maxNumericText || !isNumeric(number):
		return isText
	case parseNumber(number).kind.has(isInteger):
		return isDigits
	}
	return isDecimal
}

// withoutZeros cuts the zeros off a number's beginning that Arrow passes over, and JSON does not allow.
func withoutZeros(text []byte) []byte {
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	zeros := 0
	for zeros+1 < len(digits) && digits[zeros] == '0' && digits[zeros+1]-'0' <= 9 {
		zeros++
	}
	if zeros == 0 {
		return text
	}
	if len(digits) < len(text) {
		return append([]byte{'-'}, digits[zeros:]...)
	}
	return digits[zeros:]
}

// maxNumericText is the length of the longest text that is looked at for a number; dates are shorter.
const maxNumericText = 32

// isNumeric says that a text has the form of a JSON number.
func isNumeric(text []byte) bool {
	rest := text
	if rest[0] == '-' {
		rest = rest[1:]
	}
	digits := leadingDigits(rest)
	if digits == 0 || digits > 1 && rest[0] == '0' {
		return false
	}
	rest = rest[digits:]
	if len(rest) > 0 && rest[0] == '.' {
		digits := leadingDigits(rest[1:])
		if digits == 0 {
			return false
		}
		rest = rest[1+digits:]
	}
	if len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if len(rest) > 0 && isSign(rest[0]) {
			rest = rest[1:]
		}
		digits := leadingDigits(rest)
		return digits > 0 && digits == len(rest)
	}
	return len(rest) == 0
}

func leadingDigits(s []byte) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}
