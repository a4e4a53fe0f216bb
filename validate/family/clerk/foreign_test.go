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
