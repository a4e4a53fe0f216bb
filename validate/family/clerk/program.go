package clerk

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hfpub/hfpub/validate/family/clerk/salience"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// steps reads the steps of a list of events or ops by the names of their fields. ok is false when one is not of the form that
// the schema asks for.
func (j *judge) steps(out []step, list tape.Value, kind, pred, value string) (steps []step, ok bool) {
	for i, element := range list.Elements() {
		s := step{at: i}
		for key, v := range element.Members() {
			switch string(key.Raw()) {
			case kind:
				s.kind, _ = j.textOf(v)
			case pred:
				s.pred, _ = j.textOrNull(v)
			case value:
				s.value, _ = j.textOrNull(v)
			}
		}
		if s.kind == nil {
			return out, false
		}
		out = append(out, s)
	}
	return out, true
}

func is(text []byte, word string) bool { return string(text) == word }

// broken is a precondition of an op that does not hold.
type broken struct {
	at   int
	code finding.Code
	why  string
}

// run executes ops on a ledger; evictions are left for later. It stops at the first op that cannot be executed.
func (j *judge) run(start []slot, k int) *broken {
	j.played = append(j.played[:0], start...)
	for i := range j.ops {
		op := &j.ops[i]
		at := find(j.played, op.pred)
		var s *slot
		if at >= 0 {
			s = &j.played[at]
		}
		switch {
		case is(op.kind, "ADD"):
			if s != nil {
				return j.twice(i, finding.ClerkOpAdd, fmt.Sprintf("ADD of %s: the ledger has a slot for it", op.pred))
			}
			if op.value == nil || !j.words.isValue(op.pred, op.value) {
				return &broken{op.at, finding.ClerkOpAdd, fmt.Sprintf("ADD of %s: %s is not one of its values", op.pred, shown(op.value))}
			}
			j.played = append(j.played, slot{s: j.name, p: op.pred, o: op.value, t: k, n: 1})
			continue
		case is(op.kind, "UPDATE"):
			switch {
			case s == nil || s.tombstone:
				return &broken{op.at, finding.ClerkOpUpdate, fmt.Sprintf("UPDATE of %s: the ledger has no active slot for it", op.pred)}
			case bytes.Equal(s.o, op.value):
				return j.twice(i, finding.ClerkOpUpdate, fmt.Sprintf("UPDATE of %s: it is %s already", op.pred, shown(op.value)))
			case op.value == nil || !j.words.isValue(op.pred, op.value):
				return &broken{op.at, finding.ClerkOpUpdate, fmt.Sprintf("UPDATE of %s: %s is not one of its values", op.pred, shown(op.value))}
			}
			s.old, s.o = s.o, op.value
		case is(op.kind, "TOMBSTONE"):
			switch {
			case s == nil || s.tombstone:
				return j.twice(i, finding.ClerkOpTombstone, fmt.Sprintf("TOMBSTONE of %s: the ledger has no active slot for it", op.pred))
			case !equalText(s.o, op.value):
				return &broken{op.at, finding.ClerkOpTombstone, fmt.Sprintf("TOMBSTONE of %s %s: the ledger holds %s", op.pred, shown(op.value), shown(s.o))}
			}
			s.old, s.o, s.tombstone = s.o, nil, true
		}
		s.t = k
		s.n++
	}
	return nil
}

// twice is the fault of an op that fails: that it stands twice in the program, if it does.
func (j *judge) twice(i int, code finding.Code, why string) *broken {
	op := &j.ops[i]
	for _, before := range j.ops[:i] {
		if bytes.Equal(before.kind, op.kind) && bytes.Equal(before.pred, op.pred) && equalText(before.value, op.value) {
			return &broken{op.at, finding.ClerkOpTwice, fmt.Sprintf("%s of %s stands twice in the program", op.kind, op.pred)}
		}
	}
	return &broken{op.at, code, why}
}

// evict executes the evictions on the ledger that the other ops left.
func (j *judge) evict() *broken {
	j.full = append(j.full[:0], j.played...)
	for i := range j.evictions {
		op := &j.evictions[i]
		at := find(j.played, op.pred)
		if at < 0 {
			return &broken{op.at, finding.ClerkOpEvict, fmt.Sprintf("EVICT of %s: the ledger has no slot for it", op.pred)}
		}
		if !equalText(j.played[at].o, op.value) {
			return &broken{op.at, finding.ClerkOpEvict, fmt.Sprintf("EVICT of %s %s: the ledger holds %s", op.pred, shown(op.value), shown(j.played[at].o))}
		}
		j.played = slices.Delete(j.played, at, at+1)
	}
	return nil
}

// execute runs the whole program.
func (j *judge) execute(start []slot, k int) *broken {
	if fault := j.run(start, k); fault != nil {
		return fault
	}
	return j.evict()
}

// opHint says what each op needs.
const opHint = "an ADD needs that there is no slot, an UPDATE an active slot with another value, a TOMBSTONE and an EVICT a slot with the value they name"

