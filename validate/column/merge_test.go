package column

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// state writes everything that an observer knows.
func state(o *Observer) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d %v %v %v %v %v\n", o.batches, o.first, o.last, o.json, o.cells, o.sets)
	var write func(f *field, indent string)
	write = func(f *field, indent string) {
		inventory := f.inventory
		inventory.values.slots, inventory.missings.slots = nil, nil
		f.inventory.numbers.settle()
		numbers := f.inventory.numbers
		inventory.numbers = extremes{lost: numbers.lost}
		fmt.Fprintf(&out, "%s%q level %d weight %d wide %v first %v\n", indent, f.name, f.level, f.weight, f.wide, f.inFirstRow)
		fmt.Fprintf(&out, "%s head %+v\n%s tail %+v\n%s sum %+v\n", indent, f.head, indent, f.tail, indent, f.sum)
		fmt.Fprintf(&out, "%s inventory %+v %s %s\n", indent, inventory, numbers.minT, numbers.maxT)
		for _, m := range f.members {
			write(m, indent+"  ")
		}
		if f.element != nil {
			write(f.element, indent+"  ")
		}
	}
	write(o.root, "")
	return out.String()
}

// sourceRow is a row of a test with its place.
type sourceRow struct {
	row  rows.Row
	text string
}

// observeRows shows rows to observers that each see a run of them, and merges these. Those that are merged are used again, two of
// them in turn.
func observeRows(t testing.TB, source []sourceRow, cuts []int) *Observer {
	t.Helper()
	merged := NewObserver()
	var doc tape.Tape
	start := 0
	var spare []*Observer
	for _, end := range append(cuts, len(source)) {
		o := NewObserver()
		if len(spare) == 2 {
			o, spare = spare[0], spare[1:]
		}
		for _, s := range source[start:end] {
			row := s.row
			row.Doc = &doc
			if problems := doc.Parse([]byte(s.text)); len(problems) > 0 {
				t.Fatalf("the test's own row %s is not strict JSON: %v", s.text, problems)
			}
			o.Observe(&row)
		}
		start = end
		merged.Merge(o)
		if o.Reuse() {
			spare = append(spare, o)
		}
	}
	return merged
}

// randomCuts cuts n rows into runs, some of them empty.
func randomCuts(random *rand.Rand, n int) []int {
	var cuts []int
	for at := 0; at < n; {
		cuts = append(cuts, at)
		at += random.IntN(n/3 + 2)
	}
	return cuts
}

// randomRows makes rows of several files and batches, some of one row, in which columns and fields come and go.
func randomRows(random *rand.Rand) []sourceRow {
	var out []sourceRow
	for file := range 1 + random.IntN(4) {
		absent := random.IntN(6)
		var index int64
		for batch := range 1 + random.IntN(3) {
			for range 1 + random.IntN(1+random.IntN(20)) {
				row := rows.Row{Path: fmt.Sprint("file", file), Line: int(index) + 1, Index: index, Batch: batch}
				out = append(out, sourceRow{row, randomObject(random, 3, absent)})
				index++
			}
		}
	}
	return out
}

func randomObject(random *rand.Rand, depth, absent int) string {
	var members []string
	for i := range 5 {
		if i != absent && random.IntN(5) > 0 {
			members = append(members, fmt.Sprintf(`"k%d": %s`, i, randomValue(random, depth-1, i)))
		}
	}
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ", ") + "}"
}

func randomValue(random *rand.Rand, depth, field int) string {
	if random.IntN(6) == 0 {
		return "null"
	}
	kind := field
	if random.IntN(12) == 0 {
		kind = random.IntN(5)
	}
	switch {
	case kind == 0 && depth > 0:
		return randomObject(random, depth, -1)
	case kind == 1 && depth > 0:
		var elements []string
		for range random.IntN(4) {
			elements = append(elements, randomValue(random, depth-1, random.IntN(3)))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case kind == 2:
		return []string{"true", "false"}[random.IntN(2)]
	case kind == 3:
		return []string{"1", "2.5", "-7", "1e3", "2.0", "9007199254740993", "18446744073709551616", "0.30000000000000004"}[random.IntN(8)]
	}
	return []string{`"2024-01-02"`, `"2024-01-02T03:04:05Z"`, `"x"`, `""`, `"12"`, `"\u65e5/"`, `"日本"`}[random.IntN(7)]
}

func TestResultDoesNotDependOnTheCuts(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		source := randomRows(random)
		whole := observeRows(t, source, nil)
		for range 4 {
			cuts := randomCuts(random, len(source))
			merged := observeRows(t, source, cuts)
			if diff := cmp.Diff(state(whole), state(merged)); diff != "" {
				t.Fatalf("seed %d: cut at %v, the result differs (-whole +merged):\n%s", seed, cuts, diff)
			}
		}
	}
}

