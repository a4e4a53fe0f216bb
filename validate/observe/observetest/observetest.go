// Package observetest holds checks to what package observe says of them.
package observetest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Load writes a release of hfpub.yaml and files of JSON Lines, and returns it with its splits.
func Load(t testing.TB, files map[string]string) (*release.Release, []*observe.Split) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rel, found, err := release.Load(context.Background(), dir)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	var splits []*observe.Split
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		for k := range repo.Configs {
			config := &repo.Configs[k]
			for n := range config.Splits {
				split := &config.Splits[n]
				splits = append(splits, &observe.Split{Repo: repo, Config: config, Split: split, Artifact: split.Artifact, Index: len(splits)})
			}
		}
	}
	return rel, splits
}

// Options are those of a pass in which no file can be read again.
func Options(t testing.TB) observe.Options {
	t.Helper()
	keys := fingerprint.NewStore()
	t.Cleanup(func() { keys.Close() })
	again := func(context.Context, *observe.Split, int, []int64, func(*rows.Row)) error { return nil }
	return observe.Options{MaxPlaces: 3, Keys: keys, Again: again}
}

// FuzzUnmarshal reads any bytes with an observer of one of the checks. Whatever is no error can be merged, written, read again, and
// finished. It begins with what observers write that have seen rows.
func FuzzUnmarshal(f *testing.F, checks []observe.Check, splits []*observe.Split, lines ...string) {
	type pair struct {
		check observe.Check
		split *observe.Split
	}
	var pairs []pair
	for _, check := range checks {
		for _, split := range splits {
			o := check.Observer(split)
			if o == nil {
				continue
			}
			f.Add(uint8(len(pairs)), write(f, o))
			Show(f, o, split, lines)
			f.Add(uint8(len(pairs)), write(f, o))
			pairs = append(pairs, pair{check, split})
		}
	}
	if len(pairs) == 0 {
		f.Fatal("no check looks at the splits")
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		p := pairs[int(which)%len(pairs)]
		read := p.check.Observer(p.split)
		if read.UnmarshalBinary(data) != nil {
			return
		}
		merged := p.check.Observer(p.split)
		merged.Merge(read)
		again := p.check.Observer(p.split)
		if err := again.UnmarshalBinary(write(t, merged)); err != nil {
			t.Fatalf("what was read is not read again: %v", err)
		}
		var seen []observe.Seen
		for _, split := range splits {
			o := p.check.Observer(split)
			if split == p.split {
				o = again
			}
			if o != nil {
				seen = append(seen, observe.Seen{Split: split, Observer: o, Whole: true})
			}
		}
		say := observe.NewFindings(3)
		_ = p.check.Finish(context.Background(), seen, say)
		say.All(func(_ *observe.Split, found *finding.Set) { found.All() })
	})
}

func write(t testing.TB, o observe.Observer) []byte {
	t.Helper()
	data, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Show shows rows of the first file of a split to an observer.
func Show(t testing.TB, o observe.Observer, split *observe.Split, lines []string) {
	t.Helper()
	var doc tape.Tape
	for i, line := range lines {
		if problems := doc.Parse([]byte(line)); len(problems) > 0 {
			t.Fatal(problems)
		}
		o.Observe(&rows.Row{Path: split.Files[0], Line: i + 1, Index: int64(i), Doc: &doc})
	}
}
