package umb

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/family/pythonrandom"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

var digits = lazyregexp.New(`^[0-9]{1,6}$`)

// stageNumber reads the key of a stage, "01"; 0 when it is none.
func stageNumber(key string) int {
	if !digits.MatchString(key) {
		return 0
	}
	n, _ := strconv.Atoi(key)
	return n
}

func equalFloats(a, b float64) bool { return math.Abs(a-b) <= slack }

// wantedTrain is how many of n characters are for training: the share rounded to the nearest, halves to even, and at least one on
// either side.
func wantedTrain(n int, ratio float64) int {
	if n <= 1 {
		return n
	}
	return max(1, min(n-1, int(math.RoundToEven(float64(n)*ratio))))
}

// stageManifest is what dialogue_assignments.json says.
type stageManifest struct {
	place place
	// perCharacter is how many rows each training character has for fine-tuning; 0 when questions are not resampled.
	perCharacter int
	// stages is how many stages there are, seed what draws them; seeded says that there is a seed.
	stages, seed int
	seeded       bool
	assigned     []assignment
}

// assignment puts a dialogue into a stage.
type assignment struct {
	id, character        string
	stage, tasks, turns  int
	line, index          int
	tasksLine, turnsLine int
	characterLine        int
	stageLine            int
}

// pointer is the place of a member of the assignment.
func (a *assignment) pointer(key string) string {
	return fmt.Sprintf("/assignments/%d/%s", a.index, key)
}

// resampling is the way of drawing questions that gives every training character the same number of rows.
const resampling = "role_balanced_upweight"

func lookAtAssignments(row *notes.Row, note *record.Writer) {
	if stages, ok := row.Root.Get("stages"); ok {
		if stages.Kind() == tape.Object {
			note.Bool(true)
			lookAtEntities(row, stages, note)
		}
		return
	}
	note.Bool(false)
	perCharacter, _ := field.Int(row.Root, "qa_max_samples_per_character")
	if field.Text(row.Root, "qa_sampling_mode") != resampling {
		perCharacter = 0
	}
	note.Int(int64(perCharacter))
	stages, _ := field.Int(row.Root, "num_stages")
	seed, seeded := field.Int(row.Root, "seed")
	note.Int(int64(stages))
	note.Int(int64(seed))
	note.Bool(seeded)
	n, _ := field.Len(row.Root, "assignments")
	note.Uint(uint64(n))
	sizes := map[int]int{}
	ids, characters := map[string]int{}, map[string]int{}
	for i, v := range field.List(row.Root, "assignments") {
		a := assignment{id: field.Text(v, "dialogue_id"), character: field.Text(v, "character"), line: row.LineOf(v), index: i}
		a.stage, _ = field.Int(v, "stage_id")
		a.tasks, _ = field.Int(v, "qa_count")
		a.turns, _ = field.Int(v, "turn_count")
		sizes[a.stage]++
		lookAtTwice(row, v, &a, "dialogue_id", a.id, ids)
		lookAtTwice(row, v, &a, "character", a.character, characters)
		noteAssignment(row, v, &a, note)
	}
	lookAtStageSizes(row, n, sizes)
}

// lookAtTwice reports a dialogue or character that is in two assignments.
func lookAtTwice(row *notes.Row, v tape.Value, a *assignment, key, value string, seen map[string]int) {
	if value == "" {
		return
	}
	if first, again := seen[value]; again {
		at, _ := v.Get(key)
		f := finding.New(finding.UMBAssignedTwice, "%s is assigned twice; first by /assignments/%d", value, first)
		row.Say(at, a.pointer(key), f.Hinting("each dialogue and its character belong to one stage"))
		return
	}
	seen[value] = a.index
}

func noteAssignment(row *notes.Row, v tape.Value, a *assignment, note *record.Writer) {
	note.Text(a.id)
	note.Text(a.character)
	for _, n := range []int{a.stage, a.tasks, a.turns, a.line} {
		note.Int(int64(n))
	}
	for _, key := range []string{"qa_count", "turn_count", "character", "stage_id"} {
		at, _ := v.Get(key)
		note.Int(int64(lineOf(row, at)))
	}
}

