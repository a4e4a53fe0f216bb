package clerk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// foreign writes a timeline as another program might: slots with other keys, in text with blanks.
func foreign(t *testing.T, line string) *row {
	r := decode(t, line)
	again := func(ledger any) any {
		var out []string
		for _, s := range slots(ledger) {
			value := "null"
			if s.O != nil {
				value = compact(*s.O)
			}
			out = append(out, fmt.Sprintf(`{"subject": %s, "predicate": %q, "object": %s, "salience": 0.5}`, compact(s.S), s.P, value))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	for k := range r.Sessions {
		r.Sessions[k].Before, r.Sessions[k].After = again(r.Sessions[k].Before), again(r.Sessions[k].After)
	}
	r.FinalLedger = again(r.FinalLedger)
	// The answer to temporal questions is in no slot of this form.
	for k := range r.Sessions {
		r.Sessions[k].QAs = slices.DeleteFunc(r.Sessions[k].QAs, func(q qa) bool { return q.Type == "temporal" })
	}
	return r
}

// atTheEnd changes the first slot of the last ledger that no op is about; added is the slot that the last session adds. Nothing is
// asked about the ledger any more.
func atTheEnd(t *testing.T, r *row, change func(added, slot string) string) (pointer string) {
	t.Helper()
	k := len(r.Sessions) - 1
	s := &r.Sessions[k]
	text := s.After.(string)
	list := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "["), "}]"), "}, ")
	op := func(slot string, kinds ...string) bool {
		return slices.ContainsFunc(s.Ops, func(o op) bool {
			return strings.Contains(slot, fmt.Sprintf(`"predicate": %q`, o.P)) && (len(kinds) == 0 || slices.Contains(kinds, o.Op))
		})
	}
	added := slices.IndexFunc(list, func(slot string) bool { return op(slot, "ADD") })
	still := slices.IndexFunc(list, func(slot string) bool { return !op(slot) })
	if added < 0 || still < 0 {
		t.Fatal("the last session adds nothing, or is about all slots: take another seed")
	}
	var out []string
	for i, slot := range list {
		slot += "}"
		if i == still {
			slot = change(list[added]+"}", slot)
		}
		if slot != "" {
			out = append(out, slot)
		}
	}
	s.After, s.QAs = "["+strings.Join(out, ", ")+"]", []qa{}
	r.FinalLedger = s.After
	return fmt.Sprintf("/sessions/%d/ledger_after", k)
}

