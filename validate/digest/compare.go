package digest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// Compare says what drifted since the lock was written, one error for each thing: the release, a repo, a config, a split, a
// file. A thing that came or went is one drift, with everything inside it.
func Compare(locked, now *Lock) []finding.Finding {
	c := &comparison{}
	c.release(locked.Release, now.Release)
	pairs(locked.Repos, now.Repos, func(r LockedRepo) string { return r.Type + " " + r.ID }, c.repo)
	return c.found
}

// comparison collects the drifts, and knows in which repo, config and split it is.
type comparison struct {
	repoID, configName, splitName string
	found                         []finding.Finding
}

// pairs calls compare for each thing that stands in one of two lists or in both, in the order of the lists; the one that
// is missing is nil.
func pairs[T any](locked, now []T, name func(T) string, compare func(locked, now *T)) {
	current := map[string]*T{}
	for i := range now {
		current[name(now[i])] = &now[i]
	}
	seen := map[string]bool{}
	for i := range locked {
		key := name(locked[i])
		if !seen[key] {
			compare(&locked[i], current[key])
		}
		seen[key] = true
	}
	for i := range now {
		key := name(now[i])
		if !seen[key] {
			compare(nil, &now[i])
		}
		seen[key] = true
	}
}

// drift reports one drift; path is "" for everything but a file.
func (c *comparison) drift(path, format string, args ...any) {
	f := finding.New(finding.LockDrift, format, args...).OfSplit(c.configName, c.splitName).At(path, 0)
	f.Repo = c.repoID
	c.found = append(c.found, f.Hinting("if the change is meant, write the lock anew with hfpub lock"))

}

func (c *comparison) release(locked, now LockedRelease) {
	var changes changes
	changes.text("name", locked.Name, now.Name)
	changes.text("version", locked.Version, now.Version)
	if len(changes) > 0 {
		c.drift("", "the release changed: %s", changes)
	}
}

func (c *comparison) repo(locked, now *LockedRepo) {
	switch {
	case now == nil:
		c.repoID = locked.ID
		c.drift("", "the repo is missing: it had %s and %s", counted(len(locked.Configs), "config"), counted(len(locked.Files), "other file"))
	case locked == nil:
		c.repoID = now.ID
		c.drift("", "the repo is new: it has %s and %s", counted(len(now.Configs), "config"), counted(len(now.Files), "other file"))
	default:
		c.repoID = now.ID
		pairs(locked.Configs, now.Configs, func(x LockedConfig) string { return x.Name }, c.config)
		pairs(locked.Files, now.Files, pathOf, func(a, b *LockedFile) { c.file(a, b, false) })
	}
	c.repoID = ""
}

func (c *comparison) config(locked, now *LockedConfig) {
	switch {
	case now == nil:
		c.configName = locked.Name
		c.drift("", "config %s is missing: it had %s", locked.Name, counted(len(locked.Splits), "split"))
	case locked == nil:
		c.configName = now.Name
		c.drift("", "config %s is new: it has %s", now.Name, counted(len(now.Splits), "split"))
	default:
		c.configName = now.Name
		pairs(locked.Splits, now.Splits, func(x LockedSplit) string { return x.Name }, c.split)
	}
	c.configName = ""
}

func (c *comparison) split(locked, now *LockedSplit) {
	switch {
	case now == nil:
		c.splitName = locked.Name
		c.drift("", "split %s is missing: it had %s", locked.Name, locked.describe())
	case locked == nil:
		c.splitName = now.Name
		c.drift("", "split %s is new: it has %s", now.Name, now.describe())
	default:
		c.splitName = now.Name
		c.content(locked, now)
		sameRows := locked.Digest != nil && now.Digest != nil && *locked.Digest == *now.Digest
		pairs(locked.Files, now.Files, pathOf, func(a, b *LockedFile) { c.file(a, b, sameRows) })
	}
	c.splitName = ""
}

// content compares what is in the rows of a split, whichever files hold them.
func (c *comparison) content(locked, now *LockedSplit) {
	var changes changes
	changes.rows(locked.Rows, now.Rows)
	before, after := hashesOf(locked.Digest), hashesOf(now.Digest)
	changes.hash("sequence", before.Sequence, after.Sequence)
	changes.hash("set", before.Set, after.Set)
	if len(changes) == 0 {
		return
	}
	what := "changed"
	switch paths := slices.EqualFunc(locked.Files, now.Files, sameFile); {
	case before.Set != "" && before.Set == after.Set:
		what = "has the same rows in another order"
	case paths:
		what = "changed although its files have the same bytes"
	}
	c.drift("", "split %s %s: %s", now.Name, what, changes)
}

func sameFile(a, b LockedFile) bool { return a.Path == b.Path && a.SHA256 == b.SHA256 }

func pathOf(f LockedFile) string { return f.Path }

// file compares one file; sameRows says that the rows of its split did not change.
func (c *comparison) file(locked, now *LockedFile, sameRows bool) {
	switch {
	case now == nil:
		c.drift(locked.Path, "file %s is missing: it had %s", locked.Path, locked.describe())
		return
	case locked == nil:
		c.drift(now.Path, "file %s is new: it has %s", now.Path, now.describe())
		return
	}
	var changes changes
	changes.count("bytes", locked.Bytes, now.Bytes)
	changes.rows(locked.Rows, now.Rows)
	changes.hash("sha256", locked.SHA256, now.SHA256)
	if len(changes) == 0 {
		return
	}
	what := "changed"
	if sameRows {
		what = "changed, the rows of the split did not"
	}
	c.drift(now.Path, "file %s %s: %s", now.Path, what, changes)
}

// changes lists what changed, each with both values.
type changes []string

func (c changes) String() string { return strings.Join(c, ", ") }

func (c *changes) add(what, before, after string) {
	*c = append(*c, fmt.Sprintf("%s %s -> %s", what, before, after))
}

func (c *changes) text(what, before, after string) {
	if before != after {
		c.add(what, fmt.Sprintf("%q", before), fmt.Sprintf("%q", after))
	}
}

func (c *changes) count(what string, before, after int64) {
	if before != after {
		c.add(what, fmt.Sprint(before), fmt.Sprint(after))
	}
}

// rows compares numbers of rows that may be unknown.
func (c *changes) rows(before, after *int64) {
	if known(before) != known(after) {
		c.add("rows", known(before), known(after))
	}
}

func known(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

func (c *changes) hash(what, before, after string) {
	if before != after {
		c.add(what, short(before), short(after))
	}
}

// short is the beginning of a hash, enough to find it by.
func short(hash string) string {
	if hash == "" {
		return "unknown"
	}
	return hash[:min(len(hash), 12)]
}

func hashesOf(d *Digest) Digest {
	if d == nil {
		return Digest{}
	}
	return *d
}

func (s *LockedSplit) describe() string {
	if s.Rows == nil {
		return counted(len(s.Files), "file")
	}
	return fmt.Sprintf("%s in %s", counted(int(*s.Rows), "row"), counted(len(s.Files), "file"))
}

func (f *LockedFile) describe() string {
	return fmt.Sprintf("%s, sha256 %s", counted(int(f.Bytes), "byte"), short(f.SHA256))
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
