package umb

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// hash is what is kept of a value or text that only has to be recognised.
type hash [16]byte

// hashOf hashes a value: equal values have equal hashes, in whatever order their keys stand.
func hashOf(v tape.Value) hash {
	sum := sha256.Sum256(digest.AppendCanonical(nil, v))
	return hash(sum[:16])
}

// hashTexts hashes texts in their order.
func hashTexts(texts ...string) hash {
	var w record.Writer
	for _, text := range texts {
		w.Text(text)
	}
	sum := sha256.Sum256(w.Bytes())
	return hash(sum[:16])
}

func readHash(r *record.Reader) hash {
	var h hash
	copy(h[:], r.Raw(len(h)))
	return h
}

// persona is what is known of a persona.
type persona struct {
	place place
	hash  hash
}

func lookAtPersona(row *notes.Row, note *record.Writer) {
	name := field.Text(row.Root, "name")
	if name == "" {
		return
	}
	lookAtPeriods(row, row.Root, "")
	h := hashOf(row.Root)
	note.Text(name)
	note.Raw(h[:])
}

// periods are those of a persona's evolution, in their order.
var periods = []string{"2020-2021", "2022-2023", "2024-2025"}

// lookAtPeriods checks that the evolution of a persona, at a pointer, goes through the periods.
func lookAtPeriods(row *notes.Row, persona tape.Value, pointer string) {
	for i, v := range field.List(persona, "evolution_timeline") {
		said := field.Text(v, "period")
		if i >= len(periods) || !slices.Contains(periods, said) || said == periods[i] {
			continue
		}
		at, _ := v.Get("period")
		f := finding.New(finding.UMBPeriodOrder, "period %d of the evolution is %s, expected %s", i+1, said, periods[i])
		row.Say(at, fmt.Sprintf("%s/evolution_timeline/%d/period", pointer, i), f.Hinting("the periods are %s", strings.Join(periods, ", ")))
	}
}

func (w *world) readPersona(note *notes.Note) {
	name := note.Text()
	p := &persona{placeOf(note), readHash(note.Reader)}
	if first := w.personas[name]; first != nil {
		w.nameOnce(p.place.in(p.place.Line, "/name"), "persona", name, first.place)
		return
	}
	w.personas[name] = p
}
