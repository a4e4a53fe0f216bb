package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	// maxPage is the length in bytes of the longest page, unpacked; maxPageValues is how many values one may have.
	maxPage       = 512 << 20
	maxPageValues = 1 << 26
	// maxHeader is the length of the longest page header; firstHeader is how much is looked at for one at first.
	maxHeader   = 16 << 20
	firstHeader = 1 << 10
	// maxTogether bounds the memory of the pages that are read side by side, one of each column.
	maxTogether = 1 << 30
	// virtualSize is the length of a column chunk for parquet-go, which does not know how long it is unpacked.
	virtualSize = 1 << 60
)

// pages hands the pages of a column chunk to parquet-go: it is a file that holds them one behind the other, without
// compression, and can be read from front to back only.
type pages struct {
	src    io.ReaderAt
	leaf   *node
	chunk  chunk
	memory *memory
	unpacker
	// at is the position in the file, values counts those of the pages that were handed out or passed.
	at     int64
	values int64
	// skip is how many rows are to be passed over before the first one; when the page has been found that holds it, drop is how
	// many of them stand in that page.
	skip, drop int64
	// out is where parquet-go has come to, ready what it has not taken yet.
	out   int64
	ready [][]byte
	// buf holds the page as stored, text what it unpacks to, window the header.
	buf, text, window []byte
	// held is what the pages take of the memory, dictionary what the dictionary does.
	held, dictionary int64
	// hasDictionary says that the column's dictionary was met.
	hasDictionary bool
	err           error
}

// memory is what the pages of all columns may take together.
type memory struct{ left int64 }

var errTogether = errors.New("the pages of its row group take more than 1 GiB of memory together")

// take asks for a page of so many bytes and values instead of what was held before.
func (m *memory) take(held *int64, size, values int64) error {
	need := 2*size + 12*values
	m.left += *held - need
	*held = need
	if m.left < 0 {
		return errTogether
	}
	return nil
}

func newPages(src io.ReaderAt, leaf *node, c chunk, m *memory) *pages {
	return &pages{src: src, leaf: leaf, chunk: c, memory: m, at: c.offset}
}

// ReadAt implements [io.ReaderAt] for one reader that reads on and on.
func (p *pages) ReadAt(dst []byte, off int64) (int, error) {
	if off != p.out {
		return 0, errors.New("the page refers to a dictionary that is not there")
	}
	n := 0
	for n < len(dst) {
		if len(p.ready) == 0 {
			if p.err == nil {
				p.err = p.next()
			}
			if p.err != nil {
				return n, p.err
			}
			continue
		}
		k := copy(dst[n:], p.ready[0])
		n += k
		p.out += int64(k)
		if p.ready[0] = p.ready[0][k:]; len(p.ready[0]) == 0 {
			p.ready = p.ready[1:]
		}
	}
	return n, nil
}

// next makes the next page ready; io.EOF behind the last.
func (p *pages) next() error {
	for {
		if p.values >= p.chunk.values {
			return io.EOF
		}
		h, size, err := p.header()
		if err != nil {
			return err
		}
		from := p.at + int64(size)
		if left := p.chunk.offset + p.chunk.size - from; int64(h.CompressedPageSize) > left {
			return damaged("a page of %d bytes goes on beyond its column", h.CompressedPageSize)
		}
		p.at = from + int64(h.CompressedPageSize)
		passed, err := p.passes(h)
		if err != nil {
			return err
		}
		if !passed && h.Type != format.IndexPage {
			return p.load(h, from)
		}
	}
}

// header reads the page header at the position.
func (p *pages) header() (*format.PageHeader, int, error) {
	end := p.chunk.offset + p.chunk.size
	for window := int64(firstHeader); ; window *= 16 {
		window = min(window, end-p.at, maxHeader)
		p.window = slices.Grow(p.window[:0], int(max(window, 0)))[:max(window, 0)]
		if err := readAt(p.src, p.window, p.at); err != nil {
			return nil, 0, err
		}
		size, err := thriftSize(p.window)
		switch {
		case errors.Is(err, errShort) && window < min(end-p.at, maxHeader):
			continue
		case errors.Is(err, errShort):
			return nil, 0, damaged("it ends after %d of %d values", p.values, p.chunk.values)
		case err != nil:
			return nil, 0, damaged("the header of a page cannot be read: %v", err)
		}
		h := &format.PageHeader{}
		if err := guarded(func() error { return thrift.Unmarshal(&thrift.CompactProtocol{}, p.window[:size], h) }); err != nil {
			return nil, 0, damaged("the header of a page cannot be read: %v", err)
		}
		if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 {
			return nil, 0, damaged("a page has %d bytes, and %d unpacked", h.CompressedPageSize, h.UncompressedPageSize)
		}
		if h.UncompressedPageSize > maxPage || h.CompressedPageSize > maxPage {
			return nil, 0, unsupported("a page has more than %d MiB", maxPage>>20)
		}
		return h, size, nil
	}
}

