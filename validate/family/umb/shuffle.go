package umb

import "math/bits"

// twister is Python's random generator, MT19937, as random.Random(seed) begins it: stages and sides of a stage are drawn with it,
// so that what a seed gives can be drawn again.
type twister struct {
	state [624]uint32
	next  int
}

// newTwister begins as random.Random(seed) does: the state is filled from the digits of the seed's size in base 2^32.
func newTwister(seed int) *twister {
	if seed < 0 {
		seed = -seed
	}
	key := []uint32{uint32(seed)}
	if high := uint32(uint64(seed) >> 32); high != 0 {
		key = append(key, high)
	}
	t := &twister{next: 624}
	s := &t.state
	s[0] = 19650218
	for i := 1; i < len(s); i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	i, j := 1, 0
	for range len(s) {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		if i++; i == len(s) {
			s[0], i = s[len(s)-1], 1
		}
		j = (j + 1) % len(key)
	}
	for range len(s) - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == len(s) {
			s[0], i = s[len(s)-1], 1
		}
	}
	s[0] = 1 << 31
	return t
}

// uint32 is the next 32 bits.
func (t *twister) uint32() uint32 {
	s := &t.state
	if t.next == len(s) {
		for i := range s {
			y := s[i]&(1<<31) | s[(i+1)%len(s)]&(1<<31-1)
			s[i] = s[(i+397)%len(s)] ^ y>>1
			if y&1 != 0 {
				s[i] ^= 0x9908b0df
			}
		}
		t.next = 0
	}
	y := s[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// below draws a number from 0 to n-1, n at most 2^32: as many bits as n has, again and again until they are below n.
func (t *twister) below(n int) int {
	size := bits.Len(uint(n))
	for {
		if draw := int(t.uint32() >> (32 - size)); draw < n {
			return draw
		}
	}
}

// shuffle puts a list into the order of random.Random(seed).shuffle.
func shuffle[T any](seed int, list []T) {
	t := newTwister(seed)
	for i := len(list) - 1; i > 0; i-- {
		j := t.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
