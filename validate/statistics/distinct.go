package statistics

import (
	"math"
	"math/bits"
)

const (
	// registerBits is the logarithm of the number of registers, which makes the error of estimates 1.15 % (one standard
	// deviation).
	registerBits = 13
	// maxLoose is how many hashes are kept before there are registers: a short run of rows needs none.
	maxLoose = 512
)

// distinct estimates how many distinct values there are from their hashes: a HyperLogLog, whose registers depend on the values
// alone. Small numbers are counted exactly by whoever uses it, before they hash anything.
type distinct struct {
	loose     []uint64
	registers []uint8
}

func (d *distinct) add(hash uint64) {
	if d.registers != nil {
		d.raise(hash)
		return
	}
	d.loose = append(d.loose, hash)
	if len(d.loose) > maxLoose {
		d.settle()
	}
}

// settle moves loose hashes into registers.
func (d *distinct) settle() {
	if d.registers == nil {
		d.registers = make([]uint8, 1<<registerBits)
	}
	for _, hash := range d.loose {
		d.raise(hash)
	}
	d.loose = nil
}

func (d *distinct) raise(hash uint64) {
	r := &d.registers[hash>>(64-registerBits)]
	rank := uint8(bits.LeadingZeros64(hash<<registerBits|1<<(registerBits-1))) + 1
	*r = max(*r, rank)
}

func (d *distinct) merge(next *distinct) {
	for _, hash := range next.loose {
		d.add(hash)
	}
	if next.registers == nil {
		return
	}
	d.settle()
	for i, rank := range next.registers {
		d.registers[i] = max(d.registers[i], rank)
	}
}

func (d *distinct) clone() distinct {
	return distinct{append([]uint64(nil), d.loose...), append([]uint8(nil), d.registers...)}
}

// estimate is about how many distinct values there were (Otmar Ertl, New cardinality estimation algorithms for HyperLogLog
// sketches, 2017, algorithm 6). Products are rounded before they are added, so that all machines agree.
func (d *distinct) estimate() int64 {
	d.settle()
	const (
		m     = float64(1 << registerBits)
		ranks = 64 - registerBits
	)
	var counts [ranks + 2]float64
	for _, rank := range d.registers {
		counts[rank]++
	}
	z := float64(m * tau(1-counts[ranks+1]/m))
	for k := ranks; k >= 1; k-- {
		z = 0.5 * (z + counts[k])
	}
	z += float64(m * sigma(counts[0]/m))
	return int64(math.Round(m / (2 * math.Ln2) * m / z))
}

func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for before := math.NaN(); z != before; {
		x *= x
		before = z
		z += float64(x * y)
		y += y
	}
	return z
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for before := math.NaN(); z != before; {
		x = math.Sqrt(x)
		before = z
		y *= 0.5
		z -= float64(float64((1-x)*(1-x)) * y)
	}
	return z / 3
}
