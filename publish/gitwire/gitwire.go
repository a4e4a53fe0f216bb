// Package gitwire is the part of git that publishing needs, over smart HTTP and without a clone: one commit on top of a
// branch, from files on disk.
//
// A [Remote] answers with its [Refs]. [Remote.Fetch] brings the trees of one commit and no file contents, as a [Snapshot];
// what a file holds is fetched by hash where it is needed. [BuildTree] and [Commit.Encode] make the new objects,
// [SpoolPack] writes them to a temporary file, and [Remote.Push] sends that and moves the branch: from the old commit to
// the new one, or not at all.
//
// go-git's codecs, objects and HTTP sessions do the reading. Writing is our own, since go-git holds the whole pack in
// memory, stops reading before the server has said everything, and looks for history that is not there.
package gitwire

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Options adjust a [Remote]. The zero value asks anonymously and gives up at the first failure.
type Options struct {
	// Transport carries the requests; nil is [http.DefaultTransport].
	Transport http.RoundTripper
	// Authorize adds the credentials to a request; git wants basic auth. It is called for the remote's own origin only.
	Authorize func(*http.Request)
	UserAgent string
	// Idle is how long a body may stand still, Answer how long the server may think; 0 is no limit.
	Idle, Answer time.Duration
	Retry        exchange.Policy
	// OnRetry is told of every failed try that is followed by another.
	OnRetry func(attempt int, err error)
	// OnMessage gets what the server says to people during a push, line by line, clean.
	OnMessage func(line string)
	// OnSent is told how much of a push has been sent, in bytes.
	OnSent func(done, total int64)
}

// Remote is a repository behind smart HTTP.
type Remote struct {
	opts   Options
	origin *url.URL
	// endpoint follows the redirect of a repository that was renamed; go-git's sessions change it in place.
	endpoint *transport.Endpoint
	// path is the endpoint's path with its escapes, which go-git does not keep.
	path     string
	client   *http.Client
	sessions transport.Transport
}

// URLError is an address that cannot be a git remote over HTTP. It does not repeat the address, which may hold a token.
type URLError struct{ Why string }

func (e *URLError) Error() string { return "remote URL: " + e.Why }

// Open names a remote by its URL: http or https, without credentials, query and fragment. Nothing is sent yet. The error
// is a *[URLError].
func Open(rawURL string, o Options) (*Remote, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, &URLError{"it cannot be read as a URL"}
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, &URLError{fmt.Sprintf("only http:// and https:// can be pushed to, not %q", u.Scheme)}
	case u.Host == "" || u.Hostname() == "":
		return nil, &URLError{"it names no host"}
	case u.User != nil:
		return nil, &URLError{"credentials do not belong into it"}
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, &URLError{"a git remote has no query and no fragment"}
	}
	endpoint, err := transport.NewEndpoint(strings.TrimRight(u.String(), "/"))
	if err != nil {
		return nil, &URLError{"it cannot be read as a git remote"}
	}
	r := &Remote{opts: o, origin: u, endpoint: endpoint}
	r.path = strings.TrimRight(u.EscapedPath(), "/")
	r.setPath()
	r.client = &http.Client{
		Transport:     &guard{&exchange.Transport{Base: o.Transport, UserAgent: o.UserAgent, Idle: o.Idle, Answer: o.Answer}, r.found},
		CheckRedirect: tooMany,
	}
	r.sessions = githttp.NewClientWithOptions(r.client,
		&githttp.ClientOptions{RedirectPolicy: githttp.FollowInitialRedirects})
	return r, nil
}

// found is told the address that the refs came from.
func (r *Remote) found(refs *url.URL) { r.path = strings.TrimSuffix(refs.EscapedPath(), "/info/refs") }

// setPath gives the endpoint its path back: go-git decodes it with every question for the refs, and an escaped slash is no
// slash.
func (r *Remote) setPath() { r.endpoint.Path = r.path }

// URL is where the repository is: the address given to [Open], or the one that the server has redirected to.
func (r *Remote) URL() string { return r.endpoint.String() }

// authorizer gives credentials to the sessions of go-git, for the origin they were meant for.
type authorizer struct{ remote *Remote }

func (authorizer) Name() string   { return "hfpub" }
func (authorizer) String() string { return "hfpub" }

// SetAuth adds the credentials.
func (a authorizer) SetAuth(r *http.Request) { a.remote.authorize(r) }

func (r *Remote) authorize(q *http.Request) {
	if r.opts.Authorize != nil && exchange.SameOrigin(q.URL, r.origin) {
		r.opts.Authorize(q)
	}
}

// MovedTo is the host that the repository was redirected to, where credentials are not sent; "" when it is at home.
func (r *Remote) MovedTo() string { return r.elsewhere(r.endpoint.String()) }

// elsewhere is the host of an address, "" where it is that of the remote itself.
func (r *Remote) elsewhere(address string) string {
	at, err := url.Parse(address)
	if err != nil || exchange.SameOrigin(at, r.origin) {
		return ""
	}
	return at.Host
}

// retry repeats what may be repeated.
func (r *Remote) retry(ctx context.Context, try func() error) error {
	return r.opts.Retry.Do(ctx, r.opts.OnRetry, try)
}
