//go:build !amd64

package sha256pair

// fast says that compressOne and compressTwo are there.
const fast = false

func compressOne(*state, *byte, int) { panic("sha256pair: not on this processor") }

func compressTwo(*state, *byte, *state, *byte, int) { panic("sha256pair: not on this processor") }
