package hubtest

import (
	"regexp"
	"strconv"
)

// Pointer is what a Git LFS pointer file says: the sha256 of the object in hex, and its size in bytes.
type Pointer struct {
	OID  string
	Size int64
}

// pointerMax is the size in bytes below which a blob may be a pointer.
const pointerMax = 1024

var (
	sha256Hex   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	pointerText = regexp.MustCompile(`^version https://git-lfs\.github\.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize (0|[1-9][0-9]*)\n$`)
)

// parsePointer reads a pointer file. Only the exact three lines count.
func parsePointer(data []byte) (Pointer, bool) {
	if len(data) >= pointerMax {
		return Pointer{}, false
	}
	m := pointerText.FindSubmatch(data)
	if m == nil {
		return Pointer{}, false
	}
	size, err := strconv.ParseInt(string(m[2]), 10, 64)
	if err != nil {
		return Pointer{}, false
	}
	return Pointer{string(m[1]), size}, true
}
