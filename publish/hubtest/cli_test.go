package hubtest_test

import (
	"bytes"
	"fmt"
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

// TestPushIsRefused pushes what the Hub's pre-receive hook refuses, in the Hub's words.
func TestPushIsRefused(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0a", 32) + "\nsize 12\n"
	tests := []struct {
		name, file string
		data       []byte
		want       []string
	}{
		{"plain blob above 10 MiB", "data/train.jsonl", bytes.Repeat([]byte("{\"id\": 1}\n"), 10<<20/10+1),
			[]string{"contains files larger than 10 MiB", "Offending files:", "- data/train.jsonl (ref: refs/heads/main)"}},
		{"plain binary blob above 1 MiB", "data/rows.dat", append([]byte{0}, noise(1<<20)...),
			[]string{"contains binary files", "/docs/hub/xet", "- data/rows.dat (ref: refs/heads/main)"}},
		{"pointer without object", "data/train.jsonl", []byte(pointer),
			[]string{"LFS pointer pointed to a file that does not exist", "Offending file:", "- data/train.jsonl"}},
		{"card that is no YAML", "README.md", []byte("---\nlicense: [mit\n---\n"), []string{"Invalid YAML in README.md", "line 1"}},
		{"card with errors", "README.md", []byte("---\nlicense: mit\nlanguage: EN\nconfigs: default\n---\n"),
			[]string{"rejected during YAML metadata verification", `- Error: "language" must only contain lowercase characters`,
				`- Error: "configs" must be an array`}},
	}
	hub := start(t, hubtest.Options{})
	c := newClient(t, hub, hubtest.Write)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo := createRepo(t, hub, release.Dataset, fmt.Sprintf("acme/r%d", i))
			before, _ := repo.Head("main")
			dir := c.clone(repo)
			write(t, dir, tt.file, tt.data)
			c.must(dir, "add", ".")
			c.must(dir, "commit", "--quiet", "-m", "Bad")
			// The file is gone at the tip, but for the card: the hook looks at every new commit.
			if tt.file != "README.md" {
				c.must(dir, "rm", "--quiet", tt.file)
				c.must(dir, "commit", "--quiet", "-m", "Take it out")
			}
			out, err := c.run(dir, "push", "--no-verify", "origin", "HEAD:main")
			if err == nil {
				t.Fatalf("the push went through:\n%s", out)
			}
			for _, want := range append(tt.want, "remote: ", "[remote rejected] HEAD -> main (pre-receive hook declined)") {
				if !strings.Contains(out, want) {
					t.Errorf("git did not print %q but\n%s", want, out)
				}
			}
			if after, _ := repo.Head("main"); after != before {
				t.Errorf("main moved to %s", after)
			}
		})
	}
}

// TestPushGoesThrough pushes what is unusual and allowed.
func TestPushGoesThrough(t *testing.T) {
	hub := start(t, hubtest.Options{})
	c := newClient(t, hub, hubtest.Write)
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	dir := c.clone(repo)

	write(t, dir, "README.md", []byte("# No metadata\n"))
	c.must(dir, "add", ".")
	c.must(dir, "commit", "--quiet", "-m", "Card")
	out := c.must(dir, "push", "origin", "HEAD:main")
	if !strings.Contains(out, "remote:   - Warning: empty or missing yaml metadata") {
		t.Errorf("a card without metadata is pushed with a warning; git printed\n%s", out)
	}
	c.must(dir, "tag", "-a", "v1", "-m", "One")
	c.must(dir, "push", "origin", "v1", "HEAD:refs/pr/7")
	head, err := repo.Head("main")
	if err != nil {
		t.Fatal(err)
	}
	for _, rev := range []string{"v1", "refs/pr/7"} {
		if got, err := repo.Head(rev); got != head || err != nil {
			t.Errorf("%s is at %s (%v), want main's %s", rev, got, err, head)
		}
	}
	c.must(dir, "push", "origin", ":refs/pr/7")
	if _, err := repo.Head("refs/pr/7"); err == nil {
		t.Error("refs/pr/7 is still there after it was deleted")
	}

	big := bytes.Repeat([]byte("text that packs well, but is sent in chunks when it does not\n"), 1<<14)
	write(t, dir, "notes.txt", append(big, []byte(fmt.Sprintf("%x", noise(2<<20)))...))
	c.must(dir, "add", ".")
	c.must(dir, "commit", "--quiet", "-m", "More than git's http.postBuffer")
	c.must(dir, "push", "origin", "HEAD:main")
	if out, err := repo.Read("main", "notes.txt"); err != nil || len(out) != len(big)+4<<20 {
		t.Errorf("notes.txt has %d bytes (%v), want %d", len(out), err, len(big)+4<<20)
	}
}

