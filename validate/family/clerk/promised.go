package clerk

import (
	"bytes"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// promised judges a session with slots of another form, or with none in the whole row, by what the card of CLERK promises.
func (j *judge) promised(k int, s *session) {
	j.hasInstead = false
	if j.readProgram(k, s) {
		j.left(k, s)
	}
	of := outcome{path: j.row.Path, given: len(j.after.slots), played: len(j.after.slots), evicts: len(j.evictions) > 0}
	j.sizes.add(of, j.maxPlaces, func() finding.Finding { return j.say(finding.ClerkBudget, s.after, "").at(k, "ledger_after").finding() })
	for i, element := range s.qas.Elements() {
		q, ok := j.question(i, element)
		if !ok {
			continue
		}
		j.remembered(k, &q)
	}
}

// left holds what can be known of the effect of a program against the ledger after it: what was added or updated last is there
// with its value, and what was evicted is gone.
func (j *judge) left(k int, s *session) {
	if j.after.form == foreign && j.after.slots[0].p == nil {
		return // nobody knows which field is the predicate
	}
	for i := range j.evictions {
		if op := &j.evictions[i]; find(j.after.slots, op.pred) >= 0 {
			j.say(finding.ClerkLedgerAfter, s.ops, "EVICT of %s: ledger_after still holds it", op.pred).at(k, "gold_ops", op.at).hint(leftHint)
			return
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
		return
	}
}

const leftHint = "executing gold_ops on ledger_before gives ledger_after"

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
