// Package publish brings a release to the Hub, or to any git remote over HTTP, without git and git-lfs on the machine.
//
// A [Publisher] stands for one repo and one [Target]. [Publisher.Plan] compares the local files with the branch and says
// what would happen, without changing anything. [Publisher.Publish] carries a plan out in an order in which nothing can be
// left half done: upload to LFS, proof that the objects can be read, then one push that moves the branch from the planned
// commit to the new one or not at all, then a look at what arrived. [Publisher.Verify] compares a branch with the local
// files or a lock at any time.
//
// What is not the release's own stays: files that no pattern of its configs covers, and every line of .gitattributes.
// Nothing is ever forced. Errors carry advice, see [Error]; no token is part of any value, error or event of this package.
//
// The parts: gitwire speaks git, lfs speaks Git LFS, exchange is what they share, hubapi the rest of the Hub.
package publish

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/schemas/release"
)

// Target is where a repo is published.
type Target struct {
	// URL is the git remote over http or https, without credentials: see [ParseRemote].
	URL string
	// Branch is a branch's name or a full ref such as refs/pr/7; "" is main.
	Branch string
}

// Options adjust a [Publisher]. The zero value works for a remote that anyone may write to.
type Options struct {
	// AuthorizeGit and AuthorizeLFS add credentials to a request: basic auth for git, a bearer token for the Hub's LFS.
	// They are called for the target's own origin only. Without AuthorizeLFS, LFS gets the same as git.
	AuthorizeGit, AuthorizeLFS func(*http.Request)
	// TokenSource says in errors where the credentials came from, as in "HF_TOKEN"; "" where there are none.
	TokenSource string
	// Redact takes the credentials out of a text that a server sent, in case it repeats them; nil leaves texts as they are.
	Redact func(text string) string
	// Transport carries the requests: proxies and certificates are its business; nil is a transport with Go's defaults.
	Transport http.RoundTripper
	UserAgent string
	// First allows a repository or branch that does not exist yet.
	First bool
	// AllowRemovals allows to remove more than a fifth of the files that the release owns on the remote.
	AllowRemovals bool
	// Validated are the SHA-256 of files as they were validated, in hex by path. A file that is another one by the time it is
	// read for the push stops the plan.
	Validated map[string]string
	// Advice is asked about files that our own rules leave in doubt; nil asks nobody.
	Advice Advice
	// Concurrency is how many objects are sent at once, and how many files are hashed; 0 is 4.
	Concurrency int
	// Retry says how failures that may pass are met; the zero Policy is [exchange.DefaultPolicy].
	Retry exchange.Policy
	// Idle is how long a transfer may stand still, 0 is one minute; Answer how long the server may think, 0 is ten.
	Idle, Answer time.Duration
	// OnEvent is told of the progress, one call at a time.
	OnEvent func(Event)
}

// withDefaults fills in what was left zero.
func (o Options) withDefaults() Options {
	if o.AuthorizeLFS == nil {
		o.AuthorizeLFS = o.AuthorizeGit
	}
	if o.Concurrency <= 0 {
		o.Concurrency = 4
	}
	if o.Retry == (exchange.Policy{}) {
		o.Retry = exchange.DefaultPolicy()
	}
	if o.Idle == 0 {
		o.Idle = time.Minute
	}
	if o.Answer == 0 {
		o.Answer = 10 * time.Minute
	}
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = o.Concurrency
		o.Transport = t
	}
	return o
}

// Phase is a stage of publishing.
type Phase string

// The phases, in their order. A retry or a line of the server belongs to the phase it is told with.
const (
	Hashing   Phase = "hash"
	Comparing Phase = "compare"
	Packing   Phase = "pack"
	Uploading Phase = "upload"
	Checking  Phase = "check"
	Pushing   Phase = "push"
	Verifying Phase = "verify"
)

// Event tells how far a phase has come.
type Event struct {
	Phase Phase
	// Path is the file in question, "" for the phase as a whole.
	Path string
	// Done of Total bytes. For hash they count all files together, for upload the one at Path.
	Done, Total int64
	// Remote is a line that the server says to people, clean.
	Remote string
	// Err is a failure that is followed by another try; Attempt counts the failed tries from 1.
	Err     error
	Attempt int
}

