package shape

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/validate/finding"
)

// union explains anyOf and oneOf: by the types that the alternatives want, by what keeps the nearest of them from fitting,
// or by those that fit where one only may. The alternatives are held against the value once more, each for itself, as
// gojsonschema tells of one alternative only, and often not of the one that was meant.
func (e *explainer) union(f *failure, p place, code finding.Code, keyword string) []cause {
	unions := e.tree.with(p.schemas, keyword)
	if len(unions) != 1 {
		return e.unknownUnion(f, p, code, keyword)
	}
	alternatives := e.tree.get(unions[0], keyword).children
	if wanted, ok := e.typesOfAll(alternatives); ok && !hasType(p.value, wanted) {
		return []cause{p.typed(code, wanted)}
	}
	var fitting []string
	var best *trial
	for i, alternative := range alternatives {
		t := e.try(alternative, p)
		if len(t.failures) == 0 {
			fitting = append(fitting, fmt.Sprint(i+1))
		} else if best == nil || t.isNearer(best) {
			best = t
		}
	}
	switch {
	case len(fitting) > 1 && keyword == "oneOf":
		c := p.because(code, "%s fits the alternatives %s of oneOf, and may fit one only", p.subject(), enumerate(fitting, 5))
		return []cause{c.hinting("let the alternatives exclude each other, or use anyOf")}
	case len(fitting) > 0:
		return nil
	}
	none := fmt.Sprintf("none of the %d alternatives of %s", len(alternatives), keyword)
	return p.nearest(code, none, best.causes(best.failures))
}

// unknownUnion explains anyOf and oneOf where several of them may be meant, by what gojsonschema tells.
func (e *explainer) unknownUnion(f *failure, p place, code finding.Code, keyword string) []cause {
	if len(f.inner) == 0 {
		c := p.because(code, "%s fits more than one alternative of %s", p.subject(), keyword)
		return []cause{c.hinting("let the alternatives exclude each other, or use anyOf")}
	}
	return p.nearest(code, "no alternative of "+keyword, e.causes(f.inner))
}

// nearest says that no alternative fits, and what keeps the nearest from fitting.
func (p place) nearest(code finding.Code, none string, inner []cause) []cause {
	if len(inner) == 0 {
		return nil
	}
	first := slices.MinFunc(inner, func(a, b cause) int { return cmp.Compare(a.rank(), b.rank()) })
	c := p.because(code, "%s fits %s; the nearest: %s", p.subject(), none, first.from(p.path))
	if len(inner) > 1 {
		c.message += fmt.Sprintf(" (and %d more)", len(inner)-1)
	}
	c.hint = first.hint
	return []cause{c}
}

// trial is one alternative held against a value.
type trial struct {
	*explainer
	failures []*failure
}

// try holds one alternative against the value. It is a part of a schema that compiles as a whole, so it does as well.
func (e *explainer) try(alternative *node, p place) *trial {
	engine := e.engines[alternative]
	if engine == nil {
		engine, _ = compile(lower(e.tree, alternative))
		e.engines[alternative] = engine
	}
	inside := &explainer{tree: e.tree, root: alternative, row: p.value, above: p.path, engines: e.engines}
	errs, _ := validate(engine, p.value)
	return &trial{inside, treeOf(errs)}
}

// isNearer compares two alternatives that do not fit. The one meant has the value's type, and the constants that tell
// alternatives apart.
func (t *trial) isNearer(than *trial) bool {
	return slices.Compare(t.distance(), than.distance()) < 0
}

// distance counts what keeps an alternative from fitting, the most telling first.
func (t *trial) distance() []int {
	var wrongType, wrongConstant, all int
	var look func([]*failure)
	look = func(failures []*failure) {
		for _, f := range failures {
			if f.kind == thenFailed || f.kind == elseFailed {
				look(f.inner)
				continue
			}
			all++
			depth := len(f.tokens())
			if f.kind == "invalid_type" && depth == 0 {
				wrongType++
			}
			if f.isListing() && depth <= 1 {
				wrongConstant++
			}
		}
	}
	look(t.failures)
	return []int{wrongType, wrongConstant, all}
}

// typesOfAll lists the types that schemas want, when each of them wants some.
func (e *explainer) typesOfAll(schemas []*node) ([]string, bool) {
	var all []string
	for _, schema := range schemas {
		own := e.tree.typesOf(e.tree.deref(schema))
		if len(own) == 0 {
			return nil, false
		}
		for _, name := range own {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all, true
}
