package notes

import (
	"context"

	"github.com/hfpub/hfpub/validate/observe"
)

// Artifact is how the rows of an artifact are looked at, and how their notes are read into W, which holds what all artifacts of a
// release showed.
type Artifact[W any] struct {
	Look Look
	Read func(W, *Note)
}

// Family is what a family of artifacts knows, as one check of the pass.
type Family[W any] struct {
	// Artifact finds an artifact by its name; it may be called by several goroutines.
	Artifact func(name string) (Artifact[W], bool)
	// World begins what the notes are read into. has says of each artifact that it is there, and that all its rows were seen.
	World func(say *observe.Findings, has map[string]bool) W
	// Judge holds the artifacts against each other, when all notes have been read.
	Judge func(W)
}

// Checks returns the check of the family when some split holds one of its artifacts.
func (f Family[W]) Checks(splits []*observe.Split, opt observe.Options) []observe.Check {
	for _, split := range splits {
		if _, ok := f.Artifact(split.Artifact); ok {
			return []observe.Check{&check[W]{f, opt}}
		}
	}
	return nil
}

type check[W any] struct {
	family Family[W]
	opt    observe.Options
}

// Observer implements [observe.Check].
func (c *check[W]) Observer(split *observe.Split) observe.Observer {
	a, ok := c.family.Artifact(split.Artifact)
	if !ok {
		return nil
	}
	return New(a.Look, c.opt.MaxPlaces)
}

// Finish implements [observe.Check].
func (c *check[W]) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	has := map[string]bool{}
	for _, s := range seen {
		before, listed := has[s.Split.Artifact]
		has[s.Split.Artifact] = s.Whole && len(s.Split.Files) > 0 && (before || !listed)
	}
	w := c.family.World(say, has)
	err := Read(seen, say, func(note Note) {
		a, _ := c.family.Artifact(note.Split.Artifact)
		a.Read(w, &note)
	})
	if err != nil {
		return err
	}
	c.family.Judge(w)
	return nil
}
