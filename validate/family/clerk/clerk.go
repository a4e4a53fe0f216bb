// Package clerk knows the rules of CLERK timelines (artifact clerk/timelines): personas who tell an assistant facts over several
// sessions, and the ledger of at most a few slots that the assistant keeps of them.
//
// A row is judged by playing it (session.go): each session's program of edit ops runs on the ledger before it and has to give
// the ledger after it (program.go, ledger.go), ops follow from events, and every question is answered by what the ledger holds
// (questions.go). What one wrong value causes further down is not reported again. How large the budget of slots is, how many
// sessions a row has, and whether splits share names, is known when all rows have been seen (budget.go, lengths.go, names.go).
//
// Two forms of slots are told apart by their keys. Those of hfpub's own generator (package generate) are held against its whole
// specification, and called strict here. Of others no more is known than what the card of CLERK promises, and that is
// held against them.
package clerk

import (
	"context"
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
)

// Artifact is the artifact whose rows the package knows.
const Artifact = "clerk/timelines"

// Checks returns the check of a release with timelines.
func Checks(_ *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	if !slices.ContainsFunc(splits, func(s *observe.Split) bool { return s.Artifact == Artifact }) {
		return nil
	}
	return []observe.Check{&check{maxPlaces: opt.MaxPlaces, words: newWords(vocabulary.Shipped())}}
}

// check judges the timelines of a release.
type check struct {
	maxPlaces int
	words     *words
}

func (c *check) Observer(split *observe.Split) observe.Observer {
	if split.Artifact != Artifact {
		return nil
	}
	return &observer{check: c, found: finding.Set{MaxPlaces: c.maxPlaces}, sizes: sizes{}}
}

func (c *check) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	for _, s := range seen {
		o := s.Observer.(*observer)
		say.Merge(s.Split, &o.found)
		say.Merge(s.Split, o.sizes.judge(s.Split, c.maxPlaces))
	}
	judgeLengths(seen, say)
	judgeNames(seen, say)
	return nil
}

// observer is what a run of rows showed.
type observer struct {
	check *check
	found finding.Set
	sizes sizes
	names []persona

	// judge is the memory for one row, nil until it is needed.
	judge *judge
}

func (o *observer) Observe(row *rows.Row) {
	if row.Cells {
		return
	}
	if o.judge == nil {
		o.judge = &judge{words: o.check.words, found: &o.found, sizes: o.sizes, maxPlaces: o.check.maxPlaces}
	}
	if name, strict, ok := o.judge.judge(row); ok {
		o.names = append(o.names, persona{name: name, strict: strict, sessions: len(o.judge.sessions), place: finding.Place{Path: row.Path, Line: row.Line, Pointer: "/name"}})
	}
}

func (o *observer) Merge(next rows.Observer) {
	n := next.(*observer)
	o.found.Merge(&n.found)
	o.sizes.merge(n.sizes, o.check.maxPlaces)
	o.names = append(o.names, n.names...)
}

func (o *observer) MarshalBinary() ([]byte, error) {
	var w record.Writer
	found, err := o.found.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Part(found)
	if err := o.sizes.write(&w); err != nil {
		return nil, err
	}
	w.Uint(uint64(len(o.names)))
	for _, p := range o.names {
		w.Text(p.name)
		w.Bool(p.strict)
		w.Uint(uint64(p.sessions))
		w.Text(p.place.Path)
		w.Uint(uint64(p.place.Line))
	}
	return w.Bytes(), nil
}

// maxNames bounds the names of a record: far more than a data set of such rows has.
const maxNames = 1 << 30

func (o *observer) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	if err := o.found.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	if err := o.sizes.read(r, o.check.maxPlaces); err != nil {
		return err
	}
	for range r.Count(maxNames) {
		p := persona{name: r.Text(), strict: r.Bool(), sessions: int(r.Uint())}
		p.place = finding.Place{Path: r.Text(), Line: int(r.Uint()), Pointer: "/name"}
		o.names = append(o.names, p)
	}
	return r.End()
}
