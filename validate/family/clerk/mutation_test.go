package clerk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/generate"
	"github.com/hfpub/hfpub/validate/family/clerk/vocabulary"
)

// sessionWith finds the first session, from one on, that has what a mutation needs.
func sessionWith(t *testing.T, r *row, from int, has func(k int, s *session) bool) int {
	t.Helper()
	for k := from; k < len(r.Sessions); k++ {
		if has(k, &r.Sessions[k]) {
			return k
		}
	}
	t.Fatal("no session of the row has what the mutation needs: take another seed")
	return 0
}

// evicting finds a session that evicts something, early enough for others to follow.
func evicting(t *testing.T, r *row) int {
	return sessionWith(t, r, 0, func(_ int, s *session) bool { return s.Ops[len(s.Ops)-1].Op == "EVICT" })
}

// opOf finds the first op of a kind.
func opOf(t *testing.T, r *row, kind string) (k, i int) {
	k = sessionWith(t, r, 0, func(_ int, s *session) bool {
		i = slices.IndexFunc(s.Ops, func(o op) bool { return o.Op == kind })
		return i >= 0
	})
	return k, i
}

// asking finds the first question of a type.
func asking(t *testing.T, r *row, kind string) (k, i int) {
	k = sessionWith(t, r, 0, func(_ int, s *session) bool {
		i = slices.IndexFunc(s.QAs, func(q qa) bool { return q.Type == kind })
		return i >= 0
	})
	return k, i
}

func ptr(s string) *string { return &s }

// changeLedger changes the slots of a ledger.
func changeLedger(ledger *any, change func([]slot) []slot) { *ledger = compact(change(slots(*ledger))) }

