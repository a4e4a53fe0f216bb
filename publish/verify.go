package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// Locked is what a lock says of a file.
type Locked struct {
	Path  string
	Bytes int64
	// SHA256 is over the raw bytes, 64 lower-case hex digits.
	SHA256 string
}

// Kind is how a remote differs from what it should be.
type Kind string

// The kinds of problems.
const (
	Missing    Kind = "missing"     // a file is not on the remote
	Different  Kind = "different"   // its content is another one
	Extra      Kind = "extra"       // the remote has a file that should not be there
	Early      Kind = "early"       // the remote has data of a repo that is pending
	LFSMissing Kind = "lfs-missing" // a pointer is there, and its content is not
	LFSCorrupt Kind = "lfs-corrupt" // what the LFS server gives out is not what the pointer says
	Unlisted   Kind = "unlisted"    // the Hub's own listing does not show the file as it is in git
	Uncovered  Kind = "uncovered"   // a pointer is there, and no line of .gitattributes says so: clones do not get the content
)

// Problem is one way in which a remote differs.
type Problem struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// Want and Have describe the contents, as far as they are known.
	Want string `json:"want,omitempty"`
	Have string `json:"have,omitempty"`
}

// Verification is the outcome of [Publisher.Verify]. Its JSON form may get more fields; none is renamed.
type Verification struct {
	Repo   string `json:"repo"`
	Remote string `json:"remote"`
	Branch string `json:"branch"`
	// Commit is the one that was looked at.
	Commit string `json:"commit"`
	// Skipped says why nothing was looked at, and nothing was asked for: the repo is withheld.
	Skipped string `json:"skipped,omitempty"`
	OK      bool   `json:"ok"`
	// Checked is how many files were compared, LFSChecked how many contents were found in LFS.
	Checked    int `json:"checked"`
	LFSChecked int `json:"lfs_checked"`
	// Read is how many bytes of contents were downloaded and hashed.
	Read     int64     `json:"read,omitempty"`
	Problems []Problem `json:"problems"`
	// Notes are files on the remote that are neither local nor owned by the release, and data of a pending repo.
	Notes []Problem `json:"notes"`
	// Listed is how many files the Hub's own listing shows as they are in git; 0 where it was not asked.
	Listed int `json:"listed,omitempty"`

	// files are those of the commit; pointers are those of them that were found to be in LFS, with what their pointers say.
	files    map[string]gitwire.Entry
	pointers map[string]lfspointer.Pointer
}

// CompareListing compares how the Hub lists the files of the commit, which is what its other clients go by, with what git has.
func (v *Verification) CompareListing(listing []hubapi.Entry) {
	listed := map[string]hubapi.Entry{}
	for _, e := range listing {
		if e.Type == "file" {
			listed[e.Path] = e
		}
	}
	for _, path := range slices.Sorted(maps.Keys(v.files)) {
		e, there := listed[path]
		pointer, inLFS := v.pointers[path]
		switch {
		case !there:
			v.Problems = append(v.Problems, Problem{Path: path, Kind: Unlisted, Want: v.files[path].Hash.String()})
		case e.OID != v.files[path].Hash.String():
			v.Problems = append(v.Problems, Problem{Path: path, Kind: Unlisted, Want: v.files[path].Hash.String(), Have: exchange.Clean(e.OID)})
		case inLFS && (e.LFS == nil || e.LFS.OID != pointer.OID || e.LFS.Size != pointer.Size):
			have := "a plain file"
			if e.LFS != nil {
				have = contentText(exchange.Clean(e.LFS.OID), e.LFS.Size)
			}
			v.Problems = append(v.Problems, Problem{Path: path, Kind: Unlisted, Want: contentText(pointer.OID, pointer.Size), Have: have})
		default:
			v.Listed++
		}
	}
	slices.SortFunc(v.Problems, byPath)
	v.OK = len(v.Problems) == 0
}

