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

// spoolMemory is how many bytes of sketches are kept in memory.
const spoolMemory = 16 << 20

// spool keeps sketches: the first in memory, those behind in a temporary file. They are written one behind the other, and then read
// in any order.
type spool struct {
	memory []byte
	file   *os.File
	out    *bufio.Writer
	// size is the number of bytes in the file.
	size int64
	buf  []byte
}

func spoolError(err error) error {
	return fmt.Errorf("keep the texts of rows in a temporary file: %w; set TMPDIR to a folder with room", err)
}

// open makes the temporary file. Where a name may go while the file is open it has none.
func (s *spool) open() error {
	f, err := os.CreateTemp("", "hfpub-sketches-*")
	if err != nil {
		return spoolError(err)
	}
	os.Remove(f.Name()) // Windows refuses, and close does it
	s.file, s.out = f, bufio.NewWriterSize(f, 64<<10)
	return nil
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
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
	if s.file == nil && len(s.memory)+len(s.buf) <= spoolMemory {
		at = int64(len(s.memory))
		s.memory = append(s.memory, s.buf...)
		return at, nil
	}
	if s.file == nil {
		if err := s.open(); err != nil {
			return 0, err
		}
	}
	if _, err := s.out.Write(s.buf); err != nil {
		return 0, spoolError(err)
	}
	at = int64(len(s.memory)) + s.size
	s.size += int64(len(s.buf))
	return at, nil
}

func (s *spool) flush() error {
	if s.file == nil {
		return nil
	}
	if err := s.out.Flush(); err != nil {
		return spoolError(err)
	}
	return nil
}

// read reads the sketch at a place into one whose memory is used again.
func (s *spool) read(at int64, into *minhash.Sketch) error {
	const short = 8 + 8*64
	data, err := s.bytes(at, short)
	if err != nil {
		return err
	}
	head := binary.BigEndian.Uint64(data)
	count := int(head >> 1)
	if size := 8 + 8*count; size > len(data) {
		if data, err = s.bytes(at, size); err != nil {
			return err
		}
		if size > len(data) {
			return spoolError(io.ErrUnexpectedEOF)
		}
	}
	into.Whole, into.Hashes = head&1 == 1, into.Hashes[:0]
	for i := range count {
		into.Hashes = append(into.Hashes, binary.BigEndian.Uint64(data[8+8*i:]))
	}
	return nil
}

// bytes returns up to so many bytes from a place on, eight at least.
func (s *spool) bytes(at int64, most int) ([]byte, error) {
	if at < int64(len(s.memory)) {
		return s.memory[at:min(int64(len(s.memory)), at+int64(most))], nil
	}
	if cap(s.buf) < most {
		s.buf = make([]byte, most)
	}
	n, err := s.file.ReadAt(s.buf[:most], at-int64(len(s.memory)))
	if err != nil && !errors.Is(err, io.EOF) || n < 8 {
		return nil, spoolError(errors.Join(err, io.ErrUnexpectedEOF))
	}
	return s.buf[:n], nil
}
