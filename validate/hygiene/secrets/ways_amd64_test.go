package secrets

import "golang.org/x/sys/cpu"

// ways are those that the processor can go.
func ways() (out []way) {
	if wide {
		out = append(out, way{"AVX-512", (*masks).lookWide, func(t *tables, k int, b byte) byte { return t.ascii[k][b&0x7f] }, true})
	}
	if cpu.X86.HasAVX2 {
		out = append(out, way{"AVX2", (*masks).lookAVX2, func(t *tables, k int, b byte) byte { return t.begin[k].of(b) }, false})
	}
	return out
}
