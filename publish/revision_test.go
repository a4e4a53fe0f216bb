package publish

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

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
