package finding

import (
	"cmp"
	"slices"
	"strings"
)

// maxVariants is how many different messages of one code about one field of one file are kept apart in a set with
// bounded places. Messages quote values, and every row of a big file can hold another one.
const maxVariants = 100

// Set collects findings and folds equal ones. The zero value keeps everything; with MaxPlaces its memory is bounded by the
// number of codes, fields and files, whatever the number of rows. It is not safe for use by several goroutines: give each
// worker its own and merge them in file order. What comes out does not depend on where the rows were cut.
type Set struct {
	// MaxPlaces bounds the places kept for one folded finding; 0 keeps all places and all messages.
	MaxPlaces int

	order []*group
	index map[subject]*group
	// added counts the places that were added.
	added int
}

// subject is what a finding is about. Array indexes in the pointer do not count: the same fault in every element of an
// array is one finding.
type subject struct {
	code                Code
	severity            Severity
	repo, config, split string
	path, pointer       string
}

// group holds the findings about one subject, one for each message; after too many messages there is one for all.
type group struct {
	variants []*folded
	index    map[string]*folded
	merged   bool
}

// folded is a finding with the first places of all that it stands for, in the order in which they were added.
type folded struct {
	Finding
	places []numbered
	// several says that the places are worth telling: there is more than that of the finding.
	several bool
}

// numbered is a place with the number of those that were added before it: by that the first places of a group are known
// when its messages have become too many.
type numbered struct {
	Place
	number int
}

func subjectOf(f *Finding) subject {
	return subject{f.Code, f.Severity, f.Repo, f.Config, f.Split, f.Path, starred(f.Pointer)}
}

