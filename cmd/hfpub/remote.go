package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// destination is where repos go: the Hub, or the one git remote of --remote.
type destination struct {
	endpoint  hubapi.Endpoint
	token     hubapi.Token
	userAgent string
	// remote is set for --remote.
	remote *publish.Remote
	// found warns of a token in the address.
	found []finding.Finding
}

// findDestination reads the endpoint, the token and --remote ("" for the Hub).
func (a *app) findDestination(ctx context.Context, raw string) (*destination, error) {
	endpoint, err := hubapi.FindEndpoint(a.getenv)
	if err != nil {
		return nil, err
	}
	d := &destination{endpoint: endpoint, userAgent: hubapi.UserAgent(version(), a.getenv)}
	if raw == "" {
		if hubapi.Offline(a.getenv) {
			return nil, hubapi.ErrOffline
		}
		d.token, err = a.findToken(ctx, endpoint)
		return d, err
	}
	remote, err := publish.ParseRemote(raw)
	if err != nil {
		return nil, err
	}
	d.remote = &remote
	if d.token, err = a.tokenFor(ctx, endpoint, remote.URL); err != nil {
		return nil, err
	}
	if !remote.HasToken() {
		return d, nil
	}
	if d.token.Present() {
		return nil, remote.TwoTokens(d.token.Source())
	}
	d.token = remote.Token
	d.found = []finding.Finding{remote.Finding()}
	return d, nil
}

// tokenFor finds the token for a git remote. The user's stored token belongs to the Hub: another server gets only what
// HF_TOKEN gives for this run.
func (a *app) tokenFor(ctx context.Context, endpoint hubapi.Endpoint, remote string) (hubapi.Token, error) {
	if sameHost(endpoint.String(), remote) {
		return a.findToken(ctx, endpoint)
	}
	return hubapi.FindToken(func(name string) string {
		if name == "HF_TOKEN" {
			return a.getenv(name)
		}
		return ""
	}, "")
}

func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && x.Scheme == y.Scheme && x.Host == y.Host
}

// findToken looks where the Hub's own clients look; in a CI job that is a trusted publisher it asks for one.
func (a *app) findToken(ctx context.Context, endpoint hubapi.Endpoint) (hubapi.Token, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	token, err := hubapi.FindToken(a.getenv, home)
	if errors.Is(err, hubapi.ErrTrustedPublisher) {
		return hubapi.TrustedPublisher(ctx, endpoint, a.getenv, hubapi.Options{UserAgent: hubapi.UserAgent(version(), a.getenv)})
	}
	return token, err
}

// target is the git remote of a repo.
func (d *destination) target(repo *release.Repo, branch string) (publish.Target, error) {
	if d.remote != nil {
		_, _, err := d.onHub(repo)
		return publish.Target{URL: d.remote.URL, Branch: branch}, err
	}
	named, err := hubapi.NewRepo(repo.Type, repo.ID)
	if err != nil {
		return publish.Target{}, fmt.Errorf("%w: name the repo in an hfpub.yaml, or give --remote URL", err)
	}
	return publish.Target{URL: d.endpoint.GitURL(named), Branch: branch}, nil
}

// onHub names a repo on the Hub: by its id, or by what --remote says if that address is one of the Hub. An address that lacks
// /datasets/ is that of a model: with --first a data set would become one.
func (d *destination) onHub(repo *release.Repo) (hubapi.Repo, bool, error) {
	if d.remote == nil {
		named, err := hubapi.NewRepo(repo.Type, repo.ID)
		return named, true, err
	}
	path, ok := strings.CutPrefix(d.remote.URL, d.endpoint.String()+"/")
	if !ok {
		return hubapi.Repo{}, false, nil
	}
	kind := release.Model
	if rest, ok := strings.CutPrefix(path, "datasets/"); ok {
		kind, path = release.Dataset, rest
	}
	named, err := hubapi.NewRepo(kind, strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".git"))
	switch {
	case err != nil && kind == release.Model:
		return hubapi.Repo{}, false, nil // some other server behind HF_ENDPOINT
	case err != nil:
		return named, true, fmt.Errorf("--remote %s: %w", d.remote.Shown, err)
	case kind != repo.Type:
		right := d.endpoint.GitURL(hubapi.Repo{Type: repo.Type, ID: named.ID})
		return named, true, fmt.Errorf("--remote %s is the address of a %s, and %s is a %s: write %s", d.remote.Shown, kind, repo.ID, repo.Type, right)
	}
	return named, true, nil
}

// options puts the token where git and LFS want it. The Hub takes the token as a bearer for LFS; any other remote gets
// basic auth for both.
func (d *destination) options() publish.Options {
	o := publish.Options{UserAgent: d.userAgent}
	if !d.token.Present() {
		return o
	}
	user := ""
	if d.remote != nil {
		user = d.remote.User
	}
	o.TokenSource = d.token.Source()
	o.AuthorizeGit = d.basic(user)
	if d.remote == nil {
		o.AuthorizeLFS = d.token.Bearer
	}
	return o
}

func (d *destination) basic(user string) func(*http.Request) {
	return func(r *http.Request) { d.token.Basic(r, user) }
}
