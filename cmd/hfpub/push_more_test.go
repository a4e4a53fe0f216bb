package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

func repoOf(t *testing.T, f *front, id string) *hubtest.Repo {
	t.Helper()
	repo, ok := f.hub.Repo(release.Dataset, id)
	if !ok {
		t.Fatalf("the Hub has no %s", id)
	}
	return repo
}

// The commit and its tag arrive in one step; the tag never moves, and setting it again is nothing to do.
func TestPushWithATag(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	repo := repoOf(t, f, "acme/one")
	push := func(want int, args ...string) string {
		t.Helper()
		code, out, stderr := hfpub(t, append(args, dir)...)
		if code != want {
			t.Fatalf("%v: exit code %d, want %d\n%s%s", args, code, want, out, stderr)
		}
		return out + stderr
	}
	if out := push(0, "plan", "--tag", "v1.0.0"); !strings.Contains(out, "tag v1.0.0") {
		t.Errorf("the plan does not speak of the tag:\n%s", out)
	}
	if _, err := repo.Head("v1.0.0"); err == nil {
		t.Error("a plan has set the tag")
	}
	push(0, "push", "--tag", "v1.0.0")
	first, err := repo.Head("main")
	if err != nil {
		t.Fatal(err)
	}
	if at, err := repo.Head("v1.0.0"); err != nil || at != first {
		t.Errorf("the tag is on %q (%v), want %s", at, err, first)
	}
	if out := push(0, "push", "--tag", "v1.0.0"); !strings.Contains(out, "nothing to push") {
		t.Errorf("the same push again:\n%s\nwant nothing to push", out)
	}
	push(0, "push", "--tag", "v1.0.0-same")
	if at, err := repo.Head("v1.0.0-same"); err != nil || at != first {
		t.Errorf("a second tag is on %q (%v), want %s: the files are there", at, err, first)
	}
	writeFile(t, filepath.Join(dir, "one", "train.jsonl"), "{\"of\": \"later\"}\n")
	for _, command := range []string{"card", "lock"} {
		push(0, command)
	}
	if out := push(2, "push", "--tag", "v1.0.0"); !strings.Contains(out, "has a tag v1.0.0 already") || !strings.Contains(out, "never moves") {
		t.Errorf("a tag of another commit:\n%s", out)
	}
	if at, _ := repo.Head("main"); at != first {
		t.Error("the branch moved, though the tag could not be set")
	}
	if out := push(2, "push", "--tag", "a..b"); !strings.Contains(out, "cannot be the name of a tag") {
		t.Errorf("a tag that git refuses:\n%s", out)
	}
}

// Two pushes of the same files with the same date make the same commit and tag.
func TestPushWithADate(t *testing.T) {
	var heads []string
	for range 2 {
		f := newFront(t, "acme/one")
		dir := writeRelease(t, "acme/one")
		// 18 digits are beyond the year 9999, and a date before 1970 is none that git has
		for _, date := range []string{"2026-01-31", "noon", "-5", "0001-01-01T00:00:00Z", "999999999999999999"} {
			if code, _, stderr := hfpub(t, "push", "--date", date, dir); code != 2 || !strings.Contains(stderr, "--date "+date) {
				t.Errorf("--date %s: exit code %d, %s", date, code, stderr)
			}
		}
		if code, out, stderr := hfpub(t, "push", "--date", "2026-01-31T12:00:00Z", "--tag", "v1", dir); code != 0 {
			t.Fatalf("exit code %d\n%s%s", code, out, stderr)
		}
		repo := repoOf(t, f, "acme/one")
		for _, rev := range []string{"main", "v1"} {
			at, err := repo.Head(rev)
			if err != nil {
				t.Fatal(err)
			}
			heads = append(heads, at)
		}
	}
	if heads[0] != heads[2] || heads[1] != heads[3] {
		t.Errorf("commits and tags %v, want the same twice", heads)
	}
}

