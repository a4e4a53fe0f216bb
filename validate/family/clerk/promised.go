package clerk

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// promised judges a session with slots of another form, or with none in the whole row, by what the card of CLERK promises.
func (j *judge) promised(k int, s *session) {
	j.hasInstead = false
	said := j.readProgram(k, s) && j.left(k, s)
	of := outcome{path: j.row.Path, given: len(j.after.slots), played: len(j.after.slots), evicts: len(j.evictions) > 0, foreign: true}
	if !said { // otherwise the ledger is wrong already, and so is its size
		j.sizes.add(of, j.maxPlaces, func() finding.Finding { return j.say(finding.ClerkBudget, s.after, "").at(k, "ledger_after").finding() })
	}
	for i, element := range s.qas.Elements() {
		q, ok := j.question(i, element)
		if !ok {
			continue
		}
		j.remembered(k, &q)
	}
}

// left holds what can be known of the effect of a program against the ledger after it: what was added or updated last is there
// with its value, and what was evicted is gone. said tells that something is wrong.
func (j *judge) left(k int, s *session) (said bool) {
	if j.after.form == foreign && j.after.slots[0].p == nil {
		return false // nobody knows which field is the predicate
	}
	for i := range j.after.slots {
		if twice := &j.after.slots[i]; find(j.before.slots, twice.p) < 0 && isTwice(j.after.slots[:i], twice) {
			j.say(finding.ClerkOpTwice, s.after, "ledger_after holds %s %s two times: an op was applied twice", twice.p, shown(twice.o)).at(k, "ledger_after").hint(leftHint)
			return true
		}
	}
	for i := range j.evictions {
		if op := &j.evictions[i]; find(j.after.slots, op.pred) >= 0 {
			j.say(finding.ClerkLedgerAfter, s.ops, "EVICT of %s: ledger_after still holds it", op.pred).at(k, "gold_ops", op.at).hint(leftHint)
			return true
		}
	}
	for i := range j.ops {
		op := &j.ops[i]
		if is(op.kind, "TOMBSTONE") || changedLater(j.ops[i+1:], op.pred) || changedLater(j.evictions, op.pred) {
			continue
		}
		at := find(j.after.slots, op.pred)
		if at >= 0 && (j.after.slots[at].o == nil || bytes.Equal(j.after.slots[at].o, op.value)) {
			continue
		}
		j.say(finding.ClerkLedgerAfter, s.ops, "%s of %s %s: ledger_after does not hold it", op.kind, op.pred, shown(op.value)).
			at(k, "gold_ops", op.at).hint(leftHint)
		return true
	}
	return isKeyed(j.before) && isKeyed(j.after) && j.carried(k, s)
}

// isKeyed says that each slot of a ledger is told apart by its predicate.
func isKeyed(l *ledger) bool {
	for i := range l.slots {
		if l.slots[i].p == nil || find(l.slots, l.slots[i].p) < i {
			return false
		}
	}
	return l.fault == ""
}

// carried holds a program and the ledger after it against the ledger before it: ops change what is there, what no op is about stays
// as it is, and nothing comes from nowhere.
func (j *judge) carried(k int, s *session) (said bool) {
	for i := range j.ops {
		op := &j.ops[i]
		if !is(op.kind, "ADD") && find(j.before.slots, op.pred) < 0 && !isAdded(j.ops[:i], op.pred) {
			code := finding.ClerkOpUpdate
			if is(op.kind, "TOMBSTONE") {
				code = finding.ClerkOpTombstone
			}
			j.say(code, s.ops, "%s of %s: the ledger has no slot for it", op.kind, op.pred).at(k, "gold_ops", op.at).hint(opHint)
			return true
		}
	}
	for i := range j.evictions {
		if op := &j.evictions[i]; find(j.before.slots, op.pred) < 0 && !isAdded(j.ops, op.pred) {
			j.say(finding.ClerkOpEvict, s.ops, "EVICT of %s: the ledger has no slot for it", op.pred).at(k, "gold_ops", op.at).hint(opHint)
			return true
		}
	}
	for i := range j.after.slots {
		slot := &j.after.slots[i]
		before := find(j.before.slots, slot.p)
		switch {
		case changedLater(j.ops, slot.p):
		case before < 0:
			j.say(finding.ClerkLedgerAfter, s.after, "ledger_after holds %s, and no op brings it", slot.p).at(k, "ledger_after").hint(leftHint)
			return true
		case !equalText(j.before.slots[before].o, slot.o):
			j.say(finding.ClerkLedgerAfter, s.after, "%s is %s in ledger_after, was %s, and no op is about it", slot.p, shown(slot.o), shown(j.before.slots[before].o)).
				at(k, "ledger_after").hint(leftHint)
			return true
		}
	}
	for i := range j.before.slots {
		pred := j.before.slots[i].p
		if find(j.after.slots, pred) < 0 && !changedLater(j.ops, pred) && !changedLater(j.evictions, pred) {
			j.say(finding.ClerkLedgerAfter, s.after, "ledger_after does not hold %s, and no op takes it away", pred).at(k, "ledger_after").hint(leftHint)
			return true
		}
	}
	return false
}

// isAdded says that one of the ops adds a predicate.
func isAdded(ops []step, pred []byte) bool {
	for i := range ops {
		if is(ops[i].kind, "ADD") && bytes.Equal(ops[i].pred, pred) {
			return true
		}
	}
	return false
}

const leftHint = "executing gold_ops on ledger_before gives ledger_after"

// isTwice says that a slot of the same predicate and object stands before.
func isTwice(before []slot, s *slot) bool {
	for i := range before {
		if s.p != nil && bytes.Equal(before[i].p, s.p) && equalText(before[i].o, s.o) {
			return true
		}
	}
	return false
}

func changedLater(ops []step, pred []byte) bool {
	for i := range ops {
		if bytes.Equal(ops[i].pred, pred) {
			return true
		}
	}
	return false
}

// remembered says when a question is not answered by what the ledger holds.
func (j *judge) remembered(k int, q *question) {
	switch kind := kinds()[q.kind]; kind {
	case "negated": // how its answer is worded is not promised
	case "unknown":
		if at := find(j.after.slots, q.pred); at >= 0 || contains(j.stated, q.pred) {
			j.found.Add(j.neverStated(k, q, at).finding())
		}
	default:
		for _, text := range [][]byte{q.answer, q.value} {
			if len(text) > 0 && (bytes.Contains(j.after.text, text) || j.holds(text)) {
				return
			}
		}
		j.say(finding.ClerkAnswer, q.where, "the answer %s to a question of type %s is not in the ledger", shown(q.answer), kind).
			at(k, "qas", q.at, "a").hint("the answer is what the ledger after the session holds")
	}
}

// holds says whether some string of the ledger has a text in it, which may be written with escapes.
func (j *judge) holds(text []byte) bool {
	for i := range j.after.doc.Nodes {
		if v := j.after.doc.Value(i); v.Kind() == tape.String && v.Escaped() && bytes.Contains([]byte(v.Text()), text) {
			return true
		}
	}
	return false
}
