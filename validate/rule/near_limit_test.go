package rule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/observe/observetest"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Rows beyond the limit are not compared, and that is said: three pairs of texts that differ in their last word, of which one fits.
// Rows that repeat others need no comparison.
func TestMoreRowsThanAreCompared(t *testing.T) {
	const numbers = "one two three four five six seven eight nine ten eleven twelve "
	var lines []string
	for _, end := range []string{"a", "b"} {
		for _, begin := range []string{"x", "y", "z"} {
			text := begin + strings.ReplaceAll(numbers, " ", " "+begin) + end
			lines = append(lines, fmt.Sprintf(`{"q": %q}`, text))
		}
	}
	lines = append(lines, lines[0], lines[4])
	rel, splits := observetest.Load(t, map[string]string{"a.jsonl": "", "hfpub.yaml": `version: 1
release: {name: tea, version: 1.0.0}
repos:
  - id: acme/tea
    type: dataset
    status: public
    root: .
    configs: [{name: default, splits: [{name: train, files: a.jsonl}]}]
    rules: [{near_duplicates: {in: train, key: /q, threshold: 0.7}}]
`})
	for most, want := range map[int][]string{
		maxCompared: {"leak/near-row ×5"},
		2:           {"leak/near-row ×3", "leak/not-compared ×1 2 rows more share a band with others and were not compared: at most 2 rows are"},
	} {
		opt := observetest.Options(t)
		opt.Again = func(_ context.Context, _ *observe.Split, _ int, indexes []int64, see func(*rows.Row)) error {
			var doc tape.Tape
			for _, i := range indexes {
				doc.Parse([]byte(lines[i]))
				see(&rows.Row{Path: "a.jsonl", Line: int(i) + 1, Index: i, Doc: &doc})
			}
			return nil
		}
		var compiler condition.Compiler
		checks, _ := Checks(rel, splits, &compiler, opt)
		checks[0].(*near).most = most
		o := checks[0].Observer(splits[0])
		observetest.Show(t, o, splits[0], lines)
		say := observe.NewFindings(10)
		if err := checks[0].Finish(t.Context(), []observe.Seen{{Split: splits[0], Observer: o, Whole: true}}, say); err != nil {
			t.Fatal(err)
		}
		counts, limit := map[string]int64{}, ""
		say.All(func(_ *observe.Split, found *finding.Set) {
			for _, f := range found.All() {
				counts[string(f.Code)] += int64(f.Count)
				if f.Code == finding.LeakNotCompared {
					limit = " " + f.Message
				}
			}
		})
		var got []string
		for code, n := range counts {
			line := code + " ×" + string(rune('0'+n))
			if strings.HasSuffix(code, "not-compared") {
				line += limit
			}
			got = append(got, line)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("of 6 rows with at most %d compared: %q, want %q", most, got, want)
		}
	}
}
