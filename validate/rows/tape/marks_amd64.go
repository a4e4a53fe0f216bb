package tape

import "golang.org/x/sys/cpu"

// marking says that the processor has the instructions of markAVX512 and passMarks.
var marking = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VPOPCNTDQ && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// markAVX512 makes the marks of a part of a text, of as many blocks as it has bytes for, the last one perhaps not full. more says that there
// are whole blocks before it; open is 1 when these end in a backslash whose escape goes on. after is open for what follows, broken is not
// 0 when the part up to its end, and perhaps what stands before it, is not UTF-8, slashes when there are any in it.
//
//go:noescape
func markAVX512(marks *[windowBlocks]marks, text *byte, length int, more bool, open uint64) (after, broken, slashes uint64)

// passMarks passes over the bytes of a string from i on, up to the first halt or the limit of the window, and adds them to the sums.
//
//go:noescape
func passMarks(marks *[windowBlocks]marks, i, limit int, s *sums) (halt int)
