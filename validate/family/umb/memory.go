package umb

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// requiredFields are the fields that an answer of each task family has.
var requiredFields = map[string][]string{
	extraction:    {"answer", "evidence_snippets"},
	temporal:      {"final_answer", "days", "start_date", "end_date"},
	updating:      {"latest_state", "as_of_time", "deprecated_state"},
	reasoning:     {"event_chain", "final_outcome"},
	summarization: {"time_span", "key_turning_points", "summary"},
	arbitration:   {"premise_verdict", "premise_error", "corrected_facts", "final_answer"},
}

// trained is a row for fine-tuning.
type trained struct {
	origin
	asked, task hash
}

// newTrainedLook returns a look at rows for fine-tuning. It parses their answers on a tape of its own.
func newTrainedLook() notes.Look {
	var answer tape.Tape
	return func(row *notes.Row, note *record.Writer) {
		metadata, o, ok := lookAtOrigin(row, note)
		if !ok {
			return
		}
		query := field.Text(metadata, "query")
		if input, ok := row.Root.Get("input"); ok && input.Kind() == tape.String && input.Text() != query {
			row.Say(input, "/input", finding.New(finding.UMBSFTInput, "input is not the question of the task, metadata.query"))
		}
		lookAtOutput(row, field.Text(metadata, "task_type"), &answer)
		asked, task := hashTexts(o.character, query), taskHash(metadata)
		note.Raw(asked[:])
		note.Raw(task[:])
	}
}

// lookAtOutput checks that an answer is a JSON object with the fields of its task family.
func lookAtOutput(row *notes.Row, family string, answer *tape.Tape) {
	output, ok := row.Root.Get("output")
	required := requiredFields[family]
	if !ok || output.Kind() != tape.String || required == nil {
		return
	}
	if problems := answer.Parse([]byte(output.Text())); len(problems) > 0 || answer.Root().Kind() != tape.Object {
		row.Say(output, "/output", finding.New(finding.UMBSFTOutput, "the answer is not a JSON object"))
		return
	}
	for _, name := range required {
		if _, ok := answer.Root().Get(name); !ok {
			f := finding.New(finding.UMBSFTOutput, "the answer lacks %s", name)
			row.Say(output, "/output", f.Hinting("an answer of %s has %s", family, strings.Join(required, ", ")))
			return
		}
	}
}

func (w *world) readTrained(note *notes.Note) {
	t := trained{origin: readOrigin(note), asked: readHash(note.Reader), task: readHash(note.Reader)}
	w.trained = append(w.trained, t)
	w.trainedOn[t.asked] = true
}

// judgeTrained holds rows for fine-tuning against the stages and the tasks of their characters, and counts them.
func (w *world) judgeTrained() {
	type key struct {
		stage     int
		character string
	}
	counts := map[key]int{}
	stages := map[int]bool{}
	for i := range w.trained {
		t := &w.trained[i]
		counts[key{t.stage, t.character}]++
		stages[t.stage] = true
		if !w.judgeOrigin(&t.origin, -1) {
			continue
		}
		if s := w.sideOf(t.stage); s != nil && !s.train[t.character] {
			f := finding.New(finding.UMBSFTCharacter, "%s is no training character of stage %d", t.character, t.stage)
			w.report(t.place.in(t.place.Line, "/metadata/character"), f.Hinting("questions about test characters are for evaluation only"))
			continue
		}
		w.judgeTask(&t.origin, t.task)
	}
	m := w.manifest()
	switch {
	case !w.has[sft]:
		return
	case m == nil:
		w.judgeTrainedAlike()
		return
	}
	if len(w.entities) == 0 {
		w.judgeTrainedCounts(m)
		return
	}
	e := w.entities[0]
	for _, number := range slices.Sorted(maps.Keys(e.stages)) {
		s := e.stages[number]
		if !stages[number] {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(s.train)) {
			want := rowsOf(m, name)
			if got := counts[key{number, name}]; want > 0 && got != want {
				f := finding.New(finding.UMBSFTCount, "%s has %d rows for fine-tuning in stage %d, expected %d", name, got, number, want)
				w.report(e.place.in(s.line, s.pointer), f.Hinting("qa_max_samples_per_character says how many each training character has"))
			}
		}
	}
}

// judgeTrainedCounts counts the rows of each character that has any, where nobody says which characters are for training.
func (w *world) judgeTrainedCounts(m *stageManifest) {
	counts := map[string]int{}
	for i := range w.trained {
		counts[w.trained[i].character]++
	}
	for i := range w.trained {
		t := &w.trained[i]
		want, got := rowsOf(m, t.character), counts[t.character]
		if want > 0 && got > 0 && got != want {
			f := finding.New(finding.UMBSFTCount, "%s has %d rows for fine-tuning, expected %d", t.character, got, want)
			w.report(t.place.in(t.place.Line, "/metadata/character"), f.Hinting("qa_max_samples_per_character says how many each training character has"))
		}
		delete(counts, t.character)
	}
}

