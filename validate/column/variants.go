package column

import (
	"slices"
	"strings"
)

// mark says on which line kinds of values, or null, first stand in a block of a batch of a field.
type mark struct {
	kinds kinds
	line  int
	// block is the one in which Arrow reads the value; see [blockOf].
	block int
}

// mark keeps where a value first added to the kinds of its block of the batch, or where the first null stands before any value.
func (b *batch) mark(m mark) {
	if b.first.line == 0 {
		b.first = m
		return
	}
	b.more = append(b.more, m)
}

// addMarks takes over the marks of the rows that follow, as far as they say something new. It goes before the kinds are added.
func (b *batch) addMarks(next *batch) {
	if next.first.line == 0 {
		return
	}
	empty := b.present == 0
	for i := -1; i < len(next.more); i++ {
		m := next.first
		if i >= 0 {
			m = next.more[i]
		}
		if m.kinds &^= b.inBlock(m.block); m.kinds != 0 || empty {
			b.mark(m)
			empty = false
		}
	}
}

// maxVariants is how many different variants of a field, and how many different sets of columns, are told apart.
const maxVariants = 256

// variant is what some batches of a field have in common: the loader does the same with all of them.
type variant struct {
	kinds kinds
	// single says that the batch has one row; after, that the kinds were mixed in a batch before it; refused, of the
	// row field, that pandas cannot read a number in it.
	single, after, refused bool
	// batches counts them. path is the file of the first one, first and more are the marks in it.
	batches int64
	path    string
	first   mark
	more    []mark
}

func (b *batch) variant(kinds kinds, path string) variant {
	return variant{kinds: kinds, refused: b.refused, batches: 1, path: path, first: b.first, more: b.more}
}

func (v *variant) like(other *variant) bool {
	return v.kinds == other.kinds && v.single == other.single && v.after == other.after && v.refused == other.refused
}

// place is where the first value of the given kinds stands; of any value, where there are none such.
func (v *variant) place(of kinds) Place {
	if v.first.kinds.has(of) {
		return Place{v.path, v.first.line}
	}
	for _, m := range v.more {
		if m.kinds.has(of) {
			return Place{v.path, m.line}
		}
	}
	return Place{v.path, v.first.line}
}

// variants are those of a field in the order of their first batches; many says that there were too many to tell them apart.
type variants struct {
	list []variant
	many bool
}

func (s *variants) add(v variant) {
	if s.many {
		return
	}
	for i := range s.list {
		if s.list[i].like(&v) {
			s.list[i].batches += v.batches
			return
		}
	}
	if len(s.list) == maxVariants {
		*s = variants{many: true}
		return
	}
	s.list = append(s.list, v)
}

// merge takes over those of the batches that follow.
func (s *variants) merge(next *variants, after bool) {
	if next.many {
		*s = variants{many: true}
	}
	for _, v := range next.list {
		v.after = v.after || after
		s.add(v)
	}
}

// columnSet is which columns some batches have.
type columnSet struct {
	// names are sorted.
	names   []string
	batches int64
	// first is the first row of the first such batch.
	first Place
}

// columnSets are the different ones of complete batches, in the order of their first batches; see variants.
type columnSets struct {
	list []columnSet
	many bool
}

func (s *columnSets) add(set columnSet) {
	if s.many {
		return
	}
	for i := range s.list {
		if slices.Equal(s.list[i].names, set.names) {
			s.list[i].batches += set.batches
			return
		}
	}
	if len(s.list) == maxVariants {
		*s = columnSets{many: true}
		return
	}
	s.list = append(s.list, set)
}

func (s *columnSets) merge(next *columnSets) {
	if next.many {
		*s = columnSets{many: true}
	}
	for _, set := range next.list {
		s.add(set)
	}
}

// headBatch and tailBatch pick the outer batches of a field.
func headBatch(f *field) *batch { return &f.head }
func tailBatch(f *field) *batch { return &f.tail }

// columnsOf is the set of columns of a batch of the rows.
func columnsOf(root *field, path string, pick func(*field) *batch) columnSet {
	set := columnSet{batches: 1, first: Place{path, pick(root).first.line}}
	for _, m := range root.members {
		if pick(m).present > 0 {
			set.names = append(set.names, m.name)
		}
	}
	slices.SortFunc(set.names, strings.Compare)
	return set
}

// union is the set of columns of a batch of which two runs saw a part each.
func (s columnSet) union(next columnSet) columnSet {
	s.names = append(s.names, next.names...)
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
	return s
}
