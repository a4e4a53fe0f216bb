package validate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/license"
	"github.com/hfpub/hfpub/validate/loader"
)

// judge adds what is said of each repo as a whole: its card, its licenses, what must not be pushed, and what the loader
// makes of its files and splits.
func (p *pass) judge(ctx context.Context, repos []Repo) error {
	for i := range p.rel.Repos {
		repo := &p.rel.Repos[i]
		found := finding.Set{MaxPlaces: p.opt.MaxFindings}
		checks := []func() ([]finding.Finding, error){
			func() ([]finding.Finding, error) { return checkCard(repo) },
			func() ([]finding.Finding, error) { return hygiene.Check(ctx, repo) },
			func() ([]finding.Finding, error) { return license.Check(repo) },
			func() ([]finding.Finding, error) { return loader.Check(repo, facts(repos[i])), nil },
		}
		for _, check := range checks {
			list, err := check()
			if err != nil {
				return fmt.Errorf("check %s: %w", repo.ID, err)
			}
			for _, f := range list {
				found.Add(f)
			}
		}
		p.add(repo, &found)
	}
	return nil
}

// checkCard reads README.md as the Hub would. A declared repo should have one; a plain folder need not.
func checkCard(repo *release.Repo) ([]finding.Finding, error) {
	if repo.Dir == "" {
		return nil, nil
	}
	text, err := readFile(repo, "README.md")
	switch {
	case errors.Is(err, fs.ErrNotExist) && repo.Declared:
		f := finding.New(finding.CardMissing, "%s has no README.md", repo.ID).At("README.md", 0)
		return []finding.Finding{f.Hinting("hfpub card writes it from what was measured")}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	_, found := frontmatter.Read("README.md", text)
	return found, nil
}

// readFile reads a small text file of a repo.
func readFile(repo *release.Repo, path string) ([]byte, error) {
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(path)
}

// facts says how many rows each file has, where all of them could be read.
func facts(repo Repo) loader.Facts {
	out := loader.Facts{Rows: map[string]int64{}}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, file := range split.Files {
				if file.Rows != nil && !file.refused {
					out.Rows[file.Path] = *file.Rows
				}
			}
		}
	}
	return out
}
