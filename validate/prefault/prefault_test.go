package prefault

import (
	"fmt"
	"runtime/debug"
	"testing"
)

func TestBytesAreZero(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 4096, 8192, 10_000, 1 << 20} {
		b := Bytes(n, n+10)
		if len(b) != n || cap(b) != n+10 {
			t.Fatalf("%d bytes with room for %d, want %d with room for ten more", len(b), cap(b), n)
		}
		for i, c := range b {
			if c != 0 {
				t.Fatalf("byte %d of %d is %d, want 0", i, n, c)
			}
			b[i] = 1
		}
	}
}

// BenchmarkBytes makes a buffer of memory that the process does not have yet, and touches every page.
func BenchmarkBytes(b *testing.B) {
	const size = 8 << 20
	for _, populated := range []bool{true, false} {
		b.Run(fmt.Sprintf("populated=%t", populated), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				b.StopTimer()
				debug.FreeOSMemory()
				b.StartTimer()
				var buffer []byte
				if populated {
					buffer = Bytes(size, size)
				} else {
					buffer = make([]byte, size)
				}
				for i := 0; i < size; i += 4096 {
					buffer[i] = 1
				}
			}
		})
	}
}
