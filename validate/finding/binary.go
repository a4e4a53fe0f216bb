package finding

import (
	"math"

	"github.com/hfpub/hfpub/validate/record"
)

// maxLine bounds lines, columns and counts that are read from outside: more than any file has, and no overflow when they are
// added up.
const maxLine = math.MaxInt64 >> 16

// MarshalBinary writes everything the set holds, for another process to merge. The form is that of package record; it has no
// version of its own.
func (s *Set) MarshalBinary() ([]byte, error) {
	var w record.Writer
	w.Uint(uint64(s.added))
	w.Uint(uint64(len(s.order)))
	for _, g := range s.order {
		w.Bool(g.merged)
		w.Uint(uint64(len(g.variants)))
		for _, f := range g.variants {
			f.write(&w)
		}
	}
	return w.Bytes(), nil
}

func (f *folded) write(w *record.Writer) {
	for _, text := range []string{string(f.Code), string(f.Severity), f.Repo, f.Config, f.Split, f.Message, f.Hint} {
		w.Text(text)
	}
	w.Uint(uint64(f.Count))
	w.Bool(f.several)
	f.Place.write(w, Place{})
	w.Uint(uint64(len(f.places)))
	for _, p := range f.places {
		p.write(w, f.Place)
		w.Uint(uint64(p.number))
	}
}

// write writes a place; its path only when it is another one than that of the place before.
func (p *Place) write(w *record.Writer, before Place) {
	w.Bool(p.Path != before.Path)
	if p.Path != before.Path {
		w.Text(p.Path)
	}
	w.Uint(uint64(p.Line))
	w.Uint(uint64(p.Column))
	w.Text(p.Pointer)
}

// UnmarshalBinary makes the set hold what MarshalBinary wrote; MaxPlaces stays as it is. It is [record.ErrDamaged] when data
// is anything else.
func (s *Set) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	out := Set{MaxPlaces: s.MaxPlaces, added: int(readNumber(r))}
	for range r.Count(len(data)) {
		out.read(r)
	}
	if err := r.End(); err != nil {
		return err
	}
	*s = out
	return nil
}

// read reads one group.
func (s *Set) read(r *record.Reader) {
	merged := r.Bool()
	n := r.Count(math.MaxInt)
	if n == 0 || merged && n > 1 {
		r.Fail()
		return
	}
	var g *group
	for i := range n {
		f := readFolded(r, s.added)
		if r.Err() != nil {
			return
		}
		about := subjectOf(&f.Finding)
		if i == 0 {
			if s.index[about] != nil {
				r.Fail()
				return
			}
			g = s.group(about)
			g.index = map[string]*folded{}
		}
		if s.index[about] != g || g.index[f.Message] != nil {
			r.Fail()
			return
		}
		g.variants = append(g.variants, f)
		g.index[f.Message] = f
	}
	if g.merged = merged; merged {
		g.index = nil
	}
}

// readFolded reads a finding of a set to which so many places were added.
func readFolded(r *record.Reader, added int) *folded {
	f := &folded{}
	f.Code, f.Severity = Code(r.Text()), Severity(r.Text())
	f.Repo, f.Config, f.Split, f.Message, f.Hint = r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
	f.Count = int(readNumber(r))
	f.several = r.Bool()
	f.Place = readPlace(r, Place{})
	if f.Count == 0 || f.Severity != Error && f.Severity != Warning && f.Severity != Note {
		r.Fail()
	}
	last := -1
	for range r.Count(math.MaxInt) {
		p := numbered{readPlace(r, f.Place), int(readNumber(r))}
		if p.number <= last || p.number >= added {
			r.Fail()
			return f
		}
		last = p.number
		f.places = append(f.places, p)
	}
	if len(f.places) == 0 {
		r.Fail()
	}
	return f
}

func readPlace(r *record.Reader, before Place) Place {
	p := Place{Path: before.Path}
	if r.Bool() {
		p.Path = r.Text()
	}
	p.Line, p.Column, p.Pointer = int(readNumber(r)), int(readNumber(r)), r.Text()
	return p
}

func readNumber(r *record.Reader) uint64 {
	n := r.Uint()
	if n > maxLine {
		r.Fail()
		return 0
	}
	return n
}
