package license

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// RowCheck looks at rows that carry a license of their own, in a field such as license or metadata.source_license, and holds
// them to that of the repo.
type RowCheck struct{}

// rowField is the name of a field that holds the license of its row.
var rowField = lazyregexp.New(`(?i)^(?:[a-z]+_)?licen[sc]e(?:_(?:id|name|type|spdx))?$`)

const (
	// maxRowLicenses bounds the different licenses that are told apart in one field of a split. A field with more holds something
	// else, such as texts, and is not judged.
	maxRowLicenses = 1000
	// maxRowFields bounds the fields of a split that may hold licenses. Where there are more, names of things are keys, and none
	// is judged.
	maxRowFields = 100
	// maxRowLicense is how many bytes of one are kept.
	maxRowLicense = 120
)

// Observer implements [observe.Check].
func (RowCheck) Observer(*observe.Split) observe.Observer { return &rowObserver{} }

// rowObserver counts the licenses in the fields of a run of rows.
type rowObserver struct {
	// fields holds the licenses of each field, by its pointer; tooMany says that there were more fields than are kept.
	fields  map[string]*rowLicenses
	tooMany bool
	// members are the numbers of the members to look at of objects, by their shape; last are those of the last one.
	members map[tape.Shape][]int
	last    shapeMembers
	shapes  *tape.Shapes
	text    []byte
}

type shapeMembers struct {
	shape   tape.Shape
	members []int
}

// rowLicenses are the licenses of one field; tooMany says that there were more than are told apart.
type rowLicenses struct {
	counts  map[string]*rowCount
	tooMany bool
}

// rowCount is how many rows have a license, and where the first is.
type rowCount struct {
	n    int64
	path string
	line int
}

// Observe looks at the fields of a row and of the objects in it, as deep as metadata goes: two levels.
func (o *rowObserver) Observe(row *rows.Row) {
	o.begin(row.Doc)
	root := row.Doc.Root()
	if root.Kind() != tape.Object {
		return
	}
	o.object(row, root, "")
	if isFlat(root) {
		return
	}
	for key, value := range root.Members() {
		if value.Kind() == tape.Object && len(o.wanted(value)) > 0 {
			o.object(row, value, "/"+tape.EscapeToken(key.Text()))
		}
	}
}

// ObserveRun implements [rows.RunObserver].
func (o *rowObserver) ObserveRun(run *rows.Run) {
	o.begin(run.Doc)
	if len(o.wanted(run.Doc.Root())) == 0 {
		return
	}
	for i := range run.Rows {
		o.object(run.At(i), run.Doc.Value(i*run.Stride), "")
	}
}

// begin makes the observer ready for a row.
func (o *rowObserver) begin(doc *tape.Tape) {
	if shapes := doc.Shapes(); o.shapes != shapes || o.members == nil {
		o.shapes, o.members, o.last = shapes, map[tape.Shape][]int{}, shapeMembers{}
	}
}

// isFlat says that no member of an object has anything in it: each takes two nodes.
func isFlat(object tape.Value) bool {
	return object.Len() == 0 || object.After().Node() == object.Node()+1+2*object.Len()
}

// object looks at the members of an object that hold a license.
func (o *rowObserver) object(row *rows.Row, object tape.Value, pointer string) {
	wanted := o.wanted(object)
	if len(wanted) == 0 {
		return
	}
	i := 0
	for key, value := range object.Members() {
		if slices.Contains(wanted, i) {
			o.value(row, value, pointer+"/"+tape.EscapeToken(key.Text()))
		}
		i++
	}
}

// wanted are the numbers of the members of an object whose name says license.
func (o *rowObserver) wanted(object tape.Value) []int {
	shape := object.Shape()
	if shape != 0 && shape == o.last.shape {
		return o.last.members
	}
	if known, ok := o.members[shape]; ok {
		o.last = shapeMembers{shape, known}
		return known
	}
	var out []int
	i := 0
	for key := range object.Members() {
		if raw := key.Raw(); isNearLicense(raw) && rowField.Match(raw) {
			out = append(out, i)
		}
		i++
	}
	if shape != 0 {
		o.members[shape] = out
	}
	return out
}

// isNearLicense is a quick look at a name: most can be no license.
func isNearLicense(name []byte) bool {
	return len(name) <= 64 && (bytes.Contains(name, []byte("icen")) || bytes.Contains(name, []byte("ICEN")))
}

// value counts a license, or each of a list.
func (o *rowObserver) value(row *rows.Row, v tape.Value, pointer string) {
	switch v.Kind() {
	case tape.Array:
		for _, element := range v.Elements() {
			if element.Kind() == tape.String {
				o.value(row, element, pointer)
			}
		}
	case tape.String:
		o.text = v.AppendText(o.text[:0])
		if text := string(o.text[:min(len(o.text), maxRowLicense)]); text != "" {
			o.add(pointer, text, rowCount{1, row.Path, row.LineOf(v)})
		}
	}
}

