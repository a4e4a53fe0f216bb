// Package diff compares two releases: what changed in their repos, configs and splits, in the columns, the rows and the
// statistics, and what that means for the number of the next version.
//
// Each side is a [Side]: a release with its report and the fingerprints of its rows ([Rows] is a check of the pass that collects
// them), or no more than a lock or the files of a revision. What both sides have is compared; [Result.Limits] says what one of them
// lacked. [Compare] makes the comparison; the version follows from it by the rules of [Proposal].
package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
)

// Side is one of the two releases that are compared.
type Side struct {
	// Lock holds what every side has: repos, configs, splits, files, counts and digests.
	Lock *digest.Lock
	// Report and Rows are nil for a side that was not read: a lock.
	Report *validate.Report
	Rows   *Rows
	// From is the commit that a pushed revision is of, "" for anything else; Splits says what gives its files their splits: those
	// that "its card declares"; and NotRead why its rows were not read, "" where they were.
	From, Splits, NotRead string
	// Notes are more about the side that the reader has to know, to follow its name: "has other repos, which are not compared".
	Notes []string
}

// Weight says what a change means for those who use the data.
type Weight string

// The weights, by the part of the version number that goes up.
const (
	// Breaking changes make programs fail or mean something else: major.
	Breaking Weight = "breaking"
	// Addition leaves what was there: minor.
	Addition Weight = "addition"
	// Fix changes values and no form: patch.
	Fix Weight = "fix"
)

// Change is one thing that changed.
type Change struct {
	Repo   string `json:"repo,omitempty"`
	Config string `json:"config,omitempty"`
	Split  string `json:"split,omitempty"`
	// Column is a column, with the path inside of it, such as turns[].text.
	Column  string `json:"column,omitempty"`
	Weight  Weight `json:"weight"`
	Message string `json:"message"`
}

// Split is what became of one split that both sides have.
type Split struct {
	Repo   string `json:"repo"`
	Config string `json:"config"`
	Name   string `json:"name"`
	// Before and After are what each side has; the number of rows is nil where it is not known.
	Before Counts `json:"before"`
	After  Counts `json:"after"`
	// Content says how the rows relate: same, reordered, changed, or unknown.
	Content string `json:"content"`
	// Rows is nil where the rows of one side were not read, or all are the same.
	Rows  *RowCounts `json:"rows,omitempty"`
	Drift []Drift    `json:"drift,omitempty"`
}

// Counts is what a side has of a split.
type Counts struct {
	Rows  *int64 `json:"rows,omitempty"`
	Bytes int64  `json:"bytes"`
	Files int    `json:"files"`
}

// Result is a comparison. Its JSON form may get more fields.
type Result struct {
	Version int    `json:"diff"`
	Hfpub   string `json:"hfpub"`
	Release string `json:"release"`
	// Before is the version of the old side, After that of the new one, Proposed what the new one should be.
	Before   string   `json:"before"`
	After    string   `json:"after"`
	Proposed string   `json:"proposed,omitempty"`
	Weight   Weight   `json:"weight,omitempty"`
	Changes  []Change `json:"changes"`
	Splits   []Split  `json:"splits"`
	// Limits say what could not be compared, and why.
	Limits []string `json:"limits,omitempty"`
}

// Same says that nothing changed.
func (r *Result) Same() bool { return len(r.Changes) == 0 }

// comparison is a comparison under way.
type comparison struct {
	ctx      context.Context
	old, new Side
	out      *Result
	// loneRepo says that both sides have one repo, which is the same one whatever it is called.
	loneRepo bool
}

// Compare compares two releases. The error is for rows that cannot be compared: a full disk, a context that ended.
func Compare(ctx context.Context, old, new Side) (*Result, error) {
	c := &comparison{ctx: ctx, old: old, new: new, out: &Result{Version: 1, Changes: []Change{}, Splits: []Split{}}}
	c.out.Release, c.out.Before, c.out.After = new.Lock.Release.Name, old.Lock.Release.Version, new.Lock.Release.Version
	c.loneRepo = len(old.Lock.Repos) == 1 && len(new.Lock.Repos) == 1
	for i, side := range []Side{old, new} {
		c.out.Limits = append(c.out.Limits, limits([]string{"OLD", "NEW"}[i], side)...)
	}
	err := pairs(old.Lock.Repos, new.Lock.Repos, c.repoKey, c.repo)
	if err != nil {
		return nil, err
	}
	c.out.Weight = heaviest(c.out.Changes)
	c.out.Proposed = Proposal(c.out.Before, c.out.Weight)
	return c.out, nil
}

