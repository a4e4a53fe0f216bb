package exchange

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Policy says how often a thing is tried and how long to wait in between.
type Policy struct {
	// Attempts is the number of tries in all.
	Attempts int
	// First is the wait after the first try; it doubles up to Cap. A random part of up to one half is taken off, so that
	// many clients do not come back at the same time.
	First, Cap time.Duration
	// Budget bounds the sum of all waits. A server that asks for more is not waited for.
	Budget time.Duration
	// Patience bounds the time in which nothing moves: in tries that break without an answer, and in the waits between
	// tries that the server has not asked for. Three tries are made in any case; 0 is no limit.
	Patience time.Duration
}

// patientTries is how many tries a [Policy] makes even when its patience is over: one stall may be a connection that was
// lost on the way, and the next one is another.
const patientTries = 3

// DefaultPolicy is what the Hub's own client does: five retries, 1 s doubling to 8 s, and never more than the five
// minutes of a rate limit's window. It gives up earlier on a server that takes the connection and then does nothing.
func DefaultPolicy() Policy {
	return Policy{Attempts: 6, First: time.Second, Cap: 8 * time.Second, Budget: 5 * time.Minute,
		Patience: 30 * time.Second}
}

// Do calls try until it succeeds, fails for good, or the policy ends, and returns the last error. onRetry, where given,
// is told of every failed try that is followed by another. When ctx ends, so does Do, with the context's cause.
func (p Policy) Do(ctx context.Context, onRetry func(attempt int, err error), try func() error) error {
	var waited, idle time.Duration
	for attempt := 1; ; attempt++ {
		err := try()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !Retryable(err) || attempt >= p.Attempts {
			return err
		}
		still, asked := standstill(err), asked(err)
		idle += still
		if p.Patience > 0 && attempt >= patientTries && idle > p.Patience {
			return err
		}
		own := max(p.pause(attempt)-still, 0) // a try that stood still has waited already
		idle += own
		pause := asked + own
		if waited += pause; waited > p.Budget {
			return err
		}
		if onRetry != nil {
			onRetry(attempt, err)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// pause is the policy's own wait after a failed try.
func (p Policy) pause(attempt int) time.Duration {
	own := p.Cap
	if shift := attempt - 1; shift < 30 && p.First<<shift < p.Cap {
		own = p.First << shift
	}
	if half := int64(own / 2); half > 0 {
		own -= time.Duration(rand.Int64N(half))
	}
	return own
}

// asked is how long the server asks to wait.
func asked(err error) time.Duration {
	var status *StatusError
	if errors.As(err, &status) {
		return status.After
	}
	return 0
}

// stillError is a failure of the network and how long nothing had moved before it.
type stillError struct {
	error
	still time.Duration
}

func (e *stillError) Unwrap() error { return e.error }

// standstill is how long nothing moved before a failure.
func standstill(err error) time.Duration {
	var e *stillError
	if errors.As(err, &e) {
		return e.still
	}
	return 0
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// permanent marks an error that another try would not cure.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// Permanent marks an error as one that another try would not cure, such as a local file that cannot be read.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanent{err}
}

// IsPermanent reports whether an error was marked by [Permanent].
func IsPermanent(err error) bool {
	var marked permanent
	return errors.As(err, &marked)
}

// transient marks an error that another try may cure.
type transient struct{ error }

func (t transient) Unwrap() error { return t.error }

// Transient marks an error as one that another try may cure, such as an answer that leaves something out.
func Transient(err error) error {
	if err == nil {
		return nil
	}
	return transient{err}
}

// Retryable reports whether another try may succeed: after the statuses 408, 429, 500, 502, 503 and 504, a stall, and
// failures of the network. A wrong certificate, an unknown host and a refused redirect stay as they are.
func Retryable(err error) bool {
	var (
		passing  transient
		redirect *RedirectError
		status   *StatusError
		dns      *net.DNSError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		cert     *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		op       *net.OpError
		network  *networkError
		client   *url.Error
	)
	switch {
	case IsPermanent(err), errors.As(err, &redirect), errors.Is(err, context.Canceled),
		errors.Is(err, http.ErrSchemeMismatch):
		return false
	case errors.As(err, &passing):
		return true
	case errors.As(err, &status):
		return RetryableCode(status.Code)
	case errors.Is(err, ErrStalled):
		return true
	case errors.As(err, &dns):
		return !dns.IsNotFound
	case errors.As(err, &unknown), errors.As(err, &hostname), errors.As(err, &invalid), errors.As(err, &cert),
		errors.As(err, &record):
		return false
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &op), errors.As(err, &network):
		return true
	}
	return errors.As(err, &client) && client.Op != "parse"
}

// RetryableCode reports whether a request answered by this HTTP status is worth another try.
func RetryableCode(code int) bool {
	switch code {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// Plain takes the address out of an error of net/http's client, since an address may hold a signature in its query,
// and puts the bare one in its place.
func Plain(op string, target *url.URL, err error) error {
	var u *url.Error
	var broken *net.OpError
	switch {
	case errors.As(err, &u):
		err = &networkError{u.Err}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &broken): // in the middle of an answer
		err = &networkError{err}
	}
	if target == nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return fmt.Errorf("%s at %s: %w", op, Bare(target), err)
}

// networkError is what is left of an error of net/http's client without the address.
type networkError struct{ cause error }

// Error says what happened in words, without the ports of this machine.
func (e *networkError) Error() string {
	var op *net.OpError
	broken := errors.As(e.cause, &op) && op.Op != "dial" && op.Op != "proxyconnect"
	switch {
	case errors.Is(e.cause, net.ErrClosed), errors.Is(e.cause, io.EOF), errors.Is(e.cause, io.ErrUnexpectedEOF):
		return "the server closed the connection"
	case broken:
		return "the connection broke: " + innermost(op).Error()
	}
	return e.cause.Error()
}

func (e *networkError) Unwrap() error { return e.cause }

// innermost is the error at the bottom of a chain.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