func TestPushAsPullRequest(t *testing.T) {
	f := newFront(t, "acme/one", "acme/two")
	dir := writeRelease(t, "acme/one", "acme/two")
	repo := repoOf(t, f, "acme/one")
	before, err := repo.Head("main")
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--tag", "v1"}, {"--first"}, {"--branch", "refs/pr/7"}, {"--collection", "Tea"}} {
		if code, _, stderr := hfpub(t, append(append([]string{"push", "--pr"}, flags...), dir)...); code != 2 || !strings.Contains(stderr, "exclude each other") {
			t.Errorf("--pr %v: exit code %d, %s", flags, code, stderr)
		}
	}
	if code, out, stderr := hfpub(t, "plan", "--pr", dir); code != 0 || len(repo.PullRequests()) > 0 {
		t.Fatalf("plan: exit code %d, pull requests %v\n%s%s", code, repo.PullRequests(), out, stderr)
	}
	code, out, stderr := hfpub(t, "push", "--pr", "-m", "Correct three labels", "--format", "json", dir)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	var o struct {
		Results      []struct{ Repo, Branch, Commit string }
		PullRequests []struct {
			Repo, URL string
			Num       int
		} `json:"pull_requests"`
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	if len(o.PullRequests) != 2 || o.PullRequests[0].Num != 1 || o.PullRequests[0].URL != f.url+"/datasets/acme/one/discussions/1" {
		t.Errorf("pull requests %+v, want one for each repo with its address", o.PullRequests)
	}
	if got := repo.PullRequests(); len(got) != 1 || got[0].Status != "open" || got[0].Title != "Correct three labels" {
		t.Errorf("the Hub has the pull requests %+v, want one that is open", got)
	}
	if at, err := repo.Head("refs/pr/1"); err != nil || at != o.Results[0].Commit || at == before {
		t.Errorf("refs/pr/1 is at %q (%v), want the new commit %s", at, err, o.Results[0].Commit)
	}
	if at, _ := repo.Head("main"); at != before {
		t.Error("main has moved")
	}
}

// The pull requests of a push that ended early are gone on with: none is opened twice.
func TestPullRequestsOfAnInterruptedPush(t *testing.T) {
	ids := []string{"acme/one", "acme/two", "acme/three"}
	f := newFront(t, ids...)
	dir := writeRelease(t, ids...)
	f.refuses = "acme/two"
	if code, _, stderr := hfpub(t, "push", "--pr", dir); code != 2 || !strings.Contains(stderr, "pull request 1 is a draft") {
		t.Fatalf("exit code %d, %s; want it to end at acme/two", code, stderr)
	}
	f.refuses = ""
	code, out, stderr := hfpub(t, "push", "--pr", dir)
	if code != 0 || !strings.Contains(out, "acme/one: "+publish.NothingToPush) {
		t.Fatalf("again: exit code %d\n%s%s\nwant acme/one to have nothing left", code, out, stderr)
	}
	for _, id := range ids {
		if got := repoOf(t, f, id).PullRequests(); len(got) != 1 || got[0].Status != "open" {
			t.Errorf("%s has the pull requests %+v, want one that is open", id, got)
		}
	}
}

// A pull request whose push fails stays a draft, and the error says how to go on.
func TestPullRequestThatFails(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	f.refuses = "acme/one"
	code, _, stderr := hfpub(t, "push", "--pr", dir)
	if code != 2 || !strings.Contains(stderr, "pull request 1 is a draft") || !strings.Contains(stderr, "--branch refs/pr/1") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	f.refuses = ""
	if code, out, stderr := hfpub(t, "push", "--branch", "refs/pr/1", dir); code != 0 {
		t.Errorf("going on as advised: exit code %d\n%s%s", code, out, stderr)
	}
}

func TestPushIntoACollection(t *testing.T) {
	f := newFront(t, "acme/one", "acme/two")
	dir := writeRelease(t, "acme/one", "acme/two")
	for range 2 {
		if code, out, stderr := hfpub(t, "push", "--collection", "Tea houses", dir); code != 0 || !strings.Contains(out, f.url+"/collections/acme/tea-houses-") {
			t.Fatalf("exit code %d\n%s%s\nwant the collection's address", code, out, stderr)
		}
	}
	made := f.hub.Collections()
	if len(made) != 1 || len(made[0].Items) != 2 || made[0].Items[0].ID != "acme/one" || made[0].Items[1].ID != "acme/two" {
		t.Fatalf("collections %+v, want one with both repos, each once", made)
	}
	if code, out, stderr := hfpub(t, "push", "--only", "acme/one", "--collection", made[0].Slug, dir); code != 0 {
		t.Errorf("by its slug: exit code %d\n%s%s", code, out, stderr)
	}
}

