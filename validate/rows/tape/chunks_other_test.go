//go:build !amd64

package tape

func setChunked(bool) bool { return false }

func setMarking(bool) bool { return false }