func TestFetchInPart(t *testing.T) {
	hub := start(t, hubtest.Options{})
	c := newClient(t, hub, hubtest.Anonymous)
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	if _, err := repo.Commit("refs/heads/main", "Rows", map[string]string{"data/a.txt": "a\n", "data/b.txt": "b\n"}); err != nil {
		t.Fatal(err)
	}
	dir := c.clone(repo, "--filter=blob:none", "--depth=1", "--no-checkout")
	missing := c.must(dir, "rev-list", "--objects", "--missing=print", "HEAD")
	if n := strings.Count(missing, "?"); n != 3 {
		t.Errorf("a clone with --filter=blob:none lacks %d blobs, want 3:\n%s", n, missing)
	}
	if out := c.must(dir, "cat-file", "blob", "HEAD:data/b.txt"); out != "b\n" {
		t.Errorf("a blob fetched by its hash is %q, want %q", out, "b\n")
	}
}

// TestWhoMayDoWhat asks git itself.
func TestWhoMayDoWhat(t *testing.T) {
	hub := start(t, hubtest.Options{})
	public := createRepo(t, hub, release.Dataset, "acme/open")
	private, err := hub.CreatePrivateRepo(release.Dataset, "acme/closed")
	if err != nil {
		t.Fatal(err)
	}
	gone := createRepo(t, hub, release.Dataset, "acme/gone")
	if err := gone.Delete(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		role              hubtest.Role
		repo              *hubtest.Repo
		fetched, pushed   bool
		noFetch, noPushed string
	}{
		{hubtest.Anonymous, public, true, false, "", "could not read Username"},
		{hubtest.Outsider, public, true, false, "", "403"},
		{hubtest.Read, public, true, false, "", "403"},
		{hubtest.Write, public, true, true, "", ""},
		{hubtest.Anonymous, private, false, false, "could not read Username", "could not read Username"},
		{hubtest.Outsider, private, false, false, "not found", "not found"},
		{hubtest.Read, private, true, false, "", "403"},
		{hubtest.Write, private, true, true, "", ""},
		{hubtest.Anonymous, gone, false, false, "could not read Username", "could not read Username"},
		{hubtest.Write, gone, false, false, "not found", "not found"},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.role, tt.repo.ID), func(t *testing.T) {
			c := newClient(t, hub, tt.role)
			dir := t.TempDir()
			c.must(dir, "init", "--quiet", ".")
			out, err := c.run(dir, "fetch", c.url(tt.repo), "main")
			if (err == nil) != tt.fetched || !strings.Contains(out, tt.noFetch) {
				t.Errorf("fetch: %v\n%swant success %v, text %q", err, out, tt.fetched, tt.noFetch)
			}
			c.must(dir, "commit", "--quiet", "--allow-empty", "-m", "x")
			out, err = c.run(dir, "push", "--no-verify", c.url(tt.repo), fmt.Sprintf("HEAD:refs/heads/try-%d", i))
			if (err == nil) != tt.pushed || !strings.Contains(out, tt.noPushed) {
				t.Errorf("push: %v\n%swant success %v, text %q", err, out, tt.pushed, tt.noPushed)
			}
		})
	}
}

