package hygiene

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

func symlinks(tree []release.TreeFile) []finding.Finding {
	var found []finding.Finding
	for _, file := range tree {
		if !file.Symlink() {
			continue
		}
		f := finding.New(finding.PublishSymlink, "a symbolic link: the Hub would get the link and not what it leads to")
		found = append(found, f.At(printable(file.Path), 0).Hinting("put the file itself in its place"))
	}
	return found
}

// paths finds the names that git or the Hub refuse, and those that cannot stand side by side on every system.
func paths(tree []release.TreeFile) []finding.Finding {
	var found []finding.Finding
	names := newSiblings()
	for _, file := range tree {
		if why, hint := unpushable(file.Path); why != "" {
			found = append(found, finding.New(finding.PublishPath, "%s", why).At(printable(file.Path), 0).Hinting("%s", hint))
			continue
		}
		if why := names.add(file.Path); why != "" {
			f := finding.New(finding.PublishPath, "%s", why).At(file.Path, 0)
			found = append(found, f.Hinting("rename one of them: macOS and Windows can hold only one of the two"))
		}
	}
	return found
}

// Clashes finds the files that would be added beside others of nearly the same name, or into folders of nearly the same name:
// where case and Unicode form do not count only one of the two can be. both are paths.
func Clashes(kept, added []string) []finding.Finding {
	names := newSiblings()
	for _, path := range kept {
		names.add(path)
	}
	var found []finding.Finding
	for _, path := range added {
		if why := names.add(path); why != "" {
			f := finding.New(finding.PublishPath, "%s, which the remote has", why).At(printable(path), 0)
			found = append(found, f.Hinting("rename the file here, or remove the other one on the remote: macOS and Windows can hold only one of the two"))
		}
	}
	return found
}

// unpushable says why a path cannot be pushed, and what to do; "" when it can.
func unpushable(path string) (why, hint string) {
	switch {
	case !utf8.ValidString(path):
		return "the name is not UTF-8", "rename the file: names on the Hub are UTF-8"
	case strings.ContainsFunc(path, unicode.IsControl):
		return "the name holds a control character", "rename the file without it"
	case strings.Contains(path, `\`):
		return `the name holds a backslash`, "rename the file: some systems take a backslash for the border of a folder"
	case !fs.ValidPath(path) || path == ".":
		return "the path is not a plain path below the repo's folder", "move the file"
	}
	for name := range strings.SplitSeq(path, "/") {
		plain := strings.ToLower(strings.TrimRight(name, " ."))
		if plain == ".git" || plain == "git~1" || plain == ".cache" {
			return name + " is a name that git or the Hub keep for themselves", "leave it out of the release, or rename it"
		}
	}
	return "", ""
}

// siblings remembers the files and folders of a tree by what they are called where case and Unicode form do not count.
type siblings struct {
	fold  cases.Caser
	first map[string]sibling
	told  map[sibling]bool
}

type sibling struct {
	path     string
	isFolder bool
}

func newSiblings() *siblings {
	return &siblings{cases.Fold(), map[string]sibling{}, map[sibling]bool{}}
}

// add takes in a file and the folders above it. It says so when one of them has a sibling of nearly the same name; each
// is named once.
func (s *siblings) add(path string) string {
	for end := 0; end < len(path); end++ {
		this := sibling{path, false}
		if next := strings.IndexByte(path[end:], '/'); next >= 0 {
			this = sibling{path[:end+next], true}
		}
		end = len(this.path)
		key := norm.NFC.String(s.fold.String(norm.NFC.String(this.path)))
		first, known := s.first[key]
		if !known {
			s.first[key] = this
			continue
		}
		if first.path == this.path {
			continue // the same, or a file where a folder is: that is told by who makes the trees
		}
		if s.told[this] {
			return ""
		}
		s.told[this] = true
		return fmt.Sprintf("%s and %s differ in nothing but case or Unicode form", named(first), named(this))
	}
	return ""
}

func named(s sibling) string {
	if s.isFolder {
		return "the folder " + quoteOdd(s.path)
	}
	return quoteOdd(s.path)
}

// quoteOdd writes a name so that its Unicode form can be seen where it is not the composed one.
func quoteOdd(name string) string {
	if norm.NFC.IsNormalString(name) {
		return name
	}
	return strconv.QuoteToASCII(name)
}

// printable writes a path so that it can be shown and stand in JSON: control characters and bytes that are not UTF-8 are
// escaped.
func printable(path string) string {
	if utf8.ValidString(path) && !strings.ContainsFunc(path, unicode.IsControl) {
		return path
	}
	quoted := strconv.Quote(path)
	return quoted[1 : len(quoted)-1]
}
