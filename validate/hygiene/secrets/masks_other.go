//go:build !amd64

package secrets

func (m *masks) look(t *tables, text []byte, blocks int) (some uint64) {
	return m.lookPlainly(t, text, blocks)
}
