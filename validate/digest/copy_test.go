package digest

import (
	"bytes"
	"testing"
)

func TestCopyShort(t *testing.T) {
	from := make([]byte, shortCopy+overrun)
	for i := range from {
		from[i] = byte(i)%200 + 1
	}
	for size := 1; size <= shortCopy; size++ {
		to := make([]byte, shortCopy+2*overrun)
		copyShort(octetsOf(to).at(0), octetsOf(from).at(0), size)
		if !bytes.Equal(to[:size], from[:size]) {
			t.Fatalf("of %d bytes %q were copied", size, to[:size])
		}
		if behind := to[size+overrun:]; len(bytes.Trim(behind, "\x00")) > 0 {
			t.Fatalf("with %d bytes %q was written, more than %d behind them", size, behind, overrun)
		}
	}
}

// BenchmarkCopyShort sets copies in steps beside calls.
func BenchmarkCopyShort(b *testing.B) {
	from, to := make([]byte, shortCopy+overrun), make([]byte, shortCopy+overrun)
	sizes := []int{4, 9, 13, 21, 5, 40, 4, 90, 12, 7, 150, 6, 230, 4, 11, 60}
	b.Run("in steps", func(b *testing.B) {
		for b.Loop() {
			for _, size := range sizes {
				copyShort(octetsOf(to).at(0), octetsOf(from).at(0), size)
			}
		}
	})
	b.Run("with calls", func(b *testing.B) {
		for b.Loop() {
			for _, size := range sizes {
				copy(to, from[:size])
			}
		}
	})
}
