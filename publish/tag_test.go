package publish

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubtest"
)

// tagged is a commit's Meta with the tag v1, and a date of its own.
func tagged(minutes int) Meta {
	m := meta
	m.Tag, m.When = "v1", meta.When.Add(time.Duration(minutes)*time.Minute)
	return m
}

// atThePush calls do once, when a push is on its way to the server and nothing has been looked at since.
func atThePush(do func()) func(*Options) {
	return func(o *Options) {
		o.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/git-receive-pack") && do != nil {
				do()
				do = nil
			}
			return http.DefaultTransport.RoundTrip(r)
		})
	}
}

// A tag that somebody sets after the plan stays where it is. On another commit that is told as what it is, and before anything is
// uploaded where that can be; nothing of the push is left on the branch.
func TestTagThatAppearsOnAnotherCommit(t *testing.T) {
	for _, when := range []string{"before the push", "during the push"} {
		t.Run(when, func(t *testing.T) {
			w := newWorld(t, hubtest.Options{})
			w.write(usual())
			w.mustPush(nil)
			base := w.head()
			other := w.publisher(nil)
			theirs, err := other.Plan(t.Context(), tagged(5))
			if err != nil {
				t.Fatal(err)
			}
			set := func() {
				if _, err := other.Publish(t.Context(), theirs); err != nil {
					t.Error(err)
				}
			}
			w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
			var change func(*Options)
			if when == "during the push" {
				change = atThePush(set)
			}
			p := w.publisher(change)
			plan, err := p.Plan(t.Context(), tagged(0))
			if err != nil {
				t.Fatal(err)
			}
			if when == "before the push" {
				set()
			}
			var taken *TagError
			_, err = p.Publish(t.Context(), plan)
			if !errors.As(err, &taken) || taken.Commit != base || !strings.Contains(err.Error(), "a version of its own") {
				t.Errorf("%v, want it said that the tag is on %.12s, and what to do", err, base)
			}
			if when == "before the push" && w.hub.Stats().Puts > 0 {
				t.Error("contents were uploaded, though it was known that the push cannot be")
			}
			if at, err := w.repo.Head("v1"); err != nil || at != base || w.head() != base {
				t.Errorf("tag on %q (%v), branch on %s; want both on %s", at, err, w.head(), base)
			}
		})
	}
}

// A tag that somebody sets after the plan on what was to be tagged is no failure: the release is complete.
func TestTagThatAppearsOnTheSameFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		// first is pushed before the plan; with it there is only the tag to set.
		first bool
		// minutes is how much later the other push is made than ours, which makes another commit of it.
		minutes int
		during  bool
	}{
		{"on the commit that is there", true, 5, false},
		{"on the commit that is there, during the push", true, 5, true},
		{"by the same push, made twice", false, 0, false},
		{"by the same push, made twice a minute apart", false, 1, false},
		{"by the same push, made twice a minute apart, during the push", false, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, hubtest.Options{})
			w.write(usual())
			w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
			if c.first {
				w.mustPush(nil)
			}
			set := func() {
				other := w.publisher(nil)
				theirs, err := other.Plan(t.Context(), tagged(c.minutes))
				if err == nil {
					_, err = other.Publish(t.Context(), theirs)
				}
				if err != nil {
					t.Error(err)
				}
			}
			var change func(*Options)
			if c.during {
				change = atThePush(set)
			}
			p := w.publisher(change)
			plan, err := p.Plan(t.Context(), tagged(0))
			if err != nil {
				t.Fatal(err)
			}
			if !c.during {
				set()
			}
			r, err := p.Publish(t.Context(), plan)
			if err != nil {
				t.Fatalf("%v, want success: the tag is on the files that were to be tagged", err)
			}
			if at, err := w.repo.Head("v1"); err != nil || at != r.Commit || w.head() != r.Commit {
				t.Errorf("the result says %s; tag on %q (%v), branch on %s", r.Commit, at, err, w.head())
			}
			p = w.publisher(nil)
			if plan, err = p.Plan(t.Context(), tagged(9)); err != nil || !plan.NoChange || plan.Tag != "" {
				t.Errorf("again: %+v, %v; want nothing left to do", plan, err)
			}
		})
	}
}

// A branch that moves meanwhile stops a push with a tag as it stops any other, and no tag is set.
func TestBranchThatMovesUnderATag(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	p := w.publisher(nil)
	plan, err := p.Plan(t.Context(), tagged(0))
	if err != nil {
		t.Fatal(err)
	}
	w.write(map[string]string{"data/test.jsonl": "{\"id\": 4}\n"})
	theirs := w.mustPush(nil)
	var stale *gitwire.StaleError
	if _, err := p.Publish(t.Context(), plan); !errors.As(err, &stale) || w.head() != theirs.Commit {
		t.Errorf("%v, branch on %s; want a stale error and %s", err, w.head(), theirs.Commit)
	}
	if at, err := w.repo.Head("v1"); err == nil {
		t.Errorf("the tag was set, on %s", at)
	}
}

// Where no temporary file can be made, nothing is uploaded first: that may take hours.
func TestNoRoomForThePack(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	t.Setenv("TMPDIR", t.TempDir()+"/there-is-none")
	_, err := w.push(nil)
	if err == nil || !strings.Contains(err.Error(), "set TMPDIR") || w.hub.Stats().Puts > 0 {
		t.Errorf("%v after %d uploads, want advice before any", err, w.hub.Stats().Puts)
	}
}
