package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/nearest"
)

// maxShown is how many characters of a value are shown in a message.
const maxShown = 60

// literal shows a value in a message: scalars as JSON, cut where they are long; of arrays and objects the kind.
func literal(value any) string {
	switch v := value.(type) {
	case string:
		return quote(v)
	case []any, map[string]any:
		return kindOf(v)
	case json.Number:
		return cut(string(v))
	}
	return fmt.Sprint(jsonText(value))
}

// quote shows a text as a JSON string, cut where it is long.
func quote(s string) string {
	const most = maxShown * utf8.UTFMax
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	if runes := []rune(s); len(runes) > maxShown {
		s = string(runes[:maxShown]) + "…"
	}
	return jsonText(s)
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
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	case json.Number:
		if isWhole(v) {
			return "an integer"
		}
	}
	return "a number"
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
