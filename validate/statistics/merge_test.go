package statistics

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/column"
)

// manySplits makes the memory for each column so small that a few hundred distinct values are too many.
const manySplits = maxPairs

// table makes rows with a column of every kind. Few distinct values make labels, many make texts and estimates.
func table(random *rand.Rand, n, distinct int) []string {
	var out []string
	for i := range n {
		var members []string
		add := func(name, value string) {
			if random.IntN(10) > 0 {
				members = append(members, fmt.Sprintf("%q: %s", name, value))
			}
		}
		at := random.IntN(distinct)
		add("int", fmt.Sprint(at*at-100))
		add("float", fmt.Sprint(random.NormFloat64()*1e3))
		add("bool", []string{"true", "false", "null"}[random.IntN(3)])
		add("text", fmt.Sprintf(`"text %d %s"`, at, strings.Repeat("é", at%50)))
		add("list", "["+strings.TrimSuffix(strings.Repeat("1,", at%40), ",")+"]")
		add("when", fmt.Sprintf(`"2024-%02d-%02dT%02d:%02d:%02d+02:00"`, 1+at%12, 1+at%28, at%24, at%60, i%60))
		add("date", fmt.Sprintf(`"%02d/%02d/2024"`, 1+at%28, 1+at%12))
		add("id", fmt.Sprintf(`"%07d"`, random.IntN(1e7)))
		add("mixed", []string{"1", "2.5", `"x"`, "true"}[random.IntN(4)])
		add("label", fmt.Sprint(random.IntN(4)-1))
		out = append(out, "{"+strings.Join(members, ", ")+"}")
	}
	return out
}

var tableFeatures = column.Features{
	{Name: "int", Type: scalar("int64")}, {Name: "float", Type: scalar("float64")}, {Name: "bool", Type: scalar("bool")},
	{Name: "text", Type: scalar("string")}, {Name: "list", Type: column.Type{List: &column.Type{Dtype: "int64"}}},
	{Name: "when", Type: scalar("timestamp[s]")}, {Name: "date", Type: scalar("string")}, {Name: "id", Type: scalar("string")},
	{Name: "mixed", Type: scalar("string")}, {Name: "label", Type: column.Type{ClassLabel: []string{"a", "b", "c"}}},
	{Name: "absent", Type: scalar("float32")},
}

// The rows of a split are cut into runs, whose observers are merged in any grouping: the result is that of one observer.
func TestTheCutsDoNotMatter(t *testing.T) {
	for name, test := range map[string]struct{ rows, distinct, splits int }{
		"exact":     {1200, 300, 1},
		"estimated": {6000, 5000, manySplits},
		"labels":    {800, 7, 1},
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, 7))
			lines := table(random, test.rows, test.distinct)
			whole := described(t, seen(t, test.splits, false, lines...))
			for range 6 {
				if diff := cmp.Diff(whole, described(t, inRuns(t, random, test.splits, lines))); diff != "" {
					t.Fatalf("the result depends on the cuts (-whole +merged):\n%s", diff)
				}
			}
		})
	}
}

func described(t *testing.T, o *Observer) string {
	t.Helper()
	columns, faults := o.Finish(tableFeatures)
	return strings.ReplaceAll(asJSON(t, columns), "},", "},\n") + fmt.Sprint(faults)
}

// inRuns observes rows in runs, some of which go through their binary form, and merges neighbours at random.
func inRuns(t *testing.T, random *rand.Rand, splits int, lines []string) *Observer {
	t.Helper()
	var runs []*Observer
	for len(lines) > 0 {
		n := min(1+random.IntN(400), len(lines))
		o := seen(t, splits, false, lines[:n]...)
		switch random.IntN(3) {
		case 0:
			o.Seal()
		case 1:
			o = carried(t, o)
		}
		runs = append(runs, o)
		lines = lines[n:]
	}
	for len(runs) > 1 {
		i := random.IntN(len(runs) - 1)
		runs[i].Merge(runs[i+1])
		runs = append(runs[:i+1], runs[i+2:]...)
	}
	return runs[0]
}

// An observer that follows another one keeps less, and says the same.
func TestFollowing(t *testing.T) {
	lines := table(rand.New(rand.NewPCG(9, 9)), 6000, 4000)
	whole := described(t, seen(t, 1, false, lines...))
	first := NewObserver(1)
	first.Merge(seen(t, 1, false, lines[:3000]...))
	second := NewObserver(1)
	second.Follow(first)
	observe(t, second, false, lines[3000:]...)
	if second.columns[second.index["text"]].texts.labels != nil || second.columns[second.index["date"]].texts.labels == nil {
		t.Error("texts that were many before are not kept, others are")
	}
	first.Merge(second)
	if diff := cmp.Diff(whole, described(t, first)); diff != "" {
		t.Errorf("(-one run +following):\n%s", diff)
	}
}

// Asking twice gives the same answer twice: a report may be made again after more was merged.
func TestFinishChangesNothing(t *testing.T) {
	lines := table(rand.New(rand.NewPCG(3, 3)), 2000, 1500)
	for _, splits := range []int{1, manySplits} {
		o := seen(t, splits, false, lines...)
		first := described(t, o)
		if diff := cmp.Diff(first, described(t, o)); diff != "" {
			t.Errorf("the second answer differs:\n%s", diff)
		}
	}
}
