package hubapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
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

func TestWhoAmI(t *testing.T) {
	hub := startHub(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	c := client(t, hub, hubtest.Write)
	for range 3 {
		a, err := c.WhoAmI(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a.Type != "user" || a.Name != "ada" || len(a.Orgs) != 1 || a.Orgs[0].Name != "acme" || a.Orgs[0].Role != "write" || a.Auth.AccessToken.Role != "write" {
			t.Errorf("the account is %+v", a)
		}
	}
	if n := len(hub.Log()); n != 1 {
		t.Errorf("the Hub was asked %d times, want once", n)
	}
	for role, want := range map[hubtest.Role]string{hubtest.Anonymous: "set HF_TOKEN"} {
		if _, err := client(t, hub, role).WhoAmI(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("role %d: %v, want %q", role, err, want)
		}
	}
	_, err := clientAt(t, hub.URL(), secret, hubapi.Options{Retry: quick}).WhoAmI(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the token from HF_TOKEN is wrong, revoked or expired") {
		t.Errorf("wrong token: %v", err)
	}
}

func TestCreateRepo(t *testing.T) {
	hub := startHub(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}})
	c := client(t, hub, hubtest.Write)
	for i, existed := range []bool{false, true} {
		got, err := c.CreateRepo(t.Context(), rows, hubapi.Private)
		if want := (hubapi.Created{URL: hub.URL() + "/datasets/acme/rows", Existed: existed}); err != nil || got != want {
			t.Errorf("call %d: %+v (%v), want %+v", i, got, err, want)
		}
	}
	if info, err := c.RepoInfo(t.Context(), rows, ""); err != nil || !info.Private {
		t.Errorf("the new repo is %+v (%v), want it private", info, err)
	}
	mine := hubapi.Repo{Type: release.Model, ID: "ada/lora"}
	if got, err := c.CreateRepo(t.Context(), mine, ""); err != nil || got.URL != hub.URL()+"/ada/lora" {
		t.Errorf("in the own namespace: %+v (%v)", got, err)
	}
	if info, err := c.RepoInfo(t.Context(), mine, ""); err != nil || info.Private {
		t.Errorf("the visibility that the Hub chose is %+v (%v), want public", info, err)
	}

	if _, err := hub.CreateRepo(release.Dataset, "globex/there"); err != nil {
		t.Fatal(err)
	}
	there := hubapi.Repo{Type: release.Dataset, ID: "globex/there"}
	if got, err := c.CreateRepo(t.Context(), there, hubapi.Public); err != nil || !got.Existed || got.URL != hub.URL()+"/datasets/globex/there" {
		t.Errorf("a repo that is there and may not be created: %+v (%v), want it found", got, err)
	}
	_, err := c.CreateRepo(t.Context(), hubapi.Repo{Type: release.Dataset, ID: "globex/none"}, hubapi.Public)
	var e *hubapi.Error
	if !errors.As(err, &e) || e.Status != 403 || !strings.Contains(e.Message, "rights to create") || !strings.Contains(e.Advice, "write role") {
		t.Errorf("a repo that may not be created: %v", err)
	}
}

func TestCreateRepoConflicts(t *testing.T) {
	busy := says(409, `{"error":"another conflicting operation is in progress"}`)
	tests := []struct {
		name    string
		answers []http.HandlerFunc
		want    hubapi.Created
		bad     string
		asked   int32
	}{
		{"exists, with its URL", []http.HandlerFunc{says(409, `{"error":"You already created this dataset repo","url":"URL/datasets/Acme/Rows?x=1"}`)},
			hubapi.Created{URL: "URL/datasets/Acme/Rows", Existed: true}, "", 1},
		{"exists, without URL", []http.HandlerFunc{says(409, `{"error":"a repo of this name exists"}`)},
			hubapi.Created{URL: "URL/datasets/acme/rows", Existed: true}, "", 1},
		{"exists, with another host's URL", []http.HandlerFunc{says(409, `{"url":"https://evil.invalid/datasets/acme/rows"}`)},
			hubapi.Created{URL: "URL/datasets/acme/rows", Existed: true}, "", 1},
		{"exists, in text", []http.HandlerFunc{says(409, `Conflict`)}, hubapi.Created{URL: "URL/datasets/acme/rows", Existed: true}, "", 1},
		{"the Hub's own name in the URL", []http.HandlerFunc{says(200, `{"url":"https://huggingface.co/datasets/Acme/Rows"}`)},
			hubapi.Created{URL: "URL/datasets/Acme/Rows"}, "", 1},
		{"busy, then created", []http.HandlerFunc{busy, busy, says(200, `{"url":"URL/datasets/acme/rows"}`)},
			hubapi.Created{URL: "URL/datasets/acme/rows"}, "", 3},
		{"busy for ever", []http.HandlerFunc{busy}, hubapi.Created{}, "the Hub is busy with another request of yours", 3},
		{"trouble, then created", []http.HandlerFunc{says(503, ""), says(200, `{"url":"URL/datasets/acme/rows"}`)},
			hubapi.Created{URL: "URL/datasets/acme/rows"}, "", 2},
		{"no JSON", []http.HandlerFunc{says(200, `<html>sign in</html>`)}, hubapi.Created{}, "check that HF_ENDPOINT is a Hub", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var hub *script
			for i, answer := range tt.answers {
				tt.answers[i] = func(w http.ResponseWriter, r *http.Request) {
					rec := httptest.NewRecorder()
					answer(rec, r)
					w.WriteHeader(rec.Code)
					io.WriteString(w, strings.ReplaceAll(rec.Body.String(), "URL", hub.URL))
				}
			}
			hub = scripted(t, tt.answers...)
			got, err := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick}).CreateRepo(t.Context(), rows, hubapi.Public)
			tt.want.URL = strings.Replace(tt.want.URL, "URL", hub.URL, 1)
			if got != tt.want || (err == nil) != (tt.bad == "") || err != nil && !strings.Contains(err.Error(), tt.bad) {
				t.Errorf("%+v (%v), want %+v (%s)", got, err, tt.want, tt.bad)
			}
			if n := hub.asked.Load(); n != tt.asked {
				t.Errorf("the Hub was asked %d times, want %d", n, tt.asked)
			}
		})
	}
}

