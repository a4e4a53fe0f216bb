// Package notes keeps what the rows of a split showed until all rows of all splits have been seen.
//
// A check of a family gives an [Observer] a [Look] for each of its artifacts. It is shown every row: what is wrong with the row
// alone it says at once, and what only other rows can tell it writes down, in a record of a few bytes. [Read] reads the records of
// all splits when the pass is over, each with the place of its row. Records lie one behind the other in one buffer, so merging
// is appending, and the binary form is there from the start.
package notes

import (
	"fmt"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Look looks at one row. It writes to note what is needed later; nothing when the row is to be passed over.
type Look func(row *Row, note *record.Writer)

// Row is a row that can be spoken of.
type Row struct {
	*rows.Row
	// Root is the row's value.
	Root  tape.Value
	found *finding.Set
}

// Say adds a finding about a value of the row, which pointer leads to.
func (r *Row) Say(at tape.Value, pointer string, f finding.Finding) {
	r.found.Add(f.At(r.Path, r.LineOf(at)).In(pointer))
}

// Observer shows rows to a Look.
type Observer struct {
	look  Look
	found finding.Set
	// log holds for each row that was noted its path (empty for that of the row before), its line and its record.
	log  record.Writer
	path string
	note record.Writer
}

// New returns an observer that has seen nothing; maxPlaces is that of [observe.Options].
func New(look Look, maxPlaces int) *Observer {
	return &Observer{look: look, found: finding.Set{MaxPlaces: maxPlaces}}
}

// Observe implements [rows.Observer].
func (o *Observer) Observe(row *rows.Row) {
	o.note.Reset()
	o.look(&Row{row, row.Doc.Root(), &o.found}, &o.note)
	if len(o.note.Bytes()) == 0 {
		return
	}
	path := row.Path
	if path == o.path {
		path = ""
	}
	o.path = row.Path
	o.log.Text(path)
	o.log.Uint(uint64(row.Line))
	o.log.Part(o.note.Bytes())
}

// Merge implements [rows.Observer]. The log of next names its first path in full.
func (o *Observer) Merge(next rows.Observer) {
	n := next.(*Observer)
	o.found.Merge(&n.found)
	o.log.Raw(n.log.Bytes())
	if n.path != "" {
		o.path = n.path
	}
}

// MarshalBinary implements [observe.Observer].
func (o *Observer) MarshalBinary() ([]byte, error) {
	found, err := o.found.MarshalBinary()
	if err != nil {
		return nil, err
	}
	var w record.Writer
	w.Part(found)
	w.Part(o.log.Bytes())
	return w.Bytes(), nil
}

// UnmarshalBinary implements [observe.Observer]. It holds the log against its frame; what stands in the records is read at the
// end of the pass, with the same error for those that make no sense.
func (o *Observer) UnmarshalBinary(data []byte) error {
	r := record.NewReader(data)
	found, log := r.Part(), r.Part()
	if err := r.End(); err != nil {
		return err
	}
	if err := o.found.UnmarshalBinary(found); err != nil {
		return err
	}
	o.log = record.Writer{}
	o.log.Raw(log)
	o.path = ""
	return o.each(func(place finding.Place, _ *record.Reader) { o.path = place.Path })
}

// each reads the log from its beginning.
func (o *Observer) each(fn func(place finding.Place, note *record.Reader)) error {
	r := record.NewReader(o.log.Bytes())
	path := ""
	for r.More() {
		if next := r.Text(); next != "" {
			path = next
		}
		line, note := int(r.Uint()), r.Part()
		if r.Err() == nil && (path == "" || line < 0) {
			r.Fail()
		}
		if r.Err() == nil {
			fn(finding.Place{Path: path, Line: line}, record.NewReader(note))
		}
	}
	return r.End()
}

// Note is the record of a row.
type Note struct {
	Split *observe.Split
	// Place is that of the row.
	finding.Place
	*record.Reader
}

// Read says what the rows of the splits showed by themselves, and calls fn with each note, split by split in the order of the
// files. The rows of a file that an artifact has in several splits of a repo are noted once: they are the same rows. The error is
// that of a note which fn does not read to its end.
func Read(seen []observe.Seen, say *observe.Findings, fn func(note Note)) error {
	type file struct{ artifact, repo, path string }
	taken := map[file]*observe.Split{}
	for _, s := range seen {
		o := s.Observer.(*Observer)
		say.Merge(s.Split, &o.found)
		var failed error
		err := o.each(func(place finding.Place, note *record.Reader) {
			name := file{s.Split.Artifact, s.Split.Repo.ID, place.Path}
			if first := taken[name]; first != nil && first != s.Split {
				return
			}
			taken[name] = s.Split
			fn(Note{s.Split, place, note})
			if err := note.End(); err != nil && failed == nil {
				failed = err
			}
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return fmt.Errorf("read what the rows of %s showed: %w", s.Split.Name, err)
		}
	}
	return nil
}
