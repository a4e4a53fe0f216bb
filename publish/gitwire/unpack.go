package gitwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Limits on what a pack may hold: objects, and their bytes when they are unpacked, since a short pack may unpack to any
// size.
const (
	maxObjects  = 2 << 20
	maxUnpacked = 1 << 30
)

// maxHeld is the length in bytes of the longest pack that is held in memory as it comes. The trees of some hundred thousand files
// fit, so that a look at a remote writes nothing anywhere.
const maxHeld = 4 << 20

// unpack reads a pack that a server sends and holds its objects in memory. The sizes in the pack are looked at before anything of
// it is believed; a long one goes to a temporary file meanwhile.
func unpack(ctx context.Context, sent io.Reader) (storer.EncodedObjectStorer, error) {
	held, err := io.ReadAll(io.LimitReader(sent, maxHeld+1))
	if err != nil {
		return nil, err
	}
	if len(held) <= maxHeld {
		return unpackFrom(ctx, bytes.NewReader(held), int64(len(held)))
	}
	file, err := newScratch("hfpub-fetch-")
	if err != nil {
		return nil, exchange.Permanent(err)
	}
	defer file.Close()
	size, err := io.Copy(file, io.MultiReader(bytes.NewReader(held), sent))
	if err != nil {
		return nil, err
	}
	return unpackFrom(ctx, file, size)
}

// unpackFrom reads a pack of size bytes.
func unpackFrom(ctx context.Context, file io.ReaderAt, size int64) (storer.EncodedObjectStorer, error) {
	if err := checkSizes(ctx, io.NewSectionReader(file, 0, size), maxUnpacked); err != nil {
		return nil, fmt.Errorf("read pack: %w", err)
	}
	store := &memory.NewStorage().ObjectStorage
	scanner := packfile.NewScanner(io.NewSectionReader(file, 0, size))
	parser, err := packfile.NewParserWithStorage(scanner, store)
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(); err != nil {
		return nil, fmt.Errorf("read pack: %w", err)
	}
	return store, nil
}

// checkSizes goes through a pack without keeping anything, and refuses one that would unpack to more than limit bytes.
func checkSizes(ctx context.Context, pack io.ReadSeeker, limit int64) error {
	scanner := packfile.NewScanner(pack)
	_, count, err := scanner.Header()
	if err != nil {
		return err
	}
	if count > maxObjects {
		return exchange.Permanent(fmt.Errorf("it has %d objects; hfpub reads up to %d", count, maxObjects))
	}
	for range count {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		header, err := scanner.NextObjectHeader()
		if err != nil {
			return err
		}
		if limit -= header.Length; header.Length < 0 || limit < 0 {
			return errTooMuch
		}
		var delta deltaHead
		if _, _, err := scanner.NextObject(&delta); err != nil {
			return err
		}
		if !header.Type.IsDelta() {
			continue
		}
		size, ok := delta.target()
		if !ok {
			return errors.New("it has a delta without sizes")
		}
		if limit -= size; size < 0 || limit < 0 {
			return errTooMuch
		}
	}
	return nil
}

var errTooMuch = exchange.Permanent(fmt.Errorf("it unpacks to more than %d MiB", maxUnpacked>>20))

// deltaHead keeps the beginning of a delta: the sizes of the object it starts from and of the one it makes.
type deltaHead struct {
	bytes [2 * binary.MaxVarintLen64]byte
	n     int
}

// Write keeps what there is room for.
func (d *deltaHead) Write(p []byte) (int, error) {
	d.n += copy(d.bytes[d.n:], p)
	return len(p), nil
}

// target is the size of the object that the delta makes. Git writes it as Go writes varints.
func (d *deltaHead) target() (size int64, ok bool) {
	_, n := binary.Uvarint(d.bytes[:d.n])
	if n <= 0 {
		return 0, false
	}
	target, m := binary.Uvarint(d.bytes[n:d.n])
	return int64(target), m > 0
}
