package rule

import (
	"context"
	"fmt"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// counts checks how many rows have each value of a field. The list of values is complete: another one breaks the rule.
type counts struct {
	base
	splits []*observe.Split
	by     field.Path
	// values are the canonical bytes of the values, want how many rows have each.
	values []string
	want   []int64
	places map[string]int
}

func (m *maker) counts(b base, r *release.Counts) observe.Check {
	c := &counts{base: b, splits: observe.Find(m.splits, r.In), by: field.Compile(r.By), places: map[string]int{}}
	if len(c.splits) == 0 || len(r.Equal) == 0 {
		return nil
	}
	for _, e := range r.Equal {
		value := string(field.AppendScalar(nil, e.Value))
		if _, known := c.places[value]; known {
			m.twice(b, "counts/equal", e.Value)
			return nil
		}
		c.places[value] = len(c.values)
		c.values = append(c.values, value)
		c.want = append(c.want, e.Rows)
	}
	return c
}

// Observer implements observe.Check.
func (c *counts) Observer(split *observe.Split) observe.Observer {
	for _, s := range c.splits {
		if s == split {
			return &countsObserver{rule: c, n: make([]int64, len(c.values)), found: finding.Set{MaxPlaces: c.opt.MaxPlaces}}
		}
	}
	return nil
}

// countsObserver counts the values of a run of rows.
type countsObserver struct {
	rule *counts
	n    []int64
	// found are the rows with a value that is not listed.
	found finding.Set
	value []byte
}

// Observe implements observe.Observer.
func (o *countsObserver) Observe(row *rows.Row) {
	if o.rule.by.Many() {
		o.rule.by.Each(row, func(v tape.Value) { o.count(row, v) })
		return
	}
	v, ok := o.rule.by.First(row)
	if !ok {
		o.add(row, "null")
		return
	}
	o.count(row, v)
}

func (o *countsObserver) count(row *rows.Row, v tape.Value) {
	o.value = field.AppendCanonical(o.value[:0], row, v)
	if at, ok := o.rule.places[string(o.value)]; ok {
		o.n[at]++
		return
	}
	o.add(row, field.Show(row, v))
}

// add counts a row whose value may not be listed.
func (o *countsObserver) add(row *rows.Row, value string) {
	if at, ok := o.rule.places[value]; ok {
		o.n[at]++
		return
	}
	f := finding.New(finding.RuleCounts, "%s is %s, which is not among the values that %s counts", o.rule.by.Name(), value, o.rule.place())
	o.found.Add(f.At(row.Path, row.Line).In(o.rule.by.Text).Hinting("mend the value, or list it with the number of its rows"))
}

// Merge implements observe.Observer.
func (o *countsObserver) Merge(next rows.Observer) {
	n := next.(*countsObserver)
	for i := range o.n {
		o.n[i] += n.n[i]
	}
	o.found.Merge(&n.found)
}

// MarshalBinary implements observe.Observer.
func (o *countsObserver) MarshalBinary() ([]byte, error) {
	var w record.Writer
	for _, n := range o.n {
		w.Uint(uint64(n))
	}
	found, err := o.found.MarshalBinary()
	w.Part(found)
	return w.Bytes(), err
}

// UnmarshalBinary implements observe.Observer.
func (o *countsObserver) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	for i := range o.n {
		o.n[i] = int64(r.Uint() & (1<<48 - 1))
	}
	if err := o.found.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	return r.End()
}

// Finish implements observe.Check. Too few rows are not known when some could not be read.
func (c *counts) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	n := make([]int64, len(c.values))
	whole := true
	for _, s := range seen {
		o := s.Observer.(*countsObserver)
		say.Merge(s.Split, &o.found)
		whole = whole && s.Whole
		for i := range n {
			n[i] += o.n[i]
		}
	}
	for i, value := range c.values {
		if n[i] == c.want[i] || n[i] < c.want[i] && !whole {
			continue
		}
		f := finding.New(finding.RuleCounts, "%s is %s in %d rows, and the rule says %d (%+d)", c.by.Name(), value, n[i], c.want[i], n[i]-c.want[i])
		hint := "mend the rows, or the number in the rule"
		say.Add(nil, c.atRule(f.Hinting("%s", hint)).In(fmt.Sprintf("%s/counts/equal", c.at)))
	}
	return nil
}
