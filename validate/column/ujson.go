package column

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// What follows is the length of the text in which the loader writes the values of a Json column. It uses the JSON module
// of pandas (ujson): ASCII only, slashes escaped, floats with at most ten decimals, no blanks. A text that the
// module can read as JSON by itself is kept as it is; it reads a little more than JSON allows.

const (
	// encodedDecimals is how many decimals pandas writes, decodedDecimals how many it reads.
	encodedDecimals = 10
	decodedDecimals = 15
	encodedNull     = len("null")
	quotes          = len(`""`)
	// maxNesting is how deep pandas reads.
	maxNesting = 1024
)

// textSize is the length of a text: in characters, and in bytes as pandas writes it between quotes.
type textSize struct{ runes, encoded int }

// measured returns the size of a string on a tape and the length of its text in bytes. The text itself is not needed: the tape
// knows its sizes.
func measured(v tape.Value) (size textSize, length int) {
	length, ascii := v.Sizes()
	return textSize{v.Chars(), ascii + countSlashes(v.Raw())}, length
}

// plainSize measures a text that needs no escape in JSON other than what pandas adds: slashes and non-ASCII characters.
func plainSize(s []byte) textSize {
	continued, grown := wideSize(s)
	return textSize{len(s) - continued, len(s) + countSlashes(s) + grown}
}

// countSlashes counts them eight bytes at a time in short texts, where that is faster than package bytes.
func countSlashes(s []byte) int {
	const (
		few  = 32
		low7 = 0x7f7f7f7f7f7f7f7f
		all  = 0x0101010101010101 * '/'
	)
	if len(s) > few {
		return bytes.Count(s, []byte{'/'})
	}
	n := 0
	for len(s) >= 8 {
		x := binary.LittleEndian.Uint64(s) ^ all
		n += bits.OnesCount64(^((x&low7 + low7) | x | low7))
		s = s[8:]
	}
	for _, c := range s {
		if c == '/' {
			n++
		}
	}
	return n
}

// wideSize counts the bytes that continue a character in UTF-8, and by how much the characters beyond ASCII grow when pandas
// writes them: \uXXXX for each, twice that for one beyond the basic plane.
func wideSize(s []byte) (continued, grown int) {
	const high = 0x8080808080808080
	var wide, fourth int
	count := func(w uint64) {
		if w&high != 0 {
			wide += bits.OnesCount64(w & high)
			continued += bits.OnesCount64(w & ^(w << 1) & high)
			fourth += bits.OnesCount64(w & (w << 1) & (w << 2) & (w << 3) & high)
		}
	}
	rest := s
	for len(rest) >= 8 {
		count(binary.LittleEndian.Uint64(rest))
		rest = rest[8:]
	}
	var last [8]byte
	copy(last[:], rest)
	count(binary.LittleEndian.Uint64(last[:]))
	return continued, len(`\u0000`)*(wide-continued+fourth) - wide
}

// decodedSize measures a text that may hold quotes, backslashes and control characters.
func decodedSize(s []byte) textSize {
	size := plainSize(s)
	for _, c := range s {
		size.encoded += escapeSize(c)
	}
	return size
}

// escapeSize is by how much a byte grows when pandas escapes it, slashes and non-ASCII characters aside.
func escapeSize(c byte) int {
	switch {
	case c == '"', c == '\\', c == '\b', c == '\t', c == '\n', c == '\f', c == '\r':
		return 1
	case c < ' ':
		return len(`\u00`) + 1
	}
	return 0
}

// fraction reads the decimals of a number as pandas does: the first fifteen.
type fraction struct {
	digits uint64
	count  int
}

func (f *fraction) add(digit byte) {
	if f.count < decodedDecimals {
		f.digits = f.digits*10 + uint64(digit)
		f.count++
	}
}

func (f *fraction) value() float64 { return float64(f.digits) * tenths[f.count] }

var tenths = [decodedDecimals + 1]float64{
	1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15,
}

