package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func verifyCommand(a *app) *cobra.Command {
	var f pushFlags
	var q verifyFlags
	c := &cobra.Command{
		Use:   "verify [PATH]",
		Short: "Compare what is on the remote with the lock, or with the local files",
		Long: `Compare the pushed files of every repo with hfpub.lock or, without one, with the local files: git's
own hashes for plain files, the pointers and the server's word for those in LFS. A difference is exit code 1.

With --deep every content is downloaded and hashed. With --lock the release need not be here: the lock of
somebody else's release is enough to tell whether the Hub has what was approved.`,
		Example: `  hfpub verify
  hfpub verify --deep
  hfpub verify --lock hfpub.lock --only acme/tea
  hfpub verify --remote https://huggingface.co/datasets/you/my-data my-data`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.lock != "" && len(args) > 0 {
				return errors.New("--lock takes the place of PATH: give one of the two")
			}
			return a.verify(cmd.Context(), pathArg(args), q, &f)
		},
	}
	f.where(c.Flags())
	c.Flags().StringVar(&q.commit, "commit", "", "commit to look at instead of the branch, 40 hex digits")
	c.Flags().BoolVar(&q.deep, "deep", false, "download every content and hash it")
	c.Flags().StringVar(&q.lock, "lock", "", "compare the repos that this lock names, without their release")
	return c
}

// verifyFlags say what is compared.
type verifyFlags struct {
	commit, lock string
	deep         bool
}

// verifyReport is the JSON object of verify.
type verifyReport struct {
	Verify  int    `json:"verify"`
	Hfpub   string `json:"hfpub"`
	Release string `json:"release"`
	// Repos are those that were looked at before an error, if any, ended it.
	Repos    []*publish.Verification `json:"repos"`
	Findings []finding.Finding       `json:"findings"`
	Error    string                  `json:"error,omitempty"`
}

func (a *app) verify(ctx context.Context, path string, q verifyFlags, f *pushFlags) error {
	out := &verifyReport{Verify: 1, Hfpub: version(), Repos: []*publish.Verification{}}
	rel, err := a.verifyRelease(ctx, path, q, f, out)
	r := output.Result{Command: "verify", JSON: out}
	for _, v := range out.Repos {
		out.Findings = append(out.Findings, v.Findings()...)
		r.Lines = append(r.Lines, verifiedLine(v))
	}
	if out.Findings == nil {
		out.Findings = []finding.Finding{}
	}
	r.Findings = out.Findings
	wrong, _, _ := finding.Totals(out.Findings)
	if wrong > 0 && len(out.Repos) == 0 {
		r.Lines = append(r.Lines, "not verified: "+whatStops(wrong, 0))
	}
	if err != nil {
		out.Error = output.OneLine(strings.TrimSpace(err.Error()))
	}
	if shown := a.show(rel, r, wrong > 0 && err == nil); shown != nil {
		return shown
	}
	return err
}

// verifyRelease puts what it found into out. The release is nil where it could not be loaded.
func (a *app) verifyRelease(ctx context.Context, path string, q verifyFlags, f *pushFlags, out *verifyReport) (*release.Release, error) {
	dest, err := a.findDestination(f.remote)
	if err != nil {
		return nil, err
	}
	rel, lock, found, err := toVerify(ctx, path, q.lock)
	if err != nil {
		return nil, err
	}
	out.Release, out.Findings = rel.Name, append(dest.found, found...)
	if errors, _, _ := finding.Totals(found); errors > 0 {
		return rel, nil
	}
	repos, err := choose(rel, f.only)
	if err != nil {
		return rel, err
	}
	if f.remote != "" && len(repos) != 1 {
		return rel, fmt.Errorf("--remote takes one repo, the release has %d: choose one with --only", len(repos))
	}
	if err := dest.signIn(ctx, a.getenv); err != nil {
		return rel, err
	}
	for _, repo := range repos {
		v, err := a.verifyRepo(ctx, repo, dest, f.branch, q, lock)
		if err != nil {
			return rel, fmt.Errorf("verify %s: %w", repo.ID, err)
		}
		out.Repos = append(out.Repos, v)
	}
	return rel, nil
}

func (a *app) verifyRepo(ctx context.Context, repo *release.Repo, dest *destination, branch string, q verifyFlags, lock *digest.Lock) (*publish.Verification, error) {
	target, err := dest.target(repo, branch)
	if err != nil {
		return nil, err
	}
	bars := a.newProgress()
	defer bars.done()
	options := dest.options()
	options.OnEvent = a.onEvent(repo, bars)
	publisher, err := publish.New(target, repo, options)
	if err != nil {
		return nil, err
	}
	v, err := publisher.Verify(ctx, publish.Question{Commit: q.commit, Lock: publish.LockedFiles(lock, repo), Foreign: q.lock != "", Deep: q.deep})
	if err != nil || v.Skipped != "" {
		return v, err
	}
	return v, dest.compareListing(ctx, repo, v)
}

// compareListing asks the Hub for its own listing of the commit, which its other clients go by. Another server has none.
func (d *destination) compareListing(ctx context.Context, repo *release.Repo, v *publish.Verification) error {
	named, onHub, err := d.onHub(repo)
	if err != nil || !onHub {
		return err
	}
	listing, err := d.hub().Tree(ctx, named, v.Commit)
	if hubapi.NoAPI(err) {
		return nil
	}
	if err != nil {
		return err
	}
	v.CompareListing(listing)
	return nil
}

// toVerify loads a release and its lock, or what a lock alone says of one.
func toVerify(ctx context.Context, path, lockFile string) (*release.Release, *digest.Lock, []finding.Finding, error) {
	if lockFile != "" {
		lock, err := digest.ReadLock(lockFile)
		if err != nil {
			return nil, nil, nil, err
		}
		rel := &release.Release{Name: lock.Release.Name, Version: lock.Release.Version, Dir: filepath.Dir(lockFile), Repos: publish.LockedRepos(lock)}
		return rel, lock, nil, nil
	}
	rel, found, err := release.Load(ctx, path)
	if err != nil {
		return nil, nil, nil, err
	}
	if errors, _, _ := finding.Totals(found); errors > 0 {
		return rel, nil, found, nil
	}
	lock, err := readLock(rel)
	if f, ok := validate.UnreadableLock(err); ok {
		return rel, nil, append(found, f), nil
	}
	return rel, lock, found, err
}

func verifiedLine(v *publish.Verification) string {
	switch {
	case v.Skipped != "":
		return v.Repo + ": " + v.Skipped
	case v.OK:
		read := ""
		if v.Read > 0 {
			read = fmt.Sprintf(", %s downloaded and hashed", count(v.Read, "byte"))
		}
		return fmt.Sprintf("%s: verified, %s equal (%d in LFS%s) at commit %s of %s", v.Repo, output.Plural(v.Checked, "file"), v.LFSChecked, read, v.Commit, v.Remote)
	}
	return fmt.Sprintf("%s: %s at commit %s of %s", v.Repo, output.Plural(len(v.Problems), "difference"), v.Commit, v.Remote)
}
