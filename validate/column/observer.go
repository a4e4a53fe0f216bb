package column

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/rows"
)

// chunkRows is the number of rows of a CSV file that pandas reads and types at once.
const chunkRows = 10_000

// Observer measures the fields of a split, or of a run of its rows. Its memory grows with the number of distinct fields,
// not with the number of rows, and is bounded: an object with very many distinct fields inside is not looked into any
// more (see [Field].Wide).
//
// The loader infers types and writes tables batch by batch. A run of rows knows the batches in its middle; its first and
// its last one may go on in the runs beside it. Every field therefore keeps those two apart until runs are merged. While
// a run has one batch only, that is in tail; head is empty.
type Observer struct {
	root *field
	// batches counts the batches of the run; first and last name the outer ones.
	batches     int
	first, last batchID
	// block is that of the last row; see [blockOf].
	block int
	// fromStart says that the run begins with the first row of a file, newFile that the next row does whatever its index: rows
	// before it may have been refused.
	fromStart, newFile bool
	// reused says that the observer saw other rows before; see [Observer.Reuse].
	reused bool
	// json and cells say from which kinds of files the rows come, framed that pandas makes tables of them; see frame.go.
	json, cells, framed bool
	// example is the first row; see Example.
	example string
	// slashes says that the row has any.
	slashes bool
	// encoded is a string of the row, as it stands there, that is JSON by itself; nil for none.
	encoded []byte
	// spread says that one of the first rows of the first batch holds a line feed.
	spread bool
	// sets are the sets of columns of the complete batches.
	sets columnSets
	// text and num are the last text that was decoded and the last number.
	text []byte
	num  num
}

// spreadRows is how many rows of a file are looked at for line feeds: whoever writes one object over several lines writes all so.
const spreadRows = 64

// batchID names a batch of a file.
type batchID struct {
	path   string
	number int64
}

// NewObserver returns an observer that has seen nothing.
func NewObserver() *Observer { return &Observer{root: &field{}} }

// BeginFile says that the rows that follow are those of a file, from its beginning on.
func (o *Observer) BeginFile() { o.newFile = true }

// Observe implements [rows.Observer].
func (o *Observer) Observe(row *rows.Row) {
	if row.Cells {
		o.cells = true
	} else {
		o.json = true
		o.framed = o.framed || row.Framed
	}
	firstRow := o.batches == 0
	if id := batchOf(row); o.beginsWith(row, id) {
		o.begin(id, o.newFile || row.Index == 0)
		o.block = blockOf(row)
	} else {
		o.enter(blockOf(row))
	}
	if row.Index < spreadRows && o.batches == 1 && !o.spread {
		o.spread = bytes.IndexByte(row.Doc.Text, '\n') >= 0
	}
	o.slashes = row.Doc.Slashes()
	o.encoded = nil
	if row.Wrapped {
		o.wrapped(row)
	} else {
		o.value(o.root, row, row.Doc.Root().Node())
	}
	if firstRow && !o.reused {
		o.example = exampleOf(row.Doc.Root())
		for _, m := range o.root.members {
			m.inFirstRow = true
		}
	}
}

// wrapColumn is the column into which the loader puts elements of an array that it does not take for rows.
const wrapColumn = "text"

// wrapped looks at such a row: an object with one member.
func (o *Observer) wrapped(row *rows.Row) {
	node := row.Doc.Root().Node()
	f := o.root
	b := &f.tail
	b.present++
	b.valid++
	b.objects++
	if !b.kinds.has(isObject) {
		b.kinds |= isObject
		o.mark(b, isObject, row, node)
	}
	f.inventory.see(kindObject, row, node)
	m := f.at(0, []byte(wrapColumn))
	if m == nil {
		m = f.addMember(wrapColumn)
	}
	size, _ := o.value(m, row, node)
	b.encoded += int64(len("{}") + m.key + size)
}

// batchOf names the batch of a row.
func batchOf(row *rows.Row) batchID {
	if row.Cells {
		return batchID{row.Path, row.Index / chunkRows}
	}
	return batchID{row.Path, int64(row.Batch)}
}

// beginsWith says that a row, which is in such a batch, is the first of a batch, or of a file.
func (o *Observer) beginsWith(row *rows.Row, id batchID) bool {
	return o.batches == 0 || o.newFile || row.Index == 0 || o.last != id
}

