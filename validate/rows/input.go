package rows

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"hash"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// blockSize is how much is read at once, and how long a row may be before the buffer grows.
	blockSize = 256 << 10
	// maxWindow is the largest window of zstd that is unpacked: what the zstd command takes without --long.
	maxWindow = 128 << 20
	// maxEmptyReads is after how many reads without a byte a reader is given up, as bufio does.
	maxEmptyReads = 100
)

// stored reads a file as it is stored, and counts and hashes what goes by.
type stored struct {
	ctx     context.Context
	file    io.Reader
	sum     hash.Hash
	bytes   int64
	onBytes func(int64)
	// err is the first error that is the file's or the context's own; an unpacker behind it may hide it.
	err error
}

func newStored(ctx context.Context, file io.Reader, onBytes func(int64)) *stored {
	return &stored{ctx: ctx, file: file, sum: sha256.New(), onBytes: onBytes}
}

func (s *stored) Read(p []byte) (int, error) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.file.Read(p)
	s.sum.Write(p[:n])
	s.bytes += int64(n)
	if s.onBytes != nil && n > 0 {
		s.onBytes(int64(n))
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// unpack returns a reader of the file's content and a function that frees what it holds.
func unpack(packing Packing, file io.Reader) (io.Reader, func(), error) {
	switch packing {
	case Gzip:
		packed := bufio.NewReaderSize(file, blockSize)
		switch start, err := packed.Peek(2); {
		case len(start) == 0:
			return packed, func() {}, nil // empty, or not readable: reading on says which
		case err == nil && string(start) != "\x1F\x8B":
			return nil, nil, gzip.ErrHeader
		}
		r, err := gzip.NewReader(packed)
		if err != nil {
			return nil, nil, err
		}
		return r, func() { r.Close() }, nil
	case Zstd:
		r, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	return file, func() {}, nil
}

// input is a window on the content of a file: buf[at:end] is what has been read and not been used.
type input struct {
	ctx     context.Context
	content io.Reader
	buf     []byte
	at, end int
	// base is where the content's bytes in buf begin.
	base int64
	// err ends the reading: io.EOF, or why no more can be had.
	err error
	// moving is called before rest moves to the front of buf by n bytes; nil for nobody.
	moving func(n int)
}

func newInput(ctx context.Context, content io.Reader) *input {
	return &input{ctx: ctx, content: content, buf: make([]byte, blockSize)}
}

// rest is what has been read and not been used.
func (in *input) rest() []byte { return in.buf[in.at:in.end] }

// offset is the position of rest in the content.
func (in *input) offset() int64 { return in.base + int64(in.at) }

// ended says that rest is all there is.
func (in *input) ended() bool { return in.err != nil }

// fill reads more behind rest, which moves to the front of the buffer; a full buffer doubles. It is false when there is no
// more.
func (in *input) fill() bool {
	if in.err != nil {
		return false
	}
	if in.err = in.ctx.Err(); in.err != nil {
		return false
	}
	if in.at > 0 {
		if in.moving != nil {
			in.moving(in.at)
		}
		copy(in.buf, in.rest())
		in.base += int64(in.at)
		in.at, in.end = 0, in.end-in.at
	}
	if in.end == len(in.buf) {
		in.buf = append(in.buf, make([]byte, len(in.buf))...)
	}
	for range maxEmptyReads {
		n, err := in.content.Read(in.buf[in.end:])
		in.end += n
		in.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	in.err = io.ErrNoProgress
	return false
}

// atLeast reads until rest holds n bytes; it is false when there are not so many.
func (in *input) atLeast(n int) bool {
	for len(in.rest()) < n && in.fill() {
	}
	return len(in.rest()) >= n
}

// line returns the next line without its line feed. fed is false when the content ends without one. long says that
// the line has more than limit bytes: then it is passed over.
func (in *input) line(limit int) (text []byte, fed, long bool) {
	seen := 0
	for {
		if i := bytes.IndexByte(in.rest()[seen:], '\n'); i >= 0 {
			text = in.rest()[:seen+i]
			in.at += seen + i + 1
			return text, true, long || len(text) > limit
		}
		seen = len(in.rest())
		if seen > limit || long {
			in.at, seen, long = in.end, 0, true
		}
		if !in.fill() {
			text = in.rest()
			in.at = in.end
			return text, false, long
		}
	}
}