// What the Hub would refuse at the end of a push is said before anything is sent.
func TestPreflight(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	sent := func() int64 { return f.hub.Stats().PackBytes }
	t.Run("a token that can only read", func(t *testing.T) {
		t.Setenv("HF_TOKEN", f.hub.Token(hubtest.Read))
		code, _, stderr := hfpub(t, "push", dir)
		if code != 2 || !strings.Contains(stderr, "HF_TOKEN is acme's and can only read") || sent() > 0 {
			t.Errorf("exit code %d, %d bytes sent: %s", code, sent(), stderr)
		}
	})
	t.Run("a token of somebody else", func(t *testing.T) {
		t.Setenv("HF_TOKEN", f.hub.Token(hubtest.Outsider))
		code, _, stderr := hfpub(t, "push", dir)
		if code != 2 || !strings.Contains(stderr, "outsider is no member of acme") || sent() > 0 {
			t.Errorf("exit code %d, %d bytes sent: %s", code, sent(), stderr)
		}
	})
	t.Run("a card that the Hub refuses", func(t *testing.T) {
		f.judgement = `{"errors":[{"message":"\"thumbnail\" must be a string"}],"warnings":[{"message":"no licence"}]}`
		defer func() { f.judgement = "" }()
		for _, command := range []string{"plan", "push"} {
			code, out, _ := hfpub(t, command, dir)
			if code != 1 || !strings.Contains(out, `card/hub-refuses`) || !strings.Contains(out, `"thumbnail" must be a string`) ||
				!strings.Contains(out, "card/hub-warns") || sent() > 0 {
				t.Errorf("%s: exit code %d, %d bytes sent\n%s\nwant the Hub's words as findings", command, code, sent(), out)
			}
		}
	})
	t.Run("a Hub that cannot judge", func(t *testing.T) {
		f.judgement = "come back later"
		defer func() { f.judgement = "" }()
		if code, out, stderr := hfpub(t, "plan", dir); code != 0 || !strings.Contains(stderr, "did not judge the card") {
			t.Errorf("exit code %d\n%s%s\nwant the plan, and word of it", code, out, stderr)
		}
	})
}

// A push of several repos that ends early leaves a file that says how far it came, and the next push takes it away.
func TestStateOfAnInterruptedPush(t *testing.T) {
	ids := []string{"acme/one", "acme/two", "acme/three"}
	f := newFront(t, ids...)
	dir := writeRelease(t, ids...)
	f.refuses = "acme/two"
	if code, _, _ := hfpub(t, "push", dir); code != 2 {
		t.Fatalf("exit code %d, want 2", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, stateName))
	if err != nil {
		t.Fatal(err)
	}
	var s pushState
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	head, _ := repoOf(t, f, "acme/one").Head("main")
	got := s.Repos[0].Commit == head && s.Repos[0].State == "published" && s.Repos[1].State == "failed" && s.Repos[2].State == "not-tried"
	if !got {
		t.Errorf("state %s\nwant one published at %s, two failed, three not tried", text, head)
	}
	f.refuses = ""
	code, out, stderr := hfpub(t, "push", dir)
	if code != 0 || !strings.Contains(stderr, "Published: acme/one at "+head[:12]) || !strings.Contains(stderr, "acme/two (failed), acme/three (not-tried)") {
		t.Errorf("exit code %d\n%s%s\nwant word of the earlier push", code, out, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, stateName)); !os.IsNotExist(err) {
		t.Errorf("the state file is still there after all went well (%v)", err)
	}
	for _, id := range ids {
		if _, err := repoOf(t, f, id).Read("main", stateName); err == nil {
			t.Errorf("the state file was published in %s", id)
		}
	}
}

