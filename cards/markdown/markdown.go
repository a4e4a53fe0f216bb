// Package markdown writes foreign texts into GitHub-flavoured Markdown so that they read as they are.
//
// Field names, values and descriptions come from data and schemas and may hold pipes, backticks, line breaks or HTML.
// [Code] shows a text verbatim, [Inline] keeps the Markdown of a description but not its line breaks and HTML, and
// [Text] shows a text without any Markdown of its own. Each gives one line; [Cell] makes such a line fit for a table.
//
// Rows are written one cell after the other and are not padded to columns: a longer value in one row then leaves the
// other rows as they are, which keeps the difference between two cards small. (tablewriter's Markdown renderer pads,
// escapes no pipe and turns a line break into a further row.)
package markdown

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Code is a code span that shows s verbatim, on one line: a line break becomes a blank, and another control character is
// shown as its escape in JSON.
func Code(s string) string {
	s = visible(s)
	if strings.Contains(s, `\|`) || s == "" {
		// In a table `\|` always stands for a pipe, so a span cannot show a backslash before one; nor can it be empty.
		return "<code>" + strings.NewReplacer(entities()...).Replace(s) + "</code>"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if pad := needsPad(s); pad {
		s = " " + s + " "
	}
	return fence + s + fence
}

// entities are the ASCII characters that mean something in Markdown outside of code.
var entities = sync.OnceValue(func() []string {
	var out []string
	for _, r := range "&<>\\|`*_[]~!#" {
		out = append(out, string(r), fmt.Sprintf("&#%d;", r))
	}
	return out
})

// needsPad tells whether a code span of s needs a blank at both ends: one that a reader strips again.
func needsPad(s string) bool {
	if strings.Trim(s, " ") == "" {
		return false
	}
	return s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' '
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// visible replaces what cannot stand on one line of text: bytes that are not UTF-8 and control characters.
func visible(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	if strings.IndexFunc(s, isBreak) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteByte(' ')
		case r == '\t':
			b.WriteString(`\t`)
		case isBreak(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isBreak holds for control characters and for the separators that some readers take for the end of a line.
func isBreak(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// Fence is a block of code that shows a text verbatim, with the name of its language. Its lines end in LF.
func Fence(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	text = strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	return fence + language + "\n" + text + "\n" + fence
}

// Inline is a text that may hold Markdown of its own, on one line: white space of any kind becomes one blank. A `<`
// outside of code spans is escaped, so that `<name>` is read and no HTML gets in.
func Inline(s string) string {
	s = oneLine(s)
	var b strings.Builder
	unclosed := map[int]bool{}
	for s != "" {
		at := strings.IndexAny(s, "`<\\")
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		s = s[at:]
		n := token(s, unclosed)
		if s[0] == '<' {
			b.WriteByte('\\')
		}
		b.WriteString(s[:n])
		s = s[n:]
	}
	b.WriteString(s)
	return b.String()
}

// token is the length of the piece of Markdown that begins s: a whole code span, a run of backticks that opens none, an
// escaped character, or one byte. Unclosed remembers the lengths of runs that nothing closes from here on.
func token(s string, unclosed map[int]bool) int {
	switch {
	case s[0] == '`':
		run := backticks(s)
		if unclosed[run] {
			return run
		}
		rest := spanEnd(s[run:], run)
		unclosed[run] = rest == 0
		return run + rest
	case s[0] == '\\' && len(s) > 1 && s[1] < utf8.RuneSelf && s[1] != ' ':
		return 2
	}
	return 1
}

// spanEnd is the length of a code span's rest, closing run of backticks included; 0 where none closes it.
func spanEnd(s string, run int) int {
	for at := 0; at < len(s); {
		open := strings.IndexByte(s[at:], '`')
		if open < 0 {
			return 0
		}
		at += open
		n := backticks(s[at:])
		at += n
		if n == run {
			return at
		}
	}
	return 0
}

func backticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if isBreak(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ")
}

// Text is a plain text on one line, shown as it is: what Markdown would take for its own is escaped.
func Text(s string) string {
	s = oneLine(s)
	var b strings.Builder
	last := ' '
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if strings.ContainsRune("\\`*[]<>|~&", r) || r == '_' && !(isWord(last) && isWord(next)) || r == '#' && last == ' ' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Cell makes one line of Markdown fit for a table: a pipe in it is escaped, also inside of code spans, as GFM wants it.
func Cell(s string) string {
	var b strings.Builder
	escaped := false
	for i := 0; i < len(s); i++ {
		if s[i] == '|' && !escaped {
			b.WriteByte('\\')
		}
		escaped = s[i] == '\\' && !escaped
		b.WriteByte(s[i])
	}
	return b.String()
}

// Count writes a number with a comma after every three digits: 15,630.
func Count(n int64) string {
	s := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return sign + s
}