// wanted is a file as it should be on the remote.
type wanted struct {
	path string
	size int64
	oid  string
	// blob is the hash of the content as a plain file; zero where only a lock knows it.
	blob plumbing.Hash
	// pointer is set where the local file itself is a pointer: the content it stands for is what counts.
	pointer *lfspointer.Pointer
}

func (w wanted) String() string { return contentText(w.oid, w.size) }

func contentText(oid string, size int64) string { return fmt.Sprintf("sha256 %s, %d bytes", oid, size) }

// Question says what [Publisher.Verify] is to compare. The zero value compares the branch with the local files.
type Question struct {
	// Commit is looked at in the place of the branch: 40 hex digits, "" for the branch.
	Commit string
	// Lock lists the files that should be there, of which none need be here; nil for the local files.
	Lock []Locked
	// Foreign says that the release is not here and nothing is known of it but the lock: a file that the lock does not name is a
	// note.
	Foreign bool
	// Deep downloads and hashes every content.
	Deep bool
}

// Verify compares the remote with the local files or a lock. Differences are no error.
//
// A plain file is compared by its hash as a git blob, one in LFS by the oid and size of its pointer; the LFS server is asked
// whether it can give the content out. Contents are downloaded only where a lock is compared with plain files, and for a deep
// question: then every content is, and hashed.
func (p *Publisher) Verify(ctx context.Context, q Question) (*Verification, error) {
	v := &Verification{Repo: p.repo.ID, Remote: p.target.URL, Branch: p.target.Branch, Problems: []Problem{},
		Notes: []Problem{}}
	if !leaves(p.repo.Status) {
		v.Skipped, v.OK = fmt.Sprintf("the repo is %s: nothing of it leaves", p.repo.Status), true
		return v, nil
	}
	if err := p.verify(ctx, v, q); err != nil {
		return nil, p.advise(err)
	}
	slices.SortFunc(v.Problems, byPath)
	slices.SortFunc(v.Notes, byPath)
	v.OK = len(v.Problems) == 0
	return v, nil
}

func byPath(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
}

func (p *Publisher) verify(ctx context.Context, v *Verification, q Question) error {
	p.enter(Verifying)
	snapshot, err := p.snapshot(ctx, q.Commit)
	if err != nil {
		return err
	}
	v.Commit, v.files, v.pointers = snapshot.Commit.String(), snapshot.Files, map[string]lfspointer.Pointer{}
	wants, err := p.wants(ctx, q.Lock)
	if err != nil {
		return err
	}
	p.enter(Verifying)
	c := &comparison{verification: v, snapshot: snapshot}
	if err := c.compare(ctx, wants); err != nil {
		return err
	}
	if q.Deep {
		if err := c.readPlain(ctx, wants); err != nil {
			return err
		}
	}
	if err := c.findUncovered(ctx); err != nil {
		return err
	}
	switch p.repo.Status {
	case release.Public:
		c.findExtra(wants, managedBy(p.repo), q.Lock == nil || q.Foreign)
	case release.Pending:
		c.findEarly(managedBy(p.repo))
	}
	return p.checkLFS(ctx, c, q.Deep)
}

// snapshot reads the branch, or a commit by its hash.
func (p *Publisher) snapshot(ctx context.Context, commit string) (*gitwire.Snapshot, error) {
	refs, err := p.git.Refs(ctx)
	if err != nil {
		return nil, err
	}
	at := refs.Get(p.target.Branch)
	if commit != "" {
		if !plumbing.IsHash(commit) {
			return nil, &Error{Err: fmt.Errorf("%q is no commit", commit), Hint: "write all 40 hex digits of it"}
		}
		return p.git.Fetch(ctx, refs, plumbing.NewHash(commit))
	}
	if at.IsZero() {
		return nil, &MissingBranchError{Branch: p.branch(), Branches: refs.Branches()}
	}
	return p.git.Fetch(ctx, refs, at)
}

