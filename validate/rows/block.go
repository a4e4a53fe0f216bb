package rows

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/parquet"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

const (
	// minBlock and maxBlock are the sizes in bytes of the first block of a file, so that small files have several, and of
	// those that follow, each twice as long as the one before.
	minBlock = 64 << 10
	maxBlock = 512 << 10
)

// File is a file that is read in blocks, by several goroutines together:
//   - [File.Next] cuts the next block; one goroutine at a time.
//   - [Block.Hash] hashes what was read for the block; one block after the other, in their order.
//   - [Block.Read] reads the rows of the block; any goroutine, whatever happens to other blocks.
//   - [File.Add] takes over what was found; one block after the other, in their order.
//
// Every block is hashed, read and added once. What comes out does not depend on where the file is cut.
type File struct {
	reader
	ctx     context.Context
	file    io.Closer
	raw     *stored
	free    func()
	buffers *Buffers
	share   Share
	// step is what Next does.
	step func() (*Block, error)
	// live says that the whole content is one block, which is read as it comes in.
	live   bool
	cutter cutter
	header *header
	// columns is what Next cuts of a Parquet file.
	columns columnar
	// target is the size of the next block.
	target int
	// fresh is where the bytes in the input's buffer begin that no block has for hashing.
	fresh int
	// before is the block before the next one, when that begins in its buffer.
	before *Block
	// over says that a block ended the reading: what stands behind it is hashed only.
	over atomic.Bool
	// damage is why the content cannot be unpacked to its end.
	damage error
	// column counts the characters before the next block on the line where it begins.
	column int
}

// place is where a block begins.
type place struct {
	// offset is the position in the content, line the physical line from 1, index the number of rows before.
	offset  int64
	line    int
	index   int64
	batches Batches
	// stage is how far an array is; cr says that the byte before is a carriage return.
	stage stage
	cr    bool
}

// start is where the text begins that is not cut yet.
func (p *place) start() place { return *p }

// cutter finds where the rows of one format end.
type cutter interface {
	start() place
	// cut returns the length of whole rows at the beginning of text: as many as there are in the first target bytes, at least
	// one. It is 0 when the first row does not end in text; then cut is called again with more text.
	cut(text []byte, target int) int
	// more is how much text cut needs after it has returned 0; ok is false when the first row is too long.
	more(text []byte) (size int, ok bool)
	// pass goes on to what stands behind text, which cut has found.
	pass(text []byte)
}

// Open opens a file. The error is that of the source.
func Open(ctx context.Context, src Source, opt Options) (*File, error) {
	file, err := src.Open()
	if err != nil {
		return nil, err
	}
	f := &File{ctx: ctx, file: file, raw: newStored(ctx, file, opt.OnBytes), free: func() {}, buffers: opt.Buffers}
	if f.buffers == nil {
		f.buffers = &Buffers{}
	}
	f.target = opt.BlockSize
	if f.target <= 0 {
		f.target = minBlock
	}
	f.share = Share{To: ToTheEnd}
	if opt.Share != nil {
		f.share = *opt.Share
	}
	f.step = f.begin
	f.reader = reader{opt: opt, found: &finding.Set{MaxPlaces: opt.MaxPlaces}, limit: maxRow}
	f.row.Path = src.Path
	f.totals.Format, _ = FormatOf(src.Path)
	return f, nil
}

// Close closes the file. No block may be in work.
func (f *File) Close() error {
	f.free()
	return f.file.Close()
}

// Next reads on and returns the next block, or io.EOF behind the last. Any other error is that of the file or of the context,
// as it came.
func (f *File) Next() (*Block, error) {
	f.leave()
	for {
		b, err := f.step()
		if b != nil || err != nil {
			return b, err
		}
	}
}