// judgeTrainedAlike checks, where nobody says how many rows a character has, that one does not have more or fewer than the others:
// when at least three in four, and three, have the same number.
func (w *world) judgeTrainedAlike() {
	counts := map[string]int{}
	for i := range w.trained {
		counts[w.trained[i].character]++
	}
	sizes := map[int]int{}
	usual := 0
	for _, n := range counts {
		if sizes[n]++; sizes[n] > sizes[usual] {
			usual = n
		}
	}
	if sizes[usual] < 3 || 4*sizes[usual] < 3*len(counts) {
		return
	}
	for i := range w.trained {
		t := &w.trained[i]
		if got := counts[t.character]; got > 0 && got != usual {
			f := finding.New(finding.UMBSFTCount, "%s has %d rows for fine-tuning, %d others have %d", t.character, got, sizes[usual], usual)
			w.report(t.place.in(t.place.Line, "/metadata/character"), f.Hinting("each training character has the same number of rows"))
		}
		delete(counts, t.character)
	}
}

// rowsOf is how many rows a training character has for fine-tuning: the same number for each, or one for each task.
func rowsOf(m *stageManifest, name string) int {
	if m.perCharacter > 0 {
		return m.perCharacter
	}
	for i := range m.assigned {
		if m.assigned[i].character == name {
			return m.assigned[i].tasks
		}
	}
	return 0
}

// sideOf is the split of the characters of a stage, where there are copies that of the first; nil when it is not known.
func (w *world) sideOf(stage int) *entityStage {
	if len(w.entities) == 0 {
		return nil
	}
	return w.entities[0].stages[stage]
}

// judgeTask checks that a row's task is one of its dialogue.
func (w *world) judgeTask(o *origin, task hash) {
	d := w.dialogues[o.dialogue]
	if d != nil && !d.hashes[task] {
		f := finding.New(finding.UMBTaskUnknown, "the task is not among those of the dialogue at %s", d.place.Where())
		w.report(o.place.in(o.place.Line, "/metadata"), f.Hinting("make the file anew from the dialogues"))
	}
}

// evaluated is a row of evaluation.
type evaluated struct {
	origin
	id               string
	asked, task, row hash
	// before is the prompt before its question; quotes says that a turn was found in it already.
	before string
	quotes bool
}

func lookAtUnseen(row *notes.Row, note *record.Writer) {
	metadata, o, ok := lookAtOrigin(row, note)
	if !ok {
		return
	}
	query, family := field.Text(metadata, "query"), field.Text(metadata, "task_type")
	id := field.Text(row.Root, "id")
	if at, ok := row.Root.Get("id"); ok && id != "" {
		rest, fits := strings.CutPrefix(id, o.dialogue+"::"+family+"::")
		if _, err := strconv.Atoi(rest); !fits || err != nil {
			row.Say(at, "/id", finding.New(finding.UMBEvalID, "the id of the row is %s::%s:: and a number, found %s", o.dialogue, family, id))
		}
	}
	before, quotes := lookAtPrompt(row, query)
	texts := []string{family, query, field.Text(row.Root, "reference")}
	texts = append(texts, field.Texts(metadata, "answer_components")...)
	task := hashTexts(append(append(texts, "\x00"), field.Texts(metadata, "source_event_ids")...)...)
	asked, whole := hashTexts(o.character, query), hashOf(row.Root)
	note.Text(id)
	note.Raw(asked[:])
	note.Raw(task[:])
	note.Raw(whole[:])
	note.Text(before)
	note.Bool(quotes)
}

// lookAtPrompt checks that a prompt ends with its question, and returns what stands before it.
func lookAtPrompt(row *notes.Row, query string) (before string, quotes bool) {
	prompt, ok := row.Root.Get("prompt")
	if !ok || prompt.Kind() != tape.String || query == "" {
		return "", false
	}
	before, ends := strings.CutSuffix(strings.TrimSpace(prompt.Text()), strings.TrimSpace(query))
	if !ends {
		f := finding.New(finding.UMBEvalPrompt, "the prompt does not end with the question, metadata.query")
		row.Say(prompt, "/prompt", f.Hinting("nothing follows the question"))
	}
	return before, lookAtQuote(row, prompt, before)
}

func (w *world) readUnseen(note *notes.Note) {
	e := evaluated{origin: readOrigin(note), id: note.Text(), asked: readHash(note.Reader), task: readHash(note.Reader), row: readHash(note.Reader), before: note.Text(), quotes: note.Bool()}
	if stageOfFile(e.place.Path) == 0 && strings.Contains(path.Base(e.place.Path), "_all") {
		w.unseenAll = append(w.unseenAll, e)
		return
	}
	w.unseen = append(w.unseen, e)
}

