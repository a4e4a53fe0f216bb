package publish

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hfpub/hfpub/schemas/release"
)

// managed tells which files of a remote are the release's own, so that they go when they are gone locally: those that a
// pattern of its configs covers. Everything else stays.
type managed struct{ patterns []string }

func managedBy(repo *release.Repo) managed {
	var m managed
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, pattern := range split.Patterns {
				if pattern = path.Clean(pattern); doublestar.ValidatePattern(pattern) && !slices.Contains(m.patterns, pattern) {
					m.patterns = append(m.patterns, pattern)
				}
			}
		}
	}
	return m
}

// covers reports whether the release owns a path. Documents and hidden files are not data, whatever a pattern says, unless
// it names them.
func (m managed) covers(p string) bool {
	return slices.ContainsFunc(m.patterns, func(pattern string) bool {
		if pattern == p {
			return !isAttributes(p)
		}
		return !neverData(p) && doublestar.MatchUnvalidated(pattern, p)
	})
}

// neverData are files that no wildcard takes for data, as the loader takes them for none.
func neverData(p string) bool {
	l := localFile{path: p}
	if l.isDocument() || path.Base(p) == readme {
		return true
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "__") {
			return true
		}
	}
	switch path.Base(p) {
	case "config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json":
		return true
	}
	return false
}
