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
}

// DefaultPolicy is what the Hub's own client does: five retries, 1 s doubling to 8 s, and never more than the five
// minutes of a rate limit's window.
func DefaultPolicy() Policy {
	return Policy{Attempts: 6, First: time.Second, Cap: 8 * time.Second, Budget: 5 * time.Minute}
}

// Do calls try until it succeeds, fails for good, or the policy ends, and returns the last error. onRetry, where given,
// is told of every failed try that is followed by another. When ctx ends, so does Do, with the context's cause.
func (p Policy) Do(ctx context.Context, onRetry func(attempt int, err error), try func() error) error {
	var waited time.Duration
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
		pause := p.pause(attempt, err)
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

// pause is the wait after a failed try: what the server asked for, and the policy's own wait on top.
func (p Policy) pause(attempt int, err error) time.Duration {
	own := p.Cap
	if shift := attempt - 1; shift < 30 && p.First<<shift < p.Cap {
		own = p.First << shift
	}
	if half := int64(own / 2); half > 0 {
		own -= time.Duration(rand.Int64N(half))
	}
	var status *StatusError
	if errors.As(err, &status) {
		return status.After + own
	}
	return own
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
		marked   permanent
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
	case errors.As(err, &marked), errors.As(err, &redirect), errors.Is(err, context.Canceled),
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
	if errors.As(err, &u) {
		err = &networkError{u.Err}
	}
	if target == nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return fmt.Errorf("%s at %s: %w", op, Bare(target), err)
}

// networkError is what is left of an error of net/http's client without the address.
type networkError struct{ cause error }

func (e *networkError) Error() string { return e.cause.Error() }
func (e *networkError) Unwrap() error { return e.cause }
