package hygiene

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/fingerprint"
)

// maxText is the size in bytes above which a file that is no data is not read through; it is said of each.
const maxText = 16 << 20

// binaries are endings of files that hold no text, or whose text is packed.
var binaries = []string{
	".parquet", ".arrow", ".feather", ".gz", ".zst", ".zip", ".tar", ".tgz", ".bz2", ".xz", ".7z", ".safetensors", ".bin", ".pt", ".pth", ".ckpt",
	".gguf", ".onnx", ".h5", ".hdf5", ".npy", ".npz", ".pkl", ".pickle", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pdf",
	".wav", ".mp3", ".flac", ".ogg", ".mp4", ".avi", ".mov", ".mkv", ".sqlite", ".db", ".msgpack", ".tflite", ".model",
}

// Texts looks through the files of a repo that are not rows of a split: pages, code, configuration. The error is for a file or a list
// that cannot be read.
func Texts(ctx context.Context, rel *release.Release, repo *release.Repo) ([]finding.Finding, error) {
	if repo.Dir == "" || len(repo.Tree) == 0 || repo.Status == release.Withheld {
		return nil, nil
	}
	policy, err := newPolicy(rel, repo)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	r := &reader{scanner: set().NewScanner(), policy: policy}
	rows := dataFiles(repo)
	var found []finding.Finding
	for _, f := range repo.Tree {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if rows[f.Path] || !f.Mode.IsRegular() || slices.Contains(binaries, strings.ToLower(path.Ext(f.Path))) {
			continue
		}
		list, err := r.file(root, f)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	return found, nil
}

// dataFiles are the files whose rows are looked through.
func dataFiles(repo *release.Repo) map[string]bool {
	files := map[string]bool{}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, path := range split.Files {
				files[path] = true
			}
		}
	}
	return files
}

// file looks through one file, if it is text.
func (r *reader) file(root *os.Root, f release.TreeFile) ([]finding.Finding, error) {
	if f.Size > maxText {
		n := finding.New(finding.HygieneNotScanned, "the file is larger than %d MiB and belongs to no split: it was not looked through", maxText>>20)
		return []finding.Finding{n.At(printable(f.Path), 0).Hinting("look through it for secrets and local paths by other means")}, nil
	}
	text, err := regularfile.ReadIn(root, filepath.FromSlash(f.Path), maxText)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Path, err)
	}
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return nil, nil
	}
	text = fingerprint.Plain(f.Path, text)
	var found []finding.Finding
	line, lineStart, counted := 1, 0, 0
	for _, t := range r.read(text, f.Path) {
		line += bytes.Count(text[counted:t.start], []byte{'\n'})
		if at := bytes.LastIndexByte(text[:t.start], '\n'); at >= 0 {
			lineStart = at + 1
		}
		counted = t.start
		found = append(found, t.AtColumn(printable(f.Path), line, t.start-lineStart+1))
	}
	return found, nil
}

// Redact takes secrets out of what is written for people and programs: text with the first characters of each in its place. A
// report may quote values of the data, and the data may hold secrets.
func Redact(text []byte) []byte {
	return set().NewScanner().Redact(text, fingerprint.Plain(".json", bytes.Clone(text)))
}
