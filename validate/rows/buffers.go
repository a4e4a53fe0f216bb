package rows

import (
	"sync"

	"github.com/hfpub/hfpub/validate/prefault"
)

const (
	// BufferSize is the length in bytes of the buffers that are lent: a block and a part of the row behind it.
	BufferSize = maxBlock + 64<<10
	// maxFree is how many buffers are kept for the next block.
	maxFree = 64
)

// Buffers lends buffers to the files that are read at one time, for blocks and for the ends of their lines, and what blocks are read with.
// The zero value is ready; it may serve several goroutines.
type Buffers struct {
	mu      sync.Mutex
	free    [][]byte
	ends    [][]int32
	readers []*reader
}

// get returns a buffer of at least so many bytes.
func (b *Buffers) get(size int) []byte {
	if size > BufferSize {
		return make([]byte, size)
	}
	if buf := b.lastFree(); buf != nil {
		return buf
	}
	return prefault.Bytes(BufferSize, BufferSize)
}

// lastFree returns the buffer that was given back last; nil when none is left.
func (b *Buffers) lastFree() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.free)
	if n == 0 {
		return nil
	}
	buf := b.free[n-1]
	b.free = b.free[:n-1]
	return buf
}

// put takes a buffer back. One that grew around a long row is not kept.
func (b *Buffers) put(buf []byte) {
	if len(buf) != BufferSize {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) < maxFree {
		b.free = append(b.free, buf)
	}
}

// getEnds returns room for the ends of lines.
func (b *Buffers) getEnds() []int32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.ends)
	if n == 0 {
		return nil
	}
	ends := b.ends[n-1]
	b.ends = b.ends[:n-1]
	return ends
}

// putEnds takes room for the ends of lines back.
func (b *Buffers) putEnds(ends []int32) {
	if cap(ends) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ends) < maxFree {
		b.ends = append(b.ends, ends[:0])
	}
}

// getReader returns a reader that has read nothing.
func (b *Buffers) getReader() *reader {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.readers)
	if n == 0 {
		return &reader{}
	}
	r := b.readers[n-1]
	b.readers = b.readers[:n-1]
	return r
}

// putReader takes a reader back, of which only the memory for single rows is kept.
func (b *Buffers) putReader(r *reader) {
	alone := r.runs.run.alone
	*r = reader{}
	r.runs.run.alone = alone
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers = append(b.readers, r)
}
