package lfs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/hfpub/hfpub/publish/exchange"
)

// hashed reads an object's content. The last bytes are given out only when the whole has the object's hash, so that
// another content never arrives complete. What goes wrong with the file is not tried again.
type hashed struct {
	content io.Reader
	object  Object
	left    int64
	// sum is nil where only a part of the object is read.
	sum hash.Hash
}

func newHashed(content io.Reader, o Object) *hashed {
	return &hashed{content: content, object: o, left: o.Size, sum: sha256.New()}
}

func newUnhashed(content io.Reader, o Object, size int64) *hashed {
	return &hashed{content: content, object: o, left: size}
}

// Read reads on.
func (h *hashed) Read(p []byte) (int, error) {
	n, err := h.content.Read(p)
	h.left -= int64(n)
	if h.sum != nil {
		h.sum.Write(p[:n])
	}
	switch {
	case err == io.EOF && h.left > 0:
		return 0, exchange.Permanent(&ChangedError{h.object.Path})
	case err != nil && err != io.EOF:
		return 0, exchange.Permanent(fmt.Errorf("read %s: %w", h.object.Path, err))
	case h.left == 0 && h.sum != nil && hex.EncodeToString(h.sum.Sum(nil)) != h.object.OID:
		return 0, exchange.Permanent(&ChangedError{h.object.Path})
	}
	return n, err
}

// progress counts what is read of a body. The HTTP client may read on while it gives up; that is not counted any more.
type progress struct {
	content  io.Reader
	transfer *transfer
	mu       sync.Mutex
	sent     int64
	over     bool
}

// Read reads on.
func (b *progress) Read(p []byte) (int, error) {
	n, err := b.content.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > 0 && !b.over {
		b.sent += int64(n)
		b.tell(int64(n))
	}
	return n, err
}

// finish ends the count; what a failed try has sent is taken back.
func (b *progress) finish(ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	if !ok && b.sent > 0 {
		b.tell(-b.sent)
	}
}

func (b *progress) tell(n int64) {
	t := b.transfer
	done := t.done.Add(n)
	t.client.emit(Event{Kind: Progress, Path: t.object.Path, Done: done, Total: t.object.Size})
}
