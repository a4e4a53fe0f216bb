package gitwire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Update moves one ref.
type Update struct {
	// Ref is the full name, as in refs/heads/main.
	Ref string
	// Old is where the ref must be for the push to happen; zero: it must not exist.
	Old, New plumbing.Hash
}

// Report is a push that has happened.
type Report struct {
	// Refs holds the server's answer for each ref: "ok". It is empty where the answer was lost.
	Refs map[string]string
	// Remote is what the server said to people, line by line, clean.
	Remote []string
	// Recovered says that an answer was lost or missing, and that the ref was found where it was to be moved to.
	Recovered bool
	// Sent is the length in bytes of the request that went through.
	Sent int64
}

// Push sends a pack and moves refs in one step, all of them or none. The server compares the old hashes, so that nothing is
// ever overwritten: a ref that has moved is a *[StaleError], a refusal a *[RejectedError]. A server that cannot move several
// refs in one step is a *[NotAtomicError] where several are to be moved.
//
// A push is never just repeated. When an answer is lost or says to come back later, the refs are read again first: the
// push may have happened.
func (r *Remote) Push(ctx context.Context, updates []Update, pack *Pack) (*Report, error) {
	p := &push{remote: r, updates: updates, pack: pack}
	var report *Report
	err := r.retry(ctx, func() (err error) {
		report, err = p.try(ctx)
		return err
	})
	if err != nil {
		return p.settle(ctx, err)
	}
	return report, nil
}

// NotAtomicError says that the server cannot move several refs in one step.
type NotAtomicError struct{}

func (e *NotAtomicError) Error() string {
	return "git push: the server cannot move several refs in one step (no atomic)"
}

// push is an update of refs on its way.
type push struct {
	remote  *Remote
	updates []Update
	pack    *Pack
	// sent is true once the server may have got all of it.
	sent bool
}

// try looks where the ref is, and sends the push where that is still called for.
func (p *push) try(ctx context.Context) (*Report, error) {
	refs, err := p.remote.RefsForPush(ctx)
	if err != nil {
		return nil, err
	}
	done, err := p.standing(refs)
	switch {
	case err != nil:
		return nil, err
	case done:
		return &Report{Recovered: true}, nil
	}
	return p.send(ctx, refs)
}

// standing says whether all refs are where they are to be moved to. Unless they are all where they were, that is an error.
func (p *push) standing(refs *Refs) (done bool, err error) {
	moved := 0
	for _, u := range p.updates {
		switch have := refs.Get(u.Ref); have {
		case u.New:
			moved++
		case u.Old:
		default:
			return false, &StaleError{Ref: u.Ref, Want: u.Old, Have: have}
		}
	}
	if moved == 0 || moved == len(p.updates) {
		return moved > 0, nil
	}
	for _, u := range p.updates {
		if have := refs.Get(u.Ref); have == u.New {
			return false, &StaleError{Ref: u.Ref, Want: u.Old, Have: have}
		}
	}
	return false, nil
}

// refs names what is to be moved.
func (p *push) refs() string {
	var names []string
	for _, u := range p.updates {
		names = append(names, u.Ref)
	}
	return strings.Join(names, ", ")
}

// settle finds out what became of a push that failed for good.
func (p *push) settle(ctx context.Context, failure error) (*Report, error) {
	var stale *StaleError
	if !p.sent || errors.As(failure, &stale) || certain(failure) {
		return nil, failure
	}
	if ctx.Err() != nil {
		return nil, &UnknownError{Ref: p.refs(), Err: failure}
	}
	refs, err := p.remote.RefsForPush(ctx)
	var rejected *RejectedError
	switch {
	case err != nil && errors.As(failure, &rejected):
		return nil, failure
	case err != nil:
		return nil, &UnknownError{Ref: p.refs(), Err: failure}
	}
	done, err := p.standing(refs)
	switch {
	case err != nil:
		return nil, err
	case done:
		return &Report{Recovered: true}, nil
	}
	return nil, failure
}

// certain tells answers that leave no doubt: the server has not taken the push.
func certain(failure error) bool {
	code := exchange.Code(failure)
	return code/100 == 4 && code != http.StatusRequestTimeout
}

