// Package atomicfile replaces a file as a whole: whoever reads it sees the old content or the new, never a part, even
// after a crash. Everything hfpub writes into a release (README.md, schema.md, hfpub.lock) goes through [Write].
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Write makes data the content of the file at path. It is written to a temporary file in the same folder, synced and renamed,
// and the folder is synced. A file that exists keeps its permissions, a new one gets perm, less the umask. Where path is a
// symbolic link the file it leads to is replaced. After an error the old content is still there, and no temporary file; one that a
// killed process has left is taken away after a day by the next file that is written to its folder.
func Write(path string, data []byte, perm fs.FileMode) error {
	return WriteFrom(path, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFrom is [Write] of what a function writes, so that it need not be in memory as a whole.
func WriteFrom(path string, perm fs.FileMode, write func(io.Writer) error) error {
	target, err := targetOf(path)
	if err == nil {
		err = replace(target, perm, write)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, explained(err))
	}
	return nil
}

// Check says whether [Write] can put a file at path, for whoever works long before there is something to write: the temporary file
// is made, and taken away again.
func Check(path string) error {
	target, err := targetOf(path)
	if err == nil {
		err = try(target)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, explained(err))
	}
	return nil
}

func try(target string) error {
	if _, err := replaced(target); err != nil {
		return err
	}
	tmp, err := create(filepath.Dir(target), 0o600)
	if err != nil {
		return err
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// targetOf is the file that a path leads to, which need not be there.
func targetOf(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return target, err
}

// replaced is the file that is to be replaced; nil when there is none.
func replaced(target string) (fs.FileInfo, error) {
	old, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !old.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	}
	return old, nil
}

// explained is what went wrong with the temporary file, and what to do, without its name: that is another one each time, and gone.
func explained(err error) error {
	var of *fs.PathError
	var linked *os.LinkError
	switch {
	case errors.As(err, &of):
		err = of.Err
	case errors.As(err, &linked):
		err = linked.Err
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: free some there", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: give write access to the folder, since a new file takes the place of an old one", err)
	}
	return err
}

func replace(target string, perm fs.FileMode, write func(io.Writer) error) error {
	old, err := replaced(target)
	if err != nil {
		return err
	}
	sweep(filepath.Dir(target))
	tmp, err := create(filepath.Dir(target), perm)
	if err != nil {
		return err
	}
	err = fill(tmp, write, old)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return syncDir(filepath.Dir(target))
}

// leftover is the name of a temporary file.
var leftover = lazyregexp.New(`^\.hfpub-[0-9a-f]{8}\.tmp$`)

// abandoned is for how long nobody has written to a temporary file that a process left when it was killed: one that still works may stop
// for a while, and loses its file then.
const abandoned = 24 * time.Hour

// sweep takes away the temporary files in a folder that were abandoned. Nothing depends on it: what cannot be taken away stays.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !leftover.MatchString(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// create opens a new temporary file. os.CreateTemp would leave the umask out of account.
func create(dir string, perm fs.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf(".hfpub-%08x.tmp", rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// fill writes and syncs the temporary file; old is the file it will replace, nil for none.
func fill(tmp *os.File, write func(io.Writer) error, old fs.FileInfo) error {
	if old != nil {
		if err := tmp.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := write(tmp); err != nil {
		return err
	}
	return tmp.Sync()
}

// syncDir makes the rename last. Some file systems cannot sync a folder; the file itself is safe there too.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
