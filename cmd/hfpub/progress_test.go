package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// The bar that shows how far reading is needs to know how much there is; without it no bar is shown.
func TestSizeCountsEachDataFileOnce(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"train.jsonl": "{}\n{}\n", "test.jsonl": "{}\n", "README.md": "# Tea\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	train, test := filepath.Join(dir, "train.jsonl"), filepath.Join(dir, "test.jsonl")
	for name, test := range map[string]struct {
		args []string
		want int64
	}{
		"a folder":            {[]string{dir}, 9},
		"loose files":         {[]string{train, test}, 9},
		"a loose file, twice": {[]string{train, train}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			rel, _, _, err := load(context.Background(), test.args)
			if err != nil {
				t.Fatal(err)
			}
			if got := size(rel); got != test.want {
				t.Errorf("size is %d bytes, want %d", got, test.want)
			}
		})
	}
}