// Each mutation breaks one promise in row 10 of the training file, and says at which pointer which code is expected.
func TestMutationsOfARow(t *testing.T) {
	const line = 10
	for name, c := range map[string]struct {
		code   string
		change func(t *testing.T, r *row) (pointer string)
	}{
		"an ADD instead of an UPDATE": {"clerk/op-add", func(t *testing.T, r *row) string {
			k, i := opOf(t, r, "UPDATE")
			r.Sessions[k].Ops[i].Op = "ADD"
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, i)
		}},
		"an UPDATE instead of an ADD": {"clerk/op-update", func(t *testing.T, r *row) string {
			r.Sessions[0].Ops[0].Op = "UPDATE"
			return "/sessions/0/gold_ops/0"
		}},
		"another object of a TOMBSTONE": {"clerk/op-tombstone", func(t *testing.T, r *row) string {
			k, i := opOf(t, r, "TOMBSTONE")
			r.Sessions[k].Ops[i].O = ptr("nothing")
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, i)
		}},
		"another object of an EVICT": {"clerk/op-evict", func(t *testing.T, r *row) string {
			k := evicting(t, r)
			i := len(r.Sessions[k].Ops) - 1
			r.Sessions[k].Ops[i].O = ptr("nothing")
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, i)
		}},
		"one object changed": {"clerk/op-event", func(t *testing.T, r *row) string {
			o := &r.Sessions[0].Ops[1]
			values := vocabulary.Shipped().Predicate(o.P).Values
			o.O = ptr(values[yes(*o.O == values[0])])
			return "/sessions/0/gold_ops/1"
		}},
		"an object that is no value": {"clerk/op-add", func(t *testing.T, r *row) string {
			r.Sessions[0].Ops[1].O = ptr("a unicorn")
			return "/sessions/0/gold_ops/1"
		}},
		"an op of another persona": {"clerk/op-subject", func(t *testing.T, r *row) string {
			r.Sessions[1].Ops[1].S = "Nobody"
			return "/sessions/1/gold_ops/1/s"
		}},
		"an event without an op": {"clerk/op-event", func(t *testing.T, r *row) string {
			r.Sessions[0].Ops = r.Sessions[0].Ops[:len(r.Sessions[0].Ops)-1]
			return "/sessions/0/gold_ops"
		}},
		"a program executed twice": {"clerk/op-twice", func(t *testing.T, r *row) string {
			s := &r.Sessions[0]
			n := len(s.Ops)
			s.Ops = append(s.Ops, s.Ops...)
			return fmt.Sprintf("/sessions/0/gold_ops/%d", n)
		}},
		"an op applied twice": {"clerk/op-twice", func(t *testing.T, r *row) string {
			k, i := opOf(t, r, "UPDATE")
			changeLedger(&r.Sessions[k].After, func(l []slot) []slot {
				for at := range l {
					if l[at].P == r.Sessions[k].Ops[i].P {
						l[at].N++
						l[at].Old = l[at].O
					}
				}
				return l
			})
			return fmt.Sprintf("/sessions/%d/ledger_after", k)
		}},
		"an EVICT dropped": {"clerk/evict-count", func(t *testing.T, r *row) string {
			k := evicting(t, r)
			s := &r.Sessions[k]
			s.Ops = s.Ops[:len(s.Ops)-1]
			return fmt.Sprintf("/sessions/%d/gold_ops", k)
		}},
		"an EVICT too many": {"clerk/evict-count", func(t *testing.T, r *row) string {
			k := evicting(t, r)
			s := &r.Sessions[k]
			first := slots(s.After)[0]
			s.Ops = append(s.Ops, op{"EVICT", r.Name, first.P, first.O})
			return fmt.Sprintf("/sessions/%d/gold_ops", k)
		}},
		"an EVICT of a slot that is not the least salient": {"clerk/evict-order", func(t *testing.T, r *row) string {
			k := len(r.Sessions) - 1 // nothing follows from it
			s := &r.Sessions[k]
			i := len(s.Ops) - 1
			if s.Ops[i].Op != "EVICT" {
				t.Fatal("the last session evicts nothing")
			}
			before := slots(s.Before)
			kept := slices.IndexFunc(before, func(b slot) bool {
				after := slots(s.After)
				j := slices.IndexFunc(after, func(a slot) bool { return a.P == b.P })
				return j >= 0 && after[j].T < k
			})
			s.Ops[i].P, s.Ops[i].O = before[kept].P, before[kept].O
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, i)
		}},
		"an op behind an EVICT": {"clerk/evict-last", func(t *testing.T, r *row) string {
			k := evicting(t, r)
			ops := r.Sessions[k].Ops
			first := slices.IndexFunc(ops, func(o op) bool { return o.Op == "EVICT" })
			ops[first], ops[first-1] = ops[first-1], ops[first]
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, first)
		}},
		"a ledger in another order": {"clerk/ledger-after", func(t *testing.T, r *row) string {
			changeLedger(&r.Sessions[2].After, func(l []slot) []slot { l[0], l[1] = l[1], l[0]; return l })
			return "/sessions/2/ledger_after"
		}},
		"a ledger in another order, taken over by the next session": {"clerk/ledger-after", func(t *testing.T, r *row) string {
			changeLedger(&r.Sessions[2].After, func(l []slot) []slot { l[0], l[1] = l[1], l[0]; return l })
			r.Sessions[3].Before = r.Sessions[2].After
			return "/sessions/2/ledger_after"
		}},
		"a slot that no program leaves": {"clerk/slot", func(t *testing.T, r *row) string {
			changeLedger(&r.Sessions[2].After, func(l []slot) []slot { l[0].T = 7; return l })
			return "/sessions/2/ledger_after"
		}},
		"a slot of another persona": {"clerk/slot", func(t *testing.T, r *row) string {
			changeLedger(&r.Sessions[1].After, func(l []slot) []slot { l[1].S = "Nobody"; return l })
			return "/sessions/1/ledger_after"
		}},
		"thirteen slots": {"clerk/budget", func(t *testing.T, r *row) string {
			k := len(r.Sessions) - 1
			s := &r.Sessions[k]
			last := s.Ops[len(s.Ops)-1]
			if last.Op != "EVICT" {
				t.Fatal("the last session evicts nothing")
			}
			before := slots(s.Before)
			at := slices.IndexFunc(before, func(b slot) bool { return b.P == last.P })
			changeLedger(&s.After, func(l []slot) []slot { return append([]slot{before[at]}, l...) })
			r.FinalLedger = s.After
			return fmt.Sprintf("/sessions/%d/ledger_after", k)
		}},
		"the chain broken by one character": {"clerk/chain", func(t *testing.T, r *row) string {
			r.Sessions[3].Before = strings.Replace(r.Sessions[3].Before.(string), `"t":0`, `"t":1`, 1)
			return "/sessions/3/ledger_before"
		}},
		"a first session that remembers": {"clerk/chain", func(t *testing.T, r *row) string {
			r.Sessions[0].Before = compact([]slot{{r.Name, "other", ptr("x"), "active", 0, nil, 1}})
			return "/sessions/0/ledger_before"
		}},
		"another final ledger": {"clerk/final-ledger", func(t *testing.T, r *row) string {
			changeLedger(&r.FinalLedger, func(l []slot) []slot { l[0].N++; return l })
			return "/final_ledger"
		}},
		"a blank behind a colon": {"clerk/not-canonical", func(t *testing.T, r *row) string {
			r.Sessions[2].After = strings.Replace(r.Sessions[2].After.(string), `"t":`, `"t": `, 1)
			return "/sessions/2/ledger_after"
		}},
		"a blank in the final ledger": {"clerk/not-canonical", func(t *testing.T, r *row) string {
			r.FinalLedger = strings.Replace(r.FinalLedger.(string), `"t":`, `"t": `, 1)
			return "/final_ledger"
		}},
		"a ledger that is no JSON": {"clerk/ledger", func(t *testing.T, r *row) string {
			r.Sessions[2].After = strings.Replace(r.Sessions[2].After.(string), `"t":`, `"t"`, 1)
			return "/sessions/2/ledger_after"
		}},
		"a slot without its key n": {"clerk/ledger", func(t *testing.T, r *row) string {
			text := r.Sessions[2].Before.(string)
			at := strings.LastIndex(text, `,"n":`)
			r.Sessions[2].Before = text[:at] + "}]"
			return "/sessions/2/ledger_before"
		}},
		"a ledger that is an array": {"schema/type", func(t *testing.T, r *row) string {
			r.Sessions[2].After = slots(r.Sessions[2].After)
			return "/sessions/2/ledger_after"
		}},
		"the old value as answer of a superseded question": {"clerk/answer", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "superseded")
			for _, s := range slots(r.Sessions[k].After) {
				if s.P == r.Sessions[k].QAs[i].Pred {
					r.Sessions[k].QAs[i].A = *s.Old
				}
			}
			return fmt.Sprintf("/sessions/%d/qas/%d/a", k, i)
		}},
		"another value of a question": {"clerk/answer", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "negated")
			r.Sessions[k].QAs[i].Value = ptr("nothing")
			return fmt.Sprintf("/sessions/%d/qas/%d/value", k, i)
		}},
		"a question about what was evicted": {"clerk/question", func(t *testing.T, r *row) string {
			k := sessionWith(t, r, evicting(t, r), func(_ int, s *session) bool { return s.QAs[0].Type == "stale" && s.Ops[len(s.Ops)-1].Op == "EVICT" })
			s := &r.Sessions[k]
			s.QAs[0].Pred = s.Ops[len(s.Ops)-1].P
			return fmt.Sprintf("/sessions/%d/qas/0/pred", k)
		}},
		"a question about somebody else": {"clerk/question-text", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "stale")
			r.Sessions[k].QAs[i].Q = strings.Replace(r.Sessions[k].QAs[i].Q, r.Name, "Nobody", 1)
			return fmt.Sprintf("/sessions/%d/qas/%d/q", k, i)
		}},
		"a question about another predicate": {"clerk/question-text", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "superseded")
			r.Sessions[k].QAs[i].Q = r.Sessions[k].QAs[len(r.Sessions[k].QAs)-1].Q
			return fmt.Sprintf("/sessions/%d/qas/%d/q", k, i)
		}},
		"a question about now instead of then": {"clerk/question-text", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "temporal")
			r.Sessions[k].QAs[i].Q = strings.Replace(r.Sessions[k].QAs[i].Q, "previous ", "", 1)
			return fmt.Sprintf("/sessions/%d/qas/%d/q", k, i)
		}},
		"a predicate changed twice in a session": {"clerk/touched-twice", changedTwice},
		"an answer that states something": {"clerk/turns", func(_ *testing.T, r *row) string {
			r.Sessions[1].Turns[3].Content = "Oh, a ferret."
			return "/sessions/1/turns/3/content"
		}},
		"a session lost at the end": {"clerk/session-count", func(_ *testing.T, r *row) string {
			last := len(r.Sessions) - 1
			r.Sessions = r.Sessions[:last]
			r.FinalLedger = r.Sessions[last-1].After
			return "/sessions"
		}},
		"a stale question about what has changed": {"clerk/question", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "superseded")
			r.Sessions[k].QAs[i].Type = "stale"
			return fmt.Sprintf("/sessions/%d/qas/%d/pred", k, i)
		}},
		"unknown for what is stated": {"clerk/unknown-stated", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "unknown")
			r.Sessions[k].QAs[i].Pred = r.Sessions[0].Ops[0].P
			return fmt.Sprintf("/sessions/%d/qas/%d/pred", k, i)
		}},
		"the same question twice": {"clerk/question-twice", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "unknown")
			r.Sessions[k].QAs = append(r.Sessions[k].QAs, r.Sessions[k].QAs[i])
			return fmt.Sprintf("/sessions/%d/qas/%d", k, i+1)
		}},
		"a question left out": {"clerk/question-count", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "stale")
			r.Sessions[k].QAs = slices.Delete(r.Sessions[k].QAs, i, i+1)
			return fmt.Sprintf("/sessions/%d/qas", k)
		}},
		"a session with another number": {"clerk/session-index", func(t *testing.T, r *row) string {
			r.Sessions[2].Index = 5
			return "/sessions/2/session_idx"
		}},
		"an event of no known kind": {"clerk/event", func(t *testing.T, r *row) string {
			i := slices.IndexFunc(r.Sessions[1].Events, func(e event) bool { return e.Kind != "CHATTER" })
			r.Sessions[1].Events[i].Kind = "DELETE"
			return fmt.Sprintf("/sessions/1/events/%d/kind", i)
		}},
		"a text without its value": {"clerk/event-text", func(t *testing.T, r *row) string {
			i := slices.IndexFunc(r.Sessions[1].Events, func(e event) bool { return e.Kind != "CHATTER" })
			r.Sessions[1].Events[i].Text = "I told you."
			r.Sessions[1].Turns[2*i].Content = "I told you."
			return fmt.Sprintf("/sessions/1/events/%d/text", i)
		}},
		"chatter that states something": {"clerk/event-text", func(t *testing.T, r *row) string {
			i := slices.IndexFunc(r.Sessions[1].Events, func(e event) bool { return e.Kind == "CHATTER" })
			r.Sessions[1].Events[i].Text += " I saw a ferret."
			r.Sessions[1].Turns[2*i].Content += " I saw a ferret."
			return fmt.Sprintf("/sessions/1/events/%d/text", i)
		}},
		"a turn that says something else": {"clerk/turns", func(t *testing.T, r *row) string {
			r.Sessions[1].Turns[2].Content = "Hello."
			return "/sessions/1/turns/2/content"
		}},
		"a turn of the wrong role": {"clerk/turns", func(t *testing.T, r *row) string {
			r.Sessions[1].Turns[3].Role = "user"
			return "/sessions/1/turns/3/role"
		}},
		"a turn too few": {"clerk/turns", func(t *testing.T, r *row) string {
			r.Sessions[1].Turns = r.Sessions[1].Turns[:len(r.Sessions[1].Turns)-1]
			return "/sessions/1/turns"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := valid(t)
			r := decode(t, s["train"][line-1])
			pointer := c.change(t, r)
			s["train"][line-1] = compact(r) + "\n"
			want := []string{fmt.Sprintf("%s train.jsonl:%d %s", c.code, line, pointer)}
			if got := s.findings(t, ""); !slices.Equal(got, want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), want[0])
			}
		})
	}
}

