package exchange

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"
)

func parse(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestSameOrigin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"https://hub.example/a", "https://hub.example/b?x=1", true},
		{"https://hub.example", "https://HUB.example:443", true},
		{"http://hub.example", "http://hub.example:80", true},
		{"https://hub.example", "http://hub.example", false},
		{"https://hub.example", "https://cdn.hub.example", false},
		{"https://hub.example", "https://hub.example:8443", false},
		{"http://127.0.0.1:1", "http://127.0.0.1:2", false},
	} {
		if got := SameOrigin(parse(t, c.a), parse(t, c.b)); got != c.same {
			t.Errorf("SameOrigin(%s, %s) = %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func TestBareKeepsNoSecret(t *testing.T) {
	got := Bare(parse(t, "https://bot:hf_secretsecret@hub.example/a%2Fb/c?X-Signature=abc#frag"))
	if want := "https://hub.example/a%2Fb/c"; got != want {
		t.Errorf("Bare = %q, want %q", got, want)
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "pre-receive hook declined", "pre-receive hook declined"},
		{"colours", "a \x1b[31mred\x1b[0m word", "a red word"},
		{"window title", "x\x1b]0;title\x07y", "xy"},
		{"eight-bit escape", "a\u009b31mb", "ab"},
		{"lone escape", "a\x1bcb", "ab"},
		{"carriage returns and tabs", "50%\r\n\t100%", "50% 100%"},
		{"control characters", "a\x00b\x08c\x7fd", "abcd"},
		{"marks that turn text around", "a\u202eb\u200bc", "abc"},
		{"bytes that are not UTF-8", "a\xff\xfeb", "ab"},
		{"space around", "  a  ", "a"},
		{"a token of the Hub", "bad token hf_abcdefghijKLMN, sorry", "bad token hf_***, sorry"},
		{"a token cut by a control character", "hf_\x00abcdefghij", "hf_***"},
		{"a header that is repeated", "got Authorization: Basic aGZfdXNlcjpzZWNyZXRzZWNyZXQx, sorry", "got Authorization: Basic ***, sorry"},
		{"a bearer that is repeated", "bearer\tglpat-abc1234567890123", "bearer ***"},
		{"words after basic", "basic authentication-is-required here", "basic authentication-is-required here"},
		{"other letters", "größer 数据", "größer 数据"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
	long := Clean(strings.Repeat("ä", 5000))
	if len(long) > maxText || !strings.HasSuffix(long, "…") || !utf8.ValidString(long) {
		t.Errorf("a long text has %d bytes and ends with %q; want at most %d and an ellipsis", len(long), long[len(long)-6:],
			maxText)
	}
}

func TestForeignErrorsKeepTheirCause(t *testing.T) {
	err := Foreign(fmt.Errorf("malformed \x1b[31mline\x07: %w", io.EOF))
	if err.Error() != "malformed line: EOF" || !errors.Is(err, io.EOF) {
		t.Errorf("%q, want the text clean and the cause kept", err)
	}
	if Foreign(nil) != nil {
		t.Error("no error became one")
	}
}

func FuzzClean(f *testing.F) {
	f.Add("remote: \x1b[1;31merror\x1b[0m\r\n")
	f.Add("\x1b]8;;http://x\x07y\x1b\\")
	f.Add("hf_AAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, text string) {
		got := Clean(text)
		if len(got) > maxText {
			t.Errorf("%d bytes, want at most %d", len(got), maxText)
		}
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Errorf("Clean(%q) = %q holds %U", text, got, r)
			}
		}
	})
}

