package column

import (
	"encoding/binary"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// texts counts distinct short texts until there are too many.
type texts struct {
	counts []ValueCount
	// marks tell most of the texts apart.
	marks []textMark
	// slots are a hash table of the marks by open addresses: 0, or an index plus one. They are so many that a text is nearly always
	// found where it is looked for first: a search from text to text cannot be foretold by a processor.
	slots *[slotCount]uint8
	many  bool
}

const (
	slotBits  = 6
	slotCount = 1 << slotBits
)

// textMark is the length of a text with its first and its last bytes: all up to wholeMark.
type textMark struct {
	// head holds the first bytes, from the lowest on, tail the last ones, up to the highest.
	head, tail uint64
	length     int
}

// wholeMark is up to how many bytes a textMark tells texts apart for sure.
const wholeMark = 2 * wordBytes

func markOf(s []byte) textMark {
	head, tail := tape.Ends(s)
	if len(s) < wordBytes {
		tail <<= 8 * (wordBytes - len(s))
	}
	return textMark{head, tail, len(s)}
}

// markIn is markOf for a part of a text. It takes no branch by the length, which a processor cannot foretell.
func markIn(text []byte, start, end int) textMark {
	if start+wordBytes > len(text) || end < wordBytes {
		return markOf(text[start:end])
	}
	size := min(end-start, wordBytes)
	head, tail := binary.LittleEndian.Uint64(text[start:]), binary.LittleEndian.Uint64(text[end-wordBytes:])
	return textMark{head & lowest[size], tail &^ lowest[wordBytes-size], end - start}
}

// lowest are masks of so many bytes.
var lowest = [wordBytes + 1]uint64{0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff}

// slot is where a text is looked for first.
func (m *textMark) slot() uint64 {
	const mixer = 0x9E3779B97F4A7C15
	return ((m.head*mixer ^ m.tail + uint64(m.length)) * mixer) >> (64 - slotBits)
}

// find returns the index of a text, and the slot in which it is or could be; -1 when it is new.
func (t *texts) find(text []byte, m *textMark) (i int, slot uint64) {
	for slot = m.slot(); ; slot = (slot + 1) % slotCount {
		i = int(t.slots[slot]) - 1
		if i < 0 || t.marks[i] == *m && (len(text) <= wholeMark || t.counts[i].Text == string(text)) {
			return i, slot
		}
	}
}

// see counts a part of a text that is known.
func (t *texts) see(text []byte, start, end int) bool {
	if t.slots == nil {
		return false
	}
	m := markIn(text, start, end)
	i := int(t.slots[m.slot()]) - 1
	if i < 0 {
		return false
	}
	if t.marks[i] != m || m.length > wholeMark && t.counts[i].Text != string(text[start:end]) {
		if i, _ = t.find(text[start:end], &m); i < 0 {
			return false
		}
	}
	t.counts[i].Count++
	return true
}

func (t *texts) add(text []byte) {
	t.insert(text, 1)
}

// insert counts a text so many times.
func (t *texts) insert(text []byte, count int64) {
	switch {
	case t.many:
		return
	case len(text) > maxValueBytes:
		*t = texts{many: true}
		return
	case t.slots == nil:
		t.slots = new([slotCount]uint8)
	}
	m := markOf(text)
	i, slot := t.find(text, &m)
	if i >= 0 {
		t.counts[i].Count += count
		return
	}
	if len(t.counts) == maxValues {
		*t = texts{many: true}
		return
	}
	t.counts = append(t.counts, ValueCount{string(text), count})
	t.marks = append(t.marks, m)
	t.slots[slot] = uint8(len(t.counts))
}

func (t *texts) merge(next *texts) {
	if next.many {
		*t = texts{many: true}
		return
	}
	for _, value := range next.counts {
		t.insert([]byte(value.Text), value.Count)
	}
}

// forget forgets how often the texts were seen.
func (t *texts) forget() {
	for i := range t.counts {
		t.counts[i].Count = 0
	}
}
