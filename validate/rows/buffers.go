package rows

import (
	"sync"

	"github.com/hfpub/hfpub/validate/prefault"
)

const (
	// BufferSize is the length in bytes of the buffers that are lent: a block and a part of the row behind it.
	BufferSize = maxBlock + 64<<10
	// maxFree is how many of a kind are kept for the next block.
	maxFree = 64
)

// Buffers lends buffers to the files that are read at one time, for blocks and for the ends of their lines, and what blocks are read with.
// The zero value is ready; it may serve several goroutines.
type Buffers struct {
	free    stock[[]byte]
	ends    stock[[]int32]
	readers stock[*reader]
}

// get returns a buffer of at least so many bytes.
func (b *Buffers) get(size int) []byte {
	if size > BufferSize {
		return make([]byte, size)
	}
	if buf := b.free.take(); buf != nil {
		return buf
	}
	return prefault.Bytes(BufferSize, BufferSize)
}

// put takes a buffer back. One that grew around a long row is not kept.
func (b *Buffers) put(buf []byte) {
	if len(buf) == BufferSize {
		b.free.give(buf)
	}
}

// getEnds returns room for the ends of lines.
func (b *Buffers) getEnds() []int32 { return b.ends.take() }

// putEnds takes room for the ends of lines back.
func (b *Buffers) putEnds(ends []int32) {
	if cap(ends) > 0 {
		b.ends.give(ends[:0])
	}
}

// getReader returns a reader that has read nothing.
func (b *Buffers) getReader() *reader {
	if r := b.readers.take(); r != nil {
		return r
	}
	return &reader{}
}

// putReader takes a reader back, of which only the memory for single rows is kept.
func (b *Buffers) putReader(r *reader) {
	alone := r.runs.run.alone
	*r = reader{}
	r.runs.run.alone = alone
	b.readers.give(r)
}

// stock keeps what was given back. It may serve several goroutines.
type stock[T any] struct {
	mu   sync.Mutex
	kept []T
}

// take returns what was given back last, the zero value when nothing is left.
func (s *stock[T]) take() (last T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.kept); n > 0 {
		last, s.kept = s.kept[n-1], s.kept[:n-1]
	}
	return last
}

func (s *stock[T]) give(back T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) < maxFree {
		s.kept = append(s.kept, back)
	}
}