// changedTwice states an update of what the last session adds, and carries it through the program, the ledger and the turns.
func changedTwice(t *testing.T, r *row) (pointer string) {
	k := len(r.Sessions) - 1
	s := &r.Sessions[k]
	added := slices.IndexFunc(s.Ops, func(o op) bool { return o.Op == "ADD" })
	evict := slices.IndexFunc(s.Ops, func(o op) bool { return o.Op == "EVICT" })
	if added < 0 || evict < 0 || !slices.ContainsFunc(s.QAs, func(q qa) bool { return q.Type == "temporal" }) {
		t.Fatal("the last session adds or evicts nothing, or asks nothing about what was before: take another seed")
	}
	pred, old := s.Ops[added].P, s.Ops[added].O
	known := vocabulary.Shipped().Predicate(pred)
	value := known.Values[yes(*old == known.Values[0])]
	text := strings.Replace(known.Update[0], "{v}", value, 1)
	s.Events = append(s.Events, event{"UPDATE", &pred, &value, text})
	s.Turns = append(s.Turns, turn{"user", text}, turn{"assistant", vocabulary.Shipped().Acks[0]})
	s.Ops = slices.Insert(s.Ops, evict, op{"UPDATE", r.Name, pred, &value})
	changeLedger(&s.After, func(l []slot) []slot {
		for i := range l {
			if l[i].P == pred {
				l[i].O, l[i].Old, l[i].N = &value, old, 2
			}
		}
		return l
	})
	r.FinalLedger = s.After
	return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, evict)
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestTheUnbrokenReleaseIsValid(t *testing.T) {
	s := valid(t)
	if got := s.findings(t, ""); len(got) > 0 {
		t.Errorf("found\n  %s", strings.Join(got, "\n  "))
	}
	// Reading and writing a row as the mutations do changes nothing.
	for i, line := range s["train"] {
		if again := compact(decode(t, line)); again != strings.TrimSuffix(line, "\n") {
			t.Fatalf("row %d is written otherwise:\n%s\n%s", i, line, again)
		}
	}
}

