package tape

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// skipBlanks returns the index of the first byte from i on that is not JSON white space.
func skipBlanks(text []byte, i int) int {
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// notes are what scanString saw in a string. Those below surrogate are traits of the string's node.
type notes uint32

const (
	escaped   notes = isEscaped       // at least one backslash escape
	coded     notes = isCoded         // one of them is \/ or \u
	wide      notes = isWide          // bytes beyond ASCII
	lone      notes = 1 << (iota + 8) // half of a surrogate pair, as an escape
	notUTF8                           // bytes that are not UTF-8
	unclosed                          // the text ends before the string
	control                           // a raw control character, at the index returned
	badEscape                         // a backslash with something else behind it than JSON allows, at the index returned

	traits = escaped | coded | wide
)

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, in the top bits of eight bytes of a string, those that are not plain: quotes, backslashes, control
// characters and what is not ASCII. x^2 swaps the quote and the blank, so that quotes and control characters are what is
// below '!'; x^'\\' is zero for a backslash. Subtracting carries into the top bit exactly then, at least up to the first
// such byte, and only that one is looked for.
func special(x uint64) uint64 {
	quotes, slashes := x^(lows*2), x^(lows*'\\')
	return ((quotes - lows*'!') | (slashes - lows) | x) & highs
}

// eight returns the eight bytes at text[i], zeros for those behind the end.
func eight(text []byte, i int) uint64 {
	switch {
	case i+8 <= len(text):
		return binary.LittleEndian.Uint64(text[i:])
	case len(text) >= 8:
		return binary.LittleEndian.Uint64(text[len(text)-8:]) >> (8 * min(i+8-len(text), 8))
	}
	var x uint64
	for k := len(text) - 1; k >= i; k-- {
		x = x<<8 | uint64(text[k])
	}
	return x
}

// chunkSize is how many bytes are looked at together where the processor can.
const chunkSize = 64

// scanString returns the index of the quote that closes the string whose first byte is text[i]. extra is by how much the
// string's characters are fewer than its bytes. Coded escapes and the sizes of what is beyond ASCII are noted.
func (t *Tape) scanString(text []byte, i int) (end int, seen notes, extra int) {
	return t.scanOn(text, i, false)
}

// scanOn is scanString from anywhere in a string. Plain bytes are passed sixteen at a time. Behind these, behind a simple escape, and where
// more of either is likely, that goes on in chunks, the simple escapes among them (see BenchmarkString).
func (t *Tape) scanOn(text []byte, i int, more bool) (end int, seen notes, extra int) {
	for {
		switch {
		case more && chunked && len(text)-i >= chunkSize:
			passed, escapes := scanChunks(&text[i], len(text)-i)
			i += passed
			if escapes > 0 {
				seen |= escaped
				extra += escapes
			}
			if len(text)-i < chunkSize {
				continue
			}
		case i+16 <= len(text):
			x := special(binary.LittleEndian.Uint64(text[i:]))
			if x == 0 {
				i += 8
				if x = special(binary.LittleEndian.Uint64(text[i:])); x == 0 {
					i, more = i+8, true
					continue
				}
			}
			i += bits.TrailingZeros64(x) >> 3
		default:
			x := special(eight(text, i))
			for ; x == 0; x = special(eight(text, i)) {
				i += 8
			}
			i += bits.TrailingZeros64(x) >> 3
		}
		if i >= len(text) {
			return len(text), seen | unclosed, extra
		}
		more = false
		switch c := text[i]; {
		case c == '"':
			return i, seen, extra
		case c == '\\' && i+1 < len(text) && simpleEscapes[text[i+1]]:
			seen |= escaped
			i += 2
			extra++
			more = true
		case c == '\\':
			next, n, spare := t.passCodes(text, i)
			i, seen, extra = next, seen|n, extra+spare
			if n&(badEscape|unclosed) != 0 {
				return i, seen, extra
			}
		case c < 0x20:
			return i, seen | control, extra
		default:
			next, runes, pairs, n := scanRunes(text, i)
			extra += next - i - runes
			t.size.addRunes(next-i, runes, pairs)
			i = next
			seen |= wide | n
		}
	}
}

// simpleEscapes are the bytes that stand behind the backslash of an escape that is not coded.
var simpleEscapes = [256]bool{'"': true, '\\': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// passCodes notes the coded escapes that stand behind each other from text[i] on: of a text in another alphabet, those of a word. end is
// the index behind them, or of what is none, which seen says; extra is by how much their characters are fewer than their bytes.
func (t *Tape) passCodes(text []byte, i int) (end int, seen notes, extra int) {
	seen = escaped
	for {
		length, r, n := 6, rune(0), coded
		if i+length <= len(text) && text[i+1] == 'u' {
			r = hex4(text[i+2:])
		}
		if r < utf8.RuneSelf || utf16.IsSurrogate(r) {
			length, r, n = scanEscape(text, i)
		}
		seen |= n
		if length == 0 {
			return i, seen, extra
		}
		t.noteCode(i, length, r)
		i += length
		extra += length - 1
		if i+1 >= len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return i, seen, extra
		}
	}
}

// scanEscape measures the coded escape whose backslash is text[i], both halves of a surrogate pair together; 0 if there is none.
// r is the character that it stands for.
func scanEscape(text []byte, i int) (length int, r rune, seen notes) {
	if i+6 <= len(text) && text[i+1] == 'u' {
		if r = hex4(text[i+2:]); r >= 0 && !utf16.IsSurrogate(r) {
			return 6, r, coded
		}
	}
	if i+1 >= len(text) {
		return 0, 0, unclosed
	}
	switch text[i+1] {
	case '/':
		return 2, '/', coded
	case 'u':
		return scanCodeUnits(text, i)
	}
	return 0, 0, badEscape
}

func scanCodeUnits(text []byte, i int) (length int, r rune, seen notes) {
	if i+6 > len(text) {
		if bytes.ContainsFunc(text[i+2:], func(r rune) bool { return r >= utf8.RuneSelf || hexDigits[r] < 0 }) {
			return 0, 0, badEscape
		}
		return 0, 0, unclosed
	}
	r, length = surrogatePair(text, i)
	switch {
	case r < 0:
		return 0, 0, badEscape
	case utf16.IsSurrogate(r):
		return length, r, coded | lone
	}
	return length, r, coded
}

// scanRunes passes over the bytes above 0x7F that begin at i, which are so many characters, pairs of them beyond the basic plane.
// Two and three bytes in their usual ranges are tested here, the rest by package utf8.
func scanRunes(text []byte, i int) (end, runes, pairs int, seen notes) {
	for i < len(text) && text[i] >= utf8.RuneSelf {
		c := text[i]
		runes++
		if c >= 0xC2 && c < 0xE0 && i+1 < len(text) && text[i+1]&0xC0 == 0x80 {
			i += 2
			continue
		}
		if c > 0xE0 && c < 0xED && i+2 < len(text) && text[i+1]&0xC0 == 0x80 && text[i+2]&0xC0 == 0x80 {
			i += 3
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			seen |= notUTF8
		}
		if n == utf8.UTFMax {
			pairs++
		}
		i += n
	}
	return i, runes, pairs, seen
}

// hexDigits are the values of the hex digits by their bytes, -1 for any other byte.
var hexDigits = func() (table [256]int8) {
	for c := range table {
		table[c] = -1
	}
	for i, c := range "0123456789abcdef" {
		table[c] = int8(i)
	}
	for i, c := range "ABCDEF" {
		table[c] = int8(i + 10)
	}
	return table
}()

// hex4 is the value of four hex digits, below 0 when one of them is none.
func hex4(b []byte) rune {
	_ = b[3]
	return rune(hexDigits[b[0]])<<12 | rune(hexDigits[b[1]])<<8 | rune(hexDigits[b[2]])<<4 | rune(hexDigits[b[3]])
}

// surrogatePair reads the escape \uXXXX at raw[i] and, where that is the first half of a pair, the second one behind it:
// the code point and the length of what was read. A lone half comes back as it is.
func surrogatePair(raw []byte, i int) (rune, int) {
	r := hex4(raw[i+2:])
	if r < 0xD800 || r > 0xDBFF || i+12 > len(raw) || raw[i+6] != '\\' || raw[i+7] != 'u' {
		return r, 6
	}
	if pair := utf16.DecodeRune(r, hex4(raw[i+8:])); pair != utf8.RuneError {
		return pair, 12
	}
	return r, 6
}

// loneSurrogate finds the first escaped surrogate without its other half from i to the end of a string; 0 for none.
func loneSurrogate(text []byte, i int) (at int, half rune) {
	for i+1 < len(text) {
		switch {
		case text[i] != '\\':
			i++
		case text[i+1] != 'u' || i+6 > len(text):
			i += 2
		default:
			r, n := surrogatePair(text, i)
			if utf16.IsSurrogate(r) {
				return i, r
			}
			i += n
		}
	}
	return 0, 0
}

// invalidUTF8 finds the first byte from i on that is not UTF-8; -1 for none.
func invalidUTF8(text []byte, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// unescape appends the text of a string to dst: raw is what stands between its quotes, checked by scanString. A lone
// surrogate is written in three bytes, as it would be if it were a character, so that different ones stay different.
//
// The text is never longer than raw; plain bytes are copied eight at a time, more than is kept where an escape follows.
func unescape(dst, raw []byte) []byte {
	dst = slices.Grow(dst, len(raw)+8)
	from := len(dst)
	out := dst[from:cap(dst)]
	n := 0
	for i := 0; i < len(raw); {
		if i+8 <= len(raw) {
			x := binary.LittleEndian.Uint64(raw[i:])
			binary.LittleEndian.PutUint64(out[n:], x)
			y := x ^ (lows * '\\')
			slashes := (y - lows) &^ y & highs
			plain := bits.TrailingZeros64(slashes) >> 3
			i, n = i+plain, n+plain
			if slashes == 0 {
				continue
			}
		}
		c := raw[i]
		i++
		if c == '\\' {
			if i == len(raw) {
				break
			}
			c = raw[i]
			i++
			if c == 'u' {
				if i+4 > len(raw) {
					break
				}
				size, length := decodeUnit(out[n:], raw, i-2)
				n += size
				i += length - 2
				continue
			}
			c = unescaped(c)
		}
		out[n] = c
		n++
	}
	return dst[:from+n]
}

// unescaped is the character of an escape by the byte behind its backslash.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// decodeUnit writes the character of the escape \u at raw[i], or of a pair of them, to out, and returns its size and the
// length of what was read.
func decodeUnit(out, raw []byte, i int) (size, length int) {
	r, length := surrogatePair(raw, i)
	if utf16.IsSurrogate(r) {
		return copy(out, []byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6)&0x3F, 0x80 | byte(r)&0x3F}), length
	}
	return utf8.EncodeRune(out, r), length
}

