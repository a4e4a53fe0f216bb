package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	magic          = "PAR1"
	encryptedMagic = "PARE"
	// tailSize is what stands behind the footer: its length and the magic bytes.
	tailSize = 8
	// maxRows bounds the number of rows of a file.
	maxRows = 1 << 48
	// maxFooter is the length in bytes of the longest footer that is read.
	maxFooter = 256 << 20
)

// File is a Parquet file whose footer has been read.
type File struct {
	src    io.ReaderAt
	root   *node
	leaves []*node
	groups []group
	schema Schema
	// columns are parquet-go's view of the columns, without compression; see virtual.
	columns []*pq.FileColumnChunk
	rows    int64
}

// group is a row group.
type group struct {
	rows int64
	// size is total_byte_size: the bytes of all its columns, unpacked.
	size   int64
	chunks []chunk
	// offset is where its first byte stands.
	offset int64
}

// chunk is the part of a column that is in a row group.
type chunk struct {
	offset, size int64
	values       int64
	codec        format.CompressionCodec
}

// Stats are numbers from a footer.
type Stats struct {
	// Rows is the number of rows, Groups that of row groups.
	Rows   int64 `json:"rows"`
	Groups int   `json:"groups"`
	// Unpacked is the sum of the total_byte_size of all row groups, which the Hub counts as num_bytes; Largest is that of the
	// largest one.
	Unpacked int64 `json:"unpacked"`
	Largest  int64 `json:"largest"`
	// PageIndex says that every column chunk has an offset index.
	PageIndex bool `json:"page_index"`
}

// Open reads the footer of a file of so many bytes. The error is an *Error when the content is at fault.
func Open(ctx context.Context, src io.ReaderAt, size int64) (*File, error) {
	src = &contextReader{ctx, src}
	footer, err := readFooter(src, size)
	if err != nil {
		return nil, err
	}
	meta, err := decodeFooter(footer)
	if err != nil {
		return nil, err
	}
	f := &File{src: src}
	if f.root, f.leaves, err = buildTree(meta.Schema); err != nil {
		return nil, err
	}
	if err := f.takeGroups(meta, size); err != nil {
		return nil, err
	}
	f.schema = schemaOf(f.root, meta)
	f.markJSON()
	f.columns, err = virtual(meta.Schema, f.leaves)
	return f, err
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	src io.ReaderAt
}

// ReadAt implements [io.ReaderAt].
func (r *contextReader) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.src.ReadAt(p, off)
	if n == len(p) {
		err = nil
	}
	return n, err
}

// readFooter returns the bytes of the footer.
func readFooter(src io.ReaderAt, size int64) ([]byte, error) {
	if size < int64(len(magic))+tailSize {
		return nil, damaged("the file has %d bytes: it is no Parquet file", size)
	}
	var head [len(magic)]byte
	var tail [tailSize]byte
	if err := readAt(src, head[:], 0); err != nil {
		return nil, err
	}
	if err := readAt(src, tail[:], size-tailSize); err != nil {
		return nil, err
	}
	switch ending := string(tail[4:]); {
	case string(head[:]) == encryptedMagic || ending == encryptedMagic:
		return nil, unsupported("the file is encrypted: nobody can read it without its keys")
	case string(head[:]) != magic && ending != magic:
		return nil, damaged("the file is no Parquet file: it neither begins nor ends with PAR1")
	case string(head[:]) != magic:
		return nil, damaged("the file does not begin with PAR1")
	case ending != magic:
		return nil, damaged("the file does not end with PAR1: it is cut short, or was never closed by its writer")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case length == 0 || length > size-tailSize-int64(len(magic)):
		return nil, damaged("the footer is said to have %d bytes, in a file of %d", length, size)
	case length > maxFooter:
		return nil, unsupported("the footer has %d bytes; at most %d are read", length, maxFooter)
	}
	footer := make([]byte, length)
	return footer, readAt(src, footer, size-tailSize-length)
}

// readAt reads all of p. What the file does not hold makes it damaged.
func readAt(src io.ReaderAt, p []byte, off int64) error {
	n, err := src.ReadAt(p, off)
	if n < len(p) && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)) {
		return damaged("the file ends too early")
	}
	return err
}

func decodeFooter(footer []byte) (*format.FileMetaData, error) {
	size, err := thriftSize(footer)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, unsupported("the footer cannot be read: %v", err)
	case err != nil:
		return nil, damaged("the footer cannot be read: %v", err)
	}
	meta := &format.FileMetaData{}
	err = guarded(func() error { return thrift.Unmarshal(&thrift.CompactProtocol{}, footer[:size], meta) })
	if err != nil {
		return nil, damaged("the footer cannot be read: %v", err)
	}
	if meta.EncryptionAlgorithm.Value != nil {
		return nil, unsupported("the file is encrypted: nobody can read it without its keys")
	}
	return meta, nil
}

