package lfs

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/hfpub/hfpub/publish/exchange"
)

// maxTransfers is how often an object is sent, each time with new links, when the store refuses those at hand or has lost what
// it was sent.
const maxTransfers = 4

// Report counts what an upload did, by content.
type Report struct {
	// Uploaded objects were sent, Skipped ones are there already. Bytes is the size of those sent.
	Uploaded, Skipped int
	Bytes             int64
}

// Upload sends the objects that the server lacks, each content once. ref is the full name of the branch they are for, ""
// for none. When an object fails for good no other is started, those under way are finished, and the error is an
// *[UploadError]; an upload that is run again goes on where it stopped.
func (c *Client) Upload(ctx context.Context, ref string, files Files, objects []Object) (Report, error) {
	u := &upload{client: c, ref: ref, files: files}
	all := unique(objects)
	for _, chunk := range chunks(all) {
		if err := u.chunk(ctx, chunk); err != nil {
			return u.report, err
		}
		if len(u.failures) > 0 {
			break
		}
	}
	if len(u.failures) == 0 {
		return u.report, nil
	}
	slices.SortFunc(u.failures, func(a, b Failure) int { return cmp.Compare(a.Object.Path, b.Object.Path) })
	untried := len(all) - u.report.Uploaded - u.report.Skipped - len(u.failures)
	return u.report, &UploadError{Failures: u.failures, Untried: untried}
}

// upload is one run of [Client.Upload].
type upload struct {
	client *Client
	ref    string
	files  Files

	mu       sync.Mutex
	report   Report
	failures []Failure
}

// chunk uploads the objects of one batch. Objects that the server refuses are all known before the first byte is sent.
func (u *upload) chunk(ctx context.Context, objects []Object) error {
	answers, err := u.client.batch(ctx, uploading, u.ref, objects)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := answers[o.OID].failure(); err != nil {
			u.failures = append(u.failures, Failure{o, err})
		}
	}
	if len(u.failures) > 0 {
		return nil
	}
	var group errgroup.Group
	group.SetLimit(u.client.opts.Concurrency)
	for _, o := range objects {
		group.Go(func() error {
			if ctx.Err() == nil && !u.failed() {
				u.object(ctx, o, answers[o.OID])
			}
			return nil
		})
	}
	_ = group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (u *upload) failed() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.failures) > 0
}