// AppendUnescaped appends the text of a string to dst: raw is what stands between the quotes of a string on a tape, or the
// beginning of that. An escape that is cut off at the end is left out.
func AppendUnescaped(dst, raw []byte) []byte { return unescape(dst, raw) }

// controlEscape writes a control character as a string holds it.
func controlEscape(c byte) string {
	switch c {
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// numberFault says what is wrong with a number; "" for nothing.
type numberFault string

const (
	numberEnds  numberFault = "the text ends inside a number"
	numberRange numberFault = "out of range"
)

// scanNumber returns the index after the number that begins at text[i], or that of its fault.
func scanNumber(text []byte, i int) (int, numberFault) {
	if text[i] == '-' {
		if i++; i >= len(text) {
			return i, numberEnds
		}
	}
	first := i
	i = skipDigits(text, i)
	digits := i - first
	switch {
	case digits == 0:
		return i, "a minus sign without a digit behind it"
	case digits > 1 && text[first] == '0':
		return first, "a number with a leading zero"
	}
	if i < len(text) && text[i] == '.' {
		from := i + 1
		if i = skipDigits(text, from); i == from {
			return noDigit(text, i, "a decimal point without a digit behind it")
		}
		digits += i - from
	}
	tooFar := digits > MaxNumber
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		from := i
		exponent := 0
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			exponent = min(10*exponent+int(text[i]-'0'), MaxNumber+1)
		}
		if i == from {
			return noDigit(text, i, "an exponent without a digit")
		}
		tooFar = tooFar || exponent > MaxNumber
	}
	if tooFar {
		return i, numberRange
	}
	return i, ""
}

