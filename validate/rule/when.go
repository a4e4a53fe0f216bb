package rule

import (
	"context"
	"errors"
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
)

// when checks that rows for which one expression holds meet another one.
type when struct {
	base
	splits     []*observe.Split
	when, must *condition.Condition
	always     bool
}

func (m *maker) when(b base, r *release.When) observe.Check {
	w := &when{base: b, splits: observe.Find(m.splits, r.In), always: r.Condition == "true"}
	if len(r.In) == 0 && b.repo != nil {
		for _, s := range m.splits {
			if s.Repo == b.repo {
				w.splits = append(w.splits, s)
			}
		}
	}
	w.when = m.compile(b, "when", r.Condition, r.ConditionPos)
	w.must = m.compile(b, "must", r.Must, r.MustPos)
	if w.when == nil || w.must == nil || len(w.splits) == 0 {
		return nil
	}
	return w
}

// compile compiles an expression of a rule; nil when it is none, which is found.
func (m *maker) compile(b base, name, text string, pos release.Pos) *condition.Condition {
	if text == "" {
		return nil // found when the release was loaded
	}
	compiled, fault := m.compiler.Compile(text)
	if fault != nil {
		f := fault.At(b.file, name, text, pos).In(b.at + "/" + name)
		if b.repo != nil {
			f.Repo = b.repo.ID
		}
		m.found = append(m.found, f)
	}
	return compiled
}

// Observer implements observe.Check.
func (w *when) Observer(split *observe.Split) observe.Observer {
	if !slices.Contains(w.splits, split) {
		return nil
	}
	return &whenObserver{rule: w, found: finding.Set{MaxPlaces: w.opt.MaxPlaces}}
}

// whenObserver judges each row, up to the first on which an expression needs too much work: it would need too much on the others too.
type whenObserver struct {
	rule    *when
	found   finding.Set
	stopped bool
}

// Observe implements observe.Observer.
func (o *whenObserver) Observe(row *rows.Row) {
	if o.stopped {
		return
	}
	w := o.rule
	applies, err := w.when.Holds(row)
	if err != nil {
		o.failed(row, w.when, err)
		return
	}
	if !applies {
		return
	}
	holds, err := w.must.Holds(row)
	if err != nil {
		o.failed(row, w.must, err)
		return
	}
	if holds {
		return
	}
	text := w.must.String() + " must hold"
	if !w.always {
		text = "where " + w.when.String() + ", " + text
	}
	if shows := w.must.Shows(row); shows != "" {
		text += ", and " + shows
	}
	f := finding.New(finding.RuleMust, "%s", text).At(row.Path, row.Line).In(w.must.Pointer())
	o.found.Add(f.Hinting("mend the row, or change the rule of %s", w.place()))
}

// failed says that an expression cannot be applied to a row.
func (o *whenObserver) failed(row *rows.Row, c *condition.Condition, err error) {
	if errors.Is(err, condition.ErrTooMuchWork) {
		o.stopped = true
		f := finding.New(finding.RuleExpression, "%s cannot be applied to the row: %v; the rows behind it were not judged", c, err)
		o.found.Add(f.At(row.Path, row.Line).Hinting("write the rule of %s with fewer loops within loops", o.rule.place()))
		return
	}
	f := finding.New(finding.RuleExpression, "%s cannot be applied to the row: %v", c, err).At(row.Path, row.Line)
	o.found.Add(f.Hinting("mend the row, or ask has(row.field) first in the rule of %s", o.rule.place()))
}

// Merge implements observe.Observer. What stands behind the row at which the rule stopped does not count, wherever blocks end.
func (o *whenObserver) Merge(next rows.Observer) {
	n := next.(*whenObserver)
	if o.stopped {
		return
	}
	o.found.Merge(&n.found)
	o.stopped = n.stopped
}

// MarshalBinary implements observe.Observer.
func (o *whenObserver) MarshalBinary() ([]byte, error) {
	found, err := o.found.MarshalBinary()
	var w record.Writer
	w.Bool(o.stopped)
	w.Raw(found)
	return w.Bytes(), err
}

// UnmarshalBinary implements observe.Observer.
func (o *whenObserver) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	o.stopped = r.Bool()
	if r.Err() != nil {
		return r.Err()
	}
	return o.found.UnmarshalBinary(r.Rest())
}

// Finish implements observe.Check.
func (w *when) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	for _, one := range seen {
		say.Merge(one.Split, &one.Observer.(*whenObserver).found)
	}
	return nil
}
