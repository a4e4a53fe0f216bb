package digest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/schemas/regularfile"
)

// LockVersion is the version of the lock's form that is read and written here.
const LockVersion = 1

// maxLock bounds a lock file in bytes: about a million files.
const maxLock = 256 << 20

// Lock is hfpub.lock: the counts and hashes of a release as it was last approved.
type Lock struct {
	Version int           `json:"version"`
	Release LockedRelease `json:"release"`
	Repos   []LockedRepo  `json:"repos"`
}

// LockedRelease names the release.
type LockedRelease struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// LockedRepo is one repo of the release. ID and Type, dataset or model, name it; Files are all files that are published
// beside those of its splits. Status is pending or withheld, and "" for a repo that is public: it says which of the files leave.
type LockedRepo struct {
	ID      string         `json:"id"`
	Type    string         `json:"type,omitempty"`
	Status  string         `json:"status,omitempty"`
	Configs []LockedConfig `json:"configs"`
	Files   []LockedFile   `json:"files"`
}

// LockedConfig is one config of a repo.
type LockedConfig struct {
	Name   string        `json:"name"`
	Splits []LockedSplit `json:"splits"`
}

// LockedSplit is one split of a config, its files in the order they are read. Rows and Digest are nil where the files were
// not read as rows.
type LockedSplit struct {
	Name   string       `json:"name"`
	Rows   *int64       `json:"rows,omitempty"`
	Digest *Digest      `json:"digest,omitempty"`
	Files  []LockedFile `json:"files"`
}

// LockedFile is one file. Path is relative to the repo's root, with slashes; SHA256, in 64 hex digits, and Bytes are of
// the file as stored.
type LockedFile struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	Rows   *int64 `json:"rows,omitempty"`
	SHA256 string `json:"sha256"`
}

// LockError says that a lock file cannot be used.
type LockError struct {
	Path string
	// Line and Column are the place in the file, from 1; 0 where the whole file is meant.
	Line, Column int
	// Message says what is wrong, and Hint what to do.
	Message, Hint string
	// Newer says that a newer hfpub wrote the lock.
	Newer bool
}

// Error is one line with the place, the message and the hint.
func (e *LockError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.Path, e.Line, e.Column)
	}
	return fmt.Sprintf("%s: %s; %s", place, e.Message, e.Hint)
}

// ReadLock reads a lock file. The error is a *LockError when the file is there and no lock that can be used.
func ReadLock(path string) (*Lock, error) {
	text, err := regularfile.Read(path, maxLock+1)
	if err != nil {
		return nil, fmt.Errorf("read the lock: %w", err)
	}
	if len(text) > maxLock {
		return nil, &LockError{Path: path, Message: fmt.Sprintf("the lock is larger than %d MiB", maxLock>>20), Hint: again}
	}
	return parseLock(path, text)
}

// Write writes the lock, indented and in a fixed order, in place of the file at path. A lock that could not be read back is
// not written.
func (l *Lock) Write(path string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(l.normal()); err != nil {
		return fmt.Errorf("write the lock: %w", err)
	}
	written, err := parseLock(path, text.Bytes())
	if err != nil {
		return fmt.Errorf("write the lock: %w", err)
	}
	if drift := Compare(l, written); len(drift) > 0 {
		return fmt.Errorf("write the lock: a name is not UTF-8: %q", drift[0].Message)
	}
	return atomicfile.Write(path, text.Bytes(), 0o644)
}

// normal is the lock with empty lists for missing ones, and the files beside the splits sorted.
func (l *Lock) normal() Lock {
	out := *l
	out.Repos = append([]LockedRepo{}, l.Repos...)
	for i := range out.Repos {
		repo := &out.Repos[i]
		repo.Files = append([]LockedFile{}, repo.Files...)
		slices.SortStableFunc(repo.Files, func(a, b LockedFile) int { return cmp.Compare(a.Path, b.Path) })
		repo.Configs = append([]LockedConfig{}, repo.Configs...)
		for j := range repo.Configs {
			config := &repo.Configs[j]
			config.Splits = append([]LockedSplit{}, config.Splits...)
			for k := range config.Splits {
				config.Splits[k].Files = append([]LockedFile{}, config.Splits[k].Files...)
			}
		}
	}
	return out
}
