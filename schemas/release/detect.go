package release

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
)

// tree is the list of files that patterns are matched against, in the order of their paths.
type tree []TreeFile

// matching gives the regular files a pattern covers, in the order of their paths.
func (t tree) matching(g glob) []string {
	var files []string
	first := sort.Search(len(t), func(i int) bool { return t[i].Path >= g.prefix })
	for _, f := range t[first:] {
		if !strings.HasPrefix(f.Path, g.prefix) {
			break
		}
		if !f.Symlink() && g.covers(f.Path) {
			files = append(files, f.Path)
		}
	}
	return files
}

// data gives the data files that the patterns cover, pattern by pattern.
func (t tree) data(globs []glob) []string {
	var files []string
	for _, g := range globs {
		files = append(files, slices.DeleteFunc(t.matching(g), func(file string) bool { return !isData(file) })...)
	}
	return files
}

// keywords are the words that make a file or folder name a split's, in the loader's order of splits.
var keywords = []struct {
	split string
	words []string
}{
	{"train", []string{"train", "training"}},
	{"validation", []string{"validation", "valid", "dev", "val"}},
	{"test", []string{"test", "testing", "eval", "evaluation"}},
}

// delimiters may stand beside a keyword.
const delimiters = "[-._ 0-9]"

var (
	inFolderName = []string{"**/{}/**", "**/{}" + delimiters + "*/**", "**/*" + delimiters + "{}/**",
		"**/*" + delimiters + "{}" + delimiters + "*/**"}
	inFileName = []string{"**/{}" + delimiters + "*", "**/*" + delimiters + "{}" + delimiters + "*"}
)

// candidate is a split that the loader looks for, and the patterns of its files.
type candidate struct {
	split string
	globs []glob
}

// detect finds the splits below a folder of the repo by the names of files and folders, as the loader does where no
// configs are given: shards under data/, evaluation logs, keywords in folder names, keywords in file names, else all of it
// is train. The first of these that matches any file decides alone. base is "" for the repo's root.
func (t tree) detect(base string) ([]Split, []finding.Finding) {
	found, findings := t.sharded(base)
	for _, way := range [][]candidate{
		{{"logs", compileAll(base, "**/*.eval")}},
		byKeyword(base, inFolderName),
		byKeyword(base, inFileName),
		{{"train", compileAll(base, "**")}},
	} {
		if len(found) > 0 {
			break
		}
		found = slices.DeleteFunc(way, func(c candidate) bool {
			return !slices.ContainsFunc(c.globs, func(g glob) bool { return len(t.matching(g)) > 0 })
		})
	}
	var splits []Split
	for _, c := range found {
		splits = append(splits, Split{Name: c.split, Files: t.data(c.globs)})
	}
	if len(splits) == 1 && splits[0].Name == "train" && len(splits[0].Files) == 0 {
		return nil, findings
	}
	return splits, findings
}

const shardPattern = "-[0-9][0-9][0-9][0-9][0-9]-of-[0-9][0-9][0-9][0-9][0-9]*.*"

var shardName = lazyregexp.New(`^(.+)-[0-9]{5}-of-[0-9]{5}.*\.`)

// sharded finds files named data/SPLIT-NNNNN-of-NNNNN: the one way in which any name can be a split's.
func (t tree) sharded(base string) ([]candidate, []finding.Finding) {
	var names []string
	var findings []finding.Finding
	for _, file := range t.matching(compileAll(base, "data/*"+shardPattern)[0]) {
		m := shardName.FindStringSubmatch(path.Base(file))
		if m == nil || slices.Contains(names, m[1]) {
			continue
		}
		names = append(names, m[1])
		if fault := checkSplitName(m[1]); fault != "" {
			f := finding.New(finding.LoaderSplitName, "the file name gives split %q, which load_dataset refuses: %s",
				m[1], fault)
			findings = append(findings, f.At(file,
				0).Hinting("rename the files, to %s-00000-of-… for example, or list them under `configs` in README.md", mendSplitName(m[1])))
		}
	}
	var found []candidate
	for _, name := range inSplitOrder(names) {
		found = append(found, candidate{name, compileAll(base, "data/"+literal(name)+shardPattern)})
	}
	return found, findings
}

// inSplitOrder puts train, validation and test first, the others behind in the order of their names.
func inSplitOrder(names []string) []string {
	slices.Sort(names)
	var first []string
	for _, k := range keywords {
		if i := slices.Index(names, k.split); i >= 0 {
			first = append(first, k.split)
			names = slices.Delete(names, i, i+1)
		}
	}
	return append(first, names...)
}

func byKeyword(base string, patterns []string) []candidate {
	var way []candidate
	for _, k := range keywords {
		c := candidate{split: k.split}
		for _, word := range k.words {
			for _, p := range patterns {
				c.globs = append(c.globs, compileAll(base, strings.ReplaceAll(p, "{}", word))...)
			}
		}
		way = append(way, c)
	}
	return way
}

// compileAll compiles patterns of this package's own, which are in order.
func compileAll(base string, patterns ...string) []glob {
	var globs []glob
	for _, p := range patterns {
		g, err := compileGlob(path.Join(literal(base), p))
		if err != nil {
			panic(fmt.Sprintf("pattern %s: %v", p, err))
		}
		globs = append(globs, g)
	}
	return globs
}

// literal writes a path as a pattern that matches nothing else.
func literal(p string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(p)
}
