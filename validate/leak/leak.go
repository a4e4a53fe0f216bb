// Package leak looks for rows that stand more than once: in a split, or in two splits of a config, whether or not a rule speaks of
// them.
//
// Rows are equal when their canonical bytes are (package digest): the order of keys, escapes and spacing do not count. Their hashes
// are there already, so that looking for equal ones costs 32 bytes for each row, in memory or in a temporary file (package
// fingerprint). Splits of different configs are not compared: configs are often views of the same data.
package leak

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
)

// Purpose is what a split is for, by its name.
type Purpose int

// The purposes of splits, in the order in which rows belong to them.
const (
	Training Purpose = iota
	Other
	Evaluation
)

// PurposeOf tells what a split is for by the words of its name: those that load_dataset takes for train, validation and test, and
// a few more that people use.
func PurposeOf(split string) Purpose {
	purpose := Other
	for _, word := range strings.FieldsFunc(strings.ToLower(split), func(r rune) bool { return r == '_' || r == '.' || r == '-' }) {
		word = strings.TrimRight(word, "0123456789")
		switch word {
		case "test", "testing", "eval", "evaluation", "valid", "validation", "val", "dev", "heldout", "holdout", "unseen", "ood":
			return Evaluation
		case "train", "training", "finetune", "finetuning", "pretrain", "pretraining", "sft":
			purpose = Training
		}
	}
	return purpose
}

// check compares the rows of the splits of one config.
type check struct {
	opt    observe.Options
	config *release.Config
	// splits are in the order of their purposes: of two equal rows in two splits, the later one should not be there.
	splits []*observe.Split
}

// Checks returns a check for every config.
func Checks(splits []*observe.Split, opt observe.Options) []observe.Check {
	var all []observe.Check
	byConfig := map[*release.Config]*check{}
	for _, s := range splits {
		c := byConfig[s.Config]
		if c == nil {
			c = &check{opt: opt, config: s.Config}
			byConfig[s.Config] = c
			all = append(all, c)
		}
		c.splits = append(c.splits, s)
	}
	for _, c := range byConfig {
		slices.SortStableFunc(c.splits, func(a, b *observe.Split) int { return cmp.Compare(PurposeOf(a.Name), PurposeOf(b.Name)) })
	}
	return all
}

// Observer implements observe.Check.
func (c *check) Observer(split *observe.Split) observe.Observer {
	if split.Config != c.config {
		return nil
	}
	return &observer{split: split, log: c.opt.Keys.NewLog()}
}

// observer logs the hashes of a run of rows.
type observer struct {
	split *observe.Split
	log   *fingerprint.Log
	path  string
	file  int
	// unhashed are the places of the rows whose hashes are not known yet.
	unhashed []fingerprint.Place
}

// Observe implements observe.Observer.
func (o *observer) Observe(row *rows.Row) { o.see(row, 1) }

// ObserveRun implements [rows.RunObserver]. Of rows it needs no more than their places.
func (o *observer) ObserveRun(run *rows.Run) { o.see(run.At(0), run.Rows) }

// see takes in so many rows that follow one another.
func (o *observer) see(first *rows.Row, count int) {
	if first.Path != o.path {
		o.path, o.file = first.Path, max(slices.Index(o.split.Files, first.Path), 0)
	}
	for i := range count {
		o.unhashed = append(o.unhashed, fingerprint.At(o.file, first.Index+int64(i)))
	}
}

// ObserveHashes implements observe.HashObserver.
func (o *observer) ObserveHashes(hashes []byte) {
	for i, place := range o.unhashed {
		hash := [sha256.Size]byte(hashes[i*sha256.Size:])
		o.log.Add(fingerprint.Record{Key: fingerprint.OfHash(hash), Place: place})
	}
	o.unhashed = nil
}

// Merge implements observe.Observer.
func (o *observer) Merge(next rows.Observer) { o.log.Merge(next.(*observer).log) }

// MarshalBinary implements observe.Observer.
func (o *observer) MarshalBinary() ([]byte, error) { return o.log.MarshalBinary() }

// UnmarshalBinary implements observe.Observer.
func (o *observer) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	o.log.Read(r, len(o.split.Files))
	return r.End()
}

// spot is a row of a split, by the split's place in check.splits.
type spot struct {
	split int
	place fingerprint.Place
}

func (a spot) compare(b spot) int {
	return cmp.Or(cmp.Compare(a.split, b.split), cmp.Compare(a.place, b.place))
}

// copied is a row with an equal one before it: the first, and how many there are.
type copied struct {
	at, of spot
	equal  int64
}

// between names a pair of splits, or a split and itself.
type between struct{ first, second int }

// tally is what was found between two splits.
type tally struct {
	rows  int64
	first []copied
}

// add keeps the first of all copies in the order of the rows.
func (t *tally) add(c copied, limit int) {
	t.rows++
	t.first = append(t.first, c)
	if limit > 0 && len(t.first) >= 2*limit {
		t.cut(limit)
	}
}

func (t *tally) cut(limit int) {
	slices.SortFunc(t.first, func(a, b copied) int { return a.at.compare(b.at) })
	if limit > 0 && len(t.first) > limit {
		t.first = t.first[:limit]
	}
}

