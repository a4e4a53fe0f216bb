package tape

// setChunked says whether to scan strings in chunks, and returns what was said before.
func setChunked(use bool) (before bool) {
	before, chunked = chunked, use
	return before
}
