package sha256pair

// setFast says whether to use the processor's instructions, and returns what was said before.
func setFast(use bool) (before bool) {
	before, fast = fast, use
	return before
}

// setWide says whether many texts are hashed at once, where that can be.
func setWide(use bool) (before bool) {
	before, wide = wide, use
	return before
}
