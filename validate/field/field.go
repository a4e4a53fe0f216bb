// Package field finds in a row what the fields of hfpub.yaml name: JSON Pointers in which `*` stands for every element.
//
// A [Path] is one field, a [Key] one or several taken together. Values are compared by their canonical bytes (package digest), so
// that 1 and 1.0 are equal, and key order and escapes do not matter. A cell of a CSV file counts as what load_dataset makes of it
// where that shows in the cell alone: a JSON number is a number, an empty cell is null, all else is text.
//
// # No value
//
// A field that is missing and one that is null are the same, as they are to load_dataset. A key has no value when none of its
// fields has one; a key of several fields of which some have none is compared like any other, with null in their place.
package field

import (
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// token is a step of a path.
type token struct {
	name string
	// index is the name as the index of an element, -1 when it is none.
	index int
	star  bool
}

// Path is a field of a row, ready to be looked up.
type Path struct {
	Text   string
	tokens []token
	stars  bool
}

// Compile reads a pointer of hfpub.yaml, which was checked when it was loaded.
func Compile(p release.Path) Path {
	out := Path{Text: string(p)}
	if p == "" {
		return out
	}
	for part := range strings.SplitSeq(string(p[1:]), "/") {
		t := token{name: strings.NewReplacer("~1", "/", "~0", "~").Replace(part), index: -1, star: part == "*"}
		if n, err := strconv.Atoi(part); err == nil && strconv.Itoa(n) == part && n >= 0 {
			t.index = n
		}
		out.stars = out.stars || t.star
		out.tokens = append(out.tokens, t)
	}
	return out
}

// Many says that the path may lead to several values of a row.
func (p *Path) Many() bool { return p.stars }

// Name is the path as people read it: id, metadata.repo, turns[*].text; "the row" for the empty one.
func (p *Path) Name() string {
	if len(p.tokens) == 0 {
		return "the row"
	}
	var b strings.Builder
	for i, t := range p.tokens {
		switch {
		case t.star:
			b.WriteString("[*]")
		case i > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(t.name)
		}
	}
	return b.String()
}

// step follows one token that is no star.
func step(v tape.Value, t *token) (tape.Value, bool) {
	switch v.Kind() {
	case tape.Object:
		return v.Get(t.name)
	case tape.Array:
		if t.index < 0 || t.index >= v.Len() {
			return tape.Value{}, false
		}
		element := v.First()
		for range t.index {
			element = element.After()
		}
		return element, true
	}
	return tape.Value{}, false
}

// First returns the value that a path without stars leads to.
func (p *Path) First(row *rows.Row) (tape.Value, bool) {
	v := row.Doc.Root()
	for i := range p.tokens {
		next, ok := step(v, &p.tokens[i])
		if !ok {
			return tape.Value{}, false
		}
		v = next
	}
	return v, true
}

// Each calls see with every value that the path leads to in the row.
func (p *Path) Each(row *rows.Row, see func(tape.Value)) {
	each(row.Doc.Root(), p.tokens, see)
}

func each(v tape.Value, tokens []token, see func(tape.Value)) {
	for i := range tokens {
		if tokens[i].star {
			children(v, func(_ string, child tape.Value) { each(child, tokens[i+1:], see) })
			return
		}
		next, ok := step(v, &tokens[i])
		if !ok {
			return
		}
		v = next
	}
	see(v)
}

// children calls see with every element of an array or value of an object, and its token in a pointer.
func children(v tape.Value, see func(token string, child tape.Value)) {
	for i, element := range v.Elements() {
		see(strconv.Itoa(i), element)
	}
	for key, member := range v.Members() {
		see(tape.EscapeToken(key.Text()), member)
	}
}

var number = lazyregexp.New(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// maxNumber is the length of the longest cell that is taken for a number.
const maxNumber = 400

// Number returns the text of a number: of a JSON number, or of a CSV cell that is one.
func Number(row *rows.Row, v tape.Value) (text []byte, ok bool) {
	switch {
	case v.Kind() == tape.Number:
		return v.Raw(), true
	case row.Cells && v.Kind() == tape.String && !v.Escaped() && isNumber(v.Raw()):
		return v.Raw(), true
	}
	return nil, false
}

func isNumber(text []byte) bool {
	if len(text) == 0 || len(text) > maxNumber || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	return number.Match(text)
}

// Missing says that a value counts as none: null, or an empty cell.
func Missing(row *rows.Row, v tape.Value) bool {
	return v.Kind() == tape.Null || row.Cells && v.Kind() == tape.String && len(v.Raw()) == 0
}

// AppendCanonical appends the canonical bytes of a value of a row.
func AppendCanonical(dst []byte, row *rows.Row, v tape.Value) []byte {
	if row.Cells && v.Kind() == tape.String {
		if text, ok := Number(row, v); ok {
			return digest.AppendNumber(dst, text)
		}
		if len(v.Raw()) == 0 {
			return append(dst, "null"...)
		}
	}
	return digest.AppendCanonical(dst, v)
}

// AppendScalar appends the canonical bytes of a value of hfpub.yaml.
func AppendScalar(dst []byte, s release.Scalar) []byte {
	switch s.Kind {
	case release.Number:
		return digest.AppendNumber(dst, []byte(s.Text))
	case release.String:
		return appendText(dst, s.Text)
	}
	return append(dst, s.Text...)
}

// appendText appends a text as canonical bytes have it.
func appendText(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
