//go:build !amd64

package sha256pair

// fast and wide say that the functions below are there.
const fast, wide = false, false

func compressOne(*state, *byte, int) { panic("sha256pair: not on this processor") }

func compressTwo(*state, *byte, *state, *byte, int) { panic("sha256pair: not on this processor") }

func compressTexts(*state, *byte, *byte, *text, int, *byte) {
	panic("sha256pair: not on this processor")
}

func compressSixteen(*byte, *sixteen, *byte) { panic("sha256pair: not on this processor") }
