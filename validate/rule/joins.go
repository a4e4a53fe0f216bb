package rule

import (
	"context"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/leak"
	"github.com/hfpub/hfpub/validate/observe"
)

// unique makes the check that no two rows have the same key.
func (m *maker) unique(b base, r *release.Unique) observe.Check {
	k := &keyed{base: b, kind: "unique", noKey: finding.Warning}
	if !k.add(observe.Find(m.splits, r.In), r.Key, r.Normalize, true) {
		return nil
	}
	k.judge = func(ctx context.Context, j *joined) error {
		all := j.newOffences()
		var before spot
		if err := j.each(ctx, func(end int, r fingerprint.Record, first bool) {
			at := spot{end, r.Place, r.Key}
			if first {
				before = at
				return
			}
			all.add(offence{at: at, with: before, hasWith: true})
		}); err != nil {
			return err
		}
		name := j.ends[0].key.Name()
		hint := fmt.Sprintf("take the row out, give it a key of its own, or change the rule of %s", j.place())
		return j.report(ctx, all, finding.RuleUnique, hint, func(o *offence, at, with *detail) string {
			if o.at == o.with {
				return fmt.Sprintf("%s %s stands in this row more than once", name, at.found.Text)
			}
			return fmt.Sprintf("%s %s is not unique: %s has it too; %s", name, at.found.Text, j.pathOf(o, with), differences(at, with))
		}, func(end int, more int64) string {
			return fmt.Sprintf("%d more rows repeat a value of %s", more, name)
		})
	}
	return k
}

// disjoint makes the check that no key occurs in two splits. Rows of splits that are for evaluation are shown as those that
// should not be there, else those of the split that is named later.
func (m *maker) disjoint(b base, r *release.Disjoint) observe.Check {
	k := &keyed{base: b, kind: "disjoint", noKey: finding.Warning}
	splits := observe.Find(m.splits, r.Between)
	slices.SortStableFunc(splits, func(a, b *observe.Split) int { return int(leak.PurposeOf(a.Name)) - int(leak.PurposeOf(b.Name)) })
	if !k.add(splits, r.Key, r.Normalize, true) {
		return nil
	}
	k.judge = func(ctx context.Context, j *joined) error {
		all := j.newOffences()
		var before spot // the first row with the key in another split
		var last int    // the end of the record before
		var earlier, here int64
		if err := j.each(ctx, func(end int, r fingerprint.Record, first bool) {
			at := spot{end, r.Place, r.Key}
			switch {
			case first:
				before, earlier, here = at, 0, 0
			case end != last:
				earlier, here = earlier+here, 0
			}
			last = end
			here++
			if earlier > 0 {
				all.add(offence{at: at, with: before, hasWith: true, count: earlier})
			}
		}); err != nil {
			return err
		}
		return j.reportDisjoint(ctx, all)
	}
	return k
}

func (j *joined) reportDisjoint(ctx context.Context, all *offences) error {
	name, splits := j.ends[0].key.Name(), j.splits()
	hint := fmt.Sprintf("take the row out of one of the splits, or change the rule of %s", j.place())
	return j.report(ctx, all, finding.RuleDisjoint, hint, func(o *offence, at, with *detail) string {
		others := ""
		if o.count > 1 {
			others = fmt.Sprintf(" and %d more", o.count-1)
		}
		end := o.at.end
		return fmt.Sprintf("%s %s is in %s too (%s%s): %s of %s have a %s of another split", name, at.found.Text,
			nameOf(j.ends[o.with.end].split, splits), j.pathOf(o, with), others, share(all.count[end], j.logs[end].Len(), j.noun(end)),
			nameOf(j.ends[end].split, splits), name)
	}, func(end int, more int64) string {
		return fmt.Sprintf("%d more rows of %s have a %s of another split: %s in all", more, nameOf(j.ends[end].split, splits), name,
			share(all.count[end], j.logs[end].Len(), j.noun(end)))
	})
}

// times says how often a key has to occur; most is negative for any number.
type times struct{ least, most int64 }

func (t times) String() string {
	switch {
	case t.least == t.most:
		return fmt.Sprintf("exactly %d is right", t.least)
	case t.most < 0:
		return fmt.Sprintf("at least %d is right", t.least)
	case t.least == 0:
		return fmt.Sprintf("at most %d is right", t.most)
	}
	return fmt.Sprintf("%d to %d is right", t.least, t.most)
}

