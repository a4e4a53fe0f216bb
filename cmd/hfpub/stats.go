package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/output"
	"github.com/hfpub/hfpub/validate/statistics"
)

func statsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stats [PATH...]",
		Short: "Show rows, bytes and the statistics of columns",
		Long: `Show what is in a release, a data set folder or data files: rows, bytes, the columns of every config
as the loader types them, and for each split what the Hub's dataset viewer will show of its columns:
kind, missing values, least, middle and greatest value (of texts their length in characters, of lists
their number of elements), histogram, and the most frequent labels.

Median, histogram and the number of distinct values are exact up to 65,536 distinct numbers or
lengths and 1,000 distinct texts in a column, and estimated beyond (~; "estimated" in the JSON form).
Everything else is always exact. A column on which the viewer's own job fails is a warning: the split
then shows no statistics on the Hub. The JSON form is the report of validate with statistics in it.`,
		Example: `  hfpub stats my-data
  hfpub stats train.jsonl test.csv.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.stats(cmd.Context(), args, validate.Options{Statistics: true})
		},
	}
}

func (a *app) stats(ctx context.Context, args []string, opt validate.Options) error {
	rel, report, err := a.examine(ctx, args, opt, false)
	if err != nil {
		return err
	}
	report.Cut(a.maxFindings)
	tables := splitTables(rel, report)
	for _, repo := range report.Repos {
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				tables = append(tables, columnTable(repo, config, split))
			}
		}
	}
	return a.show(rel, output.Result{
		Command:  "stats",
		JSON:     report,
		Tables:   tables,
		Findings: report.Findings,
		Omitted:  report.Summary.Omitted,
		Lines:    []string{verdict(report)},
	}, a.stops(report.Summary.Errors, report.Summary.Warnings))
}

// notMeasured stands for what the viewer does not tell of a column.
const notMeasured = "–"

// columnTable shows the columns of a split in the order of their features.
func columnTable(repo validate.Repo, config validate.Config, split validate.Split) output.Table {
	t := output.Table{
		Title:   fmt.Sprintf("%s · %s · %s", repo.ID, config.Name, split.Name),
		Header:  []string{"column", "feature", "kind", "missing", "distinct", "min", "median", "max", "distribution"},
		Numbers: []int{3, 4, 5, 6, 7},
	}
	for _, feature := range config.Features {
		i := slices.IndexFunc(split.Statistics, func(c statistics.Column) bool { return c.Name == feature.Name })
		if i < 0 {
			t.Rows = append(t.Rows, emptyRow(feature))
			continue
		}
		t.Rows = append(t.Rows, columnRow(feature, split.Statistics[i]))
	}
	return t
}

func emptyRow(feature column.Feature) []string {
	row := []string{feature.Name, feature.Type.String()}
	for range 6 {
		row = append(row, notMeasured)
	}
	return append(row, "")
}

func columnRow(feature column.Feature, c statistics.Column) []string {
	distinct := notMeasured
	if c.Distinct != nil {
		distinct = estimated(c, "distinct") + markdown.Count(*c.Distinct)
	}
	row := []string{feature.Name, feature.Type.String(), string(c.Kind), missing(c), distinct}
	switch v := c.Values.(type) {
	case *statistics.Numbers:
		if v.Histogram == nil {
			break
		}
		return append(row, fmt.Sprint(v.Min), estimated(c, "median")+v.Median.String(), fmt.Sprint(v.Max), v.Histogram.Sparkline())
	case *statistics.Dates:
		if v.Histogram == nil {
			break
		}
		return append(row, *v.Min, estimated(c, "median")+*v.Median, *v.Max, v.Histogram.Sparkline())
	case *statistics.Labels:
		return append(row, notMeasured, notMeasured, notMeasured, frequent(v.Frequencies))
	case *statistics.Truths:
		return append(row, notMeasured, notMeasured, notMeasured, frequent(v.Frequencies))
	}
	return append(row, notMeasured, notMeasured, notMeasured, "")
}

// missing shows how many values are missing, and their share where there are any.
func missing(c statistics.Column) string {
	n := c.Values.Missing()
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%s (%s)", markdown.Count(n), percent(float64(c.Values.MissingShare())))
}

func percent(share float64) string {
	switch text := fmt.Sprintf("%.1f %%", 100*share); text {
	case "0.0 %":
		return "< 0.1 %"
	case "100.0 %":
		if share < 1 {
			return "> 99.9 %"
		}
		return "100 %"
	default:
		return text
	}
}

// estimated marks what is not exact.
func estimated(c statistics.Column, what string) string {
	if slices.Contains(c.Estimated, what) {
		return "~"
	}
	return ""
}

// shownLabels is how many labels are named, shownChars how many characters of one.
const (
	shownLabels = 4
	shownChars  = 16
)

// frequent names the most frequent labels.
func frequent(all statistics.Frequencies) string {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b statistics.LabelCount) int { return int(min(max(b.Count-a.Count, -1), 1)) })
	var counts []int64
	var parts []string
	for i, l := range sorted {
		counts = append(counts, l.Count)
		if i < shownLabels {
			parts = append(parts, fmt.Sprintf("%s %s", shortLabel(l.Label), markdown.Count(l.Count)))
		}
	}
	if len(sorted) > shownLabels {
		parts = append(parts, "…")
	}
	const widest = 10
	return strings.TrimSpace(statistics.Sparkline(counts[:min(len(counts), widest)]) + " " + strings.Join(parts, ", "))
}

func shortLabel(label string) string {
	runes := []rune(label)
	switch {
	case len(runes) == 0:
		return `""`
	case len(runes) > shownChars:
		return string(runes[:shownChars-1]) + "…"
	}
	return label
}
