package shape

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// is says that a value of a row equals one of the schema: numbers by their exact value, objects whatever the order of their
// keys.
func (n *node) is(v tape.Value) bool {
	if n.kind != v.Kind() {
		return false
	}
	switch n.kind {
	case tape.Number:
		a, b := decimalOf([]byte(n.text)), decimalOf(v.Raw())
		return a.compare(&b) == 0
	case tape.String:
		return textIs(v, n.text)
	case tape.Array:
		if len(n.children) != v.Len() {
			return false
		}
		for i, element := range v.Elements() {
			if !n.children[i].is(element) {
				return false
			}
		}
	case tape.Object:
		if len(n.children) != v.Len() {
			return false
		}
		return n.isObject(v)
	}
	return true
}

// isObject compares objects of the same size. A key mostly stands in the same place in both.
func (n *node) isObject(v tape.Value) bool {
	i := 0
	for key, value := range v.Members() {
		child := n.children[i]
		if i++; !textIs(key, child.token) {
			var present bool
			if value, present = v.Get(child.token); !present {
				return false
			}
		}
		if !child.is(value) {
			return false
		}
	}
	return true
}

// textIs says that a string has a certain text.
func textIs(v tape.Value, text string) bool {
	if !v.Escaped() {
		return string(v.Raw()) == text
	}
	return v.Text() == text
}

// equal says that two values of a row are equal.
func equal(a, b tape.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case tape.Number:
		if bytes.Equal(a.Raw(), b.Raw()) {
			return true
		}
		x, y := decimalOf(a.Raw()), decimalOf(b.Raw())
		return x.compare(&y) == 0
	case tape.String:
		return equalTexts(a, b)
	case tape.Array:
		return equalArrays(a, b)
	case tape.Object:
		return equalObjects(a, b)
	}
	return true
}

func equalTexts(a, b tape.Value) bool {
	if !a.Escaped() && !b.Escaped() {
		return bytes.Equal(a.Raw(), b.Raw())
	}
	return bytes.Equal(a.Raw(), b.Raw()) || a.Text() == b.Text()
}

func equalArrays(a, b tape.Value) bool {
	n := a.Len()
	if n != b.Len() {
		return false
	}
	x, y := a.First(), b.First()
	for range n {
		if !equal(x, y) {
			return false
		}
		x, y = x.After(), y.After()
	}
	return true
}

// equalObjects looks a key of one object up where it stands in the other, which is mostly the same place.
func equalObjects(a, b tape.Value) bool {
	n := a.Len()
	if n != b.Len() {
		return false
	}
	x, y := a.First(), b.First()
	for range n {
		valueOfX, valueOfY := x.After(), y.After()
		if !equalTexts(x, y) {
			other, present := b.Get(x.Text())
			if !present || !equal(valueOfX, other) {
				return false
			}
		} else if !equal(valueOfX, valueOfY) {
			return false
		}
		x, y = valueOfX.After(), valueOfY.After()
	}
	return true
}

// uniqueTable finds equal elements of an array by their hashes. Even for three that takes less than to compare each with
// each.
type uniqueTable struct {
	seed   maphash.Seed
	seeded bool
	// slots are the elements by hash, with open addresses, at most half full; 0 is a free slot, else the index plus one.
	slots   []uint32
	hashes  []uint64
	scratch []byte
}

// find returns the indexes of the first element of an array that equals an earlier one, and of that one.
func (u *uniqueTable) find(v tape.Value) (first, second int, found bool) {
	n := v.Len()
	if n < 2 {
		return 0, 0, false
	}
	if !u.seeded {
		u.seed, u.seeded = maphash.MakeSeed(), true
	}
	size := 1 << bits.Len(uint(2*n-1))
	u.slots = slices.Grow(u.slots[:0], size)[:size]
	clear(u.slots)
	u.hashes = slices.Grow(u.hashes[:0], n)[:n]
	for j, element := range v.Elements() {
		hash := u.hash(element)
		u.hashes[j] = hash
		slot := hash & uint64(size-1)
		for u.slots[slot] != 0 {
			i := int(u.slots[slot] - 1)
			if u.hashes[i] == hash && equal(elementAt(v, i), element) {
				return i, j, true
			}
			slot = (slot + 1) & uint64(size-1)
		}
		u.slots[slot] = uint32(j + 1)
	}
	return 0, 0, false
}

// elementAt walks to the element at an index.
func elementAt(v tape.Value, index int) tape.Value {
	element := v.First()
	for range index {
		element = element.After()
	}
	return element
}

// hash is the same for equal values.
func (u *uniqueTable) hash(v tape.Value) uint64 {
	kind := v.Kind()
	switch kind {
	case tape.Number:
		d := decimalOf(v.Raw())
		u.scratch = d.appendExact(u.scratch[:0])
		return maphash.Bytes(u.seed, u.scratch)
	case tape.String:
		return u.text(v)
	case tape.Array:
		sum := uint64(kind)
		for _, element := range v.Elements() {
			sum = u.mix(sum, u.hash(element))
		}
		return sum
	case tape.Object:
		sum := uint64(kind)
		for key, value := range v.Members() {
			sum += u.mix(u.text(key), u.hash(value))
		}
		return u.mix(sum, uint64(kind))
	}
	return u.mix(uint64(kind), 0)
}

func (u *uniqueTable) text(v tape.Value) uint64 {
	if !v.Escaped() {
		return maphash.Bytes(u.seed, v.Raw())
	}
	u.scratch = v.AppendText(u.scratch[:0])
	return maphash.Bytes(u.seed, u.scratch)
}

func (u *uniqueTable) mix(a, b uint64) uint64 {
	var pair [16]byte
	binary.LittleEndian.PutUint64(pair[:8], a)
	binary.LittleEndian.PutUint64(pair[8:], b)
	return maphash.Bytes(u.seed, pair[:])
}

// appendExact appends a text that equal numbers share.
func (d *decimal) appendExact(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	for _, c := range d.digits {
		if c != '.' {
			dst = append(dst, c)
		}
	}
	dst = append(dst, 'e')
	return binary.LittleEndian.AppendUint64(dst, uint64(d.exponent))
}