// program judges the program of a session: that it can be executed, follows from the events, and gives the ledger after the
// session.
func (j *judge) program(k int, s *session) {
	also := j.hasInstead
	j.hasInstead = false
	if !j.readProgram(k, s) {
		return
	}
	fault := j.execute(j.before.slots, k)
	if also && (fault != nil || !equalSlots(j.played, j.after.slots)) {
		if other := j.execute(j.instead, k); other == nil && equalSlots(j.played, j.after.slots) {
			fault = nil
		} else {
			fault = j.execute(j.before.slots, k)
		}
	}
	if fault != nil {
		j.say(fault.code, s.ops, "%s", fault.why).at(k, "gold_ops", fault.at).hint(opHint)
		return
	}
	if j.follows(k, s) {
		j.compare(k, s)
	}
}

// readProgram reads events and ops, and says what is wrong with ops whatever the ledger.
func (j *judge) readProgram(k int, s *session) bool {
	var ok bool
	j.evictions = j.evictions[:0]
	if j.ops, ok = j.steps(j.ops[:0], s.ops, "op", "p", "o"); !ok {
		return false
	}
	for i, op := range s.ops.Elements() {
		if subject, has := op.Get("s"); has && subject.Kind() == tape.String {
			if text, _ := j.textOf(subject); !bytes.Equal(text, j.name) {
				j.say(finding.ClerkOpSubject, subject, "the subject of the op is %s, and the persona is %s", shown(text), j.name).
					at(k, "gold_ops", i, "s").hint("all ops of a timeline are about its persona")
				return false
			}
		}
	}
	facts := j.ops[:0]
	for _, op := range j.ops {
		switch {
		case is(op.kind, "EVICT"):
			j.evictions = append(j.evictions, op)
		case is(op.kind, "ADD"), is(op.kind, "UPDATE"), is(op.kind, "TOMBSTONE"):
			if len(j.evictions) > 0 {
				j.say(finding.ClerkEvictLast, s.ops, "%s of %s stands behind an EVICT", op.kind, op.pred).at(k, "gold_ops", op.at).
					hint("a program evicts when all else is done")
				return false
			}
			facts = append(facts, op)
		default:
			return false // the schema reports it
		}
	}
	j.ops = facts
	return true
}

// follows says whether the ops follow from the events.
func (j *judge) follows(k int, s *session) bool {
	n := 0
	for i := range j.events {
		e := &j.events[i]
		if is(e.kind, "CHATTER") {
			continue
		}
		if n >= len(j.ops) {
			j.say(finding.ClerkOpEvent, s.ops, "event %d, %s of %s, has no op", e.at, e.kind, e.pred).at(k, "gold_ops").hint(followHint)
			return false
		}
		op := &j.ops[n]
		n++
		if !bytes.Equal(opOf(e.kind), op.kind) || !bytes.Equal(e.pred, op.pred) || !equalText(e.value, op.value) {
			j.say(finding.ClerkOpEvent, s.ops, "the op is %s of %s %s, and the event it should follow from is %s of %s %s", op.kind, op.pred, shown(op.value),
				e.kind, e.pred, shown(e.value)).at(k, "gold_ops", op.at).hint(followHint)
			return false
		}
	}
	if n < len(j.ops) {
		j.say(finding.ClerkOpEvent, s.ops, "%s of %s follows from no event", j.ops[n].kind, j.ops[n].pred).
			at(k, "gold_ops", j.ops[n].at).hint(followHint)
		return false
	}
	for i := range j.ops {
		for _, before := range j.ops[:i] {
			if bytes.Equal(before.pred, j.ops[i].pred) {
				j.say(finding.ClerkTouchedTwice, s.ops, "%s is changed by two ops of one session", before.pred).at(k, "gold_ops", j.ops[i].at).
					hint("state each predicate once in a session at most: otherwise the order of the events decides")
				return false
			}
		}
	}
	return true
}

const followHint = "the ops are those of the events that are no chatter, in their order: ADD for ADD, UPDATE for UPDATE, TOMBSTONE for NEGATE; then EVICTs"

// opOf is the op that follows from a kind of event.
func opOf(kind []byte) []byte {
	if is(kind, "NEGATE") {
		return []byte("TOMBSTONE")
	}
	return kind
}

// compare holds what the program gives against the ledger after the session, and files the session by its size.
func (j *judge) compare(k int, s *session) {
	of := outcome{path: j.row.Path, given: len(j.after.slots), played: len(j.played), evicts: len(j.evictions) > 0}
	if !equalSlots(j.played, j.after.slots) {
		j.instead, j.hasInstead = append(j.instead[:0], j.played...), true
	}
	said := j.misjudged(k, s)
	if said == nil && j.hasInstead {
		said = j.misplayed(k, s)
	}
	if said != nil {
		of.fault = said.code
		j.sizes.add(of, j.maxPlaces, said.finding)
		return
	}
	j.sizes.add(of, j.maxPlaces, func() finding.Finding {
		return j.say(finding.ClerkBudget, s.after, "").at(k, "ledger_after").finding()
	})
}

