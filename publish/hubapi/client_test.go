package hubapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

var (
	rows  = hubapi.Repo{Type: release.Dataset, ID: "acme/rows"}
	quick = exchange.Policy{Attempts: 3, First: time.Microsecond, Cap: time.Microsecond, Budget: time.Minute}
)

func startHub(t *testing.T, opts hubtest.Options) *hubtest.Hub {
	t.Helper()
	hub, err := hubtest.Start(t.TempDir(), opts)
	var missing *hubtest.NoGitError
	if errors.As(err, &missing) {
		t.Skipf("git is not installed: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		hub.Close()
		for _, leak := range hub.Leaks() {
			t.Error("leak: ", leak)
		}
	})
	return hub
}

// client speaks to a Hub with the token of a role.
func client(t *testing.T, hub *hubtest.Hub, role hubtest.Role) *hubapi.Client {
	t.Helper()
	return clientAt(t, hub.URL(), hub.Token(role), hubapi.Options{Retry: quick})
}

func clientAt(t *testing.T, address, token string, opts hubapi.Options) *hubapi.Client {
	t.Helper()
	e, err := hubapi.NewEndpoint(address)
	if err != nil {
		t.Fatal(err)
	}
	return hubapi.NewClient(e, hubapi.NewToken(token, "HF_TOKEN"), opts)
}

// quickly is a client that holds the secret and tries again without waiting.
func quickly(t *testing.T, address string) *hubapi.Client {
	t.Helper()
	return clientAt(t, address, secret, hubapi.Options{Retry: quick})
}

// script is a Hub that gives one answer after the other, the last one for ever.
type script struct {
	*httptest.Server
	asked atomic.Int32
}

// scripted starts a script; it checks that no secret stands in a URL.
func scripted(t *testing.T, answers ...http.HandlerFunc) *script {
	t.Helper()
	s := &script{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.String(), secret) {
			t.Errorf("a secret stands in a URL: %s", r.URL.Path)
		}
		n := int(s.asked.Add(1))
		answers[min(n, len(answers))-1](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// says answers with a status, headers and a body.
func says(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Add(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func TestRetries(t *testing.T) {
	good := says(200, `{"id":"acme/rows","sha":"`+strings.Repeat("0a", 20)+`","gated":"manual"}`)
	cut := func(w http.ResponseWriter, r *http.Request) {
		conn, _, _ := http.NewResponseController(w).Hijack()
		conn.Close()
	}
	tests := []struct {
		name    string
		answers []http.HandlerFunc
		ok      bool
		asked   int32
	}{
		{"503, 429, then good", []http.HandlerFunc{says(503, ""), says(429, ""), good}, true, 3},
		{"three times 504", []http.HandlerFunc{says(504, ""), says(504, ""), says(504, ""), good}, false, 3},
		{"a cut connection", []http.HandlerFunc{cut, good}, true, 2},
		{"an answer that breaks off", []http.HandlerFunc{says(200, "{", "Content-Length", "100"), good}, true, 2},
		{"403 is final", []http.HandlerFunc{says(403, ""), good}, false, 1},
		{"a wait beyond the budget is final", []http.HandlerFunc{says(429, "", "Retry-After", "3600"), good}, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hub := scripted(t, tt.answers...)
			var told []int
			c := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick, OnRetry: func(attempt int, err error) {
				told = append(told, attempt)
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the token is in %q", err)
				}
			}})
			i, err := c.RepoInfo(t.Context(), rows, "")
			if (err == nil) != tt.ok || tt.ok && i.Gated != "manual" {
				t.Errorf("%+v (%v), want success %v", i, err, tt.ok)
			}
			if n := hub.asked.Load(); n != tt.asked || len(told) != int(tt.asked)-1 {
				t.Errorf("asked %d times and told of retries %v, want %d times", n, told, tt.asked)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	hub := scripted(t, func(w http.ResponseWriter, r *http.Request) { cancel(); says(503, "")(w, r) })
	slow := exchange.Policy{Attempts: 9, First: time.Hour, Cap: time.Hour, Budget: 9 * time.Hour}
	c := clientAt(t, hub.URL, secret, hubapi.Options{Retry: slow})
	if _, err := c.RepoInfo(ctx, rows, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

// TestTokenStaysHome redirects in all ways; the token must not reach the other host.
func TestTokenStaysHome(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host got %s %s with Authorization %v", r.Method, r.URL.Path, r.Header.Get("Authorization") != "")
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		hub := scripted(t, says(status, "", "Location", other.URL+"/x/"+secret))
		c := quickly(t, hub.URL)
		_, infoErr := c.RepoInfo(t.Context(), rows, "")
		_, createErr := c.CreateRepo(t.Context(), rows, "")
		for _, err := range []error{infoErr, createErr} {
			var away *exchange.RedirectError
			if !errors.As(err, &away) || strings.Contains(err.Error(), secret) {
				t.Errorf("status %d: %v, want a RedirectError", status, err)
			}
		}
	}
	renamed := scripted(t, says(307, "", "Location", "/api/datasets/acme/new"), func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/datasets/acme/new" || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("the redirect within the Hub led to %s without the token", r.URL.Path)
		}
		says(200, `{"id":"acme/new","sha":"`+strings.Repeat("0a", 20)+`"}`)(w, r)
	})
	if i, err := quickly(t, renamed.URL).RepoInfo(t.Context(), rows, ""); err != nil || i.ID != "acme/new" {
		t.Errorf("a renamed repo: %+v (%v)", i, err)
	}
	moved := scripted(t, says(302, "", "Location", "/somewhere"), says(200, `{}`))
	if got, err := quickly(t, moved.URL).CreateRepo(t.Context(), rows, ""); err == nil {
		t.Errorf("a POST that became a GET was taken for a creation: %+v", got)
	}
	for _, link := range []string{
		"<" + other.URL + `/x>; rel="next"`,
		`<//` + strings.TrimPrefix(other.URL, "http://") + `/x>; rel=next`,
		`<http://u:p@HOST/x>; rel=next`,
		`<?recursive=true&expand=false>; rel=next`,
	} {
		hub := scripted(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", strings.ReplaceAll(link, "HOST", r.Host))
			io.WriteString(w, `[]`)
		})
		if _, err := quickly(t, hub.URL).Tree(t.Context(), rows, ""); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("the link %s: %v, want an error", link, err)
		}
		if n := hub.asked.Load(); n != 1 {
			t.Errorf("the link %s was followed", link)
		}
	}
}

func TestRequestHeaders(t *testing.T) {
	var got []http.Header
	hub := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Clone())
		w.Header().Add("X-HF-Warning", "Old; please upgrade")
		w.Header().Add("X-HF-Warning", "; no topic "+secret)
		w.Header().Add("X-HF-Warning", "only text")
		says(503, "")(w, r)
	})
	var warnings []string
	agent := hubapi.UserAgent("1.2.3", environment(map[string]string{"HF_HUB_USER_AGENT_ORIGIN": "ci"}))
	c := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick, UserAgent: agent,
		OnWarning: func(topic, message string) { warnings = append(warnings, topic+"|"+message) }})
	c.RepoInfo(t.Context(), rows, "")

	want := fmt.Sprintf("hfpub/1.2.3; go/%s; os/%s; origin/ci", strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS)
	if agent := got[0].Get("User-Agent"); agent != want {
		t.Errorf("User-Agent is %q, want %q", agent, want)
	}
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if a, b := got[0].Get("X-Amzn-Trace-Id"), got[1].Get("X-Amzn-Trace-Id"); !uuid.MatchString(a) || a == b {
		t.Errorf("X-Amzn-Trace-Id is %q, then %q, want two UUIDs", a, b)
	}
	if want := []string{"Old|please upgrade", "|no topic ***"}; !reflect.DeepEqual(warnings, want) {
		t.Errorf("warnings are %q, want %q", warnings, want)
	}
}

