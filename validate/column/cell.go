package column

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// IsMissing says whether pandas takes the text of a CSV cell for a missing value when it reads a file with its defaults.
func IsMissing(text []byte) bool {
	switch string(text) {
	case "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
		"NULL", "NaN", "None", "n/a", "nan", "null":
		return true
	}
	return false
}

// cell looks at the text of a CSV cell the way pandas does. Its length as JSON has no use: CSV columns are never Json.
func (o *Observer) cell(f *field, row *rows.Row, v tape.Value) {
	text := o.decode(v)
	b := &f.tail
	f.inventory.cells++
	if IsMissing(text) {
		b.valid--
		b.kinds |= isNull
		f.inventory.see(kindNull, row, v.Node())
		if len(text) == 0 {
			b.kinds |= isEmpty
		} else {
			b.kinds |= isMissing
			b.words++
			b.wordBytes += int64(len(text))
			f.inventory.missings.add(text)
			f.inventory.pandasOnly = true
		}
		return
	}
	f.inventory.setExample(v, text)
	b.strings++
	b.bytes += int64(len(text))
	switch kind, number := kindOfCell(text); {
	case kind == isBool:
		b.kinds |= isBool
		b.encoded += int64(len(text))
		f.inventory.see(kindBoolean, row, v.Node())
		f.inventory.pandasOnly = f.inventory.pandasOnly || string(text) == "TRUE" || string(text) == "FALSE"
	case kind.has(isNumber):
		b.kinds |= kind
		b.encoded += int64(len(number))
		f.inventory.pandasOnly = f.inventory.pandasOnly || !bytes.Equal(number, text) || !isJSONSized(number)
		o.cellNumber(f, row, v, kind, number)
	default:
		b.kinds |= isText
		f.inventory.see(kindString, row, v.Node())
		f.inventory.chars.add(int64(v.Chars()))
		f.inventory.values.add(text)
	}
}

// cellNumber counts the number in a cell. The text forms of infinity are floats that have no place among the extremes.
func (o *Observer) cellNumber(f *field, row *rows.Row, v tape.Value, kind kinds, number []byte) {
	if kind.has(isFloating) {
		f.inventory.see(kindNumber, row, v.Node())
	} else {
		f.inventory.see(kindInteger, row, v.Node())
	}
	f.inventory.fractions = f.inventory.fractions || kind.has(isFloat|isGreat)
	if number == nil {
		// Arrow writes inf and -inf.
		b := &f.tail
		b.cast += int64(len("inf"))
		if v.Raw()[0] == '-' {
			b.cast++
		}
		return
	}
	n := parseNumber(number)
	f.tail.addCast(&n)
	f.inventory.numbers.add(&n, number)
}

// isJSONSized says that a number has at most as many digits, and as far an exponent, as hfpub surely reads in JSON.
func isJSONSized(number []byte) bool {
	exponent := bytes.IndexAny(number, "eE")
	return len(number) <= tape.MaxNumber && (exponent < 0 || len(number)-exponent <= len("e-999"))
}

// kindOfCell says what pandas makes of the text of a cell, and gives a number in JSON's form; nil for infinity. pandas
// lets blanks stand around a number, a plus before it, zeros before its digits, and a point without digits on one side.
func kindOfCell(text []byte) (kinds, []byte) {
	switch string(text) {
	case "True", "TRUE", "true", "False", "FALSE", "false":
		return isBool, nil
	}
	if isNumeric(text) {
		return kindOfCellNumber(text), text
	}
	s := bytes.Trim(text, " \t")
	if len(s) == 0 {
		return isText, nil
	}
	negative := s[0] == '-'
	if isSign(s[0]) {
		s = s[1:]
	}
	if bytes.EqualFold(s, []byte("inf")) || bytes.EqualFold(s, []byte("infinity")) {
		return isFloat, nil
	}
	number, ok := jsonNumber(s, negative)
	if !ok {
		return isText, nil
	}
	kind := kindOfCellNumber(number)
	if len(s) > 1 && s[0] == '0' && s[1]-'0' <= 9 {
		kind |= isPadded
	}
	return kind, number
}

func kindOfCellNumber(number []byte) kinds {
	kind := parseNumber(number).kind
	switch {
	case kind.has(isUint):
		return isUint
	case kind.has(isInteger) && number[0] == '-':
		return kind | isNegative
	}
	return kind
}

// jsonNumber writes a number as JSON does.
func jsonNumber(s []byte, negative bool) ([]byte, bool) {
	whole := leadingDigits(s)
	rest := s[whole:]
	var fraction []byte
	point := len(rest) > 0 && rest[0] == '.'
	if point {
		digits := leadingDigits(rest[1:])
		fraction, rest = rest[1:1+digits], rest[1+digits:]
	}
	if whole+len(fraction) == 0 {
		return nil, false
	}
	out := make([]byte, 0, 32)
	if negative {
		out = append(out, '-')
	}
	if digits := bytes.TrimLeft(s[:whole], "0"); len(digits) > 0 {
		out = append(out, digits...)
	} else {
		out = append(out, '0')
	}
	if point {
		out = append(out, '.')
		out = append(out, fraction...)
		if len(fraction) == 0 {
			out = append(out, '0')
		}
	}
	out = append(out, rest...)
	return out, isNumeric(out)
}
