package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

// pushFlags are the flags of plan, push and verify.
type pushFlags struct {
	only                          []string
	remote, branch                string
	message, author               string
	dryRun, first, private, prune bool
}

func (f *pushFlags) where(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.only, "only", nil, "ids of the repos to take (default: all of the release)")
	flags.StringVar(&f.remote, "remote", "", "address of the repo, on the Hub or any other git server, for a plain folder or one repo")
	flags.StringVar(&f.branch, "branch", "main", "branch, or a full ref such as refs/pr/7")
}

func (f *pushFlags) how(flags *pflag.FlagSet) {
	flags.StringVarP(&f.message, "message", "m", "", "commit message (default: the release's name and version)")
	flags.StringVar(&f.author, "author", "", `commit author as "Name <email>" (default: GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL)`)
	flags.BoolVar(&f.first, "first", false, "the repo may be new: create it on the Hub, push the first commit elsewhere")
	flags.BoolVar(&f.private, "private", false, "with --first: create private repos")
	flags.BoolVar(&f.prune, "allow-removals", false, "allow a push that removes more than a fifth of the remote's data files")
}

func planCommand(a *app) *cobra.Command {
	var f pushFlags
	c := &cobra.Command{
		Use:   "plan [PATH]",
		Short: "Show what push would do, file by file; send nothing",
		Long: `Validate, check card and lock, and show what push would do with every file of every repo: added, changed,
removed, unchanged, or kept because it is on the remote only; into git (plain) or LFS. Nothing is sent.
What would stop the push is exit code 1.`,
		Example: `  hfpub plan
  hfpub plan --remote https://huggingface.co/datasets/you/my-data my-data`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.dryRun = true
			return a.push(cmd.Context(), pathArg(args), &f)
		},
	}
	f.where(c.Flags())
	f.how(c.Flags())
	return c
}

func pushCommand(a *app) *cobra.Command {
	var f pushFlags
	c := &cobra.Command{
		Use:   "push [PATH]",
		Short: "Push the release to the Hub, or a folder to any git remote",
		Long: `Push every repo of a release in one commit each: validate, check card and lock, upload to LFS, push
with git, look at what arrived. Nothing is ever forced; what is on the remote and not part of the
release stays. Repos of status pending push their card and schema.md only, withheld ones nothing.

The token is looked for in HF_TOKEN, then in the file where hf auth login puts it
(~/.cache/huggingface/token). HF_ENDPOINT names another Hub than https://huggingface.co.`,
		Example: `  hfpub push                                  # every repo of the release in this folder
  hfpub push --only acme/tea --dry-run        # what would be sent
  hfpub push --first                          # create the repos on the Hub where needed
  hfpub push --first --remote https://huggingface.co/datasets/you/my-data my-data
  HF_TOKEN=… hfpub push --remote https://git.example.org/tea.git my-data`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.push(cmd.Context(), pathArg(args), &f)
		},
	}
	f.where(c.Flags())
	f.how(c.Flags())
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show the plan and send nothing")
	return c
}

// pushReport is the JSON object of plan and push.
type pushReport struct {
	Push    int    `json:"push"`
	Hfpub   string `json:"hfpub"`
	Release string `json:"release"`
	DryRun  bool   `json:"dry_run"`
	// Plans are there for a dry run, Results otherwise: one for each repo that was reached.
	Plans    []*publish.Plan   `json:"plans,omitempty"`
	Results  []*publish.Result `json:"results,omitempty"`
	Findings []finding.Finding `json:"findings"`
	// Omitted counts the findings that --max-findings left out.
	Omitted int    `json:"omitted,omitempty"`
	Error   string `json:"error,omitempty"`
}

func (r *pushReport) command() string {
	if r.DryRun {
		return "plan"
	}
	return "push"
}

// push plans all repos first and then publishes them one by one: what stops one of them stops all before anything
// is sent.
func (a *app) push(ctx context.Context, path string, f *pushFlags) error {
	dest, err := a.findDestination(ctx, f.remote)
	if err != nil {
		return err
	}
	rel, repos, report, err := a.gate(ctx, path, f.only)
	if err != nil {
		return err
	}
	out := &pushReport{Push: 1, Hfpub: version(), DryRun: f.dryRun, Release: rel.Name, Findings: append(dest.found, report.Findings...)}
	if errors, warnings, _ := finding.Tally(out.Findings); a.stops(errors, warnings) {
		return a.showPush(rel, out, errFound, nothingSent(f.dryRun)+whatStops(errors, warnings))
	}
	if f.remote != "" && len(repos) != 1 {
		return fmt.Errorf("--remote takes one repo, the release has %d: choose one with --only", len(repos))
	}
	err = a.pushRepos(ctx, rel, repos, dest, f, out)
	var refused *publish.RefusedError
	if errors.As(err, &refused) {
		out.Findings = append(out.Findings, refused.Findings...)
		return a.showPush(rel, out, errFound, nothingSent(f.dryRun)+"the files cannot be published as they are")
	}
	return a.showPush(rel, out, err, behind(repos, out.Results)...)
}

