package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Set collects findings and folds equal ones. The zero value keeps every place; it is not safe for use by several
// goroutines: give each worker its own and merge them in file order.
type Set struct {
	// MaxPlaces bounds the places kept for one folded finding; 0 keeps all of them.
	MaxPlaces int

	order []*Finding
	index map[key]*Finding
}

// key is what makes two findings equal. Array indexes in the pointer do not: the same fault in every element of
// an array is one finding.
type key struct {
	code                  Code
	severity              Severity
	repo, config, split   string
	path, pointer, detail string
}

func keyOf(f *Finding) key {
	return key{f.Code, f.Severity, f.Repo, f.Config, f.Split, f.Path, starred(f.Pointer), f.Message}
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
	if s.index == nil {
		s.index = map[key]*Finding{}
	}
	k := keyOf(&f)
	old := s.index[k]
	if old == nil {
		f.Places = s.cut(slices.Clone(f.Places))
		s.index[k] = &f
		s.order = append(s.order, &f)
		return
	}
	if len(old.Places) == 0 {
		old.Places = []Place{old.Place}
	}
	old.Count += f.Count
	more := f.Places
	if len(more) == 0 {
		more = []Place{f.Place}
	}
	if room := s.MaxPlaces - len(old.Places); s.MaxPlaces > 0 && len(more) > room {
		more = more[:max(room, 0)]
	}
	old.Places = append(old.Places, more...)
}

func (s *Set) cut(places []Place) []Place {
	if s.MaxPlaces > 0 && len(places) > s.MaxPlaces {
		return places[:s.MaxPlaces]
	}
	return places
}

// Merge takes in everything another set holds, as if its findings had been added after those of s.
func (s *Set) Merge(next *Set) {
	for _, f := range next.order {
		s.Add(*f)
	}
}

// Label writes the repo, config and split into every finding that does not name them yet.
func (s *Set) Label(repo, config, split string) {
	old := s.order
	s.order, s.index = nil, nil
	for _, f := range old {
		f.Repo = cmp.Or(f.Repo, repo)
		f.Config = cmp.Or(f.Config, config)
		f.Split = cmp.Or(f.Split, split)
		s.Add(*f)
	}
}

// Len is the number of findings after folding.
func (s *Set) Len() int { return len(s.order) }

// Count is the number of findings of a severity before folding.
func (s *Set) Count(severity Severity) int {
	n := 0
	for _, f := range s.order {
		if f.Severity == severity {
			n += f.Count
		}
	}
	return n
}

// All returns the findings in the order people read them: worst first, then by repo, path, line and code. The
// order depends on nothing but the findings.
func (s *Set) All() []Finding {
	out := make([]Finding, 0, len(s.order))
	for _, f := range s.order {
		out = append(out, *f)
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
