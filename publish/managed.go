package publish

import (
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
)

// managed tells which files of a remote are the release's own, so that they go when they are gone locally: those that a
// pattern of its configs covers, as the loader reads patterns. Everything else stays.
type managed struct{ patterns []release.Pattern }

func managedBy(repo *release.Repo) managed {
	var m managed
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, text := range split.Patterns {
				if pattern, err := release.ParsePattern(text); err == nil {
					m.patterns = append(m.patterns, pattern)
				}
			}
		}
	}
	return m
}

// covers reports whether the release owns a path. Documents and .gitattributes are not data, whatever a wildcard takes them
// for.
func (m managed) covers(p string) bool {
	return slices.ContainsFunc(m.patterns, func(pattern release.Pattern) bool {
		switch {
		case isAttributes(p):
			return false
		case pattern.Names(p):
			return true
		}
		return pattern.Covers(p) && !isDocument(p)
	})
}
