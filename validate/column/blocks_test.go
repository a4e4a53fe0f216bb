package column

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/rows"
)

// blocksOf are rows of a file, each with the values of a column and padded to a block of its own, so that Arrow never meets two of
// them in one block.
func blocksOf(values ...string) string {
	var out strings.Builder
	for _, value := range values {
		row := `{` + value + `"pad": "`
		end := "\"}\n"
		out.WriteString(row + strings.Repeat("x", blockSize-len(row)-len(end)) + end)
	}
	return out.String()
}

func TestKindsThatMeetInNoBlock(t *testing.T) {
	const absent = ""
	for _, c := range []struct {
		name   string
		given  Reading
		values []string
		// typ is the type of the column, "" when load_dataset fails; want are the troubles.
		typ  string
		want []string
	}{
		{name: "one kind", values: []string{`"a": 1, `, absent, `"a": 2, `}, typ: dtypeInt64},
		{name: "a number, then text", values: []string{`"a": 1, `, absent, `"a": "x", `}, want: []string{"error loader/type-changes train/a.jsonl:3 /a"}},
		{name: "a number, then digits", values: []string{`"a": 1, `, absent, `"a": "007", `}, typ: dtypeInt64, want: []string{"warning loader/values-change train/a.jsonl:3 /a"}},
		{name: "a number, then a fraction as text", values: []string{`"a": 1, `, `"a": "0.5", `}, typ: dtypeFloat64, want: []string{"warning loader/values-change train/a.jsonl:2 /a"}},
		{name: "text, then a number", values: []string{`"a": "x", `, absent, `"a": 1, `}, typ: dtypeString, want: []string{"warning loader/values-change train/a.jsonl:3 /a"}},
		{name: "a date, then a number", values: []string{`"a": "2024-01-31", `, `"a": 1, `}, typ: dtypeString, want: []string{"warning loader/values-change train/a.jsonl:2 /a"}},
		{name: "a boolean, then a number", values: []string{`"a": true, `, absent, `"a": 1, `}, want: []string{"error loader/type-changes train/a.jsonl:3 /a"}},
		{name: "text and a number in one block", values: []string{`"a": "x", `, `"a": 1, "b": 1}` + "\n" + `{"a": "y", `}, typ: dtypeJSON, want: []string{"warning loader/mixed-kinds train/a.jsonl:2 /a"}},
		{name: "an object, then a number", values: []string{`"a": {"x": 1}, `, `"a": 1, `}, typ: dtypeJSON, want: []string{"warning loader/mixed-kinds train/a.jsonl:2 /a"}},
		{name: "so many blocks that nothing is cut", values: []string{`"a": 1, `, absent, absent, absent, absent, absent, absent, absent, `"a": "x", `}, typ: dtypeJSON,
			want: []string{"warning loader/mixed-kinds train/a.jsonl:9 /a"}},
		{name: "declared as json", given: Reading{Declared: Features{{"a", Type{Dtype: dtypeJSON}}, {"pad", Type{Dtype: dtypeString}}}},
			values: []string{`"a": 1, `, `"a": "x", `}, typ: dtypeJSON},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := loadSplits(t, c.given, "train/a.jsonl", blocksOf(c.values...))
			if diff := cmp.Diff(c.want, briefly(got.Troubles)); diff != "" {
				t.Errorf("troubles (-want +got):\n%s", diff)
			}
			if c.typ == "" {
				if !got.Fails {
					t.Error("it loads, and Arrow has no way from one kind to the other")
				}
				return
			}
			if got.Fails || got.Features[0].Name != "a" || got.Features[0].Type.Dtype != c.typ {
				t.Errorf("fails %v, features %v, want %s for the column", got.Fails, got.Features, c.typ)
			}
		})
	}
}

func TestNumBytesOfNumbersBehindTexts(t *testing.T) {
	o := NewObserver()
	if !jsonLines("a.jsonl", []byte(blocksOf(`"a": "x\"y", `, `"a": 1.50, `)), o.Observe) {
		t.Fatal("the test's own rows are no JSON")
	}
	size, ok := o.NumBytes(Features{{"a", Type{Dtype: dtypeString}}})
	if want := int64(2*4 + len(`x"y`) + len("1.50")); !ok || size != want {
		t.Errorf("num_bytes %d, %v, want %d: the texts as they are and the number as it is written", size, ok, want)
	}
}

func TestBlocksDoNotDependOnHowRowsAreCut(t *testing.T) {
	var source []sourceRow
	var end int64
	for i, text := range []string{`{"a": 1}`, `{"a": "7"}`, `{"a": 2}`, `{}`, `{"a": "x", "b": [1]}`, `{"a": 3}`, `{"b": ["y"]}`} {
		end += blockSize/2 + 1
		source = append(source, sourceRow{rows.Row{Path: "a", Line: i + 1, Index: int64(i), End: end}, text})
	}
	want := state(observeRows(t, source, nil))
	for first := range len(source) + 1 {
		for second := first; second <= len(source); second++ {
			if diff := cmp.Diff(want, state(observeRows(t, source, []int{first, second}))); diff != "" {
				t.Fatalf("rows cut at %d and %d (-want +got):\n%s", first, second, diff)
			}
		}
	}
}
