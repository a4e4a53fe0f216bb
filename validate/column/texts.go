package column

import "encoding/binary"

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

// textMark is the length of a text with bytes of it: all up to wholeMark.
type textMark struct {
	head, tail uint64
	length     int
}

// wholeMark is up to how many bytes a textMark tells texts apart for sure.
const wholeMark = 16

func markOf(s []byte) textMark {
	m := textMark{length: len(s)}
	switch n := len(s); {
	case n >= 8:
		m.head, m.tail = binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[n-8:])
	case n >= 4:
		m.head = uint64(binary.LittleEndian.Uint32(s)) | uint64(binary.LittleEndian.Uint32(s[n-4:]))<<32
	case n > 0:
		m.head = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	return m
}

// slot is where a text is looked for first.
func (m *textMark) slot() uint64 {
	const mixer = 0x9E3779B97F4A7C15
	return ((m.head*mixer ^ m.tail + uint64(m.length)) * mixer) >> (64 - slotBits)
}

// find returns the index of a text, and the slot in which it is or could be; -1 when it is new.
func (t *texts) find(text []byte, m textMark) (i int, slot uint64) {
	for slot = m.slot(); ; slot = (slot + 1) % slotCount {
		i = int(t.slots[slot]) - 1
		if i < 0 || t.marks[i] == m && (len(text) <= wholeMark || t.counts[i].Text == string(text)) {
			return i, slot
		}
	}
}

// see counts a text that is known.
func (t *texts) see(text []byte) bool {
	if t.slots == nil {
		return false
	}
	i, _ := t.find(text, markOf(text))
	if i < 0 {
		return false
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
	i, slot := t.find(text, m)
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
