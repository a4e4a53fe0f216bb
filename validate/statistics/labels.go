package statistics

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

const (
	// maxLabels is how many distinct texts a column of labels has at most, to the viewer.
	maxLabels = 1000
	// maxLabelBytes is how many bytes the distinct texts of a column may have together before only their beginnings are kept.
	maxLabelBytes = 8 << 20
	// keptBytes is how many bytes such a beginning has at most.
	keptBytes = 256
)

// label is a distinct text and how often it was seen.
type label struct {
	text string
	// chars and size are its length in characters and in bytes, hash is its hash; cut says that text is its beginning only.
	chars, size int
	hash        uint64
	cut         bool
	count       int64
}

// labels counts distinct texts one by one.
type labels struct {
	entries []label
	// index finds entries by hash: their number from 1. It is twice as long as there may be entries.
	index [1 << indexBits]uint16
	// bytes is the length of the distinct texts together.
	bytes int
	// beginnings says that only the beginnings of texts are kept.
	beginnings bool
}

// indexBits makes the index twice as long as maxLabels.
const indexBits = 11

// add counts a text n times; false when there is no room for one more distinct text.
func (l *labels) add(text []byte, chars int, n int64) bool {
	return l.count(label{text: "", chars: chars, size: len(text), hash: xxhash.Sum64(text), count: n}, text)
}

// count counts a label, whose text may stand in bytes only.
func (l *labels) count(next label, text []byte) bool {
	at := next.hash >> (64 - indexBits)
	for ; l.index[at] != 0; at = (at + 1) % uint64(len(l.index)) {
		if e := &l.entries[l.index[at]-1]; e.is(next, text) {
			e.count += next.count
			return true
		}
	}
	if len(l.entries) == maxLabels {
		return false
	}
	if text != nil {
		next.text = string(text)
	}
	l.bytes += next.size
	l.entries = append(l.entries, next)
	l.index[at] = uint16(len(l.entries))
	if l.beginnings {
		l.entries[len(l.entries)-1].shorten()
	} else if l.bytes > maxLabelBytes {
		l.shorten()
	}
	return true
}

// is says that two labels are the same text, as far as that is kept.
func (e *label) is(next label, text []byte) bool {
	if e.hash != next.hash || e.size != next.size {
		return false
	}
	switch {
	case e.cut || next.cut:
		return true
	case text != nil:
		return e.text == string(text)
	}
	return e.text == next.text
}

// shorten keeps the beginnings of texts only.
func (l *labels) shorten() {
	l.beginnings = true
	for i := range l.entries {
		l.entries[i].shorten()
	}
}

func (e *label) shorten() {
	if len(e.text) <= keptBytes {
		return
	}
	end := keptBytes
	for end > 0 && !utf8.RuneStart(e.text[end]) {
		end--
	}
	e.text, e.cut = strings.Clone(e.text[:end]), true
}

// sorted are the labels from the most frequent to the rarest, equally frequent ones by their text.
func (l *labels) sorted() []label {
	out := slices.Clone(l.entries)
	slices.SortFunc(out, func(a, b label) int {
		switch {
		case a.count != b.count:
			return cmp.Compare(b.count, a.count)
		case a.text != b.text:
			return strings.Compare(a.text, b.text)
		}
		return cmp.Compare(a.hash, b.hash)
	})
	return out
}