func readAssignment(r *record.Reader, index int) assignment {
	a := assignment{id: r.Text(), character: r.Text(), index: index}
	for _, n := range []*int{&a.stage, &a.tasks, &a.turns, &a.line, &a.tasksLine, &a.turnsLine, &a.characterLine, &a.stageLine} {
		*n = int(r.Int())
	}
	return a
}

// lookAtStageSizes checks the numbers of dialogues and stages. Stages are of one size; what is left over goes to the first ones.
func lookAtStageSizes(row *notes.Row, n int, sizes map[int]int) {
	say := func(key string, f finding.Finding) {
		at, _ := row.Root.Get(key)
		row.Say(at, "/"+key, f)
	}
	if said, ok := field.Int(row.Root, "num_dialogues"); ok && said != n {
		say("num_dialogues", finding.New(finding.UMBStageSize, "%d dialogues are assigned, num_dialogues says %d", n, said))
	}
	stages, ok := field.Int(row.Root, "num_stages")
	if !ok || stages < 1 || stages > 10_000 {
		return
	}
	for _, stage := range slices.Sorted(maps.Keys(sizes)) {
		if stage < 1 || stage > stages {
			say("num_stages", finding.New(finding.UMBStageSize, "a dialogue is assigned to stage %d of %d", stage, stages))
			return
		}
	}
	for stage := 1; stage <= stages; stage++ {
		want := n / stages
		if stage <= n%stages {
			want++
		}
		if sizes[stage] != want {
			f := finding.New(finding.UMBStageSize, "stage %d has %d dialogues, expected %d", stage, sizes[stage], want)
			say("assignments", f.Hinting("%d dialogues make %d stages of one size", n, stages))
			return
		}
	}
}

// entitySplit is what entity_split_assignments.json says.
type entitySplit struct {
	place  place
	stages map[int]*entityStage
}

// entityStage is the split of the characters of a stage.
type entityStage struct {
	line    int
	pointer string
	// drawn says that the sides are as large as they should be and that seed is what drew them.
	drawn       bool
	seed        int
	trainLine   int
	train, test map[string]bool
}

func lookAtEntities(row *notes.Row, stages tape.Value, note *record.Writer) {
	trainRatio, _, ok1 := field.Number(row.Root, "train_ratio")
	testRatio, _, ok2 := field.Number(row.Root, "test_ratio")
	if ok1 && ok2 && !equalFloats(trainRatio+testRatio, 1) {
		at, _ := row.Root.Get("test_ratio")
		row.Say(at, "/test_ratio", finding.New(finding.UMBEntityRatio, "train_ratio and test_ratio add up to %g, expected 1", trainRatio+testRatio))
	}
	seed, seeded := field.Int(row.Root, "entity_split_seed")
	seen := map[string]string{}
	note.Uint(uint64(stages.Len()))
	for key, v := range stages.Members() {
		number := stageNumber(key.Text())
		pointer := "/stages/" + tape.EscapeToken(key.Text())
		train := lookAtNames(row, v, pointer+"/train", "train", seen)
		test := lookAtNames(row, v, pointer+"/test", "test", seen)
		drawn := true // as its seed draws it, unless something else was found
		if want := wantedTrain(len(train)+len(test), trainRatio); ok1 && len(train)+len(test) > 0 && len(train) != want {
			drawn = false
			at, _ := v.Get("train")
			f := finding.New(finding.UMBEntityRatio, "%d of %d characters are for training, expected %d", len(train), len(train)+len(test), want)
			row.Say(at, pointer+"/train", f.Hinting("train_ratio is %g", trainRatio))
		}
		if own, ok := field.Int(v, "seed"); ok && seeded && number > 0 && own != seed+number {
			drawn = false
			at, _ := v.Get("seed")
			row.Say(at, pointer+"/seed", finding.New(finding.UMBEntitySeed, "the seed of stage %d is %d + %d = %d, found %d", number, seed, number, seed+number, own))
		}
		own, seeded := field.Int(v, "seed")
		trainAt, _ := v.Get("train")
		note.Int(int64(number))
		note.Int(int64(row.LineOf(v)))
		note.Text(pointer)
		note.Bool(drawn && seeded)
		note.Int(int64(own))
		note.Int(int64(lineOf(row, trainAt)))
		writeTexts(note, train)
		writeTexts(note, test)
	}
}