func answer(code int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func TestCheckTellsWhatTheServerSaid(t *testing.T) {
	for _, c := range []struct {
		name, want string
		answer     *http.Response
	}{
		{"text", "fetch: HTTP 403 Forbidden: no write access", answer(403, "no write access\n")},
		{"header of the Hub", "fetch: HTTP 404 Not Found: Repository not found [request r1]",
			answer(404, "whatever", "X-Error-Message", "Repository not found", "X-Request-Id", "r1")},
		{"JSON message", "fetch: HTTP 422 Unprocessable Entity: bad oid", answer(422, `{"message":"bad oid"}`)},
		{"JSON error", "fetch: HTTP 400 Bad Request: no", answer(400, `{"error":"no"}`)},
		{"JSON list of errors", "fetch: HTTP 400 Bad Request: a b c",
			answer(400, `{"error":["a","b"],"errors":[{"message":"c"}]}`)},
		{"object store", "fetch: HTTP 403 Forbidden: AccessDenied Request has expired",
			answer(403, `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message><Key>k</Key></Error>`)},
		{"a page of HTML", "fetch: HTTP 502 Bad Gateway", answer(502, "<html><body>nginx</body></html>")},
		{"nothing", "fetch: HTTP 500 Internal Server Error", answer(500, "")},
		{"seconds to wait", "fetch: HTTP 503 Service Unavailable (asks to wait 7s)", answer(503, "", "Retry-After", "7")},
		{"a date to wait for", "fetch: HTTP 429 Too Many Requests (asks to wait 1m30s)", answer(429, "",
			"Date", "Mon, 02 Jan 2006 15:04:05 GMT", "Retry-After", "Mon, 02 Jan 2006 15:05:35 GMT")},
		{"a date that is over", "fetch: HTTP 429 Too Many Requests", answer(429, "",
			"Date", "Mon, 02 Jan 2006 15:04:05 GMT", "Retry-After", "Mon, 02 Jan 2006 15:00:00 GMT")},
		{"the Hub's rate limit", "fetch: HTTP 429 Too Many Requests (asks to wait 2m3s)",
			answer(429, "", "RateLimit", `"api";r=0;t=123`)},
		{"a rate limit that is not reached", "fetch: HTTP 503 Service Unavailable",
			answer(503, "", "RateLimit", `"api";r=10;t=123`)},
		{"a wait beyond all measure", "fetch: HTTP 429 Too Many Requests (asks to wait 8760h0m0s)",
			answer(429, "", "Retry-After", "99999999999999999999999")},
	} {
		err := Check("fetch", c.answer)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: Check = %v, want %s", c.name, err, c.want)
		}
		var status *StatusError
		if errors.As(err, &status) && status.After < 0 {
			t.Errorf("%s: asks to wait %s, which would take from other waits", c.name, status.After)
		}
		if Code(fmt.Errorf("wrapped: %w", err)) != c.answer.StatusCode {
			t.Errorf("%s: Code = %d, want %d", c.name, Code(err), c.answer.StatusCode)
		}
	}
	if err := Check("fetch", answer(204, "")); err != nil {
		t.Errorf("Check of 204 = %v, want nil", err)
	}
}

func TestCheckReadsOnlyTheBeginning(t *testing.T) {
	body := &endless{}
	_ = Check("fetch", &http.Response{StatusCode: 500, Header: http.Header{}, Body: io.NopCloser(body)})
	if body.read > 2*maxErrorBody {
		t.Errorf("%d bytes read of an endless body, want about %d", body.read, maxErrorBody)
	}
}

type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

