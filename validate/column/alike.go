package column

import (
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// What follows is the way of elements of a list that are like the one before: many are looked at at once.

// elements looks at the next elements of a list, of which so many are left, and returns how many it has seen: one, or several that are
// alike.
func (o *Observer) elements(f *field, row *rows.Row, node, left int) (size, count, next int) {
	n := &row.Doc.Nodes[node]
	if n.Kind() < tape.Array {
		if count, size = f.short(row.Doc, node, 1, left, o.slashes); count > 0 {
			return size, count, node + count
		}
	}
	if n.Kind() == tape.Object {
		if count = row.Doc.Alike(node, left); count > 1 {
			if members := o.layout(f, row.Doc.Value(node)); members != nil {
				return o.objects(f, row, node, count, members), count, node + count*(1+2*len(members))
			}
		}
	}
	size, next = o.long(f, row, node)
	return size, 1, next
}

// objects looks at objects that are alike (see [tape.Tape.Alike]), member by member.
func (o *Observer) objects(f *field, row *rows.Row, node, count int, members []*field) (size int) {
	b := f.begin(row, node)
	o.add(b, isObject, row, node)
	f.inventory.see(kindObject, row, node)
	more := int64(count - 1)
	f.inventory.counts[kindObject] += more
	b.present += more
	b.valid += more
	b.objects += int64(count)
	stride := 1 + 2*len(members)
	size = count * (len("{}") + len(members) - 1)
	for i, m := range members {
		size += count*m.key + o.column(m, row, node+2+2*i, stride, count)
	}
	b.encoded += int64(size)
	return size
}

// column looks at values of a field that hold nothing, each a stride behind the one before.
func (o *Observer) column(f *field, row *rows.Row, node, stride, count int) (size int) {
	for count > 0 {
		seen, some := f.short(row.Doc, node, stride, count, o.slashes)
		if seen == 0 {
			seen = 1
			some, _ = o.long(f, row, node)
		}
		size += some
		node += seen * stride
		count -= seen
	}
	return size
}