// takeGroups takes over what is needed of the row groups, and holds it against the file. Readers go by the row groups: the
// number of rows that the footer gives the whole file is not looked at.
func (f *File) takeGroups(meta *format.FileMetaData, size int64) error {
	for i := range meta.RowGroups {
		from := &meta.RowGroups[i]
		if len(from.Columns) != len(f.leaves) {
			return damaged("row group %d has %d columns, and the schema %d", i, len(from.Columns), len(f.leaves))
		}
		if from.NumRows < 0 || from.NumRows > maxRows-f.rows {
			return damaged("row group %d is said to have %d rows", i, from.NumRows)
		}
		g := group{rows: from.NumRows, size: max(from.TotalByteSize, 0), offset: size}
		for j := range from.Columns {
			c, err := chunkOf(&from.Columns[j], size)
			if err != nil {
				err.Column = f.leaves[j].path
				return err
			}
			g.offset = min(g.offset, c.offset)
			g.chunks = append(g.chunks, c)
		}
		f.rows += g.rows
		f.groups = append(f.groups, g)
	}
	return nil
}

func chunkOf(from *format.ColumnChunk, size int64) (chunk, *Error) {
	m := &from.MetaData
	if from.FilePath != "" {
		return chunk{}, unsupported("its data stands in another file, %q", from.FilePath)
	}
	if from.CryptoMetadata.Value != nil {
		return chunk{}, unsupported("it is encrypted: nobody can read it without its key")
	}
	c := chunk{offset: m.DataPageOffset, size: m.TotalCompressedSize, values: m.NumValues, codec: m.Codec}
	if d := m.DictionaryPageOffset; d > 0 && d < c.offset {
		c.offset = d
	}
	if c.offset < int64(len(magic)) || c.size < 0 || c.values < 0 || c.size > size || c.offset > size-c.size {
		return chunk{}, damaged("its data is said to stand where the file has none")
	}
	if !unpacks(c.codec) {
		return chunk{}, unsupported("it is packed as %v, which few readers know", c.codec)
	}
	return c, nil
}

// statsOf adds up the row groups.
func statsOf(meta *format.FileMetaData) Stats {
	s := Stats{Groups: len(meta.RowGroups), PageIndex: true}
	for i := range meta.RowGroups {
		size := max(meta.RowGroups[i].TotalByteSize, 0)
		s.Rows += meta.RowGroups[i].NumRows
		s.Unpacked += size
		s.Largest = max(s.Largest, size)
		hasNone := func(c format.ColumnChunk) bool { return c.OffsetIndexOffset == 0 }
		s.PageIndex = s.PageIndex && !slices.ContainsFunc(meta.RowGroups[i].Columns, hasNone)
	}
	return s
}

// Rows is the number of rows of the file.
func (f *File) Rows() int64 { return f.rows }

// Schema is what the footer says of the columns.
func (f *File) Schema() Schema { return f.schema }

// virtual makes parquet-go's view of the columns: a file of the schema alone, with one row group whose column chunks are not
// packed. Where their pages come from is said when they are read; see pages.go.
func virtual(elements []format.SchemaElement, leaves []*node) ([]*pq.FileColumnChunk, error) {
	meta := format.FileMetaData{Version: 2, Schema: elements, NumRows: 1, RowGroups: []format.RowGroup{{NumRows: 1}}}
	for _, leaf := range leaves {
		meta.RowGroups[0].Columns = append(meta.RowGroups[0].Columns, format.ColumnChunk{
			MetaData: format.ColumnMetaData{
				Type: leaf.physical, PathInSchema: leaf.names, NumValues: 1, TotalCompressedSize: virtualSize, Codec: format.Uncompressed,
				Encoding: thrift.Slice[format.Encoding]{format.Plain},
			},
		})
	}
	var columns []*pq.FileColumnChunk
	err := guarded(func() error {
		footer, err := thrift.Marshal(&thrift.CompactProtocol{}, &meta)
		if err != nil {
			return err
		}
		text := slices.Concat([]byte(magic), footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte(magic))
		file, err := pq.OpenFile(bytes.NewReader(text), int64(len(text)), pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
		if err != nil {
			return err
		}
		for _, c := range file.RowGroups()[0].ColumnChunks() {
			columns = append(columns, c.(*pq.FileColumnChunk))
		}
		return nil
	})
	if err != nil {
		return nil, damaged("the schema cannot be read: %v", err)
	}
	return columns, nil
}

// guarded calls what may panic on foreign bytes.
func guarded(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return do()
}
