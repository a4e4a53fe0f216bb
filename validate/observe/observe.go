// Package observe is how a check that looks at rows joins the one pass: declared rules, the rules of a family, hygiene, claims.
//
// A [Check] is made once for a pass and gives an [Observer] for every run of rows of the splits it looks at. Runs are merged in
// file order, those of a split into one; then [Check.Finish] sees what all splits showed, side by side, and says what is wrong
// through [Findings]. So a check may join splits, configs and repos, and knows nothing of blocks, workers and shards.
package observe

import (
	"context"
	"encoding"
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/rows"
)

// Split is a split of the release as a check sees it.
type Split struct {
	Repo   *release.Repo
	Config *release.Config
	*release.Split
	// Artifact is the artifact of the split's rows, family/name; "" when none is known. It hides that of the release, which
	// does not know what was asked for on the command line.
	Artifact string
	// Index numbers the splits of the release from 0.
	Index int
}

// Find returns the splits that are named, each once; nil when one of them is not there, which loading the release has found.
func Find(splits []*Split, refs []release.SplitRef) []*Split {
	var all []*Split
	for _, ref := range refs {
		i := slices.IndexFunc(splits, func(s *Split) bool {
			return s.Repo.ID == ref.Repo && s.Config.Name == ref.Config && s.Name == ref.Split
		})
		if i < 0 {
			return nil
		}
		if !slices.Contains(all, splits[i]) {
			all = append(all, splits[i])
		}
	}
	return all
}

// Observer looks at a run of rows. It takes rows of any form: a row that does not have what it needs is for others to report
// (the schema, say), and is passed over. What it keeps has to be bounded, or to grow by little for each row.
//
// Its binary form carries it from one process to another, for `hfpub merge`; package record helps. UnmarshalBinary is called
// on a new observer of the same check and split, and is record.ErrDamaged for bytes that MarshalBinary does not write.
type Observer interface {
	rows.Observer
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// HashObserver is an observer that looks at the hashes of rows too. They are known later than the rows, for many rows together.
type HashObserver interface {
	Observer
	// ObserveHashes is shown h(row), as package digest defines it, of all rows of the run: 32 bytes for each, one behind the other. It
	// is called once, behind the last Observe and before the observer is merged with others.
	ObserveHashes(hashes []byte)
}

// Reusable is an observer that another run of rows of its split can be shown once it has been merged with others. What it needs for
// its work, and what is costly to make, is then not made for each run anew.
type Reusable interface {
	Observer
	// Reset forgets all that was seen. What was merged with others belongs to them.
	Reset()
}

// Check is something that looks at the rows of some splits.
type Check interface {
	// Observer returns an observer that has seen nothing, for a run of rows of the split; nil when the check does not look at
	// the split. It is called from several goroutines.
	Observer(split *Split) Observer
	// Finish is called once, when all rows have been seen. seen holds an entry for each split that the check looks at, in the
	// order of the release.
	Finish(ctx context.Context, seen []Seen, say *Findings) error
}

// Seen is what the rows of a split showed.
type Seen struct {
	Split    *Split
	Observer Observer
	// Whole says that every row of the split was seen. A check that counts, or that misses something, says nothing about a
	// split that was not: what is wrong with its files is reported, and the missing row may be there.
	Whole bool
}

// Options says how checks are to be made.
type Options struct {
	// MaxPlaces bounds the places kept for one finding; 0 means no limit.
	MaxPlaces int
	// Keys keeps the keys of rows for checks that join rows.
	Keys *fingerprint.Store
	// Again reads a file of a split once more, by its place in the list of files, and shows the rows with the given indexes, which
	// ascend. It is for what a finding says of a row; a check that keeps the keys of all rows cannot keep their places too.
	Again func(ctx context.Context, split *Split, file int, indexes []int64, see func(*rows.Row)) error
}

// Findings collects what checks say.
type Findings struct {
	maxPlaces int
	order     []*Split
	sets      map[*Split]*finding.Set
}

// NewFindings returns an empty collection; maxPlaces is that of [Options].
func NewFindings(maxPlaces int) *Findings {
	return &Findings{maxPlaces: maxPlaces, sets: map[*Split]*finding.Set{}}
}

// Add adds a finding about a split, or about the whole release when split is nil.
func (f *Findings) Add(split *Split, found finding.Finding) { f.set(split).Add(found) }

// Merge adds findings about a split, or about the whole release when split is nil.
func (f *Findings) Merge(split *Split, found *finding.Set) { f.set(split).Merge(found) }

func (f *Findings) set(split *Split) *finding.Set {
	set := f.sets[split]
	if set == nil {
		set = &finding.Set{MaxPlaces: f.maxPlaces}
		f.sets[split] = set
		f.order = append(f.order, split)
	}
	return set
}

// All calls fn with the findings about each split, labelled with its config and name, in the order in which the splits were
// first spoken of.
func (f *Findings) All(fn func(split *Split, found *finding.Set)) {
	for _, split := range f.order {
		found := f.sets[split]
		if split != nil {
			found.Label("", split.Config.Name, split.Name)
		}
		fn(split, found)
	}
}
