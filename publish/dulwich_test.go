package publish

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubtest"
)

// dulwich serves a new repository by another implementation of git than git itself: dulwich, in Python. It has neither partial
// fetches nor LFS.
func dulwich(t *testing.T) (url, dir string) {
	t.Helper()
	python := "/usr/bin/python3" // the one that has the package of the distribution
	if err := exec.Command(python, "-c", "import dulwich.web").Run(); err != nil {
		t.Skip("dulwich is not installed (Debian: python3-dulwich): nothing is pushed to a server that is not git's own")
	}
	dir = filepath.Join(t.TempDir(), "rows.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", "--initial-branch=main", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(at)
	server := exec.Command(python, "-c", "import sys; from dulwich.web import main; main(['dulwich'] + sys.argv[1:])", "-l", "127.0.0.1", "-p", port, dir)
	server.Env = append(os.Environ(), "PYTHONUNBUFFERED=1")
	var said strings.Builder
	server.Stdout, server.Stderr = &said, &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
		if t.Failed() {
			t.Logf("dulwich says:\n%s", said.String())
		}
	})
	for range 200 {
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			return "http://" + at + "/", dir
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("dulwich does not answer:\n%s", said.String())
	return "", ""
}

// A server of other people's making: a first push, another on top, and nothing to do.
func TestAServerThatIsNotGitsOwn(t *testing.T) {
	url, dir := dulwich(t)
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	push := func(m Meta) (*Plan, *Result, error) {
		t.Helper()
		w.reload()
		p, err := New(Target{URL: url}, w.release, Options{Retry: quick, Idle: 5 * time.Second, First: true})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := p.Plan(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Publish(t.Context(), plan)
		return plan, r, err
	}
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	_, first, err := push(meta)
	if err != nil || git("rev-parse", "refs/heads/main") != first.Commit {
		t.Fatalf("first push: %+v, %v", first, err)
	}
	w.write(map[string]string{"data/test.jsonl": "{\"id\": 3}\n"})
	plan, second, err := push(meta)
	if err != nil || git("rev-parse", "refs/heads/main") != second.Commit || second.Base != first.Commit || plan.Count(Changed) != 1 {
		t.Fatalf("second push: %+v, %v", second, err)
	}
	if got := git("cat-file", "blob", "main:data/test.jsonl"); got != `{"id": 3}` {
		t.Errorf("the file on the server is %q", got)
	}
	git("fsck", "--strict")
	if _, again, err := push(meta); err != nil || !again.NoChange {
		t.Errorf("the same again: %+v, %v; want nothing to push", again, err)
	}
	w.write(map[string]string{"data/test.jsonl": "{\"id\": 4}\n"})
	tagged := meta
	tagged.Tag = "v1"
	_, third, err := push(tagged)
	var not *gitwire.NotAtomicError
	if err == nil && git("rev-parse", "v1^{commit}") != third.Commit || err != nil && (!errors.As(err, &not) || git("rev-parse", "main") != second.Commit) {
		t.Errorf("with a tag: %+v, %v; want both set, or neither and word of it", third, err)
	}
}
