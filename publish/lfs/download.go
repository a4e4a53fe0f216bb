package lfs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Content is what a download showed of an object.
type Content struct {
	Object Object
	// OID and Size are those of what the server gave out, at most one byte more than it should be.
	OID  string
	Size int64
	// Missing says that the server gives nothing out.
	Missing bool
}

// Corrupt downloads objects, each content once, and lists those that are not what they are called, by path. Nothing is written
// to disk; contents are hashed as they come.
func (c *Client) Corrupt(ctx context.Context, ref string, objects []Object) ([]Content, error) {
	return c.download(ctx, &download{client: c, ref: ref}, objects)
}

// Download is [Client.Corrupt] that writes the contents: each to what create returns for it, which is called again when a download
// begins anew, and from several goroutines. What is listed as corrupt was written too.
func (c *Client) Download(ctx context.Context, ref string, objects []Object, create func(Object) (io.WriteCloser, error)) ([]Content, error) {
	return c.download(ctx, &download{client: c, ref: ref, create: create}, objects)
}

func (c *Client) download(ctx context.Context, d *download, objects []Object) ([]Content, error) {
	for _, chunk := range chunks(unique(objects)) {
		if err := d.chunk(ctx, chunk); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(d.corrupt, func(a, b Content) int { return cmp.Compare(a.Object.Path, b.Object.Path) })
	return d.corrupt, nil
}

// download is one run of [Client.Corrupt] or [Client.Download].
type download struct {
	client *Client
	ref    string
	// create makes what a content is written to; nil where nothing is written.
	create func(Object) (io.WriteCloser, error)

	mu      sync.Mutex
	corrupt []Content
}

// chunk downloads the objects of one batch, several at a time.
func (d *download) chunk(ctx context.Context, objects []Object) error {
	answers, err := d.client.batch(ctx, downloading, d.ref, objects)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(d.client.opts.Concurrency)
	for _, o := range objects {
		group.Go(func() error {
			got, err := d.object(ctx, o, answers[o.OID])
			if err != nil {
				return fmt.Errorf("download %s: %w", o.Path, err)
			}
			if got.Missing || got.OID != o.OID || got.Size != o.Size {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.corrupt = append(d.corrupt, got)
			}
			return nil
		})
	}
	return group.Wait()
}

// object downloads one object, with a new link where the one at hand has expired.
func (d *download) object(ctx context.Context, o Object, a *answer) (Content, error) {
	got := Content{Object: o, Missing: true}
	there, err := readable(a)
	if err != nil || !there {
		return got, err
	}
	policy := d.client.opts.Retry
	onRetry := func(attempt int, err error) {
		d.client.emit(Event{Kind: Retry, Path: o.Path, Total: o.Size, Attempt: attempt, Err: err})
	}
	err = policy.Do(ctx, onRetry, func() (err error) {
		got, err = d.fetch(ctx, o, a)
		var old *LinkError
		if !errors.As(expired(err), &old) {
			return err
		}
		answers, failure := d.client.batch(ctx, downloading, d.ref, []Object{o})
		if failure != nil {
			return failure
		}
		if there, failure := readable(answers[o.OID]); failure != nil || !there {
			return errors.Join(exchange.Permanent(err), failure)
		}
		a = answers[o.OID]
		return exchange.Transient(err)
	})
	return got, err
}

// fetch makes one request and hashes what comes.
func (d *download) fetch(ctx context.Context, o Object, a *answer) (Content, error) {
	const op = "LFS download"
	from := a.Actions.Download
	to, err := d.client.link(from.Href)
	if err != nil {
		return Content{}, err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil)
	if err != nil {
		return Content{}, exchange.Plain(op, to, err)
	}
	q.Header.Set("Accept-Encoding", "identity")
	setHeaders(q, from.Header)
	t := transfer{client: d.client, object: o, answer: a}
	if t.ownStore(to) && q.Header.Get("Authorization") == "" {
		d.client.opts.Authorize(q)
	}
	answer, err := d.client.client.Do(q)
	if err != nil {
		return Content{}, exchange.Plain(op, to, err)
	}
	defer answer.Body.Close()
	if err := exchange.Check(op, answer); err != nil {
		return Content{}, err
	}
	sum := sha256.New()
	into, done, err := d.into(o, sum)
	if err != nil {
		return Content{}, exchange.Permanent(err)
	}
	n, err := io.Copy(into, &progress{content: io.LimitReader(answer.Body, o.Size+1), transfer: &t})
	if failure := done(); failure != nil {
		return Content{}, exchange.Permanent(failure)
	}
	if err != nil {
		return Content{}, exchange.Plain(op, to, err)
	}
	return Content{Object: o, OID: hex.EncodeToString(sum.Sum(nil)), Size: n}, nil
}

// into is where a content goes: to its hash, and to where it is written, which done closes.
func (d *download) into(o Object, sum io.Writer) (w io.Writer, done func() error, err error) {
	if d.create == nil {
		return sum, func() error { return nil }, nil
	}
	f, err := d.create(o)
	if err != nil {
		return nil, nil, err
	}
	return io.MultiWriter(f, sum), f.Close, nil
}
