package rows

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
)

// Part is what reading a share of a file showed, the rows aside. The parts of all shares are merged in their order, and
// [Part.Finish] tells what is known of the file.
type Part struct {
	path   string
	totals Totals
	outcome
	found finding.Set
	// damage says why the content could not be unpacked to its end; "" when it could.
	damage string
}

// Part returns what was seen of the file or of its share, when all blocks have been hashed and added.
func (f *File) Part() *Part {
	p := &Part{path: f.row.Path, totals: f.totals, outcome: f.outcome, found: *f.found}
	if f.damage != nil {
		p.refused = true
		p.damage = damageOf(f.damage, p)
	}
	if f.share.To == ToTheEnd {
		p.totals.Bytes = f.raw.bytes
		sum := f.raw.sum.Sum()
		p.totals.SHA256 = hex.EncodeToString(sum[:])
	}
	return p
}

// damageOf says in words why content cannot be unpacked.
func damageOf(err error, p *Part) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return "the packed data ends too early"
	case p.rows == 0 && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, zstd.ErrMagicMismatch)):
		return "the file is not what its suffix ." + string(p.totals.Format.Packing) + " says"
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return "the packed data needs more than 128 MiB of memory to unpack"
	}
	return "the packed data is damaged"
}

// Stopped says that a fault ended the reading: what observers saw of the shares behind this one does not count.
func (p *Part) Stopped() bool { return p.stopped }

// Merge takes over what the next share of the file showed, whose rows count only when no share before was stopped.
func (p *Part) Merge(next *Part) {
	p.totals.Bytes, p.totals.SHA256 = next.totals.Bytes, next.totals.SHA256
	if p.stopped {
		return
	}
	p.outcome.merge(&next.outcome)
	p.found.Merge(&next.found)
}

// Finish returns what is known of the file when all its parts have been merged, and what is wrong with its content.
func (p *Part) Finish() (Totals, *finding.Set) {
	p.countedLines()
	if p.damage != "" {
		f := finding.New(finding.RowsCorrupt, "%s", p.damage).At(p.path, max(p.line, 1))
		p.found.Add(f.Hinting("pack the file again, or fetch it again"))
	}
	t := p.totals
	t.Rows = p.rows
	t.Refused = p.refused
	t.BlankLine = p.blank.first
	t.Unread = p.rows == 0 && p.refused
	t.Field, t.FieldLine = p.field, p.fieldLine
	t.Wrapped = t.Wrapped && p.rows > 0
	t.Elements, t.ArrayLine = -1, p.arrayLine
	if t.Array && !p.stopped && p.damage == "" {
		t.Elements = p.elements
	}
	return t, &p.found
}

// countedLines adds the findings about lines that are only counted.
func (p *Part) countedLines() {
	if p.blank.count > 0 {
		f := finding.New(finding.JSONBlankLine, "blank line").At(p.path, p.blank.first).Hinting("remove it")
		f.Count = p.blank.count
		p.found.Add(f)
	}
	if p.crlf.count > 0 {
		p.found.Add(p.lineEnds())
	}
	if p.nans.count > 0 {
		p.found.Add(p.noNumbers())
	}
}

// lineEnds is the one finding about all lines of the file that end with CR LF.
func (p *Part) lineEnds() finding.Finding {
	message := "1 line ends with CR LF"
	if p.crlf.count > 1 {
		message = fmt.Sprintf("%d lines end with CR LF", p.crlf.count)
	}
	code := p.totals.Format.either(finding.JSONCRLF, finding.CSVCRLF)
	f := finding.New(code, "%s", message).At(p.path, p.crlf.first)
	if f.Code == finding.CSVCRLF {
		return f.Hinting("every reader takes them; `*.csv -text` in .gitattributes keeps git from changing the bytes")
	}
	return f.Hinting("write line feeds alone: the rows are the same, the bytes and sha256 of the file are not")
}

// MarshalBinary writes the part, for another process to merge.
func (p *Part) MarshalBinary() ([]byte, error) {
	found, err := p.found.MarshalBinary()
	if err != nil {
		return nil, err
	}
	var w record.Writer
	w.Text(p.path)
	w.Uint(uint64(p.totals.Bytes))
	w.Text(p.totals.SHA256)
	for _, b := range p.truths() {
		w.Bool(*b)
	}
	for _, n := range p.counts() {
		w.Uint(uint64(*n))
	}
	w.Uint(uint64(p.rows))
	w.Uint(uint64(p.elements))
	w.Text(p.damage)
	w.Text(p.field)
	w.Part(found)
	schema, err := json.Marshal(p.totals.Parquet)
	if err != nil {
		return nil, err
	}
	w.Part(schema)
	return w.Bytes(), nil
}

func (p *Part) truths() []*bool {
	return []*bool{&p.totals.BOM, &p.totals.BlankFirst, &p.totals.Array, &p.totals.Wrapped, &p.refused, &p.stopped}
}

func (p *Part) counts() []*int {
	return []*int{&p.crlf.count, &p.crlf.first, &p.blank.count, &p.blank.first, &p.nans.count, &p.nans.first, &p.line, &p.arrayLine, &p.fieldLine}
}

// UnmarshalBinary makes the part what MarshalBinary wrote. It is [record.ErrDamaged] when data is anything else.
func (p *Part) UnmarshalBinary(data []byte) error {
	const most = math.MaxInt64 >> 16
	r := record.NewReader(data)
	number := func() int64 {
		n := r.Uint()
		if n > most {
			r.Fail()
			return 0
		}
		return int64(n)
	}
	out := Part{path: r.Text()}
	out.totals.Format, _ = FormatOf(out.path)
	out.totals.Bytes, out.totals.SHA256 = number(), r.Text()
	for _, b := range out.truths() {
		*b = r.Bool()
	}
	for _, n := range out.counts() {
		*n = int(number())
	}
	out.rows, out.elements = number(), number()
	out.damage, out.field = r.Text(), r.Text()
	found, schema := r.Part(), r.Part()
	if err := r.End(); err != nil {
		return err
	}
	if err := json.Unmarshal(schema, &out.totals.Parquet); err != nil {
		return record.ErrDamaged
	}
	out.found.MaxPlaces = p.found.MaxPlaces
	if err := out.found.UnmarshalBinary(found); err != nil {
		return err
	}
	*p = out
	return nil
}

// NewPart returns a part to read into; maxPlaces is that of [Options].
func NewPart(maxPlaces int) *Part { return &Part{found: finding.Set{MaxPlaces: maxPlaces}} }
