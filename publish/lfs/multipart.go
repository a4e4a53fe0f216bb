package lfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/hfpub/hfpub/publish/exchange"
)

// parts sends the content in parts, the Hub's multipart transfer: one signed link for each, then a request that names
// them all by the tags that the store gave them.
func (t *transfer) parts(ctx context.Context) error {
	up := t.answer.Actions.Upload
	links, size, err := t.partLinks(up)
	if err != nil {
		return err
	}
	tags := make([]string, len(links))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(t.client.opts.Concurrency)
	for i, to := range links {
		group.Go(func() (err error) {
			tags[i], err = t.part(inner, i, to, size)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return expired(err)
	}
	// Parts go out side by side and cannot be hashed as a whole again.
	if err := unchanged(t.file, t.object); err != nil {
		return err
	}
	return t.complete(ctx, up, tags)
}

// partLinks reads the links of the parts, in their order, and the size of a part. They stand among the headers, under
// their numbers.
func (t *transfer) partLinks(up *action) (links []*url.URL, size int64, err error) {
	size, err = strconv.ParseInt(up.Header["chunk_size"], 10, 64)
	if err != nil || size <= 0 {
		return nil, 0, &MalformedError{fmt.Sprintf("the server gave the part size %.20q", up.Header["chunk_size"])}
	}
	byNumber := map[int]string{}
	for name, href := range up.Header {
		if n, err := strconv.ParseUint(name, 10, 31); err == nil {
			byNumber[int(n)] = href
		}
	}
	want := int(t.object.Size / size)
	if t.object.Size%size > 0 {
		want++
	}
	if len(byNumber) != want {
		// the Hub's own client starts over, too
		return nil, 0, &LinkError{&MalformedError{fmt.Sprintf("the server gave %d links for %d bytes in parts of %d", len(byNumber),
			t.object.Size, size)}}
	}
	for n := 1; n <= want; n++ {
		href, ok := byNumber[n]
		if !ok {
			return nil, 0, &MalformedError{fmt.Sprintf("the server gave no link for part %d", n)}
		}
		link, err := t.client.link(href)
		if err != nil {
			return nil, 0, err
		}
		links = append(links, link)
	}
	return links, size, nil
}

// part sends one part, counted from 0, and returns its tag exactly as the store gave it.
func (t *transfer) part(ctx context.Context, i int, to *url.URL, size int64) (tag string, err error) {
	from := int64(i) * size
	size = min(size, t.object.Size-from)
	op := fmt.Sprintf("LFS upload of part %d", i+1)
	err = t.retry(ctx, func() error {
		body := newUnhashed(io.NewSectionReader(t.file, from, size), t.object, size)
		answer, err := t.put(ctx, op, to, nil, body, size)
		if err != nil {
			return err
		}
		if tag = answer.Header.Get("ETag"); tag == "" {
			return &LinkError{errors.New(op + ": the store gave no ETag")}
		}
		return nil
	})
	return tag, err
}

// complete tells the store to join the parts. The link is signed: no credentials.
func (t *transfer) complete(ctx context.Context, up *action, tags []string) error {
	type part struct {
		Number int    `json:"partNumber"`
		Tag    string `json:"etag"`
	}
	request := struct {
		OID   string `json:"oid"`
		Parts []part `json:"parts"`
	}{OID: t.object.OID}
	for i, tag := range tags {
		request.Parts = append(request.Parts, part{i + 1, tag})
	}
	to, err := t.client.link(up.Href)
	if err != nil {
		return err
	}
	err = t.retry(ctx, func() error {
		_, err := t.client.post(ctx, "LFS completion", to, nil, nil, request)
		return err
	})
	if exchange.Code(err) == http.StatusBadRequest {
		return &LinkError{err} // the store has lost a part that it took: all are sent again
	}
	return expired(err)
}
