package publish

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

const mainRef = "refs/heads/main"

// quick is a policy that does not keep a test waiting.
var quick = exchange.Policy{Attempts: 4, First: time.Millisecond, Cap: time.Millisecond, Budget: time.Minute}

var meta = Meta{Name: "A", Email: "a@example.org", Message: "Publish rows 1.0.0", When: time.Unix(1700000000, 0)}

// world is a Hub with one repo, and a folder to publish there.
type world struct {
	t    *testing.T
	hub  *hubtest.Hub
	repo *hubtest.Repo
	dir  string
	// release is what the folder holds; reload brings its list of files up to date.
	release *release.Repo
}

func newWorld(t *testing.T, o hubtest.Options) *world {
	t.Helper()
	o.Orgs, o.StallFor = []string{"acme"}, 200*time.Millisecond
	hub, err := hubtest.Start(t.TempDir(), o)
	var none *hubtest.NoGitError
	if errors.As(err, &none) {
		t.Skip("git is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	repo, err := hub.CreateRepo(release.Dataset, "acme/rows")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, hub: hub, repo: repo, dir: t.TempDir()}
	w.release = rowsRepo(w.dir)
	return w
}

// rowsRepo is a repo whose files are in dir.
func rowsRepo(dir string) *release.Repo {
	return &release.Repo{ID: "acme/rows", Type: release.Dataset, Status: release.Public, Dir: dir,
		Configs: []release.Config{{
			Name: "default", Splits: []release.Split{
				{Name: "train", Patterns: []string{"data/train*.jsonl"}},
				{Name: "test", Patterns: []string{"./data/test.jsonl"}}},
		}}}
}

const card = "---\nlicense: mit\n---\n# Rows\n"

// usual is a small release: a card, a licence, two splits.
func usual() map[string]string {
	return map[string]string{
		"README.md": card, "LICENSE": "MIT\n", "data/train.jsonl": "{\"id\": 1}\n", "data/test.jsonl": "{\"id\": 2}\n"}
}

// write writes files into the folder; "" removes one.
func (w *world) write(files map[string]string) {
	w.t.Helper()
	for path, content := range files {
		at := filepath.Join(w.dir, filepath.FromSlash(path))
		if content == "" {
			if err := os.Remove(at); err != nil {
				w.t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) reload() {
	w.t.Helper()
	tree, err := release.Walk(w.t.Context(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.release.Tree = tree
}

// publisher is one for the folder as it is now.
func (w *world) publisher(change func(*Options)) *Publisher {
	w.t.Helper()
	w.reload()
	token := w.hub.Token(hubtest.Write)
	o := Options{
		AuthorizeGit: func(r *http.Request) { r.SetBasicAuth("hf_user", token) },
		AuthorizeLFS: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) },
		TokenSource:  "HF_TOKEN", Retry: quick, Idle: 5 * time.Second,
	}
	if change != nil {
		change(&o)
	}
	p, err := New(Target{URL: w.repo.URL()}, w.release, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) plan(change func(*Options)) *Plan {
	w.t.Helper()
	plan, err := w.publisher(change).Plan(w.t.Context(), meta)
	if err != nil {
		w.t.Fatal(err)
	}
	return plan
}

// push plans and publishes.
func (w *world) push(change func(*Options)) (*Result, error) {
	w.t.Helper()
	p := w.publisher(change)
	plan, err := p.Plan(w.t.Context(), meta)
	if err != nil {
		return nil, err
	}
	return p.Publish(w.t.Context(), plan)
}

func (w *world) mustPush(change func(*Options)) *Result {
	w.t.Helper()
	r, err := w.push(change)
	if err != nil {
		w.t.Fatal(err)
	}
	if leaks := w.hub.Leaks(); len(leaks) > 0 {
		w.t.Errorf("the token leaked: %v", leaks)
	}
	return r
}

func (w *world) head() string {
	w.t.Helper()
	h, err := w.repo.Head(mainRef)
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// remote lists the files of the branch with their contents; LFS files as lfs: and the content.
func (w *world) remote() map[string]string {
	w.t.Helper()
	entries, err := w.repo.Tree(mainRef)
	if err != nil {
		w.t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if e.Dir {
			continue
		}
		content, err := w.repo.Read(mainRef, e.Path)
		if err != nil {
			w.t.Fatal(err)
		}
		files[e.Path] = string(content)
		if e.LFS != nil {
			files[e.Path] = "lfs:" + string(content)
		}
	}
	return files
}

// cloneIsClean clones the branch with git-lfs and makes sure that the clone has the local files and no changes.
func (w *world) cloneIsClean() {
	w.t.Helper()
	if _, err := exec.LookPath("git-lfs"); err != nil {
		w.t.Log("git-lfs is not installed: no clone compared")
		return
	}
	at := filepath.Join(w.t.TempDir(), "clone")
	home := w.t.TempDir()
	git := func(dir string, args ...string) string {
		w.t.Helper()
		cmd := exec.Command("git", append([]string{
			"-c", "filter.lfs.smudge=git-lfs smudge -- %f", "-c", "filter.lfs.clean=git-lfs clean -- %f",
			"-c", "filter.lfs.process=git-lfs filter-process", "-c", "filter.lfs.required=true"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
		out, err := cmd.CombinedOutput()
		if err != nil {
			w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	git(home, "clone", "-q", w.repo.URL(), at)
	if status := git(at, "status", "--porcelain"); status != "" {
		w.t.Errorf("a fresh clone is dirty:\n%s", status)
	}
	for _, f := range w.release.Tree {
		if f.Path == attributesName {
			continue
		}
		want, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(f.Path)))
		if err != nil {
			w.t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(at, filepath.FromSlash(f.Path)))
		if err != nil || string(got) != string(want) {
			w.t.Errorf("%s in a clone: %d bytes, %v; want the %d bytes that were pushed", f.Path, len(got), err, len(want))
		}
	}
}

// changes lists a plan's files by path, those that are unchanged or kept left out.
func changes(p *Plan) map[string]string {
	list := map[string]string{}
	for _, f := range p.Files {
		if f.Change != Unchanged && f.Change != Kept {
			list[f.Path] = string(f.Change)
			if f.LFS {
				list[f.Path] += " lfs"
			}
		}
	}
	return list
}

// noise is text that does not compress to nothing.
func noise(size int) string {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	b := make([]byte, size)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
		if i%80 == 79 {
			b[i] = '\n'
		}
	}
	return string(b)
}

func TestFirstPushSecondPushOneChange(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train-big.jsonl": noise(3 << 20), "empty.txt": " ",
		"pictures/a.png": "\x89PNG\x00" + strings.Repeat("\x00\xff", 2000)})
	if err := os.WriteFile(filepath.Join(w.dir, "empty.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	seed := w.head()
	p := w.publisher(nil)
	plan, err := p.Plan(t.Context(), meta)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"README.md": "added", "LICENSE": "added", "data/train.jsonl": "added", "data/test.jsonl": "added", "empty.txt": "added",
		"data/train-big.jsonl": "added lfs", "pictures/a.png": "added lfs", ".gitattributes": "changed"}
	if diff := cmp.Diff(want, changes(plan)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if plan.Base != seed || plan.LFSMissing != 2 || plan.LFSBytes != 3<<20+4005 || plan.NoChange {
		t.Errorf("plan: base %s, %d objects of %d bytes missing, no change %v", plan.Base, plan.LFSMissing, plan.LFSBytes,
			plan.NoChange)
	}
	if w.head() != seed {
		t.Fatal("a plan changed the branch")
	}
	result, err := p.Publish(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if w.head() != plan.Commit || result.Commit != plan.Commit || result.LFSUploaded != 2 || result.Added != 7 ||
		result.Changed != 1 {
		t.Errorf("main is at %s, result %+v; want commit %s", w.head(), result, plan.Commit)
	}
	got := w.remote()
	if got["data/train-big.jsonl"] != "lfs:"+noise(3<<20) || got["README.md"] != card ||
		!strings.Contains(got[".gitattributes"], "/data/train-big.jsonl filter=lfs") {
		t.Error("the files on the remote are not those that were pushed")
	}
	w.cloneIsClean()

	puts, pushes := w.hub.Stats().Puts, w.hub.Stats().Pushes
	again := w.mustPush(nil)
	if !again.NoChange || again.Message != NothingToPush || w.head() != plan.Commit || w.hub.Stats().Puts != puts ||
		w.hub.Stats().Pushes != pushes {
		t.Errorf("second push: %+v, want nothing done", again)
	}

	w.write(map[string]string{"data/test.jsonl": "{\"id\": 3}\n"})
	third := w.mustPush(nil)
	if third.Base != plan.Commit || third.Changed != 1 || third.Added != 0 || w.hub.Stats().Puts != puts ||
		third.PackBytes > 2000 {
		t.Errorf("one file changed: %+v; want one small commit on top, and nothing sent to LFS", third)
	}
	w.cloneIsClean()
}

// What the remote has in another place is not sent again, and not counted.
func TestContentsOfTheRemoteAreNotSentAgain(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.mustPush(nil)
	w.write(map[string]string{"copy/LICENSE": "MIT\n", "data/test.jsonl": "{\"id\": 22}\n"})
	plan := w.plan(nil)
	if got, want := plan.PlainBytes, int64(len("{\"id\": 22}\n")); got != want {
		t.Errorf("%d bytes of plain files to send, want the %d of the one whose content is new", got, want)
	}
	if n := len(plan.objects); n != 5 { // one blob, the trees of the root and two folders, the commit
		t.Errorf("%d objects to send, want 5", n)
	}
}

func TestPlanIsReproducible(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	first := w.plan(nil)
	for range 5 {
		again := w.plan(func(o *Options) { o.Concurrency = 1 + rand.IntN(4) })
		if diff := cmp.Diff(first.Commit, again.Commit) + cmp.Diff(first.Files, again.Files); diff != "" {
			t.Fatalf("the same files gave another plan:\n%s", diff)
		}
	}
}

func TestRemovals(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	files := usual()
	for i := range 20 {
		files[fmt.Sprintf("data/train-%02d.jsonl", i)] = fmt.Sprintf("{\"id\": %d}\n", i)
	}
	w.write(files)
	w.mustPush(nil)
	if _, err := w.repo.Commit(mainRef, "by hand",
		map[string]string{"notes.txt": "by hand\n", "data/other.csv": "a\n1\n"}); err != nil {
		t.Fatal(err)
	}

	w.write(map[string]string{"data/train-00.jsonl": "", "data/train-01.jsonl": "", "LICENSE": ""})
	w.mustPush(nil)
	got := w.remote()
	for path, want := range map[string]bool{
		"data/train-00.jsonl": false, "data/train-01.jsonl": false, "data/train-02.jsonl": true,
		"notes.txt": true, "data/other.csv": true, "LICENSE": true, ".gitattributes": true} {
		if _, there := got[path]; there != want {
			t.Errorf("%s is on the remote: %v, want %v", path, there, want)
		}
	}

	for i := 2; i < 8; i++ {
		w.write(map[string]string{fmt.Sprintf("data/train-%02d.jsonl", i): ""})
	}
	before := w.head()
	_, err := w.push(nil)
	var many *RemovalsError
	if !errors.As(err, &many) || len(many.Removed) != 6 || many.Managed != 20 || w.head() != before {
		t.Errorf("6 of 20 files gone: %v, want a refusal", err)
	}
	if r := w.mustPush(func(o *Options) { o.AllowRemovals = true }); r.Removed != 6 {
		t.Errorf("%d files removed, want 6", r.Removed)
	}
}

// A folder without configs is loaded by the names of its files: shards that are left over would be loaded beside the new ones.
func TestOldShardsGo(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(map[string]string{"README.md": card, "train-00000-of-00002.jsonl": "{}\n", "train-00001-of-00002.jsonl": "{}\n"})
	split := &w.release.Configs[0].Splits[0]
	split.Patterns, split.Files = nil, []string{"train-00000-of-00002.jsonl", "train-00001-of-00002.jsonl"}
	w.mustPush(nil)
	w.write(map[string]string{"train-00000-of-00002.jsonl": "", "train-00001-of-00002.jsonl": "", "train-00000-of-00001.jsonl": "{}\n{}\n"})
	split.Files = []string{"train-00000-of-00001.jsonl"}
	v, err := w.publisher(nil).Verify(t.Context(), Question{})
	if err != nil || v.OK || len(v.Problems) != 3 {
		t.Errorf("%+v, %v; want one file missing and two that should not be there", v, err)
	}
	if r := w.mustPush(nil); r.Removed != 2 {
		t.Errorf("%+v, want the two old shards removed", r)
	}
	if files := w.remote(); files["train-00000-of-00002.jsonl"] != "" || files["train-00000-of-00001.jsonl"] == "" {
		t.Errorf("the remote has %v", files)
	}
}

func TestStatusGates(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"schema.md": "# Schema\n"})
	w.mustPush(nil)
	w.write(map[string]string{"README.md": card + "soon\n", "schema.md": "# Schema 2\n", "data/train.jsonl": "secret\n",
		"data/test.jsonl": ""})

	w.release.Status = release.Pending
	r := w.mustPush(nil)
	got := w.remote()
	if r.Changed != 2 || got["README.md"] != card+"soon\n" || got["data/train.jsonl"] != "{\"id\": 1}\n" ||
		got["data/test.jsonl"] == "" {
		t.Errorf("pending: %+v and %q; want only the card and schema.md changed", r, got)
	}
	v, err := w.publisher(nil).Verify(t.Context(), Question{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, f := range v.Findings() {
		said = append(said, fmt.Sprintf("%s %s: %s", f.Severity, f.Path, f.Message))
	}
	const early = ": the repo is pending, and this file of its data is on the remote"
	if want := []string{"warning data/test.jsonl" + early, "warning data/train.jsonl" + early}; !slices.Equal(said, want) {
		t.Errorf("verify of a pending repo whose data is on the remote: %q, want %q", said, want)
	}

	w.release.Status = release.Withheld
	asked := len(w.hub.Log())
	r = w.mustPush(func(o *Options) { o.First, o.AllowRemovals = true, true })
	if r.Skipped == "" || len(w.hub.Log()) != asked {
		t.Errorf("withheld: %+v after %d requests; want it skipped without any", r, len(w.hub.Log())-asked)
	}
	if v, err = w.publisher(nil).Verify(t.Context(), Question{}); err != nil || v.Skipped == "" || len(w.hub.Log()) != asked {
		t.Errorf("withheld: verify gave %+v, %v; want it skipped without any request", v, err)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	p := w.publisher(nil)
	plan, err := p.Plan(t.Context(), meta)
	if err != nil {
		t.Fatal(err)
	}
	other, err := w.repo.Commit(mainRef, "by hand", map[string]string{"notes.txt": "by hand\n"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Publish(t.Context(), plan)
	var stale *gitwire.StaleError
	if !errors.As(err, &stale) || !strings.Contains(err.Error(), "nothing was overwritten") || w.head() != other {
		t.Errorf("a branch that moved since the plan: %v, want a stale error with advice", err)
	}
	if n := w.hub.Stats().Puts; n > 0 {
		t.Errorf("%d objects were uploaded for a push that could not happen", n)
	}
	w.hub.Fault(hubtest.ReceiveRace, 1)
	_, err = w.push(nil)
	if !errors.As(err, &stale) || w.remote()["other.txt"] == "" {
		t.Errorf("a race: %v, want a stale error", err)
	}
}

func TestLostAnswerIsSuccess(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.hub.Fault(hubtest.ReceiveLost, 1)
	if r := w.mustPush(nil); !r.Recovered || w.head() != r.Commit {
		t.Errorf("%+v, want the push found to have happened", r)
	}
}

func TestHookSaysNo(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.hub.Fault(hubtest.ReceiveReject, 1)
	seed := w.head()
	_, err := w.push(nil)
	var rejected *gitwire.RejectedError
	if !errors.As(err, &rejected) || !strings.Contains(err.Error(), "terms of use not accepted. red") ||
		strings.Contains(err.Error(), "\x1b") || w.head() != seed {
		t.Errorf("%v, want the hook's words, and the branch as it was", err)
	}
	w.write(map[string]string{"README.md": "---\nlicense: [nonsense\n---\n"})
	if _, err := w.push(nil); err == nil || !strings.Contains(err.Error(), "front matter of README.md") {
		t.Errorf("a card that the Hub refuses: %v, want advice about README.md", err)
	}
}

func TestSwallowedUploadStopsThePush(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	seed := w.head()
	w.hub.Fault(hubtest.PutSwallow, 1000)
	_, err := w.push(nil)
	var failed *lfs.UploadError
	if !errors.As(err, &failed) || w.head() != seed || w.hub.Stats().Pushes != 0 {
		t.Errorf("%v, want the upload to have failed before the push", err)
	}
}

// A server that says it has an object and does not, as after a repository was deleted and made again.
func TestPresenceIsCheckedBeforeThePush(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	seed := w.head()
	_, err := w.push(func(o *Options) { o.Transport = liar{} })
	var absent *AbsentError
	if !errors.As(err, &absent) || !slices.Equal(absent.Paths, []string{"data/train.jsonl"}) || w.head() != seed ||
		w.hub.Stats().Pushes != 0 {
		t.Errorf("%v, want it noticed that the object cannot be read", err)
	}
}

func TestPushFaults(t *testing.T) {
	for _, c := range []struct {
		fault hubtest.Fault
		times int
		fails bool
	}{
		{hubtest.Info503, 3, false}, {hubtest.Batch429, 1, false}, {hubtest.Batch502, 3, false},
		{hubtest.BatchMissing, 1, false},
		{hubtest.Put503, 3, false}, {hubtest.PutReset, 3, false}, {hubtest.Put403, 2, false}, {hubtest.PutSwallow, 1, false},
		{hubtest.PutStall, 2, false}, {hubtest.Verify500, 3, false}, {hubtest.Receive503, 2, false},
		{hubtest.ReceiveReset, 2, false},
		{hubtest.Info503, 1000, true}, {hubtest.Batch502, 1000, true}, {hubtest.BatchMissing, 1000, true},
		{hubtest.Put503, 1000, true},
		{hubtest.PutReset, 1000, true}, {hubtest.Put403, 1000, true}, {hubtest.Verify500, 1000, true},
		{hubtest.Receive503, 1000, true},
		{hubtest.ReceiveReset, 1000, true}, {hubtest.ReceiveReject, 1, true},
	} {
		t.Run(fmt.Sprint(c.fault, c.times), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, hubtest.Options{})
			w.write(usual())
			w.write(map[string]string{"data/train.jsonl": noise(2 << 20), "data/train-2.jsonl": noise(1<<20 + 1)})
			seed := w.head()
			w.hub.Fault(c.fault, c.times)
			r, err := w.push(nil)
			if c.fails {
				if err == nil || w.head() != seed {
					t.Errorf("%+v, %v; want an error and the branch as it was", r, err)
				}
				return
			}
			if err != nil || w.head() != r.Commit || w.remote()["data/train.jsonl"] != "lfs:"+noise(2<<20) {
				t.Errorf("%+v, %v; want everything there", r, err)
			}
		})
	}
}

func TestCancelLeavesNothingBehind(t *testing.T) {
	tmp := t.TempDir()
	for _, phase := range []Phase{Comparing, Hashing, Uploading, Checking, Packing, Pushing} {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
		seed := w.head()
		t.Setenv("TMPDIR", tmp)
		stop := errors.New("interrupted")
		ctx, cancel := context.WithCancelCause(t.Context())
		p := w.publisher(func(o *Options) {
			o.OnEvent = func(e Event) {
				if e.Phase == phase {
					cancel(stop)
				}
			}
		})
		plan, err := p.Plan(ctx, meta)
		if err == nil {
			_, err = p.Publish(ctx, plan)
		}
		if !errors.Is(err, stop) || w.head() != seed {
			t.Errorf("interrupted in phase %s: %v, want the cause and the branch as it was", phase, err)
		}
		if left, _ := filepath.Glob(filepath.Join(tmp, "hfpub*")); len(left) > 0 {
			t.Errorf("interrupted in phase %s: left behind %v", phase, left)
		}
		os.Unsetenv("TMPDIR")
	}
}

func TestLFSOrPlain(t *testing.T) {
	rule := "%s filter=lfs diff=lfs merge=lfs -text\n"
	jsonl := fmt.Sprintf(rule, "*.jsonl")
	for _, c := range []struct {
		name string
		// local and remote are .gitattributes, "" for none (the remote then has no such file at all); path is the file.
		local, remote string
		path, content string
		lfs           bool
		refused       finding.Code
	}{
		{name: "small text", path: "a.jsonl", content: "{}\n"},
		{name: "text above 1 MiB", path: "a.jsonl", content: noise(1<<20 + 1), lfs: true},
		{name: "text of 1 MiB", path: "a.jsonl", content: noise(1 << 20)},
		{name: "a long licence", path: "LICENSE.txt", content: noise(2 << 20)},
		{name: "a long schema.md", path: "schema.md", content: noise(2 << 20)},
		{name: "a long README.md", path: "README.md", content: card + noise(2<<20)},
		{name: "a README.md of more than 10 MiB", path: "README.md", content: card + noise(10<<20),
			refused: finding.PublishPlainTooBig},
		{name: "text above 1 MiB with rules of one's own", local: "*.bin -text\n", path: "a.jsonl", content: noise(2 << 20)},
		{name: "text above 10 MiB", path: "a.jsonl", content: noise(10<<20 + 1), lfs: true},
		{name: "text above 10 MiB with rules of one's own that leave it out", local: "*.bin -text\n", path: "a.jsonl",
			content: noise(10<<20 + 1),
			refused: finding.PublishPlainTooBig},
		{name: "text above 10 MiB with rules of one's own", local: jsonl, path: "a.jsonl", content: noise(10<<20 + 1),
			lfs: true},
		{name: "a small file with a local line", local: jsonl, path: "a.jsonl", content: "{}\n", lfs: true},
		{name: "a small file with a line of the remote", remote: jsonl, path: "a.jsonl", content: "{}\n", lfs: true},
		{name: "a line of the remote beside others here", local: "*.bin -text\n", remote: jsonl, path: "a.jsonl",
			content: "{}\n", lfs: true},
		{name: "a local line that takes back one of the remote", local: "/a.jsonl !filter\n", remote: jsonl, path: "a.jsonl",
			content: "{}\n"},
		{name: "an empty file with a line", local: jsonl, path: "a.jsonl", content: "\x00empty"},
		{name: "README.md with a line", remote: fmt.Sprintf(rule, "*.md"), path: "README.md", content: card},
		{name: "binary of 2 KiB", path: "a.dat", content: strings.Repeat("\x00\x01", 1024), lfs: true},
		{name: "binary of 1 KiB", path: "a.dat", content: strings.Repeat("\x00\x01", 512)},
		{name: "not UTF-8", path: "a.csv", content: strings.Repeat("gr\xfc\xdfe\n", 1000), lfs: true},
		{name: "UTF-8", path: "a.csv", content: strings.Repeat("größe\n", 1000)},
		{name: "a name with blanks and brackets", path: "my [odd] *name*.bin", content: strings.Repeat("\x00\x01", 1024),
			lfs: true},
		{name: "a pointer that stands for data", path: "a.jsonl",
			content: string(lfspointer.Format(strings.Repeat("a", 64), 5)),
			refused: finding.HygieneLFSPointer},
		{name: "a backslash in the name", path: `a\b.jsonl`, content: "x", refused: finding.PublishPath},
		{name: "a name that is not composed", path: "gro\u0308sse.txt", content: "x"},
		{name: "a deeper file that contradicts", path: "deep/.gitattributes", content: "* -filter\n",
			refused: finding.PublishAttributes},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, hubtest.Options{})
			if _, err := w.repo.Commit(mainRef, "rules", map[string]string{attributesName: c.remote}); err != nil {
				t.Fatal(err)
			}
			w.write(map[string]string{c.path: c.content})
			if c.content == "\x00empty" {
				if err := os.WriteFile(filepath.Join(w.dir, c.path), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if c.local != "" {
				w.write(map[string]string{attributesName: c.local})
			}
			if c.refused == finding.PublishAttributes {
				w.write(map[string]string{"deep/a.dat": strings.Repeat("\x00\x01", 1024)})
			}
			seed := w.head()
			_, err := w.push(nil)
			if c.refused != "" {
				var refused *RefusedError
				if !errors.As(err, &refused) || refused.Findings[0].Code != c.refused || refused.Findings[0].Hint == "" ||
					w.head() != seed {
					t.Errorf("%v, want it refused with %s and advice", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.HasPrefix(w.remote()[c.path], "lfs:"); got != c.lfs {
				t.Errorf("in LFS: %v, want %v; .gitattributes is\n%s", got, c.lfs, w.remote()[attributesName])
			}
			w.cloneIsClean()
			if again, err := w.push(nil); err != nil || !again.NoChange {
				t.Errorf("second push: %+v, %v; want no change", again, err)
			}
		})
	}
}

func TestWhatTheRemoteHasPlainStaysPlain(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	big := noise(2 << 20)
	if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{"data/train.jsonl": big}); err != nil {
		t.Fatal(err)
	}
	w.write(map[string]string{"data/train.jsonl": big})
	if r := w.mustPush(nil); !r.NoChange {
		t.Errorf("the same 2 MiB of text, plain on the remote: %+v, want no change", r)
	}
	w.write(map[string]string{"data/train.jsonl": big + "more\n"})
	w.mustPush(nil)
	if got := w.remote()["data/train.jsonl"]; got != "lfs:"+big+"more\n" {
		t.Error("the changed file did not go into LFS")
	}
	w.cloneIsClean()
}

func TestFilesInLFSStayInLFS(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	w.write(map[string]string{"data/train.jsonl": "{}\n"})
	w.mustPush(nil)
	if got := w.remote()["data/train.jsonl"]; got != "lfs:{}\n" {
		t.Errorf("a file that was in LFS and is small now is %q, want it in LFS", got)
	}
	w.cloneIsClean()
}

// A clone made without git-lfs holds pointers. What was not touched is pushed as it is.
func TestPointersThatAreTheRemotesOwnStay(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	files, err := w.publisher(nil).readFiles(t.Context(), open(t, w.dir), w.release.Tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.path == "data/train.jsonl" {
			w.write(map[string]string{f.path: string(lfspointer.Format(f.oid, f.size))})
		}
	}
	w.write(map[string]string{"data/test.jsonl": "{\"id\": 9}\n"})
	if diff := cmp.Diff(map[string]string{"data/test.jsonl": "changed"}, changes(w.plan(nil))); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	w.mustPush(nil)
	if got := w.remote()["data/train.jsonl"]; got != "lfs:"+noise(2<<20) {
		t.Error("the pointer was changed")
	}
}

func open(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// A server may take pointers without content, or lose it later.
func TestContentThatLFSHasLostIsSentAgain(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	content := noise(2 << 20)
	w.write(map[string]string{"data/train.jsonl": content})
	files, err := w.publisher(nil).readFiles(t.Context(), open(t, w.dir), w.release.Tree)
	if err != nil {
		t.Fatal(err)
	}
	pointer := lfspointer.Pointer{OID: files[0].oid, Size: files[0].size}
	if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{
		"data/train.jsonl": string(lfspointer.Format(pointer.OID, pointer.Size)),
		attributesName:     "*.jsonl filter=lfs diff=lfs merge=lfs -text\n"}); err != nil {
		t.Fatal(err)
	}
	base := w.head()
	if plan := w.plan(nil); !plan.NoChange || plan.LFSMissing != 1 || plan.LFSBytes != 2<<20 {
		t.Errorf("plan: %+v, want no change and one content missing", plan)
	}
	if r := w.mustPush(nil); !r.NoChange || r.LFSUploaded != 1 || w.head() != base || !w.repo.HasObject(pointer) {
		t.Errorf("%+v, want the content sent and no commit", r)
	}
	if r := w.mustPush(nil); r.Message != NothingToPush {
		t.Errorf("pushed again: %+v, want nothing done", r)
	}
}

func TestLinesOfTheRemoteAreKept(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	before := w.remote()[attributesName]
	w.write(map[string]string{
		attributesName:     "*.jsonl filter=lfs diff=lfs merge=lfs -text\n# mine\n",
		"data/train.jsonl": "{}\n",
		"x.dat":            strings.Repeat("\x00\x01", 1024)})
	if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{"data/old.jsonl": "{}\n"}); err != nil {
		t.Fatal(err)
	}
	w.mustPush(nil)
	after := w.remote()[attributesName]
	for line := range strings.Lines(before) {
		if !strings.Contains(after, strings.TrimSpace(line)+"\n") {
			t.Errorf("the line %q is gone", line)
		}
	}
	for _, line := range []string{"# mine\n", "/x.dat filter=lfs", "/data/old.jsonl !filter"} {
		if !strings.Contains(after, line) {
			t.Errorf("the line %q is missing in\n%s", line, after)
		}
	}
	w.cloneIsClean()
	if r := w.mustPush(nil); !r.NoChange {
		t.Errorf("second push: %+v, want no change", r)
	}
}

func TestLinksAndClashesAreRefused(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	if err := os.Symlink("/etc/passwd", filepath.Join(w.dir, "link")); err != nil {
		t.Skip(err)
	}
	_, err := w.push(nil)
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Findings[0].Code != finding.PublishSymlink {
		t.Errorf("a symbolic link: %v, want it refused", err)
	}
	w.write(map[string]string{"link": "", "data/Train.jsonl": "{}\n"})
	if _, err := w.push(nil); !errors.As(err, &refused) || refused.Findings[0].Code != finding.PublishPath {
		t.Errorf("names that differ in case: %v, want them refused", err)
	}
	w.write(map[string]string{"data/Train.jsonl": ""})
	if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{"notes": "a file\n", "extra/kept.txt": "x\n"}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"NOTES", "Extra/more.txt"} {
		w.write(map[string]string{path: "x\n"})
		if _, err := w.push(nil); !errors.As(err, &refused) || refused.Findings[0].Code != finding.PublishPath || !strings.Contains(err.Error(), "which the remote has") {
			t.Errorf("%s beside what the remote has: %v, want it refused", path, err)
		}
		w.write(map[string]string{path: ""})
	}
	w.write(map[string]string{"notes/how.md": "a folder\n"})
	var clash *gitwire.ClashError
	if _, err := w.push(nil); !errors.As(err, &clash) || clash.Path != "notes" {
		t.Errorf("a folder that is a file on the remote: %v, want a clash", err)
	}
}

func TestFileThatChangesBetweenPlanAndPush(t *testing.T) {
	for _, path := range []string{"data/test.jsonl", "data/train.jsonl"} {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
		seed := w.head()
		p := w.publisher(nil)
		plan, err := p.Plan(t.Context(), meta)
		if err != nil {
			t.Fatal(err)
		}
		w.write(map[string]string{path: "{\"id\": 5}\n"})
		if _, err := p.Publish(t.Context(), plan); err == nil || !strings.Contains(err.Error(), path+" was changed") ||
			w.head() != seed {
			t.Errorf("%v, want it said that %s was changed", err, path)
		}
	}
}

func TestMissingRepositoriesAndBranches(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.reload()
	token := w.hub.Token(hubtest.Write)
	publisher := func(url, branch string, first bool) *Publisher {
		p, err := New(Target{URL: url, Branch: branch}, w.release, Options{Retry: quick, First: first, TokenSource: "HF_TOKEN",
			AuthorizeGit: func(r *http.Request) { r.SetBasicAuth("hf_user", token) }})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	nowhere := w.hub.RepoURL(release.Dataset, "acme/nothing")
	var none *gitwire.NotFoundError
	if _, err := publisher(nowhere, "", false).Plan(t.Context(), meta); !errors.As(err, &none) ||
		!strings.Contains(err.Error(), "check the id") {
		t.Errorf("a repository that is not there: %v, want advice", err)
	}
	if plan, err := publisher(nowhere, "", true).Plan(t.Context(), meta); err != nil || plan.Base != "" || plan.NoChange || !plan.New {
		t.Errorf("a first push: %+v, %v; want a plan without base", plan, err)
	}
	var branch *MissingBranchError
	if _, err := publisher(w.repo.URL(), "v2", false).Plan(t.Context(), meta); !errors.As(err, &branch) ||
		!slices.Equal(branch.Branches, []string{"main"}) {
		t.Errorf("a branch that is not there: %v, want the branches named", err)
	}
	p := publisher(w.repo.URL(), "v2", true)
	plan, err := p.Plan(t.Context(), meta)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Publish(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if h, err := w.repo.Head("refs/heads/v2"); err != nil || h != plan.Commit || plan.Base != w.head() {
		t.Errorf("the new branch is at %s, %v; want %s on top of main", h, err, plan.Commit)
	}
	if _, err := New(Target{URL: w.repo.URL(), Branch: "a..b"}, w.release, Options{}); err == nil {
		t.Error("a branch that no branch can be called: no error")
	}
}

func TestCredentials(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	for _, c := range []struct {
		role hubtest.Role
		want string
	}{
		{hubtest.Anonymous, "there is no token: set HF_TOKEN"},
		{hubtest.Read, "the token from MY_SOURCE lacks the right"},
	} {
		token := w.hub.Token(c.role)
		_, err := w.push(func(o *Options) {
			o.TokenSource, o.AuthorizeLFS = "MY_SOURCE", nil
			o.AuthorizeGit = func(r *http.Request) { r.SetBasicAuth("hf_user", token) }
			if c.role == hubtest.Anonymous {
				o.TokenSource, o.AuthorizeGit = "", nil
			}
		})
		var auth *gitwire.AuthError
		if !errors.As(err, &auth) || !strings.Contains(err.Error(), c.want) || token != "" &&
			strings.Contains(err.Error(), token) {
			t.Errorf("%v, want advice %q", err, c.want)
		}
	}
}

func TestVerify(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	verify := func(lock []Locked) *Verification {
		t.Helper()
		v, err := w.publisher(nil).Verify(t.Context(), Question{Lock: lock})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := verify(nil); !v.OK || v.Checked != 4 || v.LFSChecked != 1 || v.Commit != w.head() || len(v.Notes) != 0 {
		t.Errorf("right after a push: %+v, want all well", v)
	}
	files, err := w.publisher(nil).readFiles(t.Context(), open(t, w.dir), w.release.Tree)
	if err != nil {
		t.Fatal(err)
	}
	var lock []Locked
	for _, f := range files {
		if strings.HasPrefix(f.path, "data/") {
			lock = append(lock, Locked{Path: f.path, Bytes: f.size, SHA256: f.oid})
		}
	}
	if v := verify(lock); !v.OK || v.Checked != 2 || v.LFSChecked != 1 {
		t.Errorf("against the lock: %+v, want all well", v)
	}

	pointer := string(lfspointer.Format(strings.Repeat("a", 64), 5))
	if _, err := w.repo.Commit(mainRef, "by hand",
		map[string]string{"README.md": card + "by hand\n", "data/train-2.jsonl": "{}\n", "notes.txt": "by hand\n",
			"data/test.jsonl": pointer}); err != nil {
		t.Fatal(err)
	}
	w.write(map[string]string{"more.txt": "more\n"})
	want := []Problem{
		{Path: "README.md", Kind: Different}, {Path: "data/test.jsonl", Kind: Different},
		{Path: "data/train-2.jsonl", Kind: Extra}, {Path: "more.txt", Kind: Missing}}
	ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Want" || p.Last().String() == ".Have" },
		cmp.Ignore())
	v := verify(nil)
	if diff := cmp.Diff(want, v.Problems, ignore); diff != "" || v.OK {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Problem{{Path: "notes.txt", Kind: Extra}}, v.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[1:3], verify(lock).Problems, ignore); diff != "" {
		t.Errorf("problems against the lock (-want +got):\n%s", diff)
	}
	lock[0].SHA256, lock[0].Bytes = strings.Repeat("a", 64), 5
	want = []Problem{
		{Path: "data/test.jsonl", Kind: LFSMissing}, {Path: "data/test.jsonl", Kind: Uncovered},
		{Path: "data/train-2.jsonl", Kind: Extra}, {Path: "data/train.jsonl", Kind: Extra}}
	if diff := cmp.Diff(want, verify(lock[:1]).Problems, ignore); diff != "" {
		t.Errorf("problems of a pointer without content that no line of .gitattributes covers (-want +got):\n%s", diff)
	}
}

func TestMultipartAndEvents(t *testing.T) {
	w := newWorld(t, hubtest.Options{MultipartOver: 1 << 20, PartSize: 300_000})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(3 << 20)})
	phases, sizes := []Phase(nil), map[Phase]int64{}
	w.mustPush(func(o *Options) {
		o.OnEvent = func(e Event) {
			if len(phases) == 0 || phases[len(phases)-1] != e.Phase {
				phases = append(phases, e.Phase)
			}
			sizes[e.Phase] = max(sizes[e.Phase], e.Done)
		}
	})
	want := []Phase{Comparing, Hashing, Comparing, Packing, Uploading, Checking, Pushing, Verifying}
	if diff := cmp.Diff(want, phases); diff != "" {
		t.Errorf("phases (-want +got):\n%s", diff)
	}
	if sizes[Uploading] != 3<<20 || sizes[Hashing] < 3<<20 || sizes[Pushing] == 0 {
		t.Errorf("bytes told: %v, want those of the file, and of the pack", sizes)
	}
	w.cloneIsClean()
}

// What the Hub lists is held against git: a file that is missing there, or is listed as another one, is a problem.
func TestCompareListing(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	client := hubapi.NewClient(must(hubapi.NewEndpoint(w.hub.URL())), hubapi.Token{}, hubapi.Options{Retry: quick})
	for name, c := range map[string]struct {
		spoil func([]hubapi.Entry) []hubapi.Entry
		want  string
	}{
		"as it is": {func(all []hubapi.Entry) []hubapi.Entry { return all }, ""},
		"one missing": {func(all []hubapi.Entry) []hubapi.Entry {
			return slices.DeleteFunc(all, func(e hubapi.Entry) bool { return e.Path == "LICENSE" })
		}, "LICENSE"},
		"a pointer as a plain file": {func(all []hubapi.Entry) []hubapi.Entry {
			for i := range all {
				all[i].LFS = nil
			}
			return all
		}, "data/train.jsonl"},
		"another content in LFS": {func(all []hubapi.Entry) []hubapi.Entry {
			for i := range all {
				if all[i].LFS != nil {
					all[i].LFS.Size++
				}
			}
			return all
		}, "data/train.jsonl"},
		"another file": {func(all []hubapi.Entry) []hubapi.Entry {
			for i := range all {
				if all[i].Path == "README.md" {
					all[i].OID = strings.Repeat("0", 40)
				}
			}
			return all
		}, "README.md"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := w.publisher(nil).Verify(t.Context(), Question{})
			if err != nil || !v.OK {
				t.Fatalf("%+v, %v", v, err)
			}
			listing, err := client.Tree(t.Context(), w.repo.Repo, v.Commit)
			if err != nil {
				t.Fatal(err)
			}
			v.CompareListing(c.spoil(listing))
			switch {
			case c.want == "" && (!v.OK || v.Listed != 5):
				t.Errorf("%+v, want all five files listed right", v)
			case c.want != "" && (v.OK || len(v.Problems) != 1 || v.Problems[0].Kind != Unlisted || v.Problems[0].Path != c.want):
				t.Errorf("%+v, want %s listed wrong and nothing else", v.Problems, c.want)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
