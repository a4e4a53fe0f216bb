package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/diff"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
)

// revision is how a pushed revision is named: a repo on the Hub, and a branch, tag or commit.
var revision = lazyregexp.New(`^([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)@([A-Za-z0-9][\w./-]*)$`)

// pushed reads a revision from the Hub, in the configs and splits that the Hub gives its files: those of its card, else those that
// the other side declares, else those that the names of the files tell. like is the repo of the other side, nil where that has
// none to compare; the revision's repo is of its type, else a data set.
//
// The data files are fetched into a temporary folder and read when they are small, or when fetching was asked for.
func (a *app) pushed(ctx context.Context, named []string, like *besideRepo, how reading) (diff.Side, error) {
	r := &pushedRepo{app: a, how: how, like: like}
	id, rev := named[1], named[2]
	r.repo = release.Repo{ID: id, Type: release.Dataset, Status: release.Public, Root: "."}
	if like != nil {
		r.repo.Rules = like.rules
		if like.locked.Type != "" {
			r.repo.Type = release.Type(like.locked.Type)
		}
	}
	if err := r.find(ctx, rev); err != nil {
		return diff.Side{}, fmt.Errorf("read %s@%s: %w", id, rev, err)
	}
	dir, err := temporaryFolder("hfpub-revision-*")
	if err != nil {
		return diff.Side{}, err
	}
	defer os.RemoveAll(dir)
	r.repo.Dir = dir
	if err := r.layOut(ctx); err != nil {
		return diff.Side{}, fmt.Errorf("read %s@%s: %w", id, rev, err)
	}
	r.lock()
	if err := r.read(ctx); err != nil {
		return diff.Side{}, fmt.Errorf("fetch %s@%s: %w", id, rev, err)
	}
	return r.side, nil
}

// temporaryFolder makes a folder where temporary files go.
func temporaryFolder(pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w: set TMPDIR to a folder that can be written to", err)
	}
	return dir, nil
}

// besideRepo is the repo of the other side that a revision is compared with.
type besideRepo struct {
	release string
	locked  digest.LockedRepo
	// declared says that its configs are those of an hfpub.yaml, or of a lock.
	declared bool
	rules    []release.Rule
}

// besideOf picks the repo that a revision is one of: by its id, or the only one there is.
func besideOf(side read, id string) (*besideRepo, error) {
	repos := side.Lock.Repos
	at := slices.IndexFunc(repos, func(r digest.LockedRepo) bool { return r.ID == id })
	if at < 0 && len(repos) == 1 {
		at = 0
	}
	if at < 0 {
		return nil, fmt.Errorf("%s is not a repo of the other side, which has %d: compare a release that has it", id, len(repos))
	}
	out := &besideRepo{release: side.Lock.Release.Name, locked: repos[at], declared: true}
	if side.rel != nil {
		repo := side.rel.Repo(repos[at].ID)
		out.declared, out.rules = repo.Declared, repo.Rules
	}
	return out, nil
}

// alone leaves one repo of a side, since a revision is one of a single repo, and says which are left out.
func alone(side diff.Side, id string) diff.Side {
	lock := *side.Lock
	lock.Repos = nil
	var others []string
	for _, r := range side.Lock.Repos {
		if r.ID == id {
			lock.Repos = append(lock.Repos, r)
		} else {
			others = append(others, r.ID)
		}
	}
	if len(others) > 0 {
		side.Notes = append(side.Notes, "has other repos, which are not compared, since a revision is one of a single repo: "+strings.Join(others, ", "))
	}
	side.Lock = &lock
	return side
}

// pushedRepo is a revision that is being read.
type pushedRepo struct {
	app       *app
	how       reading
	like      *besideRepo
	publisher *publish.Publisher
	// repo is as the Hub reads it; its Dir is a temporary folder that holds what was fetched.
	repo  release.Repo
	files []publish.Locked
	side  diff.Side
}

// find asks for the list of the files.
func (r *pushedRepo) find(ctx context.Context, rev string) error {
	dest, err := r.app.findDestination("")
	if err != nil {
		return err
	}
	if err := dest.signIn(ctx, r.app.getenv); err != nil {
		return err
	}
	target, err := dest.target(&r.repo, "main")
	if err != nil {
		return err
	}
	if r.publisher, err = publish.New(target, &r.repo, dest.options()); err != nil {
		return err
	}
	r.files, r.side.From, err = r.publisher.Files(ctx, rev)
	return err
}

// maxLayout is how many bytes of a card are fetched to look for its configs.
const maxLayout = 16 << 20

// layOut finds the configs and splits of the files.
func (r *pushedRepo) layOut(ctx context.Context) error {
	var cards []string
	for _, f := range r.files {
		r.repo.Tree = append(r.repo.Tree, release.TreeFile{Path: f.Path, Size: f.Bytes})
		if (f.Path == "README.md" || f.Path == ".huggingface.yaml") && f.Bytes <= maxLayout {
			cards = append(cards, f.Path)
		}
	}
	if err := r.publisher.Fetch(ctx, r.side.From, r.repo.Dir, cards); err != nil {
		return err
	}
	byCard, found, err := r.repo.ReadAsHub()
	if err != nil {
		return err
	}
	switch {
	case r.like != nil && (r.repo.Type == release.Model || !byCard && r.like.declared):
		r.repo.Configs = publish.LockedConfigs(r.like.locked)
		r.side.Splits = "they have on the other side"
	case byCard:
		r.side.Splits = "its card declares"
		if errors, _, _ := finding.Totals(found); errors > 0 {
			r.side.Notes = append(r.side.Notes, fmt.Sprintf("has a card that load_dataset refuses (%s, line %d: %s)", found[0].Path, found[0].Line, found[0].Message))
		}
	default:
		r.side.Splits = "the names of its files tell"
	}
	return nil
}

