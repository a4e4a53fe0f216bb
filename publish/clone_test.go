package publish

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubtest"
)

// gitIn runs git in a folder, free of the user's configuration.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	always := []string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}
	cmd := exec.Command("git", append(always, args...)...)
	cmd.Dir = dir
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_LFS_SKIP_SMUDGE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// clones are the kinds of clones, each made of the remote at url below tmp; they return the work tree's top.
var clones = map[string]func(t *testing.T, url, tmp string) string{
	"whole": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", url, "work")
		return filepath.Join(tmp, "work")
	},
	"loose objects": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "-c", "fetch.unpackLimit=10000", "-c", "transfer.unpackLimit=10000", "init", "-q", "work")
		at := filepath.Join(tmp, "work")
		gitIn(t, at, "-c", "fetch.unpackLimit=10000", "pull", "-q", url, "main")
		return at
	},
	"shallow": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", "--depth", "1", url, "work")
		return filepath.Join(tmp, "work")
	},
	"partial": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", "--filter=blob:none", url, "work")
		return filepath.Join(tmp, "work")
	},
	"worktree": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", url, "first")
		gitIn(t, filepath.Join(tmp, "first"), "worktree", "add", "-q", "-b", "other", filepath.Join(tmp, "work"))
		return filepath.Join(tmp, "work")
	},
	"submodule": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "init", "-q", "super")
		gitIn(t, filepath.Join(tmp, "super"), "submodule", "--quiet", "add", url, "work")
		return filepath.Join(tmp, "super", "work")
	},
	"alternates": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", url, "first")
		gitIn(t, tmp, "clone", "-q", "--shared", "first", "work")
		return filepath.Join(tmp, "work")
	},
	"relative alternates": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", url, "first")
		gitIn(t, tmp, "clone", "-q", "--shared", "first", "work")
		at := filepath.Join(tmp, "work", ".git", "objects", "info", "alternates")
		if err := os.WriteFile(at, []byte("# of first\n../../../first/.git/objects\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(tmp, "work")
	},
	"detached": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", url, "work")
		gitIn(t, filepath.Join(tmp, "work"), "checkout", "-q", "--detach")
		return filepath.Join(tmp, "work")
	},
	"packed refs": func(t *testing.T, url, tmp string) string {
		gitIn(t, tmp, "clone", "-q", url, "work")
		gitIn(t, filepath.Join(tmp, "work"), "pack-refs", "--all")
		gitIn(t, filepath.Join(tmp, "work"), "gc", "-q")
		return filepath.Join(tmp, "work")
	},
}

func TestPushFromClones(t *testing.T) {
	for name, make := range clones {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, hubtest.Options{})
			w.write(usual())
			w.mustPush(nil)
			w.dir = make(t, w.repo.URL(), t.TempDir())
			w.release.Dir = w.dir

			if r := w.mustPush(nil); !r.NoChange {
				t.Errorf("an untouched clone: %+v, want nothing to push", r)
			}
			w.write(map[string]string{"data/train.jsonl": "{\"id\": 7}\n"})
			base := w.head()
			if r := w.mustPush(nil); r.Base != base || r.Changed != 1 {
				t.Errorf("one file changed: %+v, want one commit on top of %s", r, base)
			}

			// the clone does not know of the commit that was just made, nor of another one by somebody else
			if r := w.mustPush(nil); !r.NoChange {
				t.Errorf("pushed again: %+v, want nothing to push", r)
			}
			other, err := w.repo.Commit(mainRef, "by hand", map[string]string{"README.md": card + "by hand\n"})
			if err != nil {
				t.Fatal(err)
			}
			w.write(map[string]string{"data/train.jsonl": "{\"id\": 8}\n"})
			_, err = w.push(nil)
			var behind *BehindError
			if !errors.As(err, &behind) || behind.Head != other || behind.Fetched || w.head() != other {
				t.Errorf("a clone that lacks a commit: %v, want it refused", err)
			}
			for _, words := range []string{"main", "lacks", "git pull"} {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("%q does not say %q", err, words)
				}
			}
		})
	}
}

