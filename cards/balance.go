package cards

import (
	"fmt"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/statistics"
)

const (
	// maxLabels is how many labels a column has at most to be shown, maxBalances how many columns of a config are.
	maxLabels   = 12
	maxBalances = 8
)

// balanceView shows how the labels of the columns of one config are distributed over its splits.
type balanceView struct {
	Config string
	Splits []string
	Labels []labelView
}

// labelView is one label of a column, with the number of its rows in each split.
type labelView struct {
	Column, Label string
	Counts        []string
}

// balances lists the columns of labels of each config, for the splits that were measured.
func balances(configs []validate.Config) []balanceView {
	var out []balanceView
	for _, config := range configs {
		if view := balance(config); len(view.Labels) > 0 {
			out = append(out, view)
		}
	}
	return out
}

// balance puts the labels of the splits of a config side by side: columns and labels in the order of the first split that has
// them. A column with too many labels in one split is shown in none.
func balance(config validate.Config) balanceView {
	view := balanceView{Config: config.Name}
	type place struct{ column, label string }
	index := map[place]int{}
	labels := map[string]int{}
	var columns []string
	// rows counts those of a column in each split that has it.
	rows := map[string]map[int]int64{}
	for i, split := range config.Splits {
		view.Splits = append(view.Splits, split.Name)
		for _, b := range statistics.Balances(split.Statistics, maxLabels) {
			if labels[b.Column] == 0 {
				columns = append(columns, b.Column)
			}
			if rows[b.Column] == nil {
				rows[b.Column] = map[int]int64{}
			}
			rows[b.Column][i] = b.Rows
			for _, l := range b.Labels {
				at := place{b.Column, l.Label}
				if _, known := index[at]; !known {
					index[at] = len(view.Labels)
					labels[b.Column]++
					view.Labels = append(view.Labels, labelView{b.Column, l.Label, make([]string, len(config.Splits))})
				}
				view.Labels[index[at]].Counts[i] = countAndShare(l.Count, b.Rows)
			}
		}
	}
	shown := map[string]bool{}
	for _, column := range columns[:min(len(columns), maxBalances)] {
		shown[column] = labels[column] > 1 && labels[column] <= maxLabels
	}
	var kept []labelView
	for _, column := range columns {
		for _, l := range view.Labels {
			if l.Column == column && shown[column] {
				l.fill(rows[column])
				kept = append(kept, l)
			}
		}
	}
	view.Labels = kept
	return view
}

// absent stands for a split of which the labels of a column are not known.
const absent = "–"

// fill says of every split without the label whether it has other labels of the column, which rows counts the rows of, or none.
func (l labelView) fill(rows map[int]int64) {
	for i := range l.Counts {
		if n, has := rows[i]; l.Counts[i] == "" && has {
			l.Counts[i] = countAndShare(0, n)
		} else if l.Counts[i] == "" {
			l.Counts[i] = absent
		}
	}
}

// countAndShare writes a count with its share of all: 5,000 (50.0%).
func countAndShare(count, all int64) string {
	if all == 0 {
		return markdown.Count(count)
	}
	return fmt.Sprintf("%s (%.1f%%)", markdown.Count(count), 100*float64(count)/float64(all))
}

// firstRow is the first row that was measured, and the name of its split.
func firstRow(configs []validate.Config) (row, split string) {
	for _, config := range configs {
		for _, s := range config.Splits {
			if s.Example != "" {
				return s.Example, config.Name + "/" + s.Name
			}
		}
	}
	return "", ""
}

// differing are the claims that the data does not bear out.
func differing(claims []validate.Claim) []validate.Claim {
	var out []validate.Claim
	for _, c := range claims {
		if c.Verdict == "differs" {
			out = append(out, c)
		}
	}
	return out
}
