package validate

import (
	"context"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
	"github.com/hfpub/hfpub/validate/sha256pair"
)

const (
	// window is how many files beyond the first that is not done may be begun.
	window = 64
	// maxWaiting is how many rows may have been seen before it is their turn to be merged: 32 bytes are kept for each.
	maxWaiting = 1 << 20
	// maxAlone is how many rows of a block that is read alone are seen before they are merged.
	maxAlone = 4096
	// maxKept is the size in bytes of the longest block whose tape is used for the next one: a long row needs a long one.
	maxKept = 8 << 20
)

// crew reads the data files of a release with several workers.
//
// What has to be done for a file are small tasks: cut the next block and read its rows, hash it and its rows side by side, merge what
// they showed. Cutting, hashing and merging go from front to back, reading goes in any order. Who cut a block reads it at once, while its
// bytes are in the caches of one processor. A worker takes a task of the first file that has one to take, so that files are done in about
// their order and few blocks are in memory.
type crew struct {
	p    *pass
	jobs int
	// buffers lends the blocks their memory; budget is how much they may take together before no more are cut.
	buffers rows.Buffers
	budget  int

	mu   sync.Mutex
	wake *sync.Cond
	// files are in the order of the splits; all before first are done.
	files []*dataFile
	first int
	// held is the memory of all blocks, waiting the number of rows that wait for others to be merged.
	held    int
	waiting int64
	// spare are observers that can be used again: they keep 32 bytes for each row of a block.
	spare []*digest.Observer
	err   error
}

// block is a block of rows with what its rows showed to each part.
type block struct {
	*rows.Block
	first bool
	seen  []*sight
	size  int
	// tasks is how many tasks are not done: hashing, reading.
	tasks int
	// read and hashed say which tasks are done.
	read, hashed bool
}

// newCrew returns a crew for the given files of a pass.
func newCrew(p *pass, files []*dataFile) *crew {
	c := &crew{p: p, jobs: p.opt.Jobs, files: files}
	c.wake = sync.NewCond(&c.mu)
	if c.jobs <= 0 {
		c.jobs = runtime.GOMAXPROCS(0)
	}
	c.budget = (c.jobs + 2) * rows.BufferSize // two wait to be hashed: more of them take new memory, and leave the caches
	return c
}

// read reads all files. When the context ends it returns at once; workers end with the block they are at.
func (c *crew) read(ctx context.Context) error {
	done := make(chan struct{})
	var workers sync.WaitGroup
	for range c.jobs {
		workers.Go(func() { c.work(ctx) })
	}
	go func() {
		workers.Wait()
		c.close()
		close(done)
	}()
	select {
	case <-done:
		return c.err
	case <-ctx.Done():
		c.fail(ctx.Err())
		return ctx.Err()
	}
}

// close closes the files that an error left open.
func (c *crew) close() {
	for _, f := range c.files {
		if f.rows != nil {
			f.rows.Close()
		}
	}
}

func (c *crew) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	c.wake.Broadcast()
}

// task is something to do. The error is that of the file or the context.
type task func(ctx context.Context, doc *tape.Tape) error

// work does one task after another.
func (c *crew) work(ctx context.Context) {
	var doc tape.Tape
	for {
		do := c.wait()
		if do == nil {
			return
		}
		if err := do(ctx, &doc); err != nil {
			c.fail(err)
			return
		}
	}
}

// wait returns the next task, nil when there are no more.
func (c *crew) wait() task {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil && c.first < len(c.files) {
		if do := c.choose(); do != nil {
			return do
		}
		c.wake.Wait()
	}
	return nil
}

// choose takes a task of the first file that has one.
func (c *crew) choose() task {
	for _, f := range c.files[c.first:min(c.first+window, len(c.files))] {
		if do := c.chooseOf(f); do != nil {
			return do
		}
	}
	return nil
}

