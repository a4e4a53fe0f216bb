package statistics

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

const (
	// maxLabels is how many distinct texts a column of labels has at most, to the viewer.
	maxLabels = 1000
	// maxLabelBytes is how many bytes the distinct texts of a column may have together before only their beginnings are kept.
	maxLabelBytes = 4 << 20
	// keptBytes is how many bytes such a beginning has at most.
	keptBytes = 256
)

// label is a distinct text and how often it was seen.
type label struct {
	// chars and size are the text's length in characters and in bytes, hash is its hash.
	chars, size int
	hash        uint64
	count       int64
	// start and end are where the text stands among those of all labels, if it is kept whole; cut says that its beginning is.
	start, end int
	cut        bool
}

// labelOf is a text that was seen so often.
func labelOf(text []byte, chars int, count int64) label {
	return label{chars: chars, size: len(text), hash: xxhash.Sum64(text), count: count}
}

// labels counts distinct texts one by one.
type labels struct {
	entries []label
	// kept are the texts of the entries.
	kept []byte
	// index finds entries by hash: their number from 1. It is twice as long as there may be entries.
	index [1 << indexBits]uint16
	// bytes is the length of the distinct texts together.
	bytes int
	// beginnings says that only the beginnings of texts are kept.
	beginnings bool
}

// indexBits makes the index twice as long as maxLabels.
const indexBits = 11

// text is what is kept of a label's text.
func (l *labels) text(e *label) []byte { return l.kept[e.start:e.end:e.end] }

// count counts a label, of whose text at least the beginning is given; false when there is no room for one more.
func (l *labels) count(next label, text []byte) bool {
	at := next.hash >> (64 - indexBits)
	for ; l.index[at] != 0; at = (at + 1) % uint64(len(l.index)) {
		if e := &l.entries[l.index[at]-1]; l.same(e, next, text) {
			e.count += next.count
			return true
		}
	}
	if len(l.entries) == maxLabels {
		return false
	}
	if l.beginnings {
		text, next.cut = beginning(text, next.size)
	}
	next.start = len(l.kept)
	l.kept = append(l.kept, text...)
	next.end = len(l.kept)
	l.bytes += next.size
	l.entries = append(l.entries, next)
	l.index[at] = uint16(len(l.entries))
	if l.bytes > maxLabelBytes {
		l.shorten()
	}
	return true
}

// same says that two labels are the same text, as far as that is kept.
func (l *labels) same(e *label, next label, text []byte) bool {
	return e.hash == next.hash && e.size == next.size && (e.cut || next.cut || bytes.Equal(l.text(e), text))
}

// shorten keeps the beginnings of texts only.
func (l *labels) shorten() {
	if l.beginnings {
		return
	}
	l.beginnings = true
	var kept []byte
	for i := range l.entries {
		e := &l.entries[i]
		var text []byte
		text, e.cut = beginning(l.text(e), e.size)
		e.start = len(kept)
		kept = append(kept, text...)
		e.end = len(kept)
	}
	l.kept = kept
}

// beginning is what is kept of a text of so many bytes; cut says that it is not all.
func beginning(text []byte, size int) (kept []byte, cut bool) {
	if size <= keptBytes {
		return text, false
	}
	end := min(keptBytes, len(text))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], true
}

func (l *labels) clone() *labels {
	out := *l
	out.entries, out.kept = slices.Clone(l.entries), slices.Clone(l.kept)
	return &out
}

// sorted are the labels from the most frequent to the rarest, equally frequent ones by their text.
func (l *labels) sorted() []label {
	out := slices.Clone(l.entries)
	slices.SortFunc(out, func(a, b label) int {
		return cmp.Or(cmp.Compare(b.count, a.count), bytes.Compare(l.text(&a), l.text(&b)), cmp.Compare(a.hash, b.hash))
	})
	return out
}