// limits say what of a side cannot be compared, and where its splits come from.
func limits(name string, side Side) []string {
	var out []string
	switch {
	case side.From != "" && side.NotRead == "":
		out = append(out, name+" is commit "+side.From+", whose files are in the splits that "+side.Splits)
	case side.From != "":
		out = append(out, name+" is commit "+side.From+", whose rows were not read ("+side.NotRead+"): its files are compared by their hashes only, in the splits that "+side.Splits)
	case side.Report == nil:
		out = append(out, name+" was not read: columns, rows and statistics are not compared, only files, counts and digests")
	}
	for _, note := range side.Notes {
		out = append(out, name+" "+note)
	}
	if side.Report == nil {
		return out
	}
	for _, repo := range side.Lock.Repos {
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				if measured := splitOf(configOf(side.Report, repo.ID, config.Name), split.Name); measured != nil && !readWhole(measured) {
					out = append(out, unread(name, side.Report, repo.ID, config.Name, measured))
				}
			}
		}
	}
	return out
}

// readWhole says that all rows of a split were read.
func readWhole(split *validate.Split) bool { return split.Rows != nil && !split.Partial }

// unread says that rows of a split could not be read, with the first of them.
func unread(side string, report *validate.Report, repo, config string, split *validate.Split) string {
	what := "some rows"
	if split.Rows == nil {
		what = "the rows"
	}
	text := fmt.Sprintf("%s of %s/%s cannot be read, and are not compared", what, config, split.Name)
	for _, f := range report.Findings {
		area, _, _ := strings.Cut(string(f.Code), "/")
		here := (f.Repo == repo || f.Repo == "") && slices.ContainsFunc(split.Files, func(file validate.File) bool { return file.Path == f.Path })
		if here && slices.Contains([]string{"json", "csv", "parquet", "rows", "hygiene"}, area) {
			text += fmt.Sprintf(" (%s: %s)", place(f), f.Message)
			break
		}
	}
	return side + ": " + text
}

func place(f finding.Finding) string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

func (c *comparison) repoKey(r digest.LockedRepo) string {
	if c.loneRepo {
		return ""
	}
	return r.ID
}