// Where the state cannot be written, it is told what is published and what is not, and what to do.
func TestStateThatCannotBeWritten(t *testing.T) {
	ids := []string{"acme/one", "acme/two"}
	f := newFront(t, ids...)
	dir := writeRelease(t, ids...)
	at := filepath.Join(dir, stateName)
	spoil := func() { writeFile(t, filepath.Join(at, "in-the-way"), "") }
	spoil()
	code, out, stderr := hfpub(t, "push", dir)
	if code != 2 || !strings.Contains(out, "nothing was sent") || !strings.Contains(stderr, "--only") || f.hub.Stats().PackBytes > 0 {
		t.Errorf("from the start: exit code %d\n%s%s\nwant nothing sent, and advice", code, out, stderr)
	}
	if err := os.RemoveAll(at); err != nil {
		t.Fatal(err)
	}
	f.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "acme/one/git-receive-pack") {
			os.Remove(at)
			spoil()
		}
		return false
	}
	code, out, stderr = hfpub(t, "push", dir)
	if code != 2 || !strings.Contains(out, "acme/one: pushed commit") || !strings.Contains(out, "acme/two: not pushed, since the push ended before it") {
		t.Errorf("in the middle: exit code %d\n%s%s\nwant to be told of both repos", code, out, stderr)
	}
}

// A push that another one of the same release has overtaken finds its state gone at the end; all is well.
func TestStateThatIsGone(t *testing.T) {
	s, err := beginState(&release.Release{Dir: t.TempDir()}, []*release.Repo{{ID: "acme/one"}, {ID: "acme/two"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.end(); err != nil {
			t.Error(err)
		}
	}
}

// What the Hub warns of beside its answers is told, each topic once.
func TestWarningsOfTheHub(t *testing.T) {
	f := newFront(t, "acme/one")
	dir := writeRelease(t, "acme/one")
	busy := 1
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/validate-yaml" && busy > 0 {
			busy--
			http.Error(w, "come back later", http.StatusServiceUnavailable)
			return true
		}
		w.Header().Add("X-HF-Warning", "token; this token\u009b31m expires soon")
		return false
	}
	code, _, stderr := hfpub(t, "push", dir)
	if code != 0 || strings.Count(stderr, "hfpub: the Hub warns: token: this token expires soon\n") != 1 || strings.ContainsRune(stderr, 0x9b) {
		t.Errorf("exit code %d, stderr %q; want the warning, once and clean", code, stderr)
	}
	if !strings.Contains(stderr, "hfpub: the Hub: validate the card: HTTP 503 Service Unavailable: come back later; trying again\n") {
		t.Errorf("stderr %q, want word of the wait", stderr)
	}
}

// Repos are made when nothing stops the push any more; where that ends early, those that were made are named.
func TestReposAreCreatedLast(t *testing.T) {
	f := newFront(t)
	dir := writeRelease(t, "acme/one", "acme/two")
	creates := func() (n int) {
		for _, asked := range f.asked {
			if asked == "POST /api/repos/create" {
				n++
			}
		}
		return n
	}
	f.judgement = `{"errors":[{"message":"\"thumbnail\" must be a string"}]}`
	if code, out, _ := hfpub(t, "push", "--first", dir); code != 1 || creates() > 0 {
		t.Errorf("a card that the Hub refuses: exit code %d, %d repos created\n%s\nwant none", code, creates(), out)
	}
	f.judgement = ""
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/repos/create" || creates() < 2 {
			return false
		}
		http.Error(w, "You have no right to create a repo", http.StatusForbidden)
		return true
	}
	code, out, stderr := hfpub(t, "push", "--first", dir)
	if code != 2 || !strings.Contains(out, "nothing was sent; created on the Hub, without files of the release: acme/one") || !strings.Contains(stderr, "no right to create") {
		t.Errorf("the second is refused: exit code %d\n%s%s\nwant to be told of the first", code, out, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, stateName)); !os.IsNotExist(err) {
		t.Errorf("a state file is left, though nothing was pushed (%v)", err)
	}
	f.before = nil
	code, out, stderr = hfpub(t, "push", "--first", dir)
	if code != 0 || !strings.Contains(out, "acme/two: created on the Hub") || strings.Contains(out, "acme/one: created") {
		t.Errorf("again: exit code %d\n%s%s\nwant both pushed, and the second created", code, out, stderr)
	}
}

