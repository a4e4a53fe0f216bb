package shape

import (
	"maps"

	"github.com/hfpub/hfpub/validate/finding"
)

// settled are the findings of which nothing but the number counts any more, whatever comes. An observer that is shown the rows
// behind those of another one need not put them in words, only for the words to be dropped when it is merged. It serves many
// goroutines: it does not change.
type settled struct {
	// path is the file that they are about.
	path string
	// byKey leads from the key of a fault, as in [tallies], to a place in kinds.
	byKey map[string]int
	kinds []finding.Kind
}

// Follow tells the observer that the rows it is going to be shown come behind those that before was shown and merged, and that
// it will be merged into before, or into what before is merged into.
func (o *Observer) Follow(before *Observer) { o.before = before.before }

// takeCounts counts what the next observer found no words for.
func (o *Observer) takeCounts(t *tallies) {
	for i, n := range t.counts {
		if n > 0 {
			o.found.AddCount(t.before.kinds[i], n)
		}
	}
}

// settle finds out what is settled of the findings that the next observer told, whose set has been merged.
func (o *Observer) settle(t *tallies) {
	old := o.before
	if old == nil || old.path != t.path {
		old = &settled{path: t.path}
	}
	var grown *settled
	for key, kind := range t.told {
		if _, known := old.byKey[key]; known || len(old.byKey) >= maxTallies {
			continue
		}
		full, allMessages := o.found.Settled(kind)
		if !full || isOfPlace(key) && !allMessages {
			continue
		}
		if grown == nil {
			grown = old.grow()
		}
		if len(grown.byKey) < maxTallies {
			grown.byKey[key] = len(grown.kinds)
			grown.kinds = append(grown.kinds, kind)
		}
	}
	if grown != nil {
		o.before = grown
	}
}

// grow returns a copy that can be changed.
func (s *settled) grow() *settled {
	grown := &settled{path: s.path, byKey: maps.Clone(s.byKey), kinds: s.kinds[:len(s.kinds):len(s.kinds)]}
	if grown.byKey == nil {
		grown.byKey = map[string]int{}
	}
	return grown
}
