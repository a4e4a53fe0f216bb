package clerk

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// session is one session of a row by its fields. Fields are missing where ok is false.
type session struct {
	index, turns, events, qas, ops, before, after tape.Value
	ok                                            bool
}

// judge plays rows. Its memory is used again for each.
type judge struct {
	words     *words
	found     *finding.Set
	sizes     sizes
	maxPlaces int

	row      *rows.Row
	name     []byte
	sessions []session
	form     form
	// stated are the predicates that the events and programs of the row speak of.
	stated [][]byte
	// texts holds the texts of the row.
	texts []byte

	// previous is the ledger after the session before, before and after are those of the session that is played.
	previous, before, after *ledger
	// played is the ledger that the program gives, full what it was before anything was evicted.
	played, full []slot
	// instead is the ledger that the program of the session before gives, where that is not the one that the row has.
	instead     []slot
	hasInstead  bool
	events, ops []step
	evictions   []step
	ranked      []ranked
	scratch     []byte
}

// step is an event or an op.
type step struct {
	kind, pred, value []byte
	at                int
}

// judge plays a row. ok is false for one that has not the fields of a timeline, which the schema reports.
func (j *judge) judge(row *rows.Row) (name string, isStrict, ok bool) {
	if j.previous == nil {
		j.previous, j.before, j.after = &ledger{}, &ledger{}, &ledger{}
		j.texts = make([]byte, 0, 1<<12)
	}
	j.row, j.texts = row, j.texts[:0]
	root := row.Doc.Root()
	var final tape.Value
	has := 0
	for key, v := range root.Members() {
		switch string(key.Raw()) {
		case "name":
			if j.name, ok = j.textOf(v); ok {
				has++
			}
		case "sessions":
			if v.Kind() == tape.Array {
				j.split(v)
				has++
			}
		case "final_ledger":
			if v.Kind() == tape.String {
				final = v
				has++
			}
		}
	}
	if has < 3 {
		return "", false, false
	}
	j.form = j.formOf(final)
	j.play()
	j.final(final)
	return string(j.name), j.form == strict, true
}

// split takes the sessions of a row apart.
func (j *judge) split(sessions tape.Value) {
	j.sessions, j.stated = j.sessions[:0], j.stated[:0]
	for _, element := range sessions.Elements() {
		var s session
		has := 0
		for key, v := range element.Members() {
			kind := v.Kind()
			switch string(key.Raw()) {
			case "session_idx":
				s.index = v
			case "turns":
				s.turns, has = v, has+yes(kind == tape.Array)
			case "events":
				s.events, has = v, has+yes(kind == tape.Array)
				j.collect(v, "pred")
			case "qas":
				s.qas, has = v, has+yes(kind == tape.Array)
			case "gold_ops":
				s.ops, has = v, has+yes(kind == tape.Array)
				j.collect(v, "p")
			case "ledger_before":
				s.before, has = v, has+yes(kind == tape.String)
			case "ledger_after":
				s.after, has = v, has+yes(kind == tape.String)
			}
		}
		s.ok = has == 6
		j.sessions = append(j.sessions, s)
	}
}

// collect notes the predicates that a list of events or ops speaks of.
func (j *judge) collect(list tape.Value, field string) {
	for _, element := range list.Elements() {
		for key, v := range element.Members() {
			if string(key.Raw()) != field {
				continue
			}
			if pred, ok := j.textOf(v); ok && !contains(j.stated, pred) {
				j.stated = append(j.stated, pred)
			}
		}
	}
}

func contains(list [][]byte, text []byte) bool {
	for _, other := range list {
		if bytes.Equal(other, text) {
			return true
		}
	}
	return false
}

// formOf is the form of the row's slots: that of the first ledger that has any, from the end.
func (j *judge) formOf(final tape.Value) form {
	j.after.parse(j, final)
	for k := len(j.sessions) - 1; k >= 0 && j.after.form == empty; k-- {
		if j.sessions[k].ok {
			j.after.parse(j, j.sessions[k].after)
		}
	}
	return j.after.form
}

// play plays the sessions one after the other.
func (j *judge) play() {
	known := true // the ledger before the session is known
	j.previous.text, j.previous.slots, j.previous.form, j.previous.fault = append(j.previous.text[:0], "[]"...), j.previous.slots[:0], empty, ""
	j.hasInstead = false
	var last tape.Value
	for k := range j.sessions {
		s := &j.sessions[k]
		if s.index.Tape() != nil {
			if n, ok := number(s.index); s.index.Kind() == tape.Number && (!ok || n != k) {
				j.say(finding.ClerkSessionIndex, s.index, "session_idx is %s in session %d", s.index.Raw(), k).at(k, "session_idx").
					hint("sessions are numbered from 0 in their order")
			}
		}
		if !s.ok {
			known, j.hasInstead = false, false
			continue
		}
		if known && k > 0 && bytes.Equal(s.before.Raw(), last.Raw()) {
			j.before, j.previous = j.previous, j.before
		} else {
			j.before.parse(j, s.before)
			j.chain(k, s, known)
		}
		j.after.parse(j, s.after)
		j.session(k, s)
		last, known = s.after, true
		j.previous, j.after = j.after, j.previous
	}
}

