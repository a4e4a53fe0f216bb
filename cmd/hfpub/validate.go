package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/schemas"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
	"github.com/hfpub/hfpub/validate/reproduce"
	"github.com/hfpub/hfpub/validate/shape"
)

func validateCommand(a *app) *cobra.Command {
	var schema, artifact, engine, shard, partial string
	var refs []string
	var locked, again bool
	var limit time.Duration
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
  hfpub validate --reproduce                      # ... and its commands make the same bytes
  hfpub validate --format github                  # annotations in CI
  hfpub validate --shard 1/2 --partial a.part     # half of the reading; see hfpub merge`,
		RunE: func(cmd *cobra.Command, args []string) error {
			parsed, err := parseRefs(refs)
			if err != nil {
				return err
			}
			judge, err := shape.ParseEngine(engine)
			if err != nil {
				return fmt.Errorf("--engine %w", err)
			}
			if err := checkArtifact(artifact, schema); err != nil {
				return err
			}
			opt := validate.Options{Schema: schema, Artifact: artifact, Refs: parsed, Engine: judge}
			if again {
				opt.Reproduce = &reproduce.Options{Self: self(), Timeout: limit}
			}
			if shard != "" || partial != "" {
				return a.readShard(cmd.Context(), args, opt, locked, shard, partial)
			}
			return a.validate(cmd.Context(), args, opt, locked)
		},
	}
	c.Flags().StringVar(&schema, "schema", "", "JSON Schema for the rows of every split that declares none")
	c.Flags().StringVar(&artifact, "artifact", "", "known kind of the rows of every split that declares none, FAMILY/NAME")
	c.Flags().StringArrayVar(&refs, "schema-ref", nil, "PREFIX=DIR: read $ref documents under an address from a folder")
	c.Flags().StringVar(&engine, "engine", string(shape.Matcher),
		"what holds rows against schemas: matcher, or gojsonschema (slow) for a second opinion")
	c.Flags().BoolVar(&locked, "locked", false, "fail when the release differs from hfpub.lock")
	c.Flags().BoolVar(&again, "reproduce", false, "run the commands of reproduce, each in an empty folder, and compare what they make")
	c.Flags().DurationVar(&limit, "reproduce-timeout", reproduce.DefaultTimeout, "how long each of them may run (0: no limit)")
	c.Flags().StringVar(&shard, "shard", "", "I/N: read only the I-th of N shares of the data, into the file of --partial")
	c.Flags().StringVar(&partial, "partial", "", "file for what --shard read; hfpub merge makes the report of all N")
	return c
}

// self is the path of this program; "" when it is not known.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

// checkArtifact says what is wrong with the values of --artifact and --schema.
func checkArtifact(artifact, schema string) error {
	if artifact == "" {
		return nil
	}
	if schema != "" {
		return errors.New("--artifact and --schema exclude each other: an artifact brings its own schema")
	}
	if slices.Contains(schemas.Artifacts(), artifact) {
		return nil
	}
	if near, ok := nearest.Word(artifact, schemas.Artifacts()); ok {
		return fmt.Errorf("--artifact %s is not known: did you mean %s?", artifact, near)
	}
	return fmt.Errorf("--artifact %s is not known: it is one of %s", artifact, strings.Join(schemas.Artifacts(), ", "))
}

func (a *app) validate(ctx context.Context, args []string, opt validate.Options, locked bool) error {
	rel, report, err := a.examine(ctx, args, opt, locked)
	if err != nil {
		return err
	}
	return a.showReport(rel, report)
}

// showReport writes the report of validate.
func (a *app) showReport(rel *release.Release, report *validate.Report) error {
	report.Cut(a.maxFindings)
	return a.show(rel, output.Result{
		Command:  "validate",
		JSON:     report,
		Tables:   splitTables(rel, report),
		Findings: report.Findings,
		Omitted:  report.Summary.Omitted,
		Lines:    []string{verdict(report)},
	}, a.stops(report.Summary.Errors, report.Summary.Warnings))
}

