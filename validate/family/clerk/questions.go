package clerk

import (
	"bytes"
	"fmt"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// kinds are the types of questions, in the order of [most].
func kinds() [5]string { return [5]string{"stale", "superseded", "negated", "temporal", "unknown"} }

// most is how many questions of each type a session has at most.
func most() [5]int { return [5]int{2, 1, 1, 1, 1} }

// fits says whether a question of a type can be asked about a slot after session k.
func fits(kind int, s *slot, k int) bool {
	changed := s.old != nil
	switch kind {
	case 0:
		return !s.tombstone && !changed && s.t < k
	case 1:
		return !s.tombstone && changed && s.t < k
	case 2:
		return s.tombstone
	case 3:
		return !s.tombstone && changed
	}
	return false
}

const unknown = 4

// question is a question by its fields.
type question struct {
	kind         int
	pred, value  []byte
	text, answer []byte
	at           int
	where        tape.Value
	hasPred, has bool
}

// questions judges the questions of a session against what the ledger after it holds: the one that the row has, or the one that
// the program gives where that is another. Where one of them answers all questions, nothing is wrong with the questions.
func (j *judge) questions(k int, s *session) {
	faults := j.asked(k, s, j.after.slots)
	if len(faults) > 0 && j.hasInstead {
		faults = j.asked(k, s, j.instead)
	}
	for _, f := range faults {
		j.found.Add(f.finding())
	}
}

// asked judges the questions against a ledger.
func (j *judge) asked(k int, s *session, memory []slot) (faults []*said) {
	var asked, could [5]int
	var seen [16]question
	list := seen[:0]
	for i, element := range s.qas.Elements() {
		q, ok := j.question(i, element)
		if !ok {
			return faults // the schema reports it
		}
		fault := j.answer(k, &q, memory)
		if fault == nil {
			fault = j.wording(k, &q)
		}
		for _, before := range list {
			if fault == nil && before.kind == q.kind && bytes.Equal(before.pred, q.pred) {
				fault = j.say(finding.ClerkQuestionTwice, element, "question %d asks the same, %s about %s", before.at, kinds()[q.kind], q.pred).
					at(k, "qas", i).with("ask about each predicate once for each type")
			}
		}
		if fault != nil {
			faults = append(faults, fault)
		}
		list = append(list, q)
		asked[q.kind]++
	}
	if len(faults) > 0 {
		return faults
	}
	could[unknown] = most()[unknown]
	for i := range memory {
		for kind := range unknown {
			if fits(kind, &memory[i], k) {
				could[kind]++
			}
		}
	}
	for kind, n := range asked {
		if want := min(could[kind], most()[kind]); n != want {
			return []*said{j.say(finding.ClerkQuestionCount, s.qas, "there are %d questions of type %s, and the ledger gives %d", n, kinds()[kind], want).
				at(k, "qas").with("ask as many of each type as there are facts for it: stale at most 2, of the others 1")}
		}
	}
	return nil
}

// question reads a question.
func (j *judge) question(i int, element tape.Value) (q question, ok bool) {
	q = question{kind: -1, at: i, where: element}
	for key, v := range element.Members() {
		switch string(key.Raw()) {
		case "type":
			for kind, name := range kinds() {
				if v.Kind() == tape.String && string(v.Raw()) == name {
					q.kind = kind
				}
			}
		case "pred":
			q.pred, q.hasPred = j.textOf(v)
		case "a":
			q.answer, q.has = j.textOf(v)
		case "q":
			q.text, _ = j.textOf(v)
		case "value":
			q.value, _ = j.textOrNull(v)
		}
	}
	return q, q.kind >= 0 && q.hasPred && q.has
}

// answer says what is wrong with a question; nil for nothing.
func (j *judge) answer(k int, q *question, memory []slot) *said {
	at := find(memory, q.pred)
	if q.kind == unknown {
		return j.neverStated(k, q, at)
	}
	if at < 0 || !fits(q.kind, &memory[at], k) {
		why := fmt.Sprintf("the ledger holds nothing about %s", q.pred)
		if at >= 0 {
			why = fmt.Sprintf("what the ledger holds about %s does not fit", q.pred)
		}
		return j.say(finding.ClerkQuestion, q.where, "a question of type %s: %s", kinds()[q.kind], why).at(k, "qas", q.at, "pred").with(questionHint)
	}
	s := &memory[at]
	value, answer := s.o, s.o
	switch kinds()[q.kind] {
	case "negated":
		value, answer = s.old, []byte("No")
	case "temporal":
		value, answer = s.old, s.old
	}
	return j.says(k, q, answer, value)
}

const questionHint = "stale asks what an earlier session told and nothing changed, superseded what an earlier session changed, " +
	"negated what was withdrawn, temporal what was before: each about a slot of ledger_after"

// neverStated judges a question about what was never stated. at is the slot of its predicate.
func (j *judge) neverStated(k int, q *question, at int) *said {
	if at >= 0 || contains(j.stated, q.pred) {
		return j.say(finding.ClerkUnknownStated, q.where, "the question takes %s for unknown, and the timeline states it", q.pred).
			at(k, "qas", q.at, "pred").with("ask for unknowns about predicates that no event, op or slot of the whole timeline speaks of")
	}
	return j.says(k, q, []byte("Unknown"), nil)
}

// says says when a question has not this answer and value; nil when it has.
func (j *judge) says(k int, q *question, answer, value []byte) *said {
	for _, c := range []struct {
		field     string
		got, want []byte
	}{{"a", q.answer, answer}, {"value", q.value, value}} {
		if !equalText(c.got, c.want) {
			return j.say(finding.ClerkAnswer, q.where, "%s is %s, and the memory says %s", c.field, shown(c.got), shown(c.want)).
				at(k, "qas", q.at, c.field).with("the answer is what the ledger after the session holds")
		}
	}
	return nil
}

// wording says when the text of a question asks something else; nil when it asks what it should. Of a predicate that is not in the
// vocabulary nobody knows how it is asked.
func (j *judge) wording(k int, q *question) *said {
	p := j.words.predicates[string(q.pred)]
	if p == nil || q.text == nil {
		return nil
	}
	want := j.scratch[:0]
	switch kinds()[q.kind] {
	case "negated":
		want = append(append(append(want, "Is "...), q.value...), " still "...)
	case "temporal":
		want = append(want, "What was "...)
	default:
		want = append(want, "What is "...)
	}
	want = append(append(want, j.name...), "'s "...)
	if kinds()[q.kind] == "temporal" {
		want = append(want, "previous "...)
	}
	want = append(append(want, p.label...), '?')
	j.scratch = want
	if bytes.Equal(q.text, want) {
		return nil
	}
	return j.say(finding.ClerkQuestionText, q.where, "the question is %s, and one of type %s about %s is %s", shown(q.text), kinds()[q.kind], q.pred, shown(want)).
		at(k, "qas", q.at, "q").with("ask by the persona's name and the label of the predicate")
}