// chooseOf takes the task of a file that helps most: hashing frees memory and can wait for nobody.
func (c *crew) chooseOf(f *dataFile) task {
	switch {
	case f.done:
		return nil
	case len(f.unhashed) > 0 && f.unhashed[0].read && !f.hashing:
		b := f.unhashed[0]
		f.unhashed = f.unhashed[1:]
		f.hashing = true
		return func(context.Context, *tape.Tape) error { return c.hash(f, b) }
	case c.mayCut(f):
		f.cutting = true
		return func(ctx context.Context, doc *tape.Tape) error { return c.cut(ctx, f, doc) }
	}
	return nil
}

// mayCut says that a block can be cut now and that there is memory for it.
func (c *crew) mayCut(f *dataFile) bool {
	if f.cutting || f.cut || c.held >= c.budget {
		return false
	}
	if n := len(f.order); n > 0 && f.order[n-1].Alone() {
		return false
	}
	return c.waiting < maxWaiting || !slices.ContainsFunc(f.parts, func(p *part) bool { return !p.isNext() })
}

// cut cuts the next block of a file and reads its rows.
func (c *crew) cut(ctx context.Context, f *dataFile, doc *tape.Tape) error {
	b, err := c.next(ctx, f)
	if err != nil {
		return f.failed(err)
	}
	c.mu.Lock()
	f.cutting = false
	f.cut = b == nil
	if b != nil {
		c.held += b.size
		f.order = append(f.order, b)
		f.unhashed = append(f.unhashed, b)
	}
	c.wake.Broadcast()
	c.mu.Unlock()
	if b != nil {
		return c.readBlock(f, b, doc)
	}
	return c.settle(f)
}

// next opens a file when that is to be done, and cuts its next block; nil behind the last.
func (c *crew) next(ctx context.Context, f *dataFile) (*block, error) {
	first := f.rows == nil
	if first {
		if err := c.open(ctx, f); err != nil {
			return nil, err
		}
	}
	b, err := f.rows.Next()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &block{Block: b, first: first, size: b.Size(), tasks: 2}, nil
}

// open opens a file. A Git LFS pointer that stands in its place is reported by hygiene, and its lines are no rows.
func (c *crew) open(ctx context.Context, f *dataFile) error {
	file, err := open(f.repo, f.path)
	if err != nil {
		return err
	}
	var pointer bool
	f.before, err = file.Stat()
	if err == nil {
		pointer, err = hygiene.IsPointer(file)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return err
	}
	source := rows.Source{Path: f.path, Open: func() (io.ReadCloser, error) { return file, nil }}
	f.rows, err = rows.Open(ctx, source, rows.Options{
		AnyValue:  c.p.opt.AnyValue,
		Field:     f.field,
		OnBytes:   c.p.opt.OnBytes,
		HashOnly:  pointer,
		BlockSize: c.p.opt.blockSize,
		MaxPlaces: c.p.opt.MaxPlaces,
		Share:     f.share,
		Buffers:   &c.buffers,
	})
	return err
}

// hash hashes a block and its rows.
func (c *crew) hash(f *dataFile, b *block) error {
	if len(b.seen) > 0 {
		f.parts[0].lend(b.seen[0])
		b.Hash(b.seen[0].digest.Batch())
		f.parts[0].takeBack()
	} else {
		b.Hash(&sha256pair.Batch{})
	}
	for _, s := range b.seen {
		s.hash()
	}
	c.mu.Lock()
	f.hashing = false
	b.hashed = true
	c.finished(b)
	c.wake.Broadcast()
	c.mu.Unlock()
	return c.settle(f)
}

// finished counts a task of a block; with the last one its memory is free.
func (c *crew) finished(b *block) {
	if b.tasks--; b.tasks == 0 {
		c.held -= b.size
	}
}