// UnknownError says that a push was sent and that nobody knows whether it happened. Pushing again finds out.
type UnknownError struct {
	Ref string
	Err error
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%s: it is not known whether the push to %s happened", e.Err, e.Ref)
}

func (e *UnknownError) Unwrap() error { return e.Err }

// errNoReport marks an answer of success without the report that makes it one.
var errNoReport = errors.New("the server's answer does not say what became of the push")

// send makes one receive-pack request and reads all of its answer.
func (p *push) send(ctx context.Context, refs *Refs) (*Report, error) {
	r := p.remote
	if err := refs.CheckAtomic(len(p.updates)); err != nil {
		return nil, err
	}
	head, banded, err := pushHead(refs.capabilities, p.updates)
	if err != nil {
		return nil, err
	}
	total := int64(len(head)) + p.pack.Size
	body := &counted{r: io.MultiReader(bytes.NewReader(head), p.pack.Reader()), total: total, told: r.opts.OnSent}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL()+"/git-receive-pack", body)
	if err != nil {
		return nil, r.explain("git push", err)
	}
	q.ContentLength = total
	q.Header.Set("Content-Type", "application/x-git-receive-pack-request")
	q.Header.Set("Accept", "application/x-git-receive-pack-result")
	r.authorize(q)
	answer, err := r.client.Do(q)
	if all := body.end(); all {
		p.sent = true
	}
	if err != nil {
		return nil, r.explain("git push", err)
	}
	defer exchange.Drain(answer.Body)
	said := &messages{told: r.opts.OnMessage}
	report, err := readReport(answer.Body, banded, said)
	if err != nil {
		return nil, fmt.Errorf("git push: %w", err)
	}
	return judge(report, p.updates, said.lines, total)
}

// judge tells a push that happened from one that was refused.
func judge(report *packp.ReportStatus, updates []Update, said []string, sent int64) (*Report, error) {
	refs := map[string]string{}
	for _, status := range report.CommandStatuses {
		refs[exchange.Clean(status.ReferenceName.String())] = exchange.Clean(status.Status)
	}
	unpack := exchange.Clean(report.UnpackStatus)
	silent, refused := false, unpack != "ok"
	for _, u := range updates {
		silent = silent || refs[u.Ref] == ""
		refused = refused || refs[u.Ref] != "" && refs[u.Ref] != "ok"
	}
	switch {
	case refused:
		return nil, &RejectedError{Unpack: unpack, Refs: maps.Clone(refs), Remote: said}
	case silent:
		return nil, fmt.Errorf("git push: %w", errNoReport)
	}
	return &Report{Refs: refs, Remote: said, Sent: sent}, nil
}

// pushHead is the beginning of a request: the commands and what the client is able to do.
func pushHead(able *capability.List, updates []Update) (head []byte, banded bool, err error) {
	request := packp.NewReferenceUpdateRequestFromCapabilities(able)
	if !able.Supports(capability.ReportStatus) {
		return nil, false, errors.New("git push: the server does not report what became of a push (no report-status)")
	}
	banded = able.Supports(capability.Sideband64k)
	if banded {
		if err := request.Capabilities.Set(capability.Sideband64k); err != nil {
			return nil, false, err
		}
	}
	if len(updates) > 1 {
		if err := request.Capabilities.Set(capability.Atomic); err != nil {
			return nil, false, err
		}
	}
	for _, u := range updates {
		request.Commands = append(request.Commands, &packp.Command{Name: plumbing.ReferenceName(u.Ref), Old: u.Old, New: u.New})
	}
	var b bytes.Buffer
	if err := request.Encode(&b); err != nil {
		return nil, false, fmt.Errorf("git push: %w", err)
	}
	return b.Bytes(), banded, nil
}

// counted tells how much of a body was read. The HTTP client may read on after it has given up; nobody is told of that.
type counted struct {
	r     io.Reader
	total int64
	told  func(done, total int64)

	mu   sync.Mutex
	done int64
	over bool
}

// Read reads on.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += int64(n)
	if c.told != nil && n > 0 && !c.over {
		c.told(c.done, c.total)
	}
	return n, err
}

// end stops the telling, and reports whether all of the body was read.
func (c *counted) end() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	return c.done == c.total
}
