package tape

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/hfpub/hfpub/validate/finding"
)

// syntax reports a fault of the grammar at offset i and returns what read does then.
func (t *Tape) syntax(i int, hint, format string, args ...any) (int, bool) {
	t.fail(i, finding.JSONSyntax, hint, format, args...)
	return i, true
}

// endsInside reports that the text ends, at offset i, before the value does.
func (t *Tape) endsInside(i int) {
	const hint = "the line or file is cut short, or a quote or bracket is never closed"
	n := len(t.parser.open)
	switch {
	case n == 0 && len(t.Nodes) == 0 && len(bytes.TrimLeft(t.Text, " \t\r\n")) == 0:
		t.fail(i, finding.JSONSyntax, "", "no value")
	case n == 0:
		t.fail(i, finding.JSONSyntax, hint, "the text ends inside a value")
	default:
		t.fail(i, finding.JSONSyntax, hint, "the text ends inside %s", t.Nodes[t.parser.open[n-1].node].Kind().withArticle())
	}
}

func (k Kind) withArticle() string {
	if k == Array || k == Object {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// badKey reports what stands where a key is expected.
func (t *Tape) badKey(text []byte, i int) (int, bool) {
	c := text[i]
	switch {
	case c == '}':
		return t.syntax(comma(text, i), "remove the comma", "trailing comma before }")
	case c == ',':
		return t.syntax(i, "remove one of them", "a comma without a member before it")
	case c == '\'':
		return t.syntax(i, "JSON takes double quotes only", "a key in single quotes")
	case isComment(text, i):
		return t.syntax(i, "remove it: JSON has no comments", "a comment")
	case isWord(c):
		return t.syntax(i, "put it in double quotes", "a key without quotes")
	}
	return t.unexpected(text, i, "a key in double quotes")
}

// badValue reports what stands where a value is expected.
func (t *Tape) badValue(text []byte, i int) {
	c := text[i]
	switch {
	case c == ',' || c == '}' || c == ']':
		t.syntax(i, "", "a value is missing before %c", c)
	case c == '\'':
		t.syntax(i, "JSON takes double quotes only", "a string in single quotes")
	case c == '+' || c == '.':
		t.syntax(i, "a number starts with a digit or a minus sign", "a number that starts with %c", c)
	case isComment(text, i):
		t.syntax(i, "remove it: JSON has no comments", "a comment")
	case bytes.HasPrefix(text[i:], []byte("None")), bytes.HasPrefix(text[i:], []byte("True")), bytes.HasPrefix(text[i:], []byte("False")):
		t.syntax(i, "JSON writes null, true and false: use json.dumps, not str or repr", "a word of Python instead of JSON")
	default:
		t.unexpected(text, i, "a value")
	}
}

// badNext reports what stands where a comma or the end of an array or object is expected.
func (t *Tape) badNext(text []byte, i int, kind Kind) (int, bool) {
	c := text[i]
	switch {
	case isComment(text, i):
		return t.syntax(i, "remove it: JSON has no comments", "a comment")
	case c == '"' && kind == Object:
		return t.syntax(i, "put a comma between them; a quote inside a string is written \\\"", "two members without a comma between them")
	case startsValue(text, i) && kind == Array:
		return t.syntax(i, "put a comma between them", "two elements without a comma between them")
	case kind == Object:
		return t.unexpected(text, i, "a comma or }")
	}
	return t.unexpected(text, i, "a comma or ]")
}

// afterValue reports what stands behind the whole value.
func (t *Tape) afterValue(text []byte, i int) {
	if startsValue(text, i) {
		t.fail(i, finding.JSONSeveralValues, "write one value on each line", "more than one value on a line")
		return
	}
	if text[i] == ',' {
		t.syntax(i, "JSON Lines has no commas between rows", "a comma behind the value")
		return
	}
	t.syntax(i, "", "text behind the value: %s", show(text, i))
}

// unexpected reports any other character; bytes that are not UTF-8 are said to be that.
func (t *Tape) unexpected(text []byte, i int, expected string) (int, bool) {
	if r, n := utf8.DecodeRune(text[i:]); r == utf8.RuneError && n == 1 {
		return t.notUTF8(i)
	}
	return t.syntax(i, "", "expected %s, found %s", expected, show(text, i))
}

func (t *Tape) notUTF8(i int) (int, bool) {
	t.fail(i, finding.JSONUTF8, "save the file as UTF-8", "bytes that are not UTF-8")
	return i, true
}

// comma is the offset of the comma before i, with nothing but blanks between; i itself if there is none.
func comma(text []byte, i int) int {
	k := i - 1
	for k >= 0 && isBlank(text[k]) {
		k--
	}
	if k >= 0 && text[k] == ',' {
		return k
	}
	return i
}

func isComment(text []byte, i int) bool {
	return text[i] == '#' || text[i] == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*')
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c-'0' <= 9
}

// startsValue says that a value begins at i.
func startsValue(text []byte, i int) bool {
	switch c := text[i]; c {
	case '{', '[', '"', '-':
		return true
	default:
		return c-'0' <= 9 || slices.ContainsFunc(literals, func(l literal) bool { return bytes.HasPrefix(text[i:], []byte(l.text)) })
	}
}

// show names the character at i in a message.
func show(text []byte, i int) string {
	c := text[i]
	if c > 0x20 && c < 0x7F {
		return string(rune(c))
	}
	r, n := utf8.DecodeRune(text[i:])
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("byte 0x%02X", c)
	}
	return fmt.Sprintf("U+%04X", r)
}
