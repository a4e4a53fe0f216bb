package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/output"
)

func statsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stats [PATH...]",
		Short: "Show rows, bytes, columns and their kinds",
		Long: `Show what is in a release, a data set folder or data files: rows, bytes, the columns of every config
as the loader types them, and for each split the kind that the Hub's viewer gives a column and how many
of its values are missing; – where that is not measured yet. The JSON form is the report of validate.`,
		Example: `  hfpub stats my-data
  hfpub stats train.jsonl test.csv.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.stats(cmd.Context(), args, validate.Options{})
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
			tables = append(tables, columnTable(repo, config))
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

// notMeasured stands for the kind of a column that the viewer skips, or that is not known yet: of texts, which may be
// labels or dates to the viewer.
const notMeasured = "–"

// columnTable shows the columns of a config: their feature, and kind and missing values in each split.
func columnTable(repo validate.Repo, config validate.Config) output.Table {
	t := output.Table{Title: fmt.Sprintf("%s · %s", repo.ID, config.Name), Header: []string{"column", "feature"}}
	for _, split := range config.Splits {
		t.Header = append(t.Header, split.Name+" kind", "missing")
		t.Numbers = append(t.Numbers, len(t.Header)-1)
	}
	for _, feature := range config.Features {
		row := []string{feature.Name, feature.Type.String()}
		for _, split := range config.Splits {
			kind, missing := notMeasured, notMeasured
			for _, s := range split.Statistics {
				if s.Name == feature.Name {
					kind, missing = s.Type, markdown.Count(s.Column.NaNCount)
				}
			}
			row = append(row, kind, missing)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
