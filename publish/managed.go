package publish

import (
	"slices"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
)

// managed tells which files of a remote are the release's own, so that they go when they are gone locally: those that a
// pattern of its configs covers, as the loader reads patterns, and the other shards of a file in its splits. Everything else
// stays.
type managed struct {
	patterns []release.Pattern
	series   map[series]bool
}

// series is what the names of all shards of a file have in common.
type series struct{ before, after string }

// shardName matches the name of a shard, as train-00003-of-00010.jsonl. Shards that are left over from another number of them
// would be loaded beside the new ones.
var shardName = lazyregexp.New(`^(.*)-\d{5}-of-\d{5}([^/]*)$`)

func seriesOf(path string) (s series, ok bool) {
	m := shardName.FindStringSubmatch(path)
	if m == nil {
		return series{}, false
	}
	return series{m[1], m[2]}, true
}

func managedBy(repo *release.Repo) managed {
	m := managed{series: map[series]bool{}}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			for _, text := range split.Patterns {
				if pattern, err := release.ParsePattern(text); err == nil {
					m.patterns = append(m.patterns, pattern)
				}
			}
			for _, file := range split.Files {
				if s, ok := seriesOf(file); ok {
					m.series[s] = true
				}
			}
		}
	}
	return m
}

// covers reports whether the release owns a path. Documents and .gitattributes are not data, whatever a wildcard takes them
// for.
func (m managed) covers(p string) bool {
	if s, ok := seriesOf(p); ok && m.series[s] {
		return true
	}
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
