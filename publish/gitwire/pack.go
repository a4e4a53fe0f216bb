package gitwire

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// Object is one git object whose bytes are read when they are written into a pack, so that files stay on disk.
type Object struct {
	Type plumbing.ObjectType
	Hash plumbing.Hash
	// Size is the length of the content in bytes.
	Size int64
	Open func() (io.ReadCloser, error)
}

// encoded is an object that go-git has encoded in memory.
func encoded(o *plumbing.MemoryObject) Object {
	return Object{Type: o.Type(), Hash: o.Hash(), Size: o.Size(), Open: o.Reader}
}

// Blob is a small content in memory.
func Blob(content []byte) Object {
	return Object{
		Type: plumbing.BlobObject,
		Hash: plumbing.ComputeHash(plumbing.BlobObject, content),
		Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}
}

// BlobHash starts the hash of a blob of size bytes; the content is to be written to it.
func BlobHash(size int64) hash.Hash { return objectHash(plumbing.BlobObject, size) }

// objectHash starts the hash of an object: git hashes the type and size before the content.
func objectHash(t plumbing.ObjectType, size int64) hash.Hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", t, size)
	return h
}

// ChangedError says that an object's content is not what was hashed before: its file was changed meanwhile.
type ChangedError struct{ Hash plumbing.Hash }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("the content of object %s changed while it was being packed", e.Hash)
}

// WritePack writes a pack of whole objects, without deltas: https://git-scm.com/docs/pack-format. It holds one block of
// one object in memory at a time, and ends with the context's cause at the next block after the context has ended. An
// object whose content does not have its hash is a *[ChangedError].
func WritePack(ctx context.Context, w io.Writer, objects []Object) error {
	sum := sha1.New()
	buffered := bufio.NewWriterSize(w, 64<<10)
	out := io.MultiWriter(buffered, sum)
	header := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(objects)))
	if _, err := out.Write(header); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	deflate := zlib.NewWriter(out)
	block := make([]byte, 64<<10)
	for _, o := range objects {
		if err := writeObject(ctx, out, deflate, o, block); err != nil {
			return err
		}
	}
	if _, err := buffered.Write(sum.Sum(nil)); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	return nil
}

func writeObject(ctx context.Context, out io.Writer, deflate *zlib.Writer, o Object, block []byte) error {
	if _, err := out.Write(objectHeader(o.Type, o.Size)); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	content, err := o.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	deflate.Reset(out)
	sum := objectHash(o.Type, o.Size)
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := content.Read(block)
		sum.Write(block[:n])
		if _, err := deflate.Write(block[:n]); err != nil {
			return fmt.Errorf("write pack: %w", err)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("read object %s: %w", o.Hash, err)
		}
	}
	if err := deflate.Close(); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	if !bytes.Equal(sum.Sum(nil), o.Hash[:]) {
		return &ChangedError{o.Hash}
	}
	return nil
}

// objectHeader is an object's type and size: four bits of the size beside the type, then seven at a time.
func objectHeader(t plumbing.ObjectType, size int64) []byte {
	var header []byte
	c := byte(t)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		header = append(header, c|0x80)
		c = byte(size & 0x7f)
	}
	return append(header, c)
}

// Pack is a pack in a temporary file, with its size known before the first byte is sent.
type Pack struct {
	file *scratch
	// Size is its length in bytes, Objects how many it holds.
	Size    int64
	Objects int
}

// SpoolPack writes a pack to a temporary file, which is gone with [Pack.Close] or with the process.
func SpoolPack(ctx context.Context, objects []Object) (*Pack, error) {
	file, err := newScratch("hfpub-pack-")
	if err != nil {
		return nil, fmt.Errorf("write pack: %w", err)
	}
	p := &Pack{file: file, Objects: len(objects)}
	if err := WritePack(ctx, file, objects); err != nil {
		_ = p.Close()
		return nil, err
	}
	if p.Size, err = file.Seek(0, io.SeekCurrent); err != nil {
		_ = p.Close()
		return nil, fmt.Errorf("write pack: %w", err)
	}
	return p, nil
}

// Reader reads the pack from its start. Several readers may read at once.
func (p *Pack) Reader() io.Reader { return io.NewSectionReader(p.file, 0, p.Size) }

// Close removes the pack.
func (p *Pack) Close() error { return p.file.Close() }