// starred replaces the array indexes of a pointer by stars.
func starred(pointer string) string {
	if !strings.ContainsAny(pointer, "0123456789") {
		return pointer
	}
	parts := strings.Split(pointer, "/")
	for i, p := range parts {
		if p != "" && strings.Trim(p, "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// Add takes in one finding; a finding that already stands for several keeps its count and places.
func (s *Set) Add(f Finding) { s.AddHinted(f, nil) }

// AddHinted is Add for a finding whose hint takes long to find: it is not asked for when the finding folds into another one.
// It returns what counts more of the finding that it becomes a part of.
func (s *Set) AddHinted(f Finding, hint func() string) Repeats {
	places := f.Places
	if len(places) == 0 {
		places = []Place{f.Place}
	}
	v := &folded{Finding: f, several: len(f.Places) > 0}
	v.Count = max(f.Count, 1)
	v.Places = nil
	for _, p := range cut(places, s.MaxPlaces) {
		v.places = append(v.places, numbered{p, s.added})
		s.added++
	}
	g := s.group(subjectOf(&v.Finding))
	if hint != nil && !g.merged && g.index[v.Message] == nil {
		v.Hint = hint()
	}
	into := g.add(v, s.MaxPlaces)
	return Repeats{g, into, s.MaxPlaces > 0 && len(into.places) >= s.MaxPlaces}
}

// Repeats counts more of one finding, for whoever finds very many of a kind. It is valid as long as its set is used.
type Repeats struct {
	group  *group
	folded *folded
	full   bool
}

// Full says that the finding keeps no further places: of another one that folds into it, nothing but the number counts.
func (r Repeats) Full() bool { return r.full }

// AllMessages says that all findings of the code about the same field of the file fold into this one, whatever their message.
func (r Repeats) AllMessages() bool { return r.group.merged }

// Add counts one more of a finding that is full.
func (r Repeats) Add() {
	into := r.folded
	if r.group.merged {
		into = r.group.variants[0] // the finding may have become part of it since
	}
	into.Count++
	into.several = true
}

// Kind names a finding whatever set it is in: its subject and its message.
type Kind struct {
	subject subject
	message string
}

// KindOf returns the kind of a finding.
func KindOf(f *Finding) Kind { return Kind{subjectOf(f), f.Message} }

// Settled says what will become of further findings of a kind that the set holds already: full that nothing but their number
// counts, allMessages that so it is for every message about the subject.
func (s *Set) Settled(k Kind) (full, allMessages bool) {
	g, into := s.find(k)
	if into == nil {
		return false, false
	}
	return s.MaxPlaces > 0 && len(into.places) >= s.MaxPlaces, g.merged
}

// AddCount counts n more findings of a kind that is full.
func (s *Set) AddCount(k Kind, n int) {
	_, into := s.find(k)
	into.Count += n
	into.several = true
}

// find returns the group of a kind and the finding that those of the kind fold into; nil when there is none.
func (s *Set) find(k Kind) (*group, *folded) {
	g := s.index[k.subject]
	switch {
	case g == nil:
		return nil, nil
	case g.merged:
		return g, g.variants[0]
	}
	return g, g.index[k.message]
}

// group returns the group of a subject.
func (s *Set) group(about subject) *group {
	if g := s.index[about]; g != nil {
		return g
	}
	if s.index == nil {
		s.index = map[subject]*group{}
	}
	g := &group{}
	s.index[about] = g
	s.order = append(s.order, g)
	return g
}

// add takes in what was added behind everything in the group, and returns what it becomes a part of.
func (g *group) add(v *folded, maxPlaces int) *folded {
	old := g.index[v.Message]
	if g.merged {
		old = g.variants[0]
	}
	if old != nil {
		old.take(v, maxPlaces)
		return old
	}
	if g.index == nil {
		g.index = map[string]*folded{}
	}
	g.variants = append(g.variants, v)
	g.index[v.Message] = v
	if maxPlaces > 0 && len(g.variants) > maxVariants {
		g.merge(maxPlaces)
		return g.variants[0]
	}
	return v
}

// take folds another finding into f, whose places come before.
func (f *folded) take(other *folded, maxPlaces int) {
	f.Count += other.Count
	f.several = true
	if maxPlaces == 0 || len(f.places) < maxPlaces {
		f.places = cut(append(f.places, other.places...), maxPlaces)
	}
}

func cut[T any](places []T, limit int) []T {
	if limit > 0 && len(places) > limit {
		return places[:limit]
	}
	return places
}

// manyMessages ends the message of a finding that stands for others with other messages.
const manyMessages = " (and others like it)"

// merge makes one finding of all variants: the first message, all counts, the first places.
func (g *group) merge(maxPlaces int) {
	first := g.variants[0]
	for _, f := range g.variants[1:] {
		first.Count += f.Count
		first.places = append(first.places, f.places...)
	}
	slices.SortFunc(first.places, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	first.places = cut(first.places, maxPlaces)
	first.several = true
	if !strings.HasSuffix(first.Message, manyMessages) {
		first.Message += manyMessages
	}
	clear(g.variants[1:])
	g.variants, g.index, g.merged = g.variants[:1:1], nil, true
}

// Merge takes in everything another set holds, as if its findings had been added after those of s.
func (s *Set) Merge(next *Set) {
	s.join(next, func(*Finding) {})
}

// join takes in everything another set holds; each finding is a copy that change may change.
func (s *Set) join(next *Set, change func(*Finding)) {
	for _, h := range next.order {
		var variants []*folded
		for _, f := range h.variants {
			copied := &folded{Finding: f.Finding, several: f.several}
			change(&copied.Finding)
			for _, p := range f.places {
				copied.places = append(copied.places, numbered{p.Place, s.added + p.number})
			}
			variants = append(variants, copied)
		}
		s.group(subjectOf(&variants[0].Finding)).join(variants, h.merged, s.MaxPlaces)
	}
	s.added += next.added
}

// join takes in the variants of a group that was added behind this one.
func (g *group) join(variants []*folded, merged bool, maxPlaces int) {
	if !g.merged && !merged {
		for _, v := range variants {
			g.add(v, 0)
		}
		merged = maxPlaces > 0 && len(g.variants) > maxVariants
	} else {
		g.variants = append(g.variants, variants...)
		merged = true
	}
	if merged {
		g.merge(maxPlaces)
		return
	}
	for _, f := range g.variants {
		f.places = cut(f.places, maxPlaces)
	}
}

// Label writes the repo, config and split into every finding that does not name them yet.
func (s *Set) Label(repo, config, split string) {
	labelled := Set{MaxPlaces: s.MaxPlaces}
	labelled.join(s, func(f *Finding) {
		f.Repo = cmp.Or(f.Repo, repo)
		f.Config = cmp.Or(f.Config, config)
		f.Split = cmp.Or(f.Split, split)
	})
	*s = labelled
}

// Len is the number of findings after folding.
func (s *Set) Len() int {
	n := 0
	for _, g := range s.order {
		n += len(g.variants)
	}
	return n
}

// Count is the number of findings of a severity before folding.
func (s *Set) Count(severity Severity) int {
	n := 0
	for _, g := range s.order {
		for _, f := range g.variants {
			if f.Severity == severity {
				n += f.Count
			}
		}
	}
	return n
}

// finding is the finding with its places, as it is reported. Those of many messages are told in the order of the text.
func (f *folded) finding(merged bool) Finding {
	out := f.Finding
	if !f.several {
		return out
	}
	for _, p := range f.places {
		out.Places = append(out.Places, p.Place)
	}
	if merged {
		slices.SortStableFunc(out.Places, comparePlaces)
	}
	out.Place = out.Places[0]
	return out
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Pointer, b.Pointer))
}

// All returns the findings in the order people read them: worst first, then by repo, path, line and code. The
// order depends on nothing but the findings.
func (s *Set) All() []Finding {
	out := make([]Finding, 0, s.Len())
	for _, g := range s.order {
		for _, f := range g.variants {
			out = append(out, f.finding(g.merged))
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.rank(), b.Severity.rank()),
			cmp.Compare(a.Repo, b.Repo),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Config, b.Config),
			cmp.Compare(a.Split, b.Split),
			cmp.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return out
}
