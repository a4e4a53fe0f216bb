// Package claim measures again what someone printed of a release: in a paper, on a page, in a card.
//
// [New] takes the claims of a release apart: a measure over rows becomes a check of the pass (measure.go, one for all claims that
// measure the same), others look into files (files.go) or compute from other claims (judge.go). When all rows have been seen,
// [Claims.Judge] compares each printed number (package number) with the measured one and says what it found: findings and
// [Result]s. Measured numbers are exact fractions, whatever the order of the rows; where they differ, reasons.go looks for the
// likely cause.
package claim

import (
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/claim/number"
	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// Verdict says what came of comparing a claim with its measure.
type Verdict string

// The verdicts.
const (
	Agrees        Verdict = "agrees"
	AgreesRounded Verdict = "agrees-rounded"
	Differs       Verdict = "differs"
	NotMeasured   Verdict = "not-measured"
)

// Result is what came of a claim.
type Result struct {
	// Repo is the repo that the claim is about; nil for a claim of the release.
	Repo  *release.Repo
	Claim *release.Claim
	// Measured is the measured number, or text, as people read it; "" when there is none.
	Measured string
	Verdict  Verdict
	// Reason is why the two differ, or why nothing was measured; "" where that is not known.
	Reason string
	// About are the ids of the repos that a claim of the release measures, in the order of the release; nil for other claims.
	About []string
}

// value is a measured number, or a text.
type value struct {
	number *big.Rat
	text   string
	// percent says that the number was found in percent.
	percent bool
}

// item is a claim at work.
type item struct {
	repo  *release.Repo
	claim *release.Claim
	// at is a pointer into hfpub.yaml.
	at string
	// same tells measures apart: claims that measure the same have the same.
	same  string
	check *check

	printed  number.Printed
	unread   error
	value    *value
	problem  string
	measured bool
	busy     bool
}

// Claims are the claims of a release at work.
type Claims struct {
	rel    *release.Release
	splits []*observe.Split
	opt    observe.Options
	items  []*item
	checks map[string]*check
	order  []*check
	found  []finding.Finding
}

// New takes the claims of a release apart; found is what is wrong with their expressions.
func New(rel *release.Release, splits []*observe.Split, compiler *condition.Compiler, opt observe.Options) (c *Claims, found []finding.Finding) {
	c = &Claims{rel: rel, splits: splits, opt: opt, checks: map[string]*check{}}
	add := func(repo *release.Repo, at string, claims []release.Claim) {
		for i := range claims {
			c.add(&item{repo: repo, claim: &claims[i], at: fmt.Sprintf("%s/claims/%d", at, i)}, compiler)
		}
	}
	for i := range rel.Repos {
		add(&rel.Repos[i], fmt.Sprintf("/repos/%d", i), rel.Repos[i].Claims)
	}
	add(nil, "", rel.Claims)
	return c, c.found
}

func (c *Claims) add(it *item, compiler *condition.Compiler) {
	m := &it.claim.Measure
	it.same = sameOf(it.repo, m)
	c.items = append(c.items, it)
	if !overRows(m.Name) {
		return
	}
	if it.check = c.checks[it.same]; it.check != nil {
		return
	}
	splits := observe.Find(c.splits, m.In)
	if splits == nil {
		return // found when the release was loaded
	}
	check := newCheck(m, splits, c.opt)
	if m.Where != "" {
		where, fault := compiler.Compile(m.Where)
		if fault != nil {
			c.found = append(c.found, c.at(it, fault.At(c.file(), "where", m.Where, m.WherePos)).In(it.at+"/measure/"+m.Name+"/where"))
			return
		}
		check.where = where
	}
	it.check = check
	c.checks[it.same] = check
	c.order = append(c.order, check)
}

// Checks are those of the measures over rows.
func (c *Claims) Checks() []observe.Check {
	var all []observe.Check
	for _, check := range c.order {
		all = append(all, check)
	}
	return all
}

func (c *Claims) file() string { return filepath.Base(c.rel.File) }

// at returns the finding at a claim, unless it has a place.
func (c *Claims) at(it *item, f finding.Finding) finding.Finding {
	if f.Path == "" {
		f = f.AtColumn(c.file(), it.claim.Pos.Line, it.claim.Pos.Column).In(it.at)
	}
	if it.repo != nil {
		f.Repo = it.repo.ID
	}
	return f
}

// overRows says that a measure needs rows.
func overRows(measure string) bool {
	switch measure {
	case "rows", "distinct", "count", "share", "sum", "mean", "median", "min", "max", "std", "accuracy", "f1", "auroc", "ece", "balance":
		return true
	}
	return false
}

// fraction says that a measure gives a number from 0 to 1, which may be printed in percent.
func fraction(measure string) bool {
	switch measure {
	case "share", "accuracy", "f1", "auroc", "ece", "balance":
		return true
	}
	return false
}

// sameOf is equal for measures that measure the same. An expression measures the same as another one with its text, in the same
// list of claims.
func sameOf(repo *release.Repo, m *release.Measure) string {
	var in []string
	for _, ref := range m.In {
		in = append(in, ref.Repo+"#"+ref.Config+"/"+ref.Split)
	}
	slices.Sort(in)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q %q %q %q %q %v %q %q %q %v %d %q %q %q %q %q", m.Name, in, m.Where, m.Key, m.Value, m.By, m.Equal, m.Label,
		m.Prediction, m.Score, m.Positive, m.Bins, m.Files, m.File, m.Pointer, m.Column, m.Row)
	if len(m.In) == 0 && repo != nil {
		fmt.Fprintf(&b, " %q", repo.ID)
	}
	if m.Expr != nil {
		fmt.Fprintf(&b, " %s", exprText(m.Expr))
	}
	return b.String()
}

// exprText writes an expression.
func exprText(e *release.Expr) string {
	switch e.Op {
	case "number", "claim":
		return e.Text
	case "negate":
		return "-" + exprText(e.Left)
	}
	return "(" + exprText(e.Left) + " " + e.Op + " " + exprText(e.Right) + ")"
}
