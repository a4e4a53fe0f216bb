package umb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/family/field"
	"github.com/hfpub/hfpub/validate/family/notes"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// firstYear is the year that every story begins with.
const firstYear = 2020

// story is what is known of a story.
type story struct {
	place place
	// persona is the hash of the persona that the story holds on personaLine, which is 0 when it holds none.
	persona     hash
	personaLine int
	events      []event
}

// event is an event of a story.
type event struct {
	id string
	// day counts from 1970-01-01; it is of no use unless dated.
	day   int
	dated bool
}

func (s *story) event(id string) (event, bool) {
	i := slices.IndexFunc(s.events, func(e event) bool { return e.id == id })
	if i < 0 {
		return event{}, false
	}
	return s.events[i], true
}

// told is an event on its way through the look at a story.
type told struct {
	event
	stamp string
	value tape.Value
	// in is the entry of the chronology that the event stands in, year the place of that.
	in       tape.Value
	year     int
	position int
}

func (e *told) pointer(key string) string {
	return fmt.Sprintf("/chronology/%d/events/%d/%s", e.year, e.position, key)
}

func (e *told) say(row *notes.Row, code finding.Code, key, format string, args ...any) {
	at, ok := e.value.Get(key)
	if !ok {
		at = e.value
	}
	row.Say(at, e.pointer(key), finding.New(code, format, args...))
}

func lookAtStory(row *notes.Row, note *record.Writer) {
	name := field.Text(row.Root, "character_name")
	if name == "" {
		return
	}
	lookAtOwnPersona(row, name)
	var all []told
	for i, year := range field.List(row.Root, "chronology") {
		lookAtYear(row, i, year)
		for j, value := range field.List(year, "events") {
			stamp := field.Text(value, "timestamp")
			e := told{event{id: field.Text(value, "event_id")}, stamp, value, year, i, j}
			e.day, e.dated = dayOf(stamp)
			all = append(all, e)
		}
	}
	lookAtEvents(row, all)
	noteStory(row, name, all, note)
}

// lookAtOwnPersona checks the persona that a story holds: it is that of the character.
func lookAtOwnPersona(row *notes.Row, name string) {
	persona, ok := row.Root.Get("original_persona")
	if !ok || persona.Kind() != tape.Object {
		return
	}
	lookAtPeriods(row, persona, "/original_persona")
	if at, ok := persona.Get("name"); ok && at.Text() != "" && at.Text() != name {
		row.Say(at, "/original_persona/name", finding.New(finding.UMBPersonaDiffers, "the story of %s holds the persona of %s", name, at.Text()))
	}
}

// lookAtYear checks the years: 2020, 2021 and so on.
func lookAtYear(row *notes.Row, position int, value tape.Value) {
	year, ok := field.Int(value, "year")
	if ok && year != firstYear+position {
		at, _ := value.Get("year")
		f := finding.New(finding.UMBYearOrder, "year %d of the story is %d, expected %d", position+1, year, firstYear+position)
		row.Say(at, fmt.Sprintf("/chronology/%d/year", position), f.Hinting("the years of a story go from 2020 to 2025"))
	}
}

// lookAtEvents checks ids, dates and causes.
func lookAtEvents(row *notes.Row, all []told) {
	position := map[string]int{}
	for i := range all {
		e := &all[i]
		if e.id == "" {
			continue
		}
		if first, again := position[e.id]; again {
			e.say(row, finding.UMBEventRepeated, "event_id", "event %s stands twice: first at %s", e.id, all[first].pointer("event_id"))
			continue
		}
		position[e.id] = i
		e.lookAtYears(row)
		if e.position > 0 {
			e.lookBehind(row, &all[i-1])
		} else if e.number() > 1 {
			e.say(row, finding.UMBEventNumber, "event_id", "the first event of its year has the id %s", e.id)
		}
	}
	for i := range all {
		lookAtCauses(row, all, position, i)
	}
}

// dated says that a text has the form of a timestamp.
var dated = lazyregexp.New(`^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])`)

// lookAtYears holds the years of the id, the timestamp and the chronology against each other. A date of another year tells nothing
// of what came first.
func (e *told) lookAtYears(row *notes.Row) {
	if !e.dated && dated.MatchString(e.stamp) {
		e.say(row, finding.UMBEventDate, "timestamp", "event %s is dated %s, which no calendar has", e.id, e.stamp)
	}
	year, ok := field.Int(e.in, "year")
	if !ok {
		return
	}
	// Of a year out of order, which was reported, the events may be those that belong in its place.
	want, place := fmt.Sprint(year), fmt.Sprint(firstYear+e.year)
	if !strings.HasPrefix(e.id, want+"_") && !strings.HasPrefix(e.id, place+"_") {
		e.say(row, finding.UMBEventYear, "event_id", "event %s stands in the year %s", e.id, want)
	}
	if e.stamp != "" && !strings.HasPrefix(e.stamp, want+"-") && !strings.HasPrefix(e.stamp, place+"-") {
		e.say(row, finding.UMBEventYear, "timestamp", "event %s of %s is dated %s", e.id, want, e.stamp)
		e.dated = false
	}
}