func TestValidateYAML(t *testing.T) {
	hub := startHub(t, hubtest.Options{})
	tests := []struct {
		name, readme     string
		errors, warnings []string
	}{
		{"good", "---\nlicense: mit\n---\n", nil, nil},
		{"no metadata", "# T\n", nil, []string{"empty or missing yaml metadata in repo card"}},
		{"errors", "---\nlanguage: EN\nconfigs: x\n---\n", []string{`"language" must only contain lowercase characters`, `"configs" must be an array`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := client(t, hub, hubtest.Anonymous).ValidateYAML(t.Context(), release.Dataset, tt.readme)
			if err != nil || !slices.Equal(v.Errors, tt.errors) || !slices.Equal(v.Warnings, tt.warnings) {
				t.Errorf("%+v (%v), want errors %q, warnings %q", v, err, tt.errors, tt.warnings)
			}
		})
	}
	for name, answer := range map[string]http.HandlerFunc{
		"400 without errors": says(400, `{"error":"bad request"}`),
		"400 in text":        says(400, "- Error: x"),
		"413":                says(413, "too large"),
	} {
		hub := scripted(t, answer)
		var e *hubapi.Error
		if _, err := clientAt(t, hub.URL, "", hubapi.Options{Retry: quick}).ValidateYAML(t.Context(), release.Dataset, ""); !errors.As(err, &e) {
			t.Errorf("%s: %v, want an Error", name, err)
		}
	}
}

func TestRepoInfoAndTree(t *testing.T) {
	hub := startHub(t, hubtest.Options{PageSize: 3})
	repo, err := hub.CreateRepo(release.Dataset, "acme/rows")
	if err != nil {
		t.Fatal(err)
	}
	pointer := lfspointer.Pointer{OID: strings.Repeat("0a", 32), Size: 123456}
	head, err := repo.Commit("refs/heads/main", "Rows", map[string]string{
		"README.md":      "---\nlicense: mit\ntags: [x]\n---\n",
		"data/big.jsonl": string(lfspointer.Format(pointer.OID, pointer.Size)),
		"data/ä #?.txt":  "hello\n",
		"z/1":            "1", "z/2": "2", "z/3": "3", "z/4": "4",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit("refs/pr/1", "PR", map[string]string{"only": "x"}); err != nil {
		t.Fatal(err)
	}
	c := client(t, hub, hubtest.Anonymous)
	for _, rev := range []string{"", "main", head, head[:7]} {
		i, err := c.RepoInfo(t.Context(), rows, rev)
		if err != nil || i.SHA != head || i.ID != "acme/rows" || i.Gated != "" || !strings.Contains(string(i.CardData), `"license":"mit"`) {
			t.Errorf("revision %q: %+v (%v)", rev, i, err)
		}
	}
	want, err := repo.Tree("main")
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Tree(t.Context(), rows, "main")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d entries (%v), want %d", len(got), err, len(want))
	}
	for i, e := range got {
		if e.Path != want[i].Path || e.OID != want[i].OID || (e.Type == "directory") != want[i].Dir {
			t.Errorf("entry %d is %+v, want %+v", i, e, want[i])
		}
		if e.Path == "data/big.jsonl" {
			if e.LFS == nil || *e.LFS != (hubapi.LFS{OID: pointer.OID, Size: pointer.Size, PointerSize: 131}) || e.Size != pointer.Size {
				t.Errorf("the LFS file is %+v", e)
			}
		} else if e.LFS != nil {
			t.Errorf("%s is in LFS: %+v", e.Path, e.LFS)
		}
	}
	if got, err := c.Tree(t.Context(), rows, "refs/pr/1"); err != nil || len(got) != 1 || got[0].Path != "only" {
		t.Errorf("the pull request holds %+v (%v)", got, err)
	}
	for _, rev := range []string{"v1", "a/b", "a b?c#d"} {
		var e *hubapi.Error
		_, err := c.RepoInfo(t.Context(), rows, rev)
		if !errors.As(err, &e) || e.Status != 404 || e.Code != "RevisionNotFound" || !strings.Contains(e.Advice, fmt.Sprintf("%q", rev)) || e.RequestID == "" {
			t.Errorf("revision %q: %v", rev, err)
		}
	}
}

func TestCheckWrite(t *testing.T) {
	hub := startHub(t, hubtest.Options{})
	if _, err := hub.CreatePrivateRepo(release.Dataset, "acme/rows"); err != nil {
		t.Fatal(err)
	}
	for role, want := range map[hubtest.Role]string{
		hubtest.Write:     "",
		hubtest.Read:      "the token from HF_TOKEN may not do this",
		hubtest.Outsider:  "dataset acme/rows may not exist, or be private",
		hubtest.Anonymous: "dataset acme/rows may not exist, or be private",
	} {
		err := client(t, hub, role).CheckWrite(t.Context(), rows)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("role %d: %v, want %q", role, err, want)
		}
	}
}

