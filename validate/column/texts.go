package column

import "github.com/hfpub/hfpub/validate/rows/tape"

// texts counts distinct short texts until there are too many.
type texts struct {
	counts []ValueCount
	// known is what is known of each, by index plus one; the first is that of no text.
	known []knownText
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
		if i < 0 || t.known[i+1].textMark == m && (len(text) <= wholeMark || t.counts[i].Text == string(text)) {
			return i, slot
		}
	}
}

// knownText is what a text is to pandas and Arrow: its kind, the length in which pandas writes it, and that in a Json column.
type knownText struct {
	textMark
	kind            kinds
	encoded, stored int
}

func know(text []byte, m textMark) knownText {
	size := decodedSize(text).encoded + quotes
	known := knownText{m, kindOfText(text), size, size}
	if selfEncoded(text) {
		known.stored = len(text)
	}
	return known
}

// textCounts counts texts by their indexes plus one, and nulls.
type textCounts [maxValues + 2]int

const nullText = maxValues + 1

// see finds a string without escapes that is known, of such kinds. It returns its index plus one; 0 for any other. n is its node.
func (t *texts) see(doc *tape.Tape, n *tape.Node, of kinds) int {
	start, end := n.Span()
	if t.slots == nil || n.Kind() != tape.String || n.Escaped() || end < wordBytes {
		return 0
	}
	head, tail := endsIn(doc.Text, start, end)
	i, _ := t.find(doc.Text[start:end], textMark{head, tail, end - start})
	if i < 0 || !of.has(t.known[i+1].kind) {
		return 0
	}
	return i + 1
}

// endsIn returns the head and the tail of the mark of a part of a text, which ends behind its first word. It takes no branch by the length.
func endsIn(text []byte, start, end int) (head, tail uint64) {
	rest := wordBytes - (end - start)
	rest &^= rest >> 63 // 0 for longer ones
	head = fullWordAt(text, start-rest) >> (8 * rest)
	tail = fullWordAt(text, end-wordBytes) >> (8 * rest) << (8 * rest)
	return head, tail
}

// count counts strings without escapes that are known, of such kinds, and nulls, if those too, up to the first value that is anything else.
func (t *texts) count(counts *textCounts, v values, of kinds, nulls bool) (count int) {
	if t.slots == nil {
		return 0
	}
	accepted := uint(1 << tape.String)
	if nulls {
		accepted |= 1 << tape.Null
	}
	for left := v; ; {
		count += t.countShort(counts, left, of, accepted)
		if count == v.limit {
			return count
		}
		left.node, left.limit = v.node+count*v.stride, v.limit-count
		which := t.see(v.doc, &v.doc.Nodes[left.node], of)
		if which == 0 {
			return count
		}
		counts[which]++
		if count++; count == v.limit {
			return count
		}
		left.node, left.limit = left.node+v.stride, left.limit-1
	}
}

// countShort is count for nearly all texts, with the kinds of nodes that are accepted: those of at most wholeMark bytes that are in the first
// of their slots. No branch depends on the text, its length, or a null, which a processor cannot foretell.
func (t *texts) countShort(counts *textCounts, v values, of kinds, accepted uint) int {
	nodes, at, text, slots, known := v.nodes(), uint(v.node), v.doc.Text, t.slots, t.known
	for ; at < uint(len(nodes)); at += uint(v.stride) {
		n := &nodes[at]
		start, end := n.Span()
		if accepted>>n.Kind()&1 == 0 || n.Escaped() || end < wordBytes {
			break
		}
		length := end - start
		head, tail := endsIn(text, start, end)
		which := slots[slotOf(head, tail, length)]
		k := &known[which]
		unlike := k.head ^ head | k.tail ^ tail | uint64(k.length^length) | uint64(k.kind&^of)
		if n.Kind() == tape.Null {
			unlike = 0
		}
		if n.Kind() == tape.Null {
			which = nullText
		}
		if unlike != 0 || length > wholeMark {
			break
		}
		counts[which]++
	}
	return v.before(at)
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
		t.known = append(t.known, knownText{textMark: textMark{length: -1}})
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
	t.known = append(t.known, know(text, m))
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