// passes passes over a page all of whose rows are to be skipped, as far as its header tells how many rows it has.
func (p *pages) passes(h *format.PageHeader) (bool, error) {
	var rows, values int64
	switch {
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		rows, values = int64(h.DataPageHeaderV2.V.NumRows), int64(h.DataPageHeaderV2.V.NumValues)
	case h.Type == format.DataPage && h.DataPageHeader.Valid && !p.leaf.nested:
		values = int64(h.DataPageHeader.V.NumValues)
		rows = values
	default:
		return false, nil
	}
	if rows < 0 || values < 0 {
		return false, damaged("a page has %d values", values)
	}
	if rows > p.skip || p.skip == 0 {
		return false, nil
	}
	p.skip -= rows
	p.values += values
	return true, nil
}

// load reads a page and makes it ready.
func (p *pages) load(h *format.PageHeader, from int64) error {
	check := dataPage{leaf: p.leaf}
	levels, packed := 0, true
	switch h.Type {
	case format.DictionaryPage:
		if !h.DictionaryPageHeader.Valid {
			return damaged("a dictionary has no header")
		}
		if err := p.checkCount(int64(h.DictionaryPageHeader.V.NumValues), maxPageValues, h); err != nil {
			return err
		}
	case format.DataPage:
		if !h.DataPageHeader.Valid {
			return damaged("a page has no header")
		}
		d := &h.DataPageHeader.V
		d.Statistics = format.Statistics{}
		check.values, check.encoding = int(d.NumValues), d.Encoding
		check.levels = [2]format.Encoding{d.RepetitionLevelEncoding, d.DefinitionLevelEncoding}
	case format.DataPageV2:
		if !h.DataPageHeaderV2.Valid {
			return damaged("a page has no header")
		}
		d := &h.DataPageHeaderV2.V
		d.Statistics = format.Statistics{}
		check.values, check.encoding, check.v2 = int(d.NumValues), d.Encoding, true
		check.levels = [2]format.Encoding{format.RLE, format.RLE}
		check.levelBytes = [2]int{int(d.RepetitionLevelsByteLength), int(d.DefinitionLevelsByteLength)}
		if d.NumNulls < 0 || d.NumNulls > d.NumValues || d.RepetitionLevelsByteLength < 0 || d.DefinitionLevelsByteLength < 0 {
			return damaged("the header of a page contradicts itself")
		}
		levels = int(d.RepetitionLevelsByteLength) + int(d.DefinitionLevelsByteLength)
		packed = d.IsCompressed.V || !d.IsCompressed.Valid
	default:
		return damaged("a page of the unknown type %d", h.Type)
	}
	if h.Type != format.DictionaryPage {
		if err := p.checkCount(int64(check.values), p.chunk.values-p.values, h); err != nil {
			return err
		}
		p.values += int64(check.values)
		p.drop, p.skip = p.drop+p.skip, 0
	}
	if err := p.read(h, from, levels, packed); err != nil {
		return err
	}
	if h.Type == format.DictionaryPage {
		if p.hasDictionary {
			return damaged("it has a second dictionary")
		}
		p.hasDictionary = true
		size, err := checkDictionary(p.leaf, &h.DictionaryPageHeader.V, p.text)
		if err != nil {
			return damaged("its dictionary cannot be read: %v", err)
		}
		p.text = p.text[:size]
	} else {
		if err := check.check(p.text); err != nil {
			return damaged("a page cannot be read: %v", err)
		}
		p.text = p.text[:check.end]
	}
	h.UncompressedPageSize = int32(len(p.text)) // what stands behind the values is nobody's
	return p.offer(h)
}

// checkCount holds the number of values of a page against what is left.
func (p *pages) checkCount(values, left int64, h *format.PageHeader) error {
	switch {
	case values < 0 || values > left:
		return damaged("a page has %d values where %d are left", values, left)
	case values > maxPageValues:
		return unsupported("a page has more than %d values", maxPageValues)
	}
	held := &p.held
	if h.Type == format.DictionaryPage {
		held = &p.dictionary
	}
	if err := p.memory.take(held, int64(h.UncompressedPageSize), values); err != nil {
		return unsupported("%v", err)
	}
	return nil
}

