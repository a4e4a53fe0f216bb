package digest

import (
	"crypto/sha256"
	"testing"
)

// BenchmarkSum adds the hashes of 128 rows.
func BenchmarkSum(b *testing.B) {
	hashes := make([]byte, 128*sha256.Size)
	for i := range hashes {
		hashes[i] = byte(7 * i)
	}
	var s sum
	for b.Loop() {
		s.addHashes(hashes)
	}
}
