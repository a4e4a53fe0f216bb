package release

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// TreeFile is one file of a repo.
type TreeFile struct {
	// Path is relative to the repo's root, with slashes.
	Path string
	// Size is the length in bytes; for a symbolic link that of the link itself.
	Size int64
	// Mode holds the type and permission bits. Only regular files and symbolic links are listed; a link is never
	// followed.
	Mode fs.FileMode
}

// Symlink reports whether the file is a symbolic link.
func (f TreeFile) Symlink() bool { return f.Mode&fs.ModeSymlink != 0 }

// TempPrefix starts the names of hfpub's own temporary files; a file of such a name is never part of a repo.
const TempPrefix = ".hfpub-"

// Walk lists the files under root, sorted by path. Nothing outside root is looked at: symbolic links are listed and not
// followed. Version control, caches and hfpub's own temporary files are left out, since they are never published.
func Walk(ctx context.Context, root string) ([]TreeFile, error) {
	return walk(ctx, root, func(string) bool { return false })
}

// walk is Walk without the files and folders that skip picks by their path.
func walk(ctx context.Context, root string, skip func(path string) bool) ([]TreeFile, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	defer dir.Close()
	var files []TreeFile
	err = fs.WalkDir(dir.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err := errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		if path != "." && (neverPublished(d.Name()) || skip(path)) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files = append(files, TreeFile{Path: path, Size: info.Size(), Mode: info.Mode()})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", root, err)
	}
	slices.SortFunc(files, func(a, b TreeFile) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// neverPublished names version control, caches, virtual environments and temporary files, at any depth.
func neverPublished(name string) bool {
	switch name {
	case ".git", ".cache", ".DS_Store", "__pycache__", ".venv":
		return true
	}
	return strings.HasPrefix(name, TempPrefix)
}
