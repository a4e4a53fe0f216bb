package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/cards"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
)

// gate says what has to hold before anything leaves: the data is valid, the lock, where there is one, is current, and
// so are the cards of declared repos. It returns the findings about the chosen repos.
func (a *app) gate(ctx context.Context, path string, only []string) (*release.Release, []*release.Repo, *validate.Report, error) {
	rel, report, err := a.examine(ctx, []string{path}, validate.Options{Statistics: true}, hasLock(path))
	if err != nil || len(rel.Repos) == 0 {
		return rel, nil, report, err // hfpub.yaml has errors, and no repo to choose
	}
	repos, err := choose(rel, only)
	if err != nil {
		return rel, nil, nil, err
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(f finding.Finding) bool { return isAboutStatistics(f) || concernsOthers(f, rel, repos) })
	stale, err := staleCards(rel, report, repos)
	if err != nil {
		return rel, nil, nil, err
	}
	report.Findings = append(report.Findings, stale...)
	return rel, repos, report, nil
}

// isAboutStatistics says that a finding is one of hfpub stats: the statistics are here for the cards, and what hfpub validate lets
// pass stops no push.
func isAboutStatistics(f finding.Finding) bool {
	return strings.HasPrefix(string(f.Code), "statistics/")
}

// hasLock says whether the folder at path, or that of the hfpub.yaml at path, has a lock.
func hasLock(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	rel := &release.Release{Dir: path}
	if !info.IsDir() {
		rel.Dir = filepath.Dir(path)
	}
	_, err = os.Stat(lockPath(rel))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// readLock reads the lock of a release; nil where it has none.
func readLock(rel *release.Release) (*digest.Lock, error) {
	lock, err := digest.ReadLock(lockPath(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return lock, err
}

// choose returns the repos that --only names, or all.
func choose(rel *release.Release, only []string) ([]*release.Repo, error) {
	var repos []*release.Repo
	var ids []string
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		ids = append(ids, repo.ID)
		if len(only) == 0 || slices.Contains(only, repo.ID) {
			repos = append(repos, repo)
		}
	}
	for _, id := range only {
		if slices.Contains(ids, id) {
			continue
		}
		if near, ok := nearest.Word(id, ids); ok {
			return nil, fmt.Errorf("--only %s: the release has no such repo; did you mean %s?", id, near)
		}
		return nil, fmt.Errorf("--only %s: the release has no such repo", id)
	}
	return repos, nil
}

// concernsOthers says that a finding is about a repo that was not chosen.
func concernsOthers(f finding.Finding, rel *release.Release, chosen []*release.Repo) bool {
	return rel.Repo(f.Repo) != nil && !slices.Contains(chosen, rel.Repo(f.Repo))
}

// staleCards says which cards of declared repos are not what would be written now. A plain folder's card is its own
// business, and a withheld one goes nowhere.
func staleCards(rel *release.Release, report *validate.Report, repos []*release.Repo) ([]finding.Finding, error) {
	if len(blocking(report.Findings)) > 0 {
		return nil, nil // the numbers are wrong: there is no card to compare with
	}
	outs, err := renderCards(rel, report, cardOptions{}, func(repo *release.Repo) bool {
		return repo.Declared && repo.Status != release.Withheld && slices.Contains(repos, repo)
	})
	var refusal *cards.Refusal
	if errors.As(err, &refusal) {
		return refusal.Findings, nil
	}
	var found []finding.Finding
	for _, out := range outs {
		found = append(found, out.Check()...)
	}
	return found, err
}
