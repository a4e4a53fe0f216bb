package statistics

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A config with keep_default_na: false has the texts that are missing values to all others; an empty cell is missing to both.
func TestWordsAreTextsWhereTheCardSaysSo(t *testing.T) {
	cells := values(`"DE"`, `"NA"`, `""`, `"null"`, `"NA"`, `"FR"`, `"NA"`, `"DE"`)
	const plain = `{"column_name":"a","column_type":"string_label","column_statistics":{"nan_count":5,"nan_proportion":0.625,"no_label_count":0,"no_label_proportion":0.0,"n_unique":2,"frequencies":{"DE":2,"FR":1}},"distinct":2}`
	const keeping = `{"column_name":"a","column_type":"string_label","column_statistics":{"nan_count":1,"nan_proportion":0.125,"no_label_count":0,"no_label_proportion":0.0,"n_unique":4,"frequencies":{"NA":3,"DE":2,"FR":1,"null":1}},"distinct":4}`
	const everything = `{"column_name":"a","column_type":"string_label","column_statistics":{"nan_count":0,"nan_proportion":0.0,"no_label_count":0,"no_label_proportion":0.0,"n_unique":5,"frequencies":{"NA":3,"DE":2,"":1,"FR":1,"null":1}},"distinct":5}`
	whole := seen(t, 1, true, cells...)
	first := carried(t, seen(t, 1, true, cells[:3]...))
	first.Merge(carried(t, seen(t, 1, true, cells[3:]...)))
	for name, o := range map[string]*Observer{"one run": whole, "merged from two processes": first} {
		for range 2 { // asking changes nothing
			kept, _ := o.FinishKeeping(one(scalar("string")), false)
			if diff := cmp.Diff(keeping, asJSON(t, kept[0])); diff != "" {
				t.Errorf("%s: NA and null are texts (-want +got):\n%s", name, diff)
			}
			all, _ := o.FinishKeeping(one(scalar("string")), true)
			if diff := cmp.Diff(everything, asJSON(t, all[0])); diff != "" {
				t.Errorf("%s: empty cells are texts too (-want +got):\n%s", name, diff)
			}
			lost, _ := o.Finish(one(scalar("string")))
			if diff := cmp.Diff(plain, asJSON(t, lost[0])); diff != "" {
				t.Errorf("%s: NA and null are missing (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestWordsInJSONAreTexts(t *testing.T) {
	columns, _ := seen(t, 1, false, values(`"NA"`, `"NA"`, `"DE"`, `null`)...).Finish(one(scalar("string")))
	if got := columns[0].Values.Missing(); got != 1 {
		t.Errorf("%d values are missing, want 1: NA is a text in JSON", got)
	}
}

// The viewer bins the lengths of texts and lists like whole numbers, and fails on them alike; what is said is about lengths.
func TestTwoEdgesOfLengths(t *testing.T) {
	for name, test := range map[string]struct {
		rows    []string
		lengths bool
	}{
		"numbers": {values("0", "1", "0"), false},
		"lists":   {values("[1]", "[1,2]", "[1]"), true},
	} {
		t.Run(name, func(t *testing.T) {
			typ := scalar("int64")
			if test.lengths {
				list := scalar("int64")
				typ.Dtype, typ.List = "", &list
			}
			_, faults := seen(t, 1, false, test.rows...).Finish(one(typ))
			if len(faults) != 1 || faults[0].Reason != TwoEdges || faults[0].Lengths != test.lengths {
				t.Errorf("faults %+v, want one of two edges with Lengths %v", faults, test.lengths)
			}
		})
	}
}
