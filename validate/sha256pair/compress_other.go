//go:build !amd64

package sha256pair

// fast says that the functions below are there.
const fast = false

func compressOne(*state, *byte, int) { panic("sha256pair: not on this processor") }

func compressTwo(*state, *byte, *state, *byte, int) { panic("sha256pair: not on this processor") }

func compressTexts(*state, *byte, *byte, *text, int, *byte) {
	panic("sha256pair: not on this processor")
}