// enter goes on with a row of the batch that is in such a block.
func (o *Observer) enter(block int) {
	if block != o.block {
		o.root.nextBlock()
		o.block = block
	}
}

// begin closes the last batch and begins the next, perhaps that of a new file: a split may have the same file twice.
func (o *Observer) begin(id batchID, newFile bool) {
	switch o.batches {
	case 0:
		o.first, o.fromStart = id, newFile
	case 1:
		o.root.closeHead()
	default:
		o.sets.add(columnsOf(o.root, o.last.path, tailBatch))
		o.root.closeTail(closing{n: o.root.tail.present, single: o.single(&o.root.tail), cells: o.cells, path: o.last.path, cut: o.root.tail.isCut()}, o.framed)
	}
	o.last, o.newFile = id, false
	o.batches++
}

// Wide says that the rows have more distinct fields than are tracked, so that nothing is known of them.
func (o *Observer) Wide() bool { return o.root.wide }

// single says that a batch of the row field has one row.
func (o *Observer) single(b *batch) bool { return b.present == 1 }

// closeHead keeps the first batch of the run apart.
func (f *field) closeHead() {
	f.tail.seal()
	f.head, f.tail = f.tail, batch{}
	for _, m := range f.members {
		m.closeHead()
	}
	if f.element != nil {
		f.element.closeHead()
	}
}

// closeTail adds the last batch to the complete ones.
func (f *field) closeTail(c closing, framed bool) {
	c.frame = f.frameOf(framed)
	f.sum.add(&f.tail, c)
	members, elements := c, c
	members.gone = f.goneInside(c.gone, &f.tail)
	for _, m := range f.members {
		m.closeTail(members, framed)
	}
	if f.element != nil {
		elements.n, elements.gone = f.element.tail.present, false
		f.element.closeTail(elements, framed)
	}
	f.tail = batch{}
}

// goneInside says whether the column around what is in the field is missing in a batch.
func (f *field) goneInside(around bool, b *batch) bool {
	return around || f.isColumn() && b.present == 0
}

func (f *field) isColumn() bool {
	return f.parent != nil && f.parent.parent == nil && f.parent.element != f
}

// Merge implements [rows.Observer].
func (o *Observer) Merge(next rows.Observer) {
	n := next.(*Observer)
	if n.batches == 0 {
		o.newFile = o.newFile || n.newFile
		return
	}
	n.fromStart = n.fromStart || o.newFile
	if o.batches == 0 {
		*o = *n
		n.root = nil // which is o's now
		return
	}
	j := junction{joined: o.last == n.first && !n.fromStart, before: o.batches, after: n.batches, cells: o.cells, framed: o.framed}
	j.single = o.single(&o.root.tail)
	j.nextSingle = o.single(&n.root.head)
	j.path, j.nextPath = o.last.path, n.first.path
	j.cut, j.nextCut, j.block = o.root.tail.isCut(), n.root.head.isCut(), n.block
	if j.joined {
		j.cut = n.root.opening(j.after).isCut()
		j.single = o.root.tail.present+n.root.opening(j.after).present == 1
	}
	if j.joined && j.before == 1 {
		o.spread = o.spread || n.spread
	}
	j.mergeSets(o, n)
	j.merge(o.root, n.root, placesOf(o.root, j.before), placesOf(n.root, j.after))
	o.root.settle()
	o.batches += n.batches
	if j.joined {
		o.batches--
	}
	o.last, o.block, o.newFile = n.last, n.block, n.newFile
	o.json = o.json || n.json
	o.cells = o.cells || n.cells
	o.framed = o.framed || n.framed
}

// opening is the first batch of a run of so many batches.
func (f *field) opening(batches int) *batch {
	if batches == 1 {
		return &f.tail
	}
	return &f.head
}

// places counts the places for a field in the outer batches of a run and in those between.
type places struct {
	head, tail int64
	between    span
	// headGone and tailGone say that the outer batches lack the column around the field.
	headGone, tailGone bool
}

// placesOf returns the places that the rows, or the elements of a list, are for what is in them.
func placesOf(f *field, batches int) places {
	if f == nil {
		return places{}
	}
	return places{head: f.opening(batches).present, tail: f.tail.present, between: span{bits: f.sum.bits, single: f.sum.single}}
}

