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
	"github.com/hfpub/hfpub/publish/exchange"
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
	// trusted is set where the Hub gives the token to this CI job: see signIn.
	trusted bool
	// found warns of a token in the address.
	found []finding.Finding
	// say tells a person what the Hub says beside its answers.
	say func(format string, args ...any)
	// client is made by hub.
	client *hubapi.Client
}

// findDestination reads the endpoint, the token and --remote ("" for the Hub). Nothing is asked of any server.
func (a *app) findDestination(raw string) (*destination, error) {
	endpoint, err := hubapi.FindEndpoint(a.getenv)
	if err != nil {
		return nil, err
	}
	d := &destination{endpoint: endpoint, userAgent: hubapi.UserAgent(version(), a.getenv)}
	d.say = func(format string, args ...any) { a.log(&progress{}, format, args...) }
	if raw == "" {
		if hubapi.Offline(a.getenv) {
			return nil, hubapi.ErrOffline
		}
		return d, d.findToken(a.getenv)
	}
	remote, err := publish.ParseRemote(raw)
	if err != nil {
		return nil, err
	}
	d.remote = &remote
	if err := d.findTokenFor(remote, a.getenv); err != nil {
		return nil, err
	}
	if !remote.HasToken() {
		return d, nil
	}
	if d.token.Present() || d.trusted {
		return nil, remote.TwoTokens(d.token.Source())
	}
	d.token = remote.Token
	d.found = []finding.Finding{remote.Finding()}
	return d, nil
}

// findTokenFor finds the token for a git remote. The user's stored token belongs to the Hub: another server gets only what
// HF_TOKEN gives for this run.
func (d *destination) findTokenFor(remote publish.Remote, getenv func(string) string) (err error) {
	hub, _ := url.Parse(d.endpoint.String())
	at, _ := url.Parse(remote.URL)
	switch {
	case exchange.SameOrigin(hub, at) && hubapi.Offline(getenv):
		return hubapi.ErrOffline
	case exchange.SameOrigin(hub, at):
		return d.findToken(getenv)
	case at.Scheme == "http" && hub.Scheme == "https" && strings.EqualFold(at.Hostname(), hub.Hostname()):
		return fmt.Errorf("--remote %s: the token would go over the net in the clear: write https://", remote.Shown)
	}
	d.token, err = hubapi.FindToken(func(name string) string {
		if name == "HF_TOKEN" {
			return getenv(name)
		}
		return ""
	}, "")
	return err
}

// findToken looks where the Hub's own clients look.
func (d *destination) findToken(getenv func(string) string) error {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	d.token, err = hubapi.FindToken(getenv, home)
	if errors.Is(err, hubapi.ErrTrustedPublisher) {
		d.trusted = true
		return nil
	}
	return err
}

// signIn asks the Hub for a token where this is a CI job that is a trusted publisher. It is the first request of all.
func (d *destination) signIn(ctx context.Context, getenv func(string) string) (err error) {
	if d.trusted {
		d.client = nil
		d.token, err = hubapi.TrustedPublisher(ctx, d.endpoint, getenv, d.callOptions())
	}
	return err
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
// /datasets/ is that of a model.
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
	if err != nil && kind == release.Model {
		return hubapi.Repo{}, false, nil // some other server behind HF_ENDPOINT
	}
	if err != nil {
		return named, true, fmt.Errorf("--remote %s: %w", d.remote.Shown, err)
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
	o.TokenSource, o.Redact = d.token.Source(), d.token.Redact
	o.AuthorizeGit = d.basic(user)
	if d.remote == nil {
		o.AuthorizeLFS = d.token.Bearer
	}
	return o
}

func (d *destination) basic(user string) func(*http.Request) {
	return func(r *http.Request) { d.token.Basic(r, user) }
}
