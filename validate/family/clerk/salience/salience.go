// Package salience says which facts of a CLERK ledger are forgotten first when it holds more than its budget.
package salience

import "cmp"

// Fact is what the order depends on.
type Fact struct {
	// Pred is the id of the predicate, Importance its importance.
	Pred       string
	Importance int
	// Changed is the session that last changed the slot, Ops the number of ops that created or changed it.
	Changed, Ops int
	// Tombstone says that the fact was withdrawn, Superseded that it holds and another value held before.
	Tombstone, Superseded bool
}

// Of is the salience of a fact at the end of a session. What the session touched is kept before all else.
func Of(f *Fact, session int) int {
	s := 10*f.Importance + 8*min(f.Ops, 5) - 6*(session-f.Changed)
	if f.Changed == session {
		s += 1000
	}
	if f.Tombstone {
		s -= 15
	} else if f.Superseded {
		s += 5
	}
	return s
}

// Compare orders two facts of a ledger at the end of a session: negative when a is forgotten before b. Ties of the salience
// fall to the older fact, then to the one with fewer ops, then to the id of the predicate.
func Compare(a, b *Fact, session int) int {
	return cmp.Or(cmp.Compare(Of(a, session), Of(b, session)), cmp.Compare(a.Changed, b.Changed), cmp.Compare(a.Ops, b.Ops),
		cmp.Compare(a.Pred, b.Pred))
}
