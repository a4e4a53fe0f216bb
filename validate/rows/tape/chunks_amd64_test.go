package tape

// setChunked says whether to scan strings in chunks, and returns what was said before.
func setChunked(use bool) (before bool) {
	before, chunked = chunked, use
	return before
}

// setMarking says whether to make marks, and returns what was said before.
func setMarking(use bool) (before bool) {
	before, marking = marking, use
	return before
}
