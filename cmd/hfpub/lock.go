package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/output"
)

func lockCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "lock [PATH]",
		Short: "Write hfpub.lock: the digests and counts of the release as approved",
		Long: `Validate a release and write hfpub.lock beside hfpub.yaml: rows, digests and file hashes of every
split, and the hashes of all other files that are published. A release with errors is not locked.

hfpub validate --locked, hfpub push and hfpub verify compare with it.`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.lock(cmd.Context(), args)
		},
	}
}

func (a *app) lock(ctx context.Context, args []string) error {
	if err := wantsFolder(args); err != nil {
		return err
	}
	rel, report, err := a.examine(ctx, args, validate.Options{}, false)
	if err != nil {
		return err
	}
	report.Cut(a.maxFindings)
	result := output.Result{Command: "lock", Findings: report.Findings, Omitted: report.Summary.Omitted}
	if a.stops(report.Summary.Errors, report.Summary.Warnings) {
		result.JSON = map[string]any{"locked": false, "findings": report.Findings, "summary": report.Summary}
		result.Lines = []string{"not locked: " + totals(report)}
		return a.show(rel, result, true)
	}
	lock, err := validate.LockOf(ctx, rel, report)
	if err != nil {
		return err
	}
	path := lockPath(rel)
	if err := lock.Write(path); err != nil {
		return err
	}
	result.JSON = map[string]any{"locked": true, "path": path, "findings": report.Findings, "summary": report.Summary}
	result.Tables = splitTables(rel, report)
	result.Lines = []string{"locked in " + path + ": " + totals(report)}
	return a.show(rel, result, false)
}

// lockPath is where the lock of a release stands.
func lockPath(rel *release.Release) string {
	return filepath.Join(rel.Dir, "hfpub.lock")
}
