package racktic

import (
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// alchemy is a stream of alchemy: a reference to an episode.
type alchemy struct {
	place   place
	line    int
	episode int
}

// at is the place of the reference.
func (a *alchemy) at() place { return a.place.in(a.line, "/metadata/episode_index") }

func lookAtAlchemy(row *notes.Row, note *record.Writer) {
	metadata, ok := row.Root.Get("metadata")
	if !ok || metadata.Kind() != tape.Object {
		return
	}
	// What an episode holds belongs to dm_alchemy and is not passed on: rows hold indexes and constants.
	for key, v := range metadata.Members() {
		if v.Kind() >= tape.Array {
			f := finding.New(finding.RackticContent, "%s holds more than an index or a constant", key.Text())
			row.Say(v, "/metadata/"+tape.EscapeToken(key.Text()), f.Hinting("take the content of the environment out: episode_index says where to find it"))
		}
	}
	v, ok := metadata.Get("episode_index")
	if !ok {
		return
	}
	if index, ok := field.IntOf(v); ok {
		note.Int(int64(index))
		note.Int(int64(row.LineOf(v)))
	}
}

func (w *world) readAlchemy(note *notes.Note) {
	index := int(note.Int())
	w.alchemy = append(w.alchemy, alchemy{placeOf(note), int(note.Int()), index})
}

// episode is what side tables say of an episode: edges is -1 when they do not say.
type episode struct {
	edges    int
	excluded bool
}

func lookAtEpisode(row *notes.Row, note *record.Writer) {
	index, ok := field.Int(row.Root, "episode_index")
	if !ok {
		return
	}
	edges, ok := field.Int(row.Root, "edges")
	if !ok {
		edges = -1
	}
	excluded, _ := row.Root.Get("excluded")
	note.Int(int64(index))
	note.Int(int64(edges))
	note.Bool(excluded.Tape() != nil && (excluded.Bool() || excluded.Text() == "true" || excluded.Text() == "True"))
}

func (w *world) readEpisode(note *notes.Note) {
	index := int(note.Int())
	e, known := w.episodes[index]
	if !known {
		e.edges = -1
	}
	if edges := int(note.Int()); edges >= 0 {
		e.edges = edges
		w.measured = true
	}
	e.excluded = note.Bool() || e.excluded
	w.episodes[index] = e
}

// judgeAlchemy checks that streams refer to different episodes, none of them kept for evaluation, from easy to hard: the more
// edges, the easier.
func (w *world) judgeAlchemy() {
	first := map[int]place{}
	last := -1 // the edges of the stream before, -1 when they are not known
	for i := range w.alchemy {
		a := &w.alchemy[i]
		e, known := w.episodes[a.episode]
		before, again := first[a.episode]
		if i > 0 && w.alchemy[i-1].place.split != a.place.split {
			last = -1
		}
		switch {
		case again:
			f := finding.New(finding.RackticEpisodeRepeated, "episode %d has a stream already, at %s", a.episode, before.Where())
			w.report(a.at(), f.Hinting("every episode is one stream at most"))
		case e.excluded:
			f := finding.New(finding.RackticEpisodeExcluded, "episode %d is kept for evaluation", a.episode)
			w.report(a.at(), f.Hinting("take the stream out: a model must not train on it"))
		case w.measured && w.has[alchemyEpisodes] && (!known || e.edges < 0):
			w.report(a.at(), finding.New(finding.RackticEpisodeUnknown, "the table of episodes has no edges of episode %d", a.episode))
		case known && last >= 0 && e.edges > last:
			f := finding.New(finding.RackticEpisodeOrder, "episode %d has %d edges and comes behind one of %d", a.episode, e.edges, last)
			w.report(a.at(), f.Hinting("streams go from easy to hard: from 12 edges down to 7"))
		}
		if !again {
			first[a.episode] = a.at()
		}
		if known && e.edges >= 0 {
			last = e.edges
		}
	}
}