// With --deep what the Hub gives out is hashed; with --lock all that is needed is the lock.
func TestVerifyDeepAndByLock(t *testing.T) {
	f := newFront(t, "acme/one", "acme/two")
	dir := writeRelease(t, "acme/one", "acme/two")
	writeFile(t, filepath.Join(dir, "one", "train.jsonl"), strings.Repeat(`{"of": "one"}`+"\n", 100_000))
	for _, args := range [][]string{{"card"}, {"lock"}, {"push"}} {
		if code, out, stderr := hfpub(t, append(args, dir)...); code != 0 {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, out, stderr)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "approved.lock")
	lock, err := os.ReadFile(filepath.Join(dir, "hfpub.lock"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, elsewhere, string(lock))
	byLock := []string{"verify", "--lock", elsewhere}
	here := []string{"verify", dir}
	verify := func(args ...string) (int, string) {
		t.Helper()
		code, out, stderr := hfpub(t, args...)
		return code, out + stderr
	}
	for _, args := range [][]string{here, byLock, append(here, "--deep"), append(byLock, "--deep")} {
		code, said := verify(args...)
		if code != 0 || strings.Count(said, ": verified, ") != 2 {
			t.Errorf("%v: exit code %d\n%s\nwant both repos verified", args, code, said)
		}
		if deep := args[len(args)-1] == "--deep"; deep && !strings.Contains(said, "1,") {
			t.Errorf("%v:\n%s\nwant word of the bytes that were read", args, said)
		}
	}
	for _, args := range [][]string{here, byLock} {
		f.hub.Fault(hubtest.GetCorrupt, 1)
		if code, said := verify(args...); code != 0 {
			t.Errorf("%v downloads something: exit code %d\n%s", args, code, said)
		}
		if code, said := verify(append(args, "--deep")...); code != 1 || !strings.Contains(said, "LFS gives out another content") || !strings.Contains(said, "one/") && !strings.Contains(said, "train.jsonl") {
			t.Errorf("%v --deep of a damaged object: exit code %d\n%s", args, code, said)
		}
	}
	if _, err := repoOf(t, f, "acme/two").Commit("refs/heads/main", "by hand", map[string]string{"notes.txt": "n\n", "train.jsonl": "{}\n"}); err != nil {
		t.Fatal(err)
	}
	code, said := verify(byLock...)
	if code != 1 || !strings.Contains(said, "train.jsonl") || !strings.Contains(said, "note") || !strings.Contains(said, "notes.txt") {
		t.Errorf("after a commit by hand: exit code %d\n%s\nwant the changed file as an error and the new one as a note", code, said)
	}
	if code, said := verify("verify", "--lock", elsewhere, dir); code != 2 || !strings.Contains(said, "takes the place of PATH") {
		t.Errorf("lock and path: exit code %d\n%s", code, said)
	}
}

// By a lock, a pending repo is verified by its card and schema.md, and nobody is asked for one that is withheld.
func TestVerifyByLockKnowsTheStatus(t *testing.T) {
	f := newFront(t, "acme/one", "acme/two", "acme/three")
	dir := writeRelease(t, "acme/one", "acme/two", "acme/three")
	manifest := filepath.Join(dir, "hfpub.yaml")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	declared := strings.Replace(string(text), "acme/two, type: dataset, status: public", "acme/two, type: dataset, status: pending", 1)
	writeFile(t, manifest, strings.Replace(declared, "acme/three, type: dataset, status: public", "acme/three, type: dataset, status: withheld", 1))
	for _, args := range [][]string{{"card"}, {"lock"}, {"push"}} {
		if code, out, stderr := hfpub(t, append(args, dir)...); code != 0 {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, out, stderr)
		}
	}
	code, out, stderr := hfpub(t, "verify", "--lock", filepath.Join(dir, "hfpub.lock"))
	if code != 0 || strings.Count(out, ": verified, ") != 2 || !strings.Contains(out, "acme/two: verified, 2 files equal") {
		t.Errorf("exit code %d\n%s%s\nwant two repos verified, the pending one by its card and schema.md", code, out, stderr)
	}
	for _, asked := range f.asked {
		if strings.Contains(asked, "three") {
			t.Errorf("the withheld repo is asked for: %s", asked)
		}
	}
	if _, err := repoOf(t, f, "acme/two").Commit("refs/heads/main", "too early", map[string]string{"train.jsonl": "{}\n", "notes.txt": "n\n"}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", dir}, {"verify", "--lock", filepath.Join(dir, "hfpub.lock")}} {
		code, out, stderr := hfpub(t, args...)
		if code != 0 || strings.Count(out, "the repo is pending, and this file of its data is on the remote") != 1 || !strings.Contains(out, "train.jsonl") {
			t.Errorf("%v, data of the pending repo is on the remote: exit code %d\n%s%s\nwant a warning of train.jsonl", args, code, out, stderr)
		}
	}
}

