package tape

import "bytes"

// LinesBefore counts the line feeds of the text before the value.
func (v Value) LinesBefore() int {
	return bytes.Count(v.tape.Text[:v.Offset()], []byte{'\n'})
}
