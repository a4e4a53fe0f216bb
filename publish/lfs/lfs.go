// Package lfs is a Git LFS client for uploads: https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md, with the
// multipart transfer of the Hugging Face Hub.
//
// [Client.Upload] asks the server in batches which objects it lacks and streams those from disk, several at a time.
// [Client.Missing] asks what a reader would not get: "the server has it" in an answer to an upload is no proof. Content
// is hashed again on its way out, so that a file changed meanwhile is never sent under its old name.
//
// The Hub's xet transfer is never offered, which keeps the Hub on plain LFS.
package lfs

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Object is a file's content that belongs into LFS.
type Object struct {
	// OID is the SHA-256 of the content, 64 lower-case hex digits; Size is its length in bytes.
	OID  string
	Size int64
	// Path is where the file is.
	Path string
	// Modified is the file's time of modification when it was hashed.
	Modified time.Time
}

// Files opens the files of objects by their paths; an [os.Root] does.
type Files interface {
	Open(path string) (*os.File, error)
}

// Options adjust a [Client]. The zero value asks anonymously, sends one object after another and gives up at the first
// failure.
type Options struct {
	// Transport carries the requests; nil is [http.DefaultTransport].
	Transport http.RoundTripper
	// Authorize adds the credentials to a request. It is called for the server's own origin only.
	Authorize func(*http.Request)
	UserAgent string
	// Idle is how long a body may stand still, Answer how long the server may think; 0 is no limit.
	Idle, Answer time.Duration
	Retry        exchange.Policy
	// Concurrency is how many objects, or parts of objects, are sent at once.
	Concurrency int
	// OnEvent is told what happens to each object, one call at a time.
	OnEvent func(Event)
}

// Kind is what an [Event] tells.
type Kind string

// What happens to an object.
const (
	Skipped  Kind = "skipped"  // the server has it
	Progress Kind = "progress" // Done bytes of Total are sent
	Retry    Kind = "retry"    // a try failed with Err and is followed by another
	Sent     Kind = "sent"     // all of it is there
)

// Event tells what happens to an object. Path is empty where a whole batch is tried again.
type Event struct {
	Kind        Kind
	Path        string
	Done, Total int64
	Attempt     int
	Err         error
}

// Client speaks to one LFS server.
type Client struct {
	opts   Options
	client *http.Client
	slots  chan struct{}
	events sync.Mutex

	mu sync.Mutex
	// endpoints are the addresses that may be the server's; the first is in use. Others are tried when it does not exist.
	endpoints []*url.URL
}

// New names the LFS server of a git remote by the remote's URL. As for git-lfs it is below .git/info/lfs; where the URL does
// not end with .git, /info/lfs right below it is tried second.
func New(remoteURL string, o Options) (*Client, error) {
	u, err := url.Parse(remoteURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("LFS: the remote's URL is not one of http or https")
	}
	if u.User != nil {
		return nil, errors.New("LFS: credentials do not belong into the remote's URL")
	}
	o.Concurrency = max(o.Concurrency, 1)
	c := &Client{opts: o, slots: make(chan struct{}, o.Concurrency)}
	c.client = &http.Client{
		Transport:     &exchange.Transport{Base: o.Transport, UserAgent: o.UserAgent, Idle: o.Idle, Answer: o.Answer},
		CheckRedirect: exchange.NoRedirectAway,
	}
	if strings.HasSuffix(strings.TrimRight(u.Path, "/"), ".git") {
		c.endpoints = []*url.URL{below(u, "/info/lfs")}
	} else {
		c.endpoints = []*url.URL{below(u, ".git/info/lfs"), below(u, "/info/lfs")}
	}
	return c, nil
}

// below is an address that begins with another one.
func below(u *url.URL, suffix string) *url.URL {
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/") + suffix,
		RawPath: strings.TrimRight(u.EscapedPath(), "/") + suffix}
}

// endpoint is the address in use.
func (c *Client) endpoint() *url.URL {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.endpoints[0]
}

// next gives up an address that does not exist; false when there is no other.
func (c *Client) next(gone *url.URL) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.endpoints[0] != gone {
		return true
	}
	if len(c.endpoints) == 1 {
		return false
	}
	c.endpoints = c.endpoints[1:]
	return true
}

// keep settles on the address in use.
func (c *Client) keep(found *url.URL) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endpoints = []*url.URL{found}
}

func (c *Client) emit(e Event) {
	if c.opts.OnEvent == nil {
		return
	}
	c.events.Lock()
	defer c.events.Unlock()
	c.opts.OnEvent(e)
}

// ChangedError says that a file is not what it was when it was hashed.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s was changed after it was read", e.Path)
}

// ObjectError is what the server says of one object inside an answer that is a success as a whole.
type ObjectError struct {
	Code    int
	Message string
}

func (e *ObjectError) Error() string {
	return fmt.Sprintf("LFS batch: the server says %d: %s", e.Code, e.Message)
}

// LinkError says that the store refuses the links that the server gave for an upload, or does not keep what it is sent, also
// with new links.
type LinkError struct{ Err error }

func (e *LinkError) Error() string { return e.Err.Error() }
func (e *LinkError) Unwrap() error { return e.Err }

// Failure is an object that was not uploaded.
type Failure struct {
	Object Object
	Err    error
}

// UploadError lists the objects that were not uploaded, by path. Those not listed may have arrived.
type UploadError struct {
	Failures []Failure
	// Untried is how many objects were not tried any more.
	Untried int
}

func (e *UploadError) Error() string {
	const shown = 5
	var b strings.Builder
	if n := len(e.Failures) + e.Untried; n == 1 {
		b.WriteString("an LFS object was not uploaded")
	} else {
		fmt.Fprintf(&b, "%d LFS objects were not uploaded", n)
	}
	for i, f := range e.Failures {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more", len(e.Failures)-shown)
			break
		}
		fmt.Fprintf(&b, "; %s: %v", f.Object.Path, f.Err)
	}
	return b.String()
}

// Unwrap gives the causes.
func (e *UploadError) Unwrap() []error {
	causes := make([]error, len(e.Failures))
	for i, f := range e.Failures {
		causes[i] = f.Err
	}
	return causes
}

// unchanged makes sure that a file still has the size and time it had when it was hashed.
func unchanged(f fs.File, o Object) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("stat %s: %w", o.Path, err)
	}
	if info.Size() != o.Size || !info.ModTime().Equal(o.Modified) {
		return &ChangedError{o.Path}
	}
	return nil
}
