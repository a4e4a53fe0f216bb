package pythonrandom

import (
	"fmt"
	"slices"
	"testing"
)

// The orders are those of Python 3: random.Random(seed).shuffle(list(range(n))).
func TestShuffleIsPythons(t *testing.T) {
	for _, c := range []struct {
		seed, n int
		want    string
	}{
		{42, 10, "[7 3 2 8 5 6 9 4 0 1]"},
		{-42, 10, "[7 3 2 8 5 6 9 4 0 1]"},
		{31416, 10, "[9 2 6 3 0 1 5 4 7 8]"},
		{0, 10, "[7 8 1 5 3 4 2 0 9 6]"},
		{1<<40 + 5, 10, "[1 2 3 6 7 0 5 4 9 8]"},
		{42, 1, "[0]"},
		{42, 0, "[]"},
	} {
		list := make([]int, c.n)
		for i := range list {
			list[i] = i
		}
		Shuffle(c.seed, list)
		if got := fmt.Sprint(list); got != c.want {
			t.Errorf("seed %d: %s, want %s", c.seed, got, c.want)
		}
	}
}

// A thousand draws need the state to be made anew.
func TestShuffleOfAThousand(t *testing.T) {
	list := make([]int, 1000)
	for i := range list {
		list[i] = i
	}
	Shuffle(42, list)
	if want := []int{776, 507, 895, 922, 33, 483, 85, 750, 354, 523}; !slices.Equal(list[:10], want) {
		t.Errorf("begins with %v, want %v", list[:10], want)
	}
	if want := []int{281, 759, 25, 114, 654}; !slices.Equal(list[995:], want) {
		t.Errorf("ends with %v, want %v", list[995:], want)
	}
}

// The numbers are those of Python: random.Random(42).
func TestWordsAndNumbersArePythons(t *testing.T) {
	random := New(42)
	for i, want := range []uint32{2746317213, 478163327, 107420369} {
		if got := random.Word(); got != want {
			t.Errorf("word %d is %d, want %d", i, got, want)
		}
	}
	random = New(42)
	for i, want := range []int{1, 0, 4, 3, 3, 2, 1, 8} {
		if got := random.Below(10); got != want {
			t.Errorf("number %d below 10 is %d, want %d", i, got, want)
		}
	}
	for i, want := range []int{356, 2418, 1728, 130, 122} {
		if got := random.Below(3007); got != want {
			t.Errorf("number %d below 3007 is %d, want %d", i, got, want)
		}
	}
}
