package reproduce

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// lines reads a file line by line, with the line ends. A line that is too long comes in parts.
type lines struct{ in *bufio.Reader }

func newLines(r io.Reader) *lines { return &lines{bufio.NewReaderSize(r, 1<<16)} }

// next is the next line; it is empty at the end of the file.
func (l *lines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil || errors.Is(err, io.EOF):
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) >= maxLine:
			return line, nil
		}
	}
}

// field finds the first field in which two rows differ, and says how. Rows that are no JSON differ as text.
func field(held, made []byte) (pointer, what string) {
	var a, b tape.Tape
	if len(a.Parse(held)) > 0 || len(b.Parse(made)) > 0 {
		return "", "it holds " + around(held, made) + ", and the command makes " + around(made, held)
	}
	p, x, y, found := first(nil, a.Root(), b.Root())
	if !found {
		return "", "the row holds the same values, and is written otherwise"
	}
	return string(p), "it holds " + shown(x) + ", and the command makes " + shown(y)
}

// first is the first place where two values differ; x or y is missing where only one has it.
func first(at []byte, a, b tape.Value) (pointer []byte, x, y tape.Value, found bool) {
	if a.Kind() != b.Kind() || a.Kind() < tape.Array {
		if a.Kind() == b.Kind() && (bytes.Equal(a.Raw(), b.Raw()) || a.Kind() == tape.String && a.Text() == b.Text()) {
			return nil, x, y, false
		}
		return at, a, b, true
	}
	if a.Kind() == tape.Array {
		for i, element := range a.Elements() {
			where := tape.AppendToken(at[:len(at):len(at)], strconv.Itoa(i))
			other, ok := b.At("/" + strconv.Itoa(i))
			if !ok {
				return where, element, y, true
			}
			if pointer, x, y, found = first(where, element, other); found {
				return pointer, x, y, true
			}
		}
		if other, ok := b.At("/" + strconv.Itoa(a.Len())); ok {
			return tape.AppendToken(at[:len(at):len(at)], strconv.Itoa(a.Len())), x, other, true
		}
		return nil, x, y, false
	}
	for key, member := range a.Members() {
		where := tape.AppendToken(at[:len(at):len(at)], key.Text())
		other, ok := b.Get(key.Text())
		if !ok {
			return where, member, y, true
		}
		if pointer, x, y, found = first(where, member, other); found {
			return pointer, x, y, true
		}
	}
	for key, member := range b.Members() {
		if _, ok := a.Get(key.Text()); !ok {
			return tape.AppendToken(at[:len(at):len(at)], key.Text()), x, member, true
		}
	}
	return nil, x, y, false
}

// maxShown is how many bytes of a value are shown.
const maxShown = 60

// shown writes a value for a message.
func shown(v tape.Value) string {
	if v.Tape() == nil {
		return "nothing"
	}
	if v.Kind() == tape.String {
		return cut(fmt.Sprintf("%q", v.Text()))
	}
	return cut(string(v.Raw()))
}

func cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return string(bytes.ToValidUTF8([]byte(s[:maxShown]), nil)) + "…"
}

// around is what stands in a text where it begins to differ from another one.
func around(text, other []byte) string {
	i := 0
	for i < len(text) && i < len(other) && text[i] == other[i] {
		i++
	}
	return cut(strconv.Quote(string(text[max(0, i-10):min(len(text), i+30)])))
}
