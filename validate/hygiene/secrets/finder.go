package secrets

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// finder finds many words in a text at once, whatever their case in ASCII. Of every three bytes in a row it looks at one bit: most
// begin no word. That is several times faster than an automaton, which has to wait at each byte for the state before it.
//
// Words of one byte are looked for one by one, and words of two bytes there may not be.
type finder struct {
	words []string
	// filter has the bits of the hashes of the first three bytes of all words. lists holds the words of each such hash, in the order
	// of the bits; before says how many bits there are before each element of filter.
	filter [1 << (hashBits - 6)]uint64
	before [1 << (hashBits - 6)]uint16
	lists  [][]int
	// bytes are the words of one byte, by their number.
	bytes []int
}

const (
	hashBits = 16
	// lowCase makes upper case lower in eight bytes at once. It changes other bytes too, in words and text alike.
	lowCase = 0x2020202020202020
)

// hashOf hashes three bytes, the lowest of x.
func hashOf(x uint32) uint32 { return (x & 0xffffff) * 0x9E3779B1 >> (32 - hashBits) }

// newFinder takes words in lower case, and looks for those that are wanted by their numbers.
func newFinder(words []string, wanted func(word int) bool) *finder {
	f := &finder{words: words}
	hashes := make([]uint32, len(words))
	for i, w := range words {
		if !wanted(i) {
			continue
		}
		if len(w) == 1 {
			f.bytes = append(f.bytes, i)
			continue
		}
		h := hashOf(uint32(w[0]) | uint32(w[1])<<8 | uint32(w[2])<<16 | lowCase&0xffffff)
		f.filter[h>>6] |= 1 << (h & 63)
		hashes[i] = h
	}
	count := 0
	for i, set := range &f.filter {
		f.before[i] = uint16(count)
		count += bits.OnesCount64(set)
	}
	f.lists = make([][]int, count)
	for i, h := range hashes {
		if len(words[i]) > 1 && wanted(i) {
			list := f.list(h)
			*list = append(*list, i)
		}
	}
	return f
}

// list holds the words of a hash that some words have.
func (f *finder) list(hash uint32) *[]int {
	below := f.filter[hash>>6] & (1<<(hash&63) - 1)
	return &f.lists[int(f.before[hash>>6])+bits.OnesCount64(below)]
}

// find calls fn for every place of a word in the text, with the number of the word: first for those of one byte, word by word,
// then for all others.
func (f *finder) find(text []byte, fn func(start, word int)) {
	for _, w := range f.bytes {
		for at := 0; ; at++ {
			next := bytes.IndexByte(text[at:], f.words[w][0])
			if next < 0 {
				break
			}
			at += next
			fn(at, w)
		}
	}
	f.findLong(text, fn)
}

// findLong calls fn for every place of a word of more than one byte, in the order of the text.
func (f *finder) findLong(text []byte, fn func(start, word int)) {
	at := 0
	for ; at+8 <= len(text); at += 6 {
		eight := binary.LittleEndian.Uint64(text[at:]) | lowCase
		a, b, c := hashOf(uint32(eight)), hashOf(uint32(eight>>8)), hashOf(uint32(eight>>16))
		d, e, g := hashOf(uint32(eight>>24)), hashOf(uint32(eight>>32)), hashOf(uint32(eight>>40))
		some := f.filter[a>>6]>>(a&63) | f.filter[b>>6]>>(b&63) | f.filter[c>>6]>>(c&63) |
			f.filter[d>>6]>>(d&63) | f.filter[e>>6]>>(e&63) | f.filter[g>>6]>>(g&63)
		if some&1 != 0 {
			for i, h := range [...]uint32{a, b, c, d, e, g} {
				if f.filter[h>>6]>>(h&63)&1 != 0 {
					f.at(text, at+i, h, fn)
				}
			}
		}
	}
	for ; at+3 <= len(text); at++ {
		h := hashOf(uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | lowCase&0xffffff)
		if f.filter[h>>6]>>(h&63)&1 != 0 {
			f.at(text, at, h, fn)
		}
	}
}

// at calls fn for the words that begin at a place, whose hash is that of some words.
func (f *finder) at(text []byte, at int, hash uint32, fn func(start, word int)) {
	for _, w := range *f.list(hash) {
		if word := f.words[w]; at+len(word) <= len(text) && equalFold(text[at:at+len(word)], word) {
			fn(at, w)
		}
	}
}

// equalFold compares a text with a word in lower case of the same length.
func equalFold(text []byte, word string) bool {
	for i, b := range text {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != word[i] {
			return false
		}
	}
	return true
}
