package clerk

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// facts judges what was said in a session: the events, and the turns that repeat them. It says whether the events are of
// a form that a program can follow from.
func (j *judge) facts(k int, s *session) bool {
	var ok bool
	if j.events, ok = j.steps(j.events[:0], s.events, "kind", "pred", "value"); !ok {
		return false
	}
	for i, element := range s.events.Elements() {
		e := &j.events[i]
		switch {
		case is(e.kind, "CHATTER"), is(e.kind, "ADD"), is(e.kind, "UPDATE"), is(e.kind, "NEGATE"):
		default:
			j.say(finding.ClerkEvent, element, "an event of kind %s", shown(e.kind)).at(k, "events", i, "kind").
				hint("an event is an ADD, an UPDATE, a NEGATE or CHATTER")
			return false
		}
		if text, has := element.Get("text"); has && text.Kind() == tape.String {
			j.sentence(k, e, text)
		}
	}
	j.turns(k, s)
	return true
}

// sentence judges the text of an event: it mentions its value and no other.
func (j *judge) sentence(k int, e *step, at tape.Value) {
	text, _ := j.textOf(at)
	if is(e.kind, "CHATTER") && j.words.chatter[string(text)] || j.words.states(e.kind, e.pred, e.value, text) {
		return
	}
	if e.value != nil && !bytes.Contains(text, e.value) {
		j.say(finding.ClerkEventText, at, "the text does not mention %s, which the event is about", shown(e.value)).at(k, "events", e.at, "text").
			hint("let the text say the value in the event's own words")
		return
	}
	if other := j.words.other(text, e.value); other != nil {
		j.say(finding.ClerkEventText, at, "the text mentions %s, which the event is not about", shown(other)).at(k, "events", e.at, "text").
			hint("one event states one fact: another value in the text could be learned from it")
	}
}

// turns judges the turns: the text of each event by the user, each with an answer of the assistant.
func (j *judge) turns(k int, s *session) {
	if s.turns.Len() != 2*s.events.Len() {
		j.say(finding.ClerkTurns, s.turns, "there are %d turns and %d events", s.turns.Len(), s.events.Len()).at(k, "turns").hint(turnHint)
		return
	}
	if s.turns.Len() == 0 {
		return
	}
	turn, event := s.turns.First(), s.events.First()
	for i := range s.events.Len() {
		role, content := fields(turn)
		if !isString(role, "user") {
			j.say(finding.ClerkTurns, turn, "turn %d is not the user's", 2*i).at(k, "turns", 2*i, "role").hint(turnHint)
			return
		}
		if text, ok := event.Get("text"); ok && !sameText(text, content) {
			j.say(finding.ClerkTurns, turn, "turn %d does not repeat the text of event %d", 2*i, i).at(k, "turns", 2*i, "content").hint(turnHint)
			return
		}
		turn = turn.After()
		role, content = fields(turn)
		if !isString(role, "assistant") {
			j.say(finding.ClerkTurns, turn, "turn %d is not the assistant's", 2*i+1).at(k, "turns", 2*i+1, "role").hint(turnHint)
			return
		}
		if content.Tape() != nil && content.Kind() == tape.String && !j.words.acks[string(content.Raw())] {
			if value := j.words.other(content.Raw(), nil); value != nil {
				j.say(finding.ClerkTurns, turn, "turn %d is an answer, and mentions %s", 2*i+1, shown(value)).at(k, "turns", 2*i+1, "content").hint(turnHint)
				return
			}
		}
		if i < s.events.Len()-1 {
			turn, event = turn.After(), event.After()
		}
	}
}

const turnHint = "each event is a turn of the user with its text, and a turn of the assistant behind it that states nothing"

// fields are those of a turn; a missing one has no tape.
func fields(turn tape.Value) (role, content tape.Value) {
	for key, v := range turn.Members() {
		switch string(key.Raw()) {
		case "role":
			role = v
		case "content":
			content = v
		}
	}
	return role, content
}

func isString(v tape.Value, s string) bool {
	return v.Tape() == nil || v.Kind() != tape.String || string(v.Raw()) == s // another type is reported by the schema
}

// sameText says that two strings have the same text.
func sameText(a, b tape.Value) bool {
	if b.Tape() == nil || a.Kind() != tape.String || b.Kind() != tape.String {
		return true // the schema reports it
	}
	return bytes.Equal(a.Raw(), b.Raw()) || (a.Escaped() || b.Escaped()) && a.Text() == b.Text()
}
