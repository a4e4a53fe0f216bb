package shape

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/validate/finding"
)

// trial is one alternative of anyOf or oneOf held against a value.
type trial struct {
	fits bool
	distance
	// why says what most likely keeps the alternative from fitting, and how many other things do; ok is false for nothing.
	why func() (first cause, more int, ok bool)
}

// distance counts what keeps an alternative from fitting, the most telling first: the alternative meant has the value's
// type, and the constants that tell alternatives apart.
type distance struct{ wrongType, wrongConstant, all int }

func (d distance) compare(other distance) int {
	return cmp.Or(cmp.Compare(d.wrongType, other.wrongType), cmp.Compare(d.wrongConstant, other.wrongConstant),
		cmp.Compare(d.all, other.all))
}

// union explains anyOf and oneOf of n alternatives: by the types that all of them together want, if each wants some, by what
// keeps the nearest of them from fitting, or by those that fit where one only may. try holds one alternative against the
// value. There is nothing to explain where the alternatives, each tried for itself, fit as they should.
func (p place) union(code finding.Code, n int, types []string, try func(i int) trial) []cause {
	if len(types) > 0 && !hasType(p.value, types) {
		return []cause{p.typed(code, types)}
	}
	var fitting []string
	var best *trial
	for i := range n {
		tried := try(i)
		if tried.fits {
			fitting = append(fitting, fmt.Sprint(i+1))
		} else if best == nil || tried.compare(best.distance) < 0 {
			best = &tried
		}
	}
	switch {
	case len(fitting) > 1 && code == finding.SchemaOneOf:
		c := p.because(code, "%s fits the alternatives %s of oneOf, and may fit one only", p.subject(), enumerate(fitting, 5))
		return []cause{c.hinting("let the alternatives exclude each other, or use anyOf")}
	case len(fitting) > 0:
		return nil
	}
	first, more, ok := best.why()
	if !ok {
		return nil
	}
	none := fmt.Sprintf("none of the %d alternatives of %s", n, unionKeywords[code])
	return []cause{p.nearest(code, none, first, more)}
}

var unionKeywords = map[finding.Code]string{finding.SchemaAnyOf: "anyOf", finding.SchemaOneOf: "oneOf"}

// nearest says that no alternative fits, and what keeps the nearest from fitting.
func (p place) nearest(code finding.Code, none string, first cause, more int) cause {
	c := p.because(code, "%s fits %s; the nearest: %s", p.subject(), none, first.from(p.path))
	if more > 0 {
		c.message += fmt.Sprintf(" (and %d more)", more)
	}
	c.hint = first.hint
	return c
}

// typesOfAll lists the types that schemas want; none when one of them wants none.
func (t *tree) typesOfAll(schemas []*node) []string {
	var all []string
	for _, schema := range schemas {
		own := t.typesOf(t.deref(schema))
		if len(own) == 0 {
			return nil
		}
		for _, name := range own {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}