// misplayed says how the ledger after the session differs from what the program gives.
func (j *judge) misplayed(k int, s *session) *said {
	code, message := j.mismatch(k)
	hint := "run the program on ledger_before: adds go to the end, updates keep their place"
	if code == finding.ClerkSlot {
		hint = "a tombstone has an old and no o, an active slot an o that is not its old; t is at most the session, n at most one for each session so far"
	}
	return j.say(code, s.after, "%s", message).at(k, "ledger_after").with(hint)
}

// mismatch finds words for two ledgers that differ.
func (j *judge) mismatch(k int) (finding.Code, string) {
	want, got := j.played, j.after.slots
	for i := range got {
		if at := find(want, got[i].p); at >= 0 && appliedTwice(&want[at], &got[i]) {
			return finding.ClerkOpTwice, fmt.Sprintf("slot %d, %s, counts %d ops where the program leaves %d: an op was applied twice", i, got[i].p, got[i].n, want[at].n)
		}
	}
	for i := range got {
		if fault := j.slotFault(got, i, k); fault != "" {
			return finding.ClerkSlot, fmt.Sprintf("slot %d, %s: %s", i, got[i].p, fault)
		}
	}
	for i := range got {
		if at := find(want, got[i].p); at < 0 {
			return finding.ClerkLedgerAfter, fmt.Sprintf("the ledger holds %s, and the program does not leave it there", got[i].p)
		} else if !want[at].equal(&got[i]) {
			return finding.ClerkLedgerAfter, fmt.Sprintf("slot %d, %s, is %s, and the program gives %s", i, got[i].p,
				canonical(nil, got[i:i+1]), canonical(nil, want[at:at+1]))
		}
	}
	for i := range want {
		if find(got, want[i].p) < 0 {
			return finding.ClerkLedgerAfter, fmt.Sprintf("the program leaves %s in the ledger, and it is not there", want[i].p)
		}
	}
	return finding.ClerkLedgerAfter, "the slots stand in another order than the program gives"
}

// appliedTwice says whether a slot is what an op leaves that was applied two times.
func appliedTwice(want, got *slot) bool {
	return got.n == want.n+1 && got.t == want.t && got.tombstone == want.tombstone && equalText(got.o, want.o) &&
		(equalText(got.old, want.old) || equalText(got.old, want.o))
}

// slotFault says what cannot be of a slot, whatever happened; "" for nothing.
func (j *judge) slotFault(slots []slot, i, k int) string {
	s := &slots[i]
	switch {
	case !bytes.Equal(s.s, j.name):
		return fmt.Sprintf("its subject is %s, and the persona is %s", shown(s.s), j.name)
	case find(slots, s.p) < i:
		return "a slot before it has the same predicate"
	case s.tombstone && s.o != nil:
		return "it is a tombstone with a value"
	case !s.tombstone && s.o == nil:
		return "it is active and has no value"
	case s.tombstone && s.old == nil:
		return "it is a tombstone and does not tell what held before"
	case !s.tombstone && s.n == 1 && s.old != nil:
		return "one op made it, and it has a value from before"
	case equalText(s.o, s.old):
		return "its value is the one from before"
	case s.t > k:
		return fmt.Sprintf("session %d changed it, and this is session %d", s.t, k)
	case s.n < 1 || s.n > k+1:
		return fmt.Sprintf("%d ops changed it in %d sessions", s.n, k+1)
	}
	return ""
}

// ranked is a slot with what decides whether it is forgotten.
type ranked struct {
	slot *slot
	fact salience.Fact
}

// misjudged says which eviction is not that of the least salient slot; nil when all are. A ledger with a predicate whose
// importance is not known is not judged.
func (j *judge) misjudged(k int, s *session) *said {
	if len(j.evictions) == 0 {
		return nil
	}
	j.ranked = j.ranked[:0]
	for i := range j.full {
		of := &j.full[i]
		pred := j.words.predicates[string(of.p)]
		if pred == nil {
			return nil
		}
		j.ranked = append(j.ranked, ranked{of, salience.Fact{
			Pred: string(of.p), Importance: pred.importance, Changed: of.t, Ops: of.n,
			Tombstone: of.tombstone, Superseded: !of.tombstone && of.old != nil,
		}})
	}
	slices.SortFunc(j.ranked, func(a, b ranked) int { return salience.Compare(&a.fact, &b.fact, k) })
	for i := range j.evictions {
		op := &j.evictions[i]
		if want := j.ranked[i].slot; !bytes.Equal(want.p, op.pred) {
			return j.say(finding.ClerkEvictOrder, s.ops, "%s is evicted where %s is less salient", op.pred, want.p).at(k, "gold_ops", op.at).
				with("evict in the order of the salience oracle, the least salient first; hfpub explain clerk/evict-order says what it counts")
		}
	}
	return nil
}
