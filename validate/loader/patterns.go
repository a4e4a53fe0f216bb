package loader

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// patterns reports the patterns of a split that match no file. load_dataset fails on a path that is not there and on a
// split without files, and passes silently over a pattern beside others that do match.
func (c *checker) patterns(config *release.Config, split *release.Split) {
	for i, pattern := range split.Patterns {
		if slices.ContainsFunc(split.Files, func(file string) bool { return covers(pattern, file) }) {
			continue
		}
		f := finding.New(finding.LoaderNoSuchFile, "split %q: %s matches no data file", split.Name, pattern)
		switch {
		case c.staysHome():
			f = f.As(finding.Warning)
		case hasWildcard(pattern) && len(split.Files) > 0:
			f = f.As(finding.Warning)
		}
		pos := split.Pos
		if i < len(split.PatternPos) {
			pos = split.PatternPos[i]
		}
		f = f.AtColumn(split.PosFile, pos.Line, pos.Column).OfSplit(config.Name, split.Name)
		c.add(f.Hinting("%s", c.instead(pattern)))
	}
}

// hasWildcard reports whether the loader takes a path for a pattern.
func hasWildcard(pattern string) bool { return strings.ContainsAny(pattern, "*?[") }

// covers reports whether a file is one of those that a pattern matches. Both are known to come from one split, so that it
// is enough to tell its patterns apart.
func covers(pattern, file string) bool {
	if !hasWildcard(pattern) {
		return path.Clean(pattern) == file
	}
	plain := strings.NewReplacer("{", `\{`, "}", `\}`, `\`, `\\`).Replace(path.Clean(pattern))
	matched, err := doublestar.Match(plain, file)
	return matched && err == nil
}

// instead advises what to do about a pattern that matches nothing.
func (c *checker) instead(pattern string) string {
	for _, file := range c.repo.Tree {
		switch {
		case !covers(pattern, file.Path):
		case file.Symlink():
			return file.Path + " is a symbolic link: put the file itself in its place"
		case !isLoaded(file.Path):
			return file.Path + " is there, but load_dataset does not know its extension; write .jsonl, .csv or .parquet"
		}
	}
	if near := c.near(pattern); near != "" {
		return "did you mean " + near + "?"
	}
	return "mend the path, or take it out; paths are relative to the repo's folder"
}

// near finds the data file that a pattern may have meant: one of the same name in another folder, else the one with the
// fewest typing errors. Files that are in no split come first. Nobody who writes shard 7 means shard 0.
func (c *checker) near(pattern string) string {
	all := slices.DeleteFunc(slices.Clone(c.data), func(file string) bool { return otherShard(pattern, file) })
	free := slices.DeleteFunc(slices.Clone(all), func(file string) bool { return c.claimed[file] })
	for _, files := range [][]string{free, all} {
		for _, file := range files {
			if path.Base(file) == path.Base(pattern) {
				return file
			}
		}
		if near, ok := nearest.Word(path.Clean(pattern), files); ok {
			return near
		}
	}
	return ""
}
