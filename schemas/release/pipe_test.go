//go:build unix

package release

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/hfpub/hfpub/schemas/regularfile"
)

// A pipe in the place of a file would be waited for without end.
func TestLoadDoesNotWaitForPipes(t *testing.T) {
	dir := folder(t, map[string]string{"train.jsonl": ""})
	if err := syscall.Mkfifo(filepath.Join(dir, "README.md"), 0o644); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	if rel, findings := load(t, dir); len(findings) > 0 || len(rel.Repos[0].Configs) != 1 {
		t.Errorf("a folder with a pipe in the place of README.md: %v, configs %v", findings, rel.Repos[0].Configs)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, ManifestName), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(t.Context(), dir); !errors.Is(err, regularfile.ErrNotRegular) {
		t.Errorf("a pipe in the place of %s: %v, want %v", ManifestName, err, regularfile.ErrNotRegular)
	}
}
