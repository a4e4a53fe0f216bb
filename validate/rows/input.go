package rows

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"runtime/debug"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hfpub/hfpub/validate/sha256pair"
)

const (
	// readSize is how much is read at once.
	readSize = 256 << 10
	// maxWindow is the largest window of zstd that is unpacked: what the zstd command takes without --long.
	maxWindow = 128 << 20
	// maxEmptyReads is after how many reads without a byte a reader is given up, as bufio does.
	maxEmptyReads = 100
)

// stored reads a file as it is stored, and counts and hashes what goes by.
type stored struct {
	ctx  context.Context
	file io.Reader
	sum  *sha256pair.Stream
	// bytes counts what was read; left is what is to come, -1 when that is not known.
	bytes, left int64
	onBytes     func(int64)
	// apart says that what is read is hashed by whoever reads it, and not here.
	apart bool
	// err is the first error that is the file's or the context's own; an unpacker behind it may hide it.
	err error
}

// newStored starts to read a file from its beginning. A regular file ends at the size it has now: it may still be written to.
func newStored(ctx context.Context, file io.Reader, onBytes func(int64)) *stored {
	s := &stored{ctx: ctx, file: file, sum: sha256pair.NewStream(), left: -1, onBytes: onBytes}
	if f, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.left = info.Size()
		}
	}
	return s
}

func (s *stored) Read(p []byte) (int, error) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return 0, s.err
	}
	if s.left == 0 {
		return 0, io.EOF
	}
	if s.left > 0 && int64(len(p)) > s.left {
		p = p[:s.left]
	}
	n, err := s.file.Read(p)
	if !s.apart {
		s.sum.Write(p[:n])
	}
	s.bytes += int64(n)
	if s.onBytes != nil && n > 0 {
		s.onBytes(int64(n))
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	if s.left > 0 {
		if s.left -= int64(n); s.left == 0 && err == nil {
			err = io.EOF
		}
	}
	return n, err
}

// unpack returns a reader of the file's content and a function that frees what it holds.
func unpack(packing Packing, file io.Reader) (io.Reader, func(), error) {
	switch packing {
	case Gzip:
		packed := bufio.NewReaderSize(file, readSize)
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
	// ahead is how many bytes behind end stand in buf and may be looked at, but not used.
	ahead int
	// base is where the content's bytes in buf begin; size is how long the content is, -1 when that is not known.
	base, size int64
	// err ends the reading: io.EOF, or why no more can be had.
	err error
	// ends are the offsets in buf behind the line feeds that have been found from at on.
	ends []int32
	// moving is called before rest moves to the front of buf by n bytes; nil for nobody.
	moving func(n int)
}

func newInput(ctx context.Context, content io.Reader, buf []byte) *input {
	return &input{ctx: ctx, content: content, buf: buf, size: -1}
}

// windowOn returns an input for a text that is in memory. err is what stands behind it.
func windowOn(text []byte, ahead int, base int64, err error) *input {
	return &input{buf: text[:len(text)+ahead], end: len(text), ahead: ahead, base: base, err: err}
}

// rest is what has been read and not been used.
func (in *input) rest() []byte { return in.buf[in.at:in.end] }

// rowsFrom is the text from an offset on, if it is that of whole rows and in memory.
func (in *input) rowsFrom(offset int64) []byte {
	if in.content != nil {
		return nil
	}
	return in.buf[offset-in.base : in.end]
}

// visible is rest and what may be looked at behind it.
func (in *input) visible() []byte { return in.buf[in.at : in.end+in.ahead] }

// offset is the position of rest in the content.
func (in *input) offset() int64 { return in.base + int64(in.at) }

// ended says that rest is all there is.
func (in *input) ended() bool { return in.err != nil }

// fill reads more behind rest, which moves to the front of the buffer; a full buffer grows. It is false when there is no
// more.
func (in *input) fill() bool { return in.read(readSize) }

// fillTo reads until rest holds n bytes, and none behind them.
func (in *input) fillTo(n int) {
	for len(in.rest()) < n && in.read(min(n-len(in.rest()), readSize)) {
	}
}

// read is fill of up to so many bytes.
func (in *input) read(most int) bool {
	if in.err != nil || in.content == nil {
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
		in.grow()
	}
	for range maxEmptyReads {
		n, err := in.content.Read(in.buf[in.end:min(len(in.buf), in.end+most)])
		in.end += n
		in.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	in.err = io.ErrNoProgress
	return false
}

// longBuffer is the size in bytes from which on a buffer is not left to the garbage collector's own pace.
const longBuffer = 64 << 20

// grow doubles the buffer, but not beyond the end of the content where that is known. A long one grows to that end at once
// when that is near: each step has two buffers in memory.
func (in *input) grow() {
	size := 2 * len(in.buf)
	if left := in.size - in.base; left > int64(len(in.buf)) && (left < int64(size) || size > longBuffer && left < 2*int64(size)) {
		size = int(left)
	}
	buf := make([]byte, size)
	copy(buf, in.buf[:in.end])
	long := len(in.buf) >= longBuffer
	in.buf = buf
	if long {
		debug.FreeOSMemory()
	}
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
	if len(in.ends) > 0 {
		text = in.buf[in.at : in.ends[0]-1]
		in.at, in.ends = int(in.ends[0]), in.ends[1:]
		return text, true, len(text) > limit
	}
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

// nextLine is the length of the next line with its line feed; 0 if that has not been found, and does not stand in the first limit
// bytes.
func (in *input) nextLine(limit int) int {
	if len(in.ends) > 0 {
		return int(in.ends[0]) - in.at
	}
	rest := in.rest()
	return bytes.IndexByte(rest[:min(len(rest), limit)], '\n') + 1
}

// pass goes on behind so many lines of size bytes together.
func (in *input) pass(lines, size int) {
	in.at += size
	in.ends = in.ends[min(lines, len(in.ends)):]
}
