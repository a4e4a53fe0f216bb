package rows

import (
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// FieldMissing is [Totals.Field] of a document that is no object or has no such key.
const FieldMissing = "missing"

// readsField says that the rows stand under a key of a JSON document.
func (r *reader) readsField() bool {
	kind := r.totals.Format.Kind
	return r.opt.Field != nil && (kind == JSON || kind == JSONLines)
}

// fieldRows reads a file that is one JSON document: the elements of the array under a key of it are the rows, as for load_dataset
// with `field`. All else is read over; of that, arrays take no memory, and other values as much as they are long. It returns the
// line it reached.
func (r *reader) fieldRows(from place) (line int, err error) {
	d := r.newDocument(from)
	r.field, r.fieldLine = FieldMissing, d.ruler.line
	c, ok := d.next()
	whole := false
	switch {
	case !ok:
	case c == '{':
		r.fieldLine = d.ruler.line
		whole, err = d.members(*r.opt.Field)
	default:
		whole, err = d.skip()
	}
	if err == nil && whole {
		if _, ok := d.next(); ok {
			d.fault("write one object, or take `field` out of the config", "text behind the document under one of whose keys the rows should stand")
		}
	}
	if r.field != arrayField && r.field != nullField {
		r.refused = true
	}
	if ok && !whole && r.field == FieldMissing {
		r.field = "" // reading stopped at a fault, which is told; the key may stand behind it
	}
	return d.ruler.line, err
}

// The values of [Totals.Field] under which a file has the rows that it should, null for none.
var (
	arrayField = tape.Array.String()
	nullField  = tape.Null.String()
)

// members reads the object at the cursor, and shows the rows under one of its keys; closed is false when its end was not reached.
func (d *document) members(field string) (closed bool, err error) {
	const (
		cut      = "the file ends inside its object"
		nextHint = "put a comma between two members"
	)
	d.pass(1)
	for first := true; ; first = false {
		c, ok := d.next()
		switch {
		case !ok:
			d.cutShort(cut)
			return false, nil
		case c == '}' && first:
			d.pass(1)
			return true, nil
		case c != '"':
			d.fault("write a key in double quotes; no comma stands before }", "expected a key of the object")
			return false, nil
		}
		name, ok := d.memberName()
		if !ok {
			return false, nil
		}
		if c, ok = d.next(); !ok {
			d.cutShort(cut)
			return false, nil
		}
		if goOn, err := d.member(name == field, c); err != nil || !goOn {
			return false, err
		}
		switch c, ok = d.next(); {
		case !ok:
			d.cutShort(cut)
			return false, nil
		case c == '}':
			d.pass(1)
			return true, nil
		case c != ',':
			d.fault(nextHint, "expected a comma or } after a member of the object")
			return false, nil
		}
		d.pass(1)
	}
}

// memberName reads the key at the cursor and the colon behind it.
func (d *document) memberName() (name string, ok bool) {
	n, problems, ok := d.value()
	switch {
	case !ok:
		d.stopped = true
		return "", false
	case len(problems) > 0:
		d.report(problems, &d.ruler, d.in.buf, d.in.at)
		d.stopped = true
		return "", false
	}
	name = d.row.Doc.Root().Text()
	d.pass(n)
	c, ok := d.next()
	switch {
	case !ok:
		d.cutShort("the file ends inside its object")
		return "", false
	case c != ':':
		d.fault("put a colon between a key and its value", "expected a colon behind a key")
		return "", false
	}
	d.pass(1)
	return name, true
}

// member reads the value at the cursor, which begins with c; wanted says that its elements are the rows.
func (d *document) member(wanted bool, c byte) (goOn bool, err error) {
	if !wanted {
		return d.skip()
	}
	if d.field != FieldMissing {
		d.refused, d.stopped = true, true
		line, column := d.ruler.place(d.in.buf, d.in.at)
		f := finding.New(finding.JSONDuplicateKey, "duplicate key %q, under which the rows stand", *d.opt.Field)
		d.add(f.AtColumn(d.row.Path, line, column).Hinting("keep one of them"))
		return false, nil
	}
	d.fieldLine = d.ruler.line
	if c != '[' {
		goOn, err = d.skip()
		if goOn {
			d.field = kindAt(c).String()
		}
		return goOn, err
	}
	d.field = arrayField
	d.row.Framed = true
	d.pass(1)
	return d.list(beforeFirst, d.element)
}

// kindAt is the kind of a value that begins with c. One with faults of which reading goes on has it, too, and is on no tape.
func kindAt(c byte) tape.Kind {
	switch c {
	case '"':
		return tape.String
	case '{':
		return tape.Object
	case '[':
		return tape.Array
	case 't':
		return tape.True
	case 'f':
		return tape.False
	case 'n':
		return tape.Null
	}
	return tape.Number
}

// skip reads over the value at the cursor, an array element by element.
func (d *document) skip() (goOn bool, err error) {
	if c, _ := d.next(); c == '[' {
		d.pass(1)
		return d.list(beforeFirst, d.skipWhole)
	}
	return d.skipWhole()
}

// skipWhole reads over the value at the cursor, which has to fit into memory.
func (d *document) skipWhole() (goOn bool, err error) {
	n, _, ok := d.whole()
	if ok {
		d.pass(n)
	}
	return ok, nil
}
