package digest

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// AppendCanonical appends the canonical bytes of a value, as the package comment defines them, to dst.
func AppendCanonical(dst []byte, v tape.Value) []byte {
	c := canon{out: dst}
	c.value(v)
	return c.out
}

// canon writes canonical bytes; its buffers are reused from row to row.
type canon struct {
	out []byte
	// members are those of the objects being written, the innermost last, and keys the decoded text of their keys.
	members []member
	keys    []byte
}

// member is a member of an object; from and to bound the text of its key in canon.keys.
type member struct {
	key, value tape.Value
	from, to   int
}

// of returns the canonical bytes of a value; they are valid until the next call.
func (c *canon) of(v tape.Value) []byte {
	c.out = c.out[:0]
	c.value(v)
	return c.out
}

func (c *canon) value(v tape.Value) {
	switch v.Kind() {
	case tape.Null, tape.False, tape.True:
		c.out = append(c.out, v.Raw()...)
	case tape.Number:
		c.out = appendNumber(c.out, v.Raw())
	case tape.String:
		c.text(v)
	case tape.Array:
		c.out = append(c.out, '[')
		for i, element := range v.Elements() {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			c.value(element)
		}
		c.out = append(c.out, ']')
	case tape.Object:
		c.object(v)
	}
}

// object writes the members of an object sorted by key.
func (c *canon) object(v tape.Value) {
	first, text := len(c.members), len(c.keys)
	sorted := true
	for key, value := range v.Members() {
		from := len(c.keys)
		c.keys = key.AppendText(c.keys)
		c.members = append(c.members, member{key, value, from, len(c.keys)})
		if n := len(c.members); n-1 > first && sorted {
			sorted = c.compare(c.members[n-2], c.members[n-1]) < 0
		}
	}
	if !sorted {
		slices.SortFunc(c.members[first:], c.compare)
	}
	c.out = append(c.out, '{')
	for i := first; i < first+v.Len(); i++ {
		if i > first {
			c.out = append(c.out, ',')
		}
		m := c.members[i]
		c.text(m.key)
		c.out = append(c.out, ':')
		c.value(m.value)
	}
	c.out = append(c.out, '}')
	c.members, c.keys = c.members[:first], c.keys[:text]
}

func (c *canon) compare(a, b member) int {
	return compareUTF16(c.keys[a.from:a.to], c.keys[b.from:b.to])
}

// compareUTF16 compares two texts in UTF-8 by their UTF-16 code units. The orders differ only where a character beyond
// U+FFFF, which is a pair of code units from U+D800 on, meets one from U+E000 to U+FFFF: their first bytes are 0xF0 and
// more, and 0xEE or 0xEF.
func compareUTF16(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			return int(y) - int(x)
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}

// text writes a string. Without escapes its bytes are canonical as they stand.
func (c *canon) text(v tape.Value) {
	c.out = append(c.out, '"')
	if !v.Escaped() {
		c.out = append(append(c.out, v.Raw()...), '"')
		return
	}
	from := len(c.keys)
	c.keys = v.AppendText(c.keys)
	c.out = append(appendText(c.out, c.keys[from:]), '"')
	c.keys = c.keys[:from]
}

// appendText appends text with the escapes of RFC 8785, section 3.2.2.2.
func appendText(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i, ch := range text {
		if ch >= 0x20 && ch != '"' && ch != '\\' {
			continue
		}
		dst = append(dst, text[from:i]...)
		from = i + 1
		switch ch {
		case '"', '\\':
			dst = append(dst, '\\', ch)
		case '\b':
			dst = append(dst, `\b`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[ch>>4], hex[ch&15])
		}
	}
	return append(dst, text[from:]...)
}

// appendNumber appends the canonical form of a number.
func appendNumber(dst, number []byte) []byte {
	if !bytes.ContainsAny(number, ".eE") {
		if string(number) == "-0" {
			return append(dst, '0')
		}
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
