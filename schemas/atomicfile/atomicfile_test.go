package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "README.md")
	for _, content := range []string{"one", "", "a longer text\n"} {
		if err := Write(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("the file holds %q, %v, want %q", got, err, content)
		}
	}
	noLeftovers(t, dir, 1)
}

func TestWriteKeepsTheMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v, want that of the file before, 0640", info.Mode().Perm(), err)
	}
}

func TestWriteGivesANewFileItsMode(t *testing.T) {
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "c"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	mode := func(name string) fs.FileMode {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if mode("a") != 0o600 || mode("c") != mode("b") {
		t.Errorf("modes %v and %v, want 0600 and what the umask leaves of 0666, %v", mode("a"), mode("c"), mode("b"))
	}
}

func TestWriteThroughALink(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := Write(link, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v, want a link still", info.Mode(), err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "real")); string(got) != "new" {
		t.Errorf("the file behind the link holds %q, want new", got)
	}
}

func TestWriteLeavesNothingBehindOnError(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, filepath.Join(dir, "nowhere", "x")} {
		if err := Write(path, []byte("x"), 0o644); err == nil {
			t.Errorf("writing to %s worked, want an error", path)
		}
	}
	noLeftovers(t, dir, 1)
}

// The name of the temporary file is another one each time, and means nothing to anybody.
func TestErrorsNameTheFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "x")
	err := Write(path, nil, 0o644)
	if want := "write " + path + ": no such file or directory"; err == nil || err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A full disk and a folder that takes no file are told with what to do. The file that is to be written may well be writable.
func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "write", Path: ".hfpub-0.tmp", Err: syscall.ENOSPC}, "no space left on device: free some there"},
		{&fs.PathError{Op: "open", Path: ".hfpub-0.tmp", Err: syscall.EROFS}, "read-only file system: give write access to the folder"},
		{&os.LinkError{Op: "rename", Old: ".hfpub-0.tmp", New: "x", Err: syscall.EACCES}, "permission denied: give write access to the folder"},
	} {
		err := explained(c.err)
		if !strings.HasPrefix(err.Error(), c.want) || !errors.Is(err, errors.Unwrap(c.err)) {
			t.Errorf("%v is told as %q, want %q", c.err, err, c.want)
		}
	}
}

// What cannot be written is known beforehand, in the same words, and nothing is left of the try.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	good, folder, nowhere := filepath.Join(dir, "a.part"), filepath.Join(dir, "folder"), filepath.Join(dir, "nowhere", "x")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, nowhere} {
		err, want := Check(path), Write(path, nil, 0o644)
		if err == nil || err.Error() != want.Error() {
			t.Errorf("Check says %v, Write %v", err, want)
		}
	}
	if err := Check(good); err != nil {
		t.Error(err)
	}
	noLeftovers(t, dir, 1)
}

func noLeftovers(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != want {
		t.Errorf("the folder holds %v, want %d entries and no temporary file", entries, want)
	}
}

// What a killed process has left goes with the next file in its folder, once nobody can be writing to it; all else stays.
func TestAbandonedFilesGo(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	ages := map[string]time.Duration{
		".hfpub-0123abcd.tmp": 25 * time.Hour, ".hfpub-ffffffff.tmp": 23 * time.Hour, ".hfpub-11111111.tmp": -time.Hour,
		".hfpub-push.json": 48 * time.Hour, ".hfpub-0123abcd.tmp.gz": 48 * time.Hour, "x.hfpub-0123abcd.tmp": 48 * time.Hour, ".hfpub-0123ABCD.tmp": 48 * time.Hour,
		"sub/.hfpub-0123abcd.tmp": 48 * time.Hour,
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, age := range ages {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o644), os.Chtimes(path, now.Add(-age), now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".hfpub-22222222.tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "README.md"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name := range ages {
		_, err := os.Lstat(filepath.Join(dir, name))
		if gone := errors.Is(err, fs.ErrNotExist); gone != (name == ".hfpub-0123abcd.tmp") {
			t.Errorf("%s is gone: %v", name, gone)
		}
	}
}
