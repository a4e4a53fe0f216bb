package gitwire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// git runs git in a folder, free of the user's configuration.
func git(t *testing.T, dir string, stdin io.Reader, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, stdin
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// sample is a commit of a few files of awkward sizes and names.
func sample(t *testing.T) (Object, []Object) {
	t.Helper()
	files, objects := map[string]Entry{}, []Object(nil)
	add := func(path string, mode filemode.FileMode, content []byte) {
		b := Blob(content)
		files[path] = Entry{mode, b.Hash}
		objects = append(objects, b)
	}
	add("README.md", filemode.Regular, []byte("# Rows\n"))
	add("empty", filemode.Regular, nil)
	add("run.sh", filemode.Executable, []byte("#!/bin/sh\n"))
	add("link", filemode.Symlink, []byte("README.md"))
	add("data/train.jsonl", filemode.Regular, bytes.Repeat([]byte("{\"id\": 1}\n"), 20000))
	add("data.x", filemode.Regular, []byte("15 bytes of it."))
	add("data-x", filemode.Regular, []byte("16 bytes of it.."))
	add("data/deep/er/größe.csv", filemode.Regular, bytes.Repeat([]byte{0, 1, 2, 255}, 512))
	root, trees, err := BuildTree(files)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := Commit{Tree: root, Name: "A", Email: "a@example.org", Message: "first",
		When: time.Unix(1700000000, 5)}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return commit, append(append(objects, trees...), commit)
}

func TestGitAcceptsOurPacks(t *testing.T) {
	commit, objects := sample(t)
	var pack bytes.Buffer
	if err := WritePack(t.Context(), &pack, objects); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	git(t, dir, nil, "init", "-q", "--bare", "-b", "main")
	git(t, dir, &pack, "index-pack", "--stdin", "--strict", "--fsck-objects")
	git(t, dir, nil, "update-ref", "refs/heads/main", commit.Hash.String())
	if out := git(t, dir, nil, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		t.Errorf("git fsck says %q, want nothing", out)
	}
	want := strings.Join([]string{
		"100644 README.md", "100644 data-x", "100644 data.x", `100644 "data/deep/er/gr\303\266\303\237e.csv"`, "100644 data/train.jsonl",
		"100644 empty", "120000 link", "100755 run.sh"}, "\n")
	if got := git(t, dir, nil, "ls-tree", "-r", "--format=%(objectmode) %(path)", "main"); got != want {
		t.Errorf("git lists\n%s\nwant\n%s", got, want)
	}
}

func TestPackIsTheSameEachTime(t *testing.T) {
	_, objects := sample(t)
	var first bytes.Buffer
	if err := WritePack(t.Context(), &first, objects); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		_, objects := sample(t)
		var again bytes.Buffer
		if err := WritePack(t.Context(), &again, objects); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Fatal("the same files gave another pack")
		}
	}
}

// One empty file, as git has always named it.
func TestKnownHashes(t *testing.T) {
	if got := Blob(nil).Hash.String(); got != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
		t.Errorf("hash of the empty blob = %s", got)
	}
	h := BlobHash(6)
	io.WriteString(h, "hello\n")
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != "ce013625030ba8dba906f756967f9e9ca394464a" {
		t.Errorf("hash of hello = %s", got)
	}
	root, _, err := BuildTree(nil)
	if err != nil || root.String() != "4b825dc642cb6eb9a060e54bf8d69288fbee4904" {
		t.Errorf("hash of the empty tree = %s, %v", root, err)
	}
}

func TestCommitHasTheHashThatGitGives(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, nil, "init", "-q", "--bare", "-b", "main")
	tree := git(t, dir, strings.NewReader(""), "mktree")
	for _, message := range []string{"one line", "two\n\nparagraphs\n", "größer", "trailing\n\n\n"} {
		cmd := exec.Command("git", "commit-tree", "-F", "-", tree)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.TrimRight(message, "\n")+"\n")
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A B",
			"GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=A B", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		zone := time.FixedZone("elsewhere", 5*3600)
		got, err := Commit{Tree: plumbing.NewHash(tree), Name: "A B", Email: "a@example.org", Message: message,
			When: time.Unix(1700000000, 999).In(zone)}.Encode()
		if err != nil || got.Hash.String() != strings.TrimSpace(string(out)) {
			t.Errorf("commit %q is %s, %v; git gives %s", message, got.Hash, err, out)
		}
	}
}

func TestCommitRefusesWhatGitWould(t *testing.T) {
	good := Commit{Name: "A", Email: "a@example.org", Message: "m"}
	for name, change := range map[string]func(*Commit){
		"no name":                   func(c *Commit) { c.Name = " " },
		"no email":                  func(c *Commit) { c.Email = "" },
		"a line break in the name":  func(c *Commit) { c.Name = "A\nparent 1" },
		"a bracket in the email":    func(c *Commit) { c.Email = "a@b>" },
		"no message":                func(c *Commit) { c.Message = "\n" },
		"an escape in the message":  func(c *Commit) { c.Message = "a\x1b[31m" },
		"an escape in the author":   func(c *Commit) { c.Name = "A\x1b[31m" },
		"a NUL in the message":      func(c *Commit) { c.Message = "a\x00b" },
		"a NUL in the author email": func(c *Commit) { c.Email = "a\x00" },
	} {
		c := good
		change(&c)
		if _, err := c.Encode(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTreeRefusesAFileThatIsAFolder(t *testing.T) {
	for _, paths := range [][]string{{"a", "a/b"}, {"a/b/c", "a/b"}, {"x/y", "x/y/z/w"}} {
		files := map[string]Entry{}
		for _, p := range paths {
			files[p] = Entry{Mode: filemode.Regular}
		}
		_, _, err := BuildTree(files)
		var clash *ClashError
		if !errors.As(err, &clash) {
			t.Errorf("%q: %v, want a clash", paths, err)
		}
	}
}

func TestPackNoticesAChangedFile(t *testing.T) {
	o := Blob([]byte("planned"))
	for name, content := range map[string]string{"other content": "changed", "shorter": "plan",
		"longer": "planned and more"} {
		o.Open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
		err := WritePack(t.Context(), io.Discard, []Object{o})
		var changed *ChangedError
		if !errors.As(err, &changed) || changed.Hash != o.Hash {
			t.Errorf("%s: %v, want a changed error for %s", name, err, o.Hash)
		}
	}
}

func TestPackEndsWithItsContext(t *testing.T) {
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	o := Blob([]byte("x"))
	blocks := 0
	o.Open = func() (io.ReadCloser, error) {
		return io.NopCloser(readerFunc(func(p []byte) (int, error) {
			if blocks++; blocks == 3 {
				cancel(stop)
			}
			return len(p), nil
		})), nil
	}
	if err := WritePack(ctx, io.Discard, []Object{o}); !errors.Is(err, stop) || blocks != 3 {
		t.Errorf("ended with %v after %d blocks, want the cause of the context after 3", err, blocks)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestSpooledPackLeavesNoFile(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	_, objects := sample(t)
	p, err := SpoolPack(t.Context(), objects)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := io.ReadAll(p.Reader())
	two, _ := io.ReadAll(p.Reader())
	if int64(len(one)) != p.Size || !bytes.Equal(one, two) || p.Objects != len(objects) {
		t.Errorf("pack of %d objects reads as %d and %d bytes, want %d twice", p.Objects, len(one), len(two), p.Size)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := SpoolPack(ctx, objects); !errors.Is(err, context.Canceled) {
		t.Errorf("spooling after the end: %v, want it canceled", err)
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
