package main

import (
	"context"
	"fmt"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// checkVisibility refuses what would be seen by everyone though it is to be private: a repo that is there and public, and one on
// a server that does not say who sees it.
func (d *destination) checkVisibility(ctx context.Context, repo *release.Repo, there bool) error {
	named, onHub, err := d.onHub(repo)
	switch {
	case err != nil:
		return err
	case !onHub:
		return fmt.Errorf("%s: --private is for repos on the Hub: hfpub cannot tell who sees those of other servers", repo.ID)
	case there:
		return d.checkPrivate(ctx, named)
	}
	return nil
}

// createMissing creates the repos that the plans say are not there, and plans those anew: the Hub's first commit is what a push
// goes on top of. It comes after everything that may stop the push, and tells in out what it made. Any other server makes its
// repositories itself.
func (p *pusher) createMissing(ctx context.Context, repos []*release.Repo, publishers []*publish.Publisher, plans []*publish.Plan, meta publish.Meta, out *pushReport) error {
	for i, repo := range repos {
		named, onHub, err := p.dest.onHub(repo)
		if err != nil {
			return err
		}
		if !plans[i].New || !onHub {
			continue
		}
		made, err := p.dest.createRepo(ctx, repo, named, p.flags.private)
		if err != nil {
			return err
		}
		if !made {
			continue
		}
		out.Created = append(out.Created, repo.ID)
		if plans[i], err = publishers[i].Plan(ctx, meta); err != nil {
			return fmt.Errorf("plan %s: %w", repo.ID, err)
		}
	}
	return nil
}

// checkPrivate refuses a repo that was made public before.
func (d *destination) checkPrivate(ctx context.Context, named hubapi.Repo) error {
	info, err := d.hub().RepoInfo(ctx, named, "")
	if err != nil {
		return err
	}
	if !info.Private {
		return fmt.Errorf("%s is there and public: make it private in its settings, or push without --private", named)
	}
	return nil
}

// createRepo creates a repo, or finds that it is there after all. It reports whether there is one now: a git server behind
// HF_ENDPOINT may be no Hub.
func (d *destination) createRepo(ctx context.Context, repo *release.Repo, named hubapi.Repo, private bool) (bool, error) {
	if named.Type != repo.Type {
		right := d.endpoint.GitURL(hubapi.Repo{Type: repo.Type, ID: named.ID})
		return false, fmt.Errorf("--remote %s is the address of a %s, and %s is a %s: write %s", d.remote.Shown, named.Type, repo.ID, repo.Type, right)
	}
	visibility := hubapi.Public
	if private {
		visibility = hubapi.Private
	}
	created, err := d.hub().CreateRepo(ctx, named, visibility)
	switch {
	case d.remote != nil && !private && hubapi.NoAPI(err):
		return false, nil
	case err != nil:
		return false, err
	case created.Existed && private:
		return true, d.checkPrivate(ctx, named)
	}
	return true, nil
}

// hub is the client for the Hub's API: one for all calls, so that a warning is told once.
func (d *destination) hub() *hubapi.Client {
	if d.client == nil {
		d.client = hubapi.NewClient(d.endpoint, d.token, d.callOptions())
	}
	return d.client
}

// callOptions pass on what the Hub warns of, and what is waited for: a rate limit may take minutes.
func (d *destination) callOptions() hubapi.Options {
	return hubapi.Options{
		UserAgent: d.userAgent,
		OnRetry:   func(_ int, err error) { d.say("the Hub: %s; trying again", err) },
		OnWarning: func(topic, message string) {
			if topic != "" {
				message = topic + ": " + message
			}
			d.say("the Hub warns: %s", message)
		},
	}
}
