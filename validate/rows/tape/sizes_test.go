package tape

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// asciiSize is the length of a text in ASCII as [Value.Sizes] has it, from the characters of the text and the slashes that stand as such.
func asciiSize(text string, slashes int) int {
	n := -slashes
	for _, r := range text {
		switch {
		case r >= 0x10000:
			n += 2 * len(`\u0000`)
		case r >= 0x80, r < ' ' && !strings.ContainsRune("\b\t\n\f\r", r):
			n += len(`\u0000`)
		case r < ' ', r == '/', r == '"', r == '\\':
			n += 2
		default:
			n++
		}
	}
	return n
}

// checkSizes holds the sizes of all strings and keys of a value against their texts.
func checkSizes(t *testing.T, v Value) {
	t.Helper()
	if v.Kind() == String {
		text := v.Text()
		length, ascii := v.Sizes()
		if want := asciiSize(text, strings.Count(string(v.Raw()), "/")); length != len(text) || ascii != want || v.Chars() != utf8.RuneCountInString(text) {
			t.Fatalf("%q has a text of %d bytes and %d characters and %d bytes of ASCII, want %d, %d and %d",
				v.Raw(), length, v.Chars(), ascii, len(text), utf8.RuneCountInString(text), want)
		}
	}
	for _, element := range v.Elements() {
		checkSizes(t, element)
	}
	for key, value := range v.Members() {
		checkSizes(t, key)
		checkSizes(t, value)
	}
}

func TestSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	pieces := []string{"a", "/", "\u00e9", "\u65e5", "\U0001F989", "plain text ", strings.Repeat("long ", 30), `\n`, `\\`, `\"`, `\/`, `\u0000`, `\u000a`, `\u001f`, `\u0022`,
		`\u005C`, `\u002f`, `\u0061`, `\u007f`, `\u00e9`, `\u65e5`, `\ud83e\udd89`}
	str := func() string {
		var b strings.Builder
		for range random.IntN(8) * random.IntN(3) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return `"` + b.String() + `"`
	}
	var doc Tape
	for i := range 5000 {
		text := fmt.Sprintf(`{%s: [%s, %s], "": %s, "k%d": {"%d": %s}}`, str(), str(), str(), str(), i, i, str())
		if problems := doc.Parse([]byte(text)); problems != nil {
			continue // a key stands twice
		}
		checkSizes(t, doc.Root())
	}
}

// Of very many strings the sizes of the last are not remembered, but found again.
func TestSizesAreBounded(t *testing.T) {
	doc := parsed(t, `[`+strings.Repeat("\"\u00e9\",", maxSizes)+"\"\u65e5\\u0041\\n\"]")
	if n := len(doc.tape.sizes); n != maxSizes {
		t.Fatalf("%d sizes are remembered, want %d", n, maxSizes)
	}
	last := Value{doc.tape, uint32(len(doc.tape.Nodes) - 1)}
	checkSizes(t, last)
	if got := codesOf(last); len(got) != 3 {
		t.Errorf("%s falls into %q, want 3 pieces", last.Raw(), got)
	}
}
