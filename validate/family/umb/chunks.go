package umb

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// origin is where a row of a training or evaluation file comes from, by its metadata.
type origin struct {
	place               place
	dialogue, character string
	stage               int
}

var stageInName = lazyregexp.New(`stage_([0-9]{1,6})(?:_|\.|$)`)

// stageOfFile is the stage in the name of a file; 0 when the name has none.
func stageOfFile(name string) int {
	found := stageInName.FindStringSubmatch(path.Base(name))
	if found == nil {
		return 0
	}
	return stageNumber(found[1])
}

// lookAtOrigin reads the origin of a row and holds its stage against the name of the file.
func lookAtOrigin(row *notes.Row, note *record.Writer) (metadata tape.Value, o origin, ok bool) {
	metadata, ok = row.Root.Get("metadata")
	if !ok || metadata.Kind() != tape.Object {
		return metadata, o, false
	}
	o.dialogue, o.character = field.Text(metadata, "dialogue_id"), field.Text(metadata, "character")
	stage, staged := field.Int(metadata, "dialogue_stage")
	if o.dialogue == "" || o.character == "" || !staged {
		return metadata, o, false
	}
	o.stage = stage
	if want := stageOfFile(row.Path); want > 0 && want != stage {
		at, _ := metadata.Get("dialogue_stage")
		f := finding.New(finding.UMBStageFile, "a row of stage %d in the file of stage %d", stage, want)
		row.Say(at, "/metadata/dialogue_stage", f.Hinting("put the row into the file of its stage"))
	}
	note.Text(o.dialogue)
	note.Text(o.character)
	note.Int(int64(stage))
	return metadata, o, true
}

func readOrigin(note *notes.Note) origin {
	return origin{placeOf(note), note.Text(), note.Text(), int(note.Int())}
}

// judgeOrigin holds the origin of a row against the stages; tasks is the number of tasks that the row says the dialogue has, -1
// when it says nothing.
func (w *world) judgeOrigin(o *origin, tasks int) bool {
	if len(w.assigned) == 0 {
		return true
	}
	at := func(key string) place { return o.place.in(o.place.Line, "/metadata/"+key) }
	a := w.assigned[o.dialogue]
	switch {
	case a == nil && !w.has[assignments]:
		return true
	case a == nil:
		w.report(at("dialogue_id"), finding.New(finding.UMBDialogueUnknown, "dialogue %s is assigned to no stage", o.dialogue))
	case a.stage != o.stage:
		w.report(at("dialogue_stage"), finding.New(finding.UMBStageDiffers, "dialogue %s is assigned to stage %d, found %d", o.dialogue, a.stage, o.stage))
	case a.character != o.character:
		w.report(at("character"), finding.New(finding.UMBStageDiffers, "dialogue %s is that of %s, found %s", o.dialogue, a.character, o.character))
	case tasks >= 0 && a.tasks != tasks:
		w.report(at("qa_count"), finding.New(finding.UMBStageDiffers, "dialogue %s has %d tasks, found %d", o.dialogue, a.tasks, tasks))
	default:
		return true
	}
	return false
}

// chunk is a row of a file of pre-training text.
type chunk struct {
	origin
	number, of, first, last, tasks int
	openings                       []opening
}

func lookAtChunk(row *notes.Row, note *record.Writer) {
	metadata, o, ok := lookAtOrigin(row, note)
	if !ok {
		return
	}
	lookAtTokens(row, metadata)
	lookAtHeader(row, metadata, o.character)
	for _, key := range []string{"chunk_id", "num_chunks", "chunk_start_turn", "chunk_end_turn"} {
		n, ok := field.Int(metadata, key)
		if !ok {
			n = -1
		}
		note.Int(int64(n))
	}
	tasks, ok := field.Int(metadata, "qa_count")
	if !ok {
		tasks = -1
	}
	note.Int(int64(tasks))
	writeOpenings(note, openingsIn(field.Text(row.Root, "input")))
}

// headerLines are the lines of a header in the style natural.
const headerLines = 2

// lookAtHeader checks that a header names the character and is as long as its style says.
func lookAtHeader(row *notes.Row, metadata tape.Value, character string) {
	instruction, ok := row.Root.Get("instruction")
	if !ok || instruction.Kind() != tape.String {
		return
	}
	text := instruction.Text()
	if !strings.Contains(text, character) {
		f := finding.New(finding.UMBChunkHeader, "the header does not name %s", character)
		row.Say(instruction, "/instruction", f.Hinting("without the name nobody learns whose dialogue it is"))
		return
	}
	if lines := 1 + strings.Count(strings.TrimSpace(text), "\n"); lines != headerLines && field.Text(metadata, "pt_header_style") == "natural" {
		f := finding.New(finding.UMBChunkHeader, "the header has %d lines, expected %d", lines, headerLines)
		row.Say(instruction, "/instruction", f.Hinting("a natural header is two sentences, each on a line of its own"))
	}
}

