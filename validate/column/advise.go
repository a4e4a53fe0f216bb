package column

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// maxMembers is how many members an object may have for a struct to be advised where some objects lack some.
const maxMembers = 64

// advise finds the features that a card should declare, and says of every trouble whether they cure it. What is declared
// and does no harm stays.
func (l *loading) advise(splits []*Observer, out *Loaded) {
	out.Advised, out.AdviseOwn = out.Features, l.Own
	if !slices.ContainsFunc(out.Troubles, func(t Trouble) bool { return t.Severity != finding.Note }) {
		return
	}
	own := l.Own
	if l.cells() {
		own = own || l.wantsOwn()
		out.AdviseMissing = l.wantsMissing()
	}
	keeping := l
	if out.AdviseMissing {
		r := l.Reading
		r.KeepsMissing = true
		keeping = newLoading(splits, r)
	}
	fitting := keeping.fitting()
	with := func() *loading {
		r := l.Reading
		r.Declared, r.Own, r.KeepsMissing = fitting, own, l.KeepsMissing || out.AdviseMissing
		next := newLoading(splits, r)
		next.run()
		return next
	}
	after := with()
	if after.fails && own {
		own = false
		after = with()
	}
	if after.fails && !l.cells() {
		at := map[string]int{}
		for i, f := range fitting {
			at[pointerTo("", f.Name)] = i
		}
		for _, t := range after.troubles {
			if i, ok := at[columnOf(t.Pointer)]; ok {
				fitting[i].Type = Type{Dtype: dtypeJSON}
			}
		}
		after = with()
	}
	if after.fails && !l.fails {
		return
	}
	out.Advised, out.AdviseOwn = fitting, own
	type kind struct {
		code    finding.Code
		pointer string
		split   int
	}
	still := map[kind]bool{}
	for _, t := range after.troubles {
		still[kind{t.Code, t.Pointer, t.Split}] = true
	}
	for i := range out.Troubles {
		t := &out.Troubles[i]
		if t.Severity != finding.Note && !still[kind{t.Code, t.Pointer, t.Split}] {
			t.Cure = cure(t.Code, own, out.AdviseMissing)
		}
	}
}

// columnOf is the pointer to the column that a pointer leads into, "" for the row itself.
func columnOf(pointer string) string {
	if pointer == "" {
		return ""
	}
	name, _, _ := strings.Cut(pointer[1:], "/")
	return "/" + name
}

func cure(code finding.Code, own, missing bool) string {
	switch {
	case code == finding.LoaderMissingText && missing:
		return "`hfpub card` writes keep_default_na: false into the config, so that only empty cells are missing"
	case own:
		return "`hfpub card` declares features inside the config, where they keep the cells as they are written"
	}
	return "`hfpub card` declares features that hold for all data, which cures it"
}

// fitting are the features that hold for all data and keep as much of it as they can.
func (l *loading) fitting() Features {
	out := Features{}
	for _, m := range l.whole.members {
		t := m.advised()
		if l.cells() && l.losesZeros(m.name) {
			t = Type{Dtype: dtypeString}
		}
		out = append(out, Feature{m.name, t})
	}
	return out
}

// advised is the type to declare: where only keys differ a struct with all of them, unless most objects lack most of them or
// they are many; and where every date has a zone, times in UTC.
func (s *sketch) advised() Type {
	k := s.all
	switch {
	case s.cells || s.wide || k.mixed():
		return s.typ()
	case k.has(isObject):
		if s.differ && !s.fewKeys() {
			return Type{Dtype: dtypeJSON}
		}
		fields := []Feature{}
		for _, m := range s.members {
			fields = append(fields, Feature{m.name, m.advised()})
		}
		return Type{Struct: fields}
	case k.has(isList) && s.element != nil:
		element := s.element.advised()
		return Type{List: &element}
	case k.only(isZoned):
		return Type{Dtype: "timestamp[s, tz=UTC]"}
	}
	return s.typ()
}

// fewKeys says that objects of different keys are of one kind after all.
func (s *sketch) fewKeys() bool {
	if len(s.members) == 0 || len(s.members) > maxMembers {
		return false
	}
	var present int64
	for _, m := range s.members {
		present += m.present
	}
	return 2*present >= s.objects*int64(len(s.members))
}

// losesZeros says that a CSV column of numbers has cells with zeros before their digits.
func (l *loading) losesZeros(name string) bool {
	return slices.ContainsFunc(l.splits, func(o *Observer) bool {
		f := o.root.at(0, []byte(name))
		return f != nil && slices.ContainsFunc(o.variants(f), func(v variant) bool {
			return v.kinds.has(isPadded) && v.kinds.cells().only(isNumber)
		})
	})
}

// wantsOwn says that the features of a CSV config should stand in it: all files have the same columns, and something is
// lost or fails otherwise.
func (l *loading) wantsOwn() bool {
	var names []string
	for i, o := range l.splits {
		for j, set := range o.allSets().list {
			switch {
			case i == 0 && j == 0:
				names = set.names
			case !slices.Equal(names, set.names):
				return false
			}
		}
	}
	return slices.ContainsFunc(l.troubles, func(t Trouble) bool { return t.Severity != finding.Note && t.Code != finding.LoaderMissingText })
}

// wantsMissing says that the config should tell the reader that only empty cells are missing: texts such as NA stand in
// columns of texts, and in no others, where they would make texts of numbers.
func (l *loading) wantsMissing() bool {
	words := slices.ContainsFunc(l.troubles, func(t Trouble) bool {
		return t.Code == finding.LoaderMissingText && t.Severity == finding.Warning
	})
	return words && !slices.ContainsFunc(l.troubles, func(t Trouble) bool {
		return t.Code == finding.LoaderMissingText && t.Severity == finding.Note
	})
}
