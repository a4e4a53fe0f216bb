package sha256pair

import "crypto/sha256"

// lanes is how many texts are hashed at once where the processor can do one step for sixteen words. Short texts that no stream goes along with take
// less than half of the time so (BenchmarkShort).
const lanes = 16

const (
	// longestWide is the length of the longest text, with what is added, that is hashed so.
	longestWide = 4096
	// worthWide is how many times the length of the longest text the texts have to have together: about eight take as long two by two.
	worthWide = 10
)

// sixteen are texts that are hashed at once: where each begins, and how many blocks of it are left.
type sixteen struct{ starts, blocks [lanes]uint32 }

// hashSixteens hashes the next texts sixteen at once, as long as that is faster than two by two.
func (b *Batch) hashSixteens() {
	for wide && b.hashed+lanes <= len(b.texts) {
		texts := b.texts[b.hashed : b.hashed+lanes]
		of, ok := gather(texts)
		if !ok {
			return
		}
		compressSixteen(&b.padded[texts[0].start], &of, &b.sums[b.hashed*sha256.Size])
		b.hashed += lanes
	}
}

// gather is false for texts that are hashed faster two by two, or that have their hash.
func gather(texts []text) (of sixteen, ok bool) {
	sum, most := 0, 0
	for i := range of.starts {
		t := &texts[i]
		if t.padded == 0 || t.padded > longestWide {
			return of, false
		}
		of.starts[i] = uint32(t.start - texts[0].start)
		of.blocks[i] = uint32(t.padded / blockSize)
		sum += t.padded
		most = max(most, t.padded)
	}
	return of, sum >= worthWide*most
}
