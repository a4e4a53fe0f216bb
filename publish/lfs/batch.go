package lfs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/publish/exchange"
)

const mediaType = "application/vnd.git-lfs+json"

// Limits of one batch: objects, and bytes to send, since the links of an answer live for minutes only.
const (
	batchObjects = 100
	batchBytes   = 8 << 30
)

// Limits on the answer to a batch: its bytes, since a big object comes with a link for each of its parts, and how many
// objects it may tell of.
const (
	maxAnswer  = 64 << 20
	maxAnswers = 100 * batchObjects
)

// hub is where the Hub is for everyone who has not configured another endpoint. Its answers may name it even to those who
// come through another.
const hub = "https://huggingface.co"

type operation string

const (
	uploading   operation = "upload"
	downloading operation = "download"
)

// batchRequest and answer are the batch API's own forms.
type batchRequest struct {
	Operation operation     `json:"operation"`
	Transfers []string      `json:"transfers"`
	Ref       *batchRef     `json:"ref,omitempty"`
	Objects   []batchObject `json:"objects"`
	HashAlgo  string        `json:"hash_algo"`
}

type batchRef struct {
	Name string `json:"name"`
}

type batchObject struct {
	OID  string `json:"oid"`
	Size int64  `json:"size"`
}

// answer is what the server says of one object.
type answer struct {
	OID           string `json:"oid"`
	Size          int64  `json:"size"`
	Authenticated bool   `json:"authenticated"`
	Actions       struct {
		Upload   *action `json:"upload"`
		Verify   *action `json:"verify"`
		Download *action `json:"download"`
	} `json:"actions"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// action is a request that the server asks for.
type action struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header"`
}

// MalformedError says that an answer of the LFS server is none that a client can go by.
type MalformedError struct{ Why string }

func (e *MalformedError) Error() string { return "LFS batch: " + e.Why }

// errNoAnswer says that an answer leaves an object out. That is no success.
var errNoAnswer error = &MalformedError{"the server gave no answer for this object"}

// failure is the error inside an answer, nil for none.
func (a *answer) failure() error {
	if a == nil {
		return errNoAnswer
	}
	if a.Error == nil {
		return nil
	}
	return &ObjectError{Code: a.Error.Code, Message: exchange.Clean(a.Error.Message)}
}

// unsettled tells answers that asking again may change.
func (a *answer) unsettled() bool {
	return a == nil || a.Error != nil && exchange.RetryableCode(a.Error.Code)
}

// batch asks about objects until there is an answer for each, or no more tries are left. An object without answer is
// missing from the result.
func (c *Client) batch(ctx context.Context, op operation, ref string, objects []Object) (map[string]*answer, error) {
	answers := map[string]*answer{}
	open := objects
	onRetry := func(attempt int, err error) { c.emit(Event{Kind: Retry, Attempt: attempt, Err: err}) }
	err := c.opts.Retry.Do(ctx, onRetry, func() error {
		got, err := c.ask(ctx, op, ref, open)
		if err != nil {
			return err
		}
		for _, o := range open {
			if a := got[o.OID]; a != nil {
				answers[o.OID] = a
			}
		}
		open = slices.DeleteFunc(slices.Clone(open), func(o Object) bool { return !got[o.OID].unsettled() })
		if len(open) > 0 {
			return exchange.Transient(unsettledError{got[open[0].OID].failure()})
		}
		return nil
	})
	var left unsettledError
	if errors.As(err, &left) && ctx.Err() == nil {
		return answers, nil
	}
	return answers, err
}

// unsettledError carries the first error of a batch in which some objects have no final answer.
type unsettledError struct{ error }

func (e unsettledError) Unwrap() error { return e.error }

// ask makes one batch request.
func (c *Client) ask(ctx context.Context, op operation, ref string, objects []Object) (map[string]*answer, error) {
	request := batchRequest{Operation: op, Transfers: []string{"basic"}, HashAlgo: "sha256"}
	if op == uploading {
		request.Transfers = append(request.Transfers, "multipart")
	}
	if ref != "" {
		request.Ref = &batchRef{ref}
	}
	for _, o := range objects {
		request.Objects = append(request.Objects, batchObject{o.OID, o.Size})
	}
	for {
		endpoint := c.endpoint()
		body, err := c.post(ctx, "LFS batch", endpoint.JoinPath("objects/batch"), nil, c.opts.Authorize, request)
		if exchange.Code(err) == http.StatusNotFound && c.next(endpoint) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.keep(endpoint)
		return readAnswers(body, objects)
	}
}

// readAnswers reads an answer to a batch, by oid. Answers about objects that nobody asked for are left out.
func readAnswers(body []byte, objects []Object) (map[string]*answer, error) {
	sizes := map[string]int64{}
	for _, o := range objects {
		sizes[o.OID] = o.Size
	}
	found := map[string]*answer{}
	err := eachAnswer(body, func(a *answer) error {
		size, asked := sizes[a.OID]
		if !asked || found[a.OID] != nil {
			return nil
		}
		if a.Error == nil && a.Size != size {
			return &MalformedError{fmt.Sprintf("the server says object %.12s has %d bytes, it has %d", a.OID, a.Size, size)}
		}
		for _, action := range []*action{a.Actions.Upload, a.Actions.Verify, a.Actions.Download} {
			if err := action.check(); err != nil {
				return err
			}
		}
		found[a.OID] = a
		return nil
	})
	return found, err
}

// errNoJSON says that an answer is something else altogether, such as a page.
var errNoJSON error = &MalformedError{"the answer is not the JSON that an LFS server gives"}