// judgeUnseen holds rows of evaluation against the stages and what was trained on. The file of all stages repeats those of the
// stages; without them it is judged as they would be.
func (w *world) judgeUnseen() {
	list := w.unseen
	if len(list) == 0 {
		list = w.unseenAll
		w.judgeStageOrder(list)
	} else if len(w.unseenAll) > 0 && w.has[unseen] {
		w.judgeAll()
	}
	counts, ids := map[string]int{}, map[string]place{}
	stages := map[int]bool{}
	for i := range list {
		e := &list[i]
		counts[e.character]++
		stages[e.stage] = true
		if first, again := ids[e.id]; again && e.id != "" {
			f := finding.New(finding.UMBIDRepeated, "%s stands twice; the first is at %s", e.id, first.Where())
			w.report(e.place.in(e.place.Line, "/id"), f)
		} else {
			ids[e.id] = e.place
		}
		w.judgeEvaluated(e)
	}
	w.judgeQuotes(list)
	if !w.has[unseen] {
		return
	}
	if m := w.manifest(); m != nil && len(w.entities) > 0 {
		w.judgeAskedAll(m, counts, stages)
		return
	}
	w.judgeAskedCounts(list)
}

// judgeAskedAll checks that every test character of the stages that are asked about is asked all its questions.
func (w *world) judgeAskedAll(m *stageManifest, counts map[string]int, stages map[int]bool) {
	for i := range m.assigned {
		a := &m.assigned[i]
		s := w.sideOf(a.stage)
		if s == nil || !s.test[a.character] || !stages[a.stage] {
			continue
		}
		if got := counts[a.character]; got != a.tasks {
			f := finding.New(finding.UMBEvalCount, "%s has %d rows of evaluation, expected %d", a.character, got, a.tasks)
			w.report(m.place.in(a.tasksLine, a.pointer("qa_count")), f.Hinting("every task of a test character is asked once"))
		}
	}
}

// judgeAskedCounts counts the rows of each dialogue that has any, where nobody says which characters are for testing.
func (w *world) judgeAskedCounts(list []evaluated) {
	counts := map[string]int{}
	for i := range list {
		counts[list[i].dialogue]++
	}
	for i := range list {
		e := &list[i]
		want, known := w.tasksOf(e.dialogue)
		if got := counts[e.dialogue]; known && got > 0 && got != want {
			f := finding.New(finding.UMBEvalCount, "dialogue %s has %d rows of evaluation, expected %d", e.dialogue, got, want)
			w.report(e.place.in(e.place.Line, "/metadata/dialogue_id"), f.Hinting("every task of a test character is asked once"))
		}
		delete(counts, e.dialogue)
	}
}

// tasksOf is the number of tasks of a dialogue, from the dialogue itself or its assignment.
func (w *world) tasksOf(id string) (tasks int, known bool) {
	if d := w.dialogues[id]; d != nil {
		return len(d.tasks), true
	}
	if a := w.assigned[id]; a != nil {
		return a.tasks, true
	}
	return 0, false
}

// judgeEvaluated holds one row against the stages and what was trained on.
func (w *world) judgeEvaluated(e *evaluated) {
	if !w.judgeOrigin(&e.origin, -1) {
		return
	}
	at := e.place.in(e.place.Line, "/metadata/character")
	s := w.sideOf(e.stage)
	switch {
	case s != nil && s.train[e.character]:
		f := finding.New(finding.UMBEvalSeen, "%s is a training character of stage %d", e.character, e.stage)
		w.report(at, f.Hinting("evaluation on unseen characters asks about test characters only"))
		return
	case s != nil && !s.test[e.character]:
		w.report(at, finding.New(finding.UMBEvalSeen, "%s is no test character of stage %d", e.character, e.stage))
		return
	case w.trainedOn[e.asked]:
		f := finding.New(finding.UMBEvalLeak, "the question about %s is trained on", e.character)
		w.report(e.place.in(e.place.Line, "/metadata/query"), f.Hinting("take it out of the files for fine-tuning"))
		return
	}
	w.judgeTask(&e.origin, e.task)
}

// judgeStageOrder checks that the file of all stages goes from stage to stage, where their own files are not there.
func (w *world) judgeStageOrder(list []evaluated) {
	for i := 1; i < len(list); i++ {
		if list[i].stage < list[i-1].stage {
			f := finding.New(finding.UMBEvalAll, "a row of stage %d comes behind one of stage %d", list[i].stage, list[i-1].stage)
			w.report(list[i].place.in(list[i].place.Line, "/metadata/dialogue_stage"), f.Hinting("the file of all stages holds those of the stages one behind the other"))
			return
		}
	}
}

// judgeAll checks that the file of all stages holds the rows of the stages in order.
func (w *world) judgeAll() {
	staged := slices.Clone(w.unseen)
	slices.SortStableFunc(staged, func(a, b evaluated) int { return a.stage - b.stage })
	for i := range w.unseenAll {
		e := &w.unseenAll[i]
		if i >= len(staged) || e.row != staged[i].row {
			want := "nothing"
			if i < len(staged) {
				want = fmt.Sprintf("the row at %s", staged[i].place.Where())
			}
			f := finding.New(finding.UMBEvalAll, "row %d of all stages should be %s", i+1, want)
			w.report(e.place, f.Hinting("write the file anew: the files of the stages one behind the other"))
			return
		}
	}
	if n := len(w.unseenAll); n < len(staged) {
		f := finding.New(finding.UMBEvalAll, "the file of all stages ends before the row at %s", staged[n].place.Where())
		w.report(w.unseenAll[n-1].place, f.Hinting("write the file anew: the files of the stages one behind the other"))
	}
}
