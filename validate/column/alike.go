package column

import (
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// What follows is the way of objects that are alike, elements of a list or rows of a run: many are looked at at once.

// ObserveRun implements [rows.RunObserver]. A row that begins something, or has keys that are new, is looked at alone.
func (o *Observer) ObserveRun(run *rows.Run) {
	slashes := run.Doc.Slashes()
	for i := 0; i < run.Rows; {
		row, node := run.At(i), i*run.Stride
		members := o.layout(o.root, run.Doc.Value(node))
		if members == nil || o.beginsWith(row, batchOf(row)) {
			o.Observe(run.Alone(i))
			i++
			continue
		}
		block := blockOf(row)
		o.enter(block)
		end := run.Rows
		for end > i+1 && blockOf(run.At(end-1)) != block {
			end--
		}
		o.slashes, o.encoded = slashes, nil
		o.objects(o.root, group{run.At(i), run, node, end - i}, members)
		i = end
	}
}

// group are objects that are alike (see [tape.Tape.Alike]), so many from a node on: elements of a list in a row, or rows of a run.
type group struct {
	row         *rows.Row
	run         *rows.Run
	node, count int
}

// rowOf returns the row in which a node of the group is.
func (g *group) rowOf(node int) *rows.Row {
	if g.run == nil {
		return g.row
	}
	return g.run.At(node / g.run.Stride)
}

// elements looks at the next elements of a list, of which so many are left, and returns how many it has seen: one, or several that are
// alike.
func (o *Observer) elements(f *field, row *rows.Row, node, left int) (size, count, next int) {
	n := &row.Doc.Nodes[node]
	if n.Kind() < tape.Array {
		if count, size = f.short(values{row.Doc, node, 1, left}, o.slashes); count > 0 {
			return size, count, node + count
		}
	}
	if n.Kind() == tape.Object {
		if count = row.Doc.Alike(node, left); count > 1 {
			if members := o.layout(f, row.Doc.Value(node)); members != nil {
				return o.objects(f, group{row: row, node: node, count: count}, members), count, node + count*(1+2*len(members))
			}
		}
	}
	size, next = o.long(f, row, node)
	return size, 1, next
}

// objects looks at objects that are alike, member by member.
func (o *Observer) objects(f *field, g group, members []*field) (size int) {
	b := f.begin(g.row, g.node)
	o.add(b, isObject, g.row, g.node)
	f.inventory.see(kindObject, g.row, g.node)
	more := int64(g.count - 1)
	f.inventory.counts[kindObject] += more
	b.present += more
	b.valid += more
	b.objects += int64(g.count)
	stride := 1 + 2*len(members)
	size = g.count * (len("{}") + len(members) - 1)
	for i, m := range members {
		size += g.count*m.key + o.column(m, &g, g.node+2+2*i, stride)
	}
	b.encoded += int64(size)
	return size
}

// column looks at the values of a field in objects that are alike, which hold nothing, from the first on, each a stride behind the one before.
func (o *Observer) column(f *field, g *group, node, stride int) (size int) {
	doc := g.row.Doc
	for left := g.count; left > 0; {
		seen, some := f.short(values{doc, node, stride, left}, o.slashes)
		if seen == 0 {
			seen = 1
			some, _ = o.long(f, g.rowOf(node), node)
		}
		size += some
		node += seen * stride
		left -= seen
	}
	return size
}