// Publisher publishes one repo to one target. It is not safe for use by several goroutines.
type Publisher struct {
	target Target
	repo   *release.Repo
	opts   Options
	git    *gitwire.Remote
	events sync.Mutex
	phase  Phase
}

// New makes a publisher; nothing is sent or read yet. It refuses URLs and branches that cannot be pushed to.
func New(target Target, repo *release.Repo, o Options) (*Publisher, error) {
	p := &Publisher{target: target, repo: repo, opts: o.withDefaults()}
	p.target.Branch = fullRef(target.Branch)
	if err := checkBranch(p.target.Branch); err != nil {
		return nil, &Error{Err: fmt.Errorf("%q cannot be the name of a branch", target.Branch),
			Hint: "name a branch, as in main, or a full ref, as in refs/pr/7"}
	}
	git, err := gitwire.Open(target.URL, gitwire.Options{
		Transport: p.opts.Transport, Authorize: p.opts.AuthorizeGit, UserAgent: p.opts.UserAgent,
		Idle: p.opts.Idle, Answer: p.opts.Answer, Retry: p.opts.Retry,
		OnRetry:   func(attempt int, err error) { p.emit(Event{Phase: p.phase, Attempt: attempt, Err: err}) },
		OnMessage: func(line string) { p.emit(Event{Phase: p.phase, Remote: line}) },
		OnSent:    func(done, total int64) { p.emit(Event{Phase: Pushing, Done: done, Total: total}) },
	})
	if err != nil {
		return nil, p.advise(err)
	}
	p.git = git
	return p, nil
}

// fullRef makes a full ref of a branch's name.
func fullRef(branch string) string {
	switch {
	case branch == "":
		return "refs/heads/main"
	case strings.HasPrefix(branch, "refs/"):
		return branch
	}
	return "refs/heads/" + branch
}

// checkBranch refuses what cannot be moved by a push as a branch is: tags stay where they are, and HEAD names a branch.
func checkBranch(ref string) error {
	if strings.HasPrefix(ref, "refs/tags/") || ref == "refs/heads/HEAD" {
		return plumbing.ErrInvalidReferenceName
	}
	return plumbing.ReferenceName(ref).Validate()
}

// branch is the target's branch as people name it.
func (p *Publisher) branch() string { return strings.TrimPrefix(p.target.Branch, "refs/heads/") }

// lfs makes a client for the LFS server of the remote, which may have been redirected meanwhile. Credentials do not go to
// another host.
func (p *Publisher) lfs() (*lfs.Client, error) {
	authorize := p.opts.AuthorizeLFS
	if p.git.MovedTo() != "" {
		authorize = nil
	}
	return lfs.New(p.git.URL(), lfs.Options{
		Transport: p.opts.Transport, Authorize: authorize, UserAgent: p.opts.UserAgent,
		Idle: p.opts.Idle, Answer: p.opts.Answer, Retry: p.opts.Retry, Concurrency: p.opts.Concurrency,
		OnEvent: p.lfsEvent,
	})
}

// lfsEvent passes on what the LFS client tells.
func (p *Publisher) lfsEvent(e lfs.Event) {
	p.emit(Event{Phase: p.phase, Path: e.Path, Done: e.Done, Total: e.Total, Err: e.Err, Attempt: e.Attempt})
}

// redact takes the credentials out of a text.
func (p *Publisher) redact(text string) string {
	if p.opts.Redact == nil {
		return text
	}
	return p.opts.Redact(text)
}

// enter starts a phase. Phases follow one another, and goroutines of one have ended before the next begins.
func (p *Publisher) enter(phase Phase) {
	p.phase = phase
	p.emit(Event{Phase: phase})
}

func (p *Publisher) emit(e Event) {
	if p.opts.OnEvent == nil {
		return
	}
	e.Remote = p.redact(e.Remote)
	if e.Err != nil {
		e.Err = &redactedError{e.Err, p.redact}
	}
	p.events.Lock()
	defer p.events.Unlock()
	p.opts.OnEvent(e)
}
