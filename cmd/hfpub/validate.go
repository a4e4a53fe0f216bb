package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
	"github.com/hfpub/hfpub/validate/shape"
)

func validateCommand(a *app) *cobra.Command {
	var schema, engine string
	var refs []string
	var locked bool
	c := &cobra.Command{
		Use:   "validate [PATH...]",
		Short: "Prove that a release is what it promises to be",
		Long: `Validate a release (a folder with hfpub.yaml, or an hfpub.yaml), a data set folder without
one, or data files.

Every data file is read once: strict JSON or CSV, JSON Schema, features, digests, the card's front
matter, licenses, what the loader makes of files and splits, and what must not be pushed.`,
		Example: `  hfpub validate                                  # the release in this folder
  hfpub validate --locked                         # ... and it is what hfpub.lock says
  hfpub validate --schema row.json train.jsonl    # loose files against a schema
  hfpub validate --format github                  # annotations in CI`,
		RunE: func(cmd *cobra.Command, args []string) error {
			parsed, err := parseRefs(refs)
			if err != nil {
				return err
			}
			judge, err := shape.ParseEngine(engine)
			if err != nil {
				return fmt.Errorf("--engine %w", err)
			}
			return a.validate(cmd.Context(), args, validate.Options{Schema: schema, Refs: parsed, Engine: judge}, locked)
		},
	}
	c.Flags().StringVar(&schema, "schema", "", "JSON Schema for the rows of every split that declares none")
	c.Flags().StringArrayVar(&refs, "schema-ref", nil, "PREFIX=DIR: read $ref documents under an address from a folder")
	c.Flags().StringVar(&engine, "engine", string(shape.Matcher),
		"what holds rows against schemas: matcher, or gojsonschema (slow) for a second opinion")
	c.Flags().BoolVar(&locked, "locked", false, "fail when the release differs from hfpub.lock")
	return c
}

func (a *app) validate(ctx context.Context, args []string, opt validate.Options, locked bool) error {
	rel, report, err := a.examine(ctx, args, opt, locked)
	if err != nil {
		return err
	}
	return a.show(rel, output.Result{
		Command:  "validate",
		JSON:     report,
		Tables:   splitTables(report),
		Findings: report.Findings,
		Omitted:  report.Summary.Omitted,
		Lines:    []string{summary(report)},
	}, a.stops(report.Summary.Errors, report.Summary.Warnings))
}

// examine loads what the arguments name and validates it. A release whose hfpub.yaml is no YAML is nil.
func (a *app) examine(ctx context.Context, args []string, opt validate.Options, locked bool) (*release.Release, *validate.Report, error) {
	rel, found, loose, err := load(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	opt.Jobs, opt.MaxFindings, opt.Version = a.jobs, a.maxFindings, version()
	opt.AnyValue = loose && opt.Schema != ""
	if rel == nil {
		return nil, validate.Unreadable(found, opt), nil
	}
	bars := a.newProgress()
	defer bars.done()
	opt.OnBytes = bars.counter("reading", size(rel))
	if locked {
		opt.Lock = lockPath(rel)
	}
	report, err := validate.Run(ctx, rel, found, opt)
	return rel, report, err
}

// load reads the release that the arguments name: one folder or hfpub.yaml, or loose data files.
func load(ctx context.Context, args []string) (rel *release.Release, found []finding.Finding, loose bool, err error) {
	if len(args) > 1 || len(args) == 1 && isDataFile(args[0]) {
		rel, err = validate.Loose(args)
		return rel, nil, true, err
	}
	rel, found, err = release.Load(ctx, pathArg(args))
	return rel, found, false, err
}

// isDataFile says whether an argument is a file other than a manifest.
func isDataFile(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return false
	}
	ext := strings.ToLower(filepath.Ext(path))
	return ext != ".yaml" && ext != ".yml"
}

// parseRefs reads the values of --schema-ref.
func parseRefs(values []string) ([]shape.Ref, error) {
	var refs []shape.Ref
	for _, v := range values {
		prefix, dir, ok := strings.Cut(v, "=")
		if !ok || prefix == "" || dir == "" {
			return nil, fmt.Errorf("--schema-ref %s: write PREFIX=DIR, an address and the folder that holds its documents", v)
		}
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			err = errors.New("not a folder")
		}
		if err != nil {
			return nil, fmt.Errorf("--schema-ref %s: %w", v, err)
		}
		refs = append(refs, shape.Ref{Prefix: prefix, Dir: dir})
	}
	return refs, nil
}

// size adds up the bytes of the data files of a release, as far as they are known.
func size(rel *release.Release) int64 {
	var total int64
	for _, repo := range rel.Repos {
		sizes := map[string]int64{}
		for _, f := range repo.Tree {
			sizes[f.Path] = f.Size
		}
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				for _, path := range split.Files {
					total += sizes[path]
				}
			}
		}
	}
	return total
}

// splitTables shows for each repo what was measured of its splits.
func splitTables(report *validate.Report) []output.Table {
	var tables []output.Table
	for _, repo := range report.Repos {
		t := output.Table{
			Title:   title(repo),
			Header:  []string{"config", "split", "files", "rows", "bytes", "sequence digest"},
			Numbers: []int{2, 3, 4},
		}
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				t.Rows = append(t.Rows, splitRow(config.Name, split))
			}
		}
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

func title(repo validate.Repo) string {
	parts := []string{repo.ID, repo.Type, repo.Status}
	if repo.License != "" {
		parts = append(parts, repo.License)
	}
	return strings.Join(parts, " · ")
}

func splitRow(config string, split validate.Split) []string {
	rows, digest := "not read", ""
	if split.Rows != nil {
		rows = thousands(*split.Rows)
	}
	if split.Digest != nil {
		digest = split.Digest.Sequence[:16] + "…"
	}
	var bytes int64
	for _, f := range split.Files {
		bytes += f.Bytes
	}
	return []string{config, split.Name, thousands(int64(len(split.Files))), rows, thousands(bytes), digest}
}

// summary says in one line what came out.
func summary(report *validate.Report) string {
	s := report.Summary
	text := fmt.Sprintf("%s, %s, %s; %s rows, %s bytes", count(s.Errors, "error"), count(s.Warnings, "warning"), count(s.Notes, "note"),
		thousands(s.Rows), thousands(s.Bytes))
	if s.Errors == 0 && s.Warnings == 0 {
		return "ok: " + text
	}
	return text
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// thousands writes a number with commas: 7,473.
func thousands(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
