package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/coverage"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func discrepanciesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "discrepancies [PATH]",
		Short: "Compare what was printed of a release with what its data says",
		Long: `Measure all claims of hfpub.yaml again and show what was printed, what the data says, and where the
two differ: the likely reason, and the state and the reason that hfpub.yaml gives. Numbers in the
hand-written part of a card that no claim covers are notes. --format markdown writes the list for a
page. The exit code is 1 when a difference is open.`,
		Example: `  hfpub discrepancies my-release
  hfpub discrepancies --format markdown > DISCREPANCIES.md`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantsFolder(args); err != nil {
				return err
			}
			return a.discrepancies(cmd.Context(), args)
		},
	}
}

// discrepancies is what --format json prints.
type discrepancies struct {
	Release  string            `json:"release"`
	Claims   []repoClaim       `json:"claims"`
	Findings []finding.Finding `json:"findings"`
}

// repoClaim is a claim with its repo; "" for one of the release.
type repoClaim struct {
	Repo string `json:"repo,omitempty"`
	validate.Claim
}

func (a *app) discrepancies(ctx context.Context, args []string) error {
	rel, report, err := a.examine(ctx, args, validate.Options{}, false)
	if err != nil {
		return err
	}
	out := discrepancies{Release: report.Release, Claims: claimsOf(report), Findings: []finding.Finding{}}
	for _, f := range report.Findings {
		if strings.HasPrefix(string(f.Code), "claim/") || strings.HasPrefix(string(f.Code), "manifest/") {
			out.Findings = append(out.Findings, f)
		}
	}
	notes, err := uncovered(rel, out.Claims)
	if err != nil {
		return err
	}
	out.Findings = append(out.Findings, notes...)
	errors, warnings, _ := finding.Totals(out.Findings)
	list, omitted := a.listed(out.Findings)
	out.Findings = list
	return a.show(rel, output.Result{
		Command:  "discrepancies",
		JSON:     out,
		Tables:   []output.Table{claimTable(out.Claims)},
		Findings: list,
		Omitted:  omitted,
	}, a.stops(errors, warnings))
}

// claimsOf lists the claims of all repos, and those of the release behind them.
func claimsOf(report *validate.Report) []repoClaim {
	all := []repoClaim{}
	for _, repo := range report.Repos {
		for _, c := range repo.Claims {
			all = append(all, repoClaim{repo.ID, c})
		}
	}
	for _, c := range report.Claims {
		all = append(all, repoClaim{"", c})
	}
	return all
}

// uncovered are the numbers in the cards of all repos that no claim covers.
func uncovered(rel *release.Release, claims []repoClaim) ([]finding.Finding, error) {
	var said []string
	for _, c := range claims {
		said = append(said, c.Said)
	}
	var notes []finding.Finding
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		root, err := os.OpenRoot(repo.Dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		text, err := regularfile.ReadIn(root, "README.md", maxCard)
		root.Close()
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, regularfile.ErrNotRegular) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the card in %s: %w", repo.Dir, err)
		}
		for _, f := range coverage.Notes("README.md", text, said) {
			f.Repo = repo.ID
			notes = append(notes, f)
		}
	}
	return notes, nil
}

// claimTable shows all claims, those that differ first.
func claimTable(claims []repoClaim) output.Table {
	t := output.Table{Title: "claims", Header: []string{"repo", "claim", "printed", "where", "measured", "verdict", "state", "why"}}
	for _, differs := range []bool{true, false} {
		for _, c := range claims {
			if (c.Verdict == "differs") != differs {
				continue
			}
			why := c.Why
			if why == "" {
				why = c.Reason
			}
			t.Rows = append(t.Rows, []string{c.Repo, c.ID, c.Said, c.Where, c.Measured, c.Verdict, c.State, why})
		}
	}
	return t
}