// lookAtTokens recomputes approx_tokens: a quarter of the characters, rounded up, of the text or of each turn.
func lookAtTokens(row *notes.Row, metadata tape.Value) {
	said, ok := field.Int(metadata, "approx_tokens")
	input, there := row.Root.Get("input")
	if !ok || !there || input.Kind() != tape.String {
		return
	}
	text := input.Text()
	whole := (utf8.RuneCountInString(text) + 3) / 4
	if byTurn := tokensByTurn(text); said != whole && said != byTurn {
		at, _ := metadata.Get("approx_tokens")
		f := finding.New(finding.UMBChunkTokens, "the text has %d tokens by turns, approx_tokens says %d", byTurn, said)
		row.Say(at, "/metadata/approx_tokens", f.Hinting("characters / 4, rounded up for each turn"))
	}
}

// tokensByTurn adds up the tokens of the turns of a text; a turn begins on a line of its own with the role.
func tokensByTurn(text string) int {
	sum, turn := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		if turn > 0 && (strings.HasPrefix(line, "user: ") || strings.HasPrefix(line, "assistant: ")) {
			sum += (turn + 3) / 4
			turn = 0
		}
		if turn > 0 {
			turn++ // the line break
		}
		turn += utf8.RuneCountInString(line)
	}
	return sum + (turn+3)/4
}

func (w *world) readChunk(note *notes.Note) {
	c := chunk{origin: readOrigin(note)}
	for _, n := range []*int{&c.number, &c.of, &c.first, &c.last, &c.tasks} {
		*n = int(note.Int())
	}
	c.openings = readOpenings(note.Reader)
	if w.chunks[c.dialogue] == nil {
		w.chunked = append(w.chunked, c.dialogue)
	}
	w.chunks[c.dialogue] = append(w.chunks[c.dialogue], c)
}

// judgeChunks checks that the chunks of a dialogue cover it, and that every dialogue of a stage has some.
func (w *world) judgeChunks() {
	stages := map[int]place{}
	count := w.turnCount()
	var covered []*chunk // those of dialogues that are covered
	for _, id := range w.chunked {
		list := w.chunks[id]
		sound := true
		for i := range list {
			if _, ok := stages[list[i].stage]; !ok {
				stages[list[i].stage] = list[i].place
			}
			sound = w.judgeOrigin(&list[i].origin, list[i].tasks) && sound
		}
		if len(w.assigned) == 0 {
			sound = w.judgeAlike(list)
		}
		if sound && w.has[chunks] && w.judgeCover(id, list, count) {
			for i := range list {
				covered = append(covered, &list[i])
			}
		}
	}
	w.judgeTexts(covered, count)
	if !w.has[chunks] {
		return
	}
	for _, m := range w.manifests {
		for i := range m.assigned {
			a := &m.assigned[i]
			if at, there := stages[a.stage]; there && w.chunks[a.id] == nil {
				f := finding.New(finding.UMBChunkMissing, "dialogue %s of stage %d has no chunk in %s", a.id, a.stage, at.Path)
				w.report(m.place.in(a.line, a.pointer("dialogue_id")), f.Hinting("all dialogues of a stage are read, those of test characters too"))
			}
		}
	}
}

// judgeAlike checks that the chunks of a dialogue say the same of it, where no assignment says more.
func (w *world) judgeAlike(list []chunk) bool {
	first := &list[0]
	for i := range list {
		c := &list[i]
		differs := func(key string, said, found any) bool {
			f := finding.New(finding.UMBStageDiffers, "%s: the first chunk of the dialogue says %v, found %v", key, said, found)
			w.report(c.place.in(c.place.Line, "/metadata/"+key), f)
			return false
		}
		switch {
		case c.stage != first.stage:
			return differs("dialogue_stage", first.stage, c.stage)
		case c.character != first.character:
			return differs("character", first.character, c.character)
		case c.tasks != first.tasks:
			return differs("qa_count", first.tasks, c.tasks)
		}
	}
	return true
}

// counting is how the turns of chunks are counted: from which number on, and whether the last one is behind the chunk.
type counting struct{ first, behind int }

// turnCount tells how turns are counted: as the generator does, from 0 with the last one in the chunk, unless more dialogues fit
// another way.
func (w *world) turnCount() counting {
	ways := []counting{{0, 0}, {1, 0}, {0, 1}}
	fit := make([]int, len(ways))
	for _, id := range w.chunked {
		list := w.chunks[id]
		turns, known := w.turnsOf(id)
		for i, way := range ways {
			if list[0].first == way.first && (!known || list[len(list)-1].last == way.last(turns)) {
				fit[i]++
			}
		}
	}
	best := 0
	for i := range ways {
		if fit[i] > fit[best] {
			best = i
		}
	}
	return ways[best]
}

// last is the number that the last of so many turns has.
func (c counting) last(turns int) int { return c.first + turns - 1 + c.behind }

