package shape

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// reporter reports what is wrong with the rows that the matcher refuses.
//
// In a bad file those may be all rows, for the same reason. Words take much longer than the verdict: so once the set of
// findings does nothing but count more of a kind, a fault is counted without them.
type reporter struct {
	observer  *Observer
	collector collector
	explainer explainer
	tallies   tallies
	// row is the row at hand.
	row   *rows.Row
	lines lineCounter
}

func newReporter(o *Observer) *reporter {
	r := &reporter{observer: o, collector: collector{matching: o.matching}}
	r.explainer = explainer{
		matching: o.matching, tree: &o.schema.tree, known: map[explained]cause{}, workspace: &workspace{},
	}
	r.collector.full = r.report
	if o.before != nil {
		r.tallies.before, r.tallies.counts = o.before, make([]int, len(o.before.kinds))
	}
	return r
}

// refuse reports what is wrong with a row, in the order of its values.
func (r *reporter) refuse(row *rows.Row, s *matcher, v tape.Value) {
	r.row, r.lines = row, lineCounter{row: row}
	c := &r.collector
	c.path = c.path[:0]
	clear(c.seen)
	if r.observer.schema.elements != nil {
		c.path = append(c.path, token{index: int(row.Index), inArray: true})
	}
	r.explainer.begin(s.schema, v, len(c.path))
	c.collect(s, v)
	r.report()
}

// report reports the faults that are collected.
func (r *reporter) report() {
	c := &r.collector
	faults := sortFaults(c.faults)
	for i := range faults {
		f := &faults[i]
		if !r.tallies.count(r.row.Path, f, &r.explainer) {
			r.tell(f)
		}
		r.explainer.forget()
	}
	c.faults, c.paths = c.faults[:0], c.paths[:0]
}

// tell reports one fault in words.
func (r *reporter) tell(f *fault) {
	line := r.lines.lineAt(f.value.Offset())
	c := r.explainer.inWords(f)
	told := finding.New(c.code, "%s", c.message).At(r.row.Path, line).In(pointerTo(c.path))
	r.tallies.keep(f, &r.explainer, finding.KindOf(&told), r.observer.found.AddHinted(told, c.hint))
}
