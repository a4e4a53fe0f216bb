package main

import (
	"context"
	"fmt"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// makeRepo makes sure that a repo is there on the Hub. Any other server makes its repositories itself. Where private is set,
// a repo that everyone can see is an error: its data would be public with the push.
func (d *destination) makeRepo(ctx context.Context, repo *release.Repo, publisher *publish.Publisher, private bool) error {
	named, onHub, err := d.onHub(repo)
	if err != nil {
		return err
	}
	there, err := publisher.Exists(ctx)
	switch {
	case err != nil:
		return err
	case private && !onHub:
		return fmt.Errorf("%s: --private is for repos on the Hub: hfpub cannot tell who sees those of other servers", repo.ID)
	case there && private:
		return d.checkPrivate(ctx, named)
	case there || !onHub:
		return nil
	}
	return d.createRepo(ctx, repo, named, private)
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

func (d *destination) createRepo(ctx context.Context, repo *release.Repo, named hubapi.Repo, private bool) error {
	if named.Type != repo.Type {
		right := d.endpoint.GitURL(hubapi.Repo{Type: repo.Type, ID: named.ID})
		return fmt.Errorf("--remote %s is the address of a %s, and %s is a %s: write %s", d.remote.Shown, named.Type, repo.ID, repo.Type, right)
	}
	visibility := hubapi.Public
	if private {
		visibility = hubapi.Private
	}
	_, err := d.hub().CreateRepo(ctx, named, visibility)
	if d.remote != nil && !private && hubapi.NoAPI(err) {
		return nil // a git server behind HF_ENDPOINT that is no Hub
	}
	return err
}

// hub is a client for the Hub's API.
func (d *destination) hub() *hubapi.Client {
	return hubapi.NewClient(d.endpoint, d.token, hubapi.Options{UserAgent: d.userAgent})
}