// TestErrors turns answers of the Hub into advice.
func TestErrors(t *testing.T) {
	tests := []struct {
		name   string
		answer http.HandlerFunc
		code   string
		want   []string
	}{
		{"gated", says(403, `{"error":"Access to dataset is restricted"}`, "X-Error-Code", "GatedRepo", "X-Request-Id", "r-1"), "GatedRepo",
			[]string{"403", "restricted", "[request r-1]", "request access"}},
		{"disabled", says(403, "", "X-Error-Message", "Access to this resource is disabled."), "", []string{"write to the Hub's support"}},
		{"storage", says(403, `{"error":"Private repository storage limit reached"}`), "", []string{"free space"}},
		{"token policy", says(403, `{"error":"this organization only accepts fine-grained tokens"}`), "", []string{"ask an admin"}},
		{"pull request", says(403, `{"error":"Forbidden: pass create_pr=1 as a query parameter"}`), "", []string{"open a pull request"}},
		{"payment", says(402, `{"error":"plan"}`), "", []string{"402 Payment Required: plan", "paid plan"}},
		{"not there", says(404, `{"error":"Repository not found"}`, "X-Error-Code", "RepoNotFound"), "RepoNotFound",
			[]string{"check the id and the type: dataset acme/rows"}},
		{"invalid token", says(401, `{"error":"Invalid credentials in Authorization header"}`), "", []string{"token from HF_TOKEN is wrong"}},
		{"trouble", says(502, "<html><body>oops</body></html>", "X-Amz-Cf-Id", "cf-9"), "", []string{"502 Bad Gateway [request cf-9]", "run the command again later"}},
		{"too many", says(429, `{"error":["You hit the quota","of 5"]}`), "", []string{"You hit the quota of 5", "wait until"}},
		{"teapot", says(418, `{"errors":[{"message":"short and stout"}]}`), "", []string{"418", "short and stout"}},
		{"the token comes back", says(400, `{"error":"bad header Bearer `+secret+`, `+strings.ToUpper("x")+`"}`, "X-Request-Id", "id-"+secret), "", []string{"bad header Bearer ***"}},
		{"terminal escapes", says(400, "\x1b[31mred\x1b[0m\nline"), "", []string{"red line"}},
		{"no Hub at all", says(200, `[]`), "", []string{"check that HF_ENDPOINT is a Hub"}},
		{"no commit id", says(200, `{"sha":"main"}`), "", []string{"check that HF_ENDPOINT is a Hub"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hub := scripted(t, tt.answer)
			_, err := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick}).RepoInfo(t.Context(), rows, "")
			var e *hubapi.Error
			if !errors.As(err, &e) || e.Code != tt.code || e.Op != "look at dataset acme/rows" {
				t.Fatalf("%v, want an Error of code %q", err, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			for chain := err; chain != nil; chain = errors.Unwrap(chain) {
				if text := fmt.Sprintf("%v %+v", chain, chain); strings.Contains(text, secret) || strings.ContainsAny(text, "\x1b\n") {
					t.Errorf("an error shows what it must not: %q", text)
				}
			}
		})
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
	c := clientAt(t, hub.URL, secret, hubapi.Options{Retry: exchange.Policy{Attempts: 9, First: time.Hour, Cap: time.Hour, Budget: 9 * time.Hour}})
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
		hub := scripted(t, says(status, "", "Location", other.URL+"/x"))
		c := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick})
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
	if i, err := clientAt(t, renamed.URL, secret, hubapi.Options{Retry: quick}).RepoInfo(t.Context(), rows, ""); err != nil || i.ID != "acme/new" {
		t.Errorf("a renamed repo: %+v (%v)", i, err)
	}
	moved := scripted(t, says(302, "", "Location", "/somewhere"), says(200, `{}`))
	if got, err := clientAt(t, moved.URL, secret, hubapi.Options{Retry: quick}).CreateRepo(t.Context(), rows, ""); err == nil {
		t.Errorf("a POST that became a GET was taken for a creation: %+v", got)
	}
	for _, link := range []string{"<" + other.URL + `/x>; rel="next"`, `<//` + strings.TrimPrefix(other.URL, "http://") + `/x>; rel=next`,
		`<http://u:p@HOST/x>; rel=next`, `<?recursive=true&expand=false>; rel=next`} {
		hub := scripted(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", strings.ReplaceAll(link, "HOST", r.Host))
			io.WriteString(w, `[]`)
		})
		if _, err := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick}).Tree(t.Context(), rows, ""); err == nil || strings.Contains(err.Error(), "u:p") {
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

	if want := fmt.Sprintf("hfpub/1.2.3; go/%s; os/%s; origin/ci", strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS); got[0].Get("User-Agent") != want {
		t.Errorf("User-Agent is %q, want %q", got[0].Get("User-Agent"), want)
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
	_, err := clientAt(t, hub.URL, secret, hubapi.Options{Retry: quick}).RepoInfo(t.Context(), rows, "")
	if err == nil || !strings.Contains(err.Error(), "longer than") || hub.asked.Load() != 1 {
		t.Errorf("%v after %d requests, want one request and an error", err, hub.asked.Load())
	}
}

func TestTrustedPublisher(t *testing.T) {
	const id = "id-token-0123456789"
	var hub *httptest.Server
	var sent map[string]string
	hub = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/ci" && r.URL.Query().Get("audience") == hub.URL && r.URL.Query().Get("x") == "1" && r.Header.Get("Authorization") == "Bearer request-token":
			fmt.Fprintf(w, `{"value":%q}`, id)
		case r.URL.Path == "/oauth/token" && r.Header.Get("Authorization") == "":
			sent = map[string]string{}
			json.NewDecoder(r.Body).Decode(&sent)
			if sent["resource"] != "datasets/acme/rows" {
				says(400, `{"error":"invalid_target","error_description":"no publisher for `+sent["subject_token"]+`"}`)(w, r)
				return
			}
			io.WriteString(w, `{"access_token":"hf_jwt_x","expires_in":3600}`)
		default:
			says(404, "")(w, r)
		}
	}))
	defer hub.Close()
	e, _ := hubapi.NewEndpoint(hub.URL)
	actions := map[string]string{"ACTIONS_ID_TOKEN_REQUEST_URL": hub.URL + "/ci?x=1", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token"}
	with := func(more map[string]string, resource string) func(string) string {
		env := map[string]string{"HF_OIDC_RESOURCE": resource}
		for k, v := range more {
			env[k] = v
		}
		return environment(env)
	}
	for name, env := range map[string]map[string]string{"id token in a variable": {"HF_OIDC_ID_TOKEN": id + "\n"}, "GitHub Actions": actions} {
		token, err := hubapi.TrustedPublisher(t.Context(), e, with(env, "datasets/acme/rows"), hubapi.Options{Retry: quick})
		if err != nil || bearer(token) != "hf_jwt_x" || token.Source() != "HF_OIDC_RESOURCE" {
			t.Errorf("%s: %q from %q (%v)", name, bearer(token), token.Source(), err)
		}
		if sent["subject_token"] != id || sent["grant_type"] != "urn:ietf:params:oauth:grant-type:token-exchange" {
			t.Errorf("%s: sent %v", name, sent)
		}
	}
	_, err := hubapi.TrustedPublisher(t.Context(), e, with(actions, "datasets/acme/other"), hubapi.Options{Retry: quick})
	if err == nil || !strings.Contains(err.Error(), "invalid_target no publisher for ***") || !strings.Contains(err.Error(), "trusted publishers") {
		t.Errorf("a resource without publisher: %v", err)
	}
	for chain := err; chain != nil; chain = errors.Unwrap(chain) {
		if strings.Contains(fmt.Sprintf("%+v", chain), id) {
			t.Errorf("the id token is in %v", chain)
		}
	}
	if _, err := hubapi.TrustedPublisher(t.Context(), e, with(nil, "x"), hubapi.Options{}); err == nil || !strings.Contains(err.Error(), "id-token: write") {
		t.Errorf("without id token: %v", err)
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
