package parquet

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxDecimal is the length in bytes of the longest decimal that is read: ten times what Arrow can hold.
const maxDecimal = 320

// appendValue appends the JSON text of a value that is not null.
func (b *builder) appendValue(dst []byte, n *node, v *pq.Value) ([]byte, error) {
	switch n.physical {
	case format.Boolean:
		return strconv.AppendBool(dst, v.Boolean()), nil
	case format.Int32:
		return n.appendInteger(dst, int64(v.Int32()), uint64(v.Uint32())), nil
	case format.Int64:
		return n.appendInteger(dst, v.Int64(), v.Uint64()), nil
	case format.Int96:
		return appendInt96(dst, v), nil
	case format.Float:
		return b.appendFloat(dst, float64(v.Float()), 32), nil
	case format.Double:
		return b.appendFloat(dst, v.Double(), 64), nil
	}
	return b.appendBytes(dst, n, v.ByteArray())
}

// appendInteger appends what is stored as an integer.
func (n *node) appendInteger(dst []byte, value int64, unsigned uint64) []byte {
	switch n.logical {
	case asInteger:
		if n.unsigned {
			return strconv.AppendUint(dst, unsigned, 10)
		}
	case asDate:
		return appendQuoted(dst, time.Unix(value*secondsOfDay, 0).UTC(), time.DateOnly)
	case asTime:
		return n.appendClock(dst, value)
	case asTimestamp:
		return n.appendTimestamp(dst, value)
	case asDecimal:
		return appendDecimal(dst, strconv.AppendInt(nil, value, 10), n.scale)
	case asNull:
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, value, 10)
}

const secondsOfDay = 24 * 60 * 60

func appendQuoted(dst []byte, t time.Time, layout string) []byte {
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, layout)
	return append(dst, '"')
}

// moment returns the time of a number of units since 1970.
func (n *node) moment(value int64) time.Time {
	seconds, rest := value/n.unit, value%n.unit
	if rest < 0 {
		seconds--
		rest += n.unit
	}
	return time.Unix(seconds, rest*(1e9/n.unit)).UTC()
}

// appendTimestamp appends a moment with a T between date and time.
func (n *node) appendTimestamp(dst []byte, value int64) []byte {
	t := n.moment(value)
	layout := "2006-01-02T15:04:05" + fractionLayout(int64(t.Nanosecond()))
	if n.utc {
		layout += "Z"
	}
	return appendQuoted(dst, t, layout)
}

// appendClock appends a time of the day.
func (n *node) appendClock(dst []byte, value int64) []byte {
	t := n.moment(value)
	return appendQuoted(dst, t, time.TimeOnly+fractionLayout(int64(t.Nanosecond())))
}

// fractionLayout is the layout for so many nanoseconds beside a whole second: with the fewest of 3, 6 and 9 digits that hold
// them, so that a moment has one form in every unit.
func fractionLayout(nanos int64) string {
	switch {
	case nanos == 0:
		return ""
	case nanos%1e6 == 0:
		return ".000"
	case nanos%1e3 == 0:
		return ".000000"
	}
	return ".000000000"
}

// julianEpoch is 1970-01-01 as a Julian day.
const julianEpoch = 2_440_588

// appendInt96 appends a timestamp in its oldest form: nanoseconds of the day and a Julian day.
func appendInt96(dst []byte, v *pq.Value) []byte {
	words := v.Int96()
	nanos := int64(uint64(words[1])<<32 | uint64(words[0]))
	days := int64(words[2]) - julianEpoch
	t := time.Unix(days*secondsOfDay+nanos/1e9, nanos%1e9).UTC()
	return appendQuoted(dst, t, "2006-01-02T15:04:05"+fractionLayout(int64(t.Nanosecond())))
}

// appendFloat appends the shortest text that reads back as the same float of so many bits. A whole number keeps a point, so
// that it is told from an integer. What JSON has no number for is null, and counted.
func (b *builder) appendFloat(dst []byte, value float64, bits int) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		b.nans++
		return append(dst, "null"...)
	}
	form := byte('f')
	if size := math.Abs(value); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'e'
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, value, form, -1, bits)
	if form == 'f' && !slices.Contains(dst[from:], '.') {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendBytes appends what is stored as bytes.
func (b *builder) appendBytes(dst []byte, n *node, value []byte) ([]byte, error) {
	switch n.logical {
	case asText, asEnum, asJSON:
		if n.json && b.isJSON(value) {
			return appendOnOneLine(dst, value), nil
		}
		return b.appendText(dst, value), nil
	case asUUID:
		if len(value) == 16 {
			return appendUUID(dst, value), nil
		}
	case asFloat16:
		if len(value) == 2 {
			return b.appendFloat(dst, halfFloat(binary.LittleEndian.Uint16(value)), 32), nil
		}
	case asDecimal:
		if len(value) > maxDecimal {
			return nil, damaged("a decimal has %d bytes", len(value))
		}
		return appendDecimal(dst, signedDigits(value), n.scale), nil
	}
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, value)
	return append(dst, '"'), nil
}

// isJSON says that a text is strict JSON, as the loader decodes it.
func (b *builder) isJSON(text []byte) bool { return len(b.json.Parse(text)) == 0 }

// appendOnOneLine appends a JSON text; line breaks in it stand between its tokens.
func appendOnOneLine(dst, text []byte) []byte {
	from := len(dst)
	dst = append(dst, text...)
	for i, c := range dst[from:] {
		if c == '\n' || c == '\r' {
			dst[from+i] = ' '
		}
	}
	return dst
}

// appendText appends a text as a JSON string. Bytes that are not UTF-8 stay what they are, for the reader of the row to find.
func (b *builder) appendText(dst, value []byte) []byte {
	dst = append(dst, '"')
	dst = tape.AppendEscaped(dst, value)
	return append(dst, '"')
}

func appendUUID(dst, value []byte) []byte {
	dst = append(dst, '"')
	for i, end := range [...]int{4, 6, 8, 10, 16} {
		from := 0
		if i > 0 {
			from = [...]int{4, 6, 8, 10, 16}[i-1]
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, value[from:end])
	}
	return append(dst, '"')
}

// halfFloat is the value of a float of 16 bits.
func halfFloat(bits uint16) float64 {
	sign := 1.0
	if bits&0x8000 != 0 {
		sign = -1
	}
	exponent, fraction := int(bits>>10&0x1F), float64(bits&0x3FF)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 0x1F:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// signedDigits writes the integer of big-endian two's complement bytes.
func signedDigits(value []byte) []byte {
	var n big.Int
	n.SetBytes(value)
	if len(value) > 0 && value[0]&0x80 != 0 {
		var full big.Int
		n.Sub(&n, full.Lsh(big.NewInt(1), uint(8*len(value))))
	}
	return n.Append(nil, 10)
}

// appendDecimal appends an integer with its point so many digits from the end.
func appendDecimal(dst, digits []byte, scale int) []byte {
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if scale == 0 {
		return append(dst, digits...)
	}
	for range scale + 1 - len(digits) {
		digits = slices.Insert(digits, 0, '0')
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	dst = append(dst, '.')
	return append(dst, digits[len(digits)-scale:]...)
}
