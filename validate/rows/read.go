// Package rows reads data files as rows.
//
// [Read] goes through one file once, in constant memory, and shows every row to a function: JSON Lines, JSON, CSV and
// TSV, each also packed as .gz or .zst. A [Row] is a [tape.Tape] with its place; whoever looks at rows is an [Observer].
// Whatever is wrong with the content is a finding with line, column and pointer; the row is left out and reading goes on where
// that is possible. The size and SHA-256 of the file as stored come with the rows, from the same reading.
package rows

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// maxRow is the length in bytes of the longest row that is read. Without a bound, a few packed bytes could fill the memory.
const maxRow = 512 << 20

// Source is a file to read.
type Source struct {
	// Path is the file's path as findings name it; its suffixes tell the format.
	Path string
	// Open opens the file from its beginning.
	Open func() (io.ReadCloser, error)
}

// Options says how to read a file.
type Options struct {
	// AnyValue lets a row be any JSON value, as for loose files with a schema; else it has to be an object.
	AnyValue bool
	// HashOnly measures the file and looks for no rows, as for a Git LFS pointer that stands in the file's place.
	HashOnly bool
	// OnBytes is called with the number of bytes of the file, as stored, read since the last call; nil for nobody.
	OnBytes func(n int64)
}

// Totals is what was measured of a file.
type Totals struct {
	// Bytes and SHA256 (64 hex digits) are those of the file as it is stored.
	Bytes  int64
	SHA256 string
	// Rows counts the rows that were shown: those without any error of form.
	Rows   int64
	Format Format
	// Unread says that Rows is 0 because nothing could be, or was to be, read as rows, and not because the file is empty.
	Unread bool
	// BOM says that the content starts with a byte order mark; BlankFirst, that blanks come before the first row of JSON.
	BOM, BlankFirst bool
	// Array says that the file is JSON and holds one array, whose elements are the rows.
	Array bool
}

// Read reads a file and shows its rows, in order, to fn. What is wrong with the content goes into found. The error is
// that of the file, of the context or of fn, as it came; after an error the totals are not whole.
func Read(ctx context.Context, src Source, opt Options, found *finding.Set, fn func(*Row) error) (Totals, error) {
	file, err := src.Open()
	if err != nil {
		return Totals{}, err
	}
	defer file.Close()
	raw := newStored(ctx, file, opt.OnBytes)
	r := &reader{opt: opt, found: found, show: fn, limit: maxRow}
	r.totals.Format, _ = FormatOf(src.Path)
	r.row.Path = src.Path
	r.row.Doc = &tape.Tape{}
	if err := r.read(ctx, raw); err != nil {
		return r.totals, err
	}
	if err := drain(raw); err != nil {
		return r.totals, err
	}
	r.totals.Bytes = raw.bytes
	r.totals.SHA256 = hex.EncodeToString(raw.sum.Sum(nil))
	r.totals.Unread = r.totals.Rows == 0 && r.refused
	return r.totals, nil
}

// drain reads what the unpacker or a fault in the content left of the file, for its size and hash.
func drain(raw *stored) error {
	buf := make([]byte, blockSize)
	for empty := 0; empty < maxEmptyReads; empty++ {
		n, err := raw.Read(buf)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 {
			empty = 0
		}
	}
	return io.ErrNoProgress
}

// reader is one file being read.
type reader struct {
	opt    Options
	found  *finding.Set
	show   func(*Row) error
	limit  int
	in     *input
	row    Row
	totals Totals
	// refused says that something in the file was not read as a row.
	refused bool
	crlf    tally
}

// tally counts lines of one kind and remembers the first.
type tally struct{ count, first int }

func (t *tally) add(line int) {
	if t.count == 0 {
		t.first = line
	}
	t.count++
}

// read unpacks the file and reads it by its format.
func (r *reader) read(ctx context.Context, raw *stored) error {
	if r.opt.HashOnly {
		r.refused = true
		return nil
	}
	if !r.totals.Format.Readable() {
		r.refused = true
		r.found.Add(r.notRead())
		return nil
	}
	content, free, err := unpack(r.totals.Format.Packing, raw)
	if err != nil {
		return r.broken(raw, err, 1)
	}
	defer free()
	r.in = newInput(ctx, content)
	line, err := r.content()
	if err != nil {
		return err
	}
	if r.in.err != nil && r.in.err != io.EOF {
		return r.broken(raw, r.in.err, line)
	}
	return nil
}

// notRead is the finding for a file whose format has no reader.
func (r *reader) notRead() finding.Finding {
	f := finding.New(finding.RowsFormatNotRead, "the rows of this file are not read: its name does not end as a data file's does")
	if format := r.totals.Format; format != (Format{}) {
		f = finding.New(finding.RowsFormatNotRead, "the rows of this file are not read: hfpub does not read %s yet", format)
	}
	return f.At(r.row.Path, 0).Hinting("size and sha256 are measured; rows, columns and rules are not checked")
}

