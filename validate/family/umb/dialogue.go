package umb

import (
	"fmt"
	"maps"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
)

// dialogue is what is known of a dialogue.
type dialogue struct {
	place                 place
	id, character         string
	idLine, characterLine int
	turns, removed        int
	// openings are those of the turns that say something.
	openings []opening
	// removedLine is 0 when the dialogue does not say how many tasks were removed.
	removedLine int
	tasks       []covered
	families    map[string]int
	hashes      map[hash]bool
}

// covered is a task of a dialogue: whole is the hash of the object, hash that of what other rows repeat.
type covered struct {
	whole, hash hash
	line        int
	// sources are the events that the task rests on, old the one that set its old state.
	sources []string
	old     string
	span    *answeredSpan
}

func lookAtDialogue(row *notes.Row, note *record.Writer) {
	id, character := field.Text(row.Root, "id"), field.Text(row.Root, "character")
	if id == "" {
		return
	}
	lookAtCounts(row)
	lookAtSegments(row)
	idAt, _ := row.Root.Get("id")
	characterAt, _ := row.Root.Get("character")
	turns, _ := field.Len(row.Root, "dialogue")
	removed, removedLine := 0, 0
	if at, ok := row.Root.At("/statistics/tasks_removed"); ok {
		if n, whole := field.IntOf(at); whole {
			removed, removedLine = n, row.LineOf(at)
		}
	}
	note.Text(id)
	note.Text(character)
	note.Int(int64(row.LineOf(idAt)))
	note.Int(int64(lineOf(row, characterAt)))
	openings := openingsOf(row)
	note.Uint(uint64(turns))
	note.Int(int64(removed))
	note.Int(int64(removedLine))
	tasks, _ := field.Len(row.Root, "tasks_covered")
	note.Uint(uint64(tasks))
	for i, task := range field.List(row.Root, "tasks_covered") {
		t := questionTask{row, task, fmt.Sprintf("/tasks_covered/%d", i)}
		t.lookAtTime()
		t.lookAtPremise()
		whole, h := hashOf(task), taskHash(task)
		note.Raw(whole[:])
		note.Raw(h[:])
		note.Text(field.Text(task, "task_type"))
		note.Int(int64(row.LineOf(task)))
		writeTexts(note, field.Texts(task, "source_event_ids"))
		note.Text(field.Text(task, "old_state_event_id"))
		t.noteSpan(note)
	}
	writeOpenings(note, openings)
}

// lookAtCounts holds the statistics of a dialogue against what it holds.
func lookAtCounts(row *notes.Row) {
	for _, c := range []struct{ key, of, what string }{
		{"total_turns", "dialogue", "turns"},
		{"total_segments", "segment_outlines", "segments"},
		{"tasks_count", "tasks_covered", "tasks"},
	} {
		at, ok := row.Root.At("/statistics/" + c.key)
		if !ok {
			continue
		}
		said, ok1 := field.IntOf(at)
		found, ok2 := field.Len(row.Root, c.of)
		if ok1 && ok2 && said != found {
			f := finding.New(finding.UMBDialogueCount, "the dialogue has %d %s, %s says %d", found, c.what, c.key, said)
			row.Say(at, "/statistics/"+c.key, f.Hinting("count again after the last step that changed the dialogue"))
		}
	}
}

// lookAtSegments checks the plan: positions, the first and last segment, and which segments mention facts.
func lookAtSegments(row *notes.Row) {
	n, _ := field.Len(row.Root, "segment_outlines")
	base := 0
	for i, segment := range field.List(row.Root, "segment_outlines") {
		say := func(key, format string, args ...any) {
			at, _ := segment.Get(key)
			row.Say(at, fmt.Sprintf("/segment_outlines/%d/%s", i, key), finding.New(finding.UMBSegment, format, args...))
		}
		if id, ok := field.Int(segment, "segment_id"); ok {
			if i == 0 && id == 1 {
				base = 1
			}
			if id != i+base {
				say("segment_id", "segment %d has the id %d, expected %d", i+1, id, i+base)
			}
		}
		kind := field.Text(segment, "type")
		switch {
		case kind == "":
		case i == 0 && kind != "opening":
			say("type", "the first segment is opening, found %s", kind)
		case i == n-1 && i > 0 && kind != "closing":
			say("type", "the last segment is closing, found %s", kind)
		case i > 0 && i < n-1 && kind != "filler" && kind != "info-anchor":
			say("type", "a segment inside is filler or info-anchor, found %s", kind)
		case i > 0 && i < n-1:
			if anchors, ok := field.Int(segment, "anchor_count"); ok && (anchors == 0) != (kind == "filler") {
				say("anchor_count", "a segment of type %s has %d anchors", kind, anchors)
			}
		}
	}
}