func TestRetryable(t *testing.T) {
	inURL := func(err error) error { return &url.Error{Op: "Put", URL: "https://x?sig=1", Err: err} }
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"503", &StatusError{Code: 503}, true},
		{"429", &StatusError{Code: 429}, true},
		{"408", &StatusError{Code: 408}, true},
		{"501", &StatusError{Code: 501}, false},
		{"403", &StatusError{Code: 403}, false},
		{"a stall", inURL(ErrStalled), true},
		{"a reset", inURL(&net.OpError{Op: "read", Err: syscall.ECONNRESET}), true},
		{"a connection that ends early", inURL(io.EOF), true},
		{"a body that ends early", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		{"some other failure of the client", inURL(errors.New("http: server closed idle connection")), true},
		{"the same without its address", Plain("push", nil, inURL(errors.New("http: server closed idle connection"))), true},
		{"an unknown host", inURL(&net.DNSError{IsNotFound: true}), false},
		{"a name server that is down", inURL(&net.DNSError{IsTemporary: true}), true},
		{"a wrong certificate", inURL(x509.UnknownAuthorityError{}), false},
		{"HTTP where HTTPS was wanted", inURL(http.ErrSchemeMismatch), false},
		{"a refused redirect", inURL(&RedirectError{}), false},
		{"a local file", inURL(Permanent(errors.New("file changed"))), false},
		{"an answer that leaves something out", Transient(errors.New("no answer for an object")), true},
		{"the end of the context", inURL(context.Canceled), false},
		{"an answer that makes no sense", errors.New("invalid pkt-len found"), false},
		{"an address that is none", &url.Error{Op: "parse", Err: errors.New("bad")}, false},
	} {
		if got := Retryable(c.err); got != c.want {
			t.Errorf("%s: Retryable = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPlainHidesTheQuery(t *testing.T) {
	target := parse(t, "https://bot:pw@store.example/o?sig=secret")
	err := Plain("LFS upload", target, &url.Error{Op: "Put", URL: target.String(), Err: io.EOF})
	if got, want := err.Error(), "LFS upload at https://store.example/o: the server closed the connection"; got != want {
		t.Errorf("Plain = %q, want %q", got, want)
	}
	if !errors.Is(err, io.EOF) {
		t.Error("the cause is lost")
	}
}

// Many clients that were turned away together do not come back together: the waits differ, by up to one half.
func TestPolicyWaitsAreScattered(t *testing.T) {
	p := DefaultPolicy()
	seen := map[time.Duration]bool{}
	for range 50 {
		wait := p.pause(3)
		if wait <= 2*time.Second || wait > 4*time.Second {
			t.Fatalf("the third wait is %s, want more than 2 s and up to 4 s", wait)
		}
		seen[wait] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d different waits of 50, want them scattered", len(seen))
	}
}

func TestPolicyWaitsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, tries, told := time.Now(), 0, 0
		err := DefaultPolicy().Do(t.Context(), func(int, error) { told++ }, func() error {
			tries++
			return &StatusError{Op: "x", Code: 503}
		})
		if Code(err) != 503 || tries != 6 || told != 5 {
			t.Errorf("ended with %v after %d tries and %d notices; want the last error after 6 tries and 5 notices", err, tries,
				told)
		}
		if took := time.Since(start); took < 11*time.Second || took > 23*time.Second {
			t.Errorf("waited %s in all; want 1+2+4+8+8 s less a random part of up to one half", took)
		}
	})
}

func TestPolicyObeysTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, tries := time.Now(), 0
		err := DefaultPolicy().Do(t.Context(), nil, func() error {
			if tries++; tries == 1 {
				return &StatusError{Code: 429, After: 40 * time.Second}
			}
			return nil
		})
		if took := time.Since(start); err != nil || took < 40*time.Second || took > 42*time.Second {
			t.Errorf("ended with %v after %s, want success after the 40 s the server asked for", err, took)
		}
	})
}

func TestPolicyDoesNotWaitBeyondItsBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := DefaultPolicy().Do(t.Context(), nil, func() error { return &StatusError{Code: 429, After: time.Hour} })
		if Code(err) != 429 || time.Since(start) != 0 {
			t.Errorf("ended with %v after %s, want the 429 at once", err, time.Since(start))
		}
	})
}

// A server that takes the connection and does nothing is given up sooner than one that answers: after 30 s in which nothing
// moved, but not before the third try.
func TestPolicyLosesPatience(t *testing.T) {
	for _, c := range []struct {
		name  string
		still time.Duration
		tries int
		took  time.Duration
	}{
		{"stalls of 8 s", 8 * time.Second, 4, 32 * time.Second},
		{"stalls of a minute", time.Minute, 3, 3 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stall := &Transport{Base: roundTrip(func(r *http.Request) (*http.Response, error) {
					_, _ = io.CopyN(io.Discard, r.Body, 5)
					time.Sleep(c.still)
					return nil, &net.OpError{Op: "read", Err: syscall.ECONNRESET}
				})}
				start, tries := time.Now(), 0
				err := DefaultPolicy().Do(t.Context(), nil, func() error {
					tries++
					r, _ := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://x.example/", strings.NewReader("0123456789"))
					_, err := (&http.Client{Transport: stall}).Do(r)
					return Plain("LFS upload", nil, err)
				})
				took := time.Since(start)
				if !errors.Is(err, syscall.ECONNRESET) || tries != c.tries || took != c.took {
					t.Errorf("ended with %v after %d tries and %s, want the reset after %d tries and %s", err, tries, took, c.tries,
						c.took)
				}
			})
		})
	}
}

