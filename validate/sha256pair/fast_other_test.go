//go:build !amd64

package sha256pair

func setFast(bool) bool { return false }

func setWide(bool) bool { return false }
