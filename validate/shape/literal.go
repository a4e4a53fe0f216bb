package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxShown is how many characters of a value are shown in a message.
const maxShown = 60

// literal shows a value of a schema in a message: scalars as JSON, cut where they are long; of arrays and objects the kind.
func (n *node) literal() string {
	switch n.kind {
	case tape.String:
		return quote(n.text)
	case tape.Number:
		return cut(n.text)
	case tape.Array, tape.Object:
		return kindName(n.kind, false)
	}
	return jsonText(n.value())
}

// literal shows a value of a row in the same way.
func literal(v tape.Value) string {
	switch v.Kind() {
	case tape.String:
		return quote(v.Text())
	case tape.Array, tape.Object:
		return kindOf(v)
	}
	return cut(string(v.Raw()))
}

// shown shows a value of a schema with what is in it, where that is short.
func (n *node) shown() string {
	if n.kind >= tape.Array {
		if text := jsonText(n.value()); utf8.RuneCountInString(text) <= maxShown {
			return text
		}
	}
	return n.literal()
}

// shown shows a value of a row in the same way.
func shown(v tape.Value) string {
	const most = 64 * maxShown
	if v.Kind() >= tape.Array && len(v.Raw()) <= most && !isLong(v) {
		if text := jsonText(v.Any()); utf8.RuneCountInString(text) <= maxShown {
			return text
		}
	}
	return literal(v)
}

// isLong says of an array or object that what is in it alone is more than is shown. Few that are too long to be shown are not.
func isLong(v tape.Value) bool {
	doc, size := v.Tape(), 0
	for node := v.Node() + 1; node < v.After().Node() && size <= maxShown; node++ {
		switch inside := doc.Value(node); inside.Kind() {
		case tape.String:
			size += inside.Chars() + len(`""`)
		case tape.Array, tape.Object:
			size += len("[]")
		default:
			size += len(inside.Raw())
		}
	}
	return size > maxShown
}

// quote shows a text as a JSON string, cut where it is long.
func quote(s string) string {
	const most = maxShown * utf8.UTFMax
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	if isPlain(s) {
		return `"` + s + `"`
	}
	if runes := []rune(s); len(runes) > maxShown {
		s = string(runes[:maxShown]) + "…"
	}
	return jsonText(s)
}

// isPlain says that a text is short and the same in JSON.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' || c == 0x7F {
			return false
		}
	}
	return len(s) <= maxShown
}

func cut(s string) string {
	if len(s) > maxShown {
		return s[:maxShown] + "…"
	}
	return s
}

func jsonText(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// kindOf names the kind of a value, with its article.
func kindOf(v tape.Value) string { return kindName(v.Kind(), v.IsInteger()) }

func kindName(kind tape.Kind, whole bool) string {
	if kind == tape.Number && whole {
		return typeWithArticle("integer")
	}
	return typeWithArticle(kind.String())
}

// typeWithArticle is a type's name with its article.
func typeWithArticle(name string) string {
	switch name {
	case "null":
		return name
	case "integer", "array", "object":
		return "an " + name
	}
	return "a " + name
}

// either joins alternatives: "a, b or c".
func either(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// enumerate joins the first of a list and counts the rest.
func enumerate(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// near finds the word that was meant, where there are not too many to choose from.
func near(word string, known []string) (string, bool) {
	const most = 200
	if len(known) > most {
		return "", false
	}
	return nearest.Word(word, known)
}