func (w *world) readDialogue(note *notes.Note) {
	d := &dialogue{place: placeOf(note), id: note.Text(), character: note.Text(), idLine: int(note.Int()), characterLine: int(note.Int()),
		families: map[string]int{}, hashes: map[hash]bool{}}
	d.turns, d.removed, d.removedLine = int(note.Uint()), int(note.Int()), int(note.Int())
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		c := covered{whole: readHash(note.Reader), hash: readHash(note.Reader)}
		d.families[note.Text()]++
		c.line, c.sources, c.old = int(note.Int()), readTexts(note.Reader), note.Text()
		if note.Bool() {
			span := readSpan(note.Reader)
			c.span = &span
		}
		d.tasks = append(d.tasks, c)
		d.hashes[c.hash] = true
	}
	d.openings = readOpenings(note.Reader)
	w.counted.add(d)
	if first := w.dialogues[d.id]; first != nil {
		f := finding.New(finding.UMBIDRepeated, "dialogue %s stands twice; the first is at %s", d.id, first.place.Where())
		w.report(d.place.in(d.idLine, "/id"), f.Hinting("every dialogue has an id of its own"))
		return
	}
	w.dialogues[d.id] = d
	w.spoken = append(w.spoken, d)
}

// judgeDialogues holds dialogues against stories and questions.
func (w *world) judgeDialogues() {
	first := map[string]*dialogue{}
	for _, d := range w.spoken {
		if d.character == "" {
			continue
		}
		at := d.place.in(d.characterLine, "/character")
		if before := first[d.character]; before != nil {
			w.nameOnce(at, "dialogue", d.character, before.place)
			continue
		}
		first[d.character] = d
		if len(w.stories) > 0 && w.stories[d.character] == nil && w.has[stories] {
			w.unknown(d.place.in(d.characterLine, ""), "/character", "the dialogue of", d.character, "story")
			continue
		}
		if a := w.asked[d.character]; a != nil {
			w.judgeCovered(d, a)
		} else if told := w.stories[d.character]; told != nil {
			w.judgeSources(d, told)
		}
	}
}

// judgeCovered checks that the tasks of a dialogue are among the questions about its character, each once, and that no more were
// removed than there are.
func (w *world) judgeCovered(d *dialogue, a *asked) {
	left := maps.Clone(a.tasks)
	for i, task := range d.tasks {
		at := d.place.in(task.line, fmt.Sprintf("/tasks_covered/%d", i))
		switch {
		case left[task.whole] > 0:
			left[task.whole]--
		case a.tasks[task.whole] > 0:
			f := finding.New(finding.UMBTaskUnknown, "the task stands twice; the questions about %s at %s have it once", d.character, a.place.Where())
			w.report(at, f.Hinting("cleaning takes tasks away and adds none"))
		default:
			f := finding.New(finding.UMBTaskUnknown, "the task is not among the questions about %s at %s", d.character, a.place.Where())
			w.report(at, f.Hinting("cleaning takes tasks away and changes none"))
		}
	}
	raw := 0
	for _, n := range a.tasks {
		raw += n
	}
	if n := len(d.tasks) + d.removed; d.removedLine > 0 && n > raw {
		f := finding.New(finding.UMBDialogueCount, "%d tasks are left and %d removed of %d questions about %s", len(d.tasks), d.removed, raw, d.character)
		w.report(d.place.in(d.removedLine, "/statistics/tasks_removed"), f.Hinting("tasks_removed counts the tasks that cleaning took away"))
	}
}

// judgeSources checks, where there are no questions that do, that the tasks of a dialogue rest on events of the story and that
// answers about time fit them.
func (w *world) judgeSources(d *dialogue, s *story) {
	for i, task := range d.tasks {
		at := d.place.in(task.line, fmt.Sprintf("/tasks_covered/%d", i))
		for _, id := range task.sources {
			if _, ok := s.event(id); !ok && id != "" {
				w.report(at, finding.New(finding.UMBEventUnknown, "the task rests on event %s, which the story at %s does not tell", id, s.place.Where()))
			}
		}
		if _, ok := s.event(task.old); !ok && task.old != "" {
			w.report(at, finding.New(finding.UMBOldState, "the old state comes from event %s, which the story at %s does not tell", task.old, s.place.Where()))
		}
		if task.span != nil {
			w.judgeSpan(d.place, s, task.span)
		}
	}
}
