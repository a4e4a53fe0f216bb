package generate

import (
	"slices"

	"github.com/hfpub/hfpub/validate/family/clerk/salience"
)

// worker makes timelines, one behind the other. Its memory is used again for each.
type worker struct {
	params  *Params
	words   *phrases
	offset  int
	persona persona

	// copied is a copy of the ledger that the facts of a session are tried on, touched the predicates it stated.
	copied  []slot
	touched []bool
	addable []int
	active  []int
	events  []event
	evicted []slot
	asked   []int
	// before and after are the ledgers of a session as they are written.
	before, after []byte
	// out holds the rows of the last call of make.
	out []byte
}

func newWorker(p *Params, words *phrases, offset int) *worker {
	return &worker{params: p, words: words, offset: offset, touched: make([]bool, len(words.predicates))}
}

// make makes the rows of some personas.
func (w *worker) make(from, to int) {
	w.out = w.out[:0]
	for i := from; i < to; i++ {
		w.begin(i)
		w.row(i)
	}
}

// The weights of the kinds of facts.
const (
	weightAdd    = 5
	weightUpdate = 4
	weightNegate = 1
)

// say draws what a persona says in a session: facts, and chatter between them.
func (w *worker) say(number, session int) {
	p := &w.persona
	s := w.params.stream(number, session, "events")
	facts := 3
	if session == 0 {
		facts = 4
	}
	facts += s.below(3)
	chats := 1 + s.below(3)
	w.copied = append(w.copied[:0], p.ledger...)
	clear(w.touched)
	w.events = w.events[:0]
	for range facts {
		e, ok := w.fact(&s)
		if !ok {
			break
		}
		w.copied = apply(w.copied, e, session)
		if e.kind != negated {
			p.last[e.pred] = e.value
		}
		w.touched[e.pred] = true
		w.events = append(w.events, e)
	}
	for range chats {
		w.events = append(w.events, event{chatter, 0, noValue, s.below(len(w.words.chatter))})
	}
	shuffle(&s, w.events)
}

// fact draws one fact about what the session has not touched yet; ok is false when there is nothing left to say.
func (w *worker) fact(s *stream) (e event, ok bool) {
	p := &w.persona
	w.addable, w.active = w.addable[:0], w.active[:0]
	for _, pred := range p.statable {
		if !w.touched[pred] && slotOf(w.copied, pred) < 0 {
			w.addable = append(w.addable, pred)
		}
	}
	for i := range w.copied {
		if w.copied[i].active() && !w.touched[w.copied[i].pred] {
			w.active = append(w.active, i)
		}
	}
	add, change := 0, 0
	if len(w.addable) > 0 {
		add = weightAdd
	}
	if len(w.active) > 0 {
		change = weightUpdate + weightNegate
	}
	if add+change == 0 {
		return event{}, false
	}
	q := s.below(add + change)
	if q < add {
		pred := w.addable[s.below(len(w.addable))]
		value := w.value(s, pred, p.last[pred], noValue)
		return event{added, pred, value, s.below(len(w.words.predicates[pred].add))}, true
	}
	of := &w.copied[w.active[s.below(len(w.active))]]
	if q < add+weightUpdate {
		value := w.value(s, of.pred, of.value, of.old)
		return event{updated, of.pred, value, s.below(len(w.words.predicates[of.pred].update))}, true
	}
	return event{negated, of.pred, of.value, s.below(len(w.words.predicates[of.pred].negate))}, true
}

// value draws a value of a predicate that is neither of two.
func (w *worker) value(s *stream, pred, not, nor int) int {
	n := len(w.words.predicates[pred].values)
	left := n
	for v := range n {
		if v == not || v == nor {
			left--
		}
	}
	drawn := s.below(left)
	for v := range n {
		if v == not || v == nor {
			continue
		}
		if drawn == 0 {
			return v
		}
		drawn--
	}
	return noValue
}

// remember executes the program of a session on the ledger; evicted is what it forgets, in the order of its ops.
func (w *worker) remember(session int) {
	p := &w.persona
	for _, e := range w.events {
		if e.kind != chatter {
			p.ledger = apply(p.ledger, e, session)
		}
	}
	w.evicted = w.evicted[:0]
	over := len(p.ledger) - w.params.Budget
	if over <= 0 {
		return
	}
	w.evicted = append(w.evicted, p.ledger...)
	slices.SortFunc(w.evicted, func(a, b slot) int {
		first, second := w.weigh(&a), w.weigh(&b)
		return salience.Compare(&first, &second, session)
	})
	w.evicted = w.evicted[:over]
	p.ledger = slices.DeleteFunc(p.ledger, func(s slot) bool { return slotOf(w.evicted, s.pred) >= 0 })
}

// weigh is what the salience of a slot depends on.
func (w *worker) weigh(s *slot) salience.Fact {
	pred := &w.words.predicates[s.pred]
	return salience.Fact{
		Pred: pred.id.once, Importance: pred.importance, Changed: s.changed, Ops: s.ops,
		Tombstone: !s.active(), Superseded: s.active() && s.old != noValue,
	}
}

// question is a type of question, and which slots it is asked about.
type question struct {
	name string
	most int
	fits func(s *slot, session int) bool
}

// questions are the types that ask about the ledger, in their order. The last type asks about what was never stated.
func questions() []question {
	return []question{
		{"stale", 2, func(s *slot, session int) bool { return s.active() && s.old == noValue && s.changed < session }},
		{"superseded", 1, func(s *slot, session int) bool { return s.active() && s.old != noValue && s.changed < session }},
		{"negated", 1, func(s *slot, _ int) bool { return !s.active() }},
		{"temporal", 1, func(s *slot, _ int) bool { return s.active() && s.old != noValue }},
	}
}

// ask draws the questions about the ledger after a session, and writes them.
func (w *worker) ask(number, session int) {
	s := w.params.stream(number, session, "qas")
	for _, q := range questions() {
		w.asked = w.asked[:0]
		for i := range w.persona.ledger {
			if q.fits(&w.persona.ledger[i], session) {
				w.asked = append(w.asked, i)
			}
		}
		for range min(q.most, len(w.asked)) {
			i := s.below(len(w.asked))
			w.question(q.name, &w.persona.ledger[w.asked[i]])
			w.asked = slices.Delete(w.asked, i, i+1)
		}
	}
	w.unknown(w.persona.reserved[s.below(len(w.persona.reserved))])
}