// lookAtNames returns the characters of one side of a stage, and reports those that are somewhere else too. They are names, or
// dialogues with their character.
func lookAtNames(row *notes.Row, stage tape.Value, pointer, side string, seen map[string]string) []string {
	var out []string
	for i, v := range field.List(stage, side) {
		name := v.Text()
		if v.Kind() == tape.Object {
			name = field.Text(v, "character")
		}
		if name == "" {
			continue
		}
		here := fmt.Sprintf("%s/%d", pointer, i)
		if first, again := seen[name]; again {
			f := finding.New(finding.UMBEntityOverlap, "%s stands at %s too", name, first)
			row.Say(v, here, f.Hinting("a character is on one side of one stage"))
		} else {
			seen[name] = here
		}
		out = append(out, name)
	}
	return out
}

func (w *world) readAssignments(note *notes.Note) {
	if note.Bool() {
		w.readEntities(note)
		return
	}
	m := &stageManifest{place: placeOf(note), perCharacter: int(note.Int()), stages: int(note.Int()), seed: int(note.Int()), seeded: note.Bool()}
	for i := range note.Uint() {
		if note.Err() != nil {
			return
		}
		m.assigned = append(m.assigned, readAssignment(note.Reader, int(i)))
	}
	w.manifests = append(w.manifests, m)
	for i := range m.assigned {
		if a := &m.assigned[i]; w.assigned[a.id] == nil {
			w.assigned[a.id] = a
		}
	}
}

func (w *world) readEntities(note *notes.Note) {
	e := &entitySplit{place: placeOf(note), stages: map[int]*entityStage{}}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		number := int(note.Int())
		s := &entityStage{line: int(note.Int()), pointer: note.Text(), drawn: note.Bool(), seed: int(note.Int()), trainLine: int(note.Int()), train: map[string]bool{}, test: map[string]bool{}}
		for _, name := range readTexts(note.Reader) {
			s.train[name] = true
		}
		for _, name := range readTexts(note.Reader) {
			s.test[name] = true
		}
		e.stages[number] = s
	}
	w.entities = append(w.entities, e)
}

// judgeAssignments holds the stages against the dialogues, and the split of characters against the stages.
func (w *world) judgeAssignments() {
	for _, m := range w.manifests {
		for i := range m.assigned {
			w.judgeAssignment(m, &m.assigned[i])
		}
	}
	if len(w.manifests) > 0 && w.has[assignments] {
		for _, d := range w.spoken {
			if w.assigned[d.id] == nil {
				f := finding.New(finding.UMBAssignmentMissing, "dialogue %s is in no stage", d.id)
				w.report(d.place.in(d.idLine, "/id"), f.Hinting("%s assigns every dialogue", w.manifests[0].place.Path))
			}
		}
	}
	m := w.manifest()
	if m != nil {
		w.judgeDraw(m)
	}
	for _, e := range w.entities {
		if m != nil {
			w.judgeEntities(e, m)
		}
		for _, number := range slices.Sorted(maps.Keys(e.stages)) {
			w.judgeSides(e, e.stages[number])
		}
	}
}

// judgeSides draws the split of a stage again: its characters in the order of their names are shuffled with the stage's seed, and
// the first are for training.
func (w *world) judgeSides(e *entitySplit, s *entityStage) {
	all := slices.Sorted(maps.Keys(s.train))
	all = slices.AppendSeq(all, maps.Keys(s.test))
	slices.Sort(all)
	if !s.drawn || len(slices.Compact(slices.Clone(all))) != len(all) {
		return
	}
	pythonrandom.Shuffle(s.seed, all)
	for _, name := range all[:len(s.train)] {
		if !s.train[name] {
			f := finding.New(finding.UMBEntityOrder, "seed %d draws %s for training, found for testing", s.seed, name)
			w.report(e.place.in(s.trainLine, s.pointer+"/train"), f.Hinting("characters sorted by name, then random.Random(seed).shuffle: nobody else can make this split again"))
			return
		}
	}
}

// manifest is the assignment of dialogues that others are held against, where there are copies the first; nil when there is none.
func (w *world) manifest() *stageManifest {
	if len(w.manifests) == 0 {
		return nil
	}
	return w.manifests[0]
}

