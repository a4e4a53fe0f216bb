package generate

// slot is one fact of a ledger. Predicates and values are indexes into the vocabulary.
type slot struct {
	pred int
	// value is the value that holds, old the one before; noValue for none. A tombstone has no value.
	value, old int
	// changed is the session that last changed the slot, ops the number of ops that did.
	changed, ops int
}

const noValue = -1

func (s *slot) active() bool { return s.value != noValue }

// kind is the kind of an event and of the op that follows from it.
type kind int

const (
	added kind = iota
	updated
	negated
	chatter
)

// event is something that the persona says. phrase is the index of the template, or of the line of chatter.
type event struct {
	kind        kind
	pred, value int
	phrase      int
}

// persona is the world of one persona as it is played.
type persona struct {
	name text
	// statable are the predicates that the persona may speak of, reserved those of which nothing is ever said.
	statable, reserved []int
	// last is the value last stated for each predicate in the whole timeline.
	last   []int
	ledger []slot
}

// statables is how many predicates a persona may speak of.
const statables = 20

// begin makes the world of a persona before the first session.
func (w *worker) begin(number int) {
	p := &w.persona
	p.name = w.words.name(number, w.offset)
	p.ledger = p.ledger[:0]
	all := p.statable[:0]
	p.last = p.last[:0]
	for i := range w.words.predicates {
		all = append(all, i)
		p.last = append(p.last, noValue)
	}
	preds := w.params.stream(number, none, "preds")
	shuffle(&preds, all)
	p.statable, p.reserved = all[:statables], all[statables:]
}

// slotOf is the index of the slot of a predicate; -1 for none.
func slotOf(ledger []slot, pred int) int {
	for i := range ledger {
		if ledger[i].pred == pred {
			return i
		}
	}
	return -1
}

// apply is what an op does to a ledger in a session.
func apply(ledger []slot, e event, session int) []slot {
	if e.kind == added {
		return append(ledger, slot{e.pred, e.value, noValue, session, 1})
	}
	s := &ledger[slotOf(ledger, e.pred)]
	s.old, s.value = s.value, noValue
	if e.kind == updated {
		s.value = e.value
	}
	s.changed = session
	s.ops++
	return ledger
}