// lock makes the lock of the revision: files by their hashes, in the splits that they belong to. A split none of whose files is
// there is left out, and so is a config without splits.
func (r *pushedRepo) lock() {
	byPath := map[string]digest.LockedFile{}
	for _, f := range r.files {
		byPath[f.Path] = digest.LockedFile{Path: f.Path, Bytes: f.Bytes, SHA256: f.SHA256}
	}
	out := digest.LockedRepo{ID: r.repo.ID, Type: string(r.repo.Type)}
	var configs []release.Config
	used := map[string]bool{}
	for _, config := range r.repo.Configs {
		c := digest.LockedConfig{Name: config.Name}
		var splits []release.Split
		for _, split := range config.Splits {
			s := digest.LockedSplit{Name: split.Name}
			split.Files = slices.DeleteFunc(slices.Clone(split.Files), func(path string) bool { return byPath[path].Path == "" })
			for _, path := range split.Files {
				used[path] = true
				s.Files = append(s.Files, byPath[path])
			}
			if len(s.Files) > 0 {
				c.Splits, splits = append(c.Splits, s), append(splits, split)
			}
		}
		if len(c.Splits) > 0 {
			config.Splits = splits
			out.Configs, configs = append(out.Configs, c), append(configs, config)
		}
	}
	r.repo.Configs = configs
	for _, f := range r.files {
		if !used[f.Path] && !r.isApart(f.Path) {
			out.Files = append(out.Files, byPath[f.Path])
		}
	}
	name := r.repo.ID
	if r.like != nil {
		name = r.like.release
	}
	r.side.Lock = &digest.Lock{Version: digest.LockVersion, Release: digest.LockedRelease{Name: name}, Repos: []digest.LockedRepo{out}}
}

// isApart picks the files of a remote that a release lacks: hfpub.lock is in no lock, and a .gitattributes that only the remote has is the Hub's.
func (r *pushedRepo) isApart(path string) bool {
	here := r.like == nil || slices.ContainsFunc(r.like.locked.Files, func(f digest.LockedFile) bool { return f.Path == path })
	return path == release.LockName || path == ".gitattributes" && !here
}

// fetchedUnasked is how many bytes of a revision are downloaded although nobody asked for it.
const fetchedUnasked = 64 << 20

// read fetches the data files, and reads them, unless that is too much or cannot be done.
func (r *pushedRepo) read(ctx context.Context) error {
	wanted, bytes := r.dataFiles()
	switch {
	case len(wanted) == 0:
		return nil
	case bytes > fetchedUnasked && !r.how.fetch:
		r.side.NotRead = "they are more than 64 MiB, and --fetch downloads them"
		return nil
	}
	if err := r.publisher.Fetch(ctx, r.side.From, r.repo.Dir, wanted); err != nil {
		if r.how.fetch || ctx.Err() != nil {
			return err
		}
		r.side.NotRead = fmt.Sprintf("they cannot be fetched: %v", err)
		return nil
	}
	return r.validate(ctx)
}

// dataFiles lists the files of the splits, and adds up their bytes, as far as that a limit is passed.
func (r *pushedRepo) dataFiles() (files []string, bytes int64) {
	counted := map[string]bool{}
	for _, config := range r.side.Lock.Repos[0].Configs {
		for _, split := range config.Splits {
			for _, f := range split.Files {
				if counted[f.Path] {
					continue
				}
				counted[f.Path] = true
				files = append(files, f.Path)
				bytes += min(f.Bytes, fetchedUnasked+1) // what a pointer says may be anything
			}
		}
	}
	return files, bytes
}

// validate reads the fetched files, and gives the lock their counts and digests.
func (r *pushedRepo) validate(ctx context.Context) error {
	tree, err := release.Walk(ctx, r.repo.Dir)
	if err != nil {
		return err
	}
	repo := r.repo
	repo.Tree = tree
	rows := diff.NewRows(r.how.store, r.how.keys)
	report, err := validate.Run(ctx, &release.Release{Name: repo.ID, Dir: repo.Dir, Repos: []release.Repo{repo}}, nil,
		validate.Options{Jobs: r.app.jobs, MaxPlaces: r.app.maxFindings, Statistics: true, Checks: diff.Checks(rows)})
	if err != nil {
		return err
	}
	locked := &r.side.Lock.Repos[0]
	for i := range locked.Configs {
		for j := range locked.Configs[i].Splits {
			measured := report.Repos[0].Configs[i].Splits[j]
			locked.Configs[i].Splits[j].Rows, locked.Configs[i].Splits[j].Digest = measured.Rows, measured.Digest
		}
	}
	r.side.Report, r.side.Rows = report, rows
	return nil
}
