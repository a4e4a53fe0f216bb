// Package hubtest is a Hugging Face Hub inside this process, on loopback, for tests and for `hfpub demo`.
//
// [Start] opens two ports: the Hub itself and a storage origin, as the real Hub keeps large objects on another host.
// The Hub serves git's smart HTTP by `git http-backend` (git.go), Git LFS with the basic and the multipart transfer
// (lfs.go), and the part of the HTTP API that hfpub and the usual tools ask for (api.go), under the Hub's own URL
// shapes. It is stricter than it is complete: a push is judged by the Hub's rules in the Hub's words (receive.go,
// card.go), storage links refuse the token and record that it was sent, and every request is logged without secrets.
//
// Things that go wrong on real networks are switches: [Hub.Fault] makes the next requests of a kind fail.
//
// It needs the git program and nothing else, reads no configuration of the user, and leaves no process behind.
package hubtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// Options adjust a Hub. The zero value is a Hub for everyday use.
type Options struct {
	// User owns the tokens; "tester" when empty. Orgs are the organizations in which the user may create repos.
	User string
	Orgs []string
	// MultipartOver is the size in bytes above which an object is sent in parts, if the client offers that; 0: 5 GB,
	// where the real Hub has its limit for one PUT. PartSize is the size of a part; 0: 16 MB.
	MultipartOver, PartSize int64
	// PageSize is the number of entries on a page of the tree API; 0: 1000.
	PageSize int
	// Quota is how many bytes of objects all repos together may hold; 0 is no limit.
	Quota int64
	// StallFor is how long a stalled upload hangs before its connection is reset; 0: ten seconds.
	StallFor time.Duration
}

// withDefaults fills in what was left zero.
func (o Options) withDefaults() Options {
	if o.User == "" {
		o.User = "tester"
	}
	if o.MultipartOver == 0 {
		o.MultipartOver = 5_000_000_000
	}
	if o.PartSize == 0 {
		o.PartSize = 16_000_000
	}
	if o.PageSize == 0 {
		o.PageSize = 1000
	}
	if o.StallFor == 0 {
		o.StallFor = 10 * time.Second
	}
	return o
}

// Hub is a running Hub. Its methods may be called from several goroutines.
type Hub struct {
	opts       Options
	repos, tmp string
	git        git
	tokens     map[Role]string
	ctx        context.Context
	cancel     context.CancelFunc
	front      *origin
	storage    *origin
	creating   sync.Mutex

	mu       sync.Mutex
	closed   bool
	handlers sync.WaitGroup
	faults   map[Fault]int
	stats    Stats
	log      []Request
	leaks    []string
	requests int
	links    map[string]link
	// pulls are the pull requests of each repo by its path.
	pulls       map[string][]PullRequest
	collections []Collection
}

// The names of the two ports in the log.
const (
	hubName     = "hub"
	storageName = "storage"
)

// origin is one of the two ports.
type origin struct {
	name     string
	url      string
	server   *http.Server
	listener net.Listener
}

// Start opens a Hub on two free ports of 127.0.0.1 that keeps its repositories and objects below dir, which is made if
// it is not there. Repositories of an earlier Hub in the same dir are served again; two Hubs may not share one at a time.
// Without a usable git the error is a *[NoGitError].
func Start(dir string, opts Options) (*Hub, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("start hub: %w", err)
	}
	h := &Hub{
		opts: opts.withDefaults(), repos: filepath.Join(dir, "repos"), tmp: filepath.Join(dir, "tmp"),
		tokens: map[Role]string{}, faults: map[Fault]int{}, links: map[string]link{}, pulls: map[string][]PullRequest{},
		stats: Stats{Faults: map[Fault]int{}},
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	if err := h.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("start hub: %w", err), h.Close())
	}
	return h, nil
}

// open makes the folders, finds git and opens the ports.
func (h *Hub) open() (err error) {
	// A Hub that was killed has left its temporary files.
	if err := os.RemoveAll(h.tmp); err != nil {
		return err
	}
	for _, d := range []string{h.repos, h.tmp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	if h.git, err = findGit(h.ctx, h.tmp); err != nil {
		return err
	}
	for _, role := range []Role{Outsider, Read, Write} {
		h.tokens[role] = "hf_" + secret(17)
	}
	if h.front, err = h.listen(hubName, h.serveHub); err != nil {
		return err
	}
	h.storage, err = h.listen(storageName, h.serveStorage)
	return err
}

// secret is n random bytes in hex.
func secret(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails, by its documentation
	return hex.EncodeToString(b)
}

// listen opens a port and serves it.
func (h *Hub) listen(name string, serve http.HandlerFunc) (*origin, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o := &origin{name: name, url: "http://" + l.Addr().String(), listener: l}
	o.server = &http.Server{
		Handler:           h.recorded(o, serve),
		ReadHeaderTimeout: 30 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return h.ctx },
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	go o.server.Serve(l)
	return o, nil
}

// Close stops the Hub at once: connections are cut, git processes end, temporary files go. Repositories and objects
// stay. Closing twice is fine.
func (h *Hub) Close() error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.cancel()
	for _, o := range []*origin{h.front, h.storage} {
		if o != nil {
			o.server.Close() // an error only says that the listener was closed before
			o.listener.Close()
		}
	}
	h.handlers.Wait()
	if err := os.RemoveAll(h.tmp); err != nil {
		return fmt.Errorf("close hub: %w", err)
	}
	return nil
}

// URL is the Hub's endpoint, http://127.0.0.1:PORT, as HF_ENDPOINT wants it.
func (h *Hub) URL() string { return h.front.url }

// StorageURL is the endpoint of the storage origin, to which no token may be sent.
func (h *Hub) StorageURL() string { return h.storage.url }

// RepoURL is the git and web address of a repo, which need not exist: /ns/name for a model, /datasets/ns/name for a
// dataset. With .git behind it, it means the same.
func (h *Hub) RepoURL(kind release.Type, id string) string {
	return h.front.url + "/" + hubapi.Repo{Type: kind, ID: id}.Path()
}

// User is the owner of the tokens.
func (h *Hub) User() string { return h.opts.User }