// read reads the bytes of a page and unpacks them, all but the levels before them of a page of version 2.
func (p *pages) read(h *format.PageHeader, from int64, levels int, packed bool) error {
	p.buf = resized(p.buf, int(h.CompressedPageSize))
	if err := readAt(p.src, p.buf, from); err != nil {
		return err
	}
	if h.CRC != 0 && crc32.ChecksumIEEE(p.buf) != uint32(h.CRC) {
		return damaged("the checksum of a page is wrong")
	}
	size := int(h.UncompressedPageSize)
	if levels > len(p.buf) || levels > size {
		return damaged("the header of a page contradicts itself")
	}
	p.text = resized(p.text, size)
	copy(p.text, p.buf[:levels])
	codec := p.chunk.codec
	if !packed {
		codec = format.Uncompressed
	}
	if size == levels {
		return nil // all values are null
	}
	if err := p.unpack(codec, p.text[levels:], p.buf[levels:]); err != nil {
		return damaged("a page cannot be unpacked: %v", err)
	}
	return nil
}

// resized returns a buffer of so many bytes; a much longer one is left to the garbage collector.
func resized(buf []byte, size int) []byte {
	if cap(buf) < size || cap(buf) > 4*size+(1<<20) {
		return make([]byte, size)
	}
	return buf[:size]
}

// offer makes the page ready that is unpacked.
func (p *pages) offer(h *format.PageHeader) error {
	h.CompressedPageSize = h.UncompressedPageSize
	h.CRC = 0
	head, err := thrift.Marshal(&thrift.CompactProtocol{}, h)
	if err != nil {
		return fmt.Errorf("write a page header: %w", err)
	}
	p.ready = append(p.ready, head)
	if len(p.text) > 0 {
		p.ready = append(p.ready, p.text)
	}
	return nil
}

// cursor goes through the values of a column chunk.
type cursor struct {
	pages *pages
	lib   *pq.FilePages
	page  pq.Page
	from  pq.ValueReader
	// ahead holds values that were decoded, at is the next of them; last says that no more come from the page.
	ahead []pq.Value
	at    int
	last  bool
	// end says that the chunk has no more values.
	end bool
}

// valuesAhead is how many values are decoded at once.
const valuesAhead = 256

func newCursor(column *pq.FileColumnChunk, p *pages) *cursor {
	return &cursor{pages: p, lib: column.PagesFrom(p), last: true, ahead: make([]pq.Value, 0, valuesAhead)}
}

func (c *cursor) close() {
	pq.Release(c.page)
	c.page = nil
	c.lib.Close()
	c.pages.close()
}

// peek returns the next value; nil behind the last.
func (c *cursor) peek() (*pq.Value, error) {
	for c.at == len(c.ahead) {
		if c.end {
			return nil, nil
		}
		if err := c.more(); err != nil {
			return nil, c.failed(err)
		}
	}
	return &c.ahead[c.at], nil
}

// more decodes more values, and reads the next page when there are none in the last.
func (c *cursor) more() error {
	c.at, c.ahead = 0, c.ahead[:0]
	if c.last {
		pq.Release(c.page)
		c.page, c.from = nil, nil
		page, err := c.lib.ReadPage()
		if err == io.EOF && c.pages.err == io.EOF {
			c.end = true
			return nil
		}
		if err != nil {
			return err
		}
		c.page, c.from, c.last = page, page.Values(), false
	}
	n, err := c.from.ReadValues(c.ahead[:valuesAhead])
	c.ahead = c.ahead[:n]
	c.last = err == io.EOF
	if err != nil && err != io.EOF {
		return err
	}
	if n == 0 && err == nil {
		return io.ErrNoProgress
	}
	return nil
}

// failed names the column, and prefers the error of the pages, which parquet-go may hide.
func (c *cursor) failed(err error) error {
	if own := c.pages.err; own != nil && own != io.EOF {
		err = own
	}
	var known *Error
	switch {
	case errors.As(err, &known):
		out := *known
		out.Column = c.pages.leaf.path
		return &out
	case c.pages.isContext():
		return err
	}
	out := damaged("a page cannot be read: %v", err)
	out.Column = c.pages.leaf.path
	return out
}

// isContext says that the file or the context failed, and not the content.
func (p *pages) isContext() bool {
	var known *Error
	return p.err != nil && p.err != io.EOF && !errors.As(p.err, &known)
}
