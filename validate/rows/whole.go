package rows

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// ErrTooLong says that the content of a file is longer than it may be.
var ErrTooLong = errors.New("the content is too long")

// Whole reads the JSON document in a file as one value, for what can only be told from all of it at once: the document is the
// row, whose line is that of the file. It is nil when the document is not strict JSON; what is wrong with it [Read] finds. The
// error is [ErrTooLong] for content of more than limit bytes, else that of the file, of the context or of the unpacker.
func Whole(ctx context.Context, src Source, limit int) (*Row, error) {
	file, err := src.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	format, _ := FormatOf(src.Path)
	content, free, err := unpack(format.Packing, newStored(ctx, file, nil))
	if err != nil {
		return nil, err
	}
	defer free()
	text, err := io.ReadAll(io.LimitReader(content, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(text) > limit {
		return nil, ErrTooLong
	}
	row := &Row{Path: src.Path, Line: 1, Doc: &tape.Tape{}}
	if problems := row.Doc.Parse(bytes.TrimPrefix(text, utf8Mark)); len(problems) > 0 {
		return nil, nil
	}
	return row, nil
}
