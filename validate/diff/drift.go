package diff

import (
	"fmt"
	"math"
	"strconv"

	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/statistics"
)

// Drift is a statistic of a column that is not what it was. Before and After are written as people read them.
type Drift struct {
	Column string `json:"column"`
	What   string `json:"what"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// maxLabels bounds the labels of a column whose balance is compared.
const maxLabels = 20

// drift compares the statistics of a split column by column: the kind, the share of nulls, minimum, mean, median and maximum, and the
// share of each label. Differences that do not show in four digits are left out.
func drift(old, new *validate.Split) []Drift {
	if old == nil || new == nil {
		return nil
	}
	var out []Drift
	before, after := balances(old), balances(new)
	for _, a := range old.Statistics {
		for _, b := range new.Statistics {
			if a.Name != b.Name {
				continue
			}
			say := func(what, x, y string) {
				if x != y {
					out = append(out, Drift{a.Name, what, x, y})
				}
			}
			say("kind", string(a.Kind), string(b.Kind))
			say("nulls", percent(float64(a.Values.MissingShare())), percent(float64(b.Values.MissingShare())))
			x, isNumbers := a.Values.(*statistics.Numbers)
			y, too := b.Values.(*statistics.Numbers)
			if isNumbers && too && a.Kind == b.Kind {
				say("minimum", shortNumber(x.Min), shortNumber(y.Min))
				say("mean", shortNumber(x.Mean), shortNumber(y.Mean))
				say("median", shortNumber(x.Median), shortNumber(y.Median))
				say("maximum", shortNumber(x.Max), shortNumber(y.Max))
			}
			for _, label := range labelsOf(before[a.Name], after[a.Name]) {
				say("share of "+strconv.Quote(label), share(before[a.Name], label), share(after[a.Name], label))
			}
		}
	}
	return out
}

// balances are the columns of a split that can be read as labels, by their names.
func balances(s *validate.Split) map[string]*statistics.Balance {
	out := map[string]*statistics.Balance{}
	for _, b := range statistics.Balances(s.Statistics, maxLabels) {
		out[b.Column] = &b
	}
	return out
}

// labelsOf lists the labels of both sides, those of the old one first; none where one side has none.
func labelsOf(a, b *statistics.Balance) []string {
	if a == nil || b == nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for _, side := range []*statistics.Balance{a, b} {
		for _, l := range side.Labels {
			if !seen[l.Label] {
				seen[l.Label] = true
				out = append(out, l.Label)
			}
		}
	}
	return out
}

func share(b *statistics.Balance, label string) string {
	for _, l := range b.Labels {
		if l.Label == label && b.Rows > 0 {
			return percent(float64(l.Count) / float64(b.Rows))
		}
	}
	return percent(0)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// shortNumber writes a number of a statistic with four digits, whole ones as they are.
func shortNumber(v any) string {
	var f float64
	switch n := v.(type) {
	case int64:
		return strconv.FormatInt(n, 10)
	case statistics.Float:
		f = float64(n)
	case *statistics.Float:
		if n == nil {
			return "none"
		}
		f = float64(*n)
	default:
		return "none"
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', 4, 64)
}