// wants lists what should be on the remote: what the lock says, else the local files.
func (p *Publisher) wants(ctx context.Context, lock []Locked) ([]wanted, error) {
	var wants []wanted
	if lock != nil {
		for _, l := range lock {
			wants = append(wants, wanted{path: l.Path, size: l.Bytes, oid: l.SHA256})
		}
		return wants, nil
	}
	p.enter(Hashing)
	root, err := os.OpenRoot(p.repo.Dir)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", p.repo.Dir, bare(err))
	}
	defer root.Close()
	files := slices.DeleteFunc(slices.Clone(selected(p.repo)), func(f release.TreeFile) bool { return f.Symlink() })
	local, err := p.readFiles(ctx, root, files)
	if err != nil {
		return nil, err
	}
	for _, l := range local {
		wants = append(wants, wanted{path: l.path, size: l.size, oid: l.oid, blob: l.blob, pointer: l.pointer})
	}
	return wants, nil
}

// comparison is one run of [Publisher.Verify].
type comparison struct {
	verification *Verification
	snapshot     *gitwire.Snapshot
	// lfs are the contents that the LFS server should have, pointers the paths of files that have a pointer on the remote only.
	lfs      []lfs.Object
	pointers []string
}

func (c *comparison) problem(path string, kind Kind, want, have string) {
	c.verification.Problems = append(c.verification.Problems, Problem{Path: path, Kind: kind, Want: want, Have: have})
}

// compare goes through the files by their hashes, and reads what those leave open.
func (c *comparison) compare(ctx context.Context, wants []wanted) error {
	open := map[plumbing.Hash][]wanted{}
	for _, w := range wants {
		if w.path == attributesName {
			continue // lines of the remote are kept and ours are added: it may differ rightly
		}
		c.verification.Checked++
		entry, there := c.snapshot.Files[w.path]
		switch {
		case !there:
			c.problem(w.path, Missing, w.String(), "")
		case entry.Mode != filemode.Regular && entry.Mode != filemode.Executable:
			c.problem(w.path, Different, w.String(), "no regular file")
		case entry.Hash == w.blob:
			if w.pointer != nil {
				c.wantLFS(w.path, *w.pointer)
			}
		case entry.Hash == gitwire.Blob(lfspointer.Format(w.oid, w.size)).Hash:
			c.wantLFS(w.path, lfspointer.Pointer{OID: w.oid, Size: w.size})
			c.pointers = append(c.pointers, w.path)
		default:
			open[entry.Hash] = append(open[entry.Hash], w)
		}
	}
	hashes := slices.Collect(maps.Keys(open))
	plumbing.HashesSort(hashes)
	return c.snapshot.Blobs(ctx, hashes, func(h plumbing.Hash, content []byte) error {
		c.verification.Read += int64(len(content))
		for _, w := range open[h] {
			c.compareContent(w, content)
		}
		return nil
	})
}

// compareContent compares a file with what the remote has in its place, a pointer or the content itself.
func (c *comparison) compareContent(w wanted, content []byte) {
	sum := sha256.Sum256(content)
	have := lfspointer.Pointer{OID: hex.EncodeToString(sum[:]), Size: int64(len(content))}
	pointer, inLFS := lfspointer.Parse(content)
	if inLFS {
		have = pointer
	}
	want := lfspointer.Pointer{OID: w.oid, Size: w.size}
	if w.pointer != nil {
		want = *w.pointer
	}
	switch {
	case have != want:
		c.problem(w.path, Different, contentText(want.OID, want.Size), contentText(have.OID, have.Size))
	case inLFS:
		c.wantLFS(w.path, have)
		c.pointers = append(c.pointers, w.path)
	}
}

// findUncovered lists the files in LFS of which the remote's .gitattributes files do not say so.
func (c *comparison) findUncovered(ctx context.Context) error {
	if len(c.pointers) == 0 {
		return nil
	}
	files, err := remoteAttributes(ctx, c.snapshot)
	if err != nil {
		return err
	}
	said := files.parse()
	for _, path := range c.pointers {
		if !said.LFS(path) {
			c.problem(path, Uncovered, "", "")
		}
	}
	return nil
}

