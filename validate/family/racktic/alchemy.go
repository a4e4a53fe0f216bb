package racktic

import (
	"fmt"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/digest"
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
	// told says that something was found in the prompt, constant is what does not change in it; it stands on promptLine.
	told       bool
	constant   string
	promptLine int
}

// at is the place of the reference.
func (a *alchemy) at() place { return a.place.in(a.line, "/metadata/episode_index") }

func lookAtAlchemy(row *notes.Row, note *record.Writer) {
	// What an episode holds belongs to dm_alchemy and is not passed on: rows hold indexes and constants.
	told := false // what is wrong with the prompt
	for key, v := range row.Root.Members() {
		switch name := key.Text(); {
		case name == "metadata" && v.Kind() == tape.Object:
			lookForContent(row, v, "/metadata/")
		case name == "prompt":
			told = lookForPromptContent(row, v, "/prompt")
		case v.Kind() >= tape.Array:
			sayContent(row, v, "/"+tape.EscapeToken(name), name)
		}
	}
	metadata, ok := row.Root.Get("metadata")
	if !ok || metadata.Kind() != tape.Object {
		return
	}
	v, ok := metadata.Get("episode_index")
	if !ok {
		return
	}
	if index, ok := field.IntOf(v); ok {
		note.Int(int64(index))
		note.Int(int64(row.LineOf(v)))
		prompt, _ := row.Root.Get("prompt")
		note.Bool(told)
		note.Text(constantIn(prompt))
		if prompt.Tape() == nil {
			prompt = row.Root
		}
		note.Int(int64(row.LineOf(prompt)))
	}
}

// lookForContent reports the members of an object that hold more than an index or a constant.
func lookForContent(row *notes.Row, object tape.Value, base string) {
	for key, v := range object.Members() {
		if v.Kind() >= tape.Array {
			sayContent(row, v, base+tape.EscapeToken(key.Text()), key.Text())
		}
	}
}

func sayContent(row *notes.Row, v tape.Value, pointer, name string) {
	f := finding.New(finding.RackticContent, "%s holds more than an index or a constant", name)
	row.Say(v, pointer, f.Hinting("take the content of the environment out: episode_index says where to find it"))
}

// lookForPromptContent reports what stands in a prompt beside messages and pieces of text.
func lookForPromptContent(row *notes.Row, v tape.Value, pointer string) (found bool) {
	switch v.Kind() {
	case tape.Array:
		for i, element := range v.Elements() {
			at := fmt.Sprintf("%s/%d", pointer, i)
			if element.Kind() == tape.Number {
				sayContent(row, element, at, "prompt")
				found = true
			}
			found = lookForPromptContent(row, element, at) || found
		}
	case tape.Object:
		for key, member := range v.Members() {
			name := key.Text()
			at := pointer + "/" + tape.EscapeToken(name)
			switch {
			case name == "content":
				found = lookForPromptContent(row, member, at) || found
			case member.Kind() != tape.String:
				sayContent(row, member, at, name)
				found = true
			}
		}
	}
	return found
}

var numbersIn = lazyregexp.New(`[0-9]+`)

// constantIn is what the prompts of all rows have in common: the texts without their numbers, which may be the index.
func constantIn(prompt tape.Value) string {
	if prompt.Tape() == nil {
		return ""
	}
	return string(numbersIn.ReplaceAll(digest.AppendCanonical(nil, prompt), []byte("#")))
}

func (w *world) readAlchemy(note *notes.Note) {
	index := int(note.Int())
	w.alchemy = append(w.alchemy, alchemy{placeOf(note), int(note.Int()), index, note.Bool(), note.Text(), int(note.Int())})
}

// episode is what side tables say of an episode: edges is -1 when they do not say.
type episode struct {
	edges int
	// from is where the edges are said.
	from     place
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
	at, there := row.Root.Get("edges")
	if !there {
		at = row.Root
	}
	note.Int(int64(index))
	note.Int(int64(edges))
	note.Int(int64(row.LineOf(at)))
	note.Bool(excluded.Tape() != nil && (excluded.Bool() || excluded.Text() == "true" || excluded.Text() == "True"))
}

func (w *world) readEpisode(note *notes.Note) {
	index := int(note.Int())
	e, known := w.episodes[index]
	if !known {
		e.edges = -1
	}
	edges := int(note.Int())
	at := placeOf(note).in(int(note.Int()), "/edges")
	switch {
	case edges < 0:
	case e.edges < 0:
		e.edges, e.from = edges, at
		w.measured = true
	case edges != e.edges:
		f := finding.New(finding.RackticEpisodeDiffers, "episode %d has %d edges here and %d at %s", index, edges, e.edges, e.from.Where())
		w.report(at, f.Hinting("parse the prebuilt file again; each episode has one row"))
	}
	e.excluded = note.Bool() || e.excluded
	w.episodes[index] = e
}

// judgeAlchemy checks that streams refer to different episodes, none of them kept for evaluation, from easy to hard: the more
// edges, the easier.
func (w *world) judgeAlchemy() {
	w.judgePrompts()
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

// judgePrompts checks that prompts differ in numbers only: what else is in one row and not in the others is no constant.
func (w *world) judgePrompts() {
	if !w.has[alchemyStreams] || len(w.alchemy) < 3 {
		return
	}
	counts := map[string]int{}
	for i := range w.alchemy {
		counts[w.alchemy[i].constant]++
	}
	usual := w.alchemy[0].constant
	for i := range w.alchemy {
		if c := w.alchemy[i].constant; counts[c] > counts[usual] {
			usual = c
		}
	}
	for i := range w.alchemy {
		a := &w.alchemy[i]
		if a.told || a.constant == usual {
			continue
		}
		f := finding.New(finding.RackticContent, "the prompt holds other text than those of other rows").As(finding.Warning)
		w.report(a.place.in(a.promptLine, "/prompt"), f.Hinting("a prompt is a placeholder: the environment gives the text"))
	}
}
