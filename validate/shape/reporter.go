package shape

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// reporter reports what is wrong with the rows that the matcher refuses.
//
// In a bad file every row may be, for the same reason. Words take much longer than the verdict; so once the set of findings
// only counts more of a kind, the fault is counted without them.
type reporter struct {
	observer  *Observer
	collector collector
	explainer explainer
	tallies   tallies
	row       *rows.Row
	lines     lineCounter
}

func newReporter(o *Observer) *reporter {
	r := &reporter{observer: o, collector: collector{matching: o.matching}}
	r.explainer = explainer{
		matching: o.matching, tree: &o.schema.tree, known: map[explained][]cause{}, workspace: &workspace{},
	}
	r.collector.full = r.report
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
	for _, f := range sortFaults(c.faults) {
		if !r.tallies.count(r.row.Path, &f) {
			r.tell(&f)
		}
	}
	c.faults, c.paths = c.faults[:0], c.paths[:0]
}

// tell reports one fault in words.
func (r *reporter) tell(f *fault) {
	line := r.lines.lineAt(f.value.Offset())
	for _, c := range r.explainer.inWords(f) {
		told := finding.New(c.code, "%s", c.message).At(r.row.Path, line).In(pointerTo(c.path))
		r.tallies.keep(f, r.observer.found.AddHinted(told, c.hint))
	}
	r.explainer.forget()
}

// tallies finds the findings of which only the number still counts, by what they say.
type tallies struct {
	// path is the file that they are about.
	path  string
	known map[string]finding.Repeats
	key   []byte
}

const (
	// maxTallies bounds how many are kept.
	maxTallies = 10_000
	// maxTallied is how long a value may be, in bytes, that has a tally of its own.
	maxTallied = 64
)

// count counts a fault, if that is all there is to do about it.
func (t *tallies) count(path string, f *fault) bool {
	if t.path != path {
		t.path, t.known = path, nil
	}
	if len(t.known) == 0 {
		return false
	}
	t.subject(f)
	tally, ok := t.known[string(t.key)]
	if !ok && t.detail(f) {
		tally, ok = t.known[string(t.key)]
	}
	if ok {
		tally.Add()
	}
	return ok
}

// keep remembers the tally of the finding that says what a fault is.
func (t *tallies) keep(f *fault, tally finding.Repeats) {
	if !tally.Full() || len(t.known) >= maxTallies {
		return
	}
	if t.known == nil {
		t.known = map[string]finding.Repeats{}
	}
	if t.subject(f); tally.AllMessages() || t.detail(f) {
		t.known[string(t.key)] = tally
	}
}

// subject makes the key for all faults of a code at places that differ in their array indexes only.
func (t *tallies) subject(f *fault) {
	t.key = append(append(t.key[:0], f.code...), 0)
	for _, step := range f.path {
		if step.inArray {
			t.key = append(t.key, '*')
		} else {
			t.key = step.key.AppendText(append(t.key, '/'))
		}
		t.key = append(t.key, 0)
	}
}

// detail adds to the key all that the message about a fault depends on; ok is false where that is much.
func (t *tallies) detail(f *fault) (ok bool) {
	t.key = append(append(t.key, f.name...), 0)
	t.key = append(append(t.key, f.by...), 0)
	t.key = binary.AppendUvarint(t.key, uint64(f.site))
	switch f.code {
	case finding.SchemaAnyOf, finding.SchemaOneOf, finding.SchemaContains:
		// What is said of a value inside has its pointer in it.
		if f.value.Kind() >= tape.Array && slices.ContainsFunc(f.path, func(step token) bool { return step.inArray }) {
			return false
		}
	case finding.SchemaRequired, finding.SchemaDependencies:
		return true
	case finding.SchemaAdditionalProperties, finding.SchemaPropertyNames:
		t.key = append(t.key, f.key.Raw()...)
		return len(f.key.Raw()) <= maxTallied
	case finding.SchemaMinItems, finding.SchemaMaxItems, finding.SchemaAdditionalItems,
		finding.SchemaMinProperties, finding.SchemaMaxProperties:
		t.key = binary.AppendUvarint(t.key, uint64(f.value.Len()))
		return true
	case finding.SchemaFalse:
		if last := len(f.path) - 1; last >= 0 && f.path[last].inArray {
			t.key = strconv.AppendInt(t.key, int64(f.path[last].index), 10)
		}
		return true
	}
	t.key = append(append(t.key, byte(f.value.Kind())), f.value.Raw()...)
	return len(f.value.Raw()) <= maxTallied
}
