package clerk_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/generate"
)

// What is generated keeps every promise of a session that the checker knows, whatever the parameters: the mutations show that
// it would find a broken one.
func TestGeneratedTimelinesAreValid(t *testing.T) {
	for _, budget := range []int{6, 7, 12, 20} {
		for seed, split := range generate.Splits() {
			p := generate.Params{Personas: 12, Sessions: 10, Budget: budget, Seed: uint64(seed), Split: split}
			reproduce := fmt.Sprintf("  reproduce: {run: [hfpub, generate, clerk, --budget, \"%d\"], produces: %s.jsonl}\n", budget, split)
			if got := (splits{split: lines(t, p)}).findings(t, reproduce); len(got) > 0 {
				t.Errorf("%+v: found\n  %s", p, strings.Join(got, "\n  "))
			}
		}
	}
}

// Rows do not depend on how many there are, nor sessions.
func TestPrefixStability(t *testing.T) {
	large := params("train", 40)
	all := lines(t, large)
	for _, personas := range []int{1, 7, 8, 9, 39} {
		small := large
		small.Personas = personas
		if got := lines(t, small); !slices.Equal(got, all[:personas]) {
			t.Errorf("the first %d of 40 rows are others when there are no more", personas)
		}
	}
	short := large
	short.Sessions = 3
	for i, line := range lines(t, short) {
		long := decode(t, all[i])
		long.Sessions = long.Sessions[:3]
		long.FinalLedger = long.Sessions[2].After
		if got := strings.TrimSuffix(line, "\n"); got != compact(long) {
			t.Fatalf("the first 3 of 8 sessions of row %d are others when there are no more", i)
		}
	}
}

func TestSeedAndSplitChangeTheFile(t *testing.T) {
	base := params("train", 20)
	seen := map[string]string{}
	for _, p := range []generate.Params{base, {Personas: 20, Sessions: 8, Budget: 12, Seed: 138, Split: "train"},
		{Personas: 20, Sessions: 8, Budget: 12, Seed: 137, Split: "val"}, {Personas: 20, Sessions: 8, Budget: 12, Seed: 137, Split: "test"}} {
		text := strings.Join(lines(t, p), "")
		if other, same := seen[text]; same {
			t.Errorf("%+v gives the same file as %s", p, other)
		}
		seen[text] = fmt.Sprintf("%+v", p)
	}
}

func TestAllNamesOfASplitAreDistinct(t *testing.T) {
	for _, split := range generate.Splits() {
		p := generate.Params{Personas: generate.MaxPersonas, Sessions: 1, Budget: 12, Seed: 3, Split: split}
		seen := map[string]bool{}
		for _, line := range lines(t, p) {
			_, rest, _ := strings.Cut(line, `{"name":"`)
			name, _, _ := strings.Cut(rest, `"`)
			if seen[name] {
				t.Fatalf("%s stands twice in %s", name, split)
			}
			seen[name] = true
		}
	}
}

// A budget decides what is forgotten and nothing else: what is said in a session depends on the ledger before it.
func TestTheBudgetDecidesOnEvictionsOnly(t *testing.T) {
	small, large := params("train", 30), params("train", 30)
	small.Budget, large.Budget = 8, 20
	same := 0
	a, b := lines(t, small), lines(t, large)
	for i := range a {
		first, second := decode(t, a[i]), decode(t, b[i])
		for k := range first.Sessions {
			s, l := first.Sessions[k], second.Sessions[k]
			if slices.ContainsFunc(l.Ops, func(o op) bool { return o.Op == "EVICT" }) {
				t.Fatalf("row %d evicts something under a budget of 20, which no ledger can exceed", i)
			}
			if s.Before != l.Before {
				break
			}
			same++
			kept := slices.DeleteFunc(s.Ops, func(o op) bool { return o.Op == "EVICT" })
			if compact(s.Events) != compact(l.Events) || compact(s.Turns) != compact(l.Turns) || compact(kept) != compact(l.Ops) {
				t.Fatalf("row %d, session %d differs by more than evictions", i, k)
			}
		}
	}
	if same < 60 {
		t.Errorf("only %d sessions could be compared", same)
	}
}

func TestEveryKindComesUp(t *testing.T) {
	kinds := func(sessions int) (types, ops map[string]bool) {
		p := params("train", 20)
		p.Sessions = sessions
		types, ops = map[string]bool{}, map[string]bool{}
		for _, line := range lines(t, p) {
			for _, s := range decode(t, line).Sessions {
				for _, q := range s.QAs {
					types[q.Type] = true
				}
				for _, o := range s.Ops {
					ops[o.Op] = true
				}
			}
		}
		return types, ops
	}
	if types, _ := kinds(4); len(types) != 5 {
		t.Errorf("4 sessions have the types of questions %v, want all five", types)
	}
	if _, ops := kinds(8); len(ops) != 4 {
		t.Errorf("8 sessions have the ops %v, want all four", ops)
	}
}

// A world that forgets nothing agrees with every slot that a ledger still holds.
func TestTheLedgerAgreesWithTheWorld(t *testing.T) {
	for _, line := range lines(t, params("test", 20)) {
		r := decode(t, line)
		value := map[string]*string{}
		for k, s := range r.Sessions {
			for _, e := range s.Events {
				switch e.Kind {
				case "ADD", "UPDATE":
					if old := value[*e.Pred]; old != nil && *old == *e.Value {
						t.Errorf("%s, session %d: %s is stated to be %s again", r.Name, k, *e.Pred, *e.Value)
					}
					value[*e.Pred] = e.Value
				case "NEGATE":
					value[*e.Pred] = nil
				}
			}
			for _, held := range slots(s.After) {
				want := value[held.P]
				if (want == nil) != (held.O == nil) || want != nil && *want != *held.O {
					t.Errorf("%s, session %d: the ledger does not agree with what was said of %s", r.Name, k, held.P)
				}
			}
		}
	}
}

func TestBytes(t *testing.T) {
	text := strings.Join(lines(t, params("val", 10)), "")
	if bytes.ContainsAny([]byte(text), "\r\ufeff") || !strings.HasPrefix(text, `{"name":"`) {
		t.Error("the file has a byte order mark or a carriage return")
	}
	for i, line := range lines(t, params("val", 10)) {
		r := decode(t, line)
		if compact(r) != strings.TrimSuffix(line, "\n") {
			t.Errorf("row %d is written otherwise when it is read and written", i)
		}
		for k, s := range r.Sessions {
			for _, ledger := range []any{s.Before, s.After} {
				if compact(slots(ledger)) != ledger {
					t.Errorf("row %d, session %d: the ledger is written otherwise when it is read and written", i, k)
				}
			}
		}
	}
}
