package rows

import (
	"errors"
	"fmt"
	"io"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/parquet"
)

// columnar is a Parquet file being cut. Its rows are read at many places at once, and its bytes once more from front to back
// for the hash; the second time they are in the memory of the operating system.
type columnar struct {
	file *parquet.File
	// rest are the blocks that are still to be cut.
	rest []parquet.Block
	// hashed says that all bytes have been given to blocks.
	hashed bool
}

// openParquet reads the footer. A file whose footer cannot be read has no rows.
func (f *File) openParquet() (*Block, error) {
	f.step = f.cutParquet
	f.raw.apart = true
	src, size, err := f.randomAccess()
	if err != nil {
		return nil, err
	}
	file, err := parquet.Open(f.ctx, src, size)
	var fault *parquet.Error
	switch {
	case errors.As(err, &fault):
		f.refused = true
		f.found.Add(unreadable(f.row.Path, 0, fault))
		return nil, nil
	case err != nil:
		return nil, err
	}
	schema := file.Schema()
	f.totals.Parquet = &schema
	f.columns.file = file
	f.columns.rest = file.Blocks(int64(f.opt.BlockSize))
	return nil, nil
}

func (f *File) randomAccess() (io.ReaderAt, int64, error) {
	src, ok := f.file.(io.ReaderAt)
	size := f.raw.left
	if sized, is := f.file.(interface{ Size() int64 }); is && size < 0 {
		size = sized.Size()
	}
	if !ok || size < 0 {
		return nil, 0, fmt.Errorf("%s: a Parquet file has to be a regular file", f.row.Path)
	}
	return src, size, nil
}

func unreadable(path string, line int, fault *parquet.Error) finding.Finding {
	return finding.New(finding.ParquetUnreadable, "%s", fault.Error()).At(path, line).Hinting("%s", fault.Advice)
}

// cutParquet makes a block of the next rows, when the bytes before them have been given to blocks, or of the next bytes.
func (f *File) cutParquet() (*Block, error) {
	c := &f.columns
	if f.over.Load() {
		c.rest = nil
	}
	if len(c.rest) > 0 && (c.hashed || c.rest[0].Offset < f.raw.bytes) {
		b := f.block(nil, place{})
		b.part = &c.rest[0]
		c.rest = c.rest[1:]
		return b, nil
	}
	if c.hashed {
		f.step = end
		return nil, nil
	}
	buf := f.buffers.get(maxBlock)
	n, err := io.ReadFull(f.raw, buf[:maxBlock])
	switch err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		c.hashed = true
	default:
		f.buffers.put(buf)
		return nil, err
	}
	b := f.block(nil, place{})
	b.empty, b.buf, b.raw = true, buf, buf[:n]
	return b, nil
}

// columnRows reads the rows of a block of a Parquet file. What cannot be read ends the reading of the file.
func (r *reader) columnRows(b *Block) error {
	r.row.Typed = true
	r.line = int(b.part.First)
	count, err := b.file.columns.file.Read(b.file.ctx, *b.part, func(index int64, text []byte) error {
		r.row.Index = index
		r.line = int(index) + 1
		if problems := r.row.Doc.Parse(text); problems != nil {
			r.unfit(problems[0].Code, problems[0].Pointer, problems[0].Message)
			return nil
		}
		return r.deliver(r.line, "")
	})
	if count.NaNs > 0 {
		r.nans = tally{int(count.NaNs), int(count.FirstNaN) + 1}
	}
	var fault *parquet.Error
	if errors.As(err, &fault) {
		r.refused, r.stopped = true, true
		r.found.Add(unreadable(r.row.Path, r.line+1, fault))
		return nil
	}
	return err
}

// unfit reports the value for which a row is no row of JSON.
func (r *reader) unfit(code finding.Code, pointer, message string) {
	r.refused = true
	if code != finding.JSONUTF8 {
		r.found.Add(finding.New(code, "%s", message).At(r.row.Path, r.line).In(pointer))
		return
	}
	f := finding.New(finding.ParquetText, "a column of texts holds bytes that are not UTF-8").At(r.row.Path, r.line).In(pointer)
	r.found.Add(f.Hinting("write them as UTF-8, or make it a column of binary"))
}

// noNumbers is the one finding about all floats of the file that are no numbers.
func (p *Part) noNumbers() finding.Finding {
	const message = "NaN or an infinity in a column of floats: it counts as null"
	f := finding.New(finding.ParquetNaN, message).At(p.path, p.nans.first)
	f.Count = p.nans.count
	return f.Hinting("write null where a value is missing: JSON has no such number, and readers treat it in different ways")
}
