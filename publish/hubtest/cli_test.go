package hubtest_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

// client runs git and git-lfs as a user of the Hub does, with a home of its own.
type client struct {
	t    *testing.T
	home string
	hub  *hubtest.Hub
	role hubtest.Role
}

// newClient skips the test when git or git-lfs is not there.
func newClient(t *testing.T, hub *hubtest.Hub, role hubtest.Role) *client {
	t.Helper()
	for _, program := range []string{"git", "git-lfs"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: this test pushes with the real programs", program)
		}
	}
	c := &client{t, t.TempDir(), hub, role}
	c.must(c.home, "lfs", "install", "--skip-repo")
	c.must(c.home, "config", "--global", "user.name", "Ada")
	c.must(c.home, "config", "--global", "user.email", "ada@example.org")
	return c
}

func (c *client) run(dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(c.t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *client) must(dir string, args ...string) string {
	c.t.Helper()
	out, err := c.run(dir, args...)
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// url is the repo's address with the token in it, as no one should write it outside of a test.
func (c *client) url(repo *hubtest.Repo) string {
	u, _ := url.Parse(repo.URL())
	if token := c.hub.Token(c.role); token != "" {
		u.User = url.UserPassword("anyone", token)
	}
	return u.String()
}

func (c *client) clone(repo *hubtest.Repo, args ...string) string {
	c.t.Helper()
	dir := filepath.Join(c.t.TempDir(), "clone")
	c.must(c.home, append([]string{"clone", "--quiet", c.url(repo), dir}, args...)...)
	return dir
}

func start(t *testing.T, opts hubtest.Options) *hubtest.Hub {
	t.Helper()
	hub, err := hubtest.Start(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			for _, line := range hub.Log() {
				t.Log(line)
			}
		}
		for _, leak := range hub.Leaks() {
			t.Error("leak: ", leak)
		}
	})
	return hub
}

func createRepo(t *testing.T, hub *hubtest.Hub, kind release.Type, id string) *hubtest.Repo {
	t.Helper()
	repo, err := hub.CreateRepo(kind, id)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{7}).Read(b)
	return b
}

// TestCloneEqualsPush pushes with git and git-lfs and clones back: git's own programs are the witnesses.
func TestCloneEqualsPush(t *testing.T) {
	for _, kind := range []release.Type{release.Dataset, release.Model} {
		t.Run(string(kind), func(t *testing.T) {
			hub := start(t, hubtest.Options{})
			repo := createRepo(t, hub, kind, "acme/rows")
			c := newClient(t, hub, hubtest.Write)

			dir := c.clone(repo)
			write(t, dir, "README.md", []byte("---\nlicense: mit\n---\n# Rows\n"))
			write(t, dir, "data/train.jsonl", bytes.Repeat([]byte("{\"id\": 1}\n"), 1000))
			write(t, dir, "data/a.parquet", noise(3<<20))
			write(t, dir, "data/b.parquet", noise(100))
			write(t, dir, "empty.txt", nil)
			for i := range 300 {
				write(t, dir, fmt.Sprintf("notes/%03d.txt", i), fmt.Appendf(nil, "note %d\n", i))
			}
			c.must(dir, "add", ".")
			c.must(dir, "commit", "--quiet", "-m", "Release")
			c.must(dir, "push", "origin", "HEAD:main")

			again := c.clone(repo)
			c.must(again, "lfs", "pull")
			if out, err := exec.Command("diff", "-r", "--exclude=.git", dir, again).CombinedOutput(); err != nil {
				t.Errorf("the clone differs from what was pushed: %v\n%s", err, out)
			}
			if out := c.must(again, "status", "--porcelain"); out != "" {
				t.Errorf("a fresh clone is dirty:\n%s", out)
			}
			c.must(again, "lfs", "fsck")
			if got := hub.Stats().Objects; got != 2 {
				t.Errorf("%d LFS objects were stored, want 2", got)
			}
		})
	}
}
