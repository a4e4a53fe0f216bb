// Package integers knows what all artifacts promise of their numbers: one that is an integer stays an integer. To JSON Schema 12.0
// is an integer; to the readers of JSON in most languages it is a float, and a column that holds one changes its type.
//
// Which fields are integers is read from the schema of the artifact (tree.go).
package integers

import (
	"context"
	"strconv"

	"github.com/hfpub/hfpub/schemas"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Checks returns the check of a release with artifacts that have integers.
func Checks(_ *release.Release, splits []*observe.Split, opt observe.Options) []observe.Check {
	c := &check{fields: map[string]*node{}, maxPlaces: opt.MaxPlaces}
	for _, split := range splits {
		if text, ok := schemas.Artifact(split.Artifact); ok && c.fields[split.Artifact] == nil {
			if n := fieldsOf(text); n != nil {
				c.fields[split.Artifact] = n
			}
		}
	}
	if len(c.fields) == 0 {
		return nil
	}
	return []observe.Check{c}
}

type check struct {
	// fields are the integers of the artifacts that have any.
	fields    map[string]*node
	maxPlaces int
}

func (c *check) Observer(split *observe.Split) observe.Observer {
	fields := c.fields[split.Artifact]
	if fields == nil {
		return nil
	}
	return notes.New(func(row *notes.Row, _ *record.Writer) {
		if !row.Cells {
			fields.judge(row, row.Root, nil)
		}
	}, c.maxPlaces)
}

func (c *check) Finish(_ context.Context, seen []observe.Seen, say *observe.Findings) error {
	return notes.Read(seen, say, func(notes.Note) {})
}

// step is how a value was reached.
type step struct {
	before *step
	key    tape.Value
	index  int
}

// pointer writes the steps as a JSON Pointer.
func (s *step) pointer() []byte {
	if s == nil {
		return nil
	}
	token := strconv.Itoa(s.index)
	if s.key.Tape() != nil {
		token = s.key.Text()
	}
	return tape.AppendToken(s.before.pointer(), token)
}

// judge looks for integers that are written as floats.
func (n *node) judge(row *notes.Row, v tape.Value, at *step) {
	switch v.Kind() {
	case tape.Number:
		if n.integer && v.Decimal() && v.IsInteger() {
			f := finding.New(finding.SchemaIntegerAsFloat, "%s is an integer, and is written as a float", v.Raw())
			row.Say(v, string(at.pointer()), f.Hinting("write it without a point and without an exponent: readers take it for a float, and the column changes its type"))
		}
	case tape.Array:
		if n.items == nil {
			return
		}
		for i, element := range v.Elements() {
			n.items.judge(row, element, &step{before: at, index: i})
		}
	case tape.Object:
		if n.members == nil && n.others == nil {
			return
		}
		for key, member := range v.Members() {
			of := n.members[string(key.Raw())]
			if of == nil {
				of = n.others
			}
			if of != nil {
				of.judge(row, member, &step{before: at, key: key})
			}
		}
	}
}