func TestCellsDoNotDependOnTheCuts(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 2))
		var source []sourceRow
		for i := range 40 {
			cell := []string{"", "1", "2.5", "x", "True", "NA", "007", "18446744073709551615"}[random.IntN(1+random.IntN(8))]
			row := rows.Row{Path: "a.csv", Line: i + 2, Index: int64(i) * 900, Cells: true}
			source = append(source, sourceRow{row, fmt.Sprintf(`{"a": %q, "b": "1"}`, cell)})
		}
		whole := observeRows(t, source, nil)
		cuts := randomCuts(random, len(source))
		if diff := cmp.Diff(state(whole), state(observeRows(t, source, cuts))); diff != "" {
			t.Fatalf("seed %d: cut at %v, the result differs (-whole +merged):\n%s", seed, cuts, diff)
		}
	}
}

func TestWideObjectsDoNotDependOnTheCuts(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 3))
		var source []sourceRow
		for i := range 60 {
			var keys, deep []string
			for range 300 {
				keys = append(keys, fmt.Sprintf(`"%d": 1`, random.IntN(20_000)))
				deep = append(deep, fmt.Sprintf(`"%d": {"x": [1]}`, random.IntN(1000+i*20)))
			}
			text := fmt.Sprintf(`{"id": %d, "words": {%s}, "meta": {"lang": "en", "deep": {%s}}}`, i, distinct(keys), distinct(deep))
			source = append(source, sourceRow{rows.Row{Path: "a", Line: i + 1, Index: int64(i)}, text})
		}
		whole := observeRows(t, source, nil)
		cuts := randomCuts(random, len(source))
		if diff := cmp.Diff(state(whole), state(observeRows(t, source, cuts))); diff != "" {
			t.Fatalf("seed %d: cut at %v, the result differs (-whole +merged):\n%.3000s", seed, cuts, diff)
		}
		if words := whole.root.at(1, []byte("words")); !words.wide {
			t.Fatalf("words has %d distinct fields and should be wide", words.weight)
		}
	}
}

// distinct joins members of an object, each once by its key.
func distinct(members []string) string {
	seen := map[string]bool{}
	var out []string
	for _, m := range members {
		key, _, _ := strings.Cut(m, ":")
		if !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	return strings.Join(out, ", ")
}

func FuzzCuts(f *testing.F) {
	f.Add([]byte("{\"a\": 1}\n{\"a\": {\"b\": [1.5, null]}}\n{\"a\": \"2024-01-02\", \"c\": {}}"), uint64(7))
	f.Add([]byte("{\"a\": {\"b\": 1}}\nnull\n[1, [2]]\n\"x\"\n{\"a\": {\"c\": \"\\ud83e\\udd89\"}}"), uint64(99))
	f.Add([]byte("{\"\": [[], [[1e400]], -0, 0.0000000000000000001]}\n{\"\": [\"[1,]\", \"{\\\"a\\\":1,}\"]}"), uint64(3))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 4))
		var source []sourceRow
		var doc tape.Tape
		batch := 0
		for i, line := range strings.Split(string(text), "\n") {
			if len(doc.Parse([]byte(line))) > 0 {
				continue
			}
			batch += random.IntN(2)
			source = append(source, sourceRow{rows.Row{Path: "a", Line: i + 1, Index: int64(i), Batch: batch}, line})
		}
		whole := observeRows(t, source, nil)
		merged := observeRows(t, source, randomCuts(random, len(source)))
		if diff := cmp.Diff(state(whole), state(merged)); diff != "" {
			t.Fatalf("the result depends on the cuts (-whole +merged):\n%s", diff)
		}
		features := Config([]*Observer{whole})
		if again, err := ParseFeatures(features.YAML()); err != nil || asJSON(t, features) != asJSON(t, again) {
			t.Fatalf("features do not come back: %v\n%s\n%s", err, asJSON(t, features), asJSON(t, again))
		}
		whole.NumBytes(features)
		whole.Fields()
	})
}
