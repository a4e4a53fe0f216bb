package gitwire

import (
	"fmt"
	"os"
)

// scratch is a temporary file that is gone when it is closed.
type scratch struct{ *os.File }

// newScratch makes an empty one. Where the system allows, it has no name from the start, so that nothing is left behind
// whatever happens.
func newScratch(prefix string) (*scratch, error) {
	file, err := os.CreateTemp("", prefix)
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w: set TMPDIR to a folder that can be written to", err)
	}
	_ = os.Remove(file.Name()) // Windows refuses while the file is open; Close does it there
	return &scratch{file}, nil
}

// Close removes the file.
func (s *scratch) Close() error {
	err := s.File.Close()
	_ = os.Remove(s.Name()) // gone already but on Windows
	return err
}
