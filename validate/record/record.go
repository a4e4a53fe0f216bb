// Package record writes and reads what a partial result is made of: numbers, texts and truth values, one behind the other.
//
// A [Writer] appends to a buffer and cannot fail. A [Reader] takes bytes that may come from anywhere: it never reads beyond
// them, what it returns is bounded by their length, and after the first fault it returns zeros and keeps the error, so
// that the caller asks once, at the end.
package record

import (
	"encoding/binary"
	"errors"
)

// ErrDamaged says that bytes are not what a Writer writes, or end too early.
var ErrDamaged = errors.New("the data is damaged")

// Writer writes a record. The zero value is ready.
type Writer struct{ out []byte }

// Uint writes a number from 0 on: as many bytes as it has groups of seven bits.
func (w *Writer) Uint(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

// Int writes a number of either sign, small ones in few bytes.
func (w *Writer) Int(n int64) { w.out = binary.AppendVarint(w.out, n) }

// Bool writes a truth value.
func (w *Writer) Bool(b bool) {
	if b {
		w.out = append(w.out, 1)
	} else {
		w.out = append(w.out, 0)
	}
}

// Text writes the length of a text and the text.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.out = append(w.out, s...)
}

// Raw writes bytes of a known number.
func (w *Writer) Raw(b []byte) { w.out = append(w.out, b...) }

// Part writes a record of its own, and its length.
func (w *Writer) Part(b []byte) {
	w.Uint(uint64(len(b)))
	w.out = append(w.out, b...)
}

// Reset takes back everything that was written; the bytes it returned before are written over.
func (w *Writer) Reset() { w.out = w.out[:0] }

// Bytes returns what was written.
func (w *Writer) Bytes() []byte { return w.out }

// Reader reads a record.
type Reader struct {
	in  []byte
	err error
}

// NewReader reads from data, which it does not copy: parts are slices of it.
func NewReader(data []byte) *Reader { return &Reader{in: data} }

// Fail makes the reader fail: what was read makes no sense.
func (r *Reader) Fail() {
	r.in = nil
	if r.err == nil {
		r.err = ErrDamaged
	}
}

// More says that something is left to read.
func (r *Reader) More() bool { return len(r.in) > 0 }

// Err is the first fault.
func (r *Reader) Err() error { return r.err }

// End returns the first fault, and ErrDamaged when something is left.
func (r *Reader) End() error {
	if r.err == nil && len(r.in) > 0 {
		r.Fail()
	}
	return r.err
}

// Uint reads what [Writer.Uint] wrote.
func (r *Reader) Uint() uint64 {
	n, size := binary.Uvarint(r.in)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.in = r.in[size:]
	return n
}

// Int reads what [Writer.Int] wrote.
func (r *Reader) Int() int64 {
	n, size := binary.Varint(r.in)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.in = r.in[size:]
	return n
}

// Count reads a number of things that follow, each of at least one byte, and at most so many.
func (r *Reader) Count(most int) int {
	n := r.Uint()
	if n > uint64(most) || n > uint64(len(r.in)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Bool reads what [Writer.Bool] wrote.
func (r *Reader) Bool() bool {
	b := r.Raw(1)
	if b == nil || b[0] > 1 {
		r.Fail()
		return false
	}
	return b[0] == 1
}

// Text reads what [Writer.Text] wrote.
func (r *Reader) Text() string { return string(r.Part()) }

// Raw reads so many bytes; nil when there are not so many.
func (r *Reader) Raw(n int) []byte {
	if n < 0 || n > len(r.in) {
		r.Fail()
		return nil
	}
	b := r.in[:n:n]
	r.in = r.in[n:]
	return b
}

// Part reads what [Writer.Part] wrote.
func (r *Reader) Part() []byte {
	n := r.Uint()
	if n > uint64(len(r.in)) {
		r.Fail()
		return nil
	}
	return r.Raw(int(n))
}

// Rest reads all that is left.
func (r *Reader) Rest() []byte { return r.Raw(len(r.in)) }
