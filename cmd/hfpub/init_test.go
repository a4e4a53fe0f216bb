package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestInitOnGSM8K takes real files from nothing to a clean release, without an edit by hand.
func TestInitOnGSM8K(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gsm8k")
	if err := os.CopyFS(dir, os.DirFS(sharedPath(t, "data/gsm8k"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", dir}, {"validate", dir}, {"card", dir}, {"validate", "--strict", dir}, {"card", "--check", dir}, {"lock", dir},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), args, &out, &out); code != 0 {
			t.Fatalf("hfpub %s gives %d, want 0:\n%s", args[0], code, out.String())
		}
	}
}

func TestWriteNewWritesAllOrNothing(t *testing.T) {
	files := []newFile{{".hfpub/a.schema.json", []byte("{}")}, {"hfpub.yaml", []byte("version: 1\n")}}
	for name, prepare := range map[string]func(dir string) error{
		"hfpub.yaml is there":             func(dir string) error { return os.WriteFile(filepath.Join(dir, "hfpub.yaml"), nil, 0o644) },
		"a link that leads nowhere":       func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, "hfpub.yaml")) },
		"a file in the folder's place":    func(dir string) error { return os.WriteFile(filepath.Join(dir, ".hfpub"), nil, 0o644) },
		"a link in the folder's place":    func(dir string) error { return os.Symlink(os.TempDir(), filepath.Join(dir, ".hfpub")) },
		"the last file cannot be written": func(dir string) error { return os.Mkdir(filepath.Join(dir, "sub"), 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			before := names(t, dir)
			all := files
			if name == "the last file cannot be written" {
				all = append(slices.Clone(files), newFile{"gone/deep/x", nil})
			}
			if err := writeNew(dir, all); err == nil {
				t.Error("no error, want one that names what is in the way")
			}
			if after := names(t, dir); !slices.Equal(before, after) {
				t.Errorf("the folder holds %v, and held %v before", after, before)
			}
		})
	}
	dir := t.TempDir()
	if err := writeNew(dir, files); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{".hfpub", ".hfpub/a.schema.json", "hfpub.yaml"}) {
		t.Errorf("the folder holds %v", got)
	}
}

// names lists what is in a folder, links not followed.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestShellQuoted(t *testing.T) {
	for path, want := range map[string]string{
		"my-data": "my-data", "./a/b_c.d": "./a/b_c.d", "my data": "'my data'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "~x": "'~x'", "": "",
	} {
		if got := shellQuoted(path); got != want {
			t.Errorf("shellQuoted(%q) = %s, want %s", path, got, want)
		}
	}
}