// begin looks at how the file is packed and written.
func (f *File) begin() (*Block, error) {
	f.step = f.drain
	if f.opt.HashOnly {
		f.refused = true
		return nil, nil
	}
	if !f.totals.Format.Readable() {
		f.refused = true
		f.found.Add(f.notRead())
		f.forgetHead()
		return nil, nil
	}
	if f.totals.Format.Kind == Parquet {
		return f.openParquet()
	}
	content, free, err := unpack(f.totals.Format.Packing, f.raw)
	if err != nil {
		return nil, f.failed(err)
	}
	f.free = free
	f.in = newInput(f.ctx, content, f.firstBuffer())
	if f.totals.Format.Packing == Plain {
		f.in.size = f.raw.left
	}
	f.in.fillTo(f.target + 1) // what is read before it is known how to cut it is hashed at once, while others wait for the first block
	if !f.mark() {
		f.step = f.skip
		f.forgetHead()
		return nil, f.check()
	}
	return f.choose()
}

// forgetHead leaves it to the first share to tell what was found before the first row.
func (f *File) forgetHead() {
	if f.share.From > 0 {
		f.found = &finding.Set{MaxPlaces: f.opt.MaxPlaces}
		f.outcome = outcome{stopped: f.stopped}
	}
}

// firstBuffer returns the buffer to begin with. What is read live goes through one that nobody else needs.
func (f *File) firstBuffer() []byte {
	if f.live {
		return make([]byte, readSize)
	}
	return f.buffers.get(BufferSize)
}

// choose makes the cutter for the content. What has none is read live: values of JSON one behind the other, over lines, can
// only be told apart by reading them.
func (f *File) choose() (*Block, error) {
	f.step = f.cut
	switch kind := f.totals.Format.Kind; {
	case f.readsField():
		if f.share.From > 0 {
			f.step = f.skip
			f.forgetHead()
			return nil, f.check()
		}
		return f.alone(place{line: 1}), f.check()
	case kind == JSONLines:
		if f.live {
			return f.alone(place{line: 1}), nil
		}
		f.cutter = &lineCutter{place: place{offset: f.in.offset(), line: 1}, limit: f.limit}
	case kind == JSON:
		at, isArray := f.firstToken()
		switch {
		case !isArray && f.share.From > 0:
			f.step = f.skip
			f.forgetHead()
			return nil, f.check()
		case !isArray || f.live:
			return f.alone(at), f.check()
		}
		f.totals.Array = true
		f.totals.Wrapped = f.wraps()
		f.cutter = &arrayCutter{place: at, limit: f.limit}
	default:
		if f.live {
			return f.alone(place{line: 1}), nil
		}
		f.head()
	}
	f.hashApart()
	f.forgetHead()
	return nil, f.check()
}

// hashApart leaves it to the blocks to hash what is read from now on. What is packed is little, and hashed as it is read.
func (f *File) hashApart() {
	f.raw.apart = f.totals.Format.Packing == Plain
	f.fresh = f.in.end
	f.in.moving = func(n int) { f.fresh -= n }
}

// alone makes the one block of content that is read live.
func (f *File) alone(at place) *Block {
	f.step = func() (*Block, error) {
		f.step = f.drain
		if f.over.Load() {
			f.step = f.skip
		}
		return nil, nil
	}
	b := f.block(nil, at)
	b.alone = true
	return b
}

// firstToken passes over the blanks that a document begins with.
func (f *File) firstToken() (at place, isArray bool) {
	d := f.newDocument(place{line: 1})
	c, _ := d.next()
	f.column = d.ruler.characters(f.in.buf)
	return place{offset: f.in.offset(), line: d.ruler.line, batches: d.batches, cr: d.cr}, c == '['
}

// head reads the names of the columns.
func (f *File) head() {
	t := f.newTable(place{line: 1}, nil)
	for more := true; more && t.header == nil; {
		more, _ = t.next() // shows no row
	}
	if f.line = t.ruler.line; t.header == nil || f.stopped {
		f.step = f.skip
		return
	}
	f.header = t.header
	f.cutter = newRowCutter(place{offset: f.in.offset(), line: t.ruler.line}, t)
}

// check looks at why the input ended.
func (f *File) check() error {
	if f.in.err == nil || f.in.err == io.EOF {
		return nil
	}
	return f.failed(f.in.err)
}