func TestFetchedIsNotMerged(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.mustPush(nil)
	w.dir = clones["whole"](t, w.repo.URL(), t.TempDir())
	w.release.Dir = w.dir
	if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{"README.md": card + "by hand\n"}); err != nil {
		t.Fatal(err)
	}
	gitIn(t, w.dir, "fetch", "-q")
	w.write(map[string]string{"data/train.jsonl": "{\"id\": 8}\n"})
	_, err := w.push(nil)
	var behind *BehindError
	if !errors.As(err, &behind) || !behind.Fetched {
		t.Errorf("a commit that is fetched and not merged: %v, want it refused", err)
	}
	gitIn(t, w.dir, "merge", "-q", "--ff-only", "origin/main")
	if r := w.mustPush(nil); r.Changed != 1 {
		t.Errorf("after a merge: %+v, want the file pushed", r)
	}
}

// The folder may be under version control elsewhere. Such a clone has nothing in common with the remote.
func TestClonesOfSomethingElseArePlainFolders(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	gitIn(t, w.dir, "init", "-q")
	if r := w.mustPush(nil); r.Added != 4 {
		t.Errorf("a new repository without commits: %+v, want it pushed", r)
	}
	gitIn(t, w.dir, "add", "-A")
	gitIn(t, w.dir, "commit", "-q", "-m", "elsewhere")
	w.write(map[string]string{"data/train.jsonl": "{\"id\": 8}\n"})
	if r := w.mustPush(nil); r.Changed != 1 {
		t.Errorf("a repository of another history: %+v, want it pushed", r)
	}
}

// A server that cannot send commits alone does not tell whether a clone is one of its repository: then the clone's remotes do. A
// release that is under version control elsewhere is not told to pull from there.
func TestClonesWhereTheServerTellsNoHistory(t *testing.T) {
	for _, c := range []struct {
		name, remote string
		refused      bool
	}{
		{"no remotes", "", false},
		{"somewhere else", "https://git.example.org/acme/code.git", false},
		{"the same repository", "https://hub.example.org/datasets/acme/rows", true},
		{"the same repository by ssh", "git@hub.example.org:datasets/acme/rows.git", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, hubtest.Options{})
			w.write(usual())
			w.mustPush(nil)
			gitIn(t, w.dir, "init", "-q")
			gitIn(t, w.dir, "add", "-A")
			gitIn(t, w.dir, "commit", "-q", "-m", "elsewhere")
			if c.remote != "" {
				gitIn(t, w.dir, "remote", "add", "origin", c.remote)
			}
			w.write(map[string]string{"data/train.jsonl": "{\"id\": 8}\n"})
			_, err := w.push(func(o *Options) { o.Transport = without(" filter") })
			var behind *BehindError
			if errors.As(err, &behind) != c.refused || !c.refused && err != nil {
				t.Errorf("%v, want it refused: %t", err, c.refused)
			}
		})
	}
}

func TestBrokenClonesAreNoReasonToPanic(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"an empty .git folder":       {".git/x": "x"},
		"a .git file that is none":   {".git": "nonsense\n"},
		"a .git file to nowhere":     {".git": "gitdir: /does/not/exist\n"},
		"a HEAD that is none":        {".git/HEAD": "nonsense\n", ".git/objects/x": "x"},
		"a HEAD without its commit":  {".git/HEAD": strings.Repeat("1", 40) + "\n", ".git/objects/info/x": "x"},
		"a HEAD that points to HEAD": {".git/HEAD": "ref: HEAD\n", ".git/objects/info/x": "x"},
		"alternates that go in rings": {".git/HEAD": "ref: refs/heads/main\n",
			".git/objects/info/alternates": "../objects\n../../.git/objects\n"},
	} {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		w.write(files)
		seed := w.head()
		if r, err := w.push(nil); err == nil && r.Added != 4 || err != nil && w.head() != seed {
			t.Errorf("%s: %+v, %v; want it pushed, or refused as a whole", name, r, err)
		}
	}
}
