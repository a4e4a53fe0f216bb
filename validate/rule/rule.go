// Package rule holds the rows of a release against the rules that its hfpub.yaml declares.
//
// Each rule is a check of the pass (package observe). Those that join rows (unique, disjoint, reference, subset, determines) log a
// key for every row (packages field and fingerprint), go through the keys in their order when all rows have been seen, and read
// the few rows that a finding shows once more: keyed.go, offences.go. near_duplicates does so too, by keys of which rows that are alike
// share some: near.go. The others look at one row (when), at a row and the one
// before it (sorted), or count (counts).
//
// A row that has no value for the key of a rule (see package field) is not judged by it; a finding of its own says so. For sorted it
// is passed over, and for counts the value is null.
package rule

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// maker makes checks of the rules of a release.
type maker struct {
	rel    *release.Release
	splits []*observe.Split
	opt    observe.Options
	// compiler compiles the expressions of rules.
	compiler *condition.Compiler
	found    []finding.Finding
}

// Checks returns the checks of all rules of a release; found is what is wrong with the rules themselves. A rule with faults that
// loading the release found is left out.
func Checks(rel *release.Release, splits []*observe.Split, compiler *condition.Compiler, opt observe.Options) (checks []observe.Check, found []finding.Finding) {
	m := &maker{rel: rel, splits: splits, opt: opt, compiler: compiler}
	add := func(repo *release.Repo, at string, rules []release.Rule) {
		for i := range rules {
			if check := m.check(repo, fmt.Sprintf("%s/rules/%d", at, i), &rules[i]); check != nil {
				checks = append(checks, check)
			}
		}
	}
	for i := range rel.Repos {
		add(&rel.Repos[i], fmt.Sprintf("/repos/%d", i), rel.Repos[i].Rules)
	}
	add(nil, "", rel.Rules)
	return checks, m.found
}

// check returns the check of a rule; nil when the rule cannot be applied. at is a pointer into hfpub.yaml.
func (m *maker) check(repo *release.Repo, at string, r *release.Rule) observe.Check {
	base := base{opt: m.opt, file: filepath.Base(m.rel.File), pos: r.Pos, at: at, repo: repo}
	switch r.Kind {
	case "unique":
		return m.unique(base, r.Unique)
	case "disjoint":
		return m.disjoint(base, r.Disjoint)
	case "reference":
		return m.reference(base, r.Reference)
	case "subset":
		return m.subset(base, r.Subset)
	case "determines":
		return m.determines(base, r.Determines)
	case "counts":
		return m.counts(base, r.Counts)
	case "sorted":
		return m.sorted(base, r.Sorted)
	case "when":
		return m.when(base, r.When)
	case "near_duplicates":
		return m.near(base, r.NearDuplicates)
	}
	return nil
}

// base is what all checks know of their rule.
type base struct {
	opt observe.Options
	// file is hfpub.yaml, pos and at the place and the pointer of the rule in it, and repo the one that it stands in; nil for a
	// rule of the release.
	file string
	pos  release.Pos
	at   string
	repo *release.Repo
}

// place is where the rule stands, as people read it.
func (b *base) place() string { return fmt.Sprintf("%s:%d", b.file, b.pos.Line) }

// atRule returns the finding at the place of the rule.
func (b *base) atRule(f finding.Finding) finding.Finding {
	f = f.AtColumn(b.file, b.pos.Line, b.pos.Column).In(b.at)
	if b.repo != nil {
		f.Repo = b.repo.ID
	}
	return f
}

// twice reports a value that the rule lists a second time, maybe written otherwise: 1 and 1.0.
func (m *maker) twice(b base, key string, value release.Scalar) {
	f := finding.New(finding.ManifestValue, "%s lists the value %s twice", key, value.Text)
	m.found = append(m.found, b.atRule(f.Hinting("keep one of the two; numbers are the same however they are written")).In(b.at+"/"+key))
}

// nameOf names a split, with its config and repo where other splits of the rule have others.
func nameOf(split *observe.Split, among []*observe.Split) string {
	name := split.Name
	if slices.ContainsFunc(among, func(s *observe.Split) bool { return s.Config != split.Config }) {
		name = split.Config.Name + "/" + name
	}
	if slices.ContainsFunc(among, func(s *observe.Split) bool { return s.Repo != split.Repo }) {
		name = split.Repo.ID + "#" + name
	}
	return name
}

// files finds the place of a file in the list of a split, for one row after another.
type files struct {
	split *observe.Split
	path  string
	at    int
}

func (f *files) find(path string) int {
	if path != f.path || f.path == "" {
		f.path, f.at = path, max(slices.Index(f.split.Files, path), 0)
	}
	return f.at
}
