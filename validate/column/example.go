package column

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Bounds on an example row: how long a text may be in characters, how many elements of an array and members of an object are
// shown, how deep it goes, and about how many bytes it has.
const (
	exampleText     = 160
	exampleElements = 3
	exampleMembers  = 40
	exampleDepth    = 6
	exampleBytes    = 3000
)

// Example is the first row of the split, or of the run, as indented JSON on several lines, cut to a size that can be read: long
// texts end in an ellipsis, and of long arrays and objects the first parts are shown with the number of the others. It is ""
// without rows.
func (o *Observer) Example() string { return o.example }

// exampleOf writes an example row.
func exampleOf(row tape.Value) string {
	var w exampleWriter
	w.value(row, 0)
	return w.out.String()
}

type exampleWriter struct {
	out  bytes.Buffer
	text []byte
}

func (w *exampleWriter) line(depth int) {
	w.out.WriteByte('\n')
	for range depth {
		w.out.WriteString("  ")
	}
}

// full says that no more is shown than has to be.
func (w *exampleWriter) full() bool { return w.out.Len() > exampleBytes }

// scalar writes a number, true, false or null. A number that has to be cut is no number any more, and so a text.
func (w *exampleWriter) scalar(raw []byte) {
	if len(raw) > exampleText {
		w.quoted([]byte(cut(raw, exampleText)))
		return
	}
	w.out.Write(raw)
}

func (w *exampleWriter) value(v tape.Value, depth int) {
	switch kind := v.Kind(); {
	case kind == tape.String:
		w.string(v)
	case kind < tape.Array:
		w.scalar(v.Raw())
	case v.Len() > 0 && (depth == exampleDepth || w.full()):
		w.quoted([]byte("…"))
	case kind == tape.Array:
		w.array(v, depth)
	default:
		w.object(v, depth)
	}
}

func (w *exampleWriter) string(v tape.Value) {
	w.text = v.AppendText(w.text[:0])
	limit := exampleText
	if w.full() {
		limit = exampleText / 8
	}
	w.quoted([]byte(cut(w.text, limit)))
}

func (w *exampleWriter) quoted(text []byte) {
	w.out.Write(appendJSONText(nil, string(text)))
}

func (w *exampleWriter) array(v tape.Value, depth int) {
	w.out.WriteByte('[')
	for i, element := range v.Elements() {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.line(depth + 1)
		if i == exampleElements || i > 0 && w.full() {
			w.quoted(fmt.Appendf(nil, "… %d more", v.Len()-i))
			break
		}
		w.value(element, depth+1)
	}
	if v.Len() > 0 {
		w.line(depth)
	}
	w.out.WriteByte(']')
}

func (w *exampleWriter) object(v tape.Value, depth int) {
	w.out.WriteByte('{')
	i := 0
	for key, member := range v.Members() {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.line(depth + 1)
		if i == exampleMembers || i > 0 && w.full() {
			fmt.Fprintf(&w.out, `"…": "%d more"`, v.Len()-i)
			break
		}
		w.text = key.AppendText(w.text[:0])
		w.quoted([]byte(cut(w.text, exampleText)))
		w.out.WriteString(": ")
		w.value(member, depth+1)
		i++
	}
	if v.Len() > 0 {
		w.line(depth)
	}
	w.out.WriteByte('}')
}

// validExample says that an example is JSON, as it has to be when it comes from another process.
func validExample(text string) bool { return text == "" || json.Valid([]byte(text)) }
