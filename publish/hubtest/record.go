package hubtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Fault is a way in which the Hub fails on purpose.
type Fault string

// The faults. Each is used up once per request that it spoils.
const (
	Info503       Fault = "info_503"       // info/refs answers 503
	Batch429      Fault = "batch_429"      // the LFS batch answers 429 with Retry-After: 1
	Batch502      Fault = "batch_502"      // the LFS batch answers 502 with a page of HTML
	BatchMissing  Fault = "batch_missing"  // the batch answer leaves out its last object
	Put503        Fault = "put_503"        // an upload is read, then answered with 503
	PutReset      Fault = "put_reset"      // the connection is reset in the middle of an upload
	Put403        Fault = "put_403"        // the upload link has expired, and stays so
	PutSwallow    Fault = "put_swallow"    // the upload answers 200, and nothing is kept
	PutStall      Fault = "put_stall"      // the upload is not read for Options.StallFor, then reset
	Get503        Fault = "get_503"        // a download answers 503
	GetReset      Fault = "get_reset"      // the connection is reset in the middle of a download
	Get403        Fault = "get_403"        // the download link has expired, and stays so
	GetCorrupt    Fault = "get_corrupt"    // a download gives out as many other bytes
	Complete500   Fault = "complete_500"   // the completion of a multipart upload answers 500
	Verify500     Fault = "verify_500"     // LFS verify answers 500
	Receive503    Fault = "receive_503"    // receive-pack answers 503, nothing is applied
	ReceiveReset  Fault = "receive_reset"  // receive-pack is reset, nothing is applied
	ReceiveLost   Fault = "receive_lost"   // receive-pack is applied, and the connection is reset before the answer
	ReceiveReject Fault = "receive_reject" // the pre-receive hook refuses, with a text that holds terminal escapes
	ReceiveRace   Fault = "receive_race"   // another commit lands on the branch just before receive-pack is applied
)

var allFaults = []Fault{Info503, Batch429, Batch502, BatchMissing, Put503, PutReset, Put403, PutSwallow, PutStall,
	Get503, GetReset, Get403, GetCorrupt, Complete500, Verify500, Receive503, ReceiveReset, ReceiveLost, ReceiveReject, ReceiveRace}

// Fault makes the next so many requests fail that f is about; 0 switches it off. It panics on a fault that does not
// exist: a test with a misspelt fault would otherwise pass for the wrong reason.
func (h *Hub) Fault(f Fault, times int) {
	if !slices.Contains(allFaults, f) {
		panic(fmt.Sprintf("hubtest: there is no fault %q", string(f)))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults[f] = times
}

// due says whether f is to happen now, and uses it up once.
func (h *Hub) due(f Fault) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.faults[f] <= 0 {
		return false
	}
	h.faults[f]--
	h.stats.Faults[f]++
	return true
}

// Stats counts what happened since the Hub started.
type Stats struct {
	// Batches, Verifies and Puts are requests that were admitted; a part of a multipart upload is a put.
	Batches, Verifies, Puts int
	// Objects were stored, checked against their sha256; Bytes is their size together.
	Objects int
	Bytes   int64
	// Pushes reached git; PackBytes is the size of their request bodies together.
	Pushes    int
	PackBytes int64
	// Faults says how often each fault happened.
	Faults map[Fault]int
}

// Stats returns the counters as they are now.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stats
	s.Faults = maps.Clone(s.Faults)
	return s
}

// count changes the counters.
func (h *Hub) count(change func(*Stats)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.stats)
}

// Request is one line of the log. The query is left out: it may hold a signature.
type Request struct {
	// Origin is "hub" or "storage".
	Origin string
	Method string
	// Path is the path as sent, still percent-encoded.
	Path string
	// Status is the answer's status, 0 when the connection was reset.
	Status int
}

// String is the request on one line.
func (r Request) String() string {
	return fmt.Sprintf("%s %s %s -> %d", r.Origin, r.Method, r.Path, r.Status)
}

// Log returns the requests answered so far, in the order of their answers.
func (h *Hub) Log() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.log)
}

// Leaks says where a token was sent to where it must not go: to the storage origin, or inside a URL. The tokens
// themselves are masked.
func (h *Hub) Leaks() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.leaks)
}

// recorded wraps an origin's handler: a request id, the leak check, the log line.
func (h *Hub) recorded(o *origin, serve http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, open := h.begin(o, r)
		if !open {
			return
		}
		defer h.handlers.Done()
		w.Header().Set("X-Request-Id", id)
		sw := &statusWriter{ResponseWriter: w}
		serve(sw, r)
		line := Request{o.name, r.Method, h.maskedPath(r.URL), sw.logged()}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.log = append(h.log, line)
	})
}

// begin counts a request in, unless the Hub is closing.
func (h *Hub) begin(o *origin, r *http.Request) (id string, open bool) {
	leak := h.leak(o, r)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return "", false
	}
	h.handlers.Add(1)
	h.requests++
	if leak != "" {
		h.leaks = append(h.leaks, leak)
	}
	return fmt.Sprintf("hubtest-%d", h.requests), true
}

// leak says what is wrong with where this request carries a token, "" when nothing is.
func (h *Hub) leak(o *origin, r *http.Request) string {
	where := fmt.Sprintf("%s %s %s", o.name, r.Method, h.maskedPath(r.URL))
	if h.holds(r.URL.Path) || h.holds(r.URL.RawQuery) || h.holds(fmt.Sprint(r.URL.Query())) {
		return "a token in the URL: " + where
	}
	if o.name != storageName {
		return ""
	}
	if r.Header.Get("Authorization") != "" {
		return "an Authorization header to the storage origin: " + where
	}
	for _, values := range r.Header {
		for _, v := range values {
			if h.holds(v) {
				return "a token to the storage origin: " + where
			}
		}
	}
	return ""
}

// holds says whether s has one of the tokens in it.
func (h *Hub) holds(s string) bool {
	for _, token := range h.tokens {
		if strings.Contains(s, token) {
			return true
		}
	}
	return false
}

// maskedPath is a path as it was sent, or decoded and without its tokens.
func (h *Hub) maskedPath(u *url.URL) string {
	if !h.holds(u.Path) {
		return u.EscapedPath()
	}
	path := u.Path
	for _, token := range h.tokens {
		path = strings.ReplaceAll(path, token, "***")
	}
	return path
}

// statusWriter remembers the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status int
	reset  bool
}

// WriteHeader notes the first status.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// logged is the status for the log: 200 when the handler wrote none, 0 after a reset.
func (w *statusWriter) logged() int {
	switch {
	case w.reset:
		return 0
	case w.status == 0:
		return http.StatusOK
	}
	return w.status
}
