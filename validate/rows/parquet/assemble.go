package parquet

import (
	"context"
	"errors"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Block is a run of rows of one row group.
type Block struct {
	// Group is the row group, from 0; the rows are those from From up to and without To in it.
	Group    int
	From, To int64
	// First is the index in the file of the first row.
	First int64
	// Offset is where the row group begins in the file.
	Offset int64
}

// blockBytes is about how many bytes of unpacked columns a block has. A row group with lists is not divided: where a row begins
// in it is known only when everything before it has been decoded.
const blockBytes = 16 << 20

// Blocks divides the rows of the file; size is about how many bytes of columns each has, 0 for a good size.
func (f *File) Blocks(size int64) []Block {
	if size <= 0 {
		size = blockBytes
	}
	divides := true
	for _, leaf := range f.leaves {
		divides = divides && !leaf.nested
	}
	var out []Block
	var first int64
	for i, g := range f.groups {
		parts := int64(1)
		if divides {
			parts = min(max(g.size/size, 1), max(g.rows, 1))
		}
		each := (g.rows + parts - 1) / parts
		for from := int64(0); from < g.rows; from += each {
			out = append(out, Block{Group: i, From: from, To: min(from+each, g.rows), First: first + from, Offset: g.offset})
		}
		first += g.rows
	}
	return out
}

// Count is what was seen of the values of a block.
type Count struct {
	// NaNs counts the floats that are no number to JSON, FirstNaN is the index in the file of the first row with one.
	NaNs     int64
	FirstNaN int64
}

// Read shows the rows of a block in order: the index of a row in the file, and its JSON text, which is valid until show
// returns. The text is strict JSON but for texts that are not UTF-8. The error is an *Error when the content is at fault, else
// that of the file, of the context or of show, as it came.
func (f *File) Read(ctx context.Context, block Block, show func(index int64, text []byte) error) (count Count, err error) {
	b := &builder{memory: memory{maxTogether}}
	index := block.First
	showing := false
	defer func() {
		if showing {
			return // a panic of show is none of a file's
		}
		if r := recover(); r != nil {
			err = damaged("the columns cannot be read: %v", r)
		}
	}()
	defer b.close()
	src := &contextReader{ctx, f.src}
	chunks := f.groups[block.Group].chunks
	for i, leaf := range f.leaves {
		p := newPages(src, leaf, chunks[i], &b.memory)
		p.skip = block.From
		b.cursors = append(b.cursors, newCursor(f.columns[i], p))
	}
	if err := b.skip(f.root); err != nil {
		return b.count, err
	}
	for ; index < block.First+block.To-block.From; index++ {
		nans := b.nans
		if b.text, err = b.append(b.text[:0], f.root); err != nil {
			return b.count, err
		}
		if b.nans > nans {
			if b.count.NaNs == 0 {
				b.count.FirstNaN = index
			}
			b.count.NaNs = b.nans
		}
		showing = true
		if err := show(index, b.text); err != nil {
			return b.count, err
		}
		showing = false
	}
	if block.To == f.groups[block.Group].rows {
		return b.count, b.atEnd()
	}
	return b.count, nil
}

// builder puts rows together.
type builder struct {
	cursors []*cursor
	memory  memory
	text    []byte
	nans    int64
	count   Count
	json    tape.Tape
}

func (b *builder) close() {
	for _, c := range b.cursors {
		c.close()
	}
}

// skip passes over the rows before the block that are not whole pages.
func (b *builder) skip(root *node) error {
	for _, m := range root.members {
		for leaf := m.leaf; leaf < m.last; leaf++ {
			c := b.cursors[leaf]
			if _, err := c.peek(); err != nil { // reads the first page, and passes those before it
				return err
			}
			for ; c.pages.drop > 0; c.pages.drop-- {
				if _, err := b.take(leaf); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// atEnd says that the columns have no more values than rows need.
func (b *builder) atEnd() error {
	for _, c := range b.cursors {
		v, err := c.peek()
		if err != nil {
			return err
		}
		if v != nil {
			err := damaged("it has more values than its row group has rows")
			err.Column = c.pages.leaf.path
			return err
		}
	}
	return nil
}

// take passes the next value of a leaf.
func (b *builder) take(leaf int) (definition int, err error) {
	c := b.cursors[leaf]
	v, err := c.peek()
	if err != nil {
		return 0, err
	}
	if v == nil {
		err := damaged("it has fewer values than its row group has rows")
		err.Column = c.pages.leaf.path
		return 0, err
	}
	c.at++
	return v.DefinitionLevel(), nil
}

// definition is the level of the next value of a leaf.
func (b *builder) definition(leaf int) (int, error) {
	c := b.cursors[leaf]
	v, err := c.peek()
	if err != nil {
		return 0, err
	}
	if v == nil {
		err := damaged("it has fewer values than its row group has rows")
		err.Column = c.pages.leaf.path
		return 0, err
	}
	return v.DefinitionLevel(), nil
}

// nothing appends a word for a value that has none below, and passes the one entry that each leaf has for it.
func (b *builder) nothing(dst []byte, n *node, word string) ([]byte, error) {
	for leaf := n.leaf; leaf < n.last; leaf++ {
		if _, err := b.take(leaf); err != nil {
			return nil, err
		}
	}
	return append(dst, word...), nil
}

// append appends the JSON text of the next value of a node.
func (b *builder) append(dst []byte, n *node) ([]byte, error) {
	level, err := b.definition(n.leaf)
	if err != nil {
		return nil, err
	}
	if level < n.present {
		return b.nothing(dst, n, "null")
	}
	switch n.shape {
	case isStruct:
		return b.appendStruct(dst, n)
	case isLeaf:
		c := b.cursors[n.leaf]
		v := &c.ahead[c.at]
		c.at++
		return b.appendValue(dst, n, v)
	}
	if level < n.filled {
		return b.nothing(dst, n, "[]")
	}
	return b.appendList(dst, n)
}

func (b *builder) appendStruct(dst []byte, n *node) (_ []byte, err error) {
	dst = append(dst, '{')
	for i, m := range n.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = b.appendText(dst, []byte(m.name))
		dst = append(dst, ':')
		if dst, err = b.append(dst, m); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

var errRow = errors.New("a row is longer than 512 MiB")

// maxRow is the length of the longest row in bytes.
const maxRow = 512 << 20

func (b *builder) appendList(dst []byte, n *node) (_ []byte, err error) {
	dst = append(dst, '[')
	for {
		if dst, err = b.append(dst, n.element); err != nil {
			return nil, err
		}
		if len(dst) > maxRow {
			return nil, unsupported("%v", errRow)
		}
		v, err := b.cursors[n.leaf].peek()
		if err != nil {
			return nil, err
		}
		if v == nil || v.RepetitionLevel() < n.repeats {
			return append(dst, ']'), nil
		}
		dst = append(dst, ',')
	}
}
