package shape

import (
	"maps"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// listing are the values that enum or const allows, by kind.
type listing struct {
	code finding.Code
	// choices are the values as the schema lists them; size counts the different ones.
	choices []*node
	size    int
	texts   map[string]bool
	// quick finds the texts, where it is not nil.
	quick *textSet
	// numbers are in order.
	numbers []decimal
	// others are the arrays and objects.
	others []*node
	// exact tells the listing from others.
	exact string
	// kinds has a bit for the kind of each value.
	kinds kinds
}

func listingOf(code finding.Code, choices []*node) *listing {
	l := &listing{code: code, choices: choices, texts: map[string]bool{}}
	known := map[string]bool{}
	for _, choice := range choices {
		l.kinds |= 1 << choice.kind
		if known[choice.exact] {
			continue
		}
		known[choice.exact] = true
		switch choice.kind {
		case tape.String:
			l.texts[choice.text] = true
		case tape.Number:
			l.numbers = append(l.numbers, decimalOf([]byte(choice.text)))
		case tape.Array, tape.Object:
			l.others = append(l.others, choice)
		}
	}
	l.quick = textSetOf(slices.Sorted(maps.Keys(l.texts)))
	slices.SortFunc(l.numbers, func(a, b decimal) int { return a.compare(&b) })
	l.size = len(known)
	l.exact = strings.Join(slices.Sorted(maps.Keys(known)), ",")
	return l
}

// lists says that a value is one of those listed.
func (m *matching) lists(l *listing, v tape.Value) bool {
	kind := v.Kind()
	if !l.kinds.has(kind) {
		return false
	}
	switch kind {
	case tape.String:
		if l.quick != nil && !v.Escaped() {
			return l.quick.find(v) >= 0
		}
		return l.texts[string(m.textOf(v))]
	case tape.Number:
		_, found := slices.BinarySearchFunc(l.numbers, decimalOf(v.Raw()), func(n, d decimal) int { return n.compare(&d) })
		return found
	case tape.Array, tape.Object:
		return slices.ContainsFunc(l.others, func(n *node) bool { return n.is(v) })
	}
	return true
}
