// Package racktic knows what must be true of a release of Racktic beyond the schemas of its artifacts.
//
// Streams refer to tasks, and streams of alchemy to episodes, by ids and indexes. One [Check] looks at them all: each artifact has
// a look, which judges a row by itself and notes what others need to know of it, and what is made of the notes when all rows have
// been seen. A rule that needs an artifact says nothing without it.
//
// The rules are those of the generator's scripts and what was recomputed from its streams.
package racktic

import (
	"context"

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

// artifact is how the rows of an artifact are looked at, and their notes read.
type artifact struct {
	look notes.Look
	read func(*world, *notes.Note)
}

func artifactOf(name string) (a artifact, ok bool) {
	switch name {
	case alchemyStreams:
		return artifact{lookAtAlchemy, (*world).readAlchemy}, true
	case alchemyEpisodes:
		return artifact{lookAtEpisode, (*world).readEpisode}, true
	case codebaseStreams:
		return artifact{lookAtStream, (*world).readStream}, true
	case codebaseTasks:
		return artifact{lookAtTask, (*world).readTask}, true
	}
	return artifact{}, false
}

// Checks returns the check of the family when some split holds one of its artifacts.
func Checks(_ *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	for _, split := range splits {
		if _, ok := artifactOf(split.Artifact); ok {
			return []observe.Check{&Check{opt}}
		}
	}
	return nil
}

// Check is the check of the family.
type Check struct{ opt observe.Options }

// Observer implements [observe.Check].
func (c *Check) Observer(split *observe.Split) observe.Observer {
	a, ok := artifactOf(split.Artifact)
	if !ok {
		return nil
	}
	return notes.New(a.look, c.opt.MaxPlaces)
}

// Finish implements [observe.Check].
func (c *Check) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	w := &world{say: say, has: map[string]bool{}, episodes: map[int]episode{}, tasks: map[string]place{}}
	for _, s := range seen {
		before, listed := w.has[s.Split.Artifact]
		w.has[s.Split.Artifact] = s.Whole && len(s.Split.Files) > 0 && (before || !listed)
	}
	err := notes.Read(seen, say, func(note notes.Note) {
		a, _ := artifactOf(note.Split.Artifact)
		a.read(w, &note)
	})
	if err != nil {
		return err
	}
	w.judgeAlchemy()
	w.judgeStreams()
	return nil
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