// inside returns the places for the members of a column whose own places are p.
func (p places) inside(column *field, batches int) places {
	p.headGone, p.tailGone = column.opening(batches).present == 0, column.tail.present == 0
	p.between.gone = column.sum.gone
	return p
}

// nowhere returns p for what is inside a column that the run does not have.
func (p places) nowhere() places {
	p.headGone, p.tailGone = true, true
	p.between.gone = absence{p.between.bits, p.between.single}
	return p
}

// junction is where two runs meet.
type junction struct {
	// joined says that the last batch of one run and the first of the next are one.
	joined bool
	// before and after are the numbers of batches of the two runs.
	before, after int
	// single and nextSingle say that the batch that ends at the junction, or the first batch of the next run, has one row.
	single, nextSingle bool
	cells, framed      bool
	// path and nextPath are the files of those batches; cut and nextCut say that Arrow reads them in several blocks.
	path, nextPath string
	cut, nextCut   bool
	// block is that of the last row behind the junction.
	block int
}

// mergeSets takes over the sets of columns, before the fields are merged.
func (j junction) mergeSets(o, next *Observer) {
	ends := !j.joined || j.after > 1
	if ends && j.before > 1 {
		set := columnsOf(o.root, o.last.path, tailBatch)
		if j.joined {
			set = set.union(columnsOf(next.root, next.first.path, headBatch))
		}
		o.sets.add(set)
	}
	if !j.joined && j.after > 1 {
		o.sets.add(columnsOf(next.root, next.first.path, headBatch))
	}
	o.sets.merge(&next.sets)
}

// merge takes over what next saw of a field. before and after are the places for the field in the two runs.
func (j junction) merge(f, next *field, before, after places) {
	elements, nextElements := placesOf(f.element, j.before), placesOf(next.element, j.after)
	inBefore, inAfter := before, after
	if f.isColumn() {
		inBefore, inAfter = before.inside(f, j.before), after.inside(next, j.after)
	}
	f.inventory.merge(&next.inventory)
	switch {
	case j.joined && j.after == 1:
		f.tail.add(&next.tail)
		f.tail.goOnIn(j.block)
	case j.joined:
		f.tail.add(&next.head)
		j.complete(f, before.tail+after.head, before.tailGone && after.headGone)
		f.sum.merge(&next.sum)
		f.tail = next.tail
	case j.after == 1:
		j.complete(f, before.tail, before.tailGone)
		f.tail = next.tail
	default:
		j.complete(f, before.tail, before.tailGone)
		f.sum.add(&next.head, closing{after.head, j.nextSingle, after.headGone, j.cells, f.frameOf(j.framed), j.nextPath, j.nextCut})
		f.sum.merge(&next.sum)
		f.tail = next.tail
	}
	j.mergeMembers(f, next, inBefore, inAfter)
	j.mergeElements(f, next, elements, nextElements)
	if next.wide && !f.wide {
		f.giveUp()
	}
}

// complete closes the batch that ends at the junction.
func (j junction) complete(f *field, n int64, gone bool) {
	f.tail.seal()
	if j.before == 1 {
		f.head = f.tail
	} else {
		f.sum.add(&f.tail, closing{n, j.single, gone, j.cells, f.frameOf(j.framed), j.path, j.cut})
	}
	f.tail = batch{}
}

// mergeMembers merges the members of an object. One that the other run lacks was missing in all of its places.
func (j junction) mergeMembers(f, next *field, before, after places) {
	if f.wide || next.wide {
		return
	}
	for i, m := range f.members {
		other := next.at(i, []byte(m.name))
		if other == nil {
			other = &field{}
			other.sum.missing(after.between)
		}
		j.merge(m, other, before, after)
	}
	for _, m := range next.members {
		if f.at(len(f.members), []byte(m.name)) != nil {
			continue
		}
		own := f.appendMember(m.name)
		own.sum.missing(before.between)
		j.merge(own, m, before, after)
	}
}

func (j junction) mergeElements(f, next *field, before, after places) {
	if f.wide || next.wide || f.element == nil && next.element == nil {
		return
	}
	if f.element == nil {
		f.element = &field{level: f.level, parent: f}
	}
	other := next.element
	if other == nil {
		other = &field{}
	}
	j.merge(f.element, other, before, after)
}
