package statistics

import (
	"math"
	"slices"
)

// maxHashes is how many hashes are kept: up to so many distinct values are counted exactly, more within about 1.6 %.
const maxHashes = 4096

// distinct counts distinct values by their hashes, of which it keeps the smallest (Bar-Yossef and others, Counting distinct
// elements in a data stream, 2002). What it keeps depends on the values alone.
type distinct struct {
	// hashes are sorted, and loose those that are not sorted in yet; more says that some were left out.
	hashes, loose []uint64
	more          bool
}

func (d *distinct) add(hash uint64) {
	if d.more && hash >= d.hashes[len(d.hashes)-1] {
		return
	}
	d.loose = append(d.loose, hash)
	if len(d.loose) >= maxHashes {
		d.settle()
	}
}

// settle sorts in what is loose.
func (d *distinct) settle() {
	if len(d.loose) == 0 {
		return
	}
	d.hashes = append(d.hashes, d.loose...)
	d.loose = d.loose[:0]
	slices.Sort(d.hashes)
	d.hashes = slices.Compact(d.hashes)
	if len(d.hashes) > maxHashes {
		d.hashes, d.more = d.hashes[:maxHashes], true
	}
}

func (d *distinct) merge(next *distinct) {
	next.settle()
	d.settle()
	d.loose = append(d.loose, next.hashes...)
	d.more = d.more || next.more
	d.settle()
}

// count is the number of distinct values, and whether that is exact.
func (d *distinct) count() (n int64, exact bool) {
	d.settle()
	if !d.more {
		return int64(len(d.hashes)), true
	}
	kth := float64(d.hashes[len(d.hashes)-1]) + 1
	return int64(math.Round(float64(len(d.hashes)-1) / kth * 0x1p64)), false
}
