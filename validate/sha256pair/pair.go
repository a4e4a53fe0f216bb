// Package sha256pair hashes many texts with SHA-256, two of them side by side.
//
// A processor with instructions for SHA-256 waits most of the time: every round needs the one before, and could begin twice as
// often. Two texts whose rounds take turns are hashed in little more than the time of one (BenchmarkPair). hfpub hashes every
// byte twice, as a part of its file and of its row, so there are always two: a [Stream] takes in the bytes of a file, and with them a
// [Batch] of rows is hashed. Short rows that are left then are hashed sixteen at once, where the processor has AVX-512: see sixteen.go.
//
// On other processors both go to crypto/sha256, one behind the other. The hashes are the same.
package sha256pair

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
)

const (
	// blockSize is the length in bytes of what SHA-256 takes in at once.
	blockSize = sha256.BlockSize
	// lengthSize is the length of the number of bits that ends the last block of a text.
	lengthSize = 8
	// MostAdded is how many bytes SHA-256 adds to a text at the most.
	MostAdded = blockSize + lengthSize
)

// state is the chaining value of a hash under way.
type state [8]uint32

// initial is the state before the first block: FIPS 180-4, section 5.3.3.
var initial = state{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19}

func (s *state) sum() (sum [sha256.Size]byte) {
	for i, word := range s {
		binary.BigEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

// Stream is a text that is hashed as it comes in. The zero value is not ready: see [NewStream].
type Stream struct {
	// portable takes in everything where the processor has no instructions for SHA-256; then nothing else is used.
	portable hash.Hash
	state    state
	// length is how many bytes came in; tail holds those behind the last whole block.
	length uint64
	tail   [blockSize]byte
}

// NewStream returns a stream that nothing has come in on.
func NewStream() *Stream {
	if !fast {
		return &Stream{portable: sha256.New()}
	}
	return &Stream{state: initial}
}

// Write takes in bytes; it returns their number and no error.
func (s *Stream) Write(text []byte) (int, error) {
	s.WriteBeside(text, &Batch{})
	return len(text), nil
}

// WriteBeside takes in bytes and hashes the texts of a batch that are not hashed yet.
func (s *Stream) WriteBeside(text []byte, b *Batch) {
	if s.portable != nil {
		s.portable.Write(text)
		b.Hash()
		return
	}
	b.hashBeside(s.take(text))
}

// take takes in bytes but for the whole blocks among them, which are left to a lane.
func (s *Stream) take(text []byte) lane {
	n := int(s.length % blockSize)
	s.length += uint64(len(text))
	if n > 0 {
		taken := copy(s.tail[n:], text)
		text = text[taken:]
		if n+taken < blockSize {
			return lane{}
		}
		compressOne(&s.state, &s.tail[0], 1)
	}
	whole := len(text) &^ (blockSize - 1)
	copy(s.tail[:], text[whole:])
	return lane{state: s.state, text: text[:whole], stream: s}
}

// Sum returns the hash of what came in so far; more may come in.
func (s *Stream) Sum() [sha256.Size]byte {
	if s.portable != nil {
		return [sha256.Size]byte(s.portable.Sum(nil))
	}
	var last [2 * blockSize]byte
	n := copy(last[:], s.tail[:s.length%blockSize])
	text := pad(last[:n], s.length)
	end := s.state
	compressOne(&end, &text[0], len(text)/blockSize)
	return end.sum()
}

// padding is what stands behind a text, at the most, before its length.
var padding = [blockSize]byte{0x80}

// pad appends to the end of a text what SHA-256 adds to it: FIPS 180-4, section 5.1.1. The text has length bytes, and end
// what is behind a whole block of it.
func pad(end []byte, length uint64) []byte {
	added := int(blockSize - (length+lengthSize)%blockSize)
	n := len(end)
	end = slices.Grow(end, MostAdded)[:n+MostAdded]
	*(*[blockSize]byte)(end[n:]) = padding
	binary.BigEndian.PutUint64(end[n+added:], 8*length)
	return end[:n+added+lengthSize]
}

// lane is what is compressed beside something else.
type lane struct {
	state state
	// text is what is left to take in: whole blocks.
	text []byte
	// stream is the one whose text that is, if any; of is the place of the text in a batch, from 1, or 0.
	stream *Stream
	of     int
}
