package publish

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
)

// The server is asked about files in doubt only, and what it wants in LFS goes there with a line in .gitattributes.
func TestAdviceOnLFS(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	files := usual()
	files["small.dat"] = strings.Repeat("\x00\x01", 512) // in doubt: binary, and too small for our own rule
	files["big.dat"] = strings.Repeat("\x00\x01", 1024)  // in LFS by our own rule
	files["LICENSE"] = noise(2 << 20)                    // in doubt: a long text that stays plain
	w.write(files)
	var asked []string
	advise := func(o *Options) {
		asked = nil
		o.Advice = func(_ context.Context, branch string, _ []byte, files []hubapi.Candidate) (map[string]bool, error) {
			if branch != "main" {
				t.Errorf("asked about branch %q, want main", branch)
			}
			for _, f := range files {
				asked = append(asked, f.Path)
				if want := min(f.Size, hubapi.SampleSize); int64(len(f.Sample)) != want {
					t.Errorf("%s: a sample of %d bytes, want %d", f.Path, len(f.Sample), want)
				}
			}
			return map[string]bool{"small.dat": true, "README.md": true, "data/train.jsonl": true}, nil
		}
	}
	w.mustPush(advise)
	if want := []string{"LICENSE", "small.dat"}; !slices.Equal(asked, want) {
		t.Errorf("asked about %q, want %q", asked, want)
	}
	remote := w.remote()
	for path, inLFS := range map[string]bool{"small.dat": true, "big.dat": true, "LICENSE": false, "README.md": false, "data/train.jsonl": false} {
		if got := strings.HasPrefix(remote[path], "lfs:"); got != inLFS {
			t.Errorf("%s in LFS: %v, want %v", path, got, inLFS)
		}
	}
	w.cloneIsClean()
	if again := w.mustPush(advise); !again.NoChange || len(asked) > 0 {
		t.Errorf("second push: %+v, asked about %q; want no change and no question", again, asked)
	}
}

func TestAdviceThatFailsStopsThePlan(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(map[string]string{"small.dat": "\x00"})
	lost := errors.New("the line is dead")
	_, err := w.push(func(o *Options) {
		o.Advice = func(context.Context, string, []byte, []hubapi.Candidate) (map[string]bool, error) { return nil, lost }
	})
	if !errors.Is(err, lost) {
		t.Errorf("%v, want %v", err, lost)
	}
}