// encodedFloat reads a number as pandas does and returns the length in which it writes it again; refused when the integer
// part is outside 64 bits.
func encodedFloat(raw []byte, negative bool) (length int, refused bool) {
	i := 0
	if negative {
		i = 1
	}
	var whole uint64
	for ; i < len(raw) && raw[i]-'0' <= 9; i++ {
		high, low := bits.Mul64(whole, 10)
		sum, carry := bits.Add64(low, uint64(raw[i]-'0'), 0)
		if high|carry != 0 || negative && sum > 1<<63 {
			return 0, true
		}
		whole = sum
	}
	var decimals fraction
	if i < len(raw) && raw[i] == '.' {
		for i++; i < len(raw) && raw[i]-'0' <= 9; i++ {
			decimals.add(raw[i] - '0')
		}
	}
	value := float64(whole) + decimals.value()
	if i < len(raw) {
		exponent, _ := strconv.Atoi(string(bytes.TrimPrefix(raw[i+1:], []byte("+"))))
		value *= math.Pow(10, float64(exponent))
	}
	return writtenFloat(value, negative), false
}

// writtenFloat is the length of a float as pandas writes it (Buffer_AppendDoubleUnchecked); value is not negative.
func writtenFloat(value float64, negative bool) int {
	length := 0
	if negative && value != 0 {
		length = 1
	}
	if value > 1e16-1 || value != 0 && value < 1e-15 {
		var buf [32]byte
		return length + len(strconv.AppendFloat(buf[:0], value, 'g', encodedDecimals, 64))
	}
	whole := uint64(value)
	scaled := (value - float64(whole)) * 1e10
	fraction := uint64(scaled)
	if rest := scaled - float64(fraction); rest > 0.5 || rest == 0.5 && (fraction == 0 || fraction&1 != 0) {
		fraction++
	}
	if fraction >= 1e10 {
		fraction = 0
		whole++
	}
	decimals := 1
	if fraction > 0 {
		for decimals = encodedDecimals; fraction%10 == 0; fraction /= 10 {
			decimals--
		}
	}
	for length++; whole >= 10; whole /= 10 {
		length++
	}
	return length + 1 + decimals
}

// selfEncoded says that pandas reads a text as JSON, so that a Json column keeps it as it is.
func selfEncoded(s []byte) bool { return lenient{text: s}.whole() }

// opening says what a text may be by the first byte of what stands between its quotes.
type opening uint8

const (
	// opensJSON says that selfEncoded has to look at the text, opensNumber that kindOfText has to: it knows truth values too.
	opensJSON opening = 1 << iota
	opensNumber
)

// openings are indexed by that byte. A backslash may stand for any character, a blank says nothing.
var openings = [256]opening{
	'\\': opensJSON | opensNumber, '-': opensJSON | opensNumber, '0': opensJSON | opensNumber, '1': opensJSON | opensNumber,
	'2': opensJSON | opensNumber, '3': opensJSON | opensNumber, '4': opensJSON | opensNumber, '5': opensJSON | opensNumber,
	'6': opensJSON | opensNumber, '7': opensJSON | opensNumber, '8': opensJSON | opensNumber, '9': opensJSON | opensNumber,
	' ': opensJSON, '"': opensJSON, '[': opensJSON, '{': opensJSON,
	't': opensJSON | opensNumber, 'f': opensJSON | opensNumber, 'T': opensNumber, 'F': opensNumber, 'n': opensJSON, 'N': opensJSON, 'I': opensJSON,
}

// beginsJSON says that a text goes on like JSON from its first byte that is no blank; one with escapes may do so.
func beginsJSON(s []byte) bool {
	if len(s) == 0 || openings[s[0]]&opensJSON == 0 {
		return false
	}
	if s[0] < 'A' || s[0] == '[' || s[0] == '\\' || s[0] == '{' {
		return true
	}
	for _, word := range [...]string{"true", "false", "null", "NaN", "Infinity"} {
		if s[0] == word[0] {
			return len(s) > 1 && (s[1] == word[1] || s[1] == '\\')
		}
	}
	return false
}

