package salience_test

import (
	"testing"

	"github.com/hfpub/hfpub/validate/family/clerk/salience"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name string
		fact salience.Fact
		want int
	}{
		{"just touched", salience.Fact{Importance: 3, Changed: 7, Ops: 1}, 1000 + 30 + 8},
		{"old", salience.Fact{Importance: 3, Changed: 2, Ops: 1}, 30 + 8 - 30},
		{"ops count up to five", salience.Fact{Importance: 1, Changed: 6, Ops: 9}, 10 + 40 - 6},
		{"withdrawn", salience.Fact{Importance: 5, Changed: 6, Ops: 2, Tombstone: true}, 50 + 16 - 6 - 15},
		{"changed before", salience.Fact{Importance: 5, Changed: 6, Ops: 2, Superseded: true}, 50 + 16 - 6 + 5},
	} {
		if got := salience.Of(&c.fact, 7); got != c.want {
			t.Errorf("%s: the salience is %d, want %d", c.name, got, c.want)
		}
	}
}

func TestTies(t *testing.T) {
	base := salience.Fact{Pred: "m", Importance: 3, Changed: 5, Ops: 6}
	for _, c := range []struct {
		name  string
		first salience.Fact
	}{
		// 10 importance less and 30 for five sessions: the same salience
		{"older first", salience.Fact{Pred: "z", Importance: 3 + 3, Changed: 0, Ops: 6}},
		{"fewer ops first", salience.Fact{Pred: "z", Importance: 3, Changed: 5, Ops: 5}},
		{"predicate in byte order", salience.Fact{Pred: "a", Importance: 3, Changed: 5, Ops: 6}},
	} {
		if a, b := salience.Of(&c.first, 7), salience.Of(&base, 7); a != b {
			t.Fatalf("%s: the saliences %d and %d are no tie", c.name, a, b)
		}
		if salience.Compare(&c.first, &base, 7) >= 0 || salience.Compare(&base, &c.first, 7) <= 0 {
			t.Errorf("%s: the order is the other one", c.name)
		}
	}
	if salience.Compare(&base, &base, 7) != 0 {
		t.Error("a fact is not equal to itself")
	}
}