// Of slots of another form no more is known than what the card of CLERK promises.
func TestForeignSlots(t *testing.T) {
	const line = 10
	for name, c := range map[string]struct {
		code   string
		change func(t *testing.T, r *row) (pointer string)
	}{
		"nothing": {"", func(*testing.T, *row) string { return "" }},
		"the chain": {"clerk/chain", func(_ *testing.T, r *row) string {
			r.Sessions[2].Before = strings.Replace(r.Sessions[2].Before.(string), "0.5", "0.6", 1)
			return "/sessions/2/ledger_before"
		}},
		"the final ledger": {"clerk/final-ledger", func(_ *testing.T, r *row) string {
			r.FinalLedger = strings.Replace(r.FinalLedger.(string), "0.5", "0.6", 1)
			return "/final_ledger"
		}},
		"text that is no JSON": {"clerk/ledger", func(_ *testing.T, r *row) string {
			r.FinalLedger = r.FinalLedger.(string)[1:]
			return "/final_ledger"
		}},
		"an op without effect": {"clerk/ledger-after", func(_ *testing.T, r *row) string {
			r.Sessions[0].Ops[0].O = ptr("something else")
			return "/sessions/0/gold_ops/0"
		}},
		"an EVICT of what stays": {"clerk/ledger-after", func(t *testing.T, r *row) string {
			k := evicting(t, r)
			ops := r.Sessions[k].Ops
			ops[len(ops)-1].P = ops[0].P
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, len(ops)-1)
		}},
		"an UPDATE of what is not there": {"clerk/op-update", func(t *testing.T, r *row) string {
			r.Sessions[0].Ops[0].Op = "UPDATE"
			return "/sessions/0/gold_ops/0"
		}},
		"a TOMBSTONE of what is not there": {"clerk/op-tombstone", func(t *testing.T, r *row) string {
			k, i := opOf(t, r, "TOMBSTONE")
			r.Sessions[k].Ops[i].P = "nothing"
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", k, i)
		}},
		"an EVICT of what is not there": {"clerk/op-evict", func(t *testing.T, r *row) string {
			ops := r.Sessions[len(r.Sessions)-1].Ops // nothing follows from it
			ops[len(ops)-1].P = "nothing"
			return fmt.Sprintf("/sessions/%d/gold_ops/%d", len(r.Sessions)-1, len(ops)-1)
		}},
		"a slot that comes from nowhere": {"clerk/ledger-after", func(t *testing.T, r *row) string {
			return atTheEnd(t, r, func(_, slot string) string { return strings.Replace(slot, `"predicate": "`, `"predicate": "x`, 1) })
		}},
		"a slot that changes by itself": {"clerk/ledger-after", func(t *testing.T, r *row) string {
			return atTheEnd(t, r, func(_, slot string) string {
				before, _, _ := strings.Cut(slot, `"object": `)
				return before + `"object": "another", "salience": 0.5}`
			})
		}},
		"a slot that gets lost": {"clerk/ledger-after", func(t *testing.T, r *row) string {
			return atTheEnd(t, r, func(_, _ string) string { return "" })
		}},
		"an op applied twice": {"clerk/op-twice", func(t *testing.T, r *row) string {
			return atTheEnd(t, r, func(added, _ string) string { return added })
		}},
		"an op of somebody else": {"clerk/op-subject", func(_ *testing.T, r *row) string {
			r.Sessions[0].Ops[0].S = "Nobody"
			return "/sessions/0/gold_ops/0/s"
		}},
		"an answer that is nowhere": {"clerk/answer", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "stale")
			r.Sessions[k].QAs[i].A, r.Sessions[k].QAs[i].Value = "a unicorn", ptr("a unicorn")
			return fmt.Sprintf("/sessions/%d/qas/%d/a", k, i)
		}},
		"unknown for what is stated": {"clerk/unknown-stated", func(t *testing.T, r *row) string {
			k, i := asking(t, r, "unknown")
			r.Sessions[k].QAs[i].Pred = r.Sessions[0].Ops[0].P
			return fmt.Sprintf("/sessions/%d/qas/%d/pred", k, i)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := splits{"train": lines(t, params("train", 12))}
			for i, line := range s["train"] {
				s["train"][i] = compact(foreign(t, line)) + "\n"
			}
			r := decode(t, s["train"][line-1])
			var want []string
			if pointer := c.change(t, r); c.code != "" {
				want = []string{c.code + " train.jsonl:10 " + pointer}
			}
			s["train"][line-1] = compact(r) + "\n"
			if got := s.findings(t, ""); !slices.Equal(got, want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, ""))
			}
		})
	}
}

// What processes and blocks see apart makes one report.
func TestShards(t *testing.T) {
	s := valid(t)
	for i := range s["train"] {
		r := decode(t, s["train"][i])
		switch i % 4 {
		case 0:
			r.Sessions[2].Index = 9
		case 1:
			r.Sessions[0].Ops[0].Op = "UPDATE"
		case 2:
			k := len(r.Sessions) - 1
			r.Sessions[k].Ops = r.Sessions[k].Ops[:len(r.Sessions[k].Ops)-1]
		}
		s["train"][i] = compact(r) + "\n"
	}
	s["test"][1] = s["train"][3]
	s["train"][11] = s["train"][2]
	s.files("").HoldShards(t)
}