// judgeCover checks that chunks follow one another from the first turn to the last without a hole.
func (w *world) judgeCover(id string, list []chunk, count counting) bool {
	for i := range list {
		c := &list[i]
		say := func(key, format string, args ...any) {
			w.report(c.place.in(c.place.Line, "/metadata/"+key), finding.New(finding.UMBChunkCover, format, args...))
		}
		switch {
		case c.number != i+1:
			say("chunk_id", "chunk %d of dialogue %s stands where chunk %d should", c.number, id, i+1)
		case c.of != len(list):
			say("num_chunks", "dialogue %s has %d chunks, num_chunks says %d", id, len(list), c.of)
		case c.first > c.last:
			say("chunk_end_turn", "the chunk ends with turn %d before it begins with turn %d", c.last, c.first)
		case i == 0 && c.first != count.first:
			say("chunk_start_turn", "the first chunk begins with turn %d, the dialogue with turn %d", c.first, count.first)
		case i > 0 && c.first > list[i-1].last+1-count.behind:
			say("chunk_start_turn", "turns %d to %d of dialogue %s are in no chunk", list[i-1].last+1-count.behind, c.first-1, id)
		case i > 0 && c.first < list[i-1].first:
			say("chunk_start_turn", "the chunk begins with turn %d, before the chunk in front of it", c.first)
		case i > 0 && c.last < list[i-1].last:
			say("chunk_end_turn", "the chunk ends with turn %d, before the chunk in front of it", c.last)
		case i == len(list)-1:
			if turns, known := w.turnsOf(id); known && c.last != count.last(turns) {
				say("chunk_end_turn", "the last chunk ends with turn %d, the dialogue with turn %d", c.last, count.last(turns))
				return false
			}
			return true
		default:
			continue
		}
		return false
	}
	return true
}

// turnsOf is the number of turns of a dialogue that chunks are made of, from the dialogue itself or its assignment.
func (w *world) turnsOf(id string) (turns int, known bool) {
	if d := w.dialogues[id]; d != nil {
		return len(d.openings), true
	}
	if a := w.assigned[id]; a != nil {
		return a.turns, true
	}
	return 0, false
}

// registered is an entry of dataset_info.json.
type registered struct {
	place place
	file  string
}

func lookAtDatasetInfo(row *notes.Row, note *record.Writer) {
	if row.Root.Kind() != tape.Object {
		return
	}
	kinds := map[int][2]bool{}
	note.Uint(uint64(row.Root.Len()))
	for key, v := range row.Root.Members() {
		name, pointer := key.Text(), "/"+tape.EscapeToken(key.Text())
		stage := stageOfFile(name)
		file := field.Text(v, "file_name")
		at, ok := v.Get("file_name")
		if ok && stage > 0 {
			pt := strings.HasSuffix(name, "_pt")
			both := kinds[stage]
			both[map[bool]int{true: 0, false: 1}[pt]] = true
			kinds[stage] = both
			want := fmt.Sprintf("../train_qa_sft/stage_%02d.jsonl", stage)
			if pt {
				want = fmt.Sprintf("../train_pt/stage_%02d_pt.jsonl", stage)
			}
			if file != want {
				row.Say(at, pointer+"/file_name", finding.New(finding.UMBDatasetInfo, "%s is the file %s, found %s", name, want, file))
				file = ""
			}
		}
		note.Text(file)
		note.Int(int64(lineOf(row, at)))
		note.Text(pointer + "/file_name")
	}
	for stage := 1; stage <= len(kinds); stage++ {
		if both := kinds[stage]; !both[0] || !both[1] {
			f := finding.New(finding.UMBDatasetInfo, "stage %d of %d does not have a file of each kind", stage, len(kinds))
			row.Say(row.Root, "", f.Hinting("each stage, from 1 on, has an entry ending in _pt and one in _qa"))
		}
	}
}

func (w *world) readDatasetInfo(note *notes.Note) {
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		file := note.Text()
		line, pointer := int(note.Int()), note.Text()
		if file != "" {
			w.registered = append(w.registered, registered{placeOf(note).in(line, pointer), file})
		}
	}
}

// judgeDatasetInfo checks that registered files are there, in a repo that has any of them. The folder that names are relative to
// is the trainer's, so that a file counts wherever its folder is.
func (w *world) judgeDatasetInfo() {
	var missing []registered
	found := map[*release.Repo]bool{}
	for _, r := range w.registered {
		name := strings.TrimPrefix(r.file, "../")
		repo := r.place.split.Repo
		if slices.ContainsFunc(repo.Tree, func(f release.TreeFile) bool { return f.Path == name || strings.HasSuffix(f.Path, "/"+name) }) {
			found[repo] = true
		} else {
			missing = append(missing, r)
		}
	}
	for _, r := range missing {
		if found[r.place.split.Repo] {
			f := finding.New(finding.UMBDatasetInfoFile, "%s is not in the repo", strings.TrimPrefix(r.file, "../"))
			w.report(r.place, f.Hinting("add the file, or take its entry out"))
		}
	}
}
