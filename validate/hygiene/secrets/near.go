package secrets

import (
	"bytes"
	"strings"
	"unicode"
)

// near says what has to stand around a keyword for a rule to be worth running: it looks at a few bytes, and the expressions are
// slow. A rule that is turned away here would not have matched. What it holds comes from the rule's expression (analysis_test.go).
type near struct {
	// assigned: behind the keyword comes, after a short name, an operator or a colon, and then a value of at least least bytes.
	assigned bool
	// solid: the keyword is part of a run of at least least bytes of those that the expression matches.
	solid bool
	least int
	bytes byteSet
	// run says that the value begins with a run of bytes, or that what the keyword is in is a part of one, long enough for [sieve] to see it.
	run bool
}

// where is a place in which [sieve] looks for keywords.
type where int

const (
	everywhere where = iota
	inNames
	inParts
)

// where says where the keyword of a rule is found.
func (n *near) where(keyword string) where {
	isName := !strings.ContainsFunc(keyword, func(r rune) bool { return r > unicode.MaxASCII || !isName(byte(r)) })
	switch {
	case isName && len(keyword) >= minPart, n.run && !n.assigned:
		return inParts
	case isName && len(keyword) <= maxKeyword && n.run:
		return inNames
	}
	return everywhere
}

// commonWindow is how many bytes before and behind a keyword are looked at.
const commonWindow = 600

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// fits says whether a rule may match at a keyword.
func (n *near) fits(text []byte, start, end int) bool {
	switch {
	case n.assigned:
		return isAssigned(text[end:min(len(text), end+commonWindow)], n.least)
	case n.solid:
		return n.isSolid(text, start, end)
	}
	return true
}

// besideCode says whether JSON writes the character before or behind a word as \u and four digits: rules that look at it would
// see a digit or a backslash.
func besideCode(text []byte, start, end int) bool {
	const length = len(`\u0000`)
	return start >= length && text[start-length] == '\\' && text[start-length+1] == 'u' || bytes.HasPrefix(text[end:], []byte(`\u`))
}

func (n *near) isSolid(text []byte, start, end int) bool {
	for start > 0 && end-start < n.least && n.bytes.has(text[start-1]) {
		start--
	}
	for end < len(text) && end-start < n.least && n.bytes.has(text[end]) {
		end++
	}
	return end-start >= n.least
}

// isAssigned says whether a text, what follows a keyword, begins with the rest of a name, an operator and a value. It takes more
// than the expressions do, and backslashes anywhere, so that it can look at JSON as it is written.
func isAssigned(text []byte, least int) bool {
	at := 0
	for range maxName {
		size := restOfName(text[at:])
		if size == 0 {
			break
		}
		at += size
	}
	at = skip(text, at, 4, isSpaceOrQuote)
	if at == len(text) || !isOperator(text[at]) {
		return false
	}
	at = skip(text, at, 4, isOperator)
	at = skip(text, at, 6, func(b byte) bool { return isSpaceOrQuote(b) || b == '=' })
	run := 0
	for at+run < len(text) && run < least && !isSpaceOrQuote(text[at+run]) {
		run++
	}
	return run >= least
}

// writtenTab is how JSON writes a tab.
const writtenTab = `\t`

// restOfName is the size of a character between a keyword and an operator that a text begins with; 0 if it is none.
func restOfName(text []byte) int {
	switch {
	case len(text) == 0:
		return 0
	case isName(text[0]) || text[0] == ' ' || text[0] == '\t':
		return 1
	case bytes.HasPrefix(text, []byte(writtenTab)):
		return len(writtenTab)
	}
	return 0
}

// maxName is how many characters may stand between a keyword and an operator: the expressions take 20, and some have longer
// names than the keyword.
const maxName = 60

// skip passes up to most bytes of a kind; an escape of JSON counts as one of them.
func skip(text []byte, at, most int, kind func(byte) bool) int {
	for ; most > 0 && at < len(text); most-- {
		switch {
		case text[at] == '\\' && at+1 < len(text):
			at += 2
		case kind(text[at]):
			at++
		default:
			return at
		}
	}
	return at
}

func isSpaceOrQuote(b byte) bool { return isSpace(b) || b == '\'' || b == '"' || b == '`' }

func isName(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '.' || b == '-'
}

func isOperator(b byte) bool {
	return b == '=' || b == '>' || b == ':' || b == '|' || b == '?' || b == ','
}

func isSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }
