package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/diff"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/output"
)

func diffCommand(a *app) *cobra.Command {
	var keys []string
	var gate, fetch bool
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show what changed between two releases, and propose the next version",
		Long: `Show what changed between two releases: repos, configs and splits, columns and their types, rows added,
removed and changed, statistics and the balance of labels, and other files. OLD and NEW are releases, data
set folders, or an hfpub.lock; of a lock only files, counts and digests are compared. Either may be a
pushed revision, NAMESPACE/NAME@BRANCH, @TAG or @COMMIT on the Hub. Its data files are fetched and read where they
are 64 MiB or less, or with --fetch; else they are compared by their hashes only, which is said. Its card says to which
split a file belongs; without configs there, the other side does where it declares them, else the names of the files.

Rows are told apart by --key, else by the fields that hfpub.yaml says are unique in their split, else as
a whole. The comparison is exact at any size: beyond some millions of rows, fingerprints go to a temporary file.

The proposed version goes up in its first number where a change breaks programs (a repo, config, split or column
that is gone, a type that holds other values), in its second where something is added or the number of
rows changes, in its third for all else.

The exit code is 0 whatever changed. With --gate it is 1 when the version of NEW is below the proposed one.`,
		Example: `  hfpub diff hfpub.lock .                       # since the release was last approved
  hfpub diff --key /id v1.0/ v1.1/
  hfpub diff acme/tea@main .                    # since the last push
  hfpub diff acme/tea@v1.0.0 acme/tea@v1.1.0    # between two pushed versions
  hfpub diff --format markdown v1.0/ v1.1/      # for a changelog`,
		Args: exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.forms("diff", "table", "json", "markdown"); err != nil {
				return err
			}
			for _, key := range keys {
				if !strings.HasPrefix(key, "/") {
					return fmt.Errorf("--key %s: write a JSON Pointer, such as /%s", key, key)
				}
			}
			return a.diff(cmd.Context(), args[0], args[1], reading{keys: keys, fetch: fetch}, gate)
		},
	}
	c.Flags().StringArrayVar(&keys, "key", nil, "JSON Pointer to a field that names a row; several make one key together")
	c.Flags().BoolVar(&fetch, "fetch", false, "fetch the data files of a pushed revision, however large they are")
	c.Flags().BoolVar(&gate, "gate", false, "exit with 1 when the version of NEW is below the proposed one")
	return c
}

// reading says how the sides of a comparison are read.
type reading struct {
	store *fingerprint.Store
	// keys are pointers to the fields that name a row.
	keys []string
	// fetch asks for the data files of a pushed revision.
	fetch bool
}

// read is a side that was read. rel is nil for a lock.
type read struct {
	diff.Side
	rel *release.Release
}

func (a *app) diff(ctx context.Context, old, new string, how reading, gate bool) error {
	how.store = fingerprint.NewStore()
	defer how.store.Close()
	before, after, err := a.sides(ctx, old, new, how)
	if err != nil {
		return err
	}
	result, err := diff.Compare(ctx, before, after)
	if err != nil {
		return err
	}
	result.Hfpub = version()
	return a.show(nil, output.Result{Command: "diff", JSON: result, Tables: diffTables(result), Lines: diffLines(result)}, gate && diff.Below(result.After, result.Proposed))
}

// sides reads both sides, those that are here first. A file goes before a pushed revision of the same name.
func (a *app) sides(ctx context.Context, old, new string, how reading) (diff.Side, diff.Side, error) {
	isPushed := func(path string) []string {
		if _, err := os.Lstat(path); err == nil {
			return nil
		}
		return revision.FindStringSubmatch(path)
	}
	names, named := [2]string{old, new}, [2][]string{isPushed(old), isPushed(new)}
	var sides [2]read
	for i := range sides {
		if named[i] != nil {
			continue
		}
		var err error
		if sides[i], err = a.side(ctx, names[i], how); err != nil {
			return diff.Side{}, diff.Side{}, err
		}
	}
	for i := range sides {
		if named[i] == nil {
			continue
		}
		var like *besideRepo
		if other := 1 - i; named[other] == nil {
			var err error
			if like, err = besideOf(sides[other], named[i][1]); err != nil {
				return diff.Side{}, diff.Side{}, err
			}
			sides[other].Side = alone(sides[other].Side, like.locked.ID)
		}
		var err error
		if sides[i].Side, err = a.pushed(ctx, named[i], like, how); err != nil {
			return diff.Side{}, diff.Side{}, err
		}
	}
	return sides[0].Side, sides[1].Side, nil
}

// side reads one side of the comparison.
func (a *app) side(ctx context.Context, path string, how reading) (read, error) {
	if info, err := os.Stat(path); err != nil {
		if filepath.Base(path) == "hfpub.lock" {
			return read{}, fmt.Errorf("%w: hfpub lock writes it", err)
		}
		return read{}, err
	} else if !info.IsDir() && filepath.Ext(path) == ".lock" {
		lock, err := digest.ReadLock(path)
		return read{Side: diff.Side{Lock: lock}}, err
	}
	if isDataFile(path) {
		return read{}, fmt.Errorf("%s is a data file: give the folder of the release, its hfpub.yaml, or an hfpub.lock", path)
	}
	rows := diff.NewRows(how.store, how.keys)
	opt := validate.Options{Statistics: true, Checks: diff.Checks(rows)}
	rel, report, err := a.examine(ctx, []string{path}, opt, false)
	if err != nil {
		return read{}, err
	}
	if len(rel.Repos) == 0 {
		return read{}, errors.New(path + " cannot be read as a release: hfpub validate says why")
	}
	lock, err := validate.LockOf(ctx, rel, report)
	return read{diff.Side{Lock: lock, Report: report, Rows: rows}, rel}, err
}

// diffTables shows the changes, the splits, and what drifted.
func diffTables(r *diff.Result) []output.Table {
	changes := output.Table{Title: "changes", Header: []string{"weight", "where", "change"}}
	for _, c := range r.Changes {
		where := strings.Trim(strings.Join([]string{c.Repo, c.Config, c.Split}, " "), " ")
		if c.Column != "" {
			where += " " + c.Column
		}
		changes.Rows = append(changes.Rows, []string{string(c.Weight), where, c.Message})
	}
	splits := output.Table{
		Title:   "splits",
		Header:  []string{"config", "split", "content", "rows before", "rows now", "added", "removed", "changed", "told apart by"},
		Numbers: []int{3, 4, 5, 6, 7},
	}
	drifts := output.Table{Title: "statistics that differ", Header: []string{"split", "column", "statistic", "before", "now"}, Numbers: []int{3, 4}}
	many := slices.ContainsFunc(r.Splits, func(s diff.Split) bool { return s.Repo != r.Splits[0].Repo })
	for _, s := range r.Splits {
		repo := ""
		if many {
			repo = s.Repo + " " // as in changes
		}
		row := []string{repo + s.Config, s.Name, s.Content, knownRows(s.Before.Rows), knownRows(s.After.Rows), "", "", "", ""}
		if s.Rows != nil {
			row[5], row[6], row[7] = markdown.Count(s.Rows.Added), markdown.Count(s.Rows.Removed), markdown.Count(s.Rows.Changed)
			row[8] = "the whole row"
			if len(s.Rows.By) > 0 {
				row[8] = strings.Join(s.Rows.By, " ")
			}
		}
		splits.Rows = append(splits.Rows, row)
		for _, d := range s.Drift {
			drifts.Rows = append(drifts.Rows, []string{repo + s.Config + "/" + s.Name, d.Column, d.What, d.Before, d.After})
		}
	}
	var tables []output.Table
	for _, t := range []output.Table{changes, splits, drifts} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

func knownRows(n *int64) string {
	if n == nil {
		return "not known"
	}
	return markdown.Count(*n)
}

// diffLines says what could not be compared, and which version should come next.
func diffLines(r *diff.Result) []string {
	lines := r.Limits
	if r.Same() {
		return append(lines, "nothing changed")
	}
	switch {
	case r.Proposed == "":
		lines = append(lines, fmt.Sprintf("the heaviest change is of the kind %s; OLD has no version of three numbers to go on from", r.Weight))
	default:
		lines = append(lines, fmt.Sprintf("the heaviest change is of the kind %s: after %s comes %s", r.Weight, r.Before, r.Proposed))
	}
	if diff.Below(r.After, r.Proposed) {
		lines = append(lines, fmt.Sprintf("NEW calls itself %s, which is below", r.After))
	}
	return lines
}
