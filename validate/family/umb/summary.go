package umb

import (
	"maps"
	"slices"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// cleaned is what dataset_summary.json says that cleaning left.
type cleaned struct {
	place place
	// dialogues and removed are the dialogues kept and the tasks taken away, left the tasks
	// kept; valid counts tasks by family.
	dialogues, removed, left counted
	valid                    map[string]counted
	// unsound are the families whose counts do not add up.
	unsound map[string]bool
}

// counted is a number with its place in the document; line is 0 when it is not there.
type counted struct {
	n, line int
	pointer string
}

// spokenCounts counts what the rows of dialogues hold, repeated ones too.
type spokenCounts struct {
	dialogues, removed int
	families           map[string]int
}

func (s *spokenCounts) add(d *dialogue) {
	s.dialogues++
	s.removed += d.removed
	for family, n := range d.families {
		s.families[family] += n
	}
}

// counts is one object of the summary: three numbers of which the first is the sum of the others.
type counts struct {
	pointer                   string
	rawKey, validKey, goneKey string
}

func lookAtSummary(row *notes.Row, note *record.Writer) {
	dialogueCounts := counts{"/dialogue_counts", "raw", "retained", "removed_no_valid_qa"}
	taskCounts := counts{"/qa_task_counts", "raw", "valid_retained", "removed_incomplete_evidence"}
	dialogueCounts.look(row)
	raw, valid, gone, whole := taskCounts.look(row)
	types, _ := row.Root.Get("by_task_type")
	sumRaw, sumValid, sumGone := 0, 0, 0
	sound := map[string]bool{}
	for family := range typesOf(types) {
		typeCounts := counts{"/by_task_type/" + tape.EscapeToken(family), "raw", "valid", "removed"}
		r, v, g, ok := typeCounts.look(row)
		sound[family] = ok
		sumRaw, sumValid, sumGone, whole = sumRaw+r, sumValid+v, sumGone+g, whole && ok
	}
	if whole && types.Tape() != nil {
		holdSum(row, "/qa_task_counts/raw", raw, sumRaw)
		holdSum(row, "/qa_task_counts/valid_retained", valid, sumValid)
		holdSum(row, "/qa_task_counts/removed_incomplete_evidence", gone, sumGone)
	}
	noteCount(row, note, "/dialogue_counts/retained")
	noteCount(row, note, "/qa_task_counts/removed_incomplete_evidence")
	noteCount(row, note, "/qa_task_counts/valid_retained")
	families := slices.Sorted(maps.Keys(typesOf(types)))
	note.Uint(uint64(len(families)))
	for _, family := range families {
		note.Text(family)
		note.Bool(sound[family])
		noteCount(row, note, "/by_task_type/"+tape.EscapeToken(family)+"/valid")
	}
}

// typesOf lists the task families of the summary.
func typesOf(types tape.Value) map[string]bool {
	out := map[string]bool{}
	if types.Tape() == nil {
		return out
	}
	for family := range types.Members() {
		out[family.Text()] = true
	}
	return out
}

// look checks raw - removed = valid, and the rate.
func (c counts) look(row *notes.Row) (raw, valid, gone int, ok bool) {
	object, ok := row.Root.At(c.pointer)
	if !ok {
		return 0, 0, 0, false
	}
	raw, ok1 := field.Int(object, c.rawKey)
	valid, ok2 := field.Int(object, c.validKey)
	gone, ok3 := field.Int(object, c.goneKey)
	if !ok1 || !ok2 || !ok3 {
		return 0, 0, 0, false
	}
	if raw-gone != valid {
		at, _ := object.Get(c.validKey)
		f := finding.New(finding.UMBCleaning, "%d - %d = %d, found %d", raw, gone, raw-gone, valid)
		row.Say(at, c.pointer+"/"+c.validKey, f.Hinting("what cleaning did not remove is valid"))
		return raw, valid, gone, false
	}
	if rate, there := object.Get("valid_rate"); there && raw > 0 {
		if up, down := decimals(100*int64(valid), int64(raw), 1); rate.Text() != up+"%" && rate.Text() != down+"%" {
			row.Say(rate, c.pointer+"/valid_rate", finding.New(finding.UMBCleaningRate, "%d of %d is %s%%, found %s", valid, raw, up, rate.Text()))
		}
	}
	return raw, valid, gone, true
}

// holdSum holds a total against the sum over task families.
func holdSum(row *notes.Row, pointer string, total, sum int) {
	if total != sum {
		at, _ := row.Root.At(pointer)
		f := finding.New(finding.UMBCleaning, "the task families add up to %d, found %d", sum, total)
		row.Say(at, pointer, f)
	}
}

func noteCount(row *notes.Row, note *record.Writer, pointer string) {
	at, ok := row.Root.At(pointer)
	n := 0
	if ok {
		n, ok = field.IntOf(at)
	}
	note.Bool(ok)
	if ok {
		note.Int(int64(n))
		note.Int(int64(row.LineOf(at)))
		note.Text(pointer)
	}
}

func readCount(r *record.Reader) counted {
	if !r.Bool() {
		return counted{}
	}
	return counted{int(r.Int()), int(r.Int()), r.Text()}
}

func (w *world) readSummary(note *notes.Note) {
	c := &cleaned{place: placeOf(note), dialogues: readCount(note.Reader), removed: readCount(note.Reader), left: readCount(note.Reader), valid: map[string]counted{}, unsound: map[string]bool{}}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		family := note.Text()
		c.unsound[family] = !note.Bool()
		c.valid[family] = readCount(note.Reader)
	}
	w.cleaned = append(w.cleaned, c)
}

// judgeCleaning holds the summary against the dialogues, when all of them were seen.
func (w *world) judgeCleaning() {
	if !w.has[dialogues] {
		w.judgeCleanedTasks()
		return
	}
	for _, c := range w.cleaned {
		hold := func(said counted, found int, what string) {
			if said.line > 0 && said.n != found {
				f := finding.New(finding.UMBCleaningRecount, "the dialogues hold %d %s, the summary says %d", found, what, said.n)
				w.report(c.place.in(said.line, said.pointer), f.Hinting("write the summary anew from the dialogues that are released"))
			}
		}
		hold(c.dialogues, w.counted.dialogues, "dialogues")
		hold(c.removed, w.counted.removed, "removed tasks")
		for _, family := range slices.Sorted(maps.Keys(c.valid)) {
			hold(c.valid[family], w.counted.families[family], "tasks of "+family)
		}
	}
}

// judgeCleanedTasks holds the summary against the assignments, where there are no dialogues.
func (w *world) judgeCleanedTasks() {
	m := w.manifest()
	if m == nil || !w.has[assignments] || len(w.dialogues) > 0 {
		return
	}
	tasks := 0
	for i := range m.assigned {
		tasks += m.assigned[i].tasks
	}
	for _, c := range w.cleaned {
		if c.left.line > 0 && c.left.n != tasks {
			f := finding.New(finding.UMBCleaningRecount, "the assignments at %s have %d tasks, the summary says %d", m.place.Where(), tasks, c.left.n)
			w.report(c.place.in(c.left.line, c.left.pointer), f.Hinting("write both anew from the dialogues that are released"))
		}
	}
}