// A repo that somebody makes for everyone to see, after the plan found none, gets no data that is to be private.
func TestPrivatePushIntoARepoThatAppears(t *testing.T) {
	f := newFront(t)
	dir := writeRelease(t, "acme/one")
	var repo *hubtest.Repo
	f.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/repos/create" && repo == nil {
			var err error
			if repo, err = f.hub.CreateRepo(release.Dataset, "acme/one"); err != nil {
				t.Error(err)
			}
		}
		return false
	}
	code, out, stderr := hfpub(t, "push", "--first", "--private", dir)
	if code != 2 || !strings.Contains(stderr, "acme/one is there and public") {
		t.Errorf("exit code %d\n%s%s\nwant to be told that it is public", code, out, stderr)
	}
	files, err := repo.Tree("main")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Path != ".gitattributes" {
			t.Errorf("%s was published", file.Path)
		}
	}
}

// Why a token may not write is told by what the Hub knows of its owner.
func TestWhyATokenMayNotWrite(t *testing.T) {
	d := &destination{token: hubapi.NewToken("hf_x", "HF_TOKEN")}
	account := func(role, org, orgRole string) (me hubapi.Account) {
		text := `{"name": "ann", "orgs": [{"name": "` + org + `", "roleInOrg": "` + orgRole + `"}], "auth": {"accessToken": {"role": "` + role + `"}}}`
		if err := json.Unmarshal([]byte(text), &me); err != nil {
			t.Fatal(err)
		}
		return me
	}
	for _, c := range []struct {
		name, repo string
		me         hubapi.Account
		want       string
	}{
		{"a token that can only read", "acme/one", account("read", "acme", "admin"), "the token from HF_TOKEN is ann's and can only read"},
		{"a fine-grained token", "acme/one", account("fineGrained", "acme", "admin"), "give it write access to the contents of acme/one"},
		{"a contributor", "acme/one", account("write", "acme", "contributor"), "ann has the role contributor in acme: ask for write access, or push with --pr"},
		{"somebody else", "acme/one", account("write", "tea", "admin"), "ann is no member of acme"},
		{"a repo of one's own", "ann/one", account("write", "tea", "admin"), "the token is limited to other repos"},
	} {
		if got := d.whyNot(c.me, hubapi.Repo{Type: release.Dataset, ID: c.repo}); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A state file that cannot be read is told where pull requests may be open, and told apart from none everywhere else.
func TestStateThatCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{"cut": `{"state": 1, "repos": [`, "of another form": `{"state": 2}`, "an array": `[]`} {
		t.Run(name, func(t *testing.T) {
			rel := &release.Release{Dir: t.TempDir()}
			repos := []*release.Repo{{ID: "acme/one"}, {ID: "acme/two"}}
			at := filepath.Join(rel.Dir, stateName)
			writeFile(t, at, text)
			if _, err := beginState(rel, repos, true); err == nil || !strings.Contains(err.Error(), at+" cannot be read") || !strings.Contains(err.Error(), "pull requests") {
				t.Errorf("with --pr: %v, want an error that names the file and what to do", err)
			}
			if left, err := os.ReadFile(at); err != nil || string(left) != text {
				t.Errorf("the file was changed to %q, %v", left, err)
			}
			if _, err := beginState(rel, repos, false); err != nil {
				t.Errorf("without --pr: %v; every repo is compared with its remote anew", err)
			}
		})
	}
}
