package memgym

import (
	"encoding/json"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// bundle is the manifest of the strategy bundle.
type bundle struct {
	Combined *int `json:"n_pairs_combined"`
	Slices   []struct {
		Name  string `json:"name"`
		Pairs int    `json:"n_pairs"`
	} `json:"slices"`
}

// joinBundle judges the parts of the strategy bundle together.
func joinBundle(combined, slices, manifests []seen, say *observe.Findings) {
	judgeProjections(combined, slices, say)
	for _, m := range manifests {
		for i := range m.entries {
			var b bundle
			if err := json.Unmarshal([]byte(m.entries[i].texts[0]), &b); err != nil {
				continue // the schema reports it
			}
			d := newDocument(m.split, &m.entries[i], say)
			b.judge(d, combined, slices)
		}
	}
}

const bundleHint = "write what is counted: n_pairs_combined is the number of combined rows and the sum of those of the slices"

// judge holds the numbers of the manifest against the rows.
func (b *bundle) judge(d *document, combined, slices []seen) {
	sum := 0
	for i, s := range b.Slices {
		sum += s.Pairs
		if n, whole := rowsOfSlice(slices, s.Name); whole && n != s.Pairs {
			d.add(finding.MemgymBundle, at("/slices", i, "/n_pairs"), bundleHint, "n_pairs of %s is %d, and there are %d rows", s.Name, s.Pairs, n)
			return
		}
	}
	n, whole := 0, len(combined) > 0
	for _, s := range combined {
		n += len(s.entries)
		whole = whole && s.whole
	}
	if !whole {
		n = sum
	}
	switch {
	case b.Combined == nil:
	case *b.Combined != n:
		d.add(finding.MemgymBundle, "/n_pairs_combined", bundleHint, "n_pairs_combined is %d, and there are %d rows", *b.Combined, n)
	case sum != n:
		d.add(finding.MemgymBundle, "/slices", bundleHint, "the slices have %d rows together, and n_pairs_combined is %d", sum, n)
	}
}

// rowsOfSlice counts the rows of the files that are named after a slice; whole is false when there is none, or not all was seen.
func rowsOfSlice(slices []seen, name string) (n int, whole bool) {
	for _, s := range slices {
		if isCalled(s.split, name+"__") {
			if !s.whole {
				return 0, false
			}
			whole = true
			for _, e := range s.entries {
				if strings.Contains(e.path, name+"__") {
					n++
				}
			}
		}
	}
	return n, whole
}

// judgeProjections says where a row of a slice is not that of the combined file.
func judgeProjections(combined, slices []seen, say *observe.Findings) {
	known := map[string][]string{}
	whole := len(combined) > 0
	for _, s := range combined {
		whole = whole && s.whole
		for _, e := range s.entries {
			fields := e.texts[keptLabel+1:]
			known[strings.Join(fields[:projectedKey], "\x00")] = fields
		}
	}
	if !whole {
		return
	}
	const hint = "a slice repeats fields of the combined rows"
	for _, s := range slices {
		for i := range s.entries {
			e := &s.entries[i]
			row, ok := known[strings.Join(e.texts[:projectedKey], "\x00")]
			if !ok {
				f := finding.New(finding.MemgymProjection, "no combined row is of %s, step %s under %s", e.texts[0], e.texts[1], e.texts[2])
				say.Add(s.split, placed(f, e.place("/instance_id")).Hinting(hint))
				continue
			}
			for k, field := range projected() {
				if e.texts[k] != row[k] {
					f := finding.New(finding.MemgymProjection, "%s is not that of the combined row", field)
					say.Add(s.split, placed(f, e.place("/"+field)).Hinting(hint))
					break
				}
			}
		}
	}
}
