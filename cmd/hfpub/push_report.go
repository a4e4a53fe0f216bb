package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

// pushReport is the JSON object of plan and push.
type pushReport struct {
	Push    int    `json:"push"`
	Hfpub   string `json:"hfpub"`
	Release string `json:"release"`
	DryRun  bool   `json:"dry_run"`
	// Plans are there for a dry run, Results otherwise: one for each repo that was reached.
	Plans   []*publish.Plan   `json:"plans,omitempty"`
	Results []*publish.Result `json:"results,omitempty"`
	// Unfinished are the repos that were to follow the results when an error ended the push.
	Unfinished []unfinishedRepo `json:"unfinished,omitempty"`
	// Created are the ids of the repos that were made on the Hub before the first push.
	Created []string `json:"created,omitempty"`
	// PullRequests are those that were opened; Collection is the address of the collection that the repos are in.
	PullRequests []pullRequest     `json:"pull_requests,omitempty"`
	Collection   string            `json:"collection,omitempty"`
	Findings     []finding.Finding `json:"findings"`
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

// unfinishedRepo is a repo that an error kept from being pushed, or that nobody knows of.
type unfinishedRepo struct {
	Repo string `json:"repo"`
	// State is failed for the repo that the error is about, in-doubt where it may have been pushed all the same, and not-tried
	// for those after it.
	State string `json:"state"`
}

// unfinished are the repos that an error left over; it is about the first.
func unfinished(repos []*release.Repo, err error) []unfinishedRepo {
	state := "failed"
	if inDoubt(err) {
		state = "in-doubt"
	}
	return append([]unfinishedRepo{{repos[0].ID, state}}, untried(repos[1:])...)
}

// line says the same to a person.
func (u unfinishedRepo) line() string {
	switch u.State {
	case "in-doubt":
		return u.Repo + ": may have been pushed, see the error"
	case "failed":
		return u.Repo + ": not pushed, see the error"
	}
	return u.Repo + ": not pushed, since the push ended before it"
}

// untried are repos that the push did not come to.
func untried(repos []*release.Repo) []unfinishedRepo {
	var left []unfinishedRepo
	for _, repo := range repos {
		left = append(left, unfinishedRepo{repo.ID, "not-tried"})
	}
	return left
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
	if len(out.Results)+len(out.Unfinished) > 0 {
		for _, id := range out.Created {
			r.Lines = append(r.Lines, id+": created on the Hub")
		}
	}
	for _, result := range out.Results {
		r.Lines = append(r.Lines, resultLine(result))
	}
	for _, pr := range out.PullRequests {
		r.Lines = append(r.Lines, fmt.Sprintf("%s: pull request %d is open: %s", pr.Repo, pr.Num, pr.URL))
	}
	if out.Collection != "" {
		r.Lines = append(r.Lines, "the repos are in the collection "+out.Collection)
	}
	for _, left := range out.Unfinished {
		r.Lines = append(r.Lines, left.line())
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

// nothingDone says that a push ended before any repo of the release was reached. Repos that were made by then are named: they are
// there and have nothing of the release.
func nothingDone(out *pushReport) string {
	text := strings.TrimSuffix(nothingSent(out.DryRun), ": ")
	if len(out.Created) > 0 {
		text += "; created on the Hub, without files of the release: " + strings.Join(out.Created, ", ")
	}
	return text
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
	case plan.NoChange && plan.LFSMissing > 0:
		return fmt.Sprintf("%s: the remote has the same files; LFS has lost %s of their contents, to be sent again", plan.Repo,
			count(plan.LFSBytes, "byte"))
	case plan.NoChange && plan.Tag != "":
		return plan.Repo + ": the remote has all of it; tag " + plan.Tag + " would be set"
	case plan.NoChange:
		return plan.Repo + ": " + publish.NothingToPush
	}
	created := ""
	if plan.New {
		created = "; the repo is not there yet: the .gitattributes that the Hub gives a new one may put more files into LFS"
	}
	if plan.Tag != "" {
		created += "; tag " + plan.Tag
	}
	return fmt.Sprintf("%s: %d added, %d changed, %d removed, %d unchanged, %d kept; %s to LFS, %s of plain files, about %s%s",
		plan.Repo, plan.Count(publish.Added), plan.Count(publish.Changed), plan.Count(publish.Removed),
		plan.Count(publish.Unchanged), plan.Count(publish.Kept), count(plan.LFSBytes, "byte"), count(plan.PlainBytes, "byte"), count(int64(plan.Requests), "request"), created)
}

func resultLine(result *publish.Result) string {
	switch {
	case result.Skipped != "":
		return result.Repo + ": " + result.Skipped
	case result.NoChange:
		return result.Repo + ": " + result.Message
	}
	tagged := ""
	if result.Tag != "" {
		tagged = ", tagged " + result.Tag
	}
	return fmt.Sprintf("%s: pushed commit %s to %s of %s%s: %d added, %d changed, %d removed; %s to LFS",
		result.Repo, result.Commit, shortBranch(result.Branch), result.Remote, tagged,
		result.Added, result.Changed, result.Removed, count(result.LFSBytes, "byte"))
}
