// Package rows reads data files as rows.
//
// [Read] goes through one file once, in constant memory, and shows every row to a function: JSON Lines, JSON, CSV and
// TSV, each also packed as .gz or .zst, and Parquet. A [Row] is a [tape.Tape] with its place; whoever looks at rows is an [Observer].
// Whatever is wrong with the content is a finding with line, column and pointer; the row is left out and reading goes on where
// that is possible. The size and SHA-256 of the file as stored come with the rows, from the same reading.
//
// Many can read one file together: a [File] cuts it into blocks of whole rows. What has to be done from front to back
// (finding where rows end, unpacking, hashing) is little; each [Block] is read apart from the others, and what they gave
// is put together in their order.
package rows

import (
	"bytes"
	"context"
	"io"
	"math"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/parquet"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
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
	// Field is the key of a JSON document under which the rows stand, as one array; nil for rows that are the document itself. It
	// says nothing of other formats.
	Field *string
	// HashOnly measures the file and looks for no rows, as for a Git LFS pointer that stands in the file's place.
	HashOnly bool
	// BlockSize is about how many bytes of rows stand in one [Block]; 0 lets blocks grow with the file, up to 512 KiB. What is
	// read does not depend on it.
	BlockSize int
	// MaxPlaces bounds the places that are kept for one finding; 0 means no limit.
	MaxPlaces int
	// Share is the part of the file that is read; nil for all of it. Only files that are not packed have parts.
	Share *Share
	// Buffers lends the buffers that blocks are read into; nil makes new ones.
	Buffers *Buffers
	// OnBytes is called with the number of bytes of the file, as stored, read since the last call; nil for nobody.
	OnBytes func(n int64)
}

// Share is a part of a file: the blocks that begin at From or behind it and before To, which are positions in bytes. The shares of
// one file meet without gaps; the first has From 0, and the last has To [ToTheEnd] and measures size and hash of the whole
// file. A JSON document that is no array belongs to the first.
type Share struct{ From, To int64 }

// ToTheEnd is the To of a file's last share.
const ToTheEnd = math.MaxInt64

// Totals is what was measured of a file.
type Totals struct {
	// Bytes and SHA256 (64 hex digits) are those of the file as it is stored.
	Bytes  int64
	SHA256 string
	// Rows counts the rows that were shown: those without any error of form.
	Rows   int64
	Format Format
	// Refused says that something in the file was not read as a row, so that observers have not seen all of it.
	Refused bool
	// Unread says that Rows is 0 because nothing could be, or was to be, read as rows, and not because the file is empty.
	Unread bool
	// BOM says that the content starts with a byte order mark; BlankFirst, that blanks come before the first row of JSON.
	BOM, BlankFirst bool
	// BlankLine is the first blank line of JSON Lines, 0 for none.
	BlankLine int
	// Array says that the file is JSON and holds one array, whose elements are the rows. ArrayLine is then the line of its
	// bracket, and Elements their number, refused ones among them; it is -1 when the array was not read to its end.
	Array     bool
	ArrayLine int
	Elements  int64
	// Wrapped says of an array that no brace stands within its first 100 bytes before any quote, from which load_dataset concludes
	// that its elements are no objects.
	Wrapped bool
	// Field is what stands under [Options.Field]: array, another kind of value, or missing; "" without that option, and where the
	// document could not be read so far. FieldLine is the line of that value, or of the document without one.
	Field     string
	FieldLine int
	// Parquet is what the footer of a Parquet file says of its columns; nil for other files, and when it cannot be read.
	Parquet *parquet.Schema
}

// Read reads a file and shows its rows, in order, to fn. What is wrong with the content goes into found. The error is
// that of the file, of the context or of fn, as it came; after an error the totals are not whole.
func Read(ctx context.Context, src Source, opt Options, found *finding.Set, fn func(*Row) error) (Totals, error) {
	opt.MaxPlaces = found.MaxPlaces
	f, err := Open(ctx, src, opt)
	if err != nil {
		return Totals{}, err
	}
	defer f.Close()
	f.live = true
	var doc tape.Tape
	for {
		b, err := f.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return f.totals, err
		}
		b.Hash(&sha256pair.Batch{})
		if err := b.Read(&doc, fn, nil); err != nil {
			return f.totals, err
		}
		f.Add(b)
	}
	totals, faults := f.Part().Finish()
	found.Merge(faults)
	return totals, nil
}