// TestPushFaults shows what git makes of each fault of a push, and what the branch is afterwards.
func TestPushFaults(t *testing.T) {
	tests := []struct {
		fault hubtest.Fault
		want  string
		moved bool
	}{
		{hubtest.Info503, "503", false},
		{hubtest.Receive503, "503", false},
		{hubtest.ReceiveReset, "", false},
		{hubtest.ReceiveLost, "", true},
		{hubtest.ReceiveReject, "terms of use not accepted", false},
		{hubtest.ReceiveRace, "failed to update ref", false},
	}
	hub := start(t, hubtest.Options{})
	c := newClient(t, hub, hubtest.Write)
	for i, tt := range tests {
		t.Run(string(tt.fault), func(t *testing.T) {
			repo := createRepo(t, hub, release.Model, fmt.Sprintf("acme/r%d", i))
			dir := c.clone(repo)
			write(t, dir, "a.txt", []byte("a\n"))
			c.must(dir, "add", ".")
			c.must(dir, "commit", "--quiet", "-m", "A")
			mine := strings.TrimSpace(c.must(dir, "rev-parse", "HEAD"))

			times := 1
			if tt.fault == hubtest.ReceiveReset {
				times = 2 // libcurl itself tries again when a connection that it used before is reset
			}
			hub.Fault(tt.fault, times)
			out, err := c.run(dir, "push", "--no-verify", "origin", "HEAD:main")
			if err == nil || !strings.Contains(out, tt.want) {
				t.Errorf("push: %v\n%swant a failure with %q", err, out, tt.want)
			}
			if n := hub.Stats().Faults[tt.fault]; n != times {
				t.Errorf("the fault happened %d times, want %d", n, times)
			}
			if head, _ := repo.Head("main"); (head == mine) != tt.moved {
				t.Errorf("main is at %s, my commit is %s, want moved %v", head, mine, tt.moved)
			}
			if tt.fault == hubtest.ReceiveRace {
				if data, _ := repo.Read("main", "other.txt"); string(data) != "landed in between\n" {
					t.Errorf("main does not hold the other push: other.txt is %q", data)
				}
				return
			}
			if out, err := c.run(dir, "push", "--no-verify", "origin", "HEAD:main"); err != nil {
				t.Errorf("the second push failed: %v\n%s", err, out)
			}
		})
	}
}

// TestUserConfigurationHasNoSay puts things into the environment that would break every git command.
func TestUserConfigurationHasNoSay(t *testing.T) {
	home := t.TempDir()
	write(t, home, ".gitconfig", []byte("[core\nbroken"))
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_DIR", filepath.Join(home, "nowhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(home, "index"))
	t.Setenv("GIT_OBJECT_DIRECTORY", filepath.Join(home, "objects"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "http.receivepack")
	t.Setenv("GIT_CONFIG_VALUE_0", "false")
	t.Setenv("GIT_TEMPLATE_DIR", home)
	t.Setenv("GIT_AUTHOR_NAME", "Somebody Else")
	t.Setenv("GIT_TRACE", filepath.Join(home, "trace"))

	hub := start(t, hubtest.Options{})
	c := newClient(t, hub, hubtest.Write)
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	dir := c.clone(repo)
	write(t, dir, "a.txt", []byte("a\n"))
	c.must(dir, "add", ".")
	c.must(dir, "commit", "--quiet", "-m", "A")
	c.must(dir, "push", "origin", "HEAD:main")
	if out := c.must(dir, "log", "--format=%an: %s", "HEAD~1", "--max-parents=0"); out != "system: initial commit\n" {
		t.Errorf("the first commit is %q, want %q", out, "system: initial commit\n")
	}
	if entries, _ := os.ReadDir(home); len(entries) != 1 {
		t.Errorf("something was written to the user's home: %v", entries)
	}
}
