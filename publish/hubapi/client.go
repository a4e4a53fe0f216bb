package hubapi

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hfpub/hfpub/publish/exchange"
)

const (
	// answerTime bounds how long the Hub may take to answer, idleTime how long an answer may stand still.
	answerTime = 60 * time.Second
	idleTime   = 30 * time.Second
	// maxAnswer bounds an answer in bytes. A page of the tree API has some hundred kilobytes; the info of a repo with a
	// hundred thousand files some ten megabytes.
	maxAnswer = 64 << 20
)

// Options adjust a [Client]. The zero value is right for everyday use.
type Options struct {
	// HTTP carries the requests; nil is [http.DefaultTransport]. Proxies and certificates live here.
	HTTP http.RoundTripper
	// UserAgent is what [UserAgent] makes.
	UserAgent string
	// Offline makes every call fail with [ErrOffline].
	Offline bool
	// Retry says how often a call is tried; the zero value is [exchange.DefaultPolicy].
	Retry exchange.Policy
	// OnRetry is told of every failed try that is followed by another. OnWarning is told of the Hub's X-HF-Warning, each
	// topic once; the message is one clean line. Both may be nil.
	OnRetry   func(attempt int, err error)
	OnWarning func(topic, message string)
}

// Client speaks to one Hub with one token. Its methods may be called from several goroutines.
type Client struct {
	endpoint Endpoint
	token    Token
	opts     Options
	http     *http.Client

	// maxListing bounds the bytes of all pages of a listing together.
	maxListing int

	mu     sync.Mutex
	warned map[string]bool

	// asking is held while the Hub is asked for me.
	asking sync.Mutex
	me     *Account
}

// NewClient makes a client. Nothing is sent yet. The token may be zero.
func NewClient(endpoint Endpoint, token Token, opts Options) *Client {
	if opts.Retry == (exchange.Policy{}) {
		opts.Retry = exchange.DefaultPolicy()
	}
	transport := &exchange.Transport{Base: opts.HTTP, UserAgent: opts.UserAgent, Idle: idleTime, Answer: answerTime}
	return &Client{
		endpoint: endpoint, token: token, opts: opts, warned: map[string]bool{}, maxListing: maxListing,
		http: &http.Client{Transport: transport, CheckRedirect: exchange.NoRedirectAway},
	}
}

// UserAgent is how a version of hfpub names itself to the Hub: pieces of key/value, the calling tool first.
func UserAgent(version string, getenv func(string) string) string {
	agent := fmt.Sprintf("hfpub/%s; go/%s; os/%s", version, strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS)
	if origin := getenv("HF_HUB_USER_AGENT_ORIGIN"); origin != "" {
		agent += "; origin/" + exchange.Clean(origin)
	}
	return agent
}

// Endpoint is the Hub that the client speaks to.
func (c *Client) Endpoint() Endpoint { return c.endpoint }

// call is one request to the API.
type call struct {
	// op says what is asked for, as in "create dataset acme/rows"; repo is zero where it is about none.
	op   string
	repo Repo
	// rev is the revision that is asked about, "" for none.
	rev    string
	method string
	// url is whole.
	url string
	// body is sent as JSON, nil for none.
	body any
	// fine are the statuses that are answers, apart from those of success.
	fine []int
	// busy tells an answer that says to come back later, beyond what its status says; nil for none.
	busy func(reply) bool
	// once says that the call must not be repeated when its answer is lost: what it makes would be there twice.
	once bool
	// proposes says that the call is about pull requests, which a repo may refuse.
	proposes bool
	// collects says that the call is about a collection, which may be full, gone or somebody else's.
	collects bool
}

// reply is what the Hub answered.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// api makes an address below /api/ from path segments that are already escaped.
func (c *Client) api(segments ...string) string {
	return c.endpoint.String() + "/api/" + strings.Join(segments, "/")
}

// do makes a call, again where that may help. An error of the Hub is an *[Error].
func (c *Client) do(ctx context.Context, q call) (reply, error) {
	if c.opts.Offline {
		return reply{}, fmt.Errorf("%s: %w", q.op, ErrOffline)
	}
	var body []byte
	if q.body != nil {
		var err error
		if body, err = json.Marshal(q.body); err != nil {
			return reply{}, fmt.Errorf("%s: %w", q.op, err)
		}
	}
	var r reply
	policy := c.opts.Retry
	if q.once {
		policy = exchange.Policy{}
	}
	err := policy.Do(ctx, c.opts.OnRetry, func() (err error) {
		r, err = c.once(ctx, q, body)
		if err == nil && q.busy != nil && q.busy(r) {
			return exchange.Transient(&Error{Op: q.op, Status: r.status, RequestID: c.clean(r.header.Get("X-Request-Id")),
				Message: "the Hub is busy with another request of yours", Advice: "run the command again in a minute"})
		}
		return err
	})
	if err != nil {
		return reply{}, c.explain(q, err)
	}
	return r, nil
}

// once makes a call without trying again.
func (c *Client) once(ctx context.Context, q call, body []byte) (reply, error) {
	r, err := http.NewRequestWithContext(ctx, q.method, q.url, bytes.NewReader(body))
	if err != nil {
		return reply{}, exchange.Permanent(fmt.Errorf("%s: the address cannot be used", q.op))
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("X-Amzn-Trace-Id", traceID())
	if q.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	c.token.Bearer(r)
	resp, err := c.http.Do(r)
	if err != nil {
		return reply{}, exchange.Plain(q.op, r.URL, err)
	}
	defer exchange.Drain(resp.Body)
	c.warn(resp.Header)
	if !slices.Contains(q.fine, resp.StatusCode) {
		if err := exchange.Check(q.op, resp); err != nil {
			return reply{}, err
		}
	}
	data, err := exchange.ReadAll(resp.Body, maxAnswer)
	if err != nil {
		return reply{}, exchange.Plain(q.op, r.URL, err)
	}
	return reply{resp.StatusCode, resp.Header, data}, nil
}

// ask makes a call and reads the JSON of its answer.
func (c *Client) ask(ctx context.Context, q call, into any) error {
	r, err := c.do(ctx, q)
	if err != nil {
		return err
	}
	return c.decode(q, r, into)
}

// decode reads the JSON of an answer.
func (c *Client) decode(q call, r reply, into any) error {
	if err := json.Unmarshal(r.body, into); err != nil {
		return unexpected(q, r.status, err)
	}
	return nil
}

// unexpected is an answer that is not of the form of the Hub's.
func unexpected(q call, status int, err error) error {
	return &Error{Op: q.op, Status: status, Message: "the answer is not of the form that the Hub's answers have",
		Advice: "check that HF_ENDPOINT is a Hub, and that no proxy answers in its place", err: err}
}

// warn passes on warnings of the Hub, each topic once. A warning is "topic; message", the topic may be empty.
func (c *Client) warn(h http.Header) {
	if c.opts.OnWarning == nil {
		return
	}
	for _, value := range h.Values("X-HF-Warning") {
		topic, message, found := strings.Cut(value, ";")
		if !found {
			topic, message = "", value
		}
		topic, message = c.clean(topic), c.clean(message)
		if message != "" && c.firstOf(topic) {
			c.opts.OnWarning(topic, message)
		}
	}
}

func (c *Client) firstOf(topic string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.warned[topic]
	c.warned[topic] = true
	return first
}

// clean makes one line of a server's words that is fit to print.
func (c *Client) clean(text string) string { return exchange.Clean(c.token.Redact(text)) }

// traceID is a random UUID, by which the Hub's support finds a request.
func traceID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, by its documentation
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}
