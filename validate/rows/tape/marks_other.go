//go:build !amd64

package tape

// marking says that markAVX512 and passMarks are there.
const marking = false

func markAVX512(*[windowBlocks]marks, *byte, int, bool, uint64) (after, broken, slashes uint64) {
	panic("tape: not on this processor")
}

func passMarks(*[windowBlocks]marks, int, int, *sums) int { panic("tape: not on this processor") }