// chain says when a session does not begin with the ledger that the one before it ended with.
func (j *judge) chain(k int, s *session, known bool) {
	if j.before.fault != "" {
		j.say(finding.ClerkLedger, s.before, "%s", j.before.fault).at(k, "ledger_before").hint(ledgerHint)
		j.before, j.previous = j.previous, j.before
		return
	}
	unknown := !known || j.previous.fault != ""
	if unknown || bytes.Equal(j.before.text, j.previous.text) || j.form == strict && equalSlots(j.before.slots, j.previous.slots) {
		j.isCanonical(k, s.before, j.before, "ledger_before")
		return
	}
	if j.hasInstead && equalSlots(j.before.slots, j.instead) {
		j.hasInstead = false
		return
	}
	if k == 0 {
		j.say(finding.ClerkChain, s.before, "the first session does not begin with an empty ledger").at(k, "ledger_before").
			hint("ledger_before of session 0 is []")
	} else {
		j.say(finding.ClerkChain, s.before, "ledger_before is not ledger_after of session %d: %s", k-1, difference(j.previous, j.before)).
			at(k, "ledger_before").hint("a session begins with the ledger that the one before it ended with, byte for byte")
	}
	// What follows is judged by where the chain should have led, if that explains it.
	j.instead, j.hasInstead = append(j.instead[:0], j.before.slots...), true
	j.before, j.previous = j.previous, j.before
}

const ledgerHint = "a ledger is a JSON array of slots, written as a string"

// difference says where two ledgers differ first.
func difference(want, got *ledger) string {
	i := 0
	for i < len(want.text) && i < len(got.text) && want.text[i] == got.text[i] {
		i++
	}
	from := max(0, i-20)
	cut := func(text []byte) string {
		return strconv.Quote(string(text[min(from, len(text)):min(i+20, len(text))]))
	}
	return fmt.Sprintf("%s there, %s here", cut(want.text), cut(got.text))
}

// none stands for no session.
const none = -1

// isCanonical says when a strict ledger is not written as it is made.
func (j *judge) isCanonical(k int, at tape.Value, l *ledger, field string) {
	if l.form != strict {
		return
	}
	j.scratch = canonical(j.scratch[:0], l.slots)
	if bytes.Equal(j.scratch, l.text) {
		return
	}
	said := j.say(finding.ClerkNotCanonical, at, "the ledger is not written compactly, with its keys in order").in("/" + field)
	if k != none {
		said.at(k, field)
	}
	said.hint("write it without blanks and needless escapes, keys in the order s, p, o, st, t, old, n: readers compare ledgers byte for byte")
}

// session plays one session; before and after are read.
func (j *judge) session(k int, s *session) {
	if j.after.fault != "" {
		j.say(finding.ClerkLedger, s.after, "%s", j.after.fault).at(k, "ledger_after").hint(ledgerHint)
		j.hasInstead = false
		return
	}
	j.isCanonical(k, s.after, j.after, "ledger_after")
	if j.form != strict {
		j.promised(k, s)
		return
	}
	if stated := j.facts(k, s); stated && j.before.fault == "" {
		j.program(k, s)
	}
	j.questions(k, s)
}

// final says when final_ledger is not the last ledger.
func (j *judge) final(at tape.Value) {
	if len(j.sessions) == 0 || !j.sessions[len(j.sessions)-1].ok {
		return
	}
	last := j.sessions[len(j.sessions)-1].after
	if bytes.Equal(last.Raw(), at.Raw()) {
		return
	}
	j.after.parse(j, at)
	if j.after.fault != "" {
		j.say(finding.ClerkLedger, at, "%s", j.after.fault).in("/final_ledger").hint(ledgerHint)
		return
	}
	if bytes.Equal(j.after.text, j.previous.text) || j.hasInstead && equalSlots(j.after.slots, j.instead) {
		return
	}
	if j.form == strict && equalSlots(j.after.slots, j.previous.slots) {
		j.isCanonical(none, at, j.after, "final_ledger")
		return
	}
	j.say(finding.ClerkFinalLedger, at, "final_ledger is not ledger_after of session %d: %s", len(j.sessions)-1, difference(j.previous, j.after)).
		in("/final_ledger").hint("final_ledger repeats the ledger after the last session, byte for byte")
}
