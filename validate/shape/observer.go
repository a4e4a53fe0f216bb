package shape

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Observer holds the rows it is shown against a schema. It serves one goroutine; the schema serves many.
type Observer struct {
	schema *Schema
	found  finding.Set
	// matching is there from the first row on, reporter from the first that does not fit.
	matching *matching
	reporter *reporter
	// translator is there in their place when gojsonschema is the engine.
	translator *translator
	// before is what was settled by the rows before and those merged; nil for nothing.
	before *settled
}

// NewObserver returns an observer that keeps up to maxPlaces places for each finding, 0 for all of them.
func (s *Schema) NewObserver(maxPlaces int) *Observer {
	o := &Observer{schema: s, found: finding.Set{MaxPlaces: maxPlaces}}
	if s.gojsonschema != nil {
		o.translator = newTranslator(&s.tree)
	}
	return o
}

// Findings returns what was found in the rows seen. The set belongs to the observer.
func (o *Observer) Findings() *finding.Set { return &o.found }

// Merge implements rows.Observer. The other observer is not to be used any more.
func (o *Observer) Merge(next rows.Observer) {
	other := next.(*Observer)
	o.found.Merge(&other.found)
	if other.reporter != nil {
		o.takeCounts(&other.reporter.tallies)
		o.settle(&other.reporter.tallies)
	}
	if other.matching != nil {
		o.schema.idle.give(other.matching)
		other.matching, other.reporter = nil, nil
	}
}

// Observe implements rows.Observer.
func (o *Observer) Observe(row *rows.Row) {
	if o.translator != nil {
		o.translate(row)
		return
	}
	o.begin()
	doc := row.Doc
	if row.Cells {
		doc = o.matching.cells.read(o.schema.cells, doc)
	}
	o.matching.begin(doc)
	schema := o.schema.ofRow(row)
	if !o.matching.fits(schema, doc.Root()) {
		o.refuse(row, schema, doc.Root())
	}
}

// ObserveRun implements [rows.RunObserver]. Rows are held against the schema member by member, and one by one where that refuses some.
func (o *Observer) ObserveRun(run *rows.Run) {
	if o.translator != nil || o.schema.elements != nil {
		for i := range run.Rows {
			o.Observe(run.Alone(i))
		}
		return
	}
	o.begin()
	o.matching.begin(run.Doc)
	schema := o.schema.root
	if o.matching.rowsFit(schema, run.Doc, run.Rows) {
		return
	}
	for i := range run.Rows {
		if v := run.Doc.Value(i * run.Stride); !o.matching.fits(schema, v) {
			o.refuse(run.At(i), schema, v)
		}
	}
}

func (o *Observer) begin() {
	if o.matching == nil {
		o.matching = o.schema.idle.take(o.schema.objects)
	}
}

// refuse reports what is wrong with a row, or with what is made of it.
func (o *Observer) refuse(row *rows.Row, schema *matcher, v tape.Value) {
	if o.reporter == nil {
		o.reporter = newReporter(o)
	}
	o.reporter.refuse(row, schema, v)
}

// lineCounter finds the physical lines of offsets in a row's text, which are mostly asked for in order.
type lineCounter struct {
	row *rows.Row
	// counted is the offset up to which line ends are counted, lineEnds how many there are.
	counted, lineEnds int
}

func (l *lineCounter) lineAt(offset int) int {
	if l.row.Cells || l.row.OneLine {
		return l.row.Line
	}
	if offset < l.counted {
		l.counted, l.lineEnds = 0, 0
	}
	l.lineEnds += bytes.Count(l.row.Doc.Text[l.counted:offset], []byte{'\n'})
	l.counted = offset
	return l.row.Line + l.lineEnds
}