// readBlock shows the rows of a block to observers of its own for every part.
func (c *crew) readBlock(f *dataFile, b *block, doc *tape.Tape) error {
	for _, p := range f.parts {
		seen := p.split.look(p.split.schemaOf(b.Array()), p.takeSpare(), c.takeDigest())
		if b.first && f.fromStart() {
			seen.columns.BeginFile()
		}
		p.follow(seen)
		b.seen = append(b.seen, seen)
	}
	read := 0
	one := func(row *rows.Row) error {
		for _, s := range b.seen {
			s.observe(row)
		}
		if read++; b.Alone() && read%maxAlone == 0 {
			c.passOn(f, b)
		}
		return nil
	}
	err := b.Read(doc, one, together(b.seen))
	for _, s := range b.seen {
		s.seal()
	}
	if b.size > maxKept {
		*doc = tape.Tape{}
	}
	if err != nil {
		return f.failed(err)
	}
	c.mu.Lock()
	b.read = true
	c.wake.Broadcast()
	c.mu.Unlock()
	return nil
}

// together shows runs of rows to sights; it is nil when one of them takes rows one by one only.
func together(seen []*sight) func(*rows.Run) error {
	for _, s := range seen {
		if s.together == nil {
			return nil
		}
	}
	return func(run *rows.Run) error {
		for _, s := range seen {
			s.observeRun(run)
		}
		return nil
	}
}

// passOn merges what the rows of a block that is read alone have shown so far: it may have as many as the file, and nothing else
// of that is in work.
func (c *crew) passOn(f *dataFile, b *block) {
	for i, p := range f.parts {
		s := b.seen[i]
		s.seal()
		s.hash()
		waiting := p.merge(s)
		s.digest.Reset()
		c.mu.Lock()
		c.waiting += waiting
		c.spare = append(c.spare, s.digest)
		c.mu.Unlock()
		b.seen[i] = p.split.look(p.split.schemaOf(b.Array()), p.takeSpare(), c.takeDigest())
		p.follow(b.seen[i])
	}
}

// takeDigest returns an observer that has seen nothing.
func (c *crew) takeDigest() *digest.Observer {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.spare)
	if n == 0 {
		return digest.NewBuffered(rows.BufferSize)
	}
	d := c.spare[n-1]
	c.spare = c.spare[:n-1]
	return d
}

// settle merges the blocks of a file that have been read, as far as those before them have, and finishes the file behind the
// last one. One worker does that at a time: what another one leaves meanwhile, it finds.
func (c *crew) settle(f *dataFile) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.merging || f.done {
		return nil
	}
	for len(f.order) > 0 && f.order[0].hashed {
		b := f.order[0]
		f.merging = true
		c.mu.Unlock()
		waiting := f.merge(b)
		c.mu.Lock()
		f.merging = false
		c.waiting += waiting
		for _, s := range b.seen {
			s.digest.Reset()
			c.spare = append(c.spare, s.digest)
		}
		f.order = f.order[1:]
		c.finished(b)
		c.wake.Broadcast()
	}
	if len(f.order) > 0 || !f.cut || f.hashing || len(f.unhashed) > 0 {
		return nil
	}
	f.merging = true
	c.mu.Unlock()
	released, err := f.finish()
	c.mu.Lock()
	if err != nil {
		return err
	}
	c.waiting -= released
	f.done = true
	for c.first < len(c.files) && c.files[c.first].done {
		c.first++
	}
	c.wake.Broadcast()
	return nil
}

// merge takes over what was seen of a block, and returns how many rows wait for other files.
func (f *dataFile) merge(b *block) (waiting int64) {
	if !f.rows.Add(b.Block) {
		return 0
	}
	for i, p := range f.parts {
		waiting += p.merge(b.seen[i])
	}
	return waiting
}

// finish keeps what is known of the file, and returns how many rows waited for its end. Of a file that changed meanwhile
// nothing is known: what was read may never have been its content.
func (f *dataFile) finish() (released int64, err error) {
	if err := f.unchanged(); err != nil {
		return 0, err
	}
	f.known = f.rows.Part()
	f.rows.Close()
	f.rows = nil
	for _, p := range f.parts {
		released += p.finish()
	}
	return released, nil
}
