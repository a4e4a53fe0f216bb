package publish

import (
	"bytes"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
)

const attributesName = ".gitattributes"

// mergeAttributes joins the local and the remote .gitattributes of the root. Every line of the remote is kept. Where the
// remote has all local lines in their order, it stays as it is; else the local file follows the lines that only the remote
// has, so that the local ones win.
func mergeAttributes(local, remote []byte) []byte {
	if local == nil || contains(remote, local) {
		return remote
	}
	known := map[string]bool{}
	for line := range lines(local) {
		known[line] = true
	}
	var merged []byte
	for line := range lines(remote) {
		if !known[line] {
			merged = append(append(merged, line...), '\n')
		}
	}
	if len(merged) == 0 {
		return local
	}
	return append(merged, bytes.TrimPrefix(local, byteOrderMark)...)
}

// contains reports whether all lines of part stand in whole, in their order.
func contains(whole, part []byte) bool {
	left := slices.Collect(lines(whole))
	for line := range lines(part) {
		i := slices.Index(left, line)
		if i < 0 {
			return false
		}
		left = left[i+1:]
	}
	return true
}

// byteOrderMark is what git passes over at the beginning of a file.
var byteOrderMark = []byte("\ufeff")

// lines gives the lines of a file without their ends, those that are blank left out.
func lines(file []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for raw := range bytes.Lines(bytes.TrimPrefix(file, byteOrderMark)) {
			if line := strings.TrimRight(string(raw), "\r\n"); line != "" && !yield(line) {
				return
			}
		}
	}
}

// attributes are the .gitattributes files of a repository by their folders, "" for the root.
type attributes map[string][]byte

// with returns the same files with another one at the root.
func (a attributes) with(root []byte) attributes {
	b := maps.Clone(a)
	b[""] = root
	return b
}

func (a attributes) parse() *gitattributes.Attributes { return gitattributes.ParseTree(a) }

// folderOf is the folder of a .gitattributes file, "" for the root.
func folderOf(p string) string {
	if dir := path.Dir(p); dir != "." {
		return dir
	}
	return ""
}

// plainLine is the line that takes one file, and no other, out of LFS again.
func plainLine(p string) string {
	return strings.TrimSuffix(gitattributes.Line(p), gitattributes.LFS) + "!filter !diff !merge !text"
}

// coverage is what a set of files wants of .gitattributes: which path is to be in LFS and which is not.
type coverage map[string]bool

// apply adds to the root's file what is missing for every path to be as it is wanted.
func (c coverage) apply(a attributes) []byte {
	said := a.parse()
	var missing []string
	for _, p := range slices.Sorted(maps.Keys(c)) {
		switch inLFS := said.LFS(p); {
		case c[p] && !inLFS:
			missing = append(missing, gitattributes.Line(p))
		case !c[p] && inLFS:
			missing = append(missing, plainLine(p))
		}
	}
	return gitattributes.Append(a[""], missing)
}

// unmet lists the paths that are not as they are wanted, sorted.
func (c coverage) unmet(a attributes) []string {
	said := a.parse()
	var paths []string
	for _, p := range slices.Sorted(maps.Keys(c)) {
		if said.LFS(p) != c[p] {
			paths = append(paths, p)
		}
	}
	return paths
}
