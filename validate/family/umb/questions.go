package umb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// The task families.
const (
	extraction    = "Information Extraction"
	reasoning     = "Multi-session Reasoning"
	summarization = "Event Summarization"
	temporal      = "Temporal Reasoning"
	updating      = "Knowledge Updating"
	arbitration   = "Memory Arbitration"
)

// taskCodes are the short names of the task families.
var taskCodes = map[string]string{
	extraction: "IE", reasoning: "MSR", summarization: "ES", temporal: "TR", updating: "KU", arbitration: "MA",
}

// maxDays is by how many days an answer may be off what the timestamps of its events say: the bound of the benchmark's own
// check. In years it is maxYears or a tenth.
const (
	maxDays  = 5
	maxYears = 1
	yearDays = 365.25
)

// asked is what is known of the questions about a character.
type asked struct {
	place       place
	summaryLine int
	events      []string
	// tasks are the tasks as whole objects, with how often each stands there.
	tasks map[hash]int
	// spans are the durations that answers name.
	spans []answeredSpan
}

// answeredSpan is an answer that is one duration, with the events that it lies between.
type answeredSpan struct {
	line     int
	pointer  string
	duration duration
	sources  []string
}

func lookAtQuestions(row *notes.Row, note *record.Writer) {
	name := field.Text(row.Root, "character_name")
	if name == "" {
		return
	}
	summary, _ := row.Root.Get("original_events_summary")
	events := field.Texts(row.Root, "original_events_summary")
	note.Text(name)
	note.Int(int64(lineOf(row, summary)))
	writeTexts(note, events)
	tasks, _ := field.Len(row.Root, "validated_tasks")
	note.Uint(uint64(tasks))
	for i, task := range field.List(row.Root, "validated_tasks") {
		t := questionTask{row, task, fmt.Sprintf("/validated_tasks/%d", i)}
		t.lookAtEvents(events)
		t.lookAtTime()
		t.lookAtPremise()
		h := hashOf(task)
		note.Raw(h[:])
		t.noteSpan(note)
	}
}

// lineOf is the line of a value of the row; that of the row when there is no value.
func lineOf(row *notes.Row, v tape.Value) int {
	if v.Tape() == nil {
		return row.Line
	}
	return row.LineOf(v)
}

func writeTexts(note *record.Writer, texts []string) {
	note.Uint(uint64(len(texts)))
	for _, text := range texts {
		note.Text(text)
	}
}

func readTexts(r *record.Reader) []string {
	var out []string
	for range r.Uint() {
		if r.Err() != nil {
			return nil
		}
		out = append(out, r.Text())
	}
	return out
}

// taskHash is the hash of what rows of training and evaluation repeat of a task.
func taskHash(task tape.Value) hash {
	texts := []string{field.Text(task, "task_type"), field.Text(task, "query"), field.Text(task, "gold_answer")}
	texts = append(texts, field.Texts(task, "answer_components")...)
	return hashTexts(append(append(texts, "\x00"), field.Texts(task, "source_event_ids")...)...)
}

// questionTask is a task of a row of questions.
type questionTask struct {
	row     *notes.Row
	value   tape.Value
	pointer string
}

func (t *questionTask) is(family string) bool { return field.Text(t.value, "task_type") == family }

// say reports something about a member of the task.
func (t *questionTask) say(key string, f finding.Finding) {
	if at, ok := t.value.Get(key); ok {
		t.row.Say(at, t.pointer+"/"+key, f)
	}
}

// lookAtEvents checks that the events of a task are among those of the story.
func (t *questionTask) lookAtEvents(events []string) {
	for i, id := range field.List(t.value, "source_event_ids") {
		if text := id.Text(); text != "" && !slices.Contains(events, text) {
			f := finding.New(finding.UMBEventUnknown, "the task rests on event %s, which original_events_summary does not list", text)
			t.row.Say(id, fmt.Sprintf("%s/source_event_ids/%d", t.pointer, i), f.Hinting("name events of the character's story"))
		}
	}
	if old := field.Text(t.value, "old_state_event_id"); old != "" && !slices.Contains(events, old) {
		f := finding.New(finding.UMBOldState, "the old state comes from event %s, which original_events_summary does not list", old)
		t.say("old_state_event_id", f.Hinting("name the event of the story that set the old state"))
	}
}