// broken tells apart why the content ended early: the file or the context failed, which is an error, or what it holds
// cannot be unpacked, which is a finding. line is the last line that was reached.
func (r *reader) broken(raw *stored, err error, line int) error {
	if raw.err != nil {
		return raw.err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || r.totals.Format.Packing == Plain {
		return err
	}
	r.refused = true
	what := "the packed data is damaged"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		what = "the packed data ends too early"
	case r.totals.Rows == 0 && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, zstd.ErrMagicMismatch)):
		what = "the file is not what its suffix ." + string(r.totals.Format.Packing) + " says"
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		what = "the packed data needs more than 128 MiB of memory to unpack"
	}
	r.found.Add(finding.New(finding.RowsCorrupt, "%s", what).At(r.row.Path, line).Hinting("pack the file again, or fetch it again"))
	return nil
}

var (
	utf8Mark = []byte("\xEF\xBB\xBF")
	utf16LE  = []byte("\xFF\xFE")
	utf16BE  = []byte("\xFE\xFF")
)

// content reads the unpacked content and returns the line it reached.
func (r *reader) content() (line int, err error) {
	r.in.atLeast(4)
	if start := r.in.rest(); bytes.HasPrefix(start, utf16LE) || bytes.HasPrefix(start, utf16BE) {
		r.refused = true
		code := r.either(finding.JSONUTF8, finding.CSVUTF8)
		r.found.Add(finding.New(code, "the file is UTF-16, not UTF-8").AtColumn(r.row.Path, 1, 1).Hinting("save it as UTF-8"))
		return 1, nil
	}
	if bytes.HasPrefix(r.in.rest(), utf8Mark) {
		r.in.at += len(utf8Mark)
		r.totals.BOM = true
		code := r.either(finding.JSONBOM, finding.CSVBOM)
		f := finding.New(code, "the file starts with a byte order mark").AtColumn(r.row.Path, 1, 1)
		r.found.Add(f.Hinting("save it as UTF-8 without the mark: some readers fail on it or take it into the first name"))
	}
	switch r.totals.Format.Kind {
	case JSONLines:
		line, err = r.lines()
	case JSON:
		line, err = r.document()
	default:
		line, err = r.table()
	}
	if r.crlf.count > 0 {
		r.found.Add(r.lineEnds())
	}
	return line, err
}

// lineEnds is the one finding about all lines of the file that end with CR LF.
func (r *reader) lineEnds() finding.Finding {
	message := "1 line ends with CR LF"
	if r.crlf.count > 1 {
		message = fmt.Sprintf("%d lines end with CR LF", r.crlf.count)
	}
	f := finding.New(r.either(finding.JSONCRLF, finding.CSVCRLF), "%s", message).At(r.row.Path, r.crlf.first)
	if f.Code == finding.CSVCRLF {
		return f.Hinting("every reader takes them; `*.csv -text` in .gitattributes keeps git from changing the bytes")
	}
	return f.Hinting("write line feeds alone: the rows are the same, the bytes and sha256 of the file are not")
}

// either picks the code of the file's area.
func (r *reader) either(json, csv finding.Code) finding.Code {
	if kind := r.totals.Format.Kind; kind == CSV || kind == TSV {
		return csv
	}
	return json
}

// report adds what is wrong with a JSON text. measure stands at the text's place in the file, which begins at base.
func (r *reader) report(problems []tape.Problem, measure *ruler, text []byte, base int) {
	r.refused = true
	for _, p := range problems {
		line, column := measure.place(text, base+p.Offset)
		f := finding.New(p.Code, "%s", p.Message).AtColumn(r.row.Path, line, column).In(p.Pointer)
		f.Hint = p.Hint
		r.found.Add(f)
	}
}

// deliver shows the row that stands on the tape, unless it is no object. hint says how rows of this file should look.
func (r *reader) deliver(line int, hint string) error {
	if kind := r.row.Doc.Root().Kind(); kind != tape.Object && !r.opt.AnyValue {
		r.refused = true
		what := map[tape.Kind]string{tape.Null: "null", tape.Array: "an array"}[kind]
		if what == "" {
			what = "a " + kind.String()
		}
		f := finding.New(finding.JSONRowNotObject, "row is %s, expected an object", what)
		r.found.Add(f.At(r.row.Path, line).Hinting("%s", hint))
		return nil
	}
	r.row.Line, r.row.Index = line, r.totals.Rows
	r.totals.Rows++
	return r.show(&r.row)
}

// tooLong reports the row that begins at line and is longer than the limit.
func (r *reader) tooLong(line int) {
	r.refused = true
	f := finding.New(finding.RowsTooLong, "a row is longer than %d MiB", r.limit>>20).At(r.row.Path, line)
	r.found.Add(f.Hinting("split it, or check that line breaks and quotes are where they belong"))
}

// clean says that the content was read to its end.
func (r *reader) clean() bool { return r.in.err == io.EOF }