func (c *comparison) wantLFS(path string, p lfspointer.Pointer) {
	c.lfs = append(c.lfs, lfs.Object{OID: p.OID, Size: p.Size, Path: path})
	c.verification.pointers[path] = p
}

// findExtra lists what is on the remote beside the files: what the release owns is a problem, anything else a note.
func (c *comparison) findExtra(wants []wanted, m managed, notes bool) {
	known := map[string]bool{attributesName: true}
	for _, w := range wants {
		known[w.path] = true
	}
	for path := range c.snapshot.Files {
		switch {
		case known[path]:
		case m.covers(path):
			c.problem(path, Extra, "", "")
		case notes:
			c.verification.Notes = append(c.verification.Notes, Problem{Path: path, Kind: Extra})
		}
	}
}

// findEarly lists the data of a pending repo that is on the remote: the repo was public, or somebody else put it there.
func (c *comparison) findEarly(m managed) {
	for path := range c.snapshot.Files {
		if m.covers(path) {
			c.verification.Notes = append(c.verification.Notes, Problem{Path: path, Kind: Early})
		}
	}
}

// readPlain downloads the plain files whose hashes are right, and hashes what comes: an object that the server cannot give out, or
// gives out wrong, is an error of the fetch.
func (c *comparison) readPlain(ctx context.Context, wants []wanted) error {
	right := map[plumbing.Hash]wanted{}
	for _, w := range wants {
		if entry, there := c.snapshot.Files[w.path]; there && entry.Hash == w.blob {
			right[w.blob] = w
		}
	}
	hashes := slices.Collect(maps.Keys(right))
	plumbing.HashesSort(hashes)
	return c.snapshot.Blobs(ctx, hashes, func(h plumbing.Hash, content []byte) error {
		sum := sha256.Sum256(content)
		w := right[h]
		if w.pointer == nil && hex.EncodeToString(sum[:]) != w.oid {
			c.problem(w.path, Different, w.String(), contentText(hex.EncodeToString(sum[:]), int64(len(content))))
		}
		c.verification.Read += int64(len(content))
		return nil
	})
}

// checkLFS asks the LFS server for the contents of the pointers: whether it can give them out, or, deep, what it gives out.
func (p *Publisher) checkLFS(ctx context.Context, c *comparison, deep bool) error {
	if len(c.lfs) == 0 {
		return nil
	}
	p.enter(Checking)
	client, err := p.lfs()
	if err != nil {
		return err
	}
	var wrong map[string]lfs.Content
	if deep {
		wrong, err = corrupt(ctx, client, p.target.Branch, c.lfs)
	} else {
		wrong, err = absent(ctx, client, p.target.Branch, c.lfs)
	}
	if err != nil {
		return err
	}
	read := map[string]bool{}
	for _, o := range c.lfs {
		switch content, bad := wrong[o.OID]; {
		case bad && content.Missing:
			c.problem(o.Path, LFSMissing, contentText(o.OID, o.Size), "")
		case bad:
			c.problem(o.Path, LFSCorrupt, contentText(o.OID, o.Size), contentText(content.OID, content.Size))
		default:
			c.verification.LFSChecked++
			if deep && !read[o.OID] {
				read[o.OID] = true
				c.verification.Read += o.Size
			}
		}
	}
	return nil
}

// absent finds the contents that the server does not give out, by their names.
func absent(ctx context.Context, client *lfs.Client, ref string, objects []lfs.Object) (map[string]lfs.Content, error) {
	missing, err := client.Missing(ctx, ref, objects)
	wrong := map[string]lfs.Content{}
	for _, o := range missing {
		wrong[o.OID] = lfs.Content{Object: o, Missing: true}
	}
	return wrong, err
}

// corrupt finds the contents that are not what they are called, by their names.
func corrupt(ctx context.Context, client *lfs.Client, ref string, objects []lfs.Object) (map[string]lfs.Content, error) {
	contents, err := client.Corrupt(ctx, ref, objects)
	wrong := map[string]lfs.Content{}
	for _, content := range contents {
		wrong[content.Object.OID] = content
	}
	return wrong, err
}
