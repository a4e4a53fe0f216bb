package gitwire

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Entry is what a tree says of a file: its mode and the hash of its content, which need not be known.
type Entry struct {
	Mode filemode.FileMode
	Hash plumbing.Hash
}

// flatten lists everything below a tree but folders, and the trees it went through.
func flatten(store storer.EncodedObjectStorer, root plumbing.Hash) (map[string]Entry, map[plumbing.Hash]bool, error) {
	files, trees := map[string]Entry{}, map[plumbing.Hash]bool{}
	var walk func(h plumbing.Hash, prefix string) error
	walk = func(h plumbing.Hash, prefix string) error {
		trees[h] = true
		tree, err := object.GetTree(store, h)
		if err != nil {
			return fmt.Errorf("read tree %s of the remote's folder %q: %w", h, prefix, err)
		}
		for _, e := range tree.Entries {
			path := prefix + e.Name
			if e.Name == "." || e.Name == ".." || strings.Contains(e.Name, "/") {
				return fmt.Errorf("the remote's tree has a name that git does not allow: %q", path)
			}
			if e.Mode != filemode.Dir {
				files[path] = Entry{e.Mode, e.Hash}
				continue
			}
			if err := walk(e.Hash, path+"/"); err != nil {
				return err
			}
		}
		return nil
	}
	return files, trees, walk(root, "")
}

// ClashError says that a path is a file and a folder at once.
type ClashError struct{ Path string }

func (e *ClashError) Error() string {
	return fmt.Sprintf("%q would be a file and a folder at once", e.Path)
}

// folder is a tree under construction.
type folder struct {
	files   map[string]Entry
	folders map[string]*folder
}

func newFolder() *folder { return &folder{map[string]Entry{}, map[string]*folder{}} }

// BuildTree makes the tree objects of a list of files by path, the deepest first and the root last. The same files give
// the same objects in the same order. The error is a *[ClashError] where one path needs another to be a folder.
func BuildTree(files map[string]Entry) (root plumbing.Hash, trees []Object, err error) {
	top := newFolder()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := top.add(path, files[path]); err != nil {
			return plumbing.ZeroHash, nil, err
		}
	}
	root, err = top.encode(&trees)
	return root, trees, err
}

func (f *folder) add(path string, e Entry) error {
	at := f
	names := strings.Split(path, "/")
	for i, name := range names[:len(names)-1] {
		if _, clash := at.files[name]; clash {
			return &ClashError{strings.Join(names[:i+1], "/")}
		}
		if at.folders[name] == nil {
			at.folders[name] = newFolder()
		}
		at = at.folders[name]
	}
	name := names[len(names)-1]
	if at.folders[name] != nil {
		return &ClashError{path}
	}
	at.files[name] = e
	return nil
}

// encode appends the folder's trees, those of its folders first.
func (f *folder) encode(trees *[]Object) (plumbing.Hash, error) {
	var t object.Tree
	for name, e := range f.files {
		t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: e.Mode, Hash: e.Hash})
	}
	for _, name := range slices.Sorted(maps.Keys(f.folders)) {
		h, err := f.folders[name].encode(trees)
		if err != nil {
			return h, err
		}
		t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: h})
	}
	slices.SortFunc(t.Entries, func(a, b object.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	var o plumbing.MemoryObject
	if err := t.Encode(&o); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write tree: %w", err)
	}
	*trees = append(*trees, encoded(&o))
	return o.Hash(), nil
}

// sortName is a name as git orders it: a folder as if it ended with a slash.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}
