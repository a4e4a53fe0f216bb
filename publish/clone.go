package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// clone is the git side of a folder that is the top of a work tree.
//
// It is read by hand as far as objects go: go-git would refuse partial clones and other extensions that do not matter here,
// and looks for alternates in the wrong place.
type clone struct {
	// config is the path of git's configuration of the repository.
	config  string
	refs    storer.ReferenceStorer
	objects []*filesystem.ObjectStorage
}

// openClone opens the clone that a folder is the top of; nil when it is none. Worktrees and submodules, whose .git is a
// file, are clones too.
func openClone(dir string) (*clone, error) {
	gitDir, err := findGitDir(dir)
	if err != nil || gitDir == "" {
		return nil, err
	}
	common := gitDir
	if text, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		common = resolve(gitDir, strings.TrimSpace(string(text)))
	}
	shared := cache.NewObjectLRUDefault()
	c := &clone{config: filepath.Join(common, "config"), refs: filesystem.NewStorage(dotgit.NewRepositoryFilesystem(osfs.New(gitDir), osfs.New(common)), shared)}
	for _, objects := range objectFolders(filepath.Join(common, "objects")) {
		c.objects = append(c.objects, filesystem.NewObjectStorage(dotgit.New(osfs.New(filepath.Dir(objects))), shared))
	}
	return c, nil
}

// findGitDir finds git's own folder of a work tree's top; "" when dir is no such top.
func findGitDir(dir string) (string, error) {
	at := filepath.Join(dir, ".git")
	info, err := os.Stat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil || info.IsDir() {
		return at, err
	}
	text, err := os.ReadFile(at)
	if err != nil {
		return "", err
	}
	path, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return "", nil
	}
	return resolve(dir, path), nil
}

// resolve makes a path of one that may be relative to a folder.
func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// objectFolders lists a folder of objects and the alternates that it names, which may name others.
func objectFolders(first string) []string {
	folders := []string{first}
	seen := map[string]bool{first: true}
	for i := 0; i < len(folders); i++ {
		text, err := os.ReadFile(filepath.Join(folders[i], "info", "alternates"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if folder := resolve(folders[i], line); !seen[folder] && filepath.Base(folder) == "objects" {
				seen[folder] = true
				folders = append(folders, folder)
			}
		}
	}
	return folders
}

// has reports whether the clone has an object.
func (c *clone) has(h plumbing.Hash) bool {
	for _, store := range c.objects {
		if store.HasEncodedObject(h) == nil {
			return true
		}
	}
	return false
}

// commit reads a commit; nil when the clone lacks it, as beyond the end of a shallow clone.
func (c *clone) commit(h plumbing.Hash) (*object.Commit, error) {
	for _, store := range c.objects {
		o, err := store.EncodedObject(plumbing.CommitObject, h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return object.DecodeCommit(nil, o)
	}
	return nil, nil
}

// history lists the commits that the checked-out one contains, as far as the clone has them. It is empty where nothing has
// been committed yet. It stops early when it finds until.
func (c *clone) history(ctx context.Context, until plumbing.Hash) (map[plumbing.Hash]bool, error) {
	head, err := storer.ResolveReference(c.refs, plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seen := map[plumbing.Hash]bool{}
	open := []plumbing.Hash{head.Hash()}
	for len(open) > 0 && !seen[until] {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		h := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[h] {
			continue
		}
		commit, err := c.commit(h)
		if err != nil {
			return nil, fmt.Errorf("read commit %s: %w", h, err)
		}
		if commit == nil {
			continue
		}
		seen[h] = true
		open = append(open, commit.ParentHashes...)
	}
	return seen, nil
}

// mayBeOf tells by the remotes of a clone whether it is one of the repository at an address, by whatever protocol and host it was
// cloned. It serves where the server does not tell its history. A configuration that cannot be read may say anything.
func (c *clone) mayBeOf(address string) bool {
	text, err := os.Open(c.config)
	if err != nil {
		return true
	}
	defer text.Close()
	read, err := config.ReadConfig(text)
	if err != nil {
		return true
	}
	for _, remote := range read.Remotes {
		for _, at := range remote.URLs {
			if repositoryPath(at) == repositoryPath(address) {
				return true
			}
		}
	}
	return false
}

// repositoryPath is the path in an address that git takes, as in datasets/acme/tea.
func repositoryPath(address string) string {
	endpoint, err := transport.NewEndpoint(address)
	if err != nil {
		return address
	}
	return strings.TrimSuffix(strings.Trim(endpoint.Path, "/"), ".git")
}

// checkClone refuses to push from a clone of the remote whose checked-out commit lacks commits of the remote's branch: its
// files do not have what those commits changed. A folder that is no clone passes, and so does a clone of something else,
// which shares no commit with the remote: there the folder is a work tree of its own, and it is no clone either.
func (p *Publisher) checkClone(ctx context.Context, from base) (clone bool, err error) {
	c, err := openClone(p.repo.Dir)
	if err != nil {
		return false, fmt.Errorf("read the git clone in %s: %w", p.repo.Dir, err)
	}
	if c == nil {
		return false, nil
	}
	mine, err := c.history(ctx, from.Commit)
	if err != nil {
		return false, fmt.Errorf("read the git clone in %s: %w", p.repo.Dir, err)
	}
	if mine[from.Commit] {
		return true, nil
	}
	behind := &BehindError{Branch: p.branch(), Head: from.Commit.String(), Fetched: c.has(from.Commit)}
	theirs, err := from.History(ctx)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		if c.mayBeOf(p.target.URL) {
			return false, behind
		}
		return false, nil
	}
	for _, h := range theirs {
		if mine[h] {
			return false, behind
		}
	}
	return false, nil
}