// add counts rows with a license. The rows counted before come first in the file.
func (o *rowObserver) add(pointer, license string, more rowCount) {
	if o.tooMany {
		return
	}
	field := o.fields[pointer]
	if field == nil {
		if len(o.fields) == maxRowFields {
			o.tooMany, o.fields = true, nil
			return
		}
		if o.fields == nil {
			o.fields = map[string]*rowLicenses{}
		}
		field = &rowLicenses{counts: map[string]*rowCount{}}
		o.fields[pointer] = field
	}
	switch count := field.counts[license]; {
	case field.tooMany:
	case count != nil:
		count.n += more.n
	case len(field.counts) == maxRowLicenses:
		field.tooMany, field.counts = true, nil
	default:
		field.counts[license] = &more
	}
}

// Merge implements rows.Observer.
func (o *rowObserver) Merge(next rows.Observer) {
	other := next.(*rowObserver)
	if other.tooMany {
		o.tooMany, o.fields = true, nil
	}
	for _, pointer := range slices.Sorted(maps.Keys(other.fields)) {
		field := other.fields[pointer]
		for _, license := range slices.Sorted(maps.Keys(field.counts)) {
			o.add(pointer, license, *field.counts[license])
		}
		if field.tooMany {
			o.add(pointer, "", rowCount{})
			if !o.tooMany {
				o.fields[pointer].tooMany, o.fields[pointer].counts = true, nil
			}
		}
	}
}

// Reset implements [observe.Reusable].
func (o *rowObserver) Reset() { o.fields, o.tooMany = nil, false }

// MarshalBinary implements [observe.Observer].
func (o *rowObserver) MarshalBinary() ([]byte, error) {
	var w record.Writer
	w.Bool(o.tooMany)
	w.Uint(uint64(len(o.fields)))
	for _, pointer := range slices.Sorted(maps.Keys(o.fields)) {
		field := o.fields[pointer]
		w.Text(pointer)
		w.Bool(field.tooMany)
		w.Uint(uint64(len(field.counts)))
		for _, license := range slices.Sorted(maps.Keys(field.counts)) {
			count := field.counts[license]
			w.Text(license)
			w.Int(count.n)
			w.Text(count.path)
			w.Int(int64(count.line))
		}
	}
	return w.Bytes(), nil
}

// UnmarshalBinary implements [observe.Observer].
func (o *rowObserver) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	o.tooMany = r.Bool()
	o.fields = map[string]*rowLicenses{}
	for range r.Count(maxRowFields) {
		pointer, field := r.Text(), &rowLicenses{tooMany: r.Bool(), counts: map[string]*rowCount{}}
		for range r.Count(maxRowLicenses) {
			license := r.Text()
			field.counts[license] = &rowCount{n: r.Int(), path: r.Text(), line: int(r.Int())}
		}
		o.fields[pointer] = field
	}
	return r.End()
}

// Finish implements [observe.Check].
func (RowCheck) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	for _, s := range seen {
		own := TermsOf(s.Split.Repo.License)
		o := s.Observer.(*rowObserver)
		for _, pointer := range slices.Sorted(maps.Keys(o.fields)) {
			counts := o.fields[pointer].counts
			for _, license := range slices.Sorted(maps.Keys(counts)) {
				if f, ok := judgeRows(license, counts[license], own); ok {
					say.Add(s.Split, f.In(pointer))
				}
			}
		}
	}
	return nil
}

// judgeRows says what a license of rows has against that of the repo.
func judgeRows(license string, count *rowCount, own Terms) (finding.Finding, bool) {
	of := TermsOf(license)
	why := ""
	switch {
	case !own.Stated() || own.ID == "other":
		return finding.Finding{}, false
	case !Known(of.ID) && of.ID == license:
		f := finding.New(finding.LicenseRow, "%s is no license that hfpub knows, in %s", quoted(license), rowsOf(count.n)).As(finding.Warning)
		return f.At(count.path, count.line).Hinting("write an id of the Hub's list or an SPDX identifier into the rows"), true
	case of.Has(ShareAlike) && !ShareableAs(of, own):
		why = "demands the same license"
	case of.Has(NonCommercial) && !own.Has(NonCommercial):
		why = "allows no commercial use"
	case of.Has(NoDerivatives) && !own.Has(NoDerivatives):
		why = "allows no changed works"
	default:
		return finding.Finding{}, false
	}
	f := finding.New(finding.LicenseRow, "%s under %s, which %s, in a repo under %s", rowsOf(count.n), of.ID, why, own.ID)
	return f.At(count.path, count.line).Hinting("put the rows into a repo of their own, change the license of the repo, or take them out"), true
}

func rowsOf(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

func quoted(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\ufffd")) }
