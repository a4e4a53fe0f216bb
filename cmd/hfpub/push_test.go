package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

// front is a Hub behind a proxy that counts requests, and refuses pushes to one repo.
type front struct {
	hub *hubtest.Hub
	url string

	mu      sync.Mutex
	asked   []string
	refuses string
	// judgement is what it answers, as the Hub would, when it is asked to judge a card; "" lets the Hub answer.
	judgement string
	// before is called with every request, before it is answered; true means that it has been answered.
	before func(w http.ResponseWriter, r *http.Request) bool
}

func newFront(t *testing.T, repos ...string) *front {
	t.Helper()
	hub, err := hubtest.Start(t.TempDir(), hubtest.Options{User: "acme"})
	var none *hubtest.NoGitError
	if errors.As(err, &none) {
		t.Skip("git is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	for _, id := range repos {
		if _, err := hub.CreateRepo(release.Dataset, id); err != nil {
			t.Fatal(err)
		}
	}
	at, err := url.Parse(hub.URL())
	if err != nil {
		t.Fatal(err)
	}
	f := &front{hub: hub}
	proxy := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(at); p.Out.Host = at.Host }}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.asked = append(f.asked, r.Method+" "+r.URL.Path)
		refused := f.refuses != "" && strings.HasSuffix(r.URL.Path, f.refuses+"/git-receive-pack")
		judgement, before := f.judgement, f.before
		f.mu.Unlock()
		if before != nil && before(w, r) {
			return
		}
		if judgement != "" && strings.HasSuffix(r.URL.Path, "/api/validate-yaml") {
			w.WriteHeader(http.StatusBadRequest)
			w.Write([]byte(judgement))
			return
		}
		if refused {
			http.Error(w, "not on Fridays", http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	f.url = s.URL
	t.Setenv("HF_ENDPOINT", f.url)
	t.Setenv("HF_TOKEN", hub.Token(hubtest.Write))
	t.Setenv("HOME", t.TempDir())
	return f
}

// hfpub runs one command line.
func hfpub(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// writeRelease writes a release of repos with a card and a lock.
func writeRelease(t *testing.T, ids ...string) string {
	t.Helper()
	dir := t.TempDir()
	manifest := "version: 1\nrelease: {name: three, version: 1.0.0}\nrepos:\n"
	for _, id := range ids {
		root := filepath.Base(id)
		manifest += "  - {id: " + id + ", type: dataset, status: public, root: " + root + ", license: mit, " +
			"card: {pretty_name: Rows, language: [en]}, configs: [{name: default, splits: [{name: train, files: [train.jsonl]}]}]}\n"
		writeFile(t, filepath.Join(dir, root, "train.jsonl"), `{"of": "`+root+`"}`+"\n")
	}
	writeFile(t, filepath.Join(dir, "hfpub.yaml"), manifest)
	for _, command := range []string{"card", "lock"} {
		if code, out, err := hfpub(t, command, dir); code != 0 {
			t.Fatalf("hfpub %s: exit code %d\n%s%s", command, code, out, err)
		}
	}
	return dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A release whose second repo cannot be pushed: what is published and what is not is told, and the next push goes on.
func TestPushThatFailsInTheMiddle(t *testing.T) {
	ids := []string{"acme/one", "acme/two", "acme/three"}
	f := newFront(t, ids...)
	dir := writeRelease(t, ids...)
	f.refuses = "acme/two"
	type outcome struct {
		Results []struct {
			Repo     string `json:"repo"`
			NoChange bool   `json:"no_change"`
		} `json:"results"`
		Unfinished []unfinishedRepo `json:"unfinished"`
		Error      string           `json:"error"`
	}
	push := func() (int, outcome) {
		t.Helper()
		code, out, _ := hfpub(t, "push", "--format", "json", dir)
		var o outcome
		if err := json.Unmarshal([]byte(out), &o); err != nil {
			t.Fatalf("stdout is no JSON object: %v\n%s", err, out)
		}
		return code, o
	}
	code, o := push()
	if code != 2 || !strings.Contains(o.Error, "push acme/two: ") || !strings.Contains(o.Error, "not on Fridays") {
		t.Errorf("exit code %d, error %q; want 2 and the server's words about acme/two", code, o.Error)
	}
	if len(o.Results) != 1 || o.Results[0].Repo != "acme/one" || o.Results[0].NoChange {
		t.Errorf("results %+v, want acme/one pushed", o.Results)
	}
	if diff := cmp.Diff([]unfinishedRepo{{"acme/two", "failed"}, {"acme/three", "not-tried"}}, o.Unfinished); diff != "" {
		t.Errorf("unfinished (-want +got):\n%s", diff)
	}
	code, out, stderr := hfpub(t, "push", dir)
	for _, line := range []string{"acme/one: nothing to push", "acme/two: not pushed, see the error", "acme/three: not pushed, since"} {
		if !strings.Contains(out, line) {
			t.Errorf("stdout lacks %q:\n%s", line, out)
		}
	}
	if code != 2 || !strings.Contains(stderr, "not on Fridays") {
		t.Errorf("exit code %d, stderr %q; want 2 and the error", code, stderr)
	}
	f.refuses = ""
	code, o = push()
	if code != 0 || len(o.Results) != 3 || !o.Results[0].NoChange || o.Results[1].NoChange || o.Results[2].NoChange || len(o.Unfinished) != 0 {
		t.Errorf("pushed again: exit code %d, %+v; want the two that were left", code, o)
	}
}

// Whatever happens, --format json prints one JSON object, and what went wrong is in it.
func TestOneJSONObjectInEveryOutcome(t *testing.T) {
	f := newFront(t)
	dir := writeRelease(t, "acme/one", "acme/two")
	for _, c := range []struct {
		name string
		args []string
		env  map[string]string
		code int
		want string
		asks bool
	}{
		{name: "no such folder", args: []string{filepath.Join(dir, "nothing")}, code: 2, want: "no such file"},
		{name: "an unknown repo", args: []string{"--only", "acme/tow", dir}, code: 2, want: "did you mean acme/two?"},
		{name: "two repos for one remote", args: []string{"--remote", f.url + "/x", dir}, code: 2, want: "--remote takes one repo"},
		{name: "no remote", args: []string{"--remote", "file:///srv/x", "--only", "acme/one", dir}, code: 2, want: "only addresses"},
		{name: "no branch", args: []string{"--branch", "refs/tags/v1", dir}, code: 2, want: "cannot be the name of a branch"},
		{name: "no endpoint", args: []string{dir}, env: map[string]string{"HF_ENDPOINT": "ftp://x"}, code: 2, want: "HF_ENDPOINT"},
		{name: "no token", args: []string{dir}, env: map[string]string{"HF_TOKEN": "a b"}, code: 2, want: "token from HF_TOKEN"},
		{name: "offline", args: []string{dir}, env: map[string]string{"HF_HUB_OFFLINE": "1"}, code: 2, want: "HF_HUB_OFFLINE"},
		{name: "offline, by the address", args: []string{"--only", "acme/one", "--remote", f.url + "/datasets/acme/one", dir},
			env: map[string]string{"HF_HUB_OFFLINE": "1"}, code: 2, want: "HF_HUB_OFFLINE"},
		{name: "the Hub in the clear", args: []string{"--only", "acme/one", "--remote", "http://Hub.example/datasets/acme/one", dir},
			env: map[string]string{"HF_ENDPOINT": "https://hub.example"}, code: 2, want: "in the clear"},
		{name: "no such repo", args: []string{dir}, code: 2, want: "404", asks: true},
	} {
		for _, command := range []string{"push", "plan", "verify"} {
			t.Run(c.name+"/"+command, func(t *testing.T) {
				for name, value := range c.env {
					t.Setenv(name, value)
				}
				f.asked = nil
				code, out, _ := hfpub(t, append([]string{command, "--format", "json"}, c.args...)...)
				var o struct {
					Error    string            `json:"error"`
					Findings []json.RawMessage `json:"findings"`
				}
				if err := json.Unmarshal([]byte(out), &o); err != nil {
					t.Fatalf("stdout is no JSON object: %v\n%s", err, out)
				}
				if code != c.code || !strings.Contains(o.Error, c.want) || o.Findings == nil {
					t.Errorf("exit code %d, error %q, findings %v; want %d, an error with %q and a list", code, o.Error, o.Findings, c.code, c.want)
				}
				if asked := len(f.asked) > 0; asked != c.asks {
					t.Errorf("asked the Hub for %q, want that: %v", f.asked, c.asks)
				}
			})
		}
	}
}

// declared is the manifest of acme/one with something more.
func declared(license, more string) string {
	return "version: 1\nrelease: {name: three, version: 1.0.0}\nrepos:\n  - {id: acme/one, type: dataset, status: public, root: one, license: " + license +
		", card: {pretty_name: Rows, language: [en]}, configs: [{name: default, splits: [{name: train, files: [train.jsonl]}]}]}\n" + more
}

// Nothing is asked of any server before the checks are through: not by git, not for a token of a CI job.
func TestChecksComeBeforeTheFirstRequest(t *testing.T) {
	f := newFront(t, "acme/one")
	t.Setenv("HF_OIDC_RESOURCE", "datasets/acme/one")
	t.Setenv("HF_OIDC_ID_TOKEN", "an-id-token")
	for name, spoil := range map[string]struct{ file, text, code string }{
		"broken data": {"one/train.jsonl", "{\"of\": \n", "json/syntax"},
		"drift":       {"one/train.jsonl", "{\"of\": \"two\"}\n", "lock/drift"},
		"stale card":  {"one/schema.md", "# Schema\n", "card/out-of-date"},
		"an open discrepancy": {"hfpub.yaml", declared("mit", "claims:\n  - {id: rows, said: {text: '2', where: the paper}, measure: {rows: {in: ['acme/one#default/train']}}, state: open}\n"),
			"claim/differs"},
		"a license that does not allow it": {"hfpub.yaml", declared("mit, upstream: [{name: X, license: gpl-3.0, flow: content}]", ""), "license/"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeRelease(t, "acme/one")
			writeFile(t, filepath.Join(dir, spoil.file), spoil.text)
			f.asked = nil
			for _, args := range [][]string{{"push"}, {"push", "--first"}, {"plan"}} {
				code, out, _ := hfpub(t, append(args, dir)...)
				if code != 1 || !strings.Contains(out, spoil.code) {
					t.Errorf("%v: exit code %d\n%s\nwant 1 and %s", args, code, out, spoil.code)
				}
			}
			if len(f.asked) > 0 {
				t.Errorf("asked for %q, want no request", f.asked)
			}
		})
	}
}

// A remote that is no Hub takes --first, whatever its addresses look like.
func TestFirstPushToAServerThatIsNoHub(t *testing.T) {
	f := newFront(t)
	repo, err := f.hub.CreateRepo(release.Model, "acme/new")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeRelease(t, "acme/one")
	code, out, stderr := hfpub(t, "push", "--first", "--remote", f.url+"/acme/new.git", dir)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	if _, err := repo.Read("main", "train.jsonl"); err != nil {
		t.Error(err)
	}
	for _, asked := range f.asked {
		if strings.Contains(asked, "/api/repos/create") {
			t.Errorf("asked %q, want a repo that is there not to be created", asked)
		}
	}
}