// reference makes the check that each key of some splits occurs so many times in others.
func (m *maker) reference(b base, r *release.Reference) observe.Check {
	k := &keyed{base: b, kind: "reference", noKey: finding.Note}
	want := times{1, -1}
	switch {
	case r.Exactly != nil:
		want = times{*r.Exactly, *r.Exactly}
	case r.AtLeast != nil || r.AtMost != nil:
		want.least = 0
	}
	if r.AtLeast != nil {
		want.least = *r.AtLeast
	}
	if r.AtMost != nil {
		want.most = *r.AtMost
	}
	targets := k.add(observe.Find(m.splits, r.To.In), r.To.Key, nil, false)
	if !k.add(observe.Find(m.splits, r.From.In), r.From.Key, nil, true) || !targets {
		return nil
	}
	k.judge = func(ctx context.Context, j *joined) error { return j.judgeTimes(ctx, finding.RuleReference, want) }
	return k
}

// subset makes the check that every key of some splits occurs in others.
func (m *maker) subset(b base, r *release.Subset) observe.Check {
	k := &keyed{base: b, kind: "subset", noKey: finding.Note}
	targets := k.add(observe.Find(m.splits, r.Of), r.Key, r.Normalize, false)
	if !k.add(observe.Find(m.splits, r.In), r.Key, r.Normalize, true) || !targets {
		return nil
	}
	k.judge = func(ctx context.Context, j *joined) error {
		return j.judgeTimes(ctx, finding.RuleSubset, times{1, -1})
	}
	return k
}

// judgeTimes finds the judged rows whose key occurs too rarely or too often in the ends that are not judged; those come first. That a
// key is missing is not known when rows of those could not be read.
func (j *joined) judgeTimes(ctx context.Context, code finding.Code, want times) error {
	whole := true
	var targets []*observe.Split
	for i, e := range j.ends {
		if !e.judged {
			whole = whole && j.whole[i]
			targets = append(targets, e.split)
		}
	}
	all := j.newOffences()
	var target spot
	var count int64
	if err := j.each(ctx, func(end int, r fingerprint.Record, first bool) {
		at := spot{end, r.Place, r.Key}
		if first {
			target, count = at, 0
		}
		switch {
		case !j.ends[end].judged:
			count++
		case count < want.least && whole, want.most >= 0 && count > want.most:
			all.add(offence{at: at, with: target, hasWith: count > 0, count: count})
		}
	}); err != nil {
		return err
	}
	splits := j.splits()
	in := nameOf(targets[0], splits)
	for _, s := range targets[1:] {
		in += ", " + nameOf(s, splits)
	}
	hint := fmt.Sprintf("mend the key or add the row that it names, or change the rule of %s", j.place())
	return j.report(ctx, all, code, hint, func(o *offence, at, with *detail) string {
		name := j.ends[o.at.end].key.Name()
		if o.count == 0 {
			return fmt.Sprintf("%s %s is nowhere in %s: %s", name, at.found.Text, in, want)
		}
		return fmt.Sprintf("%s %s is %d times in %s, first in %s: %s", name, at.found.Text, o.count, in, j.pathOf(o, with), want)
	}, func(end int, more int64) string {
		return fmt.Sprintf("%d more values of %s are not as often in %s as they should be: %s", more, j.ends[end].key.Name(), in, want)
	})
}

// determines makes the check that rows with the same key have the same value.
func (m *maker) determines(b base, r *release.Determines) observe.Check {
	k := &keyed{base: b, kind: "determines", pairs: true, noKey: finding.Warning}
	splits := observe.Find(m.splits, r.In)
	if len(splits) == 0 || len(r.Key) == 0 || len(r.Value) == 0 {
		return nil
	}
	for _, split := range splits {
		k.ends = append(k.ends, end{split, field.NewPair(r.Key, r.Value, nil), true})
	}
	k.judge = func(ctx context.Context, j *joined) error {
		all := j.newOffences()
		var before spot
		var value uint64
		if err := j.each(ctx, func(end int, r fingerprint.Record, first bool) {
			at := spot{end, r.Place, r.Key}
			switch {
			case first:
				before, value = at, r.Value
			case r.Value != value:
				all.add(offence{at: at, with: before, hasWith: true})
			}
		}); err != nil {
			return err
		}
		key := j.ends[0].key
		hint := fmt.Sprintf("mend one of the two, or change the rule of %s", j.place())
		return j.report(ctx, all, finding.RuleDetermines, hint, func(o *offence, at, with *detail) string {
			return fmt.Sprintf("%s %s goes with %s %s here, and with %s in %s", key.Name(), at.found.Text, key.ValueName(), at.found.Value,
				with.found.Value, j.pathOf(o, with))
		}, func(end int, more int64) string {
			return fmt.Sprintf("%d more rows have a %s that goes with another %s elsewhere", more, key.Name(), key.ValueName())
		})
	}
	return k
}
