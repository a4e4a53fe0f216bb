package diff

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
)

// Rows is a check that says nothing, and remembers the fingerprints of all rows for [Compare]: the first 128 bits of a SHA-256 of
// the row's key, and 64 bits of that of its canonical bytes. It keeps them in a store, in memory up to a number and beyond it in
// a temporary file, so that the comparison is exact at any size but for the chance that two hashes are equal (2⁻⁶⁴ for one row).
type Rows struct {
	store *fingerprint.Store
	// keys are the pointers of the key that was asked for, for all splits; none for what hfpub.yaml declares as unique.
	keys []string
	logs map[string]*fingerprint.Log
	// by are the keys of each split; none where rows are compared as a whole.
	by map[string][]string
}

// NewRows returns the check for one side of a comparison. keys are pointers to the fields that name a row; none for those that
// hfpub.yaml says are unique, and the whole row where it says nothing.
func NewRows(store *fingerprint.Store, keys []string) *Rows {
	return &Rows{store: store, keys: keys, logs: map[string]*fingerprint.Log{}, by: map[string][]string{}}
}

// Checks is the list that a pass takes.
func Checks(rows *Rows) []observe.Check { return []observe.Check{rows} }

// nameOf names a split of a release.
func nameOf(repo, config, split string) string { return repo + "#" + config + "/" + split }

// Observer implements [observe.Check].
func (c *Rows) Observer(split *observe.Split) observe.Observer {
	return &rowObserver{log: c.store.NewLog(), keys: c.keysOf(split), files: split.Files}
}

// keysOf are the pointers of the key of a split: those asked for, else those of a declared rule about this split alone.
func (c *Rows) keysOf(split *observe.Split) []string {
	if len(c.keys) > 0 {
		return c.keys
	}
	for _, rule := range split.Repo.Rules {
		if rule.Unique == nil || len(rule.Unique.Normalize) > 0 {
			continue
		}
		for _, in := range rule.Unique.In {
			if in.Split == split.Name && (in.Config == "" || in.Config == split.Config.Name) {
				if keys, ok := plainPaths(rule.Unique.Key); ok {
					return keys
				}
			}
		}
	}
	return nil
}

// plainPaths are pointers without a star; ok is false where there is one.
func plainPaths(paths []release.Path) (keys []string, ok bool) {
	for _, p := range paths {
		if slices.Contains(strings.Split(string(p), "/"), "*") {
			return nil, false
		}
		keys = append(keys, string(p))
	}
	return keys, true
}

// Finish implements [observe.Check].
func (c *Rows) Finish(_ context.Context, seen []observe.Seen, _ *observe.Findings) error {
	for _, s := range seen {
		if !s.Whole {
			continue // what could not be read is reported, and counts would be wrong
		}
		name := nameOf(s.Split.Repo.ID, s.Split.Config.Name, s.Split.Name)
		c.logs[name] = s.Observer.(*rowObserver).log
		c.by[name] = s.Observer.(*rowObserver).keys
	}
	return nil
}

// rowObserver logs the fingerprints of a run of rows.
type rowObserver struct {
	log   *fingerprint.Log
	keys  []string
	files []string
	text  []byte
}

// Observe implements rows.Observer. A row without one of the key's fields has the key of its whole self.
func (o *rowObserver) Observe(row *rows.Row) {
	root := row.Doc.Root()
	o.text = digest.AppendCanonical(o.text[:0], root)
	whole := sha256.Sum256(o.text)
	record := fingerprint.Record{Key: fingerprint.OfHash(whole), Value: binary.BigEndian.Uint64(whole[16:])}
	if len(o.keys) > 0 {
		o.text = o.text[:0]
		complete := true
		for _, pointer := range o.keys {
			v, ok := root.At(pointer)
			if !ok {
				complete = false
				break
			}
			o.text = append(digest.AppendCanonical(o.text, v), '\n')
		}
		if complete {
			record.Key = fingerprint.Of(o.text)
		}
	}
	o.log.Add(record)
}

// Merge implements rows.Observer.
func (o *rowObserver) Merge(next rows.Observer) { o.log.Merge(next.(*rowObserver).log) }

var errOneProcess = errors.New("a comparison is made by one process")

// MarshalBinary implements [observe.Observer]: it is never asked for.
func (o *rowObserver) MarshalBinary() ([]byte, error) { return nil, errOneProcess }

// UnmarshalBinary implements [observe.Observer]: it is never asked for.
func (o *rowObserver) UnmarshalBinary([]byte) error { return errOneProcess }

// RowCounts says what became of the rows of a split. Rows are told apart by their key; with several rows of one key, as many as
// both sides have are the same ones.
type RowCounts struct {
	// By are the pointers of the key; none where rows are compared as a whole, and none can be called changed.
	By        []string `json:"by,omitempty"`
	Added     int64    `json:"added"`
	Removed   int64    `json:"removed"`
	Changed   int64    `json:"changed"`
	Unchanged int64    `json:"unchanged"`
}

// compareRows goes through the records of both sides in the order of their keys, key by key.
func compareRows(ctx context.Context, old, new *fingerprint.Log) (RowCounts, error) {
	var out RowCounts
	var key fingerprint.Key
	sides := [2]map[uint64]int64{{}, {}}
	settle := func() {
		before, after, same := total(sides[0]), total(sides[1]), common(sides[0], sides[1])
		out.Unchanged += same
		out.Changed += min(before, after) - same
		out.Removed += max(0, before-after)
		out.Added += max(0, after-before)
		clear(sides[0])
		clear(sides[1])
	}
	err := fingerprint.Sorted(ctx, []*fingerprint.Log{old, new}, func(log int, r fingerprint.Record) error {
		if r.Key != key {
			settle()
			key = r.Key
		}
		sides[log][r.Value]++
		return nil
	})
	settle()
	return out, err
}

func total(counts map[uint64]int64) int64 {
	var n int64
	for _, c := range counts {
		n += c
	}
	return n
}

// common counts the values that two sides share, each as often as in both.
func common(a, b map[uint64]int64) int64 {
	var n int64
	for v, c := range a {
		n += min(c, b[v])
	}
	return n
}
