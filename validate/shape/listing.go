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
	// few holds the texts where they are so few that they are compared one by one.
	few     []string
	numbers []decimal
	// others are the arrays and objects.
	others []*node
	// exact tells the listing from others.
	exact string
	// kinds has a bit for the kind of each value.
	kinds kinds
}

// fewTexts is up to how many texts are compared one by one; see BenchmarkListing.
const fewTexts = 8

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
			l.few = append(l.few, choice.text)
		case tape.Number:
			l.numbers = append(l.numbers, decimalOf([]byte(choice.text)))
		case tape.Array, tape.Object:
			l.others = append(l.others, choice)
		}
	}
	l.size = len(known)
	l.exact = strings.Join(slices.Sorted(maps.Keys(known)), ",")
	if len(l.few) > fewTexts {
		l.few = nil
	}
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
		return l.listsText(m.textOf(v))
	case tape.Number:
		d := decimalOf(v.Raw())
		return slices.ContainsFunc(l.numbers, func(n decimal) bool { return n.compare(&d) == 0 })
	case tape.Array, tape.Object:
		return slices.ContainsFunc(l.others, func(n *node) bool { return n.is(v) })
	}
	return true
}

func (l *listing) listsText(text []byte) bool {
	if l.few == nil {
		return l.texts[string(text)]
	}
	for _, listed := range l.few {
		if string(text) == listed {
			return true
		}
	}
	return false
}
