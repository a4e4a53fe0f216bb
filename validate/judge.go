package validate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/card"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/license"
	"github.com/hfpub/hfpub/validate/loader"
	"github.com/hfpub/hfpub/validate/reproduce"
	"github.com/hfpub/hfpub/validate/rows/parquet"
)

// judge adds what is said of each repo as a whole: its card, its licenses, what must not be pushed, and what the loader
// makes of its files and splits.
func (p *pass) judge(ctx context.Context, repos []Repo) error {
	licenses, err := license.Examine(p.rel)
	if err != nil {
		return fmt.Errorf("judge the licenses: %w", err)
	}
	for i := range p.rel.Repos {
		repo := &p.rel.Repos[i]
		found := finding.Set{MaxPlaces: p.opt.MaxPlaces}
		misfit := map[string]bool{}
		checks := []func() ([]finding.Finding, error){
			func() ([]finding.Finding, error) { return checkCard(p.rel, repo, repos[i]) },
			func() ([]finding.Finding, error) { return hygiene.Check(ctx, repo) },
			func() ([]finding.Finding, error) { return p.reproduce(ctx, repo) },
			func() ([]finding.Finding, error) { return hygiene.Texts(ctx, p.rel, repo) },
			func() ([]finding.Finding, error) { return hygiene.Leftovers(ctx, repo) },
			func() ([]finding.Finding, error) { return licenses.Findings(i), nil },
			func() ([]finding.Finding, error) { return loader.Check(repo, facts(repos[i])), nil },
			func() ([]finding.Finding, error) { return columns(repo, repos[i], misfit), nil },
		}
		for _, check := range checks {
			list, err := check()
			if err != nil {
				return fmt.Errorf("check %s: %w", repo.ID, err)
			}
			for _, f := range list {
				if f.Code == finding.CardFeaturesDiffer && f.Severity == finding.Error {
					misfit[f.Config] = true
				}
				found.Add(f)
			}
		}
		p.add(repo, &found)
	}
	return nil
}

// columns says what the loader makes of the columns of every config; misfit are the configs whose declared features have been
// found not to fit.
func columns(repo *release.Repo, measured Repo, misfit map[string]bool) []finding.Finding {
	if repo.Dir == "" {
		return nil // loose files are not loaded by their names
	}
	var found []finding.Finding
	for i := range repo.Configs {
		config := &repo.Configs[i]
		found = append(found, loader.Columns(config, measured.Configs[i].troubles, misfit[config.Name])...)
	}
	return found
}

// reproduce runs the command of a repo, if that is asked for.
func (p *pass) reproduce(ctx context.Context, repo *release.Repo) ([]finding.Finding, error) {
	if p.opt.Reproduce == nil {
		return nil, nil
	}
	return reproduce.Check(ctx, repo, filepath.Base(p.rel.File), *p.opt.Reproduce)
}

// maxReadme bounds the bytes that are read of a README.md; the Hub takes none of more than 10 MiB.
const maxReadme = 64 << 20

// checkCard reads README.md as the Hub would. A declared repo should have one; a plain folder need not, and nor need a
// withheld repo whose folder is not there.
func checkCard(rel *release.Release, repo *release.Repo, measured Repo) ([]finding.Finding, error) {
	if repo.Dir == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(repo.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // a folder that should be there was missed when the release was loaded
	case err != nil:
		return nil, err
	}
	defer root.Close()
	text, err := regularfile.ReadIn(root, "README.md", maxReadme)
	switch {
	case errors.Is(err, fs.ErrNotExist) && repo.Declared:
		f := finding.New(finding.CardMissing, "%s has no README.md", repo.ID).At("README.md", 0)
		return []finding.Finding{f.Hinting("hfpub card writes it from what was measured")}, nil
	case errors.Is(err, regularfile.ErrNotRegular):
		f := finding.New(finding.CardMissing, "README.md is no regular file of this repo: the Hub sees no card").At("README.md", 0)
		return []finding.Finding{f.Hinting("take it away; hfpub card writes a file from what was measured")}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the card in %s: %w", repo.Dir, err)
	}
	matter, found := frontmatter.Read("README.md", text)
	for _, f := range card.Check(repo, matter, inCardsWords(measured)) {
		found = append(found, whereMended(rel, repo, f))
	}
	return found, nil
}

// whereMended puts a finding about the card where people mend it: what the card takes from hfpub.yaml, there.
func whereMended(rel *release.Release, repo *release.Repo, f finding.Finding) finding.Finding {
	if f.Code != finding.CardLicenseMissing || !repo.Declared || repo.License != "" {
		return f
	}
	f = f.AtColumn(filepath.Base(rel.File), repo.Pos.Line, repo.Pos.Column)
	f.Message = "hfpub.yaml gives " + repo.ID + " no license, and its card names none"
	return f.Hinting("write `license:` with an id of https://huggingface.co/docs/hub/repositories-licenses, or `license: unknown`; hfpub card takes it over")
}

// inCardsWords is what was measured of a repo, as far as its card speaks of it.
func inCardsWords(repo Repo) card.Measured {
	var out card.Measured
	for _, c := range repo.Configs {
		config := card.Config{Name: c.Name, Features: c.Features, Inferred: c.Inferred, Fields: c.Fields}
		for _, s := range c.Splits {
			split := card.Split{Name: s.Name, Rows: s.Rows, NumBytes: s.NumBytes}
			if s.isParquet() {
				split.NumBytes = nil // push_to_hub writes Arrow's size, the viewer that of the unpacked columns: either is right
			}
			for _, file := range s.Files {
				split.Files = append(split.Files, card.File{Path: file.Path, Bytes: file.Bytes})
			}
			config.Splits = append(config.Splits, split)
		}
		out.Configs = append(out.Configs, config)
	}
	return out
}

// facts says how many rows each file has, where all of them could be read, and what the footers of Parquet files say.
func facts(repo Repo) loader.Facts {
	out := loader.Facts{
		Rows: map[string]int64{}, Forms: map[string]loader.Form{}, Fields: map[loader.InConfig]loader.Field{}, Parquet: map[string]*parquet.Schema{},
	}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, file := range split.Files {
				if file.field != nil {
					of := *file.field
					if !file.refused {
						of.Rows = file.Rows
					}
					out.Fields[loader.InConfig{Config: config.Name, Path: file.Path}] = of
					continue
				}
				out.Forms[file.Path] = file.form
				if file.parquet != nil {
					out.Parquet[file.Path] = file.parquet
				}
				if file.Rows != nil && !file.refused {
					out.Rows[file.Path] = *file.Rows
				}
			}
		}
	}
	return out
}
