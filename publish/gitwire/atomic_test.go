package gitwire

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/hfpub/hfpub/publish/hubtest"
)

// tagged makes a change to main and a tag of the new commit.
func tagged(t *testing.T, s *Snapshot, name string) ([]Update, *Pack) {
	t.Helper()
	update, _ := change(t, s, map[string]string{"a": "a"})
	blob := Blob([]byte("a"))
	files := map[string]Entry{}
	for path, entry := range s.Files {
		files[path] = entry
	}
	files["a"] = Entry{Mode: 0o100644, Hash: blob.Hash}
	root, trees, err := BuildTree(files)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := Commit{Tree: root, Parent: s.Commit, Name: "A", Email: "a@example.org", Message: "change",
		When: time.Unix(1700000000, 0)}.Encode()
	if err != nil || commit.Hash != update.New {
		t.Fatalf("commit %s (%v), want %s", commit.Hash, err, update.New)
	}
	tag, err := Tag{Name: name, Commit: commit.Hash, TaggerName: "A", TaggerEmail: "a@example.org", Message: "first",
		When: time.Unix(1700000000, 0)}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	pack, err := SpoolPack(t.Context(), append(append(trees, blob), commit, tag))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pack.Close() })
	return []Update{update, {Ref: "refs/tags/" + name, New: tag.Hash}}, pack
}

func TestPushOfABranchAndATag(t *testing.T) {
	hub, repo := newRepo(t)
	r := writer(t, hub, repo)
	updates, pack := tagged(t, fetch(t, r), "v1")
	report, err := r.Push(t.Context(), updates, pack)
	if err != nil || report.Refs[main] != "ok" || report.Refs["refs/tags/v1"] != "ok" {
		t.Fatalf("%+v, %v; want both refs to be moved", report, err)
	}
	refs, err := r.Refs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if refs.Get("refs/tags/v1") != updates[1].New || refs.Tagged("refs/tags/v1") != updates[0].New || refs.Tagged("refs/tags/v2") != plumbing.ZeroHash {
		t.Errorf("the tag is %s of %s, want %s of %s", refs.Get("refs/tags/v1"), refs.Tagged("refs/tags/v1"), updates[1].New, updates[0].New)
	}
	if report, err := r.Push(t.Context(), updates, pack); err != nil || !report.Recovered {
		t.Errorf("the same again: %+v, %v; want it found done", report, err)
	}
}

// One ref that cannot be moved keeps the other where it is.
func TestPushIsAllOrNothing(t *testing.T) {
	for name, spoil := range map[string]func(*testing.T, *hubtest.Hub, *hubtest.Repo, []Update){
		"the tag is there": func(t *testing.T, _ *hubtest.Hub, repo *hubtest.Repo, _ []Update) {
			if _, err := repo.Commit("refs/tags/v1", "another", map[string]string{"b": "b"}); err != nil {
				t.Fatal(err)
			}
		},
		"the branch moves while the push is on its way": func(_ *testing.T, hub *hubtest.Hub, _ *hubtest.Repo, _ []Update) {
			hub.Fault(hubtest.ReceiveRace, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			hub, repo := newRepo(t)
			r := writer(t, hub, repo)
			updates, pack := tagged(t, fetch(t, r), "v1")
			spoil(t, hub, repo, updates)
			_, err := r.Push(t.Context(), updates, pack)
			var stale *StaleError
			if !errors.As(err, &stale) {
				t.Errorf("%v, want a stale error", err)
			}
			refs, err := r.Refs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if refs.Get(main) == updates[0].New || refs.Get("refs/tags/v1") == updates[1].New {
				t.Error("one of the two refs was moved, want none")
			}
		})
	}
}

// Where the lost answer was that of a push which happened, both refs are found where they were to be moved to.
func TestLostAnswerOfABranchAndATag(t *testing.T) {
	hub, repo := newRepo(t)
	r := writer(t, hub, repo)
	updates, pack := tagged(t, fetch(t, r), "v1")
	hub.Fault(hubtest.ReceiveLost, 1)
	if report, err := r.Push(t.Context(), updates, pack); err != nil || !report.Recovered {
		t.Errorf("%+v, %v; want the push to be found done", report, err)
	}
}

func TestServerThatIsNotAtomic(t *testing.T) {
	hub, repo := newRepo(t)
	r := open(t, lessAble(t, repo, nil, " atomic"), Options{Authorize: basic(hub.Token(hubtest.Write))})
	updates, pack := tagged(t, fetch(t, r), "v1")
	_, err := r.Push(t.Context(), updates, pack)
	var not *NotAtomicError
	if !errors.As(err, &not) {
		t.Errorf("%v, want an error that says so", err)
	}
	if head(t, repo) != updates[0].Old.String() {
		t.Error("the branch moved")
	}
	if _, err := r.Push(t.Context(), updates[:1], pack); err != nil {
		t.Errorf("one ref alone: %v, want it moved", err)
	}
}

func TestTagHasTheHashThatGitGives(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, nil, "init", "-q", "--bare", "-b", "main")
	tree := git(t, dir, strings.NewReader(""), "mktree")
	commit := git(t, dir, nil, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit-tree", "-m", "m", tree)
	for _, message := range []string{"one line", "two\n\nparagraphs\n", "größer"} {
		text := "object " + commit + "\ntype commit\ntag v1.0.0\ntagger A B <a@example.org> 1700000000 +0000\n\n" + strings.TrimRight(message, "\n") + "\n"
		want := git(t, dir, strings.NewReader(text), "mktag")
		got, err := Tag{Name: "v1.0.0", Commit: plumbing.NewHash(commit), TaggerName: "A B", TaggerEmail: "a@example.org", Message: message,
			When: time.Unix(1700000000, 999).In(time.FixedZone("elsewhere", 5*3600))}.Encode()
		if err != nil || got.Hash.String() != want {
			t.Errorf("tag %q is %s, %v; git gives %s", message, got.Hash, err, want)
		}
	}
	good := Tag{Name: "v1", TaggerName: "A", TaggerEmail: "a@example.org", Message: "m"}
	for name, change := range map[string]func(*Tag){
		"no name":                  func(g *Tag) { g.TaggerName = " " },
		"a bracket in the email":   func(g *Tag) { g.TaggerEmail = "a@b>" },
		"no message":               func(g *Tag) { g.Message = "\n" },
		"an escape in the message": func(g *Tag) { g.Message = "a\x1b[31m" },
	} {
		g := good
		change(&g)
		if _, err := g.Encode(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
