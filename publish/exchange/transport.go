package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// ErrStalled ends an exchange in which no byte has moved for too long.
var ErrStalled = errors.New("the connection stalled: no byte moved for too long")

// Transport is an [http.RoundTripper] that gives up when nothing moves. There is no limit on the whole exchange, since an
// upload may rightly take hours.
type Transport struct {
	// Base does the work; nil is [http.DefaultTransport].
	Base http.RoundTripper
	// UserAgent replaces the User-Agent of every request.
	UserAgent string
	// Idle is how long a body, sent or received, may stand still, and how long the answer to a plain question may take.
	// Answer is how long the server may take to answer after it was sent a body: it may have gigabytes to check first. 0 is no
	// limit.
	Idle, Answer time.Duration
}

// RoundTrip sends one request. An exchange that stalls ends with [ErrStalled].
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &watch{cancel: cancel}
	r = r.Clone(ctx)
	if t.UserAgent != "" {
		r.Header.Set("User-Agent", t.UserAgent)
	}
	w.start(t.Idle)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &sent{body: r.Body, watch: w, idle: t.Idle, answer: t.Answer}
		r.GetBody = nil
	}
	answer, err := t.base().RoundTrip(r)
	w.stop()
	if err != nil {
		err = stalled(ctx, err)
		cancel(nil)
		return nil, err
	}
	answer.Body = &received{body: answer.Body, watch: w, idle: t.Idle, ctx: ctx}
	return answer, nil
}

func (t *Transport) base() http.RoundTripper {
	if t.Base != nil {
		return t.Base
	}
	return http.DefaultTransport
}

// stalled names the true cause of an error that came of ending the exchange.
func stalled(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrStalled) {
		return cause
	}
	return err
}

// watch ends an exchange when its time is up.
type watch struct {
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	timer  *time.Timer
	over   bool
}

// start gives the next step of the exchange its time. Without limit, or after the end, it does nothing.
func (w *watch) start(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	if limit <= 0 || w.over {
		return
	}
	w.timer = time.AfterFunc(limit, func() { w.cancel(ErrStalled) })
}

func (w *watch) pause() { w.start(0) }

// stop pauses the watch and takes no notice of a request body that is still read after the answer came.
func (w *watch) stop() {
	w.pause()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
}

// sent is a request's body: the time between two reads is what the network takes.
type sent struct {
	body         io.ReadCloser
	watch        *watch
	idle, answer time.Duration
}

func (s *sent) Read(p []byte) (int, error) {
	s.watch.pause()
	n, err := s.body.Read(p)
	if err != nil {
		s.watch.start(s.answer)
	} else {
		s.watch.start(s.idle)
	}
	return n, err
}

func (s *sent) Close() error { return s.body.Close() }

// received is an answer's body: the time inside a read is what the network takes.
type received struct {
	body  io.ReadCloser
	watch *watch
	idle  time.Duration
	ctx   context.Context
}

func (r *received) Read(p []byte) (int, error) {
	var timer *time.Timer
	if r.idle > 0 {
		timer = time.AfterFunc(r.idle, func() { r.watch.cancel(ErrStalled) })
		defer timer.Stop()
	}
	n, err := r.body.Read(p)
	if err != nil && err != io.EOF {
		err = stalled(r.ctx, err)
	}
	return n, err
}

func (r *received) Close() error {
	defer r.watch.cancel(nil)
	return r.body.Close()
}

// RedirectError is a redirect that is not followed.
type RedirectError struct {
	// From and To are addresses without credentials and query.
	From, To string
	Why      string
}

func (e *RedirectError) Error() string {
	return fmt.Sprintf("redirect from %s to %s: %s", e.From, e.To, e.Why)
}

// NoRedirectAway is a CheckRedirect for [http.Client]: it follows redirects within one origin and refuses others, so
// that nothing is sent to a place the user did not name.
func NoRedirectAway(next *http.Request, via []*http.Request) error {
	first := via[0]
	refuse := func(why string) error {
		return &RedirectError{From: Bare(first.URL), To: Bare(next.URL), Why: why}
	}
	switch {
	case !SameOrigin(first.URL, next.URL):
		return refuse("it leads to another host")
	case len(via) >= 10:
		return refuse("it is the tenth in a row")
	}
	return nil
}

// Drain reads what is left of a small answer, so that its connection can be used again, and closes it.
func Drain(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 64<<10)
	_ = body.Close()
}

// ReadAll reads a body that must not be longer than limit bytes.
func ReadAll(body io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, Permanent(fmt.Errorf("the answer is longer than %d bytes", limit))
	}
	return data, nil
}
