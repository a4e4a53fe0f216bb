package rule

import (
	"context"
	"fmt"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
)

// end is a split on one side of a rule, with the key that its rows are joined by.
type end struct {
	split *observe.Split
	key   *field.Key
	// judged says that the rows of the split are judged; rows of others are what they are held against.
	judged bool
}

// keyed is a rule that joins rows by keys.
type keyed struct {
	base
	kind string
	ends []end
	// pairs says that the keys come with what they determine.
	pairs bool
	// noKey is the severity of a judged row without key.
	noKey finding.Severity
	// judge goes through the keys.
	judge func(ctx context.Context, j *joined) error
}

// add adds splits to one side of the rule.
func (k *keyed) add(splits []*observe.Split, key []release.Path, normalize []string, judged bool) bool {
	for _, split := range splits {
		k.ends = append(k.ends, end{split, field.NewKey(key, normalize), judged})
	}
	return len(splits) > 0 && len(key) > 0
}

// Observer implements observe.Check.
func (k *keyed) Observer(split *observe.Split) observe.Observer {
	o := &keyObserver{rule: k, files: files{split: split}, found: finding.Set{MaxPlaces: k.opt.MaxPlaces}}
	for i := range k.ends {
		if k.ends[i].split == split {
			o.ends = append(o.ends, i)
			o.keys = append(o.keys, k.ends[i].key.Clone())
			o.logs = append(o.logs, k.opt.Keys.NewLog())
		}
	}
	if len(o.ends) == 0 {
		return nil
	}
	return o
}

// keyObserver logs the keys of a run of rows of a split, once for each end of the rule that the split is on.
type keyObserver struct {
	rule  *keyed
	files files
	ends  []int
	keys  []*field.Key
	logs  []*fingerprint.Log
	// found are the rows without key.
	found finding.Set
}

// Observe implements observe.Observer.
func (o *keyObserver) Observe(row *rows.Row) {
	place := fingerprint.At(o.files.find(row.Path), row.Index)
	for i, key := range o.keys {
		log := o.logs[i]
		var n int
		if o.rule.pairs {
			n = key.Pairs(row, func(k, value fingerprint.Key) { log.Add(fingerprint.Record{Key: k, Place: place, Value: value[0]}) })
		} else {
			n = key.Each(row, func(k fingerprint.Key) { log.Add(fingerprint.Record{Key: k, Place: place}) })
		}
		if n == 0 && !key.Many() && o.rule.ends[o.ends[i]].judged {
			o.addNoKey(row, key)
		}
	}
}

func (o *keyObserver) addNoKey(row *rows.Row, key *field.Key) {
	f := finding.New(finding.RuleNoKey, "the row has no value for %s: rule %s says nothing about it", key.Name(), o.rule.kind)
	o.found.Add(f.As(o.rule.noKey).At(row.Path, row.Line).Hinting("fill it in, or make it a field that the schema requires"))
}

// Merge implements observe.Observer.
func (o *keyObserver) Merge(next rows.Observer) {
	n := next.(*keyObserver)
	for i := range o.logs {
		o.logs[i].Merge(n.logs[i])
	}
	o.found.Merge(&n.found)
}

// MarshalBinary implements observe.Observer.
func (o *keyObserver) MarshalBinary() ([]byte, error) {
	var w record.Writer
	found, err := o.found.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Part(found)
	for _, log := range o.logs {
		data, err := log.MarshalBinary()
		if err != nil {
			return nil, err
		}
		w.Raw(data)
	}
	return w.Bytes(), nil
}

// UnmarshalBinary implements observe.Observer.
func (o *keyObserver) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	if err := o.found.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	for _, log := range o.logs {
		log.Read(r, len(o.files.split.Files))
	}
	return r.End()
}

// joined is what all splits of a rule showed; its logs are numbered as the ends are.
type joined struct {
	*keyed
	logs []*fingerprint.Log
	// whole says of each end that all its rows were seen.
	whole []bool
	say   *observe.Findings
}

// Finish implements observe.Check.
func (k *keyed) Finish(ctx context.Context, seen []observe.Seen, say *observe.Findings) error {
	j := &joined{keyed: k, logs: make([]*fingerprint.Log, len(k.ends)), whole: make([]bool, len(k.ends)), say: say}
	for _, s := range seen {
		o := s.Observer.(*keyObserver)
		say.Merge(s.Split, &o.found)
		for i, end := range o.ends {
			j.logs[end], j.whole[end] = o.logs[i], s.Whole
		}
	}
	if err := k.judge(ctx, j); err != nil {
		return fmt.Errorf("rule %s of %s: %w", k.kind, k.place(), err)
	}
	return nil
}

// splits are those of all ends.
func (k *keyed) splits() []*observe.Split {
	var all []*observe.Split
	for _, e := range k.ends {
		all = append(all, e.split)
	}
	return all
}

// each goes through all keys. The records of a key come one after another, in the order of the ends and of their rows; first says
// that a record is the first of its key.
func (j *joined) each(ctx context.Context, see func(end int, r fingerprint.Record, first bool)) error {
	var key fingerprint.Key
	started := false
	return fingerprint.Sorted(ctx, j.logs, func(end int, r fingerprint.Record) error {
		see(end, r, !started || r.Key != key)
		key, started = r.Key, true
		return nil
	})
}
