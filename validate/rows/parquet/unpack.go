package parquet

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// unpacks says that pages of a codec can be unpacked.
func unpacks(codec format.CompressionCodec) bool {
	switch codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw, format.Lz4:
		return true
	}
	return false
}

var (
	errLonger  = errors.New("a page unpacks to more than its header says")
	errShorter = errors.New("a page unpacks to less than its header says")
)

// unpacker unpacks pages, one after the other.
type unpacker struct {
	zstd *zstd.Decoder
	gzip *gzip.Reader
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// unpack fills dst with what packed holds: exactly that, or it is an error.
func (u *unpacker) unpack(codec format.CompressionCodec, dst, packed []byte) error {
	switch codec {
	case format.Uncompressed:
		if len(packed) != len(dst) {
			return errShorter
		}
		copy(dst, packed)
		return nil
	case format.Snappy:
		size, err := snappy.DecodedLen(packed)
		if err != nil {
			return err
		}
		if size != len(dst) {
			return wrongSize(size, len(dst))
		}
		_, err = snappy.Decode(dst, packed)
		return err
	case format.Gzip:
		return u.gunzip(dst, packed)
	case format.Brotli:
		return fill(dst, brotli.NewReader(bytes.NewReader(packed)))
	case format.Zstd:
		return u.unzstd(dst, packed)
	case format.Lz4Raw:
		return lz4Block(dst, packed)
	case format.Lz4: // deprecated: blocks with their sizes before them, as Hadoop writes it, or a bare block
		if hadoopBlocks(dst, packed) == nil {
			return nil
		}
		return lz4Block(dst, packed)
	}
	return fmt.Errorf("no reader for %v", codec)
}

func wrongSize(size, want int) error {
	if size > want {
		return errLonger
	}
	return errShorter
}

// fill reads exactly all of dst.
func fill(dst []byte, r io.Reader) error {
	if _, err := io.ReadFull(r, dst); err != nil {
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return errShorter
		}
		return err
	}
	var more [1]byte
	switch n, err := io.ReadFull(r, more[:]); {
	case n > 0:
		return errLonger
	case err != io.EOF:
		return err
	}
	return nil
}

func (u *unpacker) gunzip(dst, packed []byte) error {
	if len(packed) > 0 && packed[0] != 0x1F { // some writers leave gzip's frame away
		r, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return err
		}
		return fill(dst, r)
	}
	if u.gzip == nil {
		u.gzip = new(gzip.Reader)
	}
	if err := u.gzip.Reset(bytes.NewReader(packed)); err != nil {
		return err
	}
	return fill(dst, u.gzip)
}

func (u *unpacker) unzstd(dst, packed []byte) error {
	if u.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPage))
		if err != nil {
			return err
		}
		u.zstd = d
	}
	out, err := u.zstd.DecodeAll(packed, dst[:0:len(dst)])
	switch {
	case err != nil:
		return err
	case len(out) != len(dst):
		return wrongSize(len(out), len(dst))
	}
	return nil
}

func lz4Block(dst, packed []byte) error {
	if len(dst) == 0 {
		return nil
	}
	n, err := lz4.UncompressBlock(packed, dst)
	if err != nil {
		return err
	}
	if n != len(dst) {
		return errShorter
	}
	return nil
}

// hadoopBlocks unpacks blocks that each have their unpacked and their packed size before them.
func hadoopBlocks(dst, packed []byte) error {
	for len(dst) > 0 {
		if len(packed) < 8 {
			return errShorter
		}
		size, length := binary.BigEndian.Uint32(packed), binary.BigEndian.Uint32(packed[4:])
		packed = packed[8:]
		if int64(size) > int64(len(dst)) || int64(length) > int64(len(packed)) || size == 0 {
			return errLonger
		}
		if err := lz4Block(dst[:size], packed[:length]); err != nil {
			return err
		}
		dst, packed = dst[size:], packed[length:]
	}
	return nil
}
