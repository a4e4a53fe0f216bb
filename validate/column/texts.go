package column

import (
	"encoding/binary"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// texts counts distinct short texts until there are too many.
type texts struct {
	counts []ValueCount
	// marks tell most of the texts apart. sizes are the lengths in which pandas writes them between quotes; 0 for one that may be more
	// than a text to Arrow or pandas, and for the empty one.
	marks []textMark
	sizes []int
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

// see counts a part of a text when it is known to be nothing else than a text, and returns the length in which pandas writes it between
// quotes; else 0. It is markOf and find for nearly all texts, without a branch by the length, which a processor cannot foretell.
func (t *texts) see(text []byte, start, end int) (size int) {
	if t.slots == nil {
		return 0
	}
	var m textMark
	if start+wordBytes > len(text) || end < wordBytes {
		m = markOf(text[start:end])
	} else {
		size := min(end-start, wordBytes)
		m.head = binary.LittleEndian.Uint64(text[start:]) & lowest[size]
		m.tail = binary.LittleEndian.Uint64(text[end-wordBytes:]) &^ lowest[wordBytes-size]
		m.length = end - start
	}
	i := int(t.slots[m.slot()]) - 1
	if i < 0 {
		return 0
	}
	if t.marks[i] != m || m.length > wholeMark && t.counts[i].Text != string(text[start:end]) {
		if i, _ = t.find(text[start:end], &m); i < 0 {
			return 0
		}
	}
	if size = t.sizes[i]; size > 0 {
		t.counts[i].Count++
	}
	return size
}

// sizeOfText is what texts.sizes holds of a text.
func sizeOfText(text []byte) int {
	if len(text) == 0 || firstBytes[text[0]]&secondBytes[append(text[:len(text):len(text)], '"')[1]] != 0 {
		return 0
	}
	return decodedSize(text).encoded
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
	t.sizes = append(t.sizes, sizeOfText(text))
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
