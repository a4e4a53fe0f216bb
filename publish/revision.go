package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// Fetch writes files of a commit, by their paths, into a folder that is there: plain ones from git, others from LFS. Every content
// is held against the hash that [Publisher.Files] tells. The error names what the remote cannot give out, or gives out wrong.
func (p *Publisher) Fetch(ctx context.Context, commit, dir string, files []string) error {
	snapshot, err := p.snapshot(ctx, commit)
	if err != nil {
		return p.advise(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f := &fetching{root: root, seen: map[string]bool{}, same: map[string][]string{}}
	if err := f.plain(ctx, snapshot, files); err != nil {
		return p.advise(err)
	}
	if len(f.objects) == 0 {
		return nil
	}
	client, err := p.lfs()
	if err != nil {
		return err
	}
	wrong, err := client.Download(ctx, p.target.Branch, f.objects, func(o lfs.Object) (io.WriteCloser, error) { return f.create(o.Path) })
	if err != nil {
		return p.advise(err)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("the LFS server gives out another content for %s than its pointer says, or none", wrong[0].Object.Path)
	}
	return f.copies()
}

// fetching writes files of a revision into a folder, which none of their paths can lead out of.
type fetching struct {
	root    *os.Root
	objects []lfs.Object
	// seen are the OIDs of objects.
	seen map[string]bool
	// same are further files with the content of an object, by its OID.
	same map[string][]string
}

func (f *fetching) create(name string) (*os.File, error) {
	if dir := path.Dir(name); dir != "." {
		if err := f.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return nil, err
		}
	}
	return f.root.Create(filepath.FromSlash(name))
}

// plain writes the files that are not in LFS, and lists the others.
func (f *fetching) plain(ctx context.Context, snapshot *gitwire.Snapshot, files []string) error {
	names := map[plumbing.Hash][]string{}
	for _, name := range files {
		if entry, there := snapshot.Files[name]; there && (entry.Mode == filemode.Regular || entry.Mode == filemode.Executable) {
			names[entry.Hash] = append(names[entry.Hash], name)
		}
	}
	hashes := slices.Collect(maps.Keys(names))
	plumbing.HashesSort(hashes)
	return snapshot.Blobs(ctx, hashes, func(h plumbing.Hash, content []byte) error {
		pointer, inLFS := lfspointer.Parse(content)
		for _, name := range names[h] {
			if inLFS {
				f.want(name, pointer)
				continue
			}
			out, err := f.create(name)
			if err != nil {
				return err
			}
			if _, err := out.Write(content); err != nil {
				return errors.Join(err, out.Close())
			}
			if err := out.Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *fetching) want(name string, pointer lfspointer.Pointer) {
	if f.seen[pointer.OID] {
		f.same[pointer.OID] = append(f.same[pointer.OID], name)
		return
	}
	f.seen[pointer.OID] = true
	f.objects = append(f.objects, lfs.Object{OID: pointer.OID, Size: pointer.Size, Path: name})
}

// copies writes the contents that several files have to all of them.
func (f *fetching) copies() error {
	for _, o := range f.objects {
		for _, name := range f.same[o.OID] {
			if err := f.copy(o.Path, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fetching) copy(from, to string) error {
	in, err := f.root.Open(filepath.FromSlash(from))
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := f.create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Files lists the files of a revision, in the order of their paths: each with its size and the hash of its content. Of a file in
// LFS the pointer says both; plain files are read. Symbolic links are left out. The revision is a branch, else a tag, or a commit
// by its 40 hex digits; the target's branch is not looked at. It returns the commit. Status gates do not apply: nothing is sent.
func (p *Publisher) Files(ctx context.Context, revision string) (files []Locked, at string, err error) {
	snapshot, err := p.revision(ctx, revision)
	if err != nil {
		return nil, "", p.advise(err)
	}
	paths := map[plumbing.Hash][]string{}
	for path, entry := range snapshot.Files {
		if entry.Mode == filemode.Regular || entry.Mode == filemode.Executable {
			paths[entry.Hash] = append(paths[entry.Hash], path)
		}
	}
	hashes := slices.Collect(maps.Keys(paths))
	plumbing.HashesSort(hashes)
	err = snapshot.Blobs(ctx, hashes, func(h plumbing.Hash, content []byte) error {
		sum := sha256.Sum256(content)
		file := Locked{Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
		if pointer, inLFS := lfspointer.Parse(content); inLFS {
			file.Bytes, file.SHA256 = pointer.Size, pointer.OID
		}
		for _, path := range paths[h] {
			file.Path = path
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		return nil, "", p.advise(err)
	}
	slices.SortFunc(files, func(a, b Locked) int { return cmp.Compare(a.Path, b.Path) })
	return files, snapshot.Commit.String(), nil
}

// revision reads the commit that a name or hash stands for.
func (p *Publisher) revision(ctx context.Context, name string) (*gitwire.Snapshot, error) {
	refs, err := p.git.Refs(ctx)
	if err != nil {
		return nil, err
	}
	at := refs.Tagged(fullRef(name))
	if at.IsZero() {
		at = refs.Tagged("refs/tags/" + name)
	}
	if hash := strings.ToLower(name); at.IsZero() && plumbing.IsHash(hash) {
		return p.git.Fetch(ctx, refs, plumbing.NewHash(hash))
	}
	if at.IsZero() {
		return nil, &MissingRevisionError{Revision: name, Branches: refs.Branches(), Tags: refs.Tags()}
	}
	return p.git.Fetch(ctx, refs, at)
}