// pairs calls compare for each thing of two lists: those of the old one in its order, then those that are new; what is missing
// is nil.
func pairs[T any](old, new []T, key func(T) string, compare func(old, new *T) error) error {
	find := func(list []T, k string) *T {
		at := slices.IndexFunc(list, func(t T) bool { return key(t) == k })
		if at < 0 {
			return nil
		}
		return &list[at]
	}
	for i := range old {
		if err := compare(&old[i], find(new, key(old[i]))); err != nil {
			return err
		}
	}
	for i := range new {
		if find(old, key(new[i])) == nil {
			if err := compare(nil, &new[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparison) say(change Change) { c.out.Changes = append(c.out.Changes, change) }

func (c *comparison) repo(old, new *digest.LockedRepo) error {
	switch {
	case new == nil:
		c.say(Change{Repo: old.ID, Weight: Breaking, Message: "the repo is gone"})
		return nil
	case old == nil:
		c.say(Change{Repo: new.ID, Weight: Addition, Message: "the repo is new"})
		return nil
	}
	if old.ID != new.ID && strings.Contains(old.ID, "/") && strings.Contains(new.ID, "/") {
		c.say(Change{Repo: new.ID, Weight: Breaking, Message: "the repo was called " + old.ID})
	}
	err := pairs(old.Configs, new.Configs, func(x digest.LockedConfig) string { return x.Name }, func(a, b *digest.LockedConfig) error {
		return c.config(old.ID, new.ID, a, b)
	})
	if err != nil {
		return err
	}
	return pairs(old.Files, new.Files, func(x digest.LockedFile) string { return x.Path }, func(a, b *digest.LockedFile) error {
		c.file(new.ID, a, b)
		return nil
	})
}

// file compares a file that belongs to no split.
func (c *comparison) file(repo string, old, new *digest.LockedFile) {
	switch {
	case new == nil:
		c.say(Change{Repo: repo, Weight: Fix, Message: "the file " + old.Path + " is gone"})
	case old == nil:
		c.say(Change{Repo: repo, Weight: Fix, Message: "the file " + new.Path + " is new"})
	case old.SHA256 != new.SHA256:
		c.say(Change{Repo: repo, Weight: Fix, Message: "the file " + new.Path + " changed"})
	}
}

func (c *comparison) config(oldRepo, newRepo string, old, new *digest.LockedConfig) error {
	switch {
	case new == nil:
		c.say(Change{Repo: newRepo, Config: old.Name, Weight: Breaking, Message: "the config is gone"})
		return nil
	case old == nil:
		c.say(Change{Repo: newRepo, Config: new.Name, Weight: Addition, Message: "the config is new"})
		return nil
	}
	a, b := configOf(c.old.Report, oldRepo, old.Name), configOf(c.new.Report, newRepo, new.Name)
	if allTyped(a) && allTyped(b) {
		for _, change := range compareColumns(a.Features, b.Features) {
			change.Repo, change.Config = newRepo, new.Name
			c.say(change)
		}
	}
	return pairs(old.Splits, new.Splits, func(x digest.LockedSplit) string { return x.Name }, func(before, after *digest.LockedSplit) error {
		return c.split(Change{Repo: newRepo, Config: new.Name}, nameOf(oldRepo, old.Name, ""), before, after)
	})
}

// allTyped says whether the columns of a config are known: a file that cannot be read leaves them open. Single rows that cannot be read do not.
func allTyped(config *validate.Config) bool {
	return config != nil && !slices.ContainsFunc(config.Splits, func(s validate.Split) bool { return s.Rows == nil })
}

// configOf finds a config in a report; nil where there is none.
func configOf(report *validate.Report, repo, config string) *validate.Config {
	if report == nil {
		return nil
	}
	for i := range report.Repos {
		if report.Repos[i].ID != repo {
			continue
		}
		for j := range report.Repos[i].Configs {
			if report.Repos[i].Configs[j].Name == config {
				return &report.Repos[i].Configs[j]
			}
		}
	}
	return nil
}

func splitOf(config *validate.Config, name string) *validate.Split {
	if config == nil {
		return nil
	}
	at := slices.IndexFunc(config.Splits, func(s validate.Split) bool { return s.Name == name })
	if at < 0 {
		return nil
	}
	return &config.Splits[at]
}

// split compares a split; at says where the new one is, oldName begins the name of the old one.
func (c *comparison) split(at Change, oldName string, old, new *digest.LockedSplit) error {
	switch {
	case new == nil:
		at.Split, at.Weight, at.Message = old.Name, Breaking, "the split is gone"
		c.say(at)
		return nil
	case old == nil:
		at.Split, at.Weight, at.Message = new.Name, Addition, "the split is new: "+rowsOf(new.Rows)
		c.say(at)
		return nil
	}
	at.Split = new.Name
	out := Split{Repo: at.Repo, Config: at.Config, Name: new.Name, Before: countsOf(old), After: countsOf(new), Content: content(old, new)}
	oldRepo, _, _ := strings.Cut(oldName, "#")
	oldSplit, newSplit := splitOf(configOf(c.old.Report, oldRepo, at.Config), old.Name), splitOf(configOf(c.new.Report, at.Repo, at.Config), new.Name)
	if !sameFiles(old, new) && (isPartial(oldSplit) || isPartial(newSplit)) {
		out.Content = "changed" // digests are of the rows that could be read
	}
	before, after := oldName+old.Name, nameOf(at.Repo, at.Config, new.Name)
	if out.Content == "changed" && c.hasRows(before, after) {
		rows, err := compareRows(c.ctx, c.old.Rows.logs[before], c.new.Rows.logs[after])
		if err != nil {
			return err
		}
		rows.By = c.new.Rows.by[after]
		out.Rows = &rows
	}
	if out.Content == "changed" {
		out.Drift = drift(oldSplit, newSplit)
	}
	c.out.Splits = append(c.out.Splits, out)
	c.sayOfRows(at, &out)
	return nil
}

// hasRows says whether the rows of a split can be compared. Both sides have to tell them apart by the same fields.
func (c *comparison) hasRows(before, after string) bool {
	if c.old.Rows == nil || c.new.Rows == nil || c.old.Rows.logs[before] == nil || c.new.Rows.logs[after] == nil {
		return false
	}
	if slices.Equal(c.old.Rows.by[before], c.new.Rows.by[after]) {
		return true
	}
	c.out.Limits = append(c.out.Limits, fmt.Sprintf("the rows of %s are told apart by other fields in OLD than in NEW, and are not compared: give a key for both", after))
	return false
}

// sayOfRows says in words what became of the rows of a split.
func (c *comparison) sayOfRows(at Change, s *Split) {
	switch {
	case s.Content == "same":
		return
	case s.Content == "reordered":
		at.Weight, at.Message = Fix, "the same rows stand in another order"
	case s.Content == "unknown":
		at.Weight, at.Message = Fix, fmt.Sprintf("the files changed, from %d bytes to %d; what that means for the rows is not known", s.Before.Bytes, s.After.Bytes)
	case s.Rows == nil:
		at.Weight, at.Message = Fix, fmt.Sprintf("rows changed: %s before, %s now", rowsOf(s.Before.Rows), rowsOf(s.After.Rows))
		if s.Before.Rows != nil && s.After.Rows != nil && *s.After.Rows != *s.Before.Rows {
			at.Weight = Addition
		}
	default:
		r := s.Rows
		at.Weight, at.Message = Fix, fmt.Sprintf("%d added, %d removed, %d changed, %d as before", r.Added, r.Removed, r.Changed, r.Unchanged)
		if r.Added > 0 || r.Removed > 0 {
			at.Weight = Addition
		}
	}
	c.say(at)
}

func countsOf(s *digest.LockedSplit) Counts {
	out := Counts{Rows: s.Rows, Files: len(s.Files)}
	for _, f := range s.Files {
		out.Bytes += f.Bytes
	}
	return out
}

// content says how the rows of two splits relate, by their digests, or by their files where one has none.
func content(old, new *digest.LockedSplit) string {
	switch {
	case sameFiles(old, new):
		return "same"
	case old.Digest == nil || new.Digest == nil:
		return "unknown"
	case old.Digest.Sequence == new.Digest.Sequence:
		return "same"
	case old.Digest.Set == new.Digest.Set:
		return "reordered"
	}
	return "changed"
}

// sameFiles says that two splits are the same bytes.
func sameFiles(old, new *digest.LockedSplit) bool {
	return slices.EqualFunc(old.Files, new.Files, func(a, b digest.LockedFile) bool { return a.SHA256 == b.SHA256 })
}

func isPartial(split *validate.Split) bool { return split != nil && split.Partial }

func rowsOf(n *int64) string {
	switch {
	case n == nil:
		return "an unknown number of rows"
	case *n == 1:
		return "1 row"
	}
	return fmt.Sprintf("%d rows", *n)
}

// heaviest is the greatest weight of some changes, "" for none.
func heaviest(changes []Change) Weight {
	for _, w := range []Weight{Breaking, Addition, Fix} {
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Weight == w }) {
			return w
		}
	}
	return ""
}

// compareColumns compares the columns of a config, and what is inside of them.
func compareColumns(old, new column.Features) []Change {
	var out []Change
	for _, f := range old {
		at := slices.IndexFunc(new, func(n column.Feature) bool { return n.Name == f.Name })
		if at < 0 {
			out = append(out, Change{Column: f.Name, Weight: Breaking, Message: "the column is gone; it was " + f.Type.String()})
			continue
		}
		out = append(out, compareTypes(f.Name, f.Type, new[at].Type)...)
	}
	for _, n := range new {
		if !slices.ContainsFunc(old, func(f column.Feature) bool { return f.Name == n.Name }) {
			out = append(out, Change{Column: n.Name, Weight: Addition, Message: "the column is new: " + n.Type.String()})
		}
	}
	return out
}

// compareTypes compares the type of a column, or of something inside of it.
func compareTypes(name string, old, new column.Type) []Change {
	switch {
	case old.List != nil && new.List != nil && old.Length == new.Length && old.Large == new.Large:
		return compareTypes(name+"[]", *old.List, *new.List)
	case old.Struct != nil && new.Struct != nil:
		changes := compareColumns(old.Struct, new.Struct)
		for i := range changes {
			changes[i].Column = name + "." + changes[i].Column
		}
		return changes
	case old.String() == new.String():
		return nil
	}
	weight, how := Breaking, "the type was %s and is %s"
	if widens(old.Dtype, new.Dtype) {
		weight, how = Addition, "the type was %s and is %s, which holds all its values"
	}
	return []Change{{Column: name, Weight: weight, Message: fmt.Sprintf(how, old.String(), new.String())}}
}

// widens says whether every value of one type is one of another.
func widens(from, to string) bool {
	if from == "null" {
		return to != ""
	}
	wider := map[string][]string{
		"int8": {"int16", "int32", "int64"}, "int16": {"int32", "int64"}, "int32": {"int64", "float64"},
		"uint8": {"uint16", "uint32", "uint64", "int16", "int32", "int64"}, "uint16": {"uint32", "uint64", "int32", "int64"}, "uint32": {"uint64", "int64"},
		"float16": {"float32", "float64"}, "float32": {"float64"}, "string": {"large_string"},
	}
	return slices.Contains(wider[from], to)
}
