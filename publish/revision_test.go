package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubtest"
)

// A revision is fetched as it was pushed, from git and from LFS, also where two files have one content; what is not asked for stays.
func TestFetch(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	big := noise(2 << 20)
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": big, "data/test.jsonl": big})
	w.mustPush(nil)
	before := w.head()
	w.write(map[string]string{"data/train.jsonl": "{\"id\": 3}\n"})
	w.mustPush(nil)
	dir := t.TempDir()
	want := []string{"README.md", "data/train.jsonl", "data/test.jsonl", "data/none.jsonl"}
	if err := w.publisher(nil).Fetch(t.Context(), before, dir, want); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, name := range []string{"README.md", "LICENSE", "data/train.jsonl", "data/test.jsonl", "data/none.jsonl"} {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			got[name] = string(text)
		}
	}
	if diff := cmp.Diff(map[string]string{"README.md": card, "data/train.jsonl": big, "data/test.jsonl": big}, got); len(diff) > 0 {
		t.Errorf("the revision was fetched otherwise than it was pushed (-want +got): %.400s", diff)
	}
}

// A revision is a branch, a tag that was pushed as an object of its own or not, or a commit in hex digits of either case.
func TestFilesOfRevision(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	tagged := meta
	tagged.Tag = "v1"
	p := w.publisher(nil)
	plan, err := p.Plan(t.Context(), tagged)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Publish(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	first := w.head()
	w.write(map[string]string{"data/train.jsonl": "{\"id\": 3}\n"})
	w.mustPush(nil)
	for revision, want := range map[string]string{"main": w.head(), "refs/heads/main": w.head(), "v1": first, "refs/tags/v1": first,
		first: first, strings.ToUpper(first): first} {
		files, at, err := w.publisher(nil).Files(t.Context(), revision)
		if err != nil || at != want || len(files) == 0 {
			t.Errorf("%s: %d files at %s, %v; want those at %s", revision, len(files), at, err, want)
		}
	}
	for _, revision := range []string{"v2", first[:8], "main/", "../main", "HEAD^"} {
		var missing *MissingRevisionError
		if _, _, err := w.publisher(nil).Files(t.Context(), revision); !errors.As(err, &missing) {
			t.Errorf("%s: %v; want a MissingRevisionError", revision, err)
		}
	}
	var none *gitwire.NoCommitError
	if _, _, err := w.publisher(nil).Files(t.Context(), strings.Repeat("0", 40)); !errors.As(err, &none) {
		t.Errorf("a commit that is not there: %v; want a NoCommitError", err)
	}
}
