package validate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
)

// A packed file is hashed as it is read, while other workers hash the rows of its blocks. It has to be long enough for many blocks to be
// in work at once: the SHA-256 of short ones was right when that of this one was wrong in every run.
func TestHashesOfLongPackedFiles(t *testing.T) {
	var lines bytes.Buffer
	for i := range 60_000 {
		hash := sha256.Sum256(fmt.Append(nil, i))
		fmt.Fprintf(&lines, "{\"id\": %d, \"text\": \"%x\"}\n", i, hash[:])
	}
	dir := t.TempDir()
	for name, packer := range map[string]func(io.Writer) (io.WriteCloser, error){"a.jsonl.gz": gzipped, "b.jsonl.zst": zstandard} {
		content := members(t, packer, lines.Bytes())
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		want := hex.EncodeToString(sum[:])
		for _, jobs := range []int{1, 2, 4, 7} {
			rel, found, err := release.Load(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			report, err := Run(t.Context(), rel, found, Options{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			if got := sumOfFile(report, name); got != want {
				t.Errorf("%s, %d workers: the report says SHA-256 %q, the file has %s", name, jobs, got, want)
			}
		}
	}
}

// sumOfFile is the SHA-256 that a report gives for a file; "" if it is not there.
func sumOfFile(report *Report, path string) string {
	for _, repo := range report.Repos {
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				for _, file := range split.Files {
					if file.Path == path {
						return file.SHA256
					}
				}
			}
		}
	}
	return ""
}
