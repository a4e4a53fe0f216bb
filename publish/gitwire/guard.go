package gitwire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Limits on what a server may send, in bytes: a list of refs, a pack of trees (with file contents where the server
// cannot leave them out), and the answer to a push with all that is said beside it.
const (
	maxRefs   = 64 << 20
	maxPack   = 1 << 30
	maxAnswer = 64 << 20
)

// maxRedirects is how many redirects in a row are followed.
const maxRedirects = 5

// guard stands between go-git and the network: it turns answers that are no success into errors that keep the status
// and what the server said, and sees to it that an answer is git's and not longer than it may be.
type guard struct {
	next http.RoundTripper
	// found is told where a list of refs came from.
	found func(*url.URL)
}

// RoundTrip sends one request.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	to, redirect := location(answer)
	if redirect {
		err = followable(r, to)
	} else {
		err = g.check(r, answer)
	}
	if err != nil {
		exchange.Drain(answer.Body)
		return nil, err
	}
	return answer, nil
}

// location is where an answer redirects to.
func location(answer *http.Response) (to *url.URL, redirect bool) {
	if answer.StatusCode/100 != 3 {
		return nil, false
	}
	to, err := answer.Location()
	return to, err == nil
}

// followable refuses redirects that are not followed: only the question for the refs, which comes first, may be redirected,
// and not to another scheme. That credentials stay where they belong is go-git's part.
func followable(r *http.Request, to *url.URL) error {
	refuse := func(why string) error {
		return &exchange.RedirectError{From: exchange.Bare(r.URL), To: exchange.Bare(to), Why: why}
	}
	switch {
	case r.Method != http.MethodGet:
		return refuse("only the first request to a repository may be redirected")
	case to.User != nil:
		return refuse("it holds credentials")
	case to.Scheme != r.URL.Scheme:
		return refuse("it changes from " + r.URL.Scheme + " to " + to.Scheme + "; give the new address as the remote")
	}
	return nil
}

// tooMany is a CheckRedirect that ends redirects in a circle.
func tooMany(next *http.Request, via []*http.Request) error {
	if len(via) < maxRedirects {
		return nil
	}
	return &exchange.RedirectError{From: exchange.Bare(via[0].URL), To: exchange.Bare(next.URL),
		Why: fmt.Sprintf("it is one of more than %d in a row", maxRedirects)}
}

// check refuses answers that are not what was asked for. They are refused for good: asking again gets the same.
func (g *guard) check(r *http.Request, answer *http.Response) error {
	op, service, advertised := asked(r)
	if err := exchange.Check(op, answer); err != nil {
		return err
	}
	if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/x-"+service) {
		return exchange.Permanent(&NotGitError{URL: exchange.Bare(r.URL), ContentType: exchange.Clean(kind)})
	}
	switch {
	case !advertised && service == "git-receive-pack":
		answer.Body = limited(answer.Body, maxAnswer)
		return nil
	case !advertised:
		answer.Body = limited(answer.Body, maxPack)
		return nil
	}
	body := bufio.NewReaderSize(answer.Body, 16<<10)
	head, _ := body.Peek(body.Size())
	if bytes.Contains(head, []byte("000eversion 2\n")) {
		return exchange.Permanent(&MalformedError{Op: op, Err: errors.New("it is one of git's protocol version 2, which was not asked for")})
	}
	if format := objectFormat(head); format != "" && format != "sha1" {
		return exchange.Permanent(&FormatError{Format: exchange.Clean(format)})
	}
	g.found(r.URL)
	answer.Body = limited(struct {
		io.Reader
		io.Closer
	}{body, answer.Body}, maxRefs)
	return nil
}

// asked tells from a request what it is for.
func asked(r *http.Request) (op, service string, advertised bool) {
	if service := r.URL.Query().Get("service"); service != "" {
		return "git refs", service, true
	}
	if strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
		return "git push", "git-receive-pack", false
	}
	if r.Method == http.MethodGet {
		return "git refs", "git-upload-pack", true // redirected to a place without the question
	}
	return "git fetch", "git-upload-pack", false
}

// objectFormat looks ahead for the hash that the repository uses; "" where the server does not say, which means SHA-1.
// go-git would stumble over the longer hashes before it reads that far.
func objectFormat(head []byte) string {
	_, rest, found := bytes.Cut(head, []byte{0})
	if !found {
		return ""
	}
	capabilities, _, _ := bytes.Cut(rest, []byte("\n"))
	for word := range strings.FieldsSeq(string(capabilities)) {
		if format, ok := strings.CutPrefix(word, "object-format="); ok {
			return format
		}
	}
	return ""
}

// limited fails where a body goes on after limit bytes.
func limited(body io.ReadCloser, limit int64) io.ReadCloser {
	return &limitedBody{body, limit, limit}
}

type limitedBody struct {
	io.ReadCloser
	left, limit int64
}

// Read reads on, up to the limit.
func (l *limitedBody) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, exchange.Permanent(fmt.Errorf("the answer is longer than %d MiB", l.limit>>20))
	}
	return n, err
}