// behind advises on clones whose working files were pushed: git does not know yet that they are in a commit, and a pull
// would refuse to overwrite them.
func behind(repos []*release.Repo, results []*publish.Result) []string {
	var lines []string
	for i, result := range results {
		if _, err := os.Lstat(filepath.Join(repos[i].Dir, ".git")); err != nil || result.NoChange || result.Skipped != "" {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: the folder is a git clone that lacks the new commit; to take it in and leave the files "+
			"as they are, in the folder: git fetch %s %s && git reset FETCH_HEAD", result.Repo, result.Remote, shortBranch(result.Branch)))
	}
	return lines
}

func shortBranch(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// pushRepos carries out a push that nothing stands against, and puts what it did into out.
func (a *app) pushRepos(ctx context.Context, rel *release.Release, repos []*release.Repo, dest *destination, f *pushFlags, out *pushReport) error {
	meta, err := a.commitMeta(rel, f)
	if err != nil {
		return err
	}
	bars := a.newProgress()
	defer bars.done()
	var publishers []*publish.Publisher
	var plans []*publish.Plan
	for _, repo := range repos {
		publisher, err := a.publisher(ctx, repo, dest, f, bars)
		if err != nil {
			return err
		}
		plan, err := publisher.Plan(ctx, meta)
		if err != nil {
			return fmt.Errorf("plan %s: %w", repo.ID, err)
		}
		publishers, plans = append(publishers, publisher), append(plans, plan)
	}
	if f.dryRun {
		out.Plans = plans
		return nil
	}
	for i, publisher := range publishers {
		result, err := publisher.Publish(ctx, plans[i])
		if err != nil {
			return fmt.Errorf("push %s: %w", repos[i].ID, err)
		}
		out.Results = append(out.Results, result)
	}
	return nil
}

// publisher prepares one repo; with --first it makes sure that the repo is there on the Hub.
func (a *app) publisher(ctx context.Context, repo *release.Repo, dest *destination, f *pushFlags, bars *progress) (*publish.Publisher, error) {
	target, err := dest.target(repo, f.branch)
	if err != nil {
		return nil, err
	}
	if f.first && !f.dryRun && repo.Status != release.Withheld {
		if err := createRepo(ctx, repo, dest, f.private); err != nil {
			return nil, err
		}
	}
	options := dest.options()
	options.First, options.AllowRemovals = f.first, f.prune
	options.OnEvent = a.onEvent(repo, bars)
	return publish.New(target, repo, options)
}

// createRepo makes the repo on the Hub, where it is not there yet. Any other server makes its repositories itself.
func createRepo(ctx context.Context, repo *release.Repo, dest *destination, private bool) error {
	named, ok, err := dest.onHub(repo)
	if err != nil || !ok {
		return err
	}
	visibility := hubapi.Public
	if private {
		visibility = hubapi.Private
	}
	client := hubapi.NewClient(dest.endpoint, dest.token, hubapi.Options{UserAgent: dest.userAgent})
	_, err = client.CreateRepo(ctx, named, visibility)
	return err
}

// onEvent shows progress as bars, and says retries and lines of the server on stderr.
func (a *app) onEvent(repo *release.Repo, bars *progress) func(publish.Event) {
	return func(e publish.Event) {
		switch {
		case e.Remote != "":
			a.log("%s: remote: %s", repo.ID, e.Remote)
		case e.Err != nil:
			a.log("%s: %s %s: %s; trying again", repo.ID, e.Phase, e.Path, e.Err)
		case e.Total > 0:
			bars.set(strings.TrimSpace(string(e.Phase)+" "+e.Path), e.Done, e.Total)
		}
	}
}

// log writes one line to stderr, unless --quiet.
func (a *app) log(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.stderr, "hfpub: %s\n", output.OneLine(fmt.Sprintf(format, args...)))
	}
}

