package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func verifyCommand(a *app) *cobra.Command {
	var f pushFlags
	var commit string
	c := &cobra.Command{
		Use:   "verify [PATH]",
		Short: "Compare what is on the remote with the lock, or with the local files",
		Long: `Compare the pushed files of every repo with hfpub.lock or, without one, with the local files: git's
own hashes for plain files, the pointers and the server's word for those in LFS. A difference is exit code 1.`,
		Example: `  hfpub verify
  hfpub verify --remote https://huggingface.co/datasets/you/my-data my-data`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.verify(cmd.Context(), pathArg(args), commit, &f)
		},
	}
	f.where(c.Flags())
	c.Flags().StringVar(&commit, "commit", "", "commit to look at instead of the branch, 40 hex digits")
	return c
}

// verifyReport is the JSON object of verify.
type verifyReport struct {
	Verify   int                     `json:"verify"`
	Hfpub    string                  `json:"hfpub"`
	Release  string                  `json:"release"`
	Repos    []*publish.Verification `json:"repos"`
	Findings []finding.Finding       `json:"findings"`
}

func (a *app) verify(ctx context.Context, path, commit string, f *pushFlags) error {
	dest, err := a.findDestination(ctx, f.remote)
	if err != nil {
		return err
	}
	rel, found, err := release.Load(ctx, path)
	if err != nil {
		return err
	}
	out := &verifyReport{Verify: 1, Hfpub: version(), Repos: []*publish.Verification{}, Findings: append(dest.found, found...)}
	if errors, _, _ := finding.Tally(found); errors > 0 {
		return a.show(rel, output.Result{Command: "verify", JSON: out, Findings: out.Findings, Lines: []string{"not verified: " + whatStops(errors, 0)}}, true)
	}
	out.Release = rel.Name
	repos, err := choose(rel, f.only)
	if err != nil {
		return err
	}
	if f.remote != "" && len(repos) != 1 {
		return fmt.Errorf("--remote takes one repo, the release has %d: choose one with --only", len(repos))
	}
	lock, err := digest.ReadLock(lockPath(rel))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lines []string
	for _, repo := range repos {
		v, err := a.verifyRepo(ctx, repo, dest, f, commit, lock)
		if err != nil {
			return fmt.Errorf("verify %s: %w", repo.ID, err)
		}
		out.Repos = append(out.Repos, v)
		out.Findings = append(out.Findings, v.Findings()...)
		lines = append(lines, verifiedLine(v))
	}
	if out.Findings == nil {
		out.Findings = []finding.Finding{}
	}
	bad, _, _ := finding.Tally(out.Findings)
	return a.show(rel, output.Result{Command: "verify", JSON: out, Findings: out.Findings, Lines: lines}, bad > 0)
}

func (a *app) verifyRepo(ctx context.Context, repo *release.Repo, dest *destination, f *pushFlags, commit string, lock *digest.Lock) (*publish.Verification, error) {
	bars := a.newProgress()
	defer bars.done()
	publisher, err := a.publisher(ctx, repo, dest, f, bars)
	if err != nil {
		return nil, err
	}
	return publisher.Verify(ctx, commit, publish.LockedFiles(lock, repo))
}

func verifiedLine(v *publish.Verification) string {
	switch {
	case v.Skipped != "":
		return v.Repo + ": " + v.Skipped
	case v.OK:
		return fmt.Sprintf("%s: verified, %s equal (%d in LFS) at commit %s of %s", v.Repo, output.Plural(v.Checked, "file"), v.LFSChecked, v.Commit, v.Remote)
	}
	return fmt.Sprintf("%s: %s at commit %s of %s", v.Repo, output.Plural(len(v.Problems), "difference"), v.Commit, v.Remote)
}
