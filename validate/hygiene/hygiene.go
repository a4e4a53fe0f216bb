// Package hygiene finds in a repo's files what must not be released as it is: Git LFS pointers where the content
// should be, big files that git would send as plain blobs, names that cannot be pushed, symbolic links.
//
// [Check] looks at the tree that the release was loaded with and reads nothing but the first bytes of small files. Two
// packages below it know one format each: lfspointer the pointer files, gitattributes the question which paths are in LFS.
// [IsPointer] keeps the reader of rows from taking a pointer for data, and [Names] is asked once more before a push.
package hygiene

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// Check judges the files of a repo. What is said of pushing is left out for a repo whose data stays at home. The
// error is for a file or folder that cannot be read, and for a cancelled context.
func Check(ctx context.Context, repo *release.Repo) ([]finding.Finding, error) {
	if repo.Dir == "" {
		return checkLoose(ctx, repo)
	}
	if len(repo.Tree) == 0 {
		return nil, nil // release says so where the folder is not there
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	found, err := pointers(ctx, root, repo.Tree)
	if err != nil {
		return nil, err
	}
	if repo.Status == release.Pending || repo.Status == release.Withheld {
		return found, nil
	}
	big, err := tooBig(root, repo.Tree)
	if err != nil {
		return nil, err
	}
	found = append(found, big...)
	return append(found, Names(repo.Tree)...), nil
}

// Names finds the files that cannot be pushed for what they are called, or because they are symbolic links.
func Names(tree []release.TreeFile) []finding.Finding {
	return append(symlinks(tree), paths(tree)...)
}

// checkLoose looks at data files that belong to no folder.
func checkLoose(ctx context.Context, repo *release.Repo) ([]finding.Finding, error) {
	var found []finding.Finding
	seen := map[string]bool{}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, path := range split.Files {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if seen[path] {
					continue
				}
				seen[path] = true
				pointer, ok, err := detect(path)
				if err != nil {
					return nil, err
				}
				if ok {
					found = append(found, pointerFinding(path, pointer))
				}
			}
		}
	}
	return found, nil
}

func pointers(ctx context.Context, root *os.Root, tree []release.TreeFile) ([]finding.Finding, error) {
	var found []finding.Finding
	for _, file := range tree {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !file.Mode.IsRegular() || file.Size >= lfspointer.MaxSize {
			continue
		}
		pointer, ok, err := lfspointer.Detect(root, filepath.FromSlash(file.Path))
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, pointerFinding(file.Path, pointer))
		}
	}
	return found, nil
}

func pointerFinding(path string, p lfspointer.Pointer) finding.Finding {
	const message = "a Git LFS pointer (%.8s…, %d bytes) stands in place of the content"
	f := finding.New(finding.HygieneLFSPointer, message, p.OID, p.Size).At(printable(path), 0)
	return f.Hinting("fetch the content with `git lfs pull` (oid sha256:%s, size %d); "+
		"if the pointer itself was committed as content, put the real file there", p.OID, p.Size)
}

func detect(path string) (lfspointer.Pointer, bool, error) {
	f, err := os.Open(filepath.FromSlash(path))
	if err != nil {
		return lfspointer.Pointer{}, false, err
	}
	defer f.Close()
	return lfspointer.Read(f)
}

// IsPointer reports whether what r gives is a Git LFS pointer file. It reads no more than a pointer may hold.
func IsPointer(r io.Reader) (bool, error) {
	_, ok, err := lfspointer.Read(r)
	return ok, err
}
