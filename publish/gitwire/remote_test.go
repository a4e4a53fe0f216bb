package gitwire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

const main = "refs/heads/main"

// quick is a policy that does not keep a test waiting.
var quick = exchange.Policy{Attempts: 4, First: time.Millisecond, Cap: time.Millisecond, Budget: time.Minute}

// newRepo starts a Hub with one repo on it.
func newRepo(t *testing.T) (*hubtest.Hub, *hubtest.Repo) {
	t.Helper()
	hub, err := hubtest.Start(t.TempDir(), hubtest.Options{Orgs: []string{"acme"}, StallFor: 200 * time.Millisecond})
	var none *hubtest.NoGitError
	if errors.As(err, &none) {
		t.Skip("git is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	repo, err := hub.CreateRepo(release.Dataset, "acme/rows")
	if err != nil {
		t.Fatal(err)
	}
	return hub, repo
}

func basic(token string) func(*http.Request) {
	return func(r *http.Request) { r.SetBasicAuth("hf_user", token) }
}

func open(t *testing.T, rawURL string, o Options) *Remote {
	t.Helper()
	if o.Retry.Attempts == 0 {
		o.Retry = quick
	}
	r, err := Open(rawURL, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writer(t *testing.T, hub *hubtest.Hub, repo *hubtest.Repo) *Remote {
	return open(t, repo.URL(), Options{Authorize: basic(hub.Token(hubtest.Write))})
}

func fetch(t *testing.T, r *Remote) *Snapshot {
	t.Helper()
	refs, err := r.Refs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Fetch(t.Context(), refs, refs.Get(main))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// change is a commit on top of a snapshot that sets some files.
func change(t *testing.T, s *Snapshot, files map[string]string) (Update, *Pack) {
	t.Helper()
	all, objects := map[string]Entry{}, []Object(nil)
	for path, e := range s.Files {
		all[path] = e
	}
	for path, text := range files {
		b := Blob([]byte(text))
		all[path] = Entry{filemode.Regular, b.Hash}
		objects = append(objects, b)
	}
	root, trees, err := BuildTree(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range trees {
		if !s.HasTree(tree.Hash) {
			objects = append(objects, tree)
		}
	}
	commit, err := Commit{Tree: root, Parent: s.Commit, Name: "A", Email: "a@example.org", Message: "change",
		When: time.Unix(1700000000, 0)}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	pack, err := SpoolPack(t.Context(), append(objects, commit))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pack.Close() })
	return Update{Ref: main, Old: s.Commit, New: commit.Hash}, pack
}

func head(t *testing.T, repo *hubtest.Repo) string {
	t.Helper()
	h, err := repo.Head(main)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOpenRefusesWhatIsNoRemote(t *testing.T) {
	for _, c := range []struct{ url, why string }{
		{"ssh://git@hf.co/acme/rows", "only http"},
		{"git@hf.co:acme/rows", "cannot be read"},
		{"/srv/rows.git", "only http"},
		{"file:///srv/rows.git", "only http"},
		{"https://bot:hf_secretsecret@hub.example/acme/rows", "credentials"},
		{"https://hf_secretsecret@hub.example/acme/rows", "credentials"},
		{"https://hub.example/acme/rows?token=hf_secretsecret", "no query"},
		{"https://hub.example/acme/rows#hf_secretsecret", "no fragment"},
		{"https:///acme/rows", "no host"},
		{"https://bot:hf_secretsecret%zz@hub.example/", "cannot be read"},
	} {
		_, err := Open(c.url, Options{})
		var bad *URLError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%s) = %v, want a URL error about %q that holds no secret", c.url, err, c.why)
		}
	}
}

func TestRefs(t *testing.T) {
	hub, repo := newRepo(t)
	refs, err := writer(t, hub, repo).Refs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := refs.Get(main).String(); got != head(t, repo) || refs.Head != main || refs.Empty() {
		t.Errorf("refs: main at %s, HEAD is %q; want %s and %s", got, refs.Head, head(t, repo), main)
	}
	if diff := cmp.Diff([]string{"main"}, refs.Branches()); diff != "" {
		t.Errorf("branches (-want +got):\n%s", diff)
	}
}

func TestRefsTellWhatIsWrong(t *testing.T) {
	hub, repo := newRepo(t)
	private, err := hub.CreatePrivateRepo(release.Dataset, "acme/secret")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, url, token string
		push             bool
		code             int
		auth             bool
	}{
		{"a repo that is not there", hub.RepoURL(release.Dataset, "acme/nothing"), hub.Token(hubtest.Write), false, 404, false},
		{"a repo that nobody may see", private.URL(), "", false, 401, true},
		{"a wrong token", repo.URL(), "hf_wrongwrongwrong", false, 401, true},
		{"a token that may only read", repo.URL(), hub.Token(hubtest.Read), true, 403, true},
		{"no token", repo.URL(), "", true, 401, true},
	} {
		o := Options{}
		if c.token != "" {
			o.Authorize = basic(c.token)
		}
		r := open(t, c.url, o)
		ask := r.Refs
		if c.push {
			ask = r.RefsForPush
		}
		_, err := ask(t.Context())
		var auth *AuthError
		var none *NotFoundError
		if exchange.Code(err) != c.code || errors.As(err, &auth) != c.auth || errors.As(err, &none) == c.auth {
			t.Errorf("%s: %T %v, want status %d", c.name, err, err, c.code)
		}
	}
}

func TestRefsOfAnEmptyRepository(t *testing.T) {
	for name, body := range map[string]string{
		"old git": "001e# service=git-upload-pack\n00000000",
		"new git": "001e# service=git-upload-pack\n0000" +
			packet(strings.Repeat("0", 40)+" capabilities^{}\x00shallow agent=git/2.50\n") + "0000",
	} {
		r := open(t, answers(t, "application/x-git-upload-pack-advertisement", body), Options{})
		refs, err := r.Refs(t.Context())
		if err != nil || !refs.Empty() || !refs.Get(main).IsZero() {
			t.Errorf("%s: %v, %v; want no refs and no error", name, refs, err)
		}
	}
}

func packet(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

// answers is the URL of a server that gives the same answer to everything.
func answers(t *testing.T, kind, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/repo.git"
}

func TestRefsOfSomethingElse(t *testing.T) {
	_, err := open(t, answers(t, "text/html", "<html>Sign in"), Options{}).Refs(t.Context())
	var notGit *NotGitError
	if !errors.As(err, &notGit) || !strings.Contains(err.Error(), "text/html") {
		t.Errorf("a sign-in page: %v, want it said that this is no git server", err)
	}
	long := strings.Repeat("a", 64)
	for name, body := range map[string]string{
		"a repository with SHA-256": packet(long+" HEAD\x00multi_ack object-format=sha256 agent=git/2\n") +
			packet(long+" refs/heads/main\n") + "0000",
		"an empty one with SHA-256": packet(strings.Repeat("0", 64)+" capabilities^{}\x00object-format=sha256\n") + "0000",
	} {
		_, err := open(t, answers(t, "application/x-git-upload-pack-advertisement",
			"001e# service=git-upload-pack\n0000"+body), Options{}).Refs(t.Context())
		var format *FormatError
		if !errors.As(err, &format) || format.Format != "sha256" {
			t.Errorf("%s: %v, want a format error", name, err)
		}
	}
}

func TestFetchBringsTreesWithoutContents(t *testing.T) {
	hub, repo := newRepo(t)
	if _, err := repo.Commit(main, "data", map[string]string{
		"README.md":          "---\nlicense: mit\n---\n",
		"data/a/train.jsonl": strings.Repeat("x", 100000),
		"data/test.jsonl":    "{}\n"}); err != nil {
		t.Fatal(err)
	}
	s := fetch(t, writer(t, hub, repo))
	var paths []string
	for path := range s.Files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	if diff := cmp.Diff([]string{".gitattributes", "README.md", "data/a/train.jsonl", "data/test.jsonl"},
		paths); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if s.Commit.String() != head(t, repo) || !s.HasTree(s.Root) {
		t.Errorf("snapshot is of %s, want %s with its own trees known", s.Commit, head(t, repo))
	}
	if s.store.HasEncodedObject(s.Files["data/a/train.jsonl"].Hash) == nil {
		t.Error("the contents of files were fetched too")
	}
	var got []string
	want := []plumbing.Hash{s.Files["data/test.jsonl"].Hash, s.Files["README.md"].Hash}
	err := s.Blobs(t.Context(), want, func(h plumbing.Hash, content []byte) error {
		got = append(got, string(content))
		return nil
	})
	if diff := cmp.Diff([]string{"{}\n", "---\nlicense: mit\n---\n"}, got); err != nil || diff != "" {
		t.Errorf("contents: %v (-want +got):\n%s", err, diff)
	}
}

// lessAble serves a repo as a server would that lacks a capability, or that fails when it is used.
func lessAble(t *testing.T, repo *hubtest.Repo, spoil func(r *http.Request, request []byte) bool, hide string) string {
	t.Helper()
	target, err := url.Parse(repo.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.Host = target.Scheme, target.Host, target.Host
			p.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: func(answer *http.Response) error {
			if hide == "" || answer.Request.URL.Query().Get("service") == "" {
				return nil
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body = io.NopCloser(bytes.NewReader(bytes.Replace(body, []byte(hide), bytes.Repeat([]byte("x"), len(hide)), 1)))
			return err
		},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if spoil != nil && spoil(r, body) {
			http.Error(w, "not today", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + target.Path
}

func TestFetchOfACommitThatIsNotThere(t *testing.T) {
	hub, repo := newRepo(t)
	r := writer(t, hub, repo)
	refs, err := r.Refs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Fetch(t.Context(), refs, plumbing.NewHash(strings.Repeat("f", 40)))
	var none *NoCommitError
	if !errors.As(err, &none) {
		t.Errorf("%v, want it said that there is no such commit", err)
	}
}

func TestFetchFromServersThatAreLessAble(t *testing.T) {
	_, repo := newRepo(t)
	if _, err := repo.Commit(main, "data", map[string]string{"data/train.jsonl": "{}\n"}); err != nil {
		t.Fatal(err)
	}
	bothFail := func(r *http.Request, q []byte) bool {
		return strings.HasSuffix(r.URL.Path, "/git-upload-pack") && (bytes.Contains(q, []byte("filter blob:none")) ||
			!bytes.Contains(q, []byte("want "+head(t, repo))))
	}
	for _, c := range []struct {
		name  string
		spoil func(r *http.Request, q []byte) bool
		hide  string
	}{
		{"no filter", nil, " filter"},
		{"a filter that fails, and single contents too", bothFail, ""},
		{"no side-band", nil, " side-band side-band-64k"},
		{"no shallow", nil, " shallow"},
	} {
		s := fetch(t, open(t, lessAble(t, repo, c.spoil, c.hide), Options{}))
		var got string
		err := s.Blobs(t.Context(), []plumbing.Hash{s.Files["data/train.jsonl"].Hash},
			func(_ plumbing.Hash, content []byte) error {
				got = string(content)
				return nil
			})
		if err != nil || got != "{}\n" {
			t.Errorf("%s: content %q, %v", c.name, got, err)
		}
	}
}

func TestHistory(t *testing.T) {
	hub, repo := newRepo(t)
	want := map[string]bool{head(t, repo): true}
	for i := range 3 {
		h, err := repo.Commit(main, fmt.Sprint("commit ", i), map[string]string{"data/a.jsonl": strings.Repeat("x", 1000*i+1)})
		if err != nil {
			t.Fatal(err)
		}
		want[h] = true
	}
	hashes, err := fetch(t, writer(t, hub, repo)).History(t.Context())
	got := map[string]bool{}
	for _, h := range hashes {
		got[h.String()] = true
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, commits (-want +got):\n%s", err, diff)
	}
	if _, err := fetch(t, open(t, lessAble(t, repo, nil, " filter"), Options{})).History(t.Context()); err == nil {
		t.Error("from a server that cannot leave trees out: no error")
	}
}

func TestPush(t *testing.T) {
	hub, repo := newRepo(t)
	var said []string
	var sent, total int64
	r := open(t, repo.URL(), Options{
		Authorize: basic(hub.Token(hubtest.Write)),
		OnMessage: func(line string) { said = append(said, line) },
		OnSent:    func(done, all int64) { sent, total = done, all },
	})
	for i, files := range []map[string]string{
		{"README.md": "---\nlicense: mit\n---\n# A\n", "data/train.jsonl": "{\"a\": 1}\n"},
		{"data/train.jsonl": "{\"a\": 2}\n"},
	} {
		s := fetch(t, r)
		update, pack := change(t, s, files)
		report, err := r.Push(t.Context(), []Update{update}, pack)
		if err != nil {
			t.Fatalf("push %d: %v", i, err)
		}
		if diff := cmp.Diff(map[string]string{main: "ok"}, report.Refs); diff != "" || report.Recovered {
			t.Errorf("push %d: recovered %v, refs (-want +got):\n%s", i, report.Recovered, diff)
		}
		if report.Sent != total || sent != total || total <= pack.Size {
			t.Errorf("push %d: %d of %d bytes told, %d reported", i, sent, total, report.Sent)
		}
		if head(t, repo) != update.New.String() {
			t.Errorf("push %d: main is at %s, want %s", i, head(t, repo), update.New)
		}
	}
	if got, err := repo.Read(main, "data/train.jsonl"); err != nil || string(got) != "{\"a\": 2}\n" {
		t.Errorf("content after two pushes: %q, %v", got, err)
	}
	if leaks := hub.Leaks(); len(leaks) > 0 {
		t.Errorf("the token leaked: %v", leaks)
	}
}

func TestPushIsRefusedOnABranchThatMoved(t *testing.T) {
	hub, repo := newRepo(t)
	r := writer(t, hub, repo)
	update, pack := change(t, fetch(t, r), map[string]string{"a": "a"})
	other, err := repo.Commit(main, "another", map[string]string{"b": "b"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Push(t.Context(), []Update{update}, pack)
	var stale *StaleError
	if !errors.As(err, &stale) || stale.Have.String() != other || stale.Want != update.Old {
		t.Errorf("push on a branch that moved before: %v, want a stale error", err)
	}
	update, pack = change(t, fetch(t, r), map[string]string{"a": "a"})
	hub.Fault(hubtest.ReceiveRace, 1)
	_, err = r.Push(t.Context(), []Update{update}, pack)
	if !errors.As(err, &stale) || stale.Have.String() != head(t, repo) || stale.Have == update.New {
		t.Errorf("push in a race: %v, want a stale error", err)
	}
	if got, err := repo.Read(main, "other.txt"); err != nil || len(got) == 0 {
		t.Errorf("the other push was overwritten: %v", err)
	}
}

func TestPushFaults(t *testing.T) {
	for _, c := range []struct {
		name      string
		fault     hubtest.Fault
		times     int
		code      int
		fails     bool
		recovered bool
	}{
		{name: "refs answer 503 once", fault: hubtest.Info503, times: 2},
		{name: "the push answers 503 once", fault: hubtest.Receive503, times: 1},
		{name: "the push is reset once", fault: hubtest.ReceiveReset, times: 1},
		{name: "the answer is lost", fault: hubtest.ReceiveLost, times: 1, recovered: true},
		{name: "the push answers 503 for ever", fault: hubtest.Receive503, times: 1000, fails: true, code: 503},
		{name: "the push is reset for ever", fault: hubtest.ReceiveReset, times: 1000, fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			hub, repo := newRepo(t)
			r := writer(t, hub, repo)
			base := head(t, repo)
			update, pack := change(t, fetch(t, r), map[string]string{"data/a.jsonl": strings.Repeat("{\"a\": 1}\n", 50000)})
			hub.Fault(c.fault, c.times)
			report, err := r.Push(t.Context(), []Update{update}, pack)
			if c.fails {
				if err == nil || exchange.Code(err) != c.code || head(t, repo) != base {
					t.Errorf("%v, want an error with status %d and an untouched branch", err, c.code)
				}
				return
			}
			if err != nil || report.Recovered != c.recovered || head(t, repo) != update.New.String() {
				t.Errorf("%+v, %v; want success, recovered %v", report, err, c.recovered)
			}
		})
	}
}

func TestPushTellsWhyItWasRefused(t *testing.T) {
	hub, repo := newRepo(t)
	r := writer(t, hub, repo)
	update, pack := change(t, fetch(t, r), map[string]string{"a": "a"})
	hub.Fault(hubtest.ReceiveReject, 1)
	_, err := r.Push(t.Context(), []Update{update}, pack)
	var rejected *RejectedError
	if !errors.As(err, &rejected) {
		t.Fatalf("%v, want a rejected error", err)
	}
	text := strings.Join(rejected.Remote, "\n")
	if !strings.Contains(text, "terms of use not accepted. red") || strings.Contains(text, "\x1b") {
		t.Errorf("remote said %q, want the hook's text without escapes", text)
	}
	if !strings.Contains(rejected.Refs[main], "declined") || rejected.Unpack != "ok" {
		t.Errorf("report %+v, want main declined", rejected)
	}
}

func TestPushByCredentialsThatMayOnlyRead(t *testing.T) {
	hub, repo := newRepo(t)
	r := open(t, repo.URL(), Options{Authorize: basic(hub.Token(hubtest.Read))})
	update, pack := change(t, fetch(t, r), map[string]string{"a": "a"})
	_, err := r.Push(t.Context(), []Update{update}, pack)
	var auth *AuthError
	if !errors.As(err, &auth) || auth.Status.Code != 403 {
		t.Errorf("%v, want an auth error with 403", err)
	}
}

func TestPushEndsWithItsContext(t *testing.T) {
	hub, repo := newRepo(t)
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	over := make(chan struct{})
	at := lessAble(t, repo, func(q *http.Request, _ []byte) bool {
		if strings.HasSuffix(q.URL.Path, "/git-receive-pack") {
			cancel(stop)
			<-over
			return true
		}
		return false
	}, "")
	t.Cleanup(func() { close(over) })
	r := open(t, at, Options{Authorize: basic(hub.Token(hubtest.Write))})
	update, pack := change(t, fetch(t, r), map[string]string{"a": "a"})
	_, err := r.Push(ctx, []Update{update}, pack)
	var unknown *UnknownError
	if !errors.Is(err, stop) || !errors.As(err, &unknown) || unknown.Ref != main {
		t.Errorf("interrupted while the server thinks: %v, want the cause, and that nobody knows", err)
	}
	if head(t, repo) != update.Old.String() {
		t.Error("the branch moved")
	}
}

func TestRedirects(t *testing.T) {
	hub, repo := newRepo(t)
	target := repo.URL()
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target+strings.TrimPrefix(r.URL.RequestURI(), "/old"), http.StatusTemporaryRedirect)
	}))
	t.Cleanup(moved.Close)
	// another port is another origin: followed, but without the token
	r := open(t, moved.URL+"/old", Options{Authorize: basic(hub.Token(hubtest.Write))})
	if s := fetch(t, r); r.URL() != target || len(s.Files) == 0 {
		t.Errorf("after the redirect the repository is at %s with %d files, want %s", r.URL(), len(s.Files), target)
	}
	_, err := r.RefsForPush(t.Context())
	var auth *AuthError
	if !errors.As(err, &auth) || auth.MovedTo == "" || !strings.Contains(err.Error(), auth.MovedTo) {
		t.Errorf("push after a redirect to another origin: %v, want an auth error that names the host", err)
	}
}

func TestRenamedRepositoryIsPushedToWhereItIs(t *testing.T) {
	hub, repo := newRepo(t)
	at, err := url.Parse(repo.URL())
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.RequestURI(), "/old/name"); ok {
			http.Redirect(w, r, at.Path+rest, http.StatusMovedPermanently)
			return
		}
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.Host = at.Scheme, at.Host, at.Host
		}}).ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	r := open(t, front.URL+"/old/name", Options{Authorize: basic(hub.Token(hubtest.Write))})
	update, pack := change(t, fetch(t, r), map[string]string{"a": "a"})
	if _, err := r.Push(t.Context(), []Update{update}, pack); err != nil {
		t.Fatalf("push to a renamed repository: %v", err)
	}
	if head(t, repo) != update.New.String() || r.URL() != front.URL+at.Path {
		t.Errorf("main is at %s, remote at %s; want %s and the new name", head(t, repo), r.URL(), update.New)
	}
}

