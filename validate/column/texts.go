package column

import (
	"encoding/binary"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// texts counts distinct short texts until there are too many.
type texts struct {
	counts []ValueCount
	// marks tell most of the texts apart. They and traits are by index plus one; the first is that of no text.
	marks  []textMark
	traits []textTraits
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

// slotOf is where a text of such a mark is looked for first.
func slotOf(head, tail uint64, length int) uint64 {
	const mixer = 0x9E3779B97F4A7C15
	return ((head*mixer ^ tail + uint64(length)) * mixer) >> (64 - slotBits)
}

// find returns the index of a text, and the slot in which it is or could be; -1 when it is new.
func (t *texts) find(text []byte, m textMark) (i int, slot uint64) {
	for slot = slotOf(m.head, m.tail, m.length); ; slot = (slot + 1) % slotCount {
		i = int(t.slots[slot]) - 1
		if i < 0 || t.marks[i+1] == m && (len(text) <= wholeMark || t.counts[i].Text == string(text)) {
			return i, slot
		}
	}
}

// textTraits are what a text is to pandas and Arrow.
type textTraits struct {
	textSize
	// stored is its length in a Json column.
	stored int
	kind   kinds
}

func traitsOf(text []byte) textTraits {
	size := decodedSize(text)
	traits := textTraits{textSize{size.runes, size.encoded + quotes}, size.encoded + quotes, kindOfText(text)}
	if selfEncoded(text) {
		traits.stored = len(text)
	}
	return traits
}

// textCounts counts texts by their indexes plus one, and nulls.
type textCounts [maxValues + 2]int

const nullText = maxValues + 1

// see counts a string without escapes that is known, of such kinds. It returns what the text is; nil for any other. n is its node.
func (t *texts) see(doc *tape.Tape, n *tape.Node, of kinds) *textTraits {
	start, end := n.Span()
	if t.slots == nil || n.Escaped() || end < wordBytes {
		return nil
	}
	head, tail := endsIn(doc.Text, start, end)
	i, _ := t.find(doc.Text[start:end], textMark{head, tail, end - start})
	if i < 0 || !of.has(t.traits[i+1].kind) {
		return nil
	}
	t.counts[i].Count++
	return &t.traits[i+1]
}

// endsIn returns the head and the tail of the mark of a part of a text, which ends behind its first word.
func endsIn(text []byte, start, end int) (head, tail uint64) {
	rest := max(wordBytes-(end-start), 0)
	first := start - rest
	head = binary.LittleEndian.Uint64(text[first:]) >> (8 * rest)
	tail = binary.LittleEndian.Uint64(text[end-wordBytes:]) >> (8 * rest) << (8 * rest)
	return head, tail
}

// count counts strings without escapes that are known, of such kinds, and nulls, if those too; the first at a node and each a stride behind the
// one before, until so many are counted or one is of another kind. It is markOf and find for nearly all texts, without a branch by the
// length or for a null, which a processor cannot foretell.
func (t *texts) count(counts *textCounts, doc *tape.Tape, node, stride, limit int, of kinds, nulls bool) (count int) {
	if t.slots == nil {
		return 0
	}
	accepted := uint(1 << tape.String)
	if nulls {
		accepted |= 1 << tape.Null
	}
	nodes, text, slots, marks, traits := doc.Nodes, doc.Text, t.slots, t.marks, t.traits
	for ; count < limit; count, node = count+1, node+stride {
		n := &nodes[node]
		start, end := n.Span()
		if accepted>>n.Kind()&1 == 0 || n.Escaped() || end < wordBytes {
			break
		}
		length := end - start
		head, tail := endsIn(text, start, end)
		which := slots[slotOf(head, tail, length)]
		mark := &marks[which]
		unlike := mark.head ^ head | mark.tail ^ tail | uint64(mark.length^length) | uint64(traits[which].kind&^of)
		if n.Kind() == tape.Null {
			unlike = 0
		}
		if n.Kind() == tape.Null {
			which = nullText
		}
		if unlike != 0 || length > wholeMark {
			i, _ := t.find(text[start:end], textMark{head, tail, length})
			if i < 0 || !of.has(traits[i+1].kind) {
				break
			}
			which = uint8(i + 1)
		}
		counts[which]++
	}
	return count
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
		t.marks, t.traits = append(t.marks, textMark{length: -1}), append(t.traits, textTraits{})
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
	t.traits = append(t.traits, traitsOf(text))
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