// examine loads what the arguments name and validates it.
func (a *app) examine(ctx context.Context, args []string, opt validate.Options, locked bool) (*release.Release, *validate.Report, error) {
	rel, found, opt, err := a.prepare(ctx, args, opt, locked)
	if err != nil {
		return nil, nil, err
	}
	bars := a.newProgress()
	defer bars.done()
	opt.OnBytes = bars.counter("reading", size(rel))
	report, err := validate.Run(ctx, rel, found, opt)
	return rel, report, err
}

// prepare loads what the arguments name, and completes the options.
func (a *app) prepare(ctx context.Context, args []string, opt validate.Options, locked bool) (*release.Release, []finding.Finding, validate.Options, error) {
	rel, found, loose, err := load(ctx, args)
	if err != nil {
		return nil, nil, opt, err
	}
	opt.Jobs, opt.MaxPlaces, opt.Version = a.jobs, a.maxFindings, version()
	opt.AnyValue = loose && opt.Schema != ""
	if locked && loose {
		return nil, nil, opt, errors.New("--locked compares a release with its hfpub.lock: give its folder, not data files")
	}
	if locked {
		opt.Lock = lockPath(rel)
	}
	return rel, found, opt, nil
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

// wantsFolder is the error of a command that writes beside hfpub.yaml, or into the repos, and was given a data file.
func wantsFolder(args []string) error {
	if len(args) == 1 && isDataFile(args[0]) {
		return fmt.Errorf("%s is a data file: give the folder of the release, or its hfpub.yaml", args[0])
	}
	return nil
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

// size adds up the bytes of the data files of a release, as far as they are known. Each file is read once, whatever the
// number of splits that have it.
func size(rel *release.Release) int64 {
	var total int64
	for _, repo := range rel.Repos {
		sizes := map[string]int64{}
		for _, f := range repo.Tree {
			sizes[f.Path] = f.Size
		}
		counted := map[string]bool{}
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				for _, path := range split.Files {
					if !counted[path] {
						total += sizeOf(path, repo.Dir == "", sizes)
					}
					counted[path] = true
				}
			}
		}
	}
	return total
}

// sizeOf is the size of a file of a repo, or of a loose one, whose folder nobody has listed; 0 when it is not there.
func sizeOf(path string, loose bool, sizes map[string]int64) int64 {
	if !loose {
		return sizes[path]
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// splitTables shows for each repo what was measured of its splits.
func splitTables(rel *release.Release, report *validate.Report) []output.Table {
	var tables []output.Table
	for i, repo := range report.Repos {
		t := output.Table{
			Title:   title(&rel.Repos[i]),
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

// title says what a repo is. A plain folder has no status, and loose files are of no type.
func title(repo *release.Repo) string {
	parts := []string{repo.ID}
	if repo.Dir != "" {
		parts = append(parts, string(repo.Type))
	}
	if repo.Declared {
		parts = append(parts, string(repo.Status))
	}
	parts = append(parts, repo.License)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

func splitRow(config string, split validate.Split) []string {
	rows, digest := "not read", ""
	if split.Rows != nil {
		rows = markdown.Count(*split.Rows)
	}
	if split.Digest != nil {
		digest = split.Digest.Sequence[:16] + "…"
	}
	var bytes int64
	for _, f := range split.Files {
		bytes += f.Bytes
	}
	return []string{config, split.Name, markdown.Count(int64(len(split.Files))), rows, markdown.Count(bytes), digest}
}

// verdict says in one line what came out.
func verdict(report *validate.Report) string {
	if report.Summary.Errors == 0 && report.Summary.Warnings == 0 {
		return "ok: " + totals(report)
	}
	return totals(report)
}

// totals counts what was found and what was read.
func totals(report *validate.Report) string {
	s := report.Summary
	return fmt.Sprintf("%s, %s, %s; %s, %s", count(int64(s.Errors), "error"), count(int64(s.Warnings), "warning"),
		count(int64(s.Notes), "note"), count(s.Rows, "row"), count(s.Bytes, "byte"))
}

// count writes a large number with its noun: 1 row, 1,000 rows.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return markdown.Count(n) + " " + noun + "s"
}
