package claim

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
)

// about lists the repos whose rows and files a claim of the release is measured from; nil for the claim of a repo.
func (c *Claims) about(it *item) []string {
	if it.repo != nil {
		return nil
	}
	seen := map[string]bool{}
	c.mark(it, seen, map[*item]bool{})
	var ids []string
	for i := range c.rel.Repos {
		if id := c.rel.Repos[i].ID; seen[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// mark marks the repos of a claim, and those of the claims that it computes from.
func (c *Claims) mark(it *item, seen map[string]bool, done map[*item]bool) {
	if done[it] {
		return
	}
	done[it] = true
	m := &it.claim.Measure
	for _, ref := range m.In {
		seen[ref.Repo] = true
	}
	if repo := c.holder(m.File); m.File != "" && repo != nil {
		seen[repo.ID] = true
	}
	for file := range maps.Keys(c.listed(it)) {
		id, _, _ := strings.Cut(file, "#")
		seen[id] = true
	}
	for _, id := range m.Expr.Claims() {
		if other := c.other(it, id); other != nil {
			c.mark(other, seen, done)
		}
	}
}

// holder finds the repo that a file is in, by its path relative to the folder of the release: of nested ones the innermost.
func (c *Claims) holder(file string) *release.Repo {
	var best *release.Repo
	for i := range c.rel.Repos {
		repo := &c.rel.Repos[i]
		inside := slices.ContainsFunc(repo.Tree, func(f release.TreeFile) bool { return path.Join(repo.Root, f.Path) == path.Clean(file) })
		if inside && (best == nil || len(repo.Root) > len(best.Root)) {
			best = repo
		}
	}
	return best
}