// What moved before a connection broke is progress, however long it took.
func TestPolicyIsPatientWithSlowTransfers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &Transport{Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			for range 5 {
				time.Sleep(time.Minute)
				_, _ = io.CopyN(io.Discard, r.Body, 1)
			}
			return nil, &net.OpError{Op: "write", Err: syscall.EPIPE}
		})}
		tries := 0
		err := DefaultPolicy().Do(t.Context(), nil, func() error {
			tries++
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://x.example/", strings.NewReader("0123456789"))
			_, err := slow.RoundTrip(r)
			return Plain("LFS upload", nil, &url.Error{Op: "Put", Err: err})
		})
		if !errors.Is(err, syscall.EPIPE) || tries != 6 {
			t.Errorf("ended with %v after %d tries, want all 6", err, tries)
		}
	})
}

func TestFailuresOfTheNetworkInWords(t *testing.T) {
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 43736}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&net.OpError{Op: "read", Net: "tcp", Source: address, Addr: address, Err: os.NewSyscallError("read", syscall.ECONNRESET)},
			"push: the connection broke: connection reset by peer"},
		{&net.OpError{Op: "write", Net: "tcp", Source: address, Addr: address, Err: net.ErrClosed}, "push: the server closed the connection"},
		{io.EOF, "push: the server closed the connection"},
		{io.ErrUnexpectedEOF, "push: the server closed the connection"},
		{&net.OpError{Op: "dial", Net: "tcp", Addr: address, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)},
			"push: dial tcp 127.0.0.1:43736: connect: connection refused"},
		{ErrStalled, "push: " + ErrStalled.Error()},
	} {
		if got := Plain("push", nil, &url.Error{Op: "Put", URL: "https://x", Err: c.err}).Error(); got != c.want {
			t.Errorf("Plain(%v) = %q, want %q", c.err, got, c.want)
		}
		if errors.Is(c.err, ErrStalled) || c.err == io.EOF {
			continue
		}
		// in the middle of an answer there is no error of net/http's client around it
		if got := Plain("push", nil, c.err).Error(); got != c.want {
			t.Errorf("Plain(%v) in the middle of an answer = %q, want %q", c.err, got, c.want)
		}
	}
}

func TestPolicyStopsWhereNoRetryHelps(t *testing.T) {
	tries := 0
	err := DefaultPolicy().Do(t.Context(), nil, func() error { tries++; return &StatusError{Code: 404} })
	if Code(err) != 404 || tries != 1 {
		t.Errorf("%d tries, error %v; want one try", tries, err)
	}
}

func TestPolicyEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := errors.New("interrupted")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(300*time.Millisecond, func() { cancel(stop) })
		start := time.Now()
		err := DefaultPolicy().Do(ctx, nil, func() error { return &StatusError{Code: 503, After: time.Minute} })
		if !errors.Is(err, stop) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("ended with %v after %s, want the cause of the context at once", err, time.Since(start))
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// untilDone stands for a server that does nothing.
func untilDone(r *http.Request) error {
	<-r.Context().Done()
	return r.Context().Err()
}

