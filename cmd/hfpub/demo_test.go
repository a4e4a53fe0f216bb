package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
)

// The whole way of a release of nine repos: of the pending one only card and schema.md are pushed, and of the withheld one the Hub
// never hears.
func TestDemoOfNineRepos(t *testing.T) {
	if testing.Short() {
		t.Skip("pushes nine repos")
	}
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	path := filepath.Join(dir, "memgym")
	rel, hub, err := startDemo(t.Context(), "memgym", path, filepath.Join(dir, "hub"))
	if err != nil {
		t.Skipf("no Hub to push to: %v", err)
	}
	defer hub.Close()
	if len(rel.Repos) != 9 {
		t.Fatalf("the release has %d repos, want nine", len(rel.Repos))
	}
	a := &app{getenv: onHub(hub, os.Getenv)}
	t.Setenv("HF_ENDPOINT", a.getenv("HF_ENDPOINT"))
	t.Setenv("HF_TOKEN", a.getenv("HF_TOKEN"))
	for _, args := range [][]string{{"validate"}, {"card"}, {"lock"}, {"push", "--tag", "v1.0.0"}, {"verify", "--deep"}, {"catalog"}} {
		if code, out, stderr := hfpub(t, append(args, path)...); code != 0 {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, out, stderr)
		}
	}
	code, out, stderr := hfpub(t, "push", "--strict", "--format", "json", path)
	var again struct {
		Results []struct {
			Repo, Skipped string
			NoChange      bool `json:"no_change"`
		}
	}
	if err := json.Unmarshal([]byte(out), &again); err != nil || code != 0 || len(again.Results) != 9 {
		t.Fatalf("the same push again: exit code %d, %v\n%s%s", code, err, out, stderr)
	}
	statuses := map[release.Status]int{}
	for i, repo := range rel.Repos {
		statuses[repo.Status]++
		if r := again.Results[i]; !r.NoChange && r.Skipped == "" {
			t.Errorf("%s: pushed again, want nothing to push", r.Repo)
		}
		pushed, ok := hub.Repo(repo.Type, repo.ID)
		if repo.Status == release.Withheld {
			if ok {
				t.Errorf("%s is withheld, and on the Hub", repo.ID)
			}
			continue
		}
		tree, err := pushed.Tree("v1.0.0")
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, e := range tree {
			if !e.Dir {
				files = append(files, e.Path)
			}
		}
		if got := strings.Join(files, " "); repo.Status == release.Pending && got != ".gitattributes README.md schema.md" {
			t.Errorf("%s is pending, and has %s", repo.ID, got)
		}
	}
	if statuses[release.Pending] != 1 || statuses[release.Withheld] != 1 {
		t.Errorf("statuses %v, want one pending and one withheld", statuses)
	}
	for _, repo := range rel.Repos {
		if repo.Status != release.Withheld {
			continue
		}
		name := repo.ID[strings.Index(repo.ID, "/")+1:]
		for _, r := range hub.Log() {
			if strings.Contains(r.Path, name) {
				t.Errorf("%s is withheld, and in the Hub's log: %s", repo.ID, r)
			}
		}
	}
	if leaks := hub.Leaks(); len(leaks) > 0 {
		t.Errorf("the token leaked: %v", leaks)
	}
}

func TestDemoOfAnotherName(t *testing.T) {
	if code, _, stderr := hfpub(t, "demo", "--example", "coffee"); code != 2 || !strings.Contains(stderr, "the examples are tea-house, clerk") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