func TestOfflineMakesNoCall(t *testing.T) {
	hub := scripted(t, says(200, "{}"))
	c := clientAt(t, hub.URL, secret, hubapi.Options{Offline: true})
	if _, err := c.WhoAmI(t.Context()); !errors.Is(err, hubapi.ErrOffline) {
		t.Errorf("%v, want ErrOffline", err)
	}
	if hub.asked.Load() != 0 {
		t.Error("the Hub was asked")
	}
}

// TestEndlessAnswer: an answer without end is given up, and not tried again.
func TestEndlessAnswer(t *testing.T) {
	hub := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for range 80 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	_, err := quickly(t, hub.URL).RepoInfo(t.Context(), rows, "")
	if err == nil || !strings.Contains(err.Error(), "longer than") || hub.asked.Load() != 1 {
		t.Errorf("%v after %d requests, want one request and an error", err, hub.asked.Load())
	}
}

// FuzzAnswers: whatever a server answers, a client ends with a value or an error, and no error shows the token.
func FuzzAnswers(f *testing.F) {
	f.Add(200, `{"id":"a/b","sha":"0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a","gated":"auto"}`, "RepoNotFound", "a; b")
	f.Add(400, `{"errors":[{"message":"x"}],"warnings":null}`, "", "")
	f.Add(409, `{"url":"http://[::1"}`, "", ";")
	f.Add(403, `{"error":{"a":1}}`, "GatedRepo", "\x1b[")
	f.Add(200, `[{"path":"x","lfs":{"oid":1}}]`, "", "")
	f.Add(429, "", "x", "x")
	f.Fuzz(func(t *testing.T, status int, body, code, warning string) {
		if status < 200 || status > 599 {
			return
		}
		if status >= 400 {
			body += secret
		}
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			h := http.Header{"X-Error-Code": {code}, "X-Hf-Warning": {warning}, "Link": {warning}}
			return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})
		c := hubapi.NewClient(hubapi.Endpoint{}, hubapi.NewToken(secret, "HF_TOKEN"), hubapi.Options{HTTP: transport,
			Retry: exchange.Policy{Attempts: 1}, OnWarning: func(topic, message string) { noSecret(t, topic+message) }})
		_, err1 := c.WhoAmI(t.Context())
		_, err2 := c.CreateRepo(t.Context(), rows, "")
		_, err3 := c.ValidateYAML(t.Context(), release.Dataset, "")
		_, err4 := c.RepoInfo(t.Context(), rows, "main")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err5 := c.Tree(ctx, rows, "main")
		noSecret(t, fmt.Sprint(err1, err2, err3, err4, err5))
	})
}

func noSecret(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, secret) {
		t.Errorf("the token is in %q", text)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
