package shape

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
)

// unionKeywords are the keywords that hold alternatives, by their codes.
var unionKeywords = map[finding.Code]string{finding.SchemaAnyOf: "anyOf", finding.SchemaOneOf: "oneOf"}

// distance counts what keeps an alternative from fitting, the most telling first: the alternative meant has the value's
// type, and the constants that tell alternatives apart.
type distance struct{ wrongType, wrongConstant, all int }

func (d distance) compare(other distance) int {
	return cmp.Or(cmp.Compare(d.wrongType, other.wrongType), cmp.Compare(d.wrongConstant, other.wrongConstant),
		cmp.Compare(d.all, other.all))
}

// rank puts first what most likely tells why an alternative is not the one that was meant.
func rank(code finding.Code) int {
	switch code {
	case finding.SchemaConst, finding.SchemaEnum:
		return 0
	case finding.SchemaType:
		return 1
	}
	return 2
}

// fitsSeveral explains oneOf by the alternatives that fit, counted from 0.
func (p place) fitsSeveral(fitting []int) cause {
	var list []string
	for _, i := range fitting {
		list = append(list, strconv.Itoa(i+1))
	}
	c := p.because(finding.SchemaOneOf, "%s fits the alternatives %s of oneOf, and may fit one only", p.subject(), enumerate(list, 5))
	return c.hinting("let the alternatives exclude each other, or use anyOf")
}

// fitsNone explains anyOf and oneOf by what most likely keeps the nearest alternative from fitting; more other things do.
func (p place) fitsNone(code finding.Code, none string, first cause, more int) cause {
	c := p.because(code, "%s fits %s; the nearest: %s", p.subject(), none, first.from(p.path))
	if more > 0 {
		c.message += fmt.Sprintf(" (and %d more)", more)
	}
	c.hint = first.hint
	return c
}

// noneOf names n alternatives that do not fit.
func noneOf(n int, code finding.Code) string {
	return fmt.Sprintf("none of the %d alternatives of %s", n, unionKeywords[code])
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