func TestTransportEndsStalls(t *testing.T) {
	slow := func(n int) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			buf := make([]byte, 1)
			for range n {
				time.Sleep(2 * time.Second)
				if _, err := r.Body.Read(buf); err != nil {
					return nil, err
				}
			}
			return nil, untilDone(r)
		}
	}
	for _, c := range []struct {
		name   string
		server roundTrip
		body   io.Reader
		want   time.Duration
	}{
		{"no answer to a request without body", func(r *http.Request) (*http.Response, error) { return nil, untilDone(r) },
			nil, 3 * time.Second},
		{"a body that is not read", slow(0), strings.NewReader("0123456789"), 3 * time.Second},
		{"a body that is read slowly, then no more", slow(5), strings.NewReader("0123456789"), 13 * time.Second},
		{"no answer after the body", func(r *http.Request) (*http.Response, error) {
			_, _ = io.ReadAll(r.Body)
			return nil, untilDone(r)
		}, strings.NewReader("0123456789"), 60 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr := &Transport{Base: c.server, Idle: 3 * time.Second, Answer: time.Minute}
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.example/", c.body)
				start := time.Now()
				_, err := (&http.Client{Transport: tr}).Do(r)
				if took := time.Since(start); !errors.Is(err, ErrStalled) || took != c.want {
					t.Errorf("ended with %v after %s, want a stall after %s", err, took, c.want)
				}
			})
		})
	}
}

type bodyFunc func(p []byte) (int, error)

func (f bodyFunc) Read(p []byte) (int, error) { return f(p) }
func (f bodyFunc) Close() error               { return nil }

func TestTransportEndsAnswersThatStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		tr := &Transport{Idle: 3 * time.Second, Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: bodyFunc(func(p []byte) (int, error) {
				if reads++; reads <= 2 {
					time.Sleep(2 * time.Second)
					return copy(p, "ab"), nil
				}
				return 0, untilDone(r)
			})}, nil
		})}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://x.example/", nil)
		answer, err := tr.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // a reader that takes its time is no stall
		got, err := io.ReadAll(answer.Body)
		if string(got) != "abab" || !errors.Is(err, ErrStalled) {
			t.Errorf("read %q and %v, want abab and a stall", got, err)
		}
		_ = answer.Body.Close()
	})
}

func TestTransportSetsTheUserAgent(t *testing.T) {
	tr := &Transport{UserAgent: "hfpub/1", Base: roundTrip(func(r *http.Request) (*http.Response, error) {
		if got := r.Header.Values("User-Agent"); len(got) != 1 || got[0] != "hfpub/1" {
			t.Errorf("User-Agent = %q, want hfpub/1 alone", got)
		}
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://x.example/", nil)
	r.Header.Set("User-Agent", "another")
	if _, err := tr.RoundTrip(r); err != nil {
		t.Fatal(err)
	}
	if r.Header.Get("User-Agent") != "another" {
		t.Error("the caller's request was changed")
	}
}

func TestNoRedirectAway(t *testing.T) {
	request := func(raw string) *http.Request { return &http.Request{Method: http.MethodPut, URL: parse(t, raw)} }
	via := []*http.Request{request("https://hub.example/a")}
	if err := NoRedirectAway(request("https://hub.example/b"), via); err != nil {
		t.Errorf("within the origin: %v, want it followed", err)
	}
	signIn := request("https://hub.example/login")
	signIn.Method = http.MethodGet // as net/http makes it of a 302
	var refused *RedirectError
	if err := NoRedirectAway(signIn, via); !errors.As(err, &refused) {
		t.Errorf("redirect of a PUT to a page: %v, want it refused: a page is no answer to an upload", err)
	}
	for _, away := range []string{"https://other.example/a", "http://hub.example/a",
		"https://cdn.hub.example/a?sig=secret"} {
		err := NoRedirectAway(request(away), via)
		var refused *RedirectError
		if !errors.As(err, &refused) || strings.Contains(err.Error(), "secret") {
			t.Errorf("redirect to %s: %v, want it refused without the query", away, err)
		}
	}
}

func TestReadAllIsBounded(t *testing.T) {
	if got, err := ReadAll(strings.NewReader("12345"), 5); string(got) != "12345" || err != nil {
		t.Errorf("ReadAll = %q, %v; want all of it", got, err)
	}
	if _, err := ReadAll(strings.NewReader("123456"), 5); err == nil || Retryable(err) {
		t.Errorf("ReadAll of too much = %v, want an error for good", err)
	}
}
