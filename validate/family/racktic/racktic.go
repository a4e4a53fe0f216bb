// Package racktic knows what must be true of a release of Racktic beyond the schemas of its artifacts.
//
// Streams refer to tasks, and streams of alchemy to episodes, by ids and indexes. One check looks at them all: each artifact has
// a look, which judges a row by itself and notes what others need to know of it, and what is made of the notes when all rows have
// been seen. A rule that needs an artifact says nothing without it.
//
// The rules are those of the generator's scripts and what was recomputed from its streams.
package racktic

import (
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
)

// The artifacts.
const (
	alchemyStreams  = "racktic/alchemy-streams"
	alchemyEpisodes = "racktic/alchemy-episodes"
	codebaseStreams = "racktic/codebase-streams"
	codebaseTasks   = "racktic/codebase-tasks"
)

// artifact is one of the family.
type artifact = notes.Artifact[*world]

func artifactOf(name string) (a artifact, ok bool) {
	switch name {
	case alchemyStreams:
		return artifact{Look: lookAtAlchemy, Read: (*world).readAlchemy}, true
	case alchemyEpisodes:
		return artifact{Look: lookAtEpisode, Read: (*world).readEpisode}, true
	case codebaseStreams:
		return artifact{Look: lookAtStream, Read: (*world).readStream}, true
	case codebaseTasks:
		return artifact{Look: lookAtTask, Read: (*world).readTask}, true
	}
	return artifact{}, false
}

// Checks returns the check of the family when some split holds one of its artifacts.
func Checks(_ *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	return notes.Family[*world]{Artifact: artifactOf, World: newWorld, Judge: (*world).judge}.Checks(splits, opt)
}

func newWorld(say *observe.Findings, has map[string]bool) *world {
	return &world{say: say, has: has, episodes: map[int]episode{}, tasks: map[string]place{}}
}

// judge holds the artifacts against each other.
func (w *world) judge() {
	w.judgeAlchemy()
	w.judgeStreams()
}

// world is what all artifacts of the release showed.
type world struct {
	say *observe.Findings
	// has says of each artifact that it is there, and that all its rows were seen.
	has map[string]bool

	alchemy  []alchemy
	episodes map[int]episode
	// measured says that some episode has its edges in a table.
	measured bool
	streams  []stream
	tasks    map[string]place
	listed   []string
}

// place is where something stands.
type place struct {
	split *observe.Split
	finding.Place
}

func placeOf(note *notes.Note) place { return place{note.Split, note.Place} }

// in is the place of a value inside a row.
func (p place) in(line int, pointer string) place {
	p.Line, p.Pointer = line, pointer
	return p
}

// report adds a finding at a place.
func (w *world) report(at place, f finding.Finding) {
	f.Place = at.Place
	w.say.Add(at.split, f)
}
