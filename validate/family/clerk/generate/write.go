package generate

import "strconv"

// put appends texts to the row.
func (w *worker) put(texts ...string) {
	for _, s := range texts {
		w.out = append(w.out, s...)
	}
}

// row plays the sessions of a persona and writes its row.
func (w *worker) row(number int) {
	w.put(`{"name":"`, w.persona.name.once, `","sessions":[`)
	w.after = append(w.after[:0], "[]"...)
	for k := range w.params.Sessions {
		if k > 0 {
			w.put(",")
		}
		w.before, w.after = w.after, w.before
		w.session(number, k)
	}
	w.put(`],"final_ledger":"`)
	w.out = append(w.out, w.after...)
	w.put("\"}\n")
}

// session plays one session and writes it.
func (w *worker) session(number, k int) {
	w.say(number, k)
	w.remember(k)
	w.after = w.ledger(w.after[:0])
	w.put(`{"session_idx":`)
	w.out = strconv.AppendInt(w.out, int64(k), 10)
	w.turns(number, k)
	w.put(`],"events":[`)
	for i, e := range w.events {
		w.comma(i)
		w.event(e)
	}
	w.put(`],"qas":[`)
	w.ask(number, k)
	w.put(`],"gold_ops":[`)
	w.program()
	w.put(`],"ledger_before":"`)
	w.out = append(w.out, w.before...)
	w.put(`","ledger_after":"`)
	w.out = append(w.out, w.after...)
	w.put(`"}`)
}

func (w *worker) comma(i int) {
	if i > 0 {
		w.out = append(w.out, ',')
	}
}

// turns writes what was said: every event, and an acknowledgement.
func (w *worker) turns(number, k int) {
	s := w.params.stream(number, k, "turns")
	w.put(`,"turns":[`)
	for i, e := range w.events {
		w.comma(i)
		ack := w.words.acks[s.below(len(w.words.acks))]
		w.put(`{"role":"user","content":"`, w.sentence(e), `"},{"role":"assistant","content":"`, ack, `"}`)
	}
}

// sentence is the text of an event.
func (w *worker) sentence(e event) string {
	p := &w.words.predicates[e.pred]
	switch e.kind {
	case added:
		return p.add[e.phrase][e.value]
	case updated:
		return p.update[e.phrase][e.value]
	case negated:
		return p.negate[e.phrase][e.value]
	}
	return w.words.chatter[e.phrase]
}

func (w *worker) event(e event) {
	if e.kind == chatter {
		w.put(`{"kind":"CHATTER","pred":null,"value":null,"text":"`, w.sentence(e), `"}`)
		return
	}
	p := &w.words.predicates[e.pred]
	kind := [...]string{added: "ADD", updated: "UPDATE", negated: "NEGATE"}[e.kind]
	w.put(`{"kind":"`, kind, `","pred":"`, p.id.once, `","value":"`, p.values[e.value].once, `","text":"`, w.sentence(e), `"}`)
}

// program writes the ops of the facts in their order, then what is forgotten.
func (w *worker) program() {
	n := 0
	for _, e := range w.events {
		if e.kind == chatter {
			continue
		}
		w.comma(n)
		n++
		op := [...]string{added: "ADD", updated: "UPDATE", negated: "TOMBSTONE"}[e.kind]
		w.op(op, e.pred, e.value)
	}
	for _, s := range w.evicted {
		w.comma(n)
		n++
		w.op("EVICT", s.pred, s.value)
	}
}

func (w *worker) op(name string, pred, value int) {
	p := &w.words.predicates[pred]
	w.put(`{"op":"`, name, `","s":"`, w.persona.name.once, `","p":"`, p.id.once)
	if value == noValue {
		w.put(`","o":null}`)
		return
	}
	w.put(`","o":"`, p.values[value].once, `"}`)
}

// question writes a question about a slot. A question that is not the first of its session has a comma before it.
func (w *worker) question(name string, s *slot) {
	p := &w.words.predicates[s.pred]
	value := s.value
	if name == "negated" || name == "temporal" {
		value = s.old
	}
	answer := p.values[value].once
	if w.out[len(w.out)-1] != '[' {
		w.out = append(w.out, ',')
	}
	switch name {
	case "negated":
		w.put(`{"q":"Is `, answer, " still ", w.persona.name.once, "'s ", p.label)
		answer = "No"
	case "temporal":
		w.put(`{"q":"What was `, w.persona.name.once, "'s previous ", p.label)
	default:
		w.put(`{"q":"What is `, w.persona.name.once, "'s ", p.label)
	}
	w.put(`?","a":"`, answer, `","type":"`, name, `","pred":"`, p.id.once, `","value":"`, p.values[value].once, `"}`)
}

// unknown writes a question about something that was never stated.
func (w *worker) unknown(pred int) {
	p := &w.words.predicates[pred]
	if w.out[len(w.out)-1] != '[' {
		w.out = append(w.out, ',')
	}
	w.put(`{"q":"What is `, w.persona.name.once, "'s ", p.label, `?","a":"Unknown","type":"unknown","pred":"`, p.id.once, `","value":null}`)
}

// ledger writes the ledger as JSON that stands in a JSON text.
func (w *worker) ledger(out []byte) []byte {
	out = append(out, '[')
	for i := range w.persona.ledger {
		s := &w.persona.ledger[i]
		p := &w.words.predicates[s.pred]
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{\"s\":\"`...)
		out = append(out, w.persona.name.twice...)
		out = append(out, `\",\"p\":\"`...)
		out = append(out, p.id.twice...)
		out = append(out, `\",\"o\":`...)
		if s.active() {
			out = appendValue(out, p, s.value)
			out = append(out, `,\"st\":\"active\",\"t\":`...)
		} else {
			out = append(out, `null,\"st\":\"tombstone\",\"t\":`...)
		}
		out = strconv.AppendInt(out, int64(s.changed), 10)
		out = append(out, `,\"old\":`...)
		if s.old == noValue {
			out = append(out, "null"...)
		} else {
			out = appendValue(out, p, s.old)
		}
		out = append(out, `,\"n\":`...)
		out = strconv.AppendInt(out, int64(s.ops), 10)
		out = append(out, '}')
	}
	return append(out, ']')
}

func appendValue(out []byte, p *predicate, value int) []byte {
	out = append(out, `\"`...)
	out = append(out, p.values[value].twice...)
	return append(out, `\"`...)
}