// commitMeta says who commits what and when. The time is SOURCE_DATE_EPOCH where it is set, so that a push can be made
// anew with the same commit.
func (a *app) commitMeta(rel *release.Release, f *pushFlags) (publish.Meta, error) {
	meta := publish.Meta{Name: "hfpub", Email: "hfpub@localhost", Message: f.message, When: time.Now()}
	if name, email := a.getenv("GIT_AUTHOR_NAME"), a.getenv("GIT_AUTHOR_EMAIL"); name != "" && email != "" {
		meta.Name, meta.Email = name, email
	}
	if f.author != "" {
		name, rest, ok := strings.Cut(f.author, "<")
		email, _, closed := strings.Cut(rest, ">")
		if !ok || !closed || strings.TrimSpace(name) == "" || email == "" {
			return meta, fmt.Errorf(`--author %s: write "Name <email>"`, f.author)
		}
		meta.Name, meta.Email = strings.TrimSpace(name), email
	}
	if meta.Message == "" {
		meta.Message = strings.TrimSpace("Release " + rel.Name + " " + rel.Version)
	}
	given, err := a.sourceDate()
	if err != nil {
		return meta, err
	}
	if !given.IsZero() {
		meta.When = given
	}
	return meta, nil
}

// sourceDate is the time in SOURCE_DATE_EPOCH, the zero time where it is not set.
func (a *app) sourceDate() (time.Time, error) {
	epoch := a.getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Time{}, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q: it takes seconds since 1970", epoch)
	}
	return time.Unix(seconds, 0), nil
}

// showPush shows plans or results, and the error that ended the push, if any, after them: what was pushed before it
// is pushed.
func (a *app) showPush(rel *release.Release, out *pushReport, err error, lines ...string) error {
	if out.Findings == nil {
		out.Findings = []finding.Finding{}
	}
	out.Findings, out.Omitted = a.listed(out.Findings)
	r := output.Result{Command: out.command(), JSON: out, Findings: out.Findings, Omitted: out.Omitted}
	for _, plan := range out.Plans {
		r.Tables = append(r.Tables, planTable(plan))
		r.Lines = append(r.Lines, planLine(plan))
	}
	for _, result := range out.Results {
		r.Lines = append(r.Lines, resultLine(result))
	}
	r.Lines = append(r.Lines, lines...)
	if err != nil && !errors.Is(err, errFound) {
		out.Error = output.OneLine(strings.TrimSpace(err.Error()))
	}
	if shown := a.show(rel, r, false); shown != nil {
		return shown
	}
	return err
}

func nothingSent(dryRun bool) string {
	if dryRun {
		return "nothing would be sent: "
	}
	return "nothing was sent: "
}

// whatStops says what keeps a release from being sent.
func whatStops(errors, warnings int) string {
	if errors == 0 {
		return "with --strict, " + output.Plural(warnings, "warning") + " stop it"
	}
	return output.Plural(errors, "error") + " to mend first"
}

func planTable(plan *publish.Plan) output.Table {
	t := output.Table{Title: plan.Repo + " → " + plan.Remote, Header: []string{"path", "change", "as", "bytes"}, Numbers: []int{3}}
	for _, file := range plan.Files {
		as, size := "plain", ""
		if file.LFS {
			as = "lfs"
		}
		if file.Size != nil {
			size = markdown.Count(*file.Size)
		}
		t.Rows = append(t.Rows, []string{file.Path, string(file.Change), as, size})
	}
	return t
}

func planLine(plan *publish.Plan) string {
	switch {
	case plan.Skipped != "":
		return plan.Repo + ": " + plan.Skipped
	case plan.NoChange:
		return plan.Repo + ": " + publish.NothingToPush
	}
	return fmt.Sprintf("%s: %d added, %d changed, %d removed, %d unchanged, %d kept; %s to LFS, %s of plain files",
		plan.Repo, plan.Count(publish.Added), plan.Count(publish.Changed), plan.Count(publish.Removed),
		plan.Count(publish.Unchanged), plan.Count(publish.Kept), count(plan.LFSBytes, "byte"), count(plan.PlainBytes, "byte"))
}

func resultLine(result *publish.Result) string {
	switch {
	case result.Skipped != "":
		return result.Repo + ": " + result.Skipped
	case result.NoChange:
		return result.Repo + ": " + result.Message
	}
	return fmt.Sprintf("%s: pushed commit %s to %s of %s: %d added, %d changed, %d removed; %s to LFS",
		result.Repo, result.Commit, shortBranch(result.Branch), result.Remote,
		result.Added, result.Changed, result.Removed, count(result.LFSBytes, "byte"))
}