func TestRedirectToAnotherSchemeIsRefused(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(http.RedirectHandler(secure.URL, http.StatusFound))
	t.Cleanup(plain.Close)
	for from, to := range map[string]string{plain.URL: "https", secure.URL: "http"} {
		if to == "http" {
			secure.Config.Handler = http.RedirectHandler(plain.URL, http.StatusFound)
		}
		r := open(t, from+"/x", Options{Transport: secure.Client().Transport})
		_, err := r.Refs(t.Context())
		if err == nil || !strings.Contains(err.Error(), to) || exchange.Retryable(err) {
			t.Errorf("redirect from %s to %s: %v, want it refused for good", from, to, err)
		}
	}
}

// What a server answers that is not what was asked for is told at once: asking again gets the same.
func TestAnswersThatMakeNoSense(t *testing.T) {
	const refs = "application/x-git-upload-pack-advertisement"
	for _, c := range []struct{ name, kind, body, want string }{
		{"a page", "text/html", "<html>", "is no git server: it answered with text/html"},
		{"a page that calls itself git's", refs, "<html>", "git refs: the server's answer makes no sense: invalid pkt-len"},
		{"protocol version 2", refs, "001e# service=git-upload-pack\n0000" + packet("version 2\n") + packet("ls-refs=unborn\n") + "0000",
			"protocol version 2"},
		{"another object format", refs, "001e# service=git-upload-pack\n0000" +
			packet(strings.Repeat("0", 64)+" capabilities^{}\x00object-format=sha256\n") + "0000", "object format sha256"},
	} {
		tries := 0
		r := open(t, answers(t, c.kind, c.body), Options{OnRetry: func(int, error) { tries++ }})
		_, err := r.Refs(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) || tries > 0 || strings.Count(err.Error(), "git refs") > 1 {
			t.Errorf("%s: %v after %d more tries, want one error with %q", c.name, err, tries, c.want)
		}
	}
}

