package exchange

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// maxText is the length in bytes of the longest server text that is printed on one line.
const maxText = 1000

// maxRaw is how many bytes of a server's text are looked at to find those.
const maxRaw = 16 << 10

// terminalEscape matches what a terminal would obey instead of print: ECMA-48 control sequences, and strings such as
// window titles up to their end.
var terminalEscape = lazyregexp.New("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b[ -/]*[0-~]?")

// hubToken matches tokens of the Hub. A server that repeats what it was sent does not make hfpub print it.
var hubToken = lazyregexp.New(`(hf_|api_org_)[A-Za-z0-9_.-]{8,}`)

// credentials matches the value of an Authorization header, which a server may repeat as well.
var credentials = lazyregexp.New(`(?i)\b(basic|bearer)\s+[a-z0-9+/=._~-]{16,}`)

// withoutSecrets takes out what may be a token, in the clear or as a header carries it.
func withoutSecrets(text string) string {
	text = credentials.ReplaceAllStringFunc(text, func(found string) string {
		scheme, value, _ := strings.Cut(found, " ")
		if !strings.ContainsAny(value, "0123456789=") && strings.ToLower(value[1:]) == value[1:] {
			return found // words, as in "basic authentication-is-required"
		}
		return scheme + " ***"
	})
	return hubToken.ReplaceAllString(text, "${1}***")
}

// Clean makes one printable line of a server's words: without terminal escapes, control characters, invisible marks,
// bytes that are not UTF-8, tokens of the Hub and credentials, and anything beyond 1000 bytes.
func Clean(text string) string {
	if len(text) > maxRaw {
		text = text[:maxRaw]
	}
	text = terminalEscape.ReplaceAllString(text, "")
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || !unicode.IsPrint(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return clip(withoutSecrets(b.String()))
}

// clip cuts a text at a rune's end, with an ellipsis, to at most maxText bytes.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	cut := maxText - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// Foreign makes the text of an error fit to print that may repeat what a server sent.
func Foreign(err error) error {
	if err == nil {
		return nil
	}
	return foreignError{err}
}

type foreignError struct{ error }

func (e foreignError) Error() string { return Clean(e.error.Error()) }
func (e foreignError) Unwrap() error { return e.error }
