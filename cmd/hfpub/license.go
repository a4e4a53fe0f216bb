package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/picture"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/license"
	"github.com/hfpub/hfpub/validate/output"
)

func licenseCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "license [PATH]",
		Short: "Show what a release was made from, and whether its licenses allow it",
		Long: `Show the derivation graph of a release: its repos, the works and models they were made from, what
flows between them, and what each repo owes for it. Licenses travel with content only: labels,
references and outputs of tools carry no obligation on, and weights inherit the license of their base
model. The places that name a repo's license (hfpub.yaml, card, LICENSE, NOTICE, catalog) must agree.

The data are read for columns that give a license to each row. The same rules are part of validate.
--format dot and svg draw the graph.`,
		Example: `  hfpub license my-release
  hfpub license --format svg my-release > licenses.svg
  hfpub license --format markdown my-release      # with attributions, for a card or NOTICE`,
		Args:        atMostOne,
		Annotations: map[string]string{moreForms: "dot svg"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantsFolder(args); err != nil {
				return err
			}
			return a.license(cmd.Context(), args)
		},
	}
}

func (a *app) license(ctx context.Context, args []string) error {
	rel, report, err := a.examine(ctx, args, validate.Options{}, false)
	if err != nil {
		return err
	}
	x, err := license.Examine(rel)
	if err != nil {
		return err
	}
	switch a.format {
	case "dot":
		return a.draw(picture.DOT(rel.Name, x.Graph))
	case "svg":
		return a.draw(picture.SVG(rel.Name, x.Graph))
	}
	found := slices.DeleteFunc(slices.Clone(report.Findings), func(f finding.Finding) bool { return !isAboutLicenses(f.Code) })
	errors, warnings, notes := finding.Totals(found)
	listed, omitted := a.listed(found)
	lines := attributions(x)
	lines = append(lines, fmt.Sprintf("%s, %s, %s", output.Plural(errors, "error"), output.Plural(warnings, "warning"), output.Plural(notes, "note")))
	return a.show(rel, output.Result{
		Command:  "license",
		JSON:     licenseReport{1, version(), rel.Name, x, listed, licenseSummary{errors, warnings, notes, omitted}},
		Tables:   licenseTables(rel, x),
		Findings: listed,
		Omitted:  omitted,
		Lines:    lines,
	}, a.stops(errors, warnings))
}

// licenseReport is the JSON form of the command.
type licenseReport struct {
	Version int    `json:"license"`
	Hfpub   string `json:"hfpub"`
	Release string `json:"release"`
	*license.Examination
	Findings []finding.Finding `json:"findings"`
	Summary  licenseSummary    `json:"summary"`
}

type licenseSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	Omitted  int `json:"omitted,omitempty"`
}

// draw writes a picture to stdout.
func (a *app) draw(text string) error {
	_, err := io.WriteString(a.stdout, text)
	return err
}

// isAboutLicenses says whether a finding belongs to what the command is about.
func isAboutLicenses(code finding.Code) bool {
	return strings.HasPrefix(string(code), "license/") || strings.HasPrefix(string(code), "card/license-") || code == finding.HygieneForbidden
}

// licenseTables shows the repos with their voices, what flows into each, and what they owe.
func licenseTables(rel *release.Release, x *license.Examination) []output.Table {
	repos := output.Table{Title: "repos", Header: []string{"repo", "type", "status", "license", "SPDX", "said in"}}
	flows := output.Table{Title: "flows", Header: []string{"from", "its license", "flow", "into", "its license", "place"}}
	owed := output.Table{Title: "obligations", Header: []string{"repo", "owes to", "under", "what", "through"}}
	for i, r := range x.Repos {
		var voices []string
		for _, v := range r.Voices {
			voices = append(voices, fmt.Sprintf("%s (%s)", v.Says, finding.Place{Path: v.Place.Path, Line: v.Place.Line}.Where()))
		}
		repos.Rows = append(repos.Rows, []string{r.ID, string(rel.Repos[i].Type), r.Status, r.License, r.SPDX, strings.Join(voices, ", ")})
		for _, o := range r.Owes {
			owed.Rows = append(owed.Rows, []string{r.ID, o.To, o.License, traitWords(o.Traits), strings.Join(o.Via, ", ")})
		}
	}
	for _, e := range x.Graph.Edges {
		flows.Rows = append(flows.Rows, []string{e.From, x.Graph.Node(e.From).License, string(e.Flow), e.To, x.Graph.Node(e.To).License, e.Place.Where()})
	}
	return slices.DeleteFunc([]output.Table{repos, flows, owed}, func(t output.Table) bool { return len(t.Rows) == 0 })
}

func traitWords(traits []license.Trait) string {
	words := make([]string, len(traits))
	for i, t := range traits {
		words[i] = string(t)
	}
	return strings.Join(words, ", ")
}

// attributions are the texts that name the works whose content is in each repo.
func attributions(x *license.Examination) []string {
	var lines []string
	for _, r := range x.Repos {
		if r.Attribution != "" {
			lines = append(lines, "Attribution: "+r.Attribution)
		}
	}
	return lines
}
