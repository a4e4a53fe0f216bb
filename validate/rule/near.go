package rule

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/field"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/leak"
	"github.com/hfpub/hfpub/validate/minhash"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// near checks that no two rows have nearly the same texts. Of every row the keys of its bands are logged (package minhash); rows
// that share one are candidates, whose texts are read once more and compared (compare.go). A row that repeats the texts of one
// before it is not compared: it is like that one, and like others as that one is (repeats.go).
type near struct {
	keyed
	paths []field.Path
	// across says that only rows of different splits are compared.
	across    bool
	threshold float64
	// shingle is the number of words in a shingle.
	shingle     int
	bands, rows int
	seed        uint64
	// most is how many rows are compared.
	most int
	// known are texts that were met.
	known *knownTexts
}

func (m *maker) near(b base, r *release.NearDuplicates) observe.Check {
	n := &near{keyed: keyed{base: b, kind: "near_duplicates", noKey: finding.Warning}, across: len(r.Between) > 0, threshold: r.Threshold,
		shingle: int(r.Shingle), seed: uint64(r.Seed), most: maxCompared, known: newKnownTexts()}
	for _, path := range r.Key {
		n.paths = append(n.paths, field.Compile(path))
	}
	splits := observe.Find(m.splits, slices.Concat(r.In, r.Between))
	slices.SortStableFunc(splits, func(a, b *observe.Split) int { return int(leak.PurposeOf(a.Name)) - int(leak.PurposeOf(b.Name)) })
	if !n.add(splits, r.Key, nil, true) {
		return nil
	}
	n.bands, n.rows = minhash.Bands(r.Threshold, int(r.Permutations))
	if r.Bands > 0 {
		n.bands, n.rows = int(r.Bands), int(r.Permutations/r.Bands)
	}
	return n
}

// how says how texts are compared.
func (n *near) how() string {
	return fmt.Sprintf("texts are sets of %d words in a row; rows that may be alike are found by MinHash (%d permutations in %d bands of %d, seed %d) "+
		"and then compared themselves, from a Jaccard similarity of %s on", n.shingle, n.bands*n.rows, n.bands, n.rows, n.seed, shareText(n.threshold))
}

func shareText(share float64) string { return strconv.FormatFloat(share, 'f', -1, 64) }

// Observer implements observe.Check.
func (n *near) Observer(split *observe.Split) observe.Observer {
	if !slices.ContainsFunc(n.ends, func(e end) bool { return e.split == split }) {
		return nil
	}
	return &nearObserver{rule: n, files: files{split: split}, texts: n.newReader(), hasher: minhash.NewHasher(n.bands, n.rows, n.seed),
		whole: n.opt.Keys.NewLog(), bands: n.opt.Keys.NewLog(), found: finding.Set{MaxPlaces: n.opt.MaxPlaces}}
}

// textReader makes the set of a row's texts.
type textReader struct {
	paths    []field.Path
	shingler *minhash.Shingler
	text     []byte
}

func (n *near) newReader() *textReader {
	return &textReader{paths: n.paths, shingler: minhash.NewShingler(n.shingle)}
}

// shingles are those of all texts and numbers in the fields of the rule, also inside of them. They are good until the next call.
func (t *textReader) shingles(row *rows.Row) []uint64 {
	t.shingler.Reset()
	for i := range t.paths {
		t.paths[i].Each(row, t.add)
	}
	return t.shingler.Hashes()
}

func (t *textReader) add(v tape.Value) {
	switch v.Kind() {
	case tape.Array:
		for _, element := range v.Elements() {
			t.add(element)
		}
	case tape.Object:
		for _, member := range v.Members() {
			t.add(member)
		}
	case tape.String:
		if !v.Escaped() {
			t.shingler.Add(v.Raw())
			return
		}
		t.text = v.AppendText(t.text[:0])
		t.shingler.Add(t.text)
	case tape.Number:
		t.shingler.Add(v.Raw())
	}
}

// nearObserver logs the texts of a run of rows.
type nearObserver struct {
	rule   *near
	files  files
	texts  *textReader
	hasher *minhash.Hasher
	// whole has a record for each row, bands those of the bands of each that repeats no row, as far as that is known.
	whole, bands *fingerprint.Log
	// rows counts all rows.
	rows int64
	// found are the rows without text.
	found finding.Set
}

// Observe implements observe.Observer.
func (o *nearObserver) Observe(row *rows.Row) {
	o.rows++
	shingles := o.texts.shingles(row)
	if len(shingles) == 0 {
		if key := o.rule.ends[0].key; !key.Many() {
			f := finding.New(finding.RuleNoKey, "%s holds no word: rule %s says nothing about the row", key.Name(), o.rule.kind)
			o.found.Add(f.At(row.Path, row.Line).Hinting("fill it in, or name a field that holds text"))
		}
		return
	}
	r := fingerprint.Record{Key: minhash.Whole(shingles), Place: fingerprint.At(o.files.find(row.Path), row.Index)}
	o.whole.Add(r)
	if o.rule.known.repeats(o.files.split, r) {
		return
	}
	o.hasher.Each(shingles, func(k fingerprint.Key) { o.bands.Add(fingerprint.Record{Key: k, Place: r.Place}) })
}

// Merge implements observe.Observer.
func (o *nearObserver) Merge(next rows.Observer) {
	n := next.(*nearObserver)
	o.rows += n.rows
	o.whole.Merge(n.whole)
	o.bands.Merge(n.bands)
	o.found.Merge(&n.found)
}

// MarshalBinary implements observe.Observer.
func (o *nearObserver) MarshalBinary() ([]byte, error) {
	var w record.Writer
	found, err := o.found.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Part(found)
	w.Uint(uint64(o.rows))
	for _, log := range []*fingerprint.Log{o.whole, o.bands} {
		data, err := log.MarshalBinary()
		if err != nil {
			return nil, err
		}
		w.Raw(data)
	}
	return w.Bytes(), nil
}

// UnmarshalBinary implements observe.Observer.
func (o *nearObserver) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	if err := o.found.UnmarshalBinary(r.Part()); err != nil {
		return err
	}
	o.rows = int64(r.Uint() & (1<<48 - 1))
	o.whole.Read(r, len(o.files.split.Files))
	o.bands.Read(r, len(o.files.split.Files))
	return r.End()
}

// Finish implements observe.Check. What is there is there, even when some rows could not be read.
func (n *near) Finish(ctx context.Context, seen []observe.Seen, say *observe.Findings) error {
	c := &comparison{rule: n, joined: &joined{keyed: &n.keyed, logs: make([]*fingerprint.Log, len(n.ends)), say: say}, whole: make([]*fingerprint.Log, len(n.ends)), total: make([]int64, len(n.ends))}
	for _, s := range seen {
		o := s.Observer.(*nearObserver)
		say.Merge(s.Split, &o.found)
		at := slices.IndexFunc(n.ends, func(e end) bool { return e.split == s.Split })
		c.whole[at], c.logs[at], c.total[at] = o.whole, o.bands, o.rows
	}
	if err := c.run(ctx); err != nil {
		return fmt.Errorf("rule %s of %s: %w", n.kind, n.place(), err)
	}
	return nil
}