// object uploads one object and writes down what became of it.
func (u *upload) object(ctx context.Context, o Object, a *answer) {
	if a.Actions.Upload == nil {
		u.client.emit(Event{Kind: Skipped, Path: o.Path, Done: o.Size, Total: o.Size})
		u.mu.Lock()
		defer u.mu.Unlock()
		u.report.Skipped++
		return
	}
	err := u.send(ctx, o, a)
	if err == nil {
		u.client.emit(Event{Kind: Sent, Path: o.Path, Done: o.Size, Total: o.Size})
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err != nil {
		u.failures = append(u.failures, Failure{o, err})
		return
	}
	u.report.Uploaded++
	u.report.Bytes += o.Size
}

// send transfers one object, with new links where those at hand have expired.
func (u *upload) send(ctx context.Context, o Object, a *answer) error {
	file, err := u.files.Open(o.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := unchanged(file, o); err != nil {
		return err
	}
	policy := u.client.opts.Retry
	policy.Attempts = min(policy.Attempts, maxTransfers)
	onRetry := func(attempt int, err error) {
		u.client.emit(Event{Kind: Retry, Path: o.Path, Total: o.Size, Attempt: attempt, Err: err})
	}
	var failure error
	_ = policy.Do(ctx, onRetry, func() error {
		if failure != nil {
			a, failure = u.renew(ctx, o)
		}
		if failure == nil && a.Actions.Upload != nil {
			failure = (&transfer{client: u.client, file: file, object: o, answer: a}).run(ctx)
		}
		var old *LinkError
		if errors.As(failure, &old) {
			return exchange.Transient(failure)
		}
		return exchange.Permanent(failure) // whatever else can be tried again has been
	})
	return failure
}

// renew asks for new links for one object.
func (u *upload) renew(ctx context.Context, o Object) (*answer, error) {
	answers, err := u.client.batch(ctx, uploading, u.ref, []Object{o})
	if err != nil {
		return nil, err
	}
	return answers[o.OID], answers[o.OID].failure()
}

// expired marks what may come of links that are too old, or of an object that got lost on the way.
func expired(err error) error {
	switch exchange.Code(err) {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusGone,
		http.StatusUnprocessableEntity:
		return &LinkError{err}
	}
	return err
}

// transfer is one object on its way, by one set of links.
type transfer struct {
	client *Client
	file   *os.File
	object Object
	answer *answer
	// done counts the bytes sent by tries that have not failed.
	done atomic.Int64
}

// run sends the content and lets the server confirm that it has arrived.
func (t *transfer) run(ctx context.Context) error {
	var err error
	if t.answer.Actions.Upload.Header["chunk_size"] != "" {
		err = t.parts(ctx)
	} else {
		err = t.whole(ctx)
	}
	if err != nil || t.answer.Actions.Verify == nil {
		return err
	}
	return t.verify(ctx)
}

// whole sends the content in one request, the basic transfer.
func (t *transfer) whole(ctx context.Context) error {
	up := t.answer.Actions.Upload
	to, err := t.client.link(up.Href)
	if err != nil {
		return err
	}
	err = t.retry(ctx, func() error {
		body := newHashed(io.NewSectionReader(t.file, 0, t.object.Size), t.object)
		_, err := t.put(ctx, "LFS upload", to, up.Header, body, t.object.Size)
		return err
	})
	return expired(err)
}

func (t *transfer) retry(ctx context.Context, try func() error) error {
	onRetry := func(attempt int, err error) {
		t.client.emit(Event{Kind: Retry, Path: t.object.Path, Done: t.done.Load(), Total: t.object.Size, Attempt: attempt,
			Err: err})
	}
	return t.client.opts.Retry.Do(ctx, onRetry, try)
}

// put sends size bytes. The object store is told their number beforehand, and nothing of ours: its links are signed.
func (t *transfer) put(ctx context.Context, op string, to *url.URL, header map[string]string, content io.Reader,
	size int64) (*http.Response, error) {
	select {
	case t.client.slots <- struct{}{}:
		defer func() { <-t.client.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	body := &progress{content: content, transfer: t}
	answer, err := t.request(ctx, op, to, header, body, size)
	body.finish(err == nil)
	return answer, err
}

func (t *transfer) request(ctx context.Context, op string, to *url.URL, header map[string]string, body io.Reader,
	size int64) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPut, to.String(), body)
	if err != nil {
		return nil, exchange.Plain(op, to, err)
	}
	q.ContentLength = size
	q.Header.Set("Content-Type", "application/octet-stream")
	setHeaders(q, header)
	if t.ownStore(to) && q.Header.Get("Authorization") == "" {
		t.client.opts.Authorize(q)
	}
	answer, err := t.client.client.Do(q)
	if err != nil {
		return nil, exchange.Plain(op, to, err)
	}
	defer exchange.Drain(answer.Body)
	return answer, exchange.Check(op, answer)
}

// ownStore reports whether an upload goes to the LFS server itself, which then wants the same credentials as ever. A link
// that is signed, or that the server calls authenticated, brings its own.
func (t *transfer) ownStore(to *url.URL) bool {
	return t.client.opts.Authorize != nil && !t.answer.Authenticated && to.RawQuery == "" &&
		exchange.SameOrigin(to, t.client.endpoint())
}

// verify lets the server confirm an upload. An object that it does not find is sent again.
func (t *transfer) verify(ctx context.Context) error {
	v := t.answer.Actions.Verify
	to, err := t.client.link(v.Href)
	if err != nil {
		return err
	}
	err = t.retry(ctx, func() error {
		_, err := t.client.post(ctx, "LFS verify", to, v.Header, t.client.opts.Authorize,
			batchObject{t.object.OID, t.object.Size})
		return err
	})
	return expired(err)
}