// lookAtTime checks a question about time: it must not give a date away, and its own dates and durations must agree.
func (t *questionTask) lookAtTime() {
	if !t.is(temporal) {
		return
	}
	query := field.Text(t.value, "query")
	if leak := cmp.Or(yearMonth.FindString(query), monthName.FindString(query)); leak != "" {
		f := finding.New(finding.UMBTemporalLeak, "the question about time names %s", leak)
		t.say("query", f.Hinting("ask for the time between the events without saying when they were"))
	}
	components, answer := field.Texts(t.value, "answer_components"), field.Text(t.value, "gold_answer")
	at, stated, isStated := statedDuration(components)
	days, dated := daysBetween(components...)
	if isStated && dated && !stated.fits(days) {
		f := finding.New(finding.UMBTemporalDuration, "the components say %s, and there are %d days between their dates", stated, days)
		t.sayAt(fmt.Sprintf("answer_components/%d", at), f.Hinting("recompute the duration, or correct the dates"))
		return
	}
	answered, ok := durationIn(answer)
	own, ownDated := daysBetween(answer)
	switch {
	case !ok:
	case ownDated && !answered.fits(own):
		f := finding.New(finding.UMBTemporalDuration, "the answer says %s, and there are %d days between its dates", answered, own)
		t.say("gold_answer", f.Hinting("recompute the duration, or correct the dates"))
	case dated && !answered.fits(days):
		f := finding.New(finding.UMBTemporalDuration, "the answer says %s, and there are %d days between the dates of its components", answered, days)
		t.say("gold_answer", f.As(answered.severity(float64(days))).Hinting("recompute the duration, or correct the dates"))
	case isStated && answered.unit == stated.unit && answered.n != stated.n:
		f := finding.New(finding.UMBTemporalDuration, "the answer says %s, and its components say %s", answered, stated)
		t.say("gold_answer", f.As(answered.severity(stated.n)))
	}
}

// severity is how bad it is that a duration is not another one of its unit: the benchmark lets answers be off by some days, or a
// tenth of other units.
func (d duration) severity(n float64) finding.Severity {
	allowed := float64(maxDays)
	if d.unit != "day" {
		allowed = max(maxYears, n/10)
	}
	if math.Abs(d.n-n) > allowed {
		return finding.Error
	}
	return finding.Warning
}

// fits says that a duration is so many days; one in another unit is not so exact that it could be told.
func (d duration) fits(days int) bool { return d.unit != "day" || d.n == float64(days) }

// sayAt is say for something inside a member.
func (t *questionTask) sayAt(path string, f finding.Finding) {
	if at, ok := t.value.At("/" + path); ok {
		t.row.Say(at, t.pointer+"/"+path, f)
	}
}

// String writes a duration as people do.
func (d duration) String() string {
	if d.n == 1 {
		return "1 " + d.unit
	}
	return fmt.Sprintf("%g %ss", d.n, d.unit)
}

var durationPrefix = lazyregexp.New(`(?i)^\s*duration\s*:`)

// statedDuration finds the component that is the duration: "Duration: 66 days".
func statedDuration(components []string) (at int, d duration, ok bool) {
	for i, text := range components {
		if durationPrefix.MatchString(text) {
			d, ok = durationIn(text)
			return i, d, ok
		}
	}
	return 0, duration{}, false
}

// lookAtPremise checks that the year which an answer takes back is one that the question names.
func (t *questionTask) lookAtPremise() {
	if !t.is(arbitration) {
		return
	}
	query := field.Text(t.value, "query")
	for _, found := range notYear.FindAllStringSubmatch(field.Text(t.value, "gold_answer"), -1) {
		if year := found[1]; !strings.Contains(query, year) {
			f := finding.New(finding.UMBPremiseYear, "the answer corrects the year %s, which the question does not name", year)
			t.say("gold_answer", f.Hinting("put the wrong year into the question, or correct what it does say"))
			return
		}
	}
}