const (
	// firmDigits is up to how many digits every decimal comes back from float64 as it went in.
	firmDigits = 15
	// firmDecimals is up to how many decimals a number is written without an exponent, whatever it is.
	firmDecimals = 6
)

// isFirm says that a number without sign and exponent, but with so many digits behind a point, surely has the canonical form of RFC
// 8785: that of ECMAScript.
func isFirm(number []byte, decimals int) bool {
	return number[len(number)-1] != '0' && len(number) <= firmDigits+len(".") && (number[0] != '0' || decimals <= firmDecimals)
}

// traitsOf returns the traits of a number.
func traitsOf(number []byte) uint32 {
	digits := bytes.TrimPrefix(number, []byte("-"))
	point := bytes.IndexByte(digits, '.')
	switch {
	case bytes.ContainsAny(digits, "eE"):
		return isDecimal | isLoose
	case point >= 0 && isFirm(digits, len(digits)-1-point):
		return isDecimal
	case point >= 0:
		return isDecimal | isLoose
	case string(number) == "-0":
		return isLoose
	}
	return 0
}

func noDigit(text []byte, i int, fault numberFault) (int, numberFault) {
	if i >= len(text) {
		return i, numberEnds
	}
	return i, fault
}

func skipDigits(text []byte, i int) int {
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return i
}
