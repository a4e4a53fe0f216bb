package cards

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/cards/schemadoc"
	"github.com/hfpub/hfpub/validate/column"
)

// fieldName shows a field's pointer and, where the pointer has to write it in another way, its name.
func fieldName(pointer string) string {
	last := pointer[strings.LastIndexByte(pointer, '/')+1:]
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(last)
	if name == last {
		return code(pointer)
	}
	return code(pointer) + " (" + code(name) + ")"
}

// values puts together what the schema allows and what the data holds.
func values(allowed, held []string) string {
	out := strings.Join(allowed, "; ")
	if len(allowed) > 0 && len(held) > 0 {
		out += "; seen "
	}
	return out + strings.Join(held, "; ")
}

// allowed says which values the schema allows.
func allowed(said schemadoc.Field) []string {
	var out []string
	if len(said.Values) > 0 {
		out = append(out, codes(said.Values))
	}
	for _, limit := range said.Limits {
		out = append(out, plain(limit))
	}
	if said.Pattern != "" {
		out = append(out, "pattern "+code(said.Pattern))
	}
	return out
}

// held says which values the data holds, where the schema has no list of them: the few that there are, or a range. Of
// secret data no text is shown.
func held(field *column.Field, said schemadoc.Field, secret bool) []string {
	var out []string
	if len(said.Values) > 0 {
		return nil
	}
	if field.Min != "" {
		out = append(out, between(field.Min, field.Max))
	}
	switch {
	case !secret && repeated(field):
		var values []string
		for _, v := range field.Values {
			values = append(values, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.Text)+`"`)
		}
		out = append(out, codes(values))
	case field.Chars.Max >= 0:
		out = append(out, length(field.Chars, "character"))
	}
	if field.Items.Max >= 0 {
		out = append(out, length(field.Items, "item"))
	}
	if field.Wide {
		out = append(out, "more fields than are listed")
	}
	return out
}

// length is a range of lengths with its unit.
func length(span column.Span, unit string) string {
	return between(markdown.Count(span.Min), markdown.Count(span.Max)) + " " + plural(span.Max, unit)
}

// maxTogether is how many bytes the texts of a list of values may have together, to fit into a cell.
const maxTogether = 200

// repeated tells whether the texts of a field look like a list of values and not like texts of their own: there are
// few, they are short, and they come again.
func repeated(field *column.Field) bool {
	var total int64
	size := 0
	for _, v := range field.Values {
		total += v.Count
		size += len(v.Text)
	}
	return len(field.Values) > 0 && total >= 3*int64(len(field.Values)) && size <= maxTogether
}

func between(low, high string) string {
	if low == high {
		return plain(low)
	}
	return plain(low) + " to " + plain(high)
}

// share is a part of a whole in percent. Only none is 0% and only all is 100%.
func share(part, whole int64) string {
	switch {
	case part == 0:
		return "0%"
	case part == whole:
		return "100%"
	}
	percent := 100 * float64(part) / float64(whole)
	switch {
	case percent < 0.1:
		return "< 0.1%"
	case percent > 99.9:
		return "> 99.9%"
	}
	return fmt.Sprintf("%.1f%%", percent)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// Bounds on what one cell shows: so many values of a list, and so many characters of one.
const (
	maxListed = 24
	maxLength = 80
)

// codes shows a list of values, each verbatim as far as it is short.
func codes(values []string) string {
	var out []string
	for i, v := range values {
		if i == maxListed {
			out = append(out, fmt.Sprintf("and %s more", markdown.Count(int64(len(values)-i))))
			break
		}
		if runes := []rune(v); len(runes) > maxLength {
			v = string(runes[:maxLength-1]) + "…"
		}
		out = append(out, code(v))
	}
	return strings.Join(out, ", ")
}
