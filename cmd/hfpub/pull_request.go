package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// pullRequest is a pull request that a push went to.
type pullRequest struct {
	Repo string `json:"repo"`
	Num  int    `json:"num"`
	URL  string `json:"url"`
}

// checkPull says which flags do not go with --pr.
func (f *pushFlags) checkPull() error {
	switch {
	case !f.pull:
		return nil
	case f.branch != "main":
		return errors.New("--pr and --branch exclude each other: a pull request has a ref of its own, and one that is open is --branch refs/pr/N")
	case f.first:
		return errors.New("--pr and --first exclude each other: there is no pull request for a repo that is not there")
	case f.tag != "":
		return errors.New("--pr and --tag exclude each other: tag the commit when it is merged")
	case f.collection != "":
		return errors.New("--pr and --collection exclude each other: nothing is published until the pull request is merged")
	}
	return nil
}

// propose carries out a plan for the branch main as a pull request: opens one, pushes to its ref, and takes it out of draft. Where
// there is nothing to change, none is opened. With a result and an error, the commit is there, in a draft.
func (p *pusher) propose(ctx context.Context, repo *release.Repo, plan *publish.Plan, meta publish.Meta, bars *progress, out *pushReport) (*publish.Result, error) {
	if plan.NoChange || plan.Skipped != "" {
		return &publish.Result{Repo: plan.Repo, Remote: plan.Remote, Branch: plan.Branch, Base: plan.Base, Commit: plan.Commit,
			NoChange: plan.NoChange, Skipped: plan.Skipped, Message: publish.NothingToPush}, nil
	}
	named, onHub, err := p.dest.onHub(repo)
	if err != nil {
		return nil, err
	}
	if !onHub {
		return nil, errors.New("--pr is for repos on the Hub")
	}
	opened, err := p.pullRequest(ctx, repo, named, plan, meta)
	if err != nil {
		return nil, err
	}
	url := p.dest.endpoint.PullRequestURL(named, opened)
	result, err := p.pushTo(ctx, repo, opened, meta, bars)
	if err != nil {
		return nil, fmt.Errorf("pull request %d is a draft (%s): go on with --branch %s, and take it out of draft on its page: %w",
			opened.Num, url, opened.Ref(), err)
	}
	if err := p.dest.hub().PublishPullRequest(ctx, named, opened); err != nil {
		return result, fmt.Errorf("the commit is in pull request %d, which is a draft: take it out of draft on its page, %s: %w", opened.Num, url, err)
	}
	out.PullRequests = append(out.PullRequests, pullRequest{repo.ID, opened.Num, url})
	return result, nil
}

// pullRef is what the refs of pull requests begin with.
const pullRef = "refs/pr/"

// pullRequest opens a pull request for a repo, or finds the one that an earlier push has opened and that is not merged: its ref is
// there.
func (p *pusher) pullRequest(ctx context.Context, repo *release.Repo, named hubapi.Repo, plan *publish.Plan, meta publish.Meta) (hubapi.PullRequest, error) {
	if num, err := strconv.Atoi(strings.TrimPrefix(p.state.proposed(repo), pullRef)); err == nil && num > 0 {
		opened := hubapi.PullRequest{Num: num}
		if _, err := p.dest.hub().RepoInfo(ctx, named, opened.Ref()); err == nil {
			return opened, nil
		}
	}
	description := fmt.Sprintf("%d files added, %d changed, %d removed by hfpub %s.", plan.Count(publish.Added),
		plan.Count(publish.Changed), plan.Count(publish.Removed), version())
	opened, err := p.dest.hub().OpenPullRequest(ctx, named, meta.Message, description)
	if err != nil {
		return hubapi.PullRequest{}, err
	}
	return opened, p.state.propose(repo, opened.Ref())
}

// pushTo pushes a repo to a pull request.
func (p *pusher) pushTo(ctx context.Context, repo *release.Repo, opened hubapi.PullRequest, meta publish.Meta, bars *progress) (*publish.Result, error) {
	publisher, err := p.publisherFor(repo, opened.Ref(), bars)
	if err != nil {
		return nil, err
	}
	plan, err := publisher.Plan(ctx, meta)
	if err != nil {
		return nil, err
	}
	return publisher.Publish(ctx, plan)
}
