package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFolderIsReleasedWithoutEditing takes a copy of a real data set through init, validate and card: everything that is written
// holds as it is.
func TestFolderIsReleasedWithoutEditing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the binary over a real data set")
	}
	source := sharedPath(t, "data/gsm8k")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	binary := build(t)
	for _, args := range [][]string{{"init"}, {"validate"}, {"card"}, {"validate"}, {"card", "--check"}} {
		cmd := exec.Command(binary, append(args, ".")...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("hfpub %v: %v, want exit status 0 without any edit by hand\n%s", args, err, out)
		}
	}
	for _, name := range []string{"hfpub.yaml", "README.md"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s is not there although init and card ran: %v", name, err)
		}
	}
}