func TestMutationsOfSplits(t *testing.T) {
	for name, c := range map[string]struct {
		want   []string
		change func(t *testing.T, s splits)
	}{
		"a name of train in test": {[]string{"clerk/name-shared test.jsonl:2 /name", "leak/train-row test.jsonl:2 "}, func(t *testing.T, s splits) {
			s["test"][1] = s["train"][3]
		}},
		"a name of val in test": {[]string{"clerk/name-shared test.jsonl:2 /name", "leak/shared-row test.jsonl:2 "}, func(t *testing.T, s splits) {
			s["test"][1] = s["val"][0]
		}},
		"a name of the pool of val in train": {[]string{"clerk/name-shared val.jsonl:1 /name", "leak/train-row val.jsonl:1 "}, func(t *testing.T, s splits) {
			s["train"][7] = s["val"][0]
		}},
		"val made from the pool of train": {[]string{"clerk/name-overlap :0 "}, func(t *testing.T, s splits) {
			p := params("train", generate.MaxPersonas)
			p.Sessions, p.Seed = 1, 991
			all := lines(t, p)
			for _, line := range all {
				if name := decode(t, line).Name; name == decode(t, s["train"][0]).Name {
					s["val"] = []string{line}
					return
				}
			}
			t.Fatal("no name of train comes up with seed 991")
		}},
		"a name twice in a split": {[]string{"clerk/name-twice train.jsonl:12 /name", "leak/repeated-row train.jsonl:12 "}, func(t *testing.T, s splits) {
			s["train"][11] = s["train"][2]
		}},
		"lines that end with CR LF": {[]string{"json/crlf test.jsonl:1 "}, func(t *testing.T, s splits) {
			s["test"] = []string{strings.TrimSuffix(s["test"][0], "\n") + "\r\n"}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := valid(t)
			c.change(t, s)
			if got := s.findings(t, ""); !slices.Equal(got, c.want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

// The budget is the declared one; without one it follows from the data.
func TestBudget(t *testing.T) {
	small := params("train", 12)
	small.Budget = 7
	roomy := params("train", 12)
	roomy.Budget = 20
	reproduce := func(args string) string {
		return "  reproduce: {run: [hfpub, generate, clerk" + args + "], produces: train.jsonl}\n"
	}
	for name, c := range map[string]struct {
		rows      []string
		reproduce string
		errors    bool
	}{
		"inferred":               {lines(t, small), "", false},
		"declared":               {lines(t, small), reproduce(`, --budget, "7"`), false},
		"declared with =":        {lines(t, small), reproduce(`, --budget=7`), false},
		"declared another one":   {lines(t, small), reproduce(`, --budget, "6"`), true},
		"declared by no flag":    {lines(t, small), reproduce(""), true},
		"the default, no flag":   {lines(t, params("train", 12)), reproduce(""), false},
		"nothing ever forgotten": {lines(t, roomy), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (splits{"train": c.rows}).findings(t, c.reproduce); len(got) > 0 != c.errors {
				t.Errorf("found\n  %s\nwant errors: %v", strings.Join(got, "\n  "), c.errors)
			}
		})
	}
}
