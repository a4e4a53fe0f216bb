package hubtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// Entry is a file or folder in a tree.
type Entry struct {
	// Path is the whole path from the root of the repo.
	Path string
	// Mode is git's, e.g. "100644"; Dir is true for a folder.
	Mode string
	Dir  bool
	// OID is the id of the blob or tree in git, of the pointer for an LFS file. Size is the blob's size in bytes, 0 for a
	// folder.
	OID  string
	Size int64
	// LFS is what the pointer says, nil for a plain file.
	LFS *lfspointer.Pointer
}

// errNoEntry says that a path does not exist in a revision.
var errNoEntry = errors.New("no such file or folder")

// Tree lists every file and folder of a revision, in git's order.
func (r *Repo) Tree(rev string) ([]Entry, error) {
	commit, err := r.resolve(r.hub.ctx, rev)
	if err != nil {
		return nil, err
	}
	return r.tree(r.hub.ctx, commit, "", true)
}

// Read returns a file's content at a revision: for an LFS file the object, not the pointer.
func (r *Repo) Read(rev, name string) ([]byte, error) {
	ctx := r.hub.ctx
	commit, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	e, err := r.entry(ctx, commit, name)
	if err != nil {
		return nil, err
	}
	if e.LFS == nil {
		return r.blob(ctx, e.OID)
	}
	f, err := r.openObject(*e.LFS)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// tree lists what is in a folder of a commit, with everything below it when recursive; "" is the root.
func (r *Repo) tree(ctx context.Context, commit, dir string, recursive bool) ([]Entry, error) {
	if dir != "" && !fs.ValidPath(dir) {
		return nil, fmt.Errorf("%w: %s", errNoEntry, dir)
	}
	at := commit + ":" + dir
	objects, err := r.hub.git.stat(ctx, r.dir, []string{at})
	if err != nil {
		return nil, err
	}
	if objects[0].kind != "tree" {
		return nil, fmt.Errorf("%w: %s", errNoEntry, dir)
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
		e.Path = path.Join(dir, e.Path)
		entries = append(entries, e)
	}
	return entries, r.readPointers(ctx, entries)
}

// parseEntry reads one row of `ls-tree -l -z`: mode SP type SP oid SP size TAB path.
func parseEntry(row string) (Entry, error) {
	meta, name, ok := strings.Cut(row, "\t")
	f := strings.Fields(meta)
	if !ok || len(f) != 4 {
		return Entry{}, fmt.Errorf("git ls-tree: cannot read %q", row)
	}
	size, _ := strconv.ParseInt(f[3], 10, 64) // "-" for a folder
	return Entry{Path: name, Mode: f[0], Dir: f[1] == "tree", OID: f[2], Size: size}, nil
}

// readPointers fills in the LFS field of entries.
func (r *Repo) readPointers(ctx context.Context, entries []Entry) error {
	var oids []string
	var small []*Entry
	for i := range entries {
		if e := &entries[i]; !e.Dir && e.Size > 0 && e.Size < lfspointer.MaxSize {
			oids, small = append(oids, e.OID), append(small, e)
		}
	}
	return r.hub.git.contents(ctx, r.dir, oids, func(i int, data []byte) {
		if p, ok := lfspointer.Parse(data); ok {
			small[i].LFS = &p
		}
	})
}

// entry finds one file in a commit.
func (r *Repo) entry(ctx context.Context, commit, name string) (Entry, error) {
	dir := path.Dir(name)
	if dir == "." {
		dir = ""
	}
	entries, err := r.tree(ctx, commit, dir, false)
	if err != nil {
		return Entry{}, err
	}
	for _, e := range entries {
		if e.Path == name && !e.Dir {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("%w: %s", errNoEntry, name)
}

// blob reads a blob as git has it.
func (r *Repo) blob(ctx context.Context, oid string) (data []byte, err error) {
	err = r.hub.git.contents(ctx, r.dir, []string{oid}, func(_ int, b []byte) { data = b })
	return data, err
}
