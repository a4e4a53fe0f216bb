package shape

import (
	"encoding/binary"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// textSet finds texts by their first and last eight bytes and their length, each in a slot of its own: one look and one comparison
// tell. BenchmarkTextSet sets it beside a map.
type textSet struct {
	slots  []textSlot
	factor uint64
	shift  int
}

type textSlot struct {
	first, last uint64
	// size is the text's length, -1 for no text.
	size int
	text string
	// place is that of the text in the order of all.
	place int
}

const (
	// mostSlots bounds the slots of a textSet, manyTexts its texts.
	mostSlots = 256
	manyTexts = 32
)

// textSetOf puts texts, each of them once, into slots. It is nil where that fails: for very many texts, and for ones that are alike at both ends.
func textSetOf(texts []string) *textSet {
	if len(texts) > manyTexts {
		return nil
	}
	random := uint64(1)
	for shift := 63; 1<<(64-shift) <= mostSlots; shift-- {
		if 1<<(64-shift) < len(texts) {
			continue
		}
		for range 100 {
			random = random*6364136223846793005 + 1442695040888963407
			s := &textSet{factor: random | 1, shift: shift, slots: make([]textSlot, 1<<(64-shift))}
			if s.fill(texts) {
				return s
			}
		}
	}
	return nil
}

// fill puts each text into its slot; false when two have the same.
func (s *textSet) fill(texts []string) bool {
	for i := range s.slots {
		s.slots[i].size = -1
	}
	for place, text := range texts {
		first, last := tape.Ends([]byte(text))
		slot := s.slot(first, last, len(text))
		if slot.size >= 0 {
			return false
		}
		*slot = textSlot{first, last, len(text), text, place}
	}
	return true
}

func (s *textSet) slot(first, last uint64, size int) *textSlot {
	return &s.slots[(first+last<<1+uint64(size))*s.factor>>s.shift&uint64(len(s.slots)-1)]
}

// find returns the place of the text of a string without escapes, -1 if it is not in the set.
func (s *textSet) find(v tape.Value) int {
	raw := v.Raw()
	var first, last uint64
	if start, end := v.Tape().Nodes[v.Node()].Span(); end >= 8 {
		first, last = endsAt(v.Tape().Text, start, end)
	} else {
		first, last = tape.Ends(raw)
	}
	if slot := s.slot(first, last, len(raw)); slot.is(first, last, raw) {
		return slot.place
	}
	return -1
}

// endsAt is [tape.Ends] of what stands in a text, for an end of eight or more. No branch asks whether it is shorter than eight bytes: a
// processor does not always foretell that.
func endsAt(text []byte, start, end int) (first, last uint64) {
	size := end - start
	blank := 64 - 8*min(size, 8)
	return eightAt(text, end-max(size, 8)) >> blank, eightAt(text, end-8) >> blank
}

// eightAt returns the eight bytes of a text at i, the first in the lowest one. That the slice is no longer saves instructions.
func eightAt(text []byte, i int) uint64 { return binary.LittleEndian.Uint64(text[i : i+8 : i+8]) }

// is says that the slot's text is the one with these ends.
func (slot *textSlot) is(first, last uint64, text []byte) bool {
	return slot.first == first && slot.last == last && slot.size == len(text) && (len(text) <= 16 || string(text) == slot.text)
}
