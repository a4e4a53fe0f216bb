package rule

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hfpub/hfpub/validate/minhash"
)

// spool keeps sketches in a temporary file: they are written one behind the other, and then read in any order.
type spool struct {
	file *os.File
	out  *bufio.Writer
	size int64
	buf  []byte
}

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "hfpub-sketches-*")
	if err != nil {
		return nil, spoolError(err)
	}
	os.Remove(f.Name()) // where a name may go while the file is open; else close does it
	return &spool{file: f, out: bufio.NewWriterSize(f, 64<<10)}, nil
}

func spoolError(err error) error {
	return fmt.Errorf("keep the texts of rows in a temporary file: %w; set TMPDIR to a folder with room", err)
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// write appends a sketch and returns where it is.
func (s *spool) write(k minhash.Sketch) (at int64, err error) {
	head := uint64(len(k.Hashes)) << 1
	if k.Whole {
		head |= 1
	}
	s.buf = binary.BigEndian.AppendUint64(s.buf[:0], head)
	for _, h := range k.Hashes {
		s.buf = binary.BigEndian.AppendUint64(s.buf, h)
	}
	if _, err := s.out.Write(s.buf); err != nil {
		return 0, spoolError(err)
	}
	at = s.size
	s.size += int64(len(s.buf))
	return at, nil
}

func (s *spool) flush() error {
	if err := s.out.Flush(); err != nil {
		return spoolError(err)
	}
	return nil
}

// read reads the sketch at a place into one whose memory is used again.
func (s *spool) read(at int64, into *minhash.Sketch) error {
	const most = 8 + 8*sketchSize
	if cap(s.buf) < most {
		s.buf = make([]byte, most)
	}
	n, err := s.file.ReadAt(s.buf[:most], at)
	if err != nil && !errors.Is(err, io.EOF) || n < 8 {
		return spoolError(err)
	}
	head := binary.BigEndian.Uint64(s.buf)
	count := int(head >> 1)
	if n < 8+8*count {
		return spoolError(io.ErrUnexpectedEOF)
	}
	into.Whole, into.Hashes = head&1 == 1, into.Hashes[:0]
	for i := range count {
		into.Hashes = append(into.Hashes, binary.BigEndian.Uint64(s.buf[8+8*i:]))
	}
	return nil
}
