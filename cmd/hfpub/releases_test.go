package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The example releases are whole: true under all rules, with cards and a lock that are up to date.
func TestExampleReleases(t *testing.T) {
	locks, err := filepath.Glob(repoPath(t, "testdata/releases/*/hfpub.lock"))
	if err != nil || len(locks) == 0 {
		t.Fatalf("no example releases with a lock: %v", err)
	}
	for _, lock := range locks {
		// A copy: nothing that a command leaves behind belongs into the checkout.
		dir := filepath.Join(t.TempDir(), filepath.Base(filepath.Dir(lock)))
		if err := os.CopyFS(dir, os.DirFS(filepath.Dir(lock))); err != nil {
			t.Fatal(err)
		}
		validate := []string{"validate", "--locked", "--strict", dir}
		if text, err := os.ReadFile(filepath.Join(dir, "hfpub.yaml")); err != nil || bytes.Contains(text, []byte("reproduce:")) {
			validate = []string{"validate", "--locked", dir} // testdata/script/reproduce.txtar runs the command, and is strict
		}
		for _, args := range [][]string{validate, {"card", "--check", dir}} {
			var out bytes.Buffer
			if code := run(t.Context(), args, &out, &out); code != 0 {
				t.Errorf("hfpub %q exits with %d, want 0:\n%s", args, code, out.String())
			}
		}
	}
}
