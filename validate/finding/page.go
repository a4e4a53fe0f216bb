package finding

import "embed"

//go:embed pages
var pages embed.FS

// Page returns the page about a code, as Markdown: what it means, an example, the fix.
func Page(code Code) (string, bool) {
	if _, ok := Lookup(code); !ok {
		return "", false
	}
	text, err := pages.ReadFile("pages/" + string(code) + ".md")
	return string(text), err == nil
}