// failed tells apart why the content ended early: the file or the context failed, which is an error, or what it holds
// cannot be unpacked, which becomes a finding.
func (f *File) failed(err error) error {
	if f.raw.err != nil {
		return f.raw.err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || f.totals.Format.Packing == Plain {
		return err
	}
	f.damage = err
	return nil
}

// cut reads and cuts the next block.
func (f *File) cut() (*Block, error) {
	switch {
	case f.cutter.start().offset >= f.share.To:
		f.step = end
		return nil, nil
	case f.over.Load():
		f.step = f.skip
		return nil, nil
	}
	target := f.target
	if f.opt.BlockSize <= 0 {
		f.target = min(2*target, maxBlock)
	}
	f.in.fillTo(target + 1) // one more tells whether the content goes on
	for {
		if err := f.check(); err != nil {
			return nil, err
		}
		rest := f.in.rest()
		if f.in.ended() && len(rest) <= target {
			return f.last(), nil
		}
		if n := f.cutter.cut(rest, target); n > 0 {
			return f.emit(n), nil
		}
		if f.in.ended() {
			return f.last(), nil
		}
		more, ok := f.cutter.more(rest)
		if !ok {
			return f.tooLongHere(), nil
		}
		f.in.atLeast(len(rest) + more)
	}
}

// block makes a block of a text that begins the rest of the input.
func (f *File) block(text []byte, from place) *Block {
	b := &Block{file: f, from: from, text: text, behind: io.EOF, format: f.totals.Format}
	b.others = from.offset < f.share.From
	_, b.array = f.cutter.(*arrayCutter)
	b.found.MaxPlaces = f.opt.MaxPlaces
	b.users.Store(2)
	return b
}

// emit makes a block of the first n bytes of the rest.
func (f *File) emit(n int) *Block {
	text := f.in.rest()[:n]
	b := f.block(text, f.cutter.start())
	b.inside = true
	b.ahead = min(1, len(f.in.rest())-n)
	f.cutter.pass(text)
	if lines, ok := f.cutter.(*lineCutter); ok {
		b.ends, lines.ends = lines.ends, f.buffers.getEnds()
	}
	f.handOver(b, n)
	return b
}

// handOver gives the buffer to a block that uses up the first n bytes of the rest. What is behind them stays there until the next block is
// cut.
func (f *File) handOver(b *Block, n int) {
	f.in.at += n
	f.giveBuffer(b, f.in.at)
	f.before = b
	b.users.Add(1)
}

// leave moves the rest out of the buffer of the block before, to a new one. Who cuts a block gets the buffer for it, and not who cut the one
// before: the buffer that a goroutine has given back last is in the caches of its processor.
func (f *File) leave() {
	if f.before == nil {
		return
	}
	rest := f.in.rest()
	f.in.base += int64(f.in.at)
	f.fresh = max(f.fresh-f.in.at, 0)
	f.in.buf = f.buffers.get(len(rest) + readSize)
	f.in.at, f.in.end = 0, copy(f.in.buf, rest)
	f.before.done()
	f.before = nil
}

// giveBuffer gives the buffer to a block, and of its first bytes those that have not been hashed: with the rows of the block, of which there
// are about as many bytes.
func (f *File) giveBuffer(b *Block, used int) {
	b.buf = f.in.buf
	if f.raw.apart && f.share.To == ToTheEnd && f.fresh < used {
		b.raw = b.buf[f.fresh:used]
	}
}

// last makes a block of all that is left.
func (f *File) last() *Block {
	b := f.block(f.in.rest(), f.cutter.start())
	b.behind = f.in.err
	f.giveBuffer(b, f.in.end)
	f.step = f.drain
	return b
}

// tooLongHere makes a block of a row that goes on beyond the limit. In JSON Lines the next row begins on the next line;
// elsewhere nothing behind the row can be read.
func (f *File) tooLongHere() *Block {
	if f.totals.Format.Kind == JSONLines {
		f.step = f.passLine
		return f.passed()
	}
	b := f.block(f.in.rest(), f.cutter.start())
	b.inside, b.behind = true, nil
	f.step = f.skip
	f.handOver(b, len(f.in.rest()))
	return b
}

// passed makes a block without rows of all of the rest, to be hashed.
func (f *File) passed() *Block {
	b := f.block(nil, place{})
	b.empty = true
	f.handOver(b, len(f.in.rest()))
	return b
}

// passLine goes on to the end of a line that is too long.
func (f *File) passLine() (*Block, error) {
	f.in.atLeast(readSize)
	if err := f.check(); err != nil {
		return nil, err
	}
	lines := f.cutter.(*lineCutter)
	lines.searched, lines.ends = 0, lines.ends[:0]
	n := lines.cut(f.in.rest(), 1)
	switch {
	case n == 0 && !f.in.ended():
		return f.passed(), nil
	case n == 0 && f.clean():
		n = len(f.in.rest())
	case n == 0:
		f.step = f.cut // which makes the last block: the line is cut short
		return f.passed(), nil
	}
	b := f.block(nil, lines.start())
	b.tooLong = true
	lines.passLong(f.in.offset() + int64(n))
	f.handOver(b, n)
	f.step = f.cut
	return b, nil
}

// skip reads the content to its end without looking for rows: it may be damaged further on, and is to be hashed.
func (f *File) skip() (*Block, error) {
	if f.share.To != ToTheEnd {
		f.step = end
		return nil, nil
	}
	if f.raw.apart {
		for len(f.in.rest()) < maxBlock && f.in.fill() {
		}
		if f.in.ended() {
			f.step = f.drain
		}
		return f.passed(), f.check()
	}
	f.in.moving = nil
	for more := true; more; more = f.in.fill() {
		f.in.at = f.in.end
	}
	f.step = f.drain
	return nil, f.check()
}

// end is the step behind the last.
func end() (*Block, error) { return nil, io.EOF }

// drain reads what the unpacker or a fault in the content left of the file, for its size and hash.
func (f *File) drain() (*Block, error) {
	f.step = end
	if f.raw.left == 0 || f.share.To != ToTheEnd {
		return nil, nil
	}
	buf := f.buffers.get(readSize)
	defer f.buffers.put(buf)
	for empty := 0; empty < maxEmptyReads; empty++ {
		n, err := f.raw.Read(buf)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if err == io.EOF {
			return nil, nil
		}
		if n > 0 {
			empty = 0
		}
	}
	return nil, io.ErrNoProgress
}

// Add takes over what was found in a block. It is false when a block before it ended the reading: then what observers saw
// of this one does not count.
func (f *File) Add(b *Block) bool {
	defer b.done()
	if f.stopped {
		return false
	}
	if b.empty {
		return true
	}
	if !b.endsLine {
		b.column += f.column
	}
	before := f.column
	f.column = b.column
	if b.others {
		return false
	}
	f.outcome.merge(&b.outcome)
	if b.alone {
		f.totals.Array, f.totals.Wrapped = b.array, b.wrapped
	}
	for _, held := range b.hold.found {
		held.Column += before
		f.found.Add(held)
	}
	f.found.Merge(&b.found)
	if f.stopped {
		f.over.Store(true)
	}
	return true
}

// Block is a run of whole rows of one file; see [File].
type Block struct {
	file   *File
	from   place
	format Format
	// buf is the buffer that text and raw stand in; users are those who still need it.
	buf   []byte
	users atomic.Int32
	// raw is what was read from the file for this block and is to be hashed.
	raw []byte
	// text is the rows, with ahead more bytes behind it to look at. inside says that it is cut there; behind is why it ends, nil
	// when its only row goes on beyond the limit.
	text   []byte
	ahead  int
	inside bool
	behind error
	// ends are the offsets in text behind its line feeds, in JSON Lines that were cut there.
	ends []int32
	// others says that the block belongs to another share.
	others bool
	// alone says that the block is all content, read as it comes in; empty that there is nothing to read, tooLong that the
	// block is one line that is too long to read.
	alone, empty, tooLong bool
	// part is what the block is of a Parquet file.
	part *parquet.Block

	outcome
	found finding.Set
	hold  firstLine
	// array and wrapped are those of [Totals].
	array, wrapped bool
	// column counts the characters behind the last line feed of the text, endsLine says that there is one.
	column   int
	endsLine bool
}

// Alone says that nothing else may be done with the file until the block has been read and added: the rest of the file is
// read with it.
func (b *Block) Alone() bool { return b.alone }

// Array says that the rows of the block are the elements of the one array that the file holds. Of a block that is read alone
// that is not known before.
func (b *Block) Array() bool { return b.array }

// Size is the number of bytes of memory that the block takes.
func (b *Block) Size() int { return len(b.buf) }

// Hash hashes what was read from the file for the block, and beside it the texts of a batch that are not hashed yet.
func (b *Block) Hash(beside *sha256pair.Batch) {
	if len(b.raw) > 0 {
		b.file.raw.sum.WriteBeside(b.raw, beside)
	} else {
		beside.Hash() // a packed file is hashed as it is read, which somebody else may do right now
	}
	b.done()
}

// done gives the buffer back when nobody needs it any more.
func (b *Block) done() {
	if b.users.Add(-1) == 0 {
		b.file.buffers.put(b.buf)
		b.file.buffers.putEnds(b.ends)
		b.buf, b.raw, b.text, b.ends = nil, nil, nil, nil
	}
}

// Read reads the rows of the block and shows them, in order, to show. Rows that can be looked at together are shown to together, if that is
// not nil. doc is where rows are tokenised; it serves one goroutine, and one block after another. The error is that of who is shown rows, of
// the context, or, for a block that is read alone, of the file.
func (b *Block) Read(doc *tape.Tape, show func(*Row) error, together func(*Run) error) error {
	if b.others && b.array {
		b.column, b.endsLine = lastColumn(b.text)
	}
	if b.empty || b.others {
		return nil
	}
	f := b.file
	r := f.buffers.getReader()
	defer f.buffers.putReader(r)
	r.opt, r.found, r.limit, r.inside = f.opt, &b.found, f.limit, b.inside
	r.show, r.runs.show = show, together
	r.row.Path, r.row.Doc = f.row.Path, doc
	r.row.Wrapped, r.totals.BlankFirst = f.totals.Wrapped, f.totals.BlankFirst
	r.totals.Format = b.format
	var err error
	switch {
	case b.part != nil:
		err = r.columnRows(b)
	case b.tooLong:
		r.tooLong(b.from.line)
		r.line = b.from.line
	case b.alone:
		r.in = f.in
		if err = r.whole(b); err == nil {
			err = f.check()
		}
		b.array, b.wrapped = r.totals.Array, r.row.Wrapped
	default:
		r.in = windowOn(b.text, b.ahead, b.from.offset, b.behind)
		r.in.ends = b.ends
		err = r.run(b)
	}
	b.outcome = r.outcome
	return err
}

// whole reads all content as it comes in.
func (r *reader) whole(b *Block) (err error) {
	switch kind := r.totals.Format.Kind; {
	case r.readsField():
		r.line, err = r.fieldRows(b.from)
	case kind == JSONLines:
		r.line, err = r.lines(b.from)
	case kind == JSON:
		b.hold.line = b.from.line
		r.hold = &b.hold
		r.line, err = r.document(b.from)
	default:
		r.line, err = r.table(b.from, nil)
	}
	return err
}

// run reads the rows of a block.
func (r *reader) run(b *Block) (err error) {
	switch {
	case b.format.Kind == JSONLines:
		r.line, err = r.lines(b.from)
	case b.format.Kind == JSON:
		b.hold.line = b.from.line
		r.hold = &b.hold
		r.line, err = r.part(b.from)
		b.column, b.endsLine = lastColumn(b.text)
	default:
		r.line, err = r.table(b.from, b.file.header)
	}
	if b.behind == nil && !r.stopped && err == nil {
		r.tooLong(r.line)
		r.stopped = true
	}
	return err
}
