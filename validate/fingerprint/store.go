package fingerprint

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

const (
	// InMemory is how many records a store keeps in memory: 8 MiB, and as much again while they are sorted. The garbage collector
	// lets twice that stand, and a whole run of hfpub is to stay under 150 MB.
	InMemory = 256 << 10
	// smallestRun is how many records are written to a file at least: many short runs are slow to merge.
	smallestRun = 64 << 10
	// ahead is how many bytes of a run are read at once.
	ahead = 64 << 10
)

// Store bounds the memory of all logs of a run, and has the temporary file that takes what is beyond. It is safe for use by several
// goroutines.
type Store struct {
	limit    int64
	smallest int
	held     atomic.Int64

	mu     sync.Mutex
	file   *os.File
	size   int64
	closed bool
	err    error
}

// run is a piece of the file: its place and length in bytes.
type run struct{ at, size int64 }

// NewStore returns a store that keeps [InMemory] records in memory. It is to be closed.
func NewStore() *Store { return NewStoreOf(InMemory) }

// NewStoreOf returns a store that keeps so many records in memory.
func NewStoreOf(limit int) *Store {
	return &Store{limit: int64(limit), smallest: min(smallestRun, limit/4+1)}
}

// Close takes the temporary file away. Logs that are still written to fail.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if removed := os.Remove(s.file.Name()); !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	s.file = nil
	return err
}

func (s *Store) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// open makes the temporary file. Where a name may go while the file is open it has none, so that nothing is left even of a
// process that is killed.
func (s *Store) open() error {
	if s.closed {
		return os.ErrClosed
	}
	if s.file != nil {
		return nil
	}
	f, err := os.CreateTemp("", "hfpub-keys-*")
	if err != nil {
		return fmt.Errorf("make a temporary file: %w: set TMPDIR to a folder with room", err)
	}
	os.Remove(f.Name()) // Windows refuses, and Close does it
	s.file = f
	return nil
}

// write writes sorted records as a run.
func (s *Store) write(records []Record) (run, error) {
	s.mu.Lock()
	err := s.open()
	r := run{s.size, int64(len(records)) * recordSize}
	s.size += r.size
	f := s.file
	s.mu.Unlock()
	if err == nil {
		err = writeRun(f, r, records)
	}
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.err == nil {
			s.err = fmt.Errorf("keep the keys of rows in a temporary file: %w; set TMPDIR to a folder with room", err)
		}
	}
	return r, err
}

func writeRun(f *os.File, r run, records []Record) error {
	w := bufio.NewWriterSize(io.NewOffsetWriter(f, r.at), ahead)
	var buf []byte
	for _, record := range records {
		buf = record.append(buf[:0])
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return w.Flush()
}

// reader reads a run from its beginning.
func (s *Store) reader(r run) source {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return &runReader{err: os.ErrClosed}
	}
	return &runReader{in: bufio.NewReaderSize(io.NewSectionReader(s.file, r.at, r.size), ahead)}
}

// runReader gives the records of a run.
type runReader struct {
	in  *bufio.Reader
	err error
}

func (r *runReader) next() (Record, bool, error) {
	if r.err != nil {
		return Record{}, false, r.err
	}
	b, err := r.in.Peek(recordSize)
	if err == io.EOF && len(b) == 0 {
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, fmt.Errorf("read the keys of rows from a temporary file: %w", err)
	}
	one := recordOf(b)
	r.in.Discard(recordSize)
	return one, true, nil
}