// noteSpan notes the answer to a question about time, to be held against the timestamps of the story.
func (t *questionTask) noteSpan(note *record.Writer) {
	answer, ok := durationIn(field.Text(t.value, "gold_answer"))
	ok = ok && t.is(temporal) && (answer.unit == "day" || answer.unit == "year")
	note.Bool(ok)
	if !ok {
		return
	}
	value, _ := t.value.Get("gold_answer")
	note.Int(int64(t.row.LineOf(value)))
	note.Text(t.pointer + "/gold_answer")
	note.Bool(answer.unit == "day")
	note.Uint(math.Float64bits(answer.n))
	writeTexts(note, field.Texts(t.value, "source_event_ids"))
}

func (w *world) readQuestions(note *notes.Note) {
	name := note.Text()
	a := &asked{place: placeOf(note), summaryLine: int(note.Int()), events: readTexts(note.Reader), tasks: map[hash]int{}}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		a.tasks[readHash(note.Reader)]++
		if note.Bool() {
			a.spans = append(a.spans, readSpan(note.Reader))
		}
	}
	if first := w.asked[name]; first != nil {
		w.nameOnce(a.place.in(a.place.Line, "/character_name"), "set of questions", name, first.place)
		return
	}
	w.asked[name] = a
	w.askers = append(w.askers, named[*asked]{name, a})
}

func readSpan(r *record.Reader) answeredSpan {
	s := answeredSpan{line: int(r.Int()), pointer: r.Text(), duration: duration{unit: "year"}}
	if r.Bool() {
		s.duration.unit = "day"
	}
	s.duration.n = math.Float64frombits(r.Uint())
	s.sources = readTexts(r)
	return s
}

// judgeQuestions holds questions against stories.
func (w *world) judgeQuestions() {
	if len(w.stories) == 0 {
		return
	}
	for _, a := range w.askers {
		s := w.stories[a.name]
		if s == nil {
			if w.has[stories] {
				w.unknown(a.of.place, "/character_name", "the questions about", a.name, "story")
			}
			continue
		}
		w.judgeSummary(a.of, s)
		for _, span := range a.of.spans {
			w.judgeSpan(a.of.place, s, &span)
		}
	}
}

// judgeSummary checks that the events which questions may rest on are those of the story.
func (w *world) judgeSummary(a *asked, s *story) {
	var told []string
	for _, e := range s.events {
		told = append(told, e.id)
	}
	for i, id := range a.events {
		if !slices.Contains(told, id) {
			f := finding.New(finding.UMBEventSummary, "original_events_summary lists %s, which the story at %s does not tell", id, s.place.Where())
			w.report(a.place.in(a.summaryLine, "/original_events_summary"), f.Hinting("element %d: write the questions anew from the story", i))
			return
		}
	}
	for _, id := range told {
		if !slices.Contains(a.events, id) {
			f := finding.New(finding.UMBEventSummary, "original_events_summary lacks %s of the story at %s", id, s.place.Where())
			w.report(a.place.in(a.summaryLine, "/original_events_summary"), f.Hinting("it lists all events of the story"))
			return
		}
	}
}

// judgeSpan checks an answer against the time between the first and the last of its events.
func (w *world) judgeSpan(row place, s *story, span *answeredSpan) {
	first, last := math.MaxInt, math.MinInt
	for _, id := range span.sources {
		e, ok := s.event(id)
		if !ok || !e.dated {
			return
		}
		first, last = min(first, e.day), max(last, e.day)
	}
	if len(span.sources) < 2 {
		return
	}
	days := float64(last - first)
	off, allowed := math.Abs(span.duration.n-days), float64(maxDays)
	said := fmt.Sprintf("%g days", days)
	if span.duration.unit == "year" {
		off, allowed = math.Abs(span.duration.n-days/yearDays), max(maxYears, (days/yearDays+0.1)/10)
		said = fmt.Sprintf("%.1f years", days/yearDays)
	}
	if off > allowed {
		f := finding.New(finding.UMBTemporalSources, "the answer says %s, and there are %s between the events it rests on", span.duration, said)
		w.report(row.in(span.line, span.pointer), f.Hinting("recompute the answer from the timestamps of the story at %s", s.place.Where()))
	}
}
