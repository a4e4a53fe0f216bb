package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/diff"
	"github.com/hfpub/hfpub/validate/digest"
)

// revision is how a pushed revision is named: a repo on the Hub, and a branch or commit.
var revision = regexp.MustCompile(`^([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)@([A-Za-z0-9][\w./-]*)$`)

// commitHash is a commit by its hash; anything else is a branch.
var commitHash = lazyregexp.New(`^[0-9a-f]{40}$`)

// pushed asks the Hub for the files of a revision, and puts them into the configs and splits that they have in the other side: the
// rows themselves stay where they are. The repo is of the type that the other side says, else a data set.
func (a *app) pushed(ctx context.Context, named []string, other *digest.Lock) (diff.Side, error) {
	id, rev := named[1], named[2]
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
	return diff.Side{Lock: lock, From: found}, nil
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
