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
// worker its own and merge them in file order.
type Set struct {
	// MaxPlaces bounds the places kept for one folded finding; 0 keeps all places and all messages.
	MaxPlaces int

	order []*group
	index map[subject]*group
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
	variants []*Finding
	index    map[string]*Finding
	merged   bool
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
func (s *Set) Add(f Finding) {
	f.Count = max(f.Count, 1)
	f.Places = slices.Clone(f.Places)
	s.add(&f, false)
}

func (s *Set) add(f *Finding, merged bool) {
	if s.index == nil {
		s.index = map[subject]*group{}
	}
	key := subjectOf(f)
	g := s.index[key]
	if g == nil {
		g = &group{index: map[string]*Finding{}}
		s.index[key] = g
		s.order = append(s.order, g)
	}
	switch old := g.index[f.Message]; {
	case g.merged:
		g.variants[0].take(f, s.MaxPlaces)
	case old != nil && !merged:
		old.take(f, s.MaxPlaces)
	default:
		f.Places = cut(f.Places, s.MaxPlaces)
		g.variants = append(g.variants, f)
		g.index[f.Message] = f
	}
	if merged || s.MaxPlaces > 0 && len(g.variants) > maxVariants {
		g.merge(s.MaxPlaces)
	}
}

// take folds another finding into f.
func (f *Finding) take(other *Finding, maxPlaces int) {
	places := append(f.places(), other.places()...)
	f.Count += other.Count
	f.Places = cut(places, maxPlaces)
}

// places returns the known places, at least the finding's own.
func (f *Finding) places() []Place {
	if len(f.Places) > 0 {
		return f.Places
	}
	return []Place{f.Place}
}

func cut(places []Place, limit int) []Place {
	if limit > 0 && len(places) > limit {
		return places[:limit]
	}
	return places
}

// manyMessages ends the message of a finding that stands for others with other messages.
const manyMessages = " (and others like it)"

// merge makes one finding of all variants: the first message, all counts, the first places. The places are sorted, so that
// the outcome does not depend on which variant was filled first.
func (g *group) merge(maxPlaces int) {
	first := g.variants[0]
	var places []Place
	count := 0
	for _, f := range g.variants {
		places = append(places, f.places()...)
		count += f.Count
	}
	slices.SortStableFunc(places, comparePlaces)
	first.Place, first.Count, first.Places = places[0], count, cut(places, maxPlaces)
	if !strings.HasSuffix(first.Message, manyMessages) {
		first.Message += manyMessages
	}
	g.variants, g.index, g.merged = g.variants[:1:1], map[string]*Finding{}, true
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Pointer, b.Pointer))
}

// Merge takes in everything another set holds, as if its findings had been added after those of s.
func (s *Set) Merge(next *Set) {
	for _, g := range next.order {
		for _, f := range g.variants {
			copied := *f
			copied.Places = slices.Clone(f.Places)
			s.add(&copied, g.merged)
		}
	}
}

// Label writes the repo, config and split into every finding that does not name them yet.
func (s *Set) Label(repo, config, split string) {
	labelled := Set{MaxPlaces: s.MaxPlaces}
	for _, g := range s.order {
		for _, f := range g.variants {
			f.Repo = cmp.Or(f.Repo, repo)
			f.Config = cmp.Or(f.Config, config)
			f.Split = cmp.Or(f.Split, split)
			labelled.add(f, g.merged)
		}
	}
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

// All returns the findings in the order people read them: worst first, then by repo, path, line and code. The
// order depends on nothing but the findings.
func (s *Set) All() []Finding {
	out := make([]Finding, 0, s.Len())
	for _, g := range s.order {
		for _, f := range g.variants {
			out = append(out, *f)
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