// eachAnswer gives the objects of an answer one by one, so that a long list of nothing does not fill the memory.
func eachAnswer(body []byte, use func(*answer) error) error {
	text := json.NewDecoder(bytes.NewReader(body))
	if !next(text, json.Delim('{')) {
		return errNoJSON
	}
	for text.More() {
		key, err := text.Token()
		if err != nil {
			return errNoJSON
		}
		if key == "objects" {
			if err := eachObject(text, use); err != nil {
				return err
			}
			continue
		}
		var other json.RawMessage
		if text.Decode(&other) != nil {
			return errNoJSON
		}
	}
	if !next(text, json.Delim('}')) {
		return errNoJSON
	}
	return nil
}

// eachObject goes through the list of objects.
func eachObject(text *json.Decoder, use func(*answer) error) error {
	if !next(text, json.Delim('[')) {
		return errNoJSON
	}
	for n := 0; text.More(); n++ {
		if n == maxAnswers {
			return &MalformedError{fmt.Sprintf("the answer is about more than %d objects", maxAnswers)}
		}
		var a answer
		if text.Decode(&a) != nil {
			return errNoJSON
		}
		if err := use(&a); err != nil {
			return err
		}
	}
	if !next(text, json.Delim(']')) {
		return errNoJSON
	}
	return nil
}

// next reports whether a token follows.
func next(text *json.Decoder, want json.Token) bool {
	token, err := text.Token()
	return err == nil && token == want
}

// check refuses headers that no request can carry, such as those with line breaks. A nil action has none.
func (a *action) check() error {
	if a == nil {
		return nil
	}
	for name, value := range a.Header {
		if !isHeaderName(name) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return &MalformedError{"the server asks for a header that no request can carry"}
		}
	}
	return nil
}

// isHeaderName reports whether a name is a token as RFC 9110 has them.
func isHeaderName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}", r)
	})
}

// post sends a JSON value and reads the answer. The headers of an action go along, and the credentials where authorize is
// given and the headers bring none.
func (c *Client) post(ctx context.Context, op string, to *url.URL, header map[string]string,
	authorize func(*http.Request), value any) ([]byte, error) {
	content, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(content))
	if err != nil {
		return nil, exchange.Plain(op, to, err)
	}
	setHeaders(q, header)
	q.Header.Set("Accept", mediaType)
	q.Header.Set("Content-Type", mediaType)
	if authorize != nil && q.Header.Get("Authorization") == "" && exchange.SameOrigin(to, c.endpoint()) {
		authorize(q)
	}
	answer, err := c.client.Do(q)
	if err != nil {
		return nil, exchange.Plain(op, to, err)
	}
	defer exchange.Drain(answer.Body)
	if err := exchange.Check(op, answer); err != nil {
		return nil, err
	}
	body, err := exchange.ReadAll(answer.Body, maxAnswer)
	if err != nil {
		return nil, exchange.Plain(op, to, err)
	}
	return body, nil
}

// setHeaders adds the headers that an action asks for, but for those that net/http has to set itself.
func setHeaders(q *http.Request, header map[string]string) {
	for name, value := range header {
		switch http.CanonicalHeaderKey(name) {
		case "Content-Length", "Transfer-Encoding", "Host", "Connection", "User-Agent":
		default:
			q.Header.Set(name, value)
		}
	}
}

// link reads the address of an action.
func (c *Client) link(href string) (*url.URL, error) {
	endpoint := c.endpoint()
	if origin := endpoint.Scheme + "://" + endpoint.Host; origin != hub {
		if path, ok := strings.CutPrefix(href, hub+"/"); ok {
			href = origin + "/" + path
		}
	}
	u, err := url.Parse(href)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https":
		return nil, &MalformedError{"the server gave a link that is no address of http or https"}
	case endpoint.Scheme == "https" && u.Scheme == "http":
		return nil, &MalformedError{"the server is reached by https and gave a link of http, by which anyone could read along"}
	}
	return u, nil
}

// chunks cuts objects into batches.
func chunks(objects []Object) [][]Object {
	var out [][]Object
	start, bytes := 0, int64(0)
	for i, o := range objects {
		if i > start && (i-start == batchObjects || bytes+o.Size > batchBytes) {
			out = append(out, objects[start:i])
			start, bytes = i, 0
		}
		bytes += o.Size
	}
	if start < len(objects) {
		out = append(out, objects[start:])
	}
	return out
}

// Batches is the number of requests in which the server is asked about objects.
func Batches(objects []Object) int { return len(chunks(unique(objects))) }

// unique leaves one of several objects with the same content.
func unique(objects []Object) []Object {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(objects), func(o Object) bool {
		again := seen[o.OID]
		seen[o.OID] = true
		return again
	})
}

// Missing lists the objects that a reader would not get, one for each content, in their order. It asks as one who
// downloads and needs no right to write.
func (c *Client) Missing(ctx context.Context, ref string, objects []Object) ([]Object, error) {
	var missing []Object
	for _, chunk := range chunks(unique(objects)) {
		answers, err := c.batch(ctx, downloading, ref, chunk)
		if err != nil {
			return nil, err
		}
		for _, o := range chunk {
			there, err := readable(answers[o.OID])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.Path, err)
			}
			if !there {
				missing = append(missing, o)
			}
		}
	}
	return missing, nil
}

// readable reports whether an answer to a download offers the object.
func readable(a *answer) (bool, error) {
	if a == nil {
		return false, errNoAnswer
	}
	if a.Error == nil {
		return a.Actions.Download != nil && a.Actions.Download.Href != "", nil
	}
	switch a.Error.Code {
	case http.StatusNotFound, http.StatusGone:
		return false, nil
	}
	return false, a.failure()
}
