package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/output"
	"github.com/hfpub/hfpub/validate/shape"
)

func mergeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "merge FILE...",
		Short: "Make the report of a release that was read in shards",
		Long: `Merge the partial results of all shards of a release, as hfpub validate --shard --partial wrote
them, into the report that one hfpub validate would give, byte for byte.

Run it where the shards were read, or where the same release stands under the same paths: the
files of the shards tell what was read and with which flags; card, licenses and hygiene are
looked at now. All shards must be of one version of hfpub and one state of the release.`,
		Example: `  hfpub validate --shard 1/2 --partial a.part     # on one machine
  hfpub validate --shard 2/2 --partial b.part     # on another
  hfpub merge a.part b.part`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("hfpub merge takes the files of all shards: hfpub merge --help says more")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.merge(cmd.Context(), args) },
	}
}

// job is how the shards of a release are read: whoever merges them loads the same release with the same flags.
type job struct {
	Paths       []string    `json:"paths"`
	Schema      string      `json:"schema"`
	Artifact    string      `json:"artifact"`
	Refs        []shape.Ref `json:"refs"`
	Engine      string      `json:"engine"`
	Locked      bool        `json:"locked"`
	MaxFindings int         `json:"max_findings"`
}

// readShard reads one shard of what the arguments name, and writes its partial result.
func (a *app) readShard(ctx context.Context, args []string, opt validate.Options, locked bool, number, path string) error {
	if number == "" || path == "" {
		return errors.New("--shard and --partial belong together: --shard 1/4 --partial 1.part")
	}
	shard, err := validate.ParseShard(number)
	if err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	if opt.Reproduce != nil {
		return errors.New("--reproduce makes whole files anew: leave it to a run without --shard")
	}
	if err := atomicfile.Check(path); err != nil { // better now than when all has been read
		return err
	}
	described, err := json.Marshal(job{args, opt.Schema, opt.Artifact, opt.Refs, string(opt.Engine), locked, a.maxFindings})
	if err != nil {
		return err
	}
	rel, found, opt, err := a.prepare(ctx, args, opt, locked)
	if err != nil {
		return err
	}
	bars := a.newProgress()
	opt.OnBytes = bars.counter("reading", size(rel)/int64(shard.Of))
	partial, err := validate.ReadShard(ctx, rel, found, opt, shard, string(described))
	bars.done()
	if err != nil {
		return err
	}
	if err := partial.Write(path); err != nil {
		return err
	}
	return a.show(rel, output.Result{
		Command: "validate",
		JSON:    map[string]any{"shard": shard.String(), "partial": path, "bytes": partial.Bytes},
		Lines:   []string{fmt.Sprintf("shard %s: %s bytes read, partial result in %s", shard, markdown.Count(partial.Bytes), path)},
	}, false)
}

func (a *app) merge(ctx context.Context, paths []string) error {
	var partials []*validate.Partial
	for _, path := range paths {
		p, err := validate.ReadPartial(path)
		if err != nil {
			return err
		}
		partials = append(partials, p)
	}
	if err := validate.CheckPartials(partials, version()); err != nil {
		return err
	}
	j, err := parseJob(partials[0].Job)
	if err != nil {
		return fmt.Errorf("%s %w", paths[0], err)
	}
	a.maxFindings = j.MaxFindings
	asked := validate.Options{Schema: j.Schema, Artifact: j.Artifact, Refs: j.Refs, Engine: shape.Engine(j.Engine)}
	rel, found, opt, err := a.prepare(ctx, j.Paths, asked, j.Locked)
	if err != nil {
		return err
	}
	report, err := validate.Merge(ctx, rel, found, opt, partials)
	if err != nil {
		return err
	}
	return a.showReport(rel, report)
}

// parseJob reads how shards were read; what an error says follows the name of the file.
func parseJob(text string) (job, error) {
	var j job
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return job{}, errors.New("does not say how it was read: read the shard again")
	}
	if _, err := shape.ParseEngine(j.Engine); err != nil || j.MaxFindings < 0 {
		return job{}, errors.New("does not say how it was read: read the shard again")
	}
	return j, nil
}
