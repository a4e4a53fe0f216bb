package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

// pushFlags are the flags of plan, push and verify.
type pushFlags struct {
	only                          []string
	remote, branch                string
	message, author               string
	tag, date, collection         string
	dryRun, first, private, prune bool
	// pull is --pr.
	pull bool
}

func (f *pushFlags) where(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.only, "only", nil, "ids of the repos to take (default: all of the release)")
	flags.StringVar(&f.remote, "remote", "", "address of the repo, on the Hub or any other git server, for a plain folder or one repo")
	flags.StringVar(&f.branch, "branch", "main", "branch, or a full ref such as refs/pr/7")
}

func (f *pushFlags) how(flags *pflag.FlagSet) {
	flags.StringVarP(&f.message, "message", "m", "", "commit message (default: the release's name and version)")
	flags.StringVar(&f.author, "author", "", `commit author as "Name <email>" (default: GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL)`)
	flags.StringVar(&f.tag, "tag", "", "annotated tag that the commit gets in the same step, such as v1.0.0")
	flags.StringVar(&f.date, "date", "", "date of the commit: seconds since 1970, or as in 2026-01-31T12:00:00Z (default: SOURCE_DATE_EPOCH, else now)")
	flags.BoolVar(&f.pull, "pr", false, "open a pull request on the Hub and push to it")
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

All repos are planned before anything is sent, and the Hub is asked whether it takes the cards and
the token. When a push of several repos ends early, .hfpub-push.json beside hfpub.yaml says which are
published; push again to go on.

The token is looked for in HF_TOKEN, then in the file where hf auth login puts it
(~/.cache/huggingface/token). HF_ENDPOINT names another Hub than https://huggingface.co.`,
		Example: `  hfpub push                                  # every repo of the release in this folder
  hfpub push --only acme/tea --dry-run        # what would be sent
  hfpub push --first                          # create the repos on the Hub where needed
  hfpub push --tag v1.0.0                     # ... and tag the commits
  hfpub push --pr -m "Correct three labels"   # as pull requests
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
	c.Flags().StringVar(&f.collection, "collection", "", "put the repos into a collection of the Hub: its slug, or a title")
	return c
}

// push plans all repos first and then publishes them one by one: what stops one of them stops all before anything
// is sent. Whatever comes of it is shown.
func (a *app) push(ctx context.Context, path string, f *pushFlags) error {
	out := &pushReport{Push: 1, Hfpub: version(), DryRun: f.dryRun}
	rel, lines, err := a.pushRelease(ctx, path, f, out)
	return a.showPush(rel, out, err, lines...)
}

// pushRelease puts what it did into out, and says in lines what a person needs beside it. The release is nil where it
// could not be loaded.
func (a *app) pushRelease(ctx context.Context, path string, f *pushFlags, out *pushReport) (*release.Release, []string, error) {
	if f.private && !f.first {
		return nil, nil, errors.New("--private goes with --first: it says how new repos are made")
	}
	if err := f.checkPull(); err != nil {
		return nil, nil, err
	}
	dest, err := a.findDestination(f.remote)
	if err != nil {
		return nil, nil, err
	}
	rel, repos, report, err := a.gate(ctx, path, f.only)
	if err != nil {
		return rel, nil, err
	}
	out.Release, out.Findings = rel.Name, append(dest.found, report.Findings...)
	if errors, warnings, _ := finding.Totals(out.Findings); a.stops(errors, warnings) {
		return rel, []string{nothingSent(f.dryRun) + whatStops(errors, warnings)}, errFound
	}
	if f.remote != "" && len(repos) != 1 {
		return rel, nil, fmt.Errorf("--remote takes one repo, the release has %d: choose one with --only", len(repos))
	}
	if err := dest.checkCollection(f.collection, repos); err != nil {
		return rel, nil, err
	}
	if err := dest.signIn(ctx, a.getenv); err != nil {
		return rel, nil, err
	}
	lock, err := readLock(rel)
	if err != nil {
		return rel, nil, err
	}
	p := &pusher{app: a, release: rel, report: report, lock: lock, dest: dest, flags: f}
	err = p.push(ctx, repos, out)
	var refused *publish.RefusedError
	if errors.As(err, &refused) {
		out.Findings = append(out.Findings, refused.Findings...)
		return rel, []string{nothingSent(f.dryRun) + "the files cannot be published as they are"}, errFound
	}
	if errors.Is(err, errFound) {
		errors, warnings, _ := finding.Totals(out.Findings)
		return rel, []string{nothingSent(f.dryRun) + whatStops(errors, warnings)}, errFound
	}
	if err != nil && len(out.Results)+len(out.Unfinished) == 0 {
		return rel, []string{nothingDone(out)}, err
	}
	return rel, behind(out.Results), err
}

// behind advises on clones whose working files were pushed: git does not know yet that they are in a commit, and a pull
// would refuse to overwrite them.
func behind(results []*publish.Result) []string {
	var lines []string
	for _, result := range results {
		if !result.FromClone {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: the folder is a git clone that lacks the new commit; to take it in and leave the files "+
			"as they are, in the folder: git fetch %s %s && git reset FETCH_HEAD", result.Repo, result.Remote, shortBranch(result.Branch)))
	}
	return lines
}

func shortBranch(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// pusher pushes the repos of one release.
type pusher struct {
	app     *app
	release *release.Release
	report  *validate.Report
	lock    *digest.Lock
	dest    *destination
	flags   *pushFlags
	// state is how far it came; nil for one repo.
	state *pushState
}

// push carries out a push that nothing stands against, and puts what it did into out.
func (p *pusher) push(ctx context.Context, repos []*release.Repo, out *pushReport) error {
	meta, err := p.app.commitMeta(p.release, p.flags)
	if err != nil {
		return err
	}
	bars := p.app.newProgress()
	defer bars.done()
	p.dest.say = func(format string, args ...any) { p.app.log(bars, format, args...) }
	if said := interrupted(p.release); said != "" {
		p.app.log(bars, "%s", said)
	}
	var publishers []*publish.Publisher
	var plans []*publish.Plan
	for _, repo := range repos {
		publisher, err := p.publisherFor(repo, p.flags.branch, bars)
		if err != nil {
			return err
		}
		plan, err := publisher.Plan(ctx, meta)
		if err != nil {
			return fmt.Errorf("plan %s: %w", repo.ID, err)
		}
		if p.flags.private && plan.Skipped == "" {
			if err := p.dest.checkVisibility(ctx, repo, !plan.New); err != nil {
				return err
			}
		}
		publishers, plans = append(publishers, publisher), append(plans, plan)
	}
	if err := p.dest.findNamed(ctx, p.flags.collection); err != nil {
		return err
	}
	found, err := p.preflight(ctx, repos, plans, bars)
	if err != nil {
		return err
	}
	out.Findings = append(out.Findings, found...)
	if errors, warnings, _ := finding.Totals(out.Findings); p.app.stops(errors, warnings) {
		return errFound
	}
	if p.flags.dryRun {
		out.Plans = plans
		return nil
	}
	if p.state, err = beginState(p.release, repos, p.flags.pull); err != nil {
		return err
	}
	if err := p.createMissing(ctx, repos, publishers, plans, meta, out); err != nil {
		return errors.Join(err, p.state.end())
	}
	for i, repo := range repos {
		if err := p.state.set(repo, "pushing", nil); err != nil {
			out.Unfinished = untried(repos[i:])
			return err
		}
		result, err := p.carryOut(ctx, repo, publishers[i], plans[i], meta, bars, out)
		if err != nil {
			err = fmt.Errorf("push %s: %w", repo.ID, err)
		}
		if result == nil {
			out.Unfinished = unfinished(repos[i:], err)
			return errors.Join(err, p.state.set(repo, out.Unfinished[0].State, nil))
		}
		out.Results = append(out.Results, result)
		if err := errors.Join(err, p.state.set(repo, "published", result)); err != nil {
			out.Unfinished = untried(repos[i+1:])
			return err
		}
	}
	if err := p.state.end(); err != nil {
		return err
	}
	if p.flags.collection == "" {
		return nil
	}
	if out.Collection, err = p.dest.collect(ctx, p.flags.collection, repos, out.Results); err != nil {
		return fmt.Errorf("the repos are pushed, but not all are in the collection: %w", err)
	}
	return nil
}

// carryOut pushes one repo, to its branch or as a pull request. With a result the repo is pushed, whatever the error says.
func (p *pusher) carryOut(ctx context.Context, repo *release.Repo, publisher *publish.Publisher, plan *publish.Plan, meta publish.Meta, bars *progress, out *pushReport) (*publish.Result, error) {
	if p.flags.pull {
		return p.propose(ctx, repo, plan, meta, bars, out)
	}
	return publisher.Publish(ctx, plan)
}

// publisherFor prepares one repo for a branch or ref.
func (p *pusher) publisherFor(repo *release.Repo, branch string, bars *progress) (*publish.Publisher, error) {
	target, err := p.dest.target(repo, branch)
	if err != nil {
		return nil, err
	}
	options := p.dest.options()
	options.First, options.AllowRemovals = p.flags.first, p.flags.prune
	options.Validated = p.approved(repo)
	options.Advice = p.advice(repo, bars)
	options.OnEvent = p.app.onEvent(repo, bars)
	return publish.New(target, repo, options)
}

// approved are the sums of a repo's files as they were when they were validated and compared with the lock.
func (p *pusher) approved(repo *release.Repo) map[string]string {
	sums := map[string]string{}
	for _, file := range publish.LockedFiles(p.lock, repo) {
		sums[file.Path] = file.SHA256
	}
	for _, r := range p.report.Repos {
		if r.ID != repo.ID {
			continue
		}
		for _, config := range r.Configs {
			for _, split := range config.Splits {
				for _, file := range split.Files {
					sums[file.Path] = file.SHA256
				}
			}
		}
	}
	return sums
}

// onEvent shows progress as bars, and says retries and lines of the server on stderr.
func (a *app) onEvent(repo *release.Repo, bars *progress) func(publish.Event) {
	return func(e publish.Event) {
		what := strings.TrimSpace(string(e.Phase) + " " + e.Path)
		switch {
		case e.Remote != "":
			a.log(bars, "%s: remote: %s", repo.ID, e.Remote)
		case e.Err != nil:
			a.log(bars, "%s: %s: %s; trying again", repo.ID, what, e.Err)
		case e.Phase == publish.Hashing:
			bars.set(string(e.Phase), e.Done, e.Total) // all files together
		case e.Total > 0:
			bars.set(what, e.Done, e.Total)
		}
	}
}

// log writes one line to stderr, above the bars, unless --quiet.
func (a *app) log(bars *progress, format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(bars.above(a.stderr), "hfpub: %s\n", output.OneLine(fmt.Sprintf(format, args...)))
	}
}

// commitMeta says who commits what and when. The time is that of --date or SOURCE_DATE_EPOCH where there is one, so that a push
// can be made anew with the same commit.
func (a *app) commitMeta(rel *release.Release, f *pushFlags) (publish.Meta, error) {
	meta := publish.Meta{Name: "hfpub", Email: "hfpub@localhost", Message: f.message, When: time.Now(), Tag: f.tag}
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
	given, err := a.commitDate(f.date)
	if err != nil {
		return meta, err
	}
	if given != nil {
		meta.When = *given
	}
	return meta, nil
}

// commitDate is the time that --date gives, else that of SOURCE_DATE_EPOCH; nil without either.
func (a *app) commitDate(date string) (*time.Time, error) {
	if date == "" {
		when, err := a.sourceDate()
		if err != nil || when.IsZero() {
			return nil, err
		}
		if !isCommitDate(when) {
			return nil, fmt.Errorf("SOURCE_DATE_EPOCH is %d: %s", when.Unix(), commitDates)
		}
		return &when, nil
	}
	var when time.Time
	if seconds, err := strconv.ParseInt(date, 10, 64); err == nil {
		when = time.Unix(seconds, 0)
	} else if when, err = time.Parse(time.RFC3339, date); err != nil {
		return nil, fmt.Errorf("--date %s: write seconds since 1970, or a time as in 2026-01-31T12:00:00Z", date)
	}
	if !isCommitDate(when) {
		return nil, fmt.Errorf("--date %s: %s", date, commitDates)
	}
	return &when, nil
}

// commitDates says what [isCommitDate] takes.
const commitDates = "a commit has a date from 1970 up to the year 9999"

// isCommitDate tells the dates that git takes: it has none before 1970, and servers refuse what other tools cannot read.
func isCommitDate(t time.Time) bool {
	return t.Unix() >= 0 && t.Unix() < time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
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
