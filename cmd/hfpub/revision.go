package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/diff"
	"github.com/hfpub/hfpub/validate/digest"
)

// revision is how a pushed revision is named: a repo on the Hub, and a branch or commit.
var revision = regexp.MustCompile(`^([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)@([A-Za-z0-9][\w./-]*)$`)

// commitHash is a commit by its hash; anything else is a branch.
var commitHash = lazyregexp.New(`^[0-9a-f]{40}$`)

// pushed asks the Hub for the files of a revision, and puts them into the configs and splits that they have in the other side: the
// rows themselves stay where they are. The repo is of the type that the other side says, else a data set.
//
// Where the other side was read, the files of its splits are fetched into a temporary folder and read too: when they are small, or
// when fetching was asked for.
func (a *app) pushed(ctx context.Context, named []string, beside read, how reading) (diff.Side, error) {
	id, rev, other := named[1], named[2], beside.Lock
	repo := &release.Repo{ID: id, Type: release.Dataset, Status: release.Public, Declared: true}
	at := slices.IndexFunc(other.Repos, func(r digest.LockedRepo) bool { return r.ID == id })
	if at < 0 && len(other.Repos) == 1 {
		at = 0
	}
	if at < 0 {
		return diff.Side{}, fmt.Errorf("%s is not a repo of the other side, which has %d: compare a release that has it", id, len(other.Repos))
	}
	like := other.Repos[at]
	if like.Type != "" {
		repo.Type = release.Type(like.Type)
	}
	dest, err := a.findDestination("")
	if err != nil {
		return diff.Side{}, err
	}
	if err := dest.signIn(ctx, a.getenv); err != nil {
		return diff.Side{}, err
	}
	branch, commit := rev, ""
	if commitHash.MatchString(rev) {
		branch, commit = "main", rev
	}
	target, err := dest.target(repo, branch)
	if err != nil {
		return diff.Side{}, err
	}
	publisher, err := publish.New(target, repo, dest.options())
	if err != nil {
		return diff.Side{}, err
	}
	files, found, err := publisher.Files(ctx, commit)
	if err != nil {
		return diff.Side{}, fmt.Errorf("read %s@%s: %w", id, rev, err)
	}
	lock := &digest.Lock{Version: digest.LockVersion, Repos: []digest.LockedRepo{likeIn(like, id, files)}}
	lock.Release.Name = other.Release.Name
	side := diff.Side{Lock: lock, From: found}
	if beside.rel == nil || len(lock.Repos[0].Configs) == 0 || beside.rel.Repo(like.ID) == nil {
		return side, nil
	}
	wanted, bytes := toRead(lock.Repos[0])
	if !how.fetch && bytes > fetchedUnasked {
		side.NotRead = fmt.Sprintf("they are %d bytes, and --fetch downloads them", bytes)
		return side, nil
	}
	dir, err := os.MkdirTemp("", "hfpub-revision-*")
	if err != nil {
		return side, err
	}
	defer os.RemoveAll(dir)
	if err := publisher.Fetch(ctx, found, dir, wanted); err != nil {
		if how.fetch || ctx.Err() != nil {
			return side, fmt.Errorf("fetch %s@%s: %w", id, rev, err)
		}
		side.NotRead = fmt.Sprintf("they cannot be fetched: %v", err)
		return side, nil
	}
	err = a.readFetched(ctx, dir, &side, *beside.rel.Repo(like.ID), how)
	return side, err
}

// fetchedUnasked is how many bytes of a revision are downloaded although nobody asked for it.
const fetchedUnasked = 64 << 20

// toRead lists the files of a revision that say what is in its splits, and the bytes of its data files.
func toRead(repo digest.LockedRepo) (files []string, bytes int64) {
	files = []string{"README.md", ".huggingface.yaml"}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, f := range split.Files {
				if !slices.Contains(files, f.Path) {
					files = append(files, f.Path)
					bytes += f.Bytes
				}
			}
		}
	}
	return files, bytes
}

// readFetched reads the files of a revision as those of the splits that they have in its lock, which gets the counts and digests.
func (a *app) readFetched(ctx context.Context, dir string, side *diff.Side, like release.Repo, how reading) error {
	locked := &side.Lock.Repos[0]
	tree, err := release.Walk(ctx, dir)
	if err != nil {
		return err
	}
	repo := release.Repo{ID: locked.ID, Type: release.Type(locked.Type), Status: release.Public, Root: ".", Dir: dir, Tree: tree, Rules: like.Rules}
	for _, config := range locked.Configs {
		c := release.Config{Name: config.Name}
		for _, split := range config.Splits {
			s := release.Split{Name: split.Name}
			for _, f := range split.Files {
				s.Files = append(s.Files, f.Path)
			}
			c.Splits = append(c.Splits, s)
		}
		repo.Configs = append(repo.Configs, c)
	}
	rows := diff.NewRows(how.store, how.keys)
	report, err := validate.Run(ctx, &release.Release{Name: side.Lock.Release.Name, Dir: dir, Repos: []release.Repo{repo}}, nil,
		validate.Options{Jobs: a.jobs, MaxPlaces: a.maxFindings, Statistics: true, Checks: diff.Checks(rows)})
	if err != nil {
		return err
	}
	for i := range locked.Configs {
		for j := range locked.Configs[i].Splits {
			measured := report.Repos[0].Configs[i].Splits[j]
			locked.Configs[i].Splits[j].Rows, locked.Configs[i].Splits[j].Digest = measured.Rows, measured.Digest
		}
	}
	side.Report, side.Rows = report, rows
	return nil
}

// likeIn sorts the files of a revision into the splits that they have in another lock of the repo; what is in none stands beside
// them. A split none of whose files is there is left out, and so is a config without splits.
func likeIn(like digest.LockedRepo, id string, files []publish.Locked) digest.LockedRepo {
	byPath := map[string]digest.LockedFile{}
	for _, f := range files {
		byPath[f.Path] = digest.LockedFile{Path: f.Path, Bytes: f.Bytes, SHA256: f.SHA256}
	}
	out := digest.LockedRepo{ID: id, Type: like.Type}
	used := map[string]bool{}
	for _, config := range like.Configs {
		c := digest.LockedConfig{Name: config.Name}
		for _, split := range config.Splits {
			s := digest.LockedSplit{Name: split.Name}
			for _, f := range split.Files {
				used[f.Path] = true
				if have, ok := byPath[f.Path]; ok {
					s.Files = append(s.Files, have)
				}
			}
			if len(s.Files) > 0 {
				c.Splits = append(c.Splits, s)
			}
		}
		if len(c.Splits) > 0 {
			out.Configs = append(out.Configs, c)
		}
	}
	for _, f := range files {
		if !used[f.Path] && f.Path != ".gitattributes" && f.Path != release.LockName {
			out.Files = append(out.Files, byPath[f.Path])
		}
	}
	return out
}
