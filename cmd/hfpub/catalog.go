package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func catalogCommand(a *app) *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "catalog [PATH]",
		Short: "Write catalog.md: the index page over all repos of a release",
		Long: `Write the index page of a release, catalog.md beside its hfpub.yaml: the status of every repo at a
glance, licenses, artifacts, rows and bytes as measured, what each repo was made from, how to load it, and
the known discrepancies. Text written by hand around the block stays. Of a repo that is withheld only its
name, type and status are told.`,
		Example: `  hfpub catalog             # the release in this folder
  hfpub catalog --check     # in CI: fail when the page is out of date`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.catalog(cmd.Context(), args, check)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "write nothing; fail when the page is out of date")
	return c
}

// maxCatalog bounds the bytes that are read of a catalog.md.
const maxCatalog = 16 << 20

func (a *app) catalog(ctx context.Context, args []string, check bool) error {
	if err := wantsFolder(args); err != nil {
		return err
	}
	rel, report, err := a.examine(ctx, args, validate.Options{}, false)
	if err != nil {
		return err
	}
	tell := func(found []finding.Finding, lines ...string) error {
		errors, warnings, _ := finding.Totals(found)
		listed, omitted := a.listed(found)
		if listed == nil {
			listed = []finding.Finding{}
		}
		return a.show(rel, output.Result{
			Command: "catalog", JSON: map[string]any{"findings": listed}, Findings: listed, Omitted: omitted, Lines: lines,
		}, a.stops(errors, warnings))
	}
	if rel.File == "" {
		return fmt.Errorf("%s is no release: a catalog is about the repos of an hfpub.yaml", rel.Dir)
	}
	if bad := blocking(report.Findings); len(bad) > 0 {
		return tell(bad, "no catalog written: first mend what the errors above are about")
	}
	path := filepath.Join(rel.Dir, cards.CatalogPath)
	old, err := regularfile.Read(path, maxCatalog)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the catalog: %w", err)
	}
	out, err := cards.RenderCatalog(rel, report, old)
	var refusal *cards.Refusal
	switch {
	case errors.As(err, &refusal):
		return tell(refusal.Findings, "no catalog written: first mend what the errors above are about")
	case err != nil:
		return err
	case check && len(out.Check()) > 0:
		found := out.Check()
		found[0].Hint = "`hfpub catalog` writes the file anew"
		return tell(found)
	case check:
		return tell(nil, "the catalog is up to date")
	}
	if err := out.Write(); err != nil {
		return err
	}
	return tell(nil, "written: "+filepath.ToSlash(path))
}
