//go:build !amd64

package secrets

func (t *tables) masks(text []byte, begins, runs []uint64) { t.masksPlainly(text, begins, runs) }
