// Package regularfile opens and reads the files of a release: regular files only.
//
// Anything may stand in a folder under a file's name: a folder, a named pipe, a socket, a device, a symbolic link that
// leads elsewhere. Opening a pipe would wait for its other end, and a device may never end. Here all of these are
// [ErrNotRegular], at once.
package regularfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrNotRegular says that a path leads to something else than a regular file, or, in a folder, to one outside of it.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading. A symbolic link is followed.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fault(path, err)
	}
	return checked(f, path)
}

// OpenIn opens a regular file of a folder for reading, by its path with slashes. A symbolic link is followed as long as it
// stays inside the folder.
func OpenIn(root *os.Root, path string) (*os.File, error) {
	name := filepath.FromSlash(path)
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		return checked(f, path)
	}
	known := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	if info, linked := root.Lstat(name); linked == nil && info.Mode()&fs.ModeSymlink != 0 && !known {
		return nil, fault(path, fmt.Errorf("%w but a link that leads nowhere in this folder", ErrNotRegular))
	}
	return nil, fault(path, err)
}

// checked closes a file that is not regular.
func checked(f *os.File, path string) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w but a %s", ErrNotRegular, kind(info.Mode()))
	}
	if err != nil {
		return nil, errors.Join(fault(path, err), f.Close())
	}
	return f, nil
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	}
	return "device"
}

// fault names the path as the caller did. A socket cannot be opened at all.
func fault(path string, err error) error {
	if errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENODEV) {
		err = ErrNotRegular
	}
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// Read reads a regular file, at most as many bytes of it as given: ask for one more than are allowed to see that there are
// too many.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	return read(f, most, err)
}

// ReadIn is [Read] for a file of a folder, opened as [OpenIn] does.
func ReadIn(root *os.Root, path string, most int64) ([]byte, error) {
	f, err := OpenIn(root, path)
	return read(f, most, err)
}

func read(f *os.File, most int64, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	return text, nil
}