// lookAtCauses checks that the causes of an event exist and are not later.
func lookAtCauses(row *notes.Row, all []told, position map[string]int, i int) {
	e := &all[i]
	for j, cause := range field.List(e.value, "caused_by_event_ids") {
		id := cause.Text()
		if id == "" {
			continue
		}
		pointer := e.pointer(fmt.Sprintf("caused_by_event_ids/%d", j))
		at, ok := position[id]
		switch {
		case !ok:
			f := finding.New(finding.UMBCauseUnknown, "event %s is caused by %s, which the story does not tell", e.id, id)
			row.Say(cause, pointer, f.Hinting("name an event of the same story"))
		case at == i:
			row.Say(cause, pointer, finding.New(finding.UMBCauseLater, "event %s is caused by itself", e.id))
		case isLater(&all[at], e):
			f := finding.New(finding.UMBCauseLater, "event %s of %s is caused by %s of %s, which is later", e.id, e.stamp, id, all[at].stamp)
			row.Say(cause, pointer, f.Hinting("a cause is not later than what it causes"))
		}
	}
}

// number is the number of an event in its year, from its id; 0 when the id has none.
func (e *told) number() int {
	year, digits, _ := strings.Cut(e.id, "_E")
	n, err := strconv.Atoi(digits)
	if err != nil || len(year) != len("2020") {
		return 0
	}
	return n
}

// lookBehind holds an event against the one before it in the same year.
func (e *told) lookBehind(row *notes.Row, before *told) {
	if n, last := e.number(), before.number(); n > 0 && last > 0 && n != last+1 && e.id[:4] == before.id[:4] {
		e.say(row, finding.UMBEventNumber, "event_id", "event %s follows on %s", e.id, before.id)
	}
	if isLater(before, e) {
		e.say(row, finding.UMBEventOrder, "timestamp", "%s comes behind %s of the event before", e.stamp, before.stamp)
	}
}

// isLater says that an event comes after another. Of two on one day it is known when both have a time; without a date it is not.
func isLater(e, other *told) bool {
	if !e.dated || !other.dated {
		return false
	}
	return e.day > other.day || e.day == other.day && len(e.stamp) == len(other.stamp) && e.stamp > other.stamp
}

func noteStory(row *notes.Row, name string, all []told, note *record.Writer) {
	note.Text(name)
	persona, ok := row.Root.Get("original_persona")
	ok = ok && (field.Text(persona, "name") == "" || field.Text(persona, "name") == name) // that of another was found already
	note.Bool(ok)
	if ok {
		h := hashOf(persona)
		note.Int(int64(row.LineOf(persona)))
		note.Raw(h[:])
	}
	note.Uint(uint64(len(all)))
	for _, e := range all {
		note.Text(e.id)
		note.Bool(e.dated)
		note.Int(int64(e.day))
	}
}

func (w *world) readStory(note *notes.Note) {
	name := note.Text()
	s := &story{place: placeOf(note)}
	if note.Bool() {
		s.personaLine = int(note.Int())
		s.persona = readHash(note.Reader)
	}
	for range note.Uint() {
		if note.Err() != nil {
			return
		}
		s.events = append(s.events, event{note.Text(), 0, note.Bool()})
		s.events[len(s.events)-1].day = int(note.Int())
	}
	if first := w.stories[name]; first != nil {
		w.nameOnce(s.place.in(s.place.Line, "/character_name"), "story", name, first.place)
		return
	}
	w.stories[name] = s
	w.told = append(w.told, named[*story]{name, s})
}

// named is something that belongs to a character.
type named[T any] struct {
	name string
	of   T
}

// judgeStories holds stories against personas.
func (w *world) judgeStories() {
	if len(w.personas) == 0 {
		return
	}
	for _, s := range w.told {
		p := w.personas[s.name]
		switch {
		case p == nil && w.has[personas]:
			w.unknown(s.of.place, "/character_name", "the story of", s.name, "persona")
		case p != nil && s.of.personaLine > 0 && p.hash != s.of.persona:
			f := finding.New(finding.UMBPersonaDiffers, "the story of %s holds another persona than %s", s.name, p.place.Where())
			w.report(s.of.place.in(s.of.personaLine, "/original_persona"), f.Hinting("copy the persona, or write the story anew"))
		}
	}
}

// unknown reports something about a character of whom there is no other thing.
func (w *world) unknown(at place, pointer, what, name, missing string) {
	f := finding.New(finding.UMBCharacterUnknown, "%s %s has no %s", what, name, missing)
	w.report(at.in(at.Line, pointer), f.Hinting("spell the name alike everywhere, or add the %s", missing))
}
