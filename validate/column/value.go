package column

import (
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// value looks at one value of a field and returns the length in which pandas writes it.
func (o *Observer) value(f *field, row *rows.Row, v tape.Value) int {
	b := &f.tail
	b.present++
	switch v.Kind() {
	case tape.Null:
		f.inventory.see(kindNull, row, v)
		return encodedNull
	case tape.String:
		b.valid++
		if row.Cells {
			return o.cell(f, row, v)
		}
		return o.string(f, row, v)
	}
	b.valid++
	f.inventory.setExample(v, nil)
	var size int
	switch v.Kind() {
	case tape.Number:
		size = o.number(f, row, v)
	case tape.Array:
		b.kinds |= isList
		size = o.array(f, row, v)
	case tape.Object:
		b.kinds |= isObject
		b.objects++
		size = o.object(f, row, v)
	default:
		b.kinds |= isBool
		f.inventory.see(kindBoolean, row, v)
		size = len(v.Raw())
	}
	b.encoded += int64(size)
	return size
}

func (o *Observer) number(f *field, row *rows.Row, v tape.Value) int {
	raw := v.Raw()
	n := parseNumber(raw)
	f.tail.kinds |= n.kind &^ isUint
	f.tail.addCast(n)
	o.root.tail.refused = o.root.tail.refused || n.refused
	if n.whole {
		f.inventory.see(kindInteger, row, v)
	} else {
		f.inventory.see(kindNumber, row, v)
	}
	f.inventory.numbers.add(n, raw)
	f.inventory.fractions = f.inventory.fractions || n.kind.has(isFloat)
	return n.encoded
}

// addCast counts the length of a number that is cast to text.
func (b *batch) addCast(n num) {
	b.cast += int64(n.text)
	b.unsized = b.unsized || n.text == 0
}

func (o *Observer) string(f *field, row *rows.Row, v tape.Value) int {
	text, size := o.decode(v)
	f.inventory.see(kindString, row, v)
	f.inventory.setExample(v, text)
	f.inventory.chars.add(int64(size.runes))
	f.inventory.values.add(text)
	b := &f.tail
	b.kinds |= kindOfText(text)
	b.strings++
	b.bytes += int64(len(text))
	if selfEncoded(text) {
		b.encoded += int64(len(text))
	} else {
		b.encoded += int64(size.encoded + quotes)
	}
	return size.encoded + quotes
}

// decode returns the text of a string, valid until the next call, and its size.
func (o *Observer) decode(v tape.Value) ([]byte, textSize) {
	if !v.Escaped() {
		return v.Raw(), plainSize(v.Raw())
	}
	o.text = v.AppendText(o.text[:0])
	return o.text, escapedSize(v.Raw(), o.text)
}

func (o *Observer) array(f *field, row *rows.Row, v tape.Value) int {
	f.inventory.see(kindArray, row, v)
	f.inventory.items.add(int64(v.Len()))
	size := len("[]") + max(v.Len()-1, 0)
	if v.Len() > 0 && f.element == nil && !f.wide {
		f.addElement()
	}
	for _, element := range v.Elements() {
		if f.wide {
			size += o.unseen(f, element)
			continue
		}
		size += o.value(f.element, row, element)
	}
	return size
}

func (o *Observer) object(f *field, row *rows.Row, v tape.Value) int {
	f.inventory.see(kindObject, row, v)
	size := len("{}") + max(v.Len()-1, 0)
	at := 0
	for key, value := range v.Members() {
		if m := o.member(f, at, key); m != nil {
			size += m.key + o.value(m, row, value)
		} else {
			size += o.unseenMember(f, key, value)
		}
		at++
	}
	return size
}

// member returns the field of a key, a new one if need be; nil inside an object that is wide.
func (o *Observer) member(f *field, at int, key tape.Value) *field {
	if f.wide {
		return nil
	}
	name := key.Raw()
	if key.Escaped() {
		o.text = key.AppendText(o.text[:0])
		name = o.text
	}
	if m := f.at(at, name); m != nil {
		return m
	}
	return f.addMember(string(name))
}

// unseen returns the length of a value inside an object that is wide.
func (o *Observer) unseen(f *field, v tape.Value) int {
	switch v.Kind() {
	case tape.String:
		_, size := o.decode(v)
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
	_, size := o.decode(key)
	return size.encoded + quotes + 1 + o.unseen(f, value)
}

// kindOfText says what Arrow could make of a text.
func kindOfText(text []byte) kinds {
	if len(text) == 0 || text[0] > '9' || text[0] < '-' {
		return isText
	}
	switch {
	case isTimestamp(text):
		return isDate
	case len(text) > maxNumericText || !isNumeric(text):
		return isText
	case parseNumber(text).kind.has(isInteger):
		return isDigits
	}
	return isDecimal
}

// maxNumericText is the length of the longest text that is looked at for a number.
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
