package column

import "github.com/hfpub/hfpub/validate/rows"

// Arrow reads a batch of a JSON Lines file in blocks of blockSize bytes, cut at line ends, when the batch has at most maxCut bytes:
// load_dataset takes a longer one in one piece. Only a file that is one batch is so short. Within a block the values of a
// field are of one kind or an error names the field, which then becomes Json; across blocks Arrow converts one kind into
// another or fails.
const (
	blockSize = 327_680
	maxCut    = 2_621_447
	// uncut is the block of rows of which nothing is cut.
	uncut = maxCut/blockSize + 1
)

// blockOf numbers the block of a row, from 0: that in which its line ends.
func blockOf(row *rows.Row) int {
	if row.Cells || row.Typed || row.Element || row.Batch > 0 || row.End > maxCut {
		return uncut
	}
	return int(max(row.End-1, 0) / blockSize)
}

// nextBlock says that the next row is in another block: what was seen in the last one is no news of the next.
func (f *field) nextBlock() {
	f.tail.earlier |= f.tail.kinds
	f.tail.kinds = 0
	for _, m := range f.members {
		m.nextBlock()
	}
	if f.element != nil {
		f.element.nextBlock()
	}
}

// all are the kinds of the batch, whatever the block.
func (b *batch) all() kinds { return b.earlier | b.kinds }

// seal ends the last block of the batch: no row of it follows.
func (b *batch) seal() {
	b.kinds |= b.earlier
	b.earlier = 0
}

// inBlock are the kinds seen in a block.
func (b *batch) inBlock(block int) kinds {
	var k kinds
	if b.first.block == block {
		k = b.first.kinds
	}
	for _, m := range b.more {
		if m.block == block {
			k |= m.kinds
		}
	}
	return k
}

// goOnIn says in which block the rows go on behind those of the batch.
func (b *batch) goOnIn(block int) {
	all := b.all()
	b.kinds, b.earlier = b.inBlock(block), 0
	for before := range block {
		b.earlier |= b.inBlock(before)
	}
	if b.kinds|b.earlier != all {
		b.earlier = all &^ b.kinds
	}
}

// isCut says, of a batch of the row field, that Arrow reads it in several blocks.
func (b *batch) isCut() bool {
	last := b.first.block
	for _, m := range b.more {
		last = max(last, m.block)
	}
	return last > 0 && last < uncut
}

// loaded is what Arrow has of the batch: its kinds, unless cut says that it comes in blocks, each of them has one kind, and that
// is not always the same. Texts then become numbers behind numbers where they can, and numbers become text behind texts;
// anything else fails. Objects and arrays are left as they are: beside others they become Json before Arrow sees them.
func (b *batch) loaded(cut bool) kinds {
	all := b.all()
	if !cut || !all.mixed() || all.has(isList|isObject) || b.mixesInBlock() {
		return all
	}
	strings := all & isString
	switch first := b.firstKind(); {
	case all.has(isBool):
		return all | isTorn
	case first.has(isString):
		return all&^isNumber | isText | isBlended
	case !strings.only(isDigits | isBit | isDecimal):
		return all | isTorn
	case strings.has(isDecimal):
		return all&^isString | isFloat | isBlended
	default:
		return all&^isString | isInt | isBlended
	}
}

// mixesInBlock says that values of several kinds stand in one block.
func (b *batch) mixesInBlock() bool {
	for block := range uncut {
		if b.inBlock(block).mixed() {
			return true
		}
	}
	return false
}

// firstKind are the kinds of the first value.
func (b *batch) firstKind() kinds {
	if b.first.kinds != 0 || len(b.more) == 0 {
		return b.first.kinds
	}
	return b.more[0].kinds
}