// An escaped slash is no slash, with the second question as with the first.
func TestEscapesOfThePathStay(t *testing.T) {
	const path = "/a%20b%2Fc/x%3Fy.git"
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.RequestURI)
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		io.WriteString(w, packet("# service=git-upload-pack\n")+"0000"+packet(strings.Repeat("1", 40)+" refs/heads/main\x00shallow\n")+"0000")
	}))
	t.Cleanup(s.Close)
	r := open(t, s.URL+path, Options{})
	refs, err := r.Refs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = r.Fetch(t.Context(), refs, refs.Get(main))
	_, _ = r.Refs(t.Context())
	for _, uri := range asked {
		if !strings.HasPrefix(uri, path+"/") {
			t.Errorf("asked for %s, want what is below %s", uri, path)
		}
	}
	if r.URL() != s.URL+path {
		t.Errorf("the repository is at %s, want %s", r.URL(), s.URL+path)
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		to := *r.URL
		to.Scheme, to.Host = "http", r.Host
		if strings.HasPrefix(r.URL.Path, "/credentials") {
			to.User = url.UserPassword("bot", "hf_secretsecret")
		}
		http.Redirect(w, r, to.String(), http.StatusFound)
	}))
	t.Cleanup(s.Close)
	for path, want := range map[string]string{"/circle": "in a row", "/credentials": "it holds credentials"} {
		asked = 0
		_, err := open(t, s.URL+path, Options{}).Refs(t.Context())
		var refused *exchange.RedirectError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want a redirect error with %q and no secret", path, err, want)
		}
		if asked > maxRedirects {
			t.Errorf("%s: asked %d times, want at most %d", path, asked, maxRedirects)
		}
	}
}

// The host that refuses is named when it is another one than that of the remote: no credentials went there.
func TestRefusedByTheHostOfARedirect(t *testing.T) {
	var got []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(other.Close)
	front := httptest.NewServer(http.RedirectHandler(other.URL+"/x/info/refs?service=git-receive-pack", http.StatusFound))
	t.Cleanup(front.Close)
	_, err := open(t, front.URL+"/x", Options{Authorize: basic("hf_secretsecret")}).RefsForPush(t.Context())
	var auth *AuthError
	if !errors.As(err, &auth) || auth.MovedTo != strings.TrimPrefix(other.URL, "http://") {
		t.Errorf("%v, want an auth error that names %s", err, other.URL)
	}
	if !slices.Equal(got, []string{""}) {
		t.Errorf("the other host got the credentials %q, want none", got)
	}
}

func TestRefsEndWithTheirContext(t *testing.T) {
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-hang }))
	t.Cleanup(func() { close(hang); s.Close() })
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(stop) })
	if _, err := open(t, s.URL, Options{}).Refs(ctx); !errors.Is(err, stop) {
		t.Errorf("%v, want the cause of the context", err)
	}
}
