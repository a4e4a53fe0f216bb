package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// refusal answers requests to paths with this end by a status and an error of the Hub, as long as it is on.
type refusal struct {
	end, said string
	status    int
	off       bool
}

func (r *refusal) before(w http.ResponseWriter, q *http.Request) bool {
	if r.off || !strings.HasSuffix(q.URL.Path, r.end) {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	w.Write([]byte(`{"error":"` + r.said + `"}`))
	return true
}

// A pull request that got its commit and could not be taken out of draft is pushed; that is told, and the next push goes on.
func TestPullRequestThatStaysADraft(t *testing.T) {
	f := newFront(t, "acme/one", "acme/two")
	dir := writeRelease(t, "acme/one", "acme/two")
	no := &refusal{end: "/acme/one/discussions/1/status", said: "Forbidden", status: http.StatusForbidden}
	f.before = no.before
	code, out, stderr := hfpub(t, "push", "--pr", dir)
	if code != 2 || !strings.Contains(out, "acme/one: pushed commit") || !strings.Contains(out, "acme/two: not pushed, since the push ended before it") ||
		!strings.Contains(stderr, "the commit is in pull request 1, which is a draft: take it out of draft on its page, "+f.url+"/datasets/acme/one/discussions/1") {
		t.Errorf("exit code %d\n%s%s\nwant the first pushed, and to be told of its draft", code, out, stderr)
	}
	no.off = true
	if code, out, stderr := hfpub(t, "push", "--pr", dir); code != 0 {
		t.Errorf("again: exit code %d\n%s%s", code, out, stderr)
	}
	for _, id := range []string{"acme/one", "acme/two"} {
		if got := repoOf(t, f, id).PullRequests(); len(got) != 1 || got[0].Status != "open" {
			t.Errorf("%s has the pull requests %+v, want one that is open", id, got)
		}
	}
}

// Where no pull request can be opened, nothing is sent.
func TestPullRequestThatIsRefused(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	no := &refusal{end: "/acme/one/discussions", said: "Discussions are disabled for this repo", status: http.StatusForbidden}
	f.before = no.before
	code, out, stderr := hfpub(t, "push", "--pr", dir)
	if code != 2 || !strings.Contains(stderr, "ask its owner to switch them on in the repo's settings") || f.hub.Stats().PackBytes > 0 {
		t.Errorf("exit code %d\n%s%s\nwant nothing sent, and advice", code, out, stderr)
	}
	no.off = true
	if code, out, stderr := hfpub(t, "push", "--pr", dir); code != 0 {
		t.Errorf("again: exit code %d\n%s%s", code, out, stderr)
	}
}

// Who may not push to the ref of a pull request is not sent to pull requests for help.
func TestPushToAPullRequestThatIsForbidden(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("service") != "git-receive-pack" {
			return false
		}
		http.Error(w, "Forbidden", http.StatusForbidden)
		return true
	}
	code, _, stderr := hfpub(t, "push", "--pr", dir)
	if code != 2 || !strings.Contains(stderr, "lacks the right to push to this pull request") || strings.Contains(stderr, "(--pr)") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// A collection that is named by its address is looked for before anything is sent; one that takes no repo is told after the push,
// and the next push puts the repos into it.
func TestCollectionThatTakesNothing(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	code, out, stderr := hfpub(t, "push", "--collection", "acme/tea-0123456789abcdef01234567", dir)
	if code != 2 || !strings.Contains(out, "nothing was sent") || !strings.Contains(stderr, "check the collection's address") || f.hub.Stats().PackBytes > 0 {
		t.Errorf("a collection that is gone: exit code %d\n%s%s\nwant nothing sent, and advice", code, out, stderr)
	}
	no := &refusal{end: "/items", said: "A collection can hold at most 100 items", status: http.StatusForbidden}
	f.before = no.before
	code, out, stderr = hfpub(t, "push", "--collection", "Tea", dir)
	if code != 2 || !strings.Contains(out, "acme/one: pushed commit") ||
		!strings.Contains(stderr, "the repos are pushed, but not all are in the collection: add dataset acme/one to collection acme/tea-") {
		t.Errorf("a collection that is full: exit code %d\n%s%s\nwant to be told that the repo is pushed", code, out, stderr)
	}
	no.off = true
	code, out, stderr = hfpub(t, "push", "--collection", "Tea", dir)
	if made := f.hub.Collections(); code != 0 || len(made) != 1 || len(made[0].Items) != 1 {
		t.Errorf("again: exit code %d, collections %+v\n%s%s", code, made, out, stderr)
	}
}

// A release at the top of a git repository of its own, such as that of a paper's code, is no clone of the repo on the Hub: nobody is
// told to set its branch to the Hub's commit.
func TestPushFromAnotherWorkTree(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	for _, args := range [][]string{{"init", "-q", "."}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "code"}} {
		git := exec.Command("git", args...)
		git.Dir = filepath.Join(dir, "one")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for name, value := range map[string]string{"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index"} {
		t.Setenv(name, value)
	}
	code, out, stderr := hfpub(t, "push", dir)
	if code != 0 || !strings.Contains(out, "acme/one: pushed commit") || strings.Contains(out+stderr, "git reset") {
		t.Errorf("exit code %d\n%s%s\nwant it pushed, and no word of a clone", code, out, stderr)
	}
	if head, err := repoOf(t, f, "acme/one").Read("main", "train.jsonl"); err != nil || string(head) != "{\"of\": \"one\"}\n" {
		t.Errorf("the Hub has %q, %v", head, err)
	}
}

// A card that cannot be read is named with its folder: a release has many of them.
func TestCardThatCannotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "README.md"), "# Tea\n")
	writeFile(t, filepath.Join(dir, "train.jsonl"), "{}\n")
	if err := os.Chmod(filepath.Join(dir, "README.md"), 0); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"validate", "card"} {
		if code, _, stderr := hfpub(t, command, dir); code != 2 || !strings.Contains(stderr, dir) || !strings.Contains(stderr, "README.md: permission denied") {
			t.Errorf("%s: exit code %d, %s; want the file and its folder named", command, code, stderr)
		}
	}
}

// A card is written although a file beside the data has a name that cannot be published: that it stays an error is told with the name.
func TestCardBesideANameThatIsNotUTF8(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "train.jsonl"), "{\"a\": 1}\n")
	if err := os.WriteFile(filepath.Join(dir, "b\xff.txt"), nil, 0o644); err != nil {
		t.Skipf("the file system takes no such name: %v", err)
	}
	code, out, stderr := hfpub(t, "card", dir)
	if code != 0 || !strings.Contains(out, "README.md") || !strings.Contains(out, `b\xff.txt: the name is not UTF-8 [publish/path]`) || strings.Contains(out, "run hfpub validate again") {
		t.Errorf("exit code %d\n%s%s\nwant the card, and to be told of the name", code, out, stderr)
	}
}
