package hubtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// ErrRepoExists says that there is a repo of this type and id already.
var ErrRepoExists = errors.New("the repo exists already")

// Repo is one repository of a Hub.
type Repo struct {
	hubapi.Repo
	hub *Hub
	dir string
}

// gitConfig makes a bare repository serve as the Hub does: partial fetches, checked pushes, and no housekeeping that
// would outlive the request.
const gitConfig = `[http]
	receivepack = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[receive]
	fsckObjects = true
	autogc = false
	advertisePushOptions = false
[gc]
	auto = 0
[maintenance]
	auto = false
`

// CreateRepo makes a public repo with the one commit a new repo on the Hub has: "initial commit" by system, with the
// default .gitattributes of its type. It returns [ErrRepoExists] when it is there already.
func (h *Hub) CreateRepo(kind release.Type, id string) (*Repo, error) {
	name, err := hubapi.NewRepo(kind, id)
	if err != nil {
		return nil, err
	}
	return h.create(name, false)
}

// CreatePrivateRepo is CreateRepo for a repo that only the user's own tokens can see.
func (h *Hub) CreatePrivateRepo(kind release.Type, id string) (*Repo, error) {
	name, err := hubapi.NewRepo(kind, id)
	if err != nil {
		return nil, err
	}
	return h.create(name, true)
}

// create makes a repo aside and moves it into its place, so that no one sees half of it.
func (h *Hub) create(name hubapi.Repo, private bool) (*Repo, error) {
	h.creating.Lock()
	defer h.creating.Unlock()
	repo := h.repo(name)
	if repo.exists() {
		return nil, fmt.Errorf("%s: %w", name, ErrRepoExists)
	}
	fresh, err := os.MkdirTemp(h.tmp, "new-")
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	defer os.RemoveAll(fresh)
	if err := h.initRepo(&Repo{name, h, fresh}, private); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(repo.dir), 0o755); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	if err := os.Rename(fresh, repo.dir); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	return repo, nil
}

// initRepo fills an empty folder with a repository and its first commit.
func (h *Hub) initRepo(repo *Repo, private bool) error {
	_, err := h.git.run(h.ctx, repo.dir, nil, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", ".")
	if err != nil {
		return err
	}
	config, err := os.OpenFile(filepath.Join(repo.dir, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = config.WriteString(gitConfig)
	if err := errors.Join(err, config.Close()); err != nil {
		return err
	}
	if private {
		if err := os.WriteFile(repo.privateMark(), nil, 0o644); err != nil {
			return err
		}
	}
	first := map[string]string{".gitattributes": defaultAttributes(repo.Type)}
	_, err = repo.Commit("refs/heads/main", "initial commit", first)
	return err
}

// Repo returns a repo that was created before; ok is false when there is none.
func (h *Hub) Repo(kind release.Type, id string) (repo *Repo, ok bool) {
	name, err := hubapi.NewRepo(kind, id)
	if err != nil {
		return nil, false
	}
	repo = h.repo(name)
	return repo, repo.exists()
}

func (h *Hub) repo(name hubapi.Repo) *Repo {
	return &Repo{name, h, filepath.Join(h.repos, filepath.FromSlash(name.APIPath())+".git")}
}

func (r *Repo) exists() bool {
	_, err := os.Stat(filepath.Join(r.dir, "HEAD"))
	return err == nil
}

func (r *Repo) privateMark() string { return filepath.Join(r.dir, "hub-private") }

func (r *Repo) private() bool {
	_, err := os.Stat(r.privateMark())
	return err == nil
}

// URL is the repo's git and web address, without .git.
func (r *Repo) URL() string { return r.hub.RepoURL(r.Type, r.ID) }

// errNoRevision says that a revision does not exist.
var errNoRevision = errors.New("no such revision")

// Head returns the commit at a revision: a full ref, a branch, a tag or a commit id.
func (r *Repo) Head(rev string) (string, error) { return r.resolve(r.hub.ctx, rev) }

func (r *Repo) resolve(ctx context.Context, rev string) (string, error) {
	// No ref has these in its name, but git would take them for operators or options.
	if rev == "" || rev[0] == '-' || strings.ContainsAny(rev, " ^~:?*[\\\n\x00") || strings.Contains(rev, "@{") {
		return "", fmt.Errorf("%w: %q", errNoRevision, rev)
	}
	commit, err := r.hub.git.line(ctx, r.dir, nil, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%w: %q", errNoRevision, rev)
	}
	return commit, nil
}

// Commit puts one commit on top of a ref that sets the named files, and returns its id. The author is "system" and the
// date is fixed, so that the id depends on nothing else. Objects of LFS pointers are not asked for.
func (r *Repo) Commit(ref, message string, files map[string]string) (string, error) {
	ctx, g := r.hub.ctx, r.hub.git
	scratch, err := os.MkdirTemp(r.hub.tmp, "index-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	indexed := g.with("GIT_INDEX_FILE=" + filepath.Join(scratch, "index"))
	commit := []string{"commit-tree", "-m", message}
	if parent, err := r.resolve(ctx, ref); err == nil {
		if _, err := indexed.run(ctx, r.dir, nil, "read-tree", parent); err != nil {
			return "", err
		}
		commit = append(commit, "-p", parent)
	}
	var entries strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		blob, err := g.line(ctx, r.dir, strings.NewReader(files[name]), "hash-object", "-w", "--stdin")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&entries, "100644 %s\t%s\x00", blob, name)
	}
	_, err = indexed.run(ctx, r.dir, strings.NewReader(entries.String()), "update-index", "-z", "--index-info")
	if err != nil {
		return "", err
	}
	tree, err := indexed.line(ctx, r.dir, nil, "write-tree")
	if err != nil {
		return "", err
	}
	id, err := g.line(ctx, r.dir, nil, append(commit, tree)...)
	if err != nil {
		return "", err
	}
	_, err = g.run(ctx, r.dir, nil, "update-ref", ref, id)
	return id, err
}

var sha256Hex = lazyregexp.New(`^[0-9a-f]{64}$`)

// HasObject says whether the repo holds the LFS object of a sha256, with this size.
func (r *Repo) HasObject(p lfspointer.Pointer) bool {
	if !sha256Hex.MatchString(p.OID) {
		return false
	}
	info, err := os.Stat(r.objectPath(p.OID))
	return err == nil && info.Size() == p.Size
}

func (r *Repo) objectPath(oid string) string { return filepath.Join(r.dir, "lfs", oid[:2], oid) }

func (r *Repo) openObject(p lfspointer.Pointer) (*os.File, error) {
	if !r.HasObject(p) {
		return nil, fmt.Errorf("LFS object %s: %w", p.OID, fs.ErrNotExist)
	}
	return os.Open(r.objectPath(p.OID))
}

// Delete removes the repo and its objects.
func (r *Repo) Delete() error {
	if err := os.RemoveAll(r.dir); err != nil {
		return fmt.Errorf("delete %s: %w", r, err)
	}
	return nil
}
