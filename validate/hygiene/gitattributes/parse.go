package gitattributes

import (
	"bytes"
	"strings"
)

// Limits of git: it ignores longer lines and files.
const (
	lineLimit = 2048
	fileLimit = 100 << 20
)

const blanks = " \t\r\n"

// line is a line that git heeds. For the definition of a macro, macro is its name.
type line struct {
	macro string
	rule  rule
}

// parse reads the lines of a file that git heeds.
func parse(text []byte) []line {
	if len(text) >= fileLimit {
		return nil
	}
	var lines []line
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for raw := range bytes.Lines(text) {
		if l, ok := parseLine(string(raw)); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// parseLine reads one line. It is false for a blank line, a comment, and a line that git refuses: too long, a bad name
// of an attribute, a negative pattern.
func parseLine(text string) (line, bool) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	text, _, _ = strings.Cut(text, "\x00")
	if len(text) >= lineLimit {
		return line{}, false
	}
	text = strings.TrimLeft(text, blanks)
	if text == "" || text[0] == '#' {
		return line{}, false
	}
	name, words, quoted := unquote(text)
	if !quoted {
		name = firstWord(text)
		words = text[len(name):]
	}
	settings, ok := parseSettings(words)
	if !ok {
		return line{}, false
	}
	if macro, isMacro := strings.CutPrefix(name, "[attr]"); isMacro && macro != "" {
		macro = firstWord(strings.TrimLeft(macro, blanks))
		return line{macro, rule{settings: settings}}, validName(macro)
	}
	if strings.HasPrefix(name, "!") {
		return line{}, false
	}
	return line{"", rule{newPattern(name), settings}}, true
}

func firstWord(text string) string {
	if end := strings.IndexAny(text, blanks); end >= 0 {
		return text[:end]
	}
	return text
}

// parseSettings reads the words after the pattern: name, -name, !name or name=text.
func parseSettings(words string) ([]setting, bool) {
	var settings []setting
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return strings.ContainsRune(blanks, r) }) {
		name, text, hasText := strings.Cut(word, "=")
		s := setting{name: name}
		switch {
		case strings.HasPrefix(name, "-"):
			s.name, s.state = name[1:], isUnset
		case strings.HasPrefix(name, "!"):
			s.name, s.state = name[1:], isUnspecified
		case hasText:
			s.state, s.text = isText, text
		}
		if !validName(s.name) {
			return nil, false
		}
		settings = append(settings, s)
	}
	return settings, true
}

// validName reports whether git takes a name as that of an attribute.
func validName(name string) bool {
	if name == "" || name[0] == '-' || strings.HasPrefix(name, "builtin_") {
		return false
	}
	for _, c := range []byte(name) {
		if !isAlnum(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// unquote reads the C-style quoted text that a line starts with, and what follows it; ok is false when there is none.
func unquote(text string) (name, rest string, ok bool) {
	if text[0] != '"' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			name, _, _ = strings.Cut(b.String(), "\x00")
			return name, text[i+1:], true
		case '\\':
			c, n := escaped(text[i+1:])
			if n == 0 {
				return "", "", false
			}
			b.WriteByte(c)
			i += n
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", false
}

// controlEscapes are the letters that stand for control characters after a backslash, and those characters.
const controlEscapes, controls = "abfnrtv", "\a\b\f\n\r\t\v"

// escaped reads what follows a backslash in a quoted text: the byte it stands for and its length, 0 when it is none.
func escaped(text string) (c byte, n int) {
	if text == "" {
		return 0, 0
	}
	if text[0] == '\\' || text[0] == '"' {
		return text[0], 1
	}
	if i := strings.IndexByte(controlEscapes, text[0]); i >= 0 {
		return controls[i], 1
	}
	if len(text) < 3 || text[0] > '3' {
		return 0, 0
	}
	for _, digit := range []byte(text[:3]) {
		if digit < '0' || digit > '7' {
			return 0, 0
		}
		c = c<<3 | (digit - '0')
	}
	return c, 3
}
