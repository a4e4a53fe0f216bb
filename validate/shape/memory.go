package shape

import (
	"math/bits"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// memory keeps which values of a row fit which schemas. Where schemas branch and share parts, a value may be held against one
// schema on ever so many ways: in a tree of objects of two kinds, where each level is tried as either, on 2^depth. With the
// outcome kept it is held against it once. The zero value is empty.
type memory struct {
	// slots is a table of open addresses, at most half full; 0 is a free slot.
	slots []uint64
	// used are the slots that are not free.
	used []uint32
}

// The parts of a slot: where the value stands in the text, the number of the matcher, that the slot is taken, and the outcome.
const (
	placeBits = 32
	taken     = 1 << 1
	fitted    = 1 << 0
	idShift   = 2
)

func (t *memory) clear() {
	for _, slot := range t.used {
		t.slots[slot] = 0
	}
	t.used = t.used[:0]
}

// recall is holds, once for every schema and value.
func (m *matching) recall(s *matcher, v tape.Value) bool {
	if v.Kind() < tape.Array {
		return m.holds(s, v, v.Kind())
	}
	key := uint64(v.Offset())<<placeBits | uint64(s.id)<<idShift | taken
	if slot := m.memory.find(key); slot >= 0 && m.memory.slots[slot] != 0 {
		return m.memory.slots[slot]&fitted != 0
	}
	fits := m.holds(s, v, v.Kind())
	if fits {
		key |= fitted
	}
	m.memory.add(key)
	return fits
}

// find returns the slot of a key, or the free one where it belongs; -1 while there is no table.
func (t *memory) find(key uint64) int {
	if len(t.slots) == 0 {
		return -1
	}
	mask := len(t.slots) - 1
	slot := int(mixed(key&^fitted)) & mask
	for t.slots[slot] != 0 && t.slots[slot]&^fitted != key&^fitted {
		slot = (slot + 1) & mask
	}
	return slot
}

// mixed spreads the bits of a key.
func mixed(key uint64) uint64 {
	high, low := bits.Mul64(key, 0x9E3779B97F4A7C15)
	return high ^ low
}

func (t *memory) add(key uint64) {
	const first = 64
	if 2*len(t.used) >= len(t.slots) {
		old := t.slots
		t.slots, t.used = make([]uint64, max(2*len(old), first)), t.used[:0]
		for _, kept := range old {
			if kept != 0 {
				t.put(kept)
			}
		}
	}
	t.put(key)
}

func (t *memory) put(key uint64) {
	slot := t.find(key)
	t.slots[slot] = key
	t.used = append(t.used, uint32(slot))
}