const (
	// glimpse is how many bytes of a string with coded escapes are decoded first.
	glimpse = 64
	// lookAhead is more than what lenient looks at at once.
	lookAhead = 16
)

// surelyNoJSON says that selfEncoded is false for every text that begins like this.
func surelyNoJSON(head []byte) bool {
	at, ok := lenient{text: head}.value(0, 0)
	return !ok && at+lookAhead <= len(head)
}

// lenient follows a text the way ultrajsondec.c does. Its methods start at an index and return where they ended, or failed.
type lenient struct {
	text []byte
	// raw says that text stands between the quotes of a string, where quotes, backslashes and control characters are escaped. No coded
	// escape in it is one of ASCII, so that they mean no more than letters.
	raw bool
}

// whole says that nothing but blanks stands around one value.
func (d lenient) whole() bool {
	at := d.blanks(0)
	if !beginsJSON(d.text[at:]) {
		return false
	}
	at, ok := d.value(at, 0)
	return ok && d.blanks(at) == len(d.text)
}

// goesOn is whole for a text of which a list is read, up to an index behind one of its commas.
func (d lenient) goesOn(at int) bool {
	at, ok := d.elements(at, 1)
	return ok && d.blanks(at) == len(d.text)
}

// peek returns the character at an index, 0 at the end.
func (d lenient) peek(at int) byte {
	if at >= len(d.text) {
		return 0
	}
	c := d.text[at]
	if c == '\\' && d.raw {
		return escapes[d.text[at+1]]
	}
	return c
}

