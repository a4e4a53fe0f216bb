//go:build unix

package regularfile_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/hfpub/hfpub/schemas/regularfile"
)

// folder makes a folder with one of each kind of thing that can stand under a file's name.
func folder(t *testing.T) string {
	t.Helper()
	outside, dir := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(outside, "secret"), filepath.Join(dir, "file")} {
		if err := os.WriteFile(path, []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // the path of a socket has to be short
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	for name, target := range map[string]string{
		"link": "file", "to-pipe": "pipe", "to-folder": "folder", "to-null": "/dev/null", "to-zero": "/dev/zero", "loop": "loop",
		"nowhere": "none", "out": filepath.Join(outside, "secret"), "up": "../" + filepath.Base(outside) + "/secret",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wants are what opening gives: nil for the file, else what errors.Is must find.
var wants = []struct {
	name         string
	alone, below error
}{
	{"file", nil, nil},
	{"link", nil, nil},
	{"folder", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"pipe", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"socket", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"to-pipe", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"to-folder", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"to-null", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"to-zero", regularfile.ErrNotRegular, regularfile.ErrNotRegular},
	{"loop", syscall.ELOOP, regularfile.ErrNotRegular},
	{"out", nil, regularfile.ErrNotRegular},
	{"up", nil, regularfile.ErrNotRegular},
	{"none", fs.ErrNotExist, fs.ErrNotExist},
	{"nowhere", fs.ErrNotExist, fs.ErrNotExist},
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := folder(t)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, want := range wants {
		t.Run(want.name, func(t *testing.T) {
			text, err := regularfile.Read(filepath.Join(dir, want.name), 100)
			check(t, "Read", text, err, want.alone)
			text, err = regularfile.ReadIn(root, want.name, 100)
			check(t, "ReadIn", text, err, want.below)
		})
	}
}

func check(t *testing.T, what string, text []byte, err, want error) {
	t.Helper()
	if want == nil && (err != nil || string(text) != "text\n") {
		t.Errorf("%s gives %q, %v; expected the text", what, text, err)
	}
	if want != nil && !errors.Is(err, want) {
		t.Errorf("%s gives %q, %v; expected the error %q", what, text, err, want)
	}
}

func TestErrorsNameThePathAsItWasGiven(t *testing.T) {
	dir := folder(t)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := regularfile.Read("pipe", 1); err == nil || err.Error() != "open pipe: not a regular file but a named pipe" {
		t.Errorf("error %v", err)
	}
	if _, err := regularfile.ReadIn(root, "data/none", 1); err == nil || err.Error() != "open data/none: no such file or directory" {
		t.Errorf("error %v", err)
	}
}

func TestReadStopsAtTheLimit(t *testing.T) {
	text, err := regularfile.Read(filepath.Join(folder(t), "file"), 2)
	if err != nil || string(text) != "te" {
		t.Errorf("two bytes of the file are %q, %v", text, err)
	}
}