// judgeDraw draws the stages again: the dialogues in the order of their file are shuffled with the seed and cut into stages.
func (w *world) judgeDraw(m *stageManifest) {
	n := len(w.spoken)
	if !m.seeded || !w.has[dialogues] || n != len(m.assigned) || m.stages < 1 || m.stages > n {
		return
	}
	sizes := map[int]int{}
	for i := range m.assigned {
		sizes[m.assigned[i].stage]++
	}
	order := slices.Clone(w.spoken)
	pythonrandom.Shuffle(m.seed, order)
	wrong, first, want := 0, (*assignment)(nil), 0
	next := 0
	for stage := 1; stage <= m.stages; stage++ {
		size := n / m.stages
		if stage <= n%m.stages {
			size++
		}
		if sizes[stage] != size {
			return
		}
		for _, d := range order[next : next+size] {
			a := w.assigned[d.id]
			switch {
			case a == nil:
				return
			case a.stage != stage && (first == nil || a.index < first.index):
				first, want = a, stage
				fallthrough
			case a.stage != stage:
				wrong++
			}
		}
		next += size
	}
	if first != nil {
		f := finding.New(finding.UMBStageOrder, "seed %d draws dialogue %s for stage %d, found %d; so of %d dialogues", m.seed, first.id, want, first.stage, wrong)
		w.report(m.place.in(first.stageLine, first.pointer("stage_id")), f.Hinting("dialogues in the order of their file, then random.Random(seed).shuffle: nobody else can make these stages again"))
	}
}

func (w *world) judgeAssignment(m *stageManifest, a *assignment) {
	d := w.dialogues[a.id]
	switch {
	case d == nil && len(w.dialogues) > 0 && w.has[dialogues]:
		f := finding.New(finding.UMBDialogueUnknown, "dialogue %s is assigned to a stage and is not there", a.id)
		w.report(m.place.in(a.line, a.pointer("dialogue_id")), f)
	case d == nil:
	case d.character != a.character:
		w.assignmentDiffers(m.place.in(a.characterLine, a.pointer("character")), "character", a.character, d.character)
	case len(d.tasks) != a.tasks:
		w.assignmentDiffers(m.place.in(a.tasksLine, a.pointer("qa_count")), "tasks", a.tasks, len(d.tasks))
	case d.turns != a.turns:
		w.assignmentDiffers(m.place.in(a.turnsLine, a.pointer("turn_count")), "turns", a.turns, d.turns)
	}
}

func (w *world) assignmentDiffers(at place, what string, said, found any) {
	f := finding.New(finding.UMBAssignmentDiffers, "%s: the dialogue has %v, found %v", what, found, said)
	w.report(at, f.Hinting("write the assignments anew from the dialogues"))
}

// judgeEntities checks that the two sides of a stage are together the characters of the stage.
func (w *world) judgeEntities(e *entitySplit, m *stageManifest) {
	byStage := map[int]map[string]bool{}
	for _, a := range m.assigned {
		if byStage[a.stage] == nil {
			byStage[a.stage] = map[string]bool{}
		}
		byStage[a.stage][a.character] = true
	}
	for _, number := range slices.Sorted(maps.Keys(e.stages)) {
		s := e.stages[number]
		at := e.place.in(s.line, s.pointer)
		for name := range byStage[number] {
			s.drawn = s.drawn && (s.train[name] || s.test[name])
		}
		for _, side := range []map[string]bool{s.train, s.test} {
			for _, name := range slices.Sorted(maps.Keys(side)) {
				if !byStage[number][name] {
					s.drawn = false
					w.report(at, finding.New(finding.UMBEntityStage, "%s is split in stage %d, and assigned to another", name, number))
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(byStage[number])) {
			if !s.train[name] && !s.test[name] {
				w.report(at, finding.New(finding.UMBEntityStage, "%s is assigned to stage %d, and on neither side of it", name, number))
			}
		}
		delete(byStage, number)
	}
	for _, number := range slices.Sorted(maps.Keys(byStage)) {
		w.report(e.place.in(e.place.Line, "/stages"), finding.New(finding.UMBEntityStage, "stage %d is not split", number))
	}
}
