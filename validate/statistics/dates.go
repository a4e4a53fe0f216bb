package statistics

import "math/bits"

// dates counts the instants of texts by every format that fits all of them.
type dates struct {
	any bool
	// left has a bit for each of dateFormats that fits; instants are counted for each, in the order of the formats.
	left     uint32
	instants []*tally
	// fine has the bit of a format by which some instant is no whole second.
	fine uint32
}

// keyOfInstant is the key of microseconds since 1970.
func keyOfInstant(micros int64) uint64 { return uint64(micros) ^ 1<<63 }

func instantOfKey(key uint64) int64 { return int64(key ^ 1<<63) }

func (d *dates) add(text []byte, n uint64) {
	if !d.any {
		d.any, d.left = true, allFormats
		for range dateFormats {
			d.instants = append(d.instants, nil)
		}
	}
	for left := d.left; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left)
		at, ok := dateFormats[i].read(text, false)
		if !ok {
			d.exclude(i)
			continue
		}
		if at.micros%second != 0 {
			d.fine |= 1 << i
		}
		if d.instants[i] == nil {
			d.instants[i] = &tally{instants: true}
		}
		d.instants[i].add(keyOfInstant(at.micros), n)
	}
}

func (d *dates) exclude(i int) {
	d.left &^= 1 << i
	d.fine &^= 1 << i
	d.instants[i] = nil
	if d.left == 0 {
		d.instants = nil
	}
}

func (d *dates) seal() {
	for _, t := range d.instants {
		if t != nil {
			t.seal()
		}
	}
}

func (d *dates) merge(next *dates, limit int) {
	if !next.any {
		return
	}
	if !d.any {
		*d = *next
		return
	}
	for left := d.left &^ next.left; left != 0; left &= left - 1 {
		d.exclude(bits.TrailingZeros32(left))
	}
	d.fine |= next.fine & d.left
	for left := d.left; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left)
		d.instants[i].merge(next.instants[i], limit)
	}
}
