package secrets

import "golang.org/x/sys/cpu"

// wide says that the processor has the instructions of lookAVX512.
var wide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

// look is [masks.lookPlainly] with vectors, where the processor has them.
func (m *masks) look(t *tables, text []byte, blocks int) (some uint64) {
	switch {
	case blocks == 0:
		return 0
	case wide:
		return m.lookWide(t, text, blocks)
	case cpu.X86.HasAVX2:
		return m.lookAVX2(t, text, blocks)
	}
	return m.lookPlainly(t, text, blocks)
}

// lookWide has vectors of 64 bytes. It leaves out values that no operator stands before.
func (m *masks) lookWide(t *tables, text []byte, blocks int) (some uint64) {
	_, _ = text[blocks*block+depth-2], m.begins[blocks-1]
	return lookAVX512(t, &text[0], blocks, m)
}

// lookAVX2 has vectors of 32 bytes.
func (m *masks) lookAVX2(t *tables, text []byte, blocks int) (some uint64) {
	_, _ = text[blocks*block+depth-2], m.begins[blocks-1]
	masksAVX2(t, &text[0], blocks, m)
	return m.combine(blocks)
}

// masksAVX2 reads blocks*block+depth-1 bytes of text and writes begins, runs, parts and equals of as many blocks, of which there must be one.
//
//go:noescape
func masksAVX2(t *tables, text *byte, blocks int, m *masks)

// lookAVX512 reads as much and writes all but equals. Behind the last block it may write zeros.
//
//go:noescape
func lookAVX512(t *tables, text *byte, blocks int, m *masks) (some uint64)