// Finish implements observe.Check. What is there is there, even when some rows could not be read.
func (c *check) Finish(ctx context.Context, seen []observe.Seen, say *observe.Findings) error {
	logs := make([]*fingerprint.Log, len(c.splits))
	for _, s := range seen {
		logs[slices.Index(c.splits, s.Split)] = s.Observer.(*observer).log
	}
	tallies, err := c.compare(ctx, logs)
	if err != nil {
		return fmt.Errorf("look for equal rows of config %s: %w", c.config.Name, err)
	}
	pairs := slices.SortedFunc(maps.Keys(tallies), func(a, b between) int {
		return cmp.Or(cmp.Compare(a.second, b.second), cmp.Compare(a.first, b.first))
	})
	lines, err := c.readAgain(ctx, tallies)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		c.report(pair, tallies[pair], logs[pair.second].Len(), lines, say)
	}
	return nil
}

// most is how many places are kept for one finding.
func (c *check) most() int {
	if c.opt.MaxPlaces == 0 {
		return 0
	}
	return c.opt.MaxPlaces + shown
}

// compare goes through all rows in the order of their hashes.
func (c *check) compare(ctx context.Context, logs []*fingerprint.Log) (map[between]*tally, error) {
	tallies := map[between]*tally{}
	var key fingerprint.Key
	firsts := make([]spot, 0, len(logs)) // the first of the equal rows in each split that has one
	counts := make([]int64, len(logs))
	add := func(first spot, equal int64, at spot) {
		pair := between{first.split, at.split}
		t := tallies[pair]
		if t == nil {
			t = &tally{}
			tallies[pair] = t
		}
		t.add(copied{at, first, equal}, c.most())
	}
	err := fingerprint.Sorted(ctx, logs, func(split int, r fingerprint.Record) error {
		at := spot{split, r.Place}
		if len(firsts) == 0 || r.Key != key {
			key = r.Key
			firsts = firsts[:0]
		}
		for _, first := range firsts {
			add(first, counts[first.split], at)
		}
		if len(firsts) == 0 || firsts[len(firsts)-1].split != split {
			firsts = append(firsts, at)
			counts[split] = 0
		}
		counts[split]++
		return nil
	})
	for _, t := range tallies {
		t.cut(c.most())
	}
	return tallies, err
}

// readAgain finds the lines of all rows that are to be shown.
func (c *check) readAgain(ctx context.Context, tallies map[between]*tally) (map[spot]int, error) {
	type source struct{ split, file int }
	wanted := map[source][]int64{}
	want := func(s spot) {
		from := source{s.split, s.place.File()}
		wanted[from] = append(wanted[from], s.place.Index())
	}
	for _, t := range tallies {
		for _, row := range t.first {
			want(row.at)
			want(row.of)
		}
	}
	lines := map[spot]int{}
	for from, indexes := range wanted {
		slices.Sort(indexes)
		err := c.opt.Again(ctx, c.splits[from.split], from.file, slices.Compact(indexes), func(row *rows.Row) {
			lines[spot{from.split, fingerprint.At(from.file, row.Index)}] = row.Line
		})
		if err != nil {
			return nil, err
		}
	}
	return lines, nil
}

const (
	// shown is how many rows that two splits share get a finding of their own, shownRepeats how many that repeat one of their split.
	shown        = 20
	shownRepeats = 5
)

// report says which rows of a split stand before: in it, or in another.
func (c *check) report(pair between, t *tally, of int64, lines map[spot]int, say *observe.Findings) {
	first, second := c.splits[pair.first], c.splits[pair.second]
	code, one, rest, hint, individually := words(first, second, fmt.Sprintf("%d of %d rows (%.1f %%)", t.rows, of, 100*float64(t.rows)/float64(of)))
	individually = min(individually, len(t.first))
	where := func(s spot) string { return fmt.Sprintf("%s:%d", c.splits[s.split].Files[s.place.File()], lines[s]) }
	for _, row := range t.first[:individually] {
		more := ""
		if row.equal > 1 && pair.first != pair.second {
			more = fmt.Sprintf(" and %d more", row.equal-1)
		}
		f := finding.New(code, one, where(row.of)+more)
		say.Add(second, f.At(second.Files[row.at.place.File()], lines[row.at]).Hinting("%s", hint))
	}
	more := t.rows - int64(individually)
	if more == 0 {
		return
	}
	f := finding.New(code, rest, more).Hinting("%s", hint)
	f.Count = int(more)
	for _, row := range t.first[individually:] {
		if c.opt.MaxPlaces == 0 || len(f.Places) < c.opt.MaxPlaces {
			f.Places = append(f.Places, finding.Place{Path: second.Files[row.at.place.File()], Line: lines[row.at]})
		}
	}
	f.Place = f.Places[0]
	say.Add(second, f)
}

// words are what is said of rows that two splits share: of one, and of so many more. share is how many there are.
func words(first, second *observe.Split, share string) (code finding.Code, one, rest, hint string, individually int) {
	share = strings.ReplaceAll(share, "%", "%%")
	switch {
	case first == second:
		return finding.LeakRepeatedRow, "the row repeats %s: " + share + " of " + second.Name + " repeat another one",
			"%d more rows repeat another one: " + share + " of " + second.Name + " in all", "take the repeats out, or let readers know of them", shownRepeats
	case PurposeOf(first.Name) == Training && PurposeOf(second.Name) == Evaluation:
		return finding.LeakTrainRow, "the row is in " + first.Name + " too (%s): " + share + " of " + second.Name + " are in " + first.Name,
			"%d more rows are in " + first.Name + " too: " + share + " of " + second.Name + " in all",
			"take the row out of one of the splits: what is trained on cannot be tested with", shown
	}
	return finding.LeakSharedRow, "the row is in " + first.Name + " too (%s): " + share + " of " + second.Name + " are in " + first.Name,
		"%d more rows are in " + first.Name + " too: " + share + " of " + second.Name + " in all", "take the row out of one of the splits, or let readers know of it", shown
}
