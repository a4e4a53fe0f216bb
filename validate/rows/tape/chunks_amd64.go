package tape

import "golang.org/x/sys/cpu"

// chunked says that the processor has the instructions that scanChunks uses.
var chunked = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// scanChunks passes over plain bytes of a string and escapes that are not coded, [chunkSize] bytes at a time, and stops at anything
// else, or where fewer bytes are left of length: passed is how far it came, behind whole escapes, and escapes how many there are.
//
//go:noescape
func scanChunks(text *byte, length int) (passed, escapes int)
