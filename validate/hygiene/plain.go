package hygiene

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
)

// PlainMax is the size in bytes up to which the Hub takes a file that is not in LFS: 10 MiB.
const PlainMax = 10 << 20

const attributesFile = ".gitattributes"

// tooBig finds the files that the repo's own .gitattributes leave out of LFS although the Hub would refuse them as
// plain ones, and .gitattributes that git does not read. A repo without such a file gets one when hfpub pushes it.
func tooBig(root *os.Root, tree []release.TreeFile) ([]finding.Finding, error) {
	texts, err := attributeFiles(root, tree)
	if err != nil {
		return nil, err
	}
	found := unreadAttributes(texts)
	_, atRoot := texts[""]
	attributes := gitattributes.ParseTree(texts)
	for _, file := range tree {
		if !file.Mode.IsRegular() || file.Size <= PlainMax {
			continue
		}
		if neverInLFS(file.Path) {
			const message = "%d bytes (%.1f MiB): the Hub refuses plain files above 10 MiB, and this one cannot be in Git LFS"
			f := finding.New(finding.PublishPlainTooBig, message, file.Size, float64(file.Size)/(1<<20))
			found = append(found, f.At(printable(file.Path), 0).Hinting("shorten it"))
			continue
		}
		if !atRoot || attributes.LFS(file.Path) {
			continue
		}
		const message = "%d bytes (%.1f MiB), and %s does not put it into Git LFS: the Hub refuses plain files above 10 MiB"
		f := finding.New(finding.PublishPlainTooBig, message, file.Size, float64(file.Size)/(1<<20), attributesFile)
		where, line := missingLine(texts, file.Path)
		found = append(found, f.At(printable(file.Path), 0).Hinting("add this line to %s: %s", where, line))
	}
	return found, nil
}

// neverInLFS picks the files that the Hub and git read themselves.
func neverInLFS(file string) bool { return path.Base(file) == attributesFile || file == "README.md" }

// unreadAttributes finds the .gitattributes files that git does not read to their end, by their folders.
func unreadAttributes(texts map[string][]byte) []finding.Finding {
	var found []finding.Finding
	for _, dir := range slices.Sorted(maps.Keys(texts)) {
		at := bytes.IndexByte(texts[dir], 0)
		if at < 0 {
			continue
		}
		f := finding.New(finding.PublishAttributes, "the file holds a NUL: git does not read what follows")
		line := bytes.Count(texts[dir][:at], []byte("\n")) + 1
		found = append(found, f.At(printable(path.Join(dir, attributesFile)), line).Hinting("write it anew, as a text in UTF-8"))
	}
	return found
}

// attributeFiles reads the .gitattributes files of a tree, by their folders; git does not follow a link there. One that the Hub
// would refuse for its size counts as empty.
func attributeFiles(root *os.Root, tree []release.TreeFile) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, file := range tree {
		dir, name := path.Split(file.Path)
		if name != attributesFile || !file.Mode.IsRegular() {
			continue
		}
		if file.Size > PlainMax {
			texts[strings.TrimSuffix(dir, "/")] = nil
			continue
		}
		text, err := root.ReadFile(filepath.FromSlash(file.Path))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file.Path, err)
		}
		texts[strings.TrimSuffix(dir, "/")] = text
	}
	return texts, nil
}

// missingLine is the line that puts a file into LFS, and the .gitattributes file it belongs into: the root's, unless the
// file of a folder below has the last word.
func missingLine(texts map[string][]byte, file string) (where, line string) {
	for at := 0; ; at++ {
		dir := strings.TrimSuffix(file[:at], "/")
		if _, ok := texts[dir]; ok {
			where, line = path.Join(dir, attributesFile), lineFor(file[at:])
			if works(texts, dir, line, file) {
				return where, line
			}
		}
		next := strings.IndexByte(file[at:], '/')
		if next < 0 {
			return where, line
		}
		at += next
	}
}

// lineFor puts all files of the same extension into LFS; a file without a plain one gets a line of its own.
func lineFor(file string) string {
	ext := strings.TrimPrefix(path.Ext(file), ".")
	for _, c := range []byte(ext) {
		if c != '-' && c != '_' && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z') {
			return gitattributes.Line(file)
		}
	}
	if ext == "" {
		return gitattributes.Line(file)
	}
	return "*." + ext + " " + gitattributes.LFS
}

// works reports whether a line at the end of a folder's .gitattributes would put a file into LFS.
func works(texts map[string][]byte, dir, line, file string) bool {
	changed := maps.Clone(texts)
	changed[dir] = slices.Concat(texts[dir], []byte("\n"+line+"\n"))
	return gitattributes.ParseTree(changed).LFS(file)
}
