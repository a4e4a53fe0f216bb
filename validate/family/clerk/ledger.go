package clerk

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// form is the form of a ledger's slots.
type form int

const (
	// empty is that of a ledger without slots.
	empty form = iota
	// strict slots have exactly the keys of hfpub's own generator.
	strict
	// foreign slots are objects with other keys.
	foreign
)

// slot is one fact of a ledger. Its texts belong to the judge.
type slot struct {
	s, p []byte
	// o and old are nil for null.
	o, old []byte
	// tombstone says that the fact was withdrawn.
	tombstone bool
	// t is the session that last changed the slot, n the number of ops that did.
	t, n int
}

// ledger is a ledger as it stands in a row: JSON text inside a string.
type ledger struct {
	text []byte
	form form
	// slots holds what is known of each slot: of a foreign one predicate and object, if they have a name that is known.
	slots []slot
	// fault says why the text is no ledger; "" when it is one.
	fault string

	doc tape.Tape
}

// parse reads the text of a ledger.
func (l *ledger) parse(j *judge, text tape.Value) {
	l.text = text.AppendText(l.text[:0])
	l.slots, l.form, l.fault = l.slots[:0], empty, ""
	if problems := l.doc.Parse(l.text); len(problems) > 0 {
		l.fault = "the text is not JSON: " + problems[0].Message
		return
	}
	root := l.doc.Root()
	if root.Kind() != tape.Array {
		l.fault = "the text is " + root.Kind().String() + ", not an array of slots"
		return
	}
	for i, element := range root.Elements() {
		if element.Kind() != tape.Object {
			l.fault = fmt.Sprintf("slot %d is %s, not an object", i, element.Kind())
			return
		}
		s, is, fault := j.slot(element)
		switch {
		case i == 0:
			l.form = is
		case l.form != is:
			fault = "it does not have the keys of the slots before it"
		}
		if fault != "" {
			l.fault = fmt.Sprintf("slot %d: %s", i, fault)
			return
		}
		l.slots = append(l.slots, s)
	}
}

// slot reads one slot.
func (j *judge) slot(object tape.Value) (s slot, is form, fault string) {
	keys, wrong := 0, ""
	for key, v := range object.Members() {
		ok := true
		switch string(key.Raw()) {
		case "s":
			s.s, ok = j.textOf(v)
		case "p":
			s.p, ok = j.textOf(v)
		case "o":
			s.o, ok = j.textOrNull(v)
		case "old":
			s.old, ok = j.textOrNull(v)
		case "st":
			s.tombstone = string(v.Raw()) == "tombstone"
			ok = v.Kind() == tape.String && (s.tombstone || string(v.Raw()) == "active")
		case "t":
			s.t, ok = number(v)
		case "n":
			s.n, ok = number(v)
		default:
			return j.foreignSlot(object), foreign, ""
		}
		keys++
		if !ok {
			wrong = key.Text()
		}
	}
	const all = 7
	if keys < all {
		return j.foreignSlot(object), foreign, ""
	}
	if wrong != "" {
		return s, strict, fmt.Sprintf("%q is not of the type or value that a slot has there", wrong)
	}
	return s, strict, ""
}

// foreignSlot reads a slot by the names that its fields may have.
func (j *judge) foreignSlot(object tape.Value) (s slot) {
	for key, v := range object.Members() {
		text, ok := j.textOf(v)
		if !ok {
			continue
		}
		switch string(key.Raw()) {
		case "p", "pred", "predicate", "key", "slot":
			s.p = text
		case "o", "obj", "object", "value", "v":
			s.o = text
		case "s", "subj", "subject":
			s.s = text
		}
	}
	return s
}

// number reads an integer from 0 on.
func number(v tape.Value) (int, bool) {
	if v.Kind() != tape.Number {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Raw()))
	return n, err == nil && n >= 0
}

// textOf is the text of a string, which lives as long as the row.
func (j *judge) textOf(v tape.Value) ([]byte, bool) {
	if v.Kind() != tape.String {
		return nil, false
	}
	start := len(j.texts)
	j.texts = v.AppendText(j.texts)
	return j.texts[start:len(j.texts):len(j.texts)], true
}

func (j *judge) textOrNull(v tape.Value) ([]byte, bool) {
	if v.Kind() == tape.Null {
		return nil, true
	}
	return j.textOf(v)
}

// canonical writes strict slots as the generator does.
func canonical(out []byte, slots []slot) []byte {
	out = append(out, '[')
	for i := range slots {
		s := &slots[i]
		if i > 0 {
			out = append(out, ',')
		}
		out = quote(append(out, `{"s":`...), s.s)
		out = quote(append(out, `,"p":`...), s.p)
		out = quote(append(out, `,"o":`...), s.o)
		if s.tombstone {
			out = append(out, `,"st":"tombstone","t":`...)
		} else {
			out = append(out, `,"st":"active","t":`...)
		}
		out = strconv.AppendInt(out, int64(s.t), 10)
		out = quote(append(out, `,"old":`...), s.old)
		out = append(out, `,"n":`...)
		out = strconv.AppendInt(out, int64(s.n), 10)
		out = append(out, '}')
	}
	return append(out, ']')
}

// quote writes a text as JSON with no escapes but those that are needed; null for nil.
func quote(out, text []byte) []byte {
	if text == nil {
		return append(out, "null"...)
	}
	const short = "\b\f\n\r\t"
	out = append(out, '"')
	for _, c := range text {
		switch i := bytes.IndexByte([]byte(short), c); {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case i >= 0:
			out = append(out, '\\', "bfnrt"[i])
		case c < ' ':
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

func find(slots []slot, pred []byte) int {
	for i := range slots {
		if bytes.Equal(slots[i].p, pred) {
			return i
		}
	}
	return -1
}

// equalText says that two texts are equal; null equals null only.
func equalText(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func (s *slot) equal(o *slot) bool {
	return s.t == o.t && s.n == o.n && s.tombstone == o.tombstone && bytes.Equal(s.p, o.p) && bytes.Equal(s.s, o.s) &&
		equalText(s.o, o.o) && equalText(s.old, o.old)
}

func equalSlots(a, b []slot) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].equal(&b[i]) {
			return false
		}
	}
	return true
}

// shown writes a value for a message: its text in quotes, or null.
func shown(text []byte) string {
	if text == nil {
		return "null"
	}
	return strconv.Quote(string(text))
}
