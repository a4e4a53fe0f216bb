package notes_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// look notes the number of a row and dislikes odd ones; a row without a number it passes over.
func look(row *notes.Row, note *record.Writer) {
	n, ok := field.Int(row.Root, "n")
	if !ok {
		return
	}
	if n%2 == 1 {
		at, _ := row.Root.Get("n")
		row.Say(at, "/n", finding.New(finding.UMBRate, "odd"))
	}
	note.Int(int64(n))
}

func observeRows(t testing.TB, path string, texts ...string) *notes.Observer {
	t.Helper()
	o := notes.New(look, 0)
	for i, text := range texts {
		var doc tape.Tape
		if problems := doc.Parse([]byte(text)); len(problems) > 0 {
			t.Fatal(problems)
		}
		o.Observe(&rows.Row{Path: path, Line: i + 1, Doc: &doc})
	}
	return o
}

// read returns what was noted and found.
func read(t testing.TB, seen ...observe.Seen) (noted, found []string, err error) {
	t.Helper()
	say := observe.NewFindings(0)
	err = notes.Read(seen, say, func(note notes.Note) {
		noted = append(noted, fmt.Sprintf("%s:%d %d", note.Path, note.Line, note.Int()))
	})
	say.All(func(_ *observe.Split, set *finding.Set) {
		for _, f := range set.All() {
			found = append(found, fmt.Sprintf("%s x%d", f.Where(), f.Count))
		}
	})
	return noted, found, err
}

func split(name string) *observe.Split {
	return &observe.Split{Repo: &release.Repo{ID: "acme/tea"}, Config: &release.Config{Name: "default"}, Split: &release.Split{Name: name}, Artifact: "umb/tea"}
}

func TestNotesOutliveMergingAndBytes(t *testing.T) {
	a := observeRows(t, "a.jsonl", `{"n": 2}`, `{"m": 0}`, `{"n": 3}`)
	a.Merge(observeRows(t, "a.jsonl", `{"n": 4}`))
	a.Merge(observeRows(t, "a.jsonl"))
	a.Merge(observeRows(t, "b.jsonl", `{"n": 5}`))
	want := []string{"a.jsonl:1 2", "a.jsonl:3 3", "a.jsonl:1 4", "b.jsonl:1 5"}
	for _, form := range []string{"as it is", "from bytes"} {
		if form == "from bytes" {
			data, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			a = notes.New(look, 0)
			if err := a.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
		}
		noted, found, err := read(t, observe.Seen{Split: split("train"), Observer: a})
		if err != nil || !slices.Equal(noted, want) || !slices.Equal(found, []string{"a.jsonl:3 /n x1", "b.jsonl:1 /n x1"}) {
			t.Errorf("%s: noted %q, found %q, %v; want the notes %q", form, noted, found, err, want)
		}
	}
	a.Merge(observeRows(t, "b.jsonl", `{"n": 6}`))
	if noted, _, err := read(t, observe.Seen{Split: split("train"), Observer: a}); err != nil || !slices.Equal(noted, append(want, "b.jsonl:1 6")) {
		t.Errorf("merged after reading bytes: %q, %v", noted, err)
	}
}

// A file that stands in two splits is one: its rows are noted once.
func TestAFileInTwoSplitsIsNotedOnce(t *testing.T) {
	noted, found, err := read(t,
		observe.Seen{Split: split("one"), Observer: observeRows(t, "a.jsonl", `{"n": 1}`)},
		observe.Seen{Split: split("all"), Observer: observeRows(t, "a.jsonl", `{"n": 1}`)},
		observe.Seen{Split: split("all"), Observer: observeRows(t, "b.jsonl", `{"n": 2}`)},
	)
	if err != nil || !slices.Equal(noted, []string{"a.jsonl:1 1", "b.jsonl:1 2"}) || len(found) != 2 {
		t.Errorf("noted %q, found %q, %v", noted, found, err)
	}
}

func TestANoteThatIsNotReadToItsEndIsDamaged(t *testing.T) {
	err := notes.Read([]observe.Seen{{Split: split("train"), Observer: observeRows(t, "a.jsonl", `{"n": 1}`)}}, observe.NewFindings(0), func(notes.Note) {})
	if !errors.Is(err, record.ErrDamaged) {
		t.Errorf("got %v, want that the data is damaged", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	data, _ := observeRows(f, "a.jsonl", `{"n": 1}`, `{"n": 200}`).MarshalBinary()
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		o := notes.New(look, 0)
		if err := o.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, record.ErrDamaged) {
				t.Fatalf("got %v, want ErrDamaged", err)
			}
			return
		}
		again, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		second := notes.New(look, 0)
		if err := second.UnmarshalBinary(again); err != nil {
			t.Fatalf("what was read is not written so that it can be read: %v", err)
		}
		third, _ := second.MarshalBinary()
		if !bytes.Equal(again, third) {
			t.Fatal("writing twice gives other bytes")
		}
	})
}
