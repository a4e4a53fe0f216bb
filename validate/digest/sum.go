package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// sum is an integer modulo 2^256, lowest word first.
type sum [4]uint64

// sumOf reads the hash that h begins with as a big-endian integer.
func sumOf(h []byte) sum {
	_ = h[sha256.Size-1]
	var s sum
	for i := range s {
		s[3-i] = binary.BigEndian.Uint64(h[8*i:])
	}
	return s
}

func (s *sum) add(n sum) {
	var carry uint64
	for i := range s {
		s[i], carry = bits.Add64(s[i], n[i], carry)
	}
}

// String writes the sum as 64 hex digits.
func (s sum) String() string { return fmt.Sprintf("%016x%016x%016x%016x", s[3], s[2], s[1], s[0]) }