// reader is a run of a file's rows being read.
type reader struct {
	opt   Options
	found *finding.Set
	show  func(*Row) error
	runs  runs
	limit int
	in    *input
	row   Row
	outcome
	totals Totals
	// inside says that more of the file stands behind the run.
	inside bool
	// hold, when it is set, takes what is found on the line that it names.
	hold *firstLine
}

// outcome is what reading a run of rows gave.
type outcome struct {
	rows int64
	// refused says that something in it was not read as a row.
	refused bool
	// stopped says that reading ended before the end: nothing behind the run counts.
	stopped     bool
	crlf, blank tally
	// nans counts the floats that are no numbers, by rows.
	nans tally
	// line is the line that was reached.
	line int
	// elements counts those of an array up to the end of the run; arrayLine is the line of the bracket that opens it.
	elements  int64
	arrayLine int
	// field and fieldLine are those of [Totals].
	field     string
	fieldLine int
}

// tally counts lines of one kind and remembers the first.
type tally struct{ count, first int }

func (t *tally) add(line int) {
	if t.count == 0 {
		t.first = line
	}
	t.count++
}

func (t *tally) merge(next tally) {
	if t.count == 0 {
		t.first = next.first
	}
	t.count += next.count
}

// merge takes over what the run behind gave.
func (o *outcome) merge(next *outcome) {
	o.rows += next.rows
	o.refused = o.refused || next.refused
	o.stopped = o.stopped || next.stopped
	o.crlf.merge(next.crlf)
	o.blank.merge(next.blank)
	o.nans.merge(next.nans)
	o.line = max(o.line, next.line)
	o.elements = max(o.elements, next.elements)
	o.arrayLine = max(o.arrayLine, next.arrayLine)
	if next.field != "" {
		o.field, o.fieldLine = next.field, next.fieldLine
	}
}

// firstLine holds the findings on the first line of a run, whose columns are counted from where the run begins.
type firstLine struct {
	line  int
	found []finding.Finding
}

// add takes in a finding with a column.
func (r *reader) add(f finding.Finding) {
	if r.hold != nil && r.hold.line == f.Line {
		r.hold.found = append(r.hold.found, f)
		return
	}
	r.found.Add(f)
}

// notRead is the finding for a file whose format has no reader.
func (r *reader) notRead() finding.Finding {
	f := finding.New(finding.RowsFormatNotRead, "the rows of this file are not read: its name does not end as a data file's does")
	if format := r.totals.Format; format != (Format{}) {
		f = finding.New(finding.RowsFormatNotRead, "the rows of this file are not read: hfpub does not read %s yet", format)
	}
	return f.At(r.row.Path, 0).Hinting("size and sha256 are measured; rows, columns and rules are not checked")
}

var (
	utf8Mark = []byte("\xEF\xBB\xBF")
	utf16LE  = []byte("\xFF\xFE")
	utf16BE  = []byte("\xFE\xFF")
)

// mark looks at the mark that content may begin with; it is false when the content is no UTF-8.
func (r *reader) mark() bool {
	r.in.atLeast(4)
	if start := r.in.rest(); bytes.HasPrefix(start, utf16LE) || bytes.HasPrefix(start, utf16BE) {
		r.refused = true
		code := r.totals.Format.either(finding.JSONUTF8, finding.CSVUTF8)
		r.found.Add(finding.New(code, "the file is UTF-16, not UTF-8").AtColumn(r.row.Path, 1, 1).Hinting("save it as UTF-8"))
		return false
	}
	if bytes.HasPrefix(r.in.rest(), utf8Mark) {
		r.in.at += len(utf8Mark)
		r.totals.BOM = true
		code := r.totals.Format.either(finding.JSONBOM, finding.CSVBOM)
		f := finding.New(code, "the file starts with a byte order mark").AtColumn(r.row.Path, 1, 1)
		r.found.Add(f.Hinting("save it as UTF-8 without the mark: some readers fail on it or take it into the first name"))
	}
	kind := r.totals.Format.Kind
	r.totals.BlankFirst = (kind == JSON || kind == JSONLines) && r.in.atLeast(1) && isSpace(r.in.rest()[0])
	return true
}

// report adds what is wrong with a JSON text. measure stands at the text's place in the file, which begins at base.
func (r *reader) report(problems []tape.Problem, measure *ruler, text []byte, base int) {
	r.refused = true
	for _, p := range problems {
		line, column := measure.place(text, base+p.Offset)
		f := finding.New(p.Code, "%s", p.Message).AtColumn(r.row.Path, line, column).In(p.Pointer)
		f.Hint = p.Hint
		r.add(f)
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
	r.row.Line = line
	r.rows++
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