// escapes are the characters of the escapes that are not coded, by the byte behind the backslash.
var escapes = [256]byte{'"': '"', '\\': '\\', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// blanks passes blanks. In most places there is none, or one.
func (d lenient) blanks(at int) int {
	if at < len(d.text) && d.text[at] == ' ' {
		at++
	}
	if at < len(d.text) && d.text[at] > ' ' && d.text[at] != '\\' {
		return at
	}
	return d.moreBlanks(at)
}

func (d lenient) moreBlanks(at int) int {
	for at < len(d.text) {
		switch c := d.text[at]; {
		case c > ' ' && c != '\\':
			return at
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '\\' && d.raw && (d.text[at+1] == 'n' || d.text[at+1] == 't' || d.text[at+1] == 'r'):
			at += 2
		default:
			return at
		}
	}
	return at
}

func (d lenient) word(at int, w string) (int, bool) {
	if !bytes.HasPrefix(d.text[at:], []byte(w)) {
		return at, false
	}
	return at + len(w), true
}

func (d lenient) value(at, depth int) (int, bool) {
	at = d.blanks(at)
	switch d.peek(at) {
	case '"':
		return d.quoted(at)
	case '[':
		return d.array(at, depth+1)
	case '{':
		return d.object(at, depth+1)
	case 't':
		return d.word(at, "true")
	case 'f':
		return d.word(at, "false")
	case 'n':
		return d.word(at, "null")
	case 'N':
		return d.word(at, "NaN")
	case 'I':
		return d.word(at, "Infinity")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return d.number(at)
	}
	return at, false
}

// number takes digits, a point and an exponent as they come; none of them is demanded.
func (d lenient) number(at int) (int, bool) {
	negative := d.text[at] == '-'
	if negative {
		at++
		if d.peek(at) == 'I' {
			return d.word(at, "Infinity")
		}
	}
	var whole uint64
	for ; d.peek(at)-'0' <= 9; at++ {
		before := whole
		whole = whole*10 + uint64(d.text[at]-'0')
		if !negative && before > whole || negative && whole > 1<<63 {
			return at, false
		}
	}
	if d.peek(at) == '.' {
		at = d.digits(at + 1)
	}
	if c := d.peek(at); c == 'e' || c == 'E' {
		at++
		if c := d.peek(at); c == '-' || c == '+' {
			at++
		}
		at = d.digits(at)
	}
	return at, true
}

func (d lenient) digits(at int) int { return at + leadingDigits(d.text[at:]) }

func (d lenient) quoted(at int) (int, bool) {
	at++
	if d.raw {
		if at = d.skipToEscape(at + 1); at+1 < len(d.text) && d.text[at] == '\\' && d.text[at+1] == '"' {
			return at + 2, true
		}
	}
	for {
		if at = d.skipPlain(at); at >= len(d.text) {
			return at, false
		}
		c := d.text[at]
		if c == '\\' && d.raw {
			at++
			if d.text[at] == 'u' {
				at += len("u0000")
				continue
			}
			c = escapes[d.text[at]]
		}
		switch c {
		case 0:
			return at, false
		case '"':
			return at + 1, true
		case '\\':
			ok := false
			if at, ok = d.escape(at + 1); !ok {
				return at, false
			}
		default:
			at++
		}
	}
}

// skipPlain passes eight bytes at a time, as long as there is no quote, backslash or zero among them, and stops at it.
func (d lenient) skipPlain(at int) int {
	for at+wordBytes <= len(d.text) {
		x := binary.LittleEndian.Uint64(d.text[at:])
		if special := zeroBytes(x) | zeroBytes(x^lowBytes*'"') | zeroBytes(x^lowBytes*'\\'); special != 0 {
			return at + bits.TrailingZeros64(special)>>3
		}
		at += wordBytes
	}
	return at
}

// skipToEscape passes eight bytes at a time until there is a backslash, and stops at it.
func (d lenient) skipToEscape(at int) int {
	for at+wordBytes <= len(d.text) {
		slashes := zeroBytes(binary.LittleEndian.Uint64(d.text[at:]) ^ lowBytes*'\\')
		if slashes != 0 {
			return at + bits.TrailingZeros64(slashes)>>3
		}
		at += wordBytes
	}
	return at
}

// escape checks what stands behind a backslash.
func (d lenient) escape(at int) (int, bool) {
	switch d.peek(at) {
	case '\\', '"':
		if d.raw {
			at++
		}
		return at + 1, true
	case '/', 'b', 'f', 'n', 'r', 't':
		return at + 1, true
	case 'u':
	default:
		return at, false
	}
	if at+4 >= len(d.text) {
		return at, false
	}
	if _, err := strconv.ParseUint(string(d.text[at+1:at+5]), 16, 16); err != nil {
		return at, false
	}
	return at + 5, true
}

func (d lenient) array(at, depth int) (int, bool) {
	if depth > maxNesting {
		return at, false
	}
	if at = d.blanks(at + 1); d.peek(at) == ']' {
		return at + 1, true
	}
	return d.elements(at, depth)
}

// nextText is what stands in a raw list from the end of a value to the text that follows, in most.
var nextText = []byte(`, \"`)

// elements reads those of a list, one of which has to follow, and its end.
func (d lenient) elements(at, depth int) (int, bool) {
	for {
		ok := false
		if at = d.blanks(at); d.peek(at) == '"' {
			at, ok = d.quoted(at)
		} else {
			at, ok = d.value(at, depth)
		}
		for ok && d.raw && bytes.HasPrefix(d.text[at:], nextText) {
			at, ok = d.quoted(at + len(", "))
		}
		if !ok {
			return at, false
		}
		at = d.blanks(at)
		switch d.peek(at) {
		case ']':
			return at + 1, true
		case ',':
			at++
		default:
			return at, false
		}
	}
}

// object lets a comma stand before the closing brace.
func (d lenient) object(at, depth int) (int, bool) {
	if depth > maxNesting {
		return at, false
	}
	at++
	for {
		if at = d.blanks(at); d.peek(at) == '}' {
			return at + 1, true
		}
		if d.peek(at) != '"' {
			return at, false
		}
		ok := false
		if at, ok = d.quoted(at); !ok {
			return at, false
		}
		if at = d.blanks(at); d.peek(at) != ':' {
			return at, false
		}
		if at, ok = d.value(at+1, depth); !ok {
			return at, false
		}
		at = d.blanks(at)
		switch d.peek(at) {
		case '}':
			return at + 1, true
		case ',':
			at++
		default:
			return at, false
		}
	}
}
