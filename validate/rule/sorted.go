package rule

import (
	"bytes"
	"context"
	"math/big"
	"strconv"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// sorted checks that the values of a field never go back within a split.
type sorted struct {
	base
	splits     []*observe.Split
	by         field.Path
	descending bool
	// ranks are the places of the canonical bytes of the values in the rule's list; nil when there is none.
	ranks map[string]int
}

func (m *maker) sorted(b base, r *release.Sorted) observe.Check {
	s := &sorted{base: b, splits: observe.Find(m.splits, r.In), by: field.Compile(r.By), descending: r.Descending}
	if len(s.splits) == 0 || s.by.Many() && !m.refuseStars(b, r.By) {
		return nil
	}
	for i, value := range r.Order {
		if s.ranks == nil {
			s.ranks = map[string]int{}
		}
		text := string(field.AppendScalar(nil, value))
		if _, known := s.ranks[text]; known {
			m.twice(b, "sorted/order", value)
			return nil
		}
		s.ranks[text] = i
	}
	return s
}

// refuseStars reports a field that has several values in a row where one is needed.
func (m *maker) refuseStars(b base, p release.Path) bool {
	f := finding.New(finding.ManifestValue, "by %q has several values in a row", p)
	m.found = append(m.found, b.atRule(f.Hinting("name a field with one value, without *")))
	return false
}

// Observer implements observe.Check.
func (s *sorted) Observer(split *observe.Split) observe.Observer {
	for _, known := range s.splits {
		if known == split {
			return &sortedObserver{rule: s, found: finding.Set{MaxPlaces: s.opt.MaxPlaces}}
		}
	}
	return nil
}

// link is the value of a row, with its place.
type link struct {
	path string
	line int
	// canonical are the bytes of the value, kind is that of the value they are compared as.
	canonical string
	kind      tape.Kind
	there     bool
}

// sortedObserver compares each row with the one before.
type sortedObserver struct {
	rule        *sorted
	first, last link
	found       finding.Set
	value       []byte
}

// Observe implements observe.Observer.
func (o *sortedObserver) Observe(row *rows.Row) {
	v, ok := o.rule.by.First(row)
	if !ok || field.Missing(row, v) {
		return
	}
	o.value = field.AppendCanonical(o.value[:0], row, v)
	if o.rule.ranks != nil {
		if _, listed := o.rule.ranks[string(o.value)]; !listed {
			f := finding.New(finding.RuleSorted, "%s is %s, which is not in the order that %s gives", o.rule.by.Name(), field.Show(row, v), o.rule.place())
			o.found.Add(f.At(row.Path, row.Line).In(o.rule.by.Text).Hinting("mend the value, or list it in the order"))
			return
		}
	}
	if o.last.there && o.last.canonical == string(o.value) {
		o.last.path, o.last.line = row.Path, row.Line
		return
	}
	next := link{row.Path, row.Line, string(o.value), kindOf(o.value), true}
	o.check(o.last, next)
	if !o.first.there {
		o.first = next
	}
	o.last = next
}

// kindOf tells the kind of a value by its canonical bytes.
func kindOf(canonical []byte) tape.Kind {
	switch canonical[0] {
	case '"':
		return tape.String
	case 't', 'f':
		return tape.False
	case '[', '{':
		return tape.Array
	}
	return tape.Number
}

// check compares a value with the one before it.
func (o *sortedObserver) check(before, next link) {
	if !before.there {
		return
	}
	order, comparable := o.rule.compare(before, next)
	if order <= 0 && comparable {
		return
	}
	f := finding.New(finding.RuleSorted, "%s goes back from %s in %s:%d to %s", o.rule.by.Name(), shortened(before.canonical), before.path,
		before.line, shortened(next.canonical))
	if !comparable {
		f = finding.New(finding.RuleSorted, "%s is %s here and %s in %s:%d, which have no order", o.rule.by.Name(), shortened(next.canonical),
			shortened(before.canonical), before.path, before.line)
	}
	o.found.Add(f.At(next.path, next.line).In(o.rule.by.Text).Hinting("sort the rows of the split, or change the rule of %s", o.rule.place()))
}

func shortened(text string) string {
	const most = 60
	if chars := []rune(text); len(chars) > most {
		return string(chars[:most]) + "…"
	}
	return text
}

// compare is positive when the rows stand in the wrong order.
func (s *sorted) compare(a, b link) (order int, comparable bool) {
	switch {
	case s.ranks != nil:
		return s.ranks[a.canonical] - s.ranks[b.canonical], true
	case a.kind != b.kind || a.kind == tape.Array:
		return 0, false
	case a.kind == tape.Number:
		order = compareNumbers(a.canonical, b.canonical)
	case a.kind == tape.False:
		order = bytes.Compare([]byte(a.canonical), []byte(b.canonical)) // false is before true
	default:
		order = bytes.Compare([]byte(unquoted(a.canonical)), []byte(unquoted(b.canonical)))
	}
	if s.descending {
		order = -order
	}
	return order, true
}

// unquoted is the text of a canonical string.
func unquoted(canonical string) string {
	text := canonical[1 : len(canonical)-1]
	if s, err := strconv.Unquote(canonical); err == nil {
		text = s
	}
	return text
}

// compareNumbers compares exactly: numbers that are one float64 may differ.
func compareNumbers(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil && x < y:
		return -1
	case errX == nil && errY == nil && x > y:
		return 1
	}
	var p, q big.Float
	p.SetPrec(4096).SetString(a)
	q.SetPrec(4096).SetString(b)
	return p.Cmp(&q)
}

// Merge implements observe.Observer.
func (o *sortedObserver) Merge(next rows.Observer) {
	n := next.(*sortedObserver)
	if n.first.there {
		o.check(o.last, n.first)
	}
	o.found.Merge(&n.found)
	if !o.first.there {
		o.first = n.first
	}
	if n.last.there {
		o.last = n.last
	}
}

// MarshalBinary implements observe.Observer.
func (o *sortedObserver) MarshalBinary() ([]byte, error) {
	var w record.Writer
	for _, l := range []link{o.first, o.last} {
		w.Bool(l.there)
		if l.there {
			w.Text(l.path)
			w.Uint(uint64(l.line))
			w.Text(l.canonical)
		}
	}
	found, err := o.found.MarshalBinary()
	w.Part(found)
	return w.Bytes(), err
}

// UnmarshalBinary implements observe.Observer.
func (o *sortedObserver) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	for _, l := range []*link{&o.first, &o.last} {
		if l.there = r.Bool(); l.there {
			l.path, l.line, l.canonical = r.Text(), int(r.Uint()&(1<<48-1)), r.Text()
			if l.canonical == "" {
				return record.ErrDamaged
			}
			l.kind = kindOf([]byte(l.canonical))
		}
	}
	if err := o.found.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	return r.End()
}

// Finish implements observe.Check.
func (s *sorted) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	for _, one := range seen {
		say.Merge(one.Split, &one.Observer.(*sortedObserver).found)
	}
	return nil
}
