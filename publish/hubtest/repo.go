package hubtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
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
	return h.create(kind, id, false)
}

// CreatePrivateRepo is CreateRepo for a repo that only the user's own tokens can see.
func (h *Hub) CreatePrivateRepo(kind release.Type, id string) (*Repo, error) {
	return h.create(kind, id, true)
}

func (h *Hub) create(kind release.Type, id string, private bool) (*Repo, error) {
	name, err := hubapi.NewRepo(kind, id)
	if err != nil {
		return nil, err
	}
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
	if _, err := h.git.run(h.ctx, repo.dir, nil, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", "."); err != nil {
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
	_, err = repo.Commit("refs/heads/main", "initial commit", map[string]string{".gitattributes": defaultAttributes(repo.Type)})
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
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, " ^~:?*[\\\n\x00") || strings.Contains(rev, "@{") {
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
	if _, err := indexed.run(ctx, r.dir, strings.NewReader(entries.String()), "update-index", "-z", "--index-info"); err != nil {
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

// Entry is a file or folder in a tree.
type Entry struct {
	Path string
	// Mode is git's, e.g. "100644"; Dir is true for a folder.
	Mode string
	Dir  bool
	// OID is the id of the blob or tree in git, of the pointer for an LFS file. Size is the blob's size in bytes.
	OID  string
	Size int64
	// LFS is what the pointer says, nil for a plain file.
	LFS *Pointer
}

// errNoEntry says that a path does not exist in a revision.
var errNoEntry = errors.New("no such file or folder")

// tree lists what is at path in a commit: the folder's entries, with everything below it when recursive. A path of ""
// is the root.
func (r *Repo) tree(ctx context.Context, commit, path string, recursive bool) ([]Entry, error) {
	at := commit
	if path != "" {
		at += ":" + path
		objects, err := r.hub.git.stat(ctx, r.dir, []string{at})
		if err != nil || objects[0].kind != "tree" {
			return nil, fmt.Errorf("%w: %s", errNoEntry, path)
		}
		path += "/"
	}
	args := []string{"ls-tree", "-l", "-z"}
	if recursive {
		args = append(args, "-r", "-t")
	}
	out, err := r.hub.git.run(ctx, r.dir, nil, append(args, at)...)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for row := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if row == "" {
			continue
		}
		e, err := parseEntry(row)
		if err != nil {
			return nil, err
		}
		e.Path = path + e.Path
		entries = append(entries, e)
	}
	return entries, r.readPointers(ctx, entries)
}

// parseEntry reads one row of `ls-tree -l -z`: mode SP type SP oid SP size TAB path.
func parseEntry(row string) (Entry, error) {
	meta, path, ok := strings.Cut(row, "\t")
	f := strings.Fields(meta)
	if !ok || len(f) != 4 {
		return Entry{}, fmt.Errorf("git ls-tree: cannot read %q", row)
	}
	size, _ := strconv.ParseInt(f[3], 10, 64) // "-" for a folder, whose size is 0
	return Entry{Path: path, Mode: f[0], Dir: f[1] == "tree", OID: f[2], Size: size}, nil
}

// readPointers fills in the LFS field of entries.
func (r *Repo) readPointers(ctx context.Context, entries []Entry) error {
	var oids []string
	var at []int
	for i, e := range entries {
		if !e.Dir && e.Size > 0 && e.Size < pointerMax {
			oids, at = append(oids, e.OID), append(at, i)
		}
	}
	next := 0
	return r.hub.git.contents(ctx, r.dir, oids, func(_ object, data []byte) error {
		if p, ok := parsePointer(data); ok {
			entries[at[next]].LFS = &p
		}
		next++
		return nil
	})
}

// Tree lists every file and folder of a revision.
func (r *Repo) Tree(rev string) ([]Entry, error) {
	commit, err := r.resolve(r.hub.ctx, rev)
	if err != nil {
		return nil, err
	}
	return r.tree(r.hub.ctx, commit, "", true)
}

// entry finds one file in a commit.
func (r *Repo) entry(ctx context.Context, commit, path string) (Entry, error) {
	dir, _, found := cutLast(path, "/")
	if !found {
		dir = ""
	}
	entries, err := r.tree(ctx, commit, dir, false)
	if err != nil {
		return Entry{}, err
	}
	for _, e := range entries {
		if e.Path == path && !e.Dir {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("%w: %s", errNoEntry, path)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// blob reads a blob as git has it.
func (r *Repo) blob(ctx context.Context, oid string) (data []byte, err error) {
	err = r.hub.git.contents(ctx, r.dir, []string{oid}, func(_ object, b []byte) error {
		data = bytes.Clone(b)
		return nil
	})
	return data, err
}

// Read returns a file's content at a revision: for an LFS file the object, not the pointer.
func (r *Repo) Read(rev, path string) ([]byte, error) {
	commit, err := r.resolve(r.hub.ctx, rev)
	if err != nil {
		return nil, err
	}
	e, err := r.entry(r.hub.ctx, commit, path)
	if err != nil {
		return nil, err
	}
	if e.LFS == nil {
		return r.blob(r.hub.ctx, e.OID)
	}
	f, err := r.openObject(*e.LFS)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// HasObject says whether the repo holds the LFS object of a sha256, with this size.
func (r *Repo) HasObject(p Pointer) bool {
	info, err := os.Stat(r.objectPath(p.OID))
	return err == nil && info.Size() == p.Size
}

func (r *Repo) objectPath(oid string) string { return filepath.Join(r.dir, "lfs", oid[:2], oid) }

func (r *Repo) openObject(p Pointer) (*os.File, error) {
	if !r.HasObject(p) {
		return nil, fmt.Errorf("LFS object %s: %w", p.OID, fs.ErrNotExist)
	}
	return os.Open(r.objectPath(p.OID))
}
