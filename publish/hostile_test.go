package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/validate/finding"
)

// Two pushes of the same files make one commit, and both say that all is well: the second may be a new try after an
// interrupted push that came through after all.
func TestTheSamePushTwiceAtOnce(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	later := meta
	later.When = meta.When.Add(time.Minute)
	p := w.publisher(nil)
	plan, err := p.Plan(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	first := w.mustPush(nil)
	r, err := p.Publish(t.Context(), plan)
	if err != nil || !r.NoChange || r.Commit != first.Commit || w.head() != first.Commit ||
		!strings.Contains(r.Message, "has the same files") {
		t.Errorf("%+v, %v; want it said that %s has the same files", r, err, first.Commit)
	}
	w.write(map[string]string{"data/test.jsonl": "{\"id\": 3}\n"})
	p = w.publisher(nil)
	if plan, err = p.Plan(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	w.write(map[string]string{"data/test.jsonl": "{\"id\": 4}\n"})
	second := w.mustPush(nil)
	var stale *gitwire.StaleError
	if _, err := p.Publish(t.Context(), plan); !errors.As(err, &stale) || w.head() != second.Commit {
		t.Errorf("another push: %v, want a stale error and nothing overwritten", err)
	}
}

// A repository that is there and empty takes a push without --first.
func TestEmptyRepositoriesTakeAPush(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		service := r.URL.Query().Get("service")
		w.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
		io.WriteString(w, packet("# service="+service+"\n")+"0000"+
			packet(strings.Repeat("0", 40)+" capabilities^{}\x00report-status side-band-64k\n")+"0000")
	}))
	t.Cleanup(s.Close)
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.reload()
	plan := func(first bool) (*Plan, error) {
		p, err := New(Target{URL: s.URL + "/rows.git"}, w.release, Options{Retry: quick, First: first})
		if err != nil {
			t.Fatal(err)
		}
		return p.Plan(t.Context(), meta)
	}
	for _, first := range []bool{false, true} {
		if p, err := plan(first); err != nil || p.Base != "" || p.NoChange {
			t.Errorf("first %v: %+v, %v; want a plan without base", first, p, err)
		}
	}
}

func TestWhatIsNoBranch(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.reload()
	for name, ok := range map[string]bool{
		"": true, "main": true, "feature/x": true, "refs/heads/v2": true, "refs/pr/7": true,
		"HEAD": false, "refs/tags/v1": false, "refs/heads/": false, "a b": false, "a..b": false, "-x": false, "a\nb": false,
	} {
		if _, err := New(Target{URL: w.repo.URL(), Branch: name}, w.release, Options{}); (err == nil) != ok {
			t.Errorf("branch %q: %v, want it accepted: %v", name, err, ok)
		}
	}
}

// What is pushed is what was validated: a file that has changed since is not.
func TestFilesThatChangedSinceTheyWereValidated(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	const sum = "cbd0ddba75b8d96ff6aee5ee1ffb64c03b1ff5d5dee3ac4ae5bdc2d1c4e2a1f7" // of something else
	_, err := w.push(func(o *Options) { o.Validated = map[string]string{"data/train.jsonl": sum, "not-here.jsonl": sum} })
	var changed *lfs.ChangedError
	if !errors.As(err, &changed) || changed.Path != "data/train.jsonl" || w.hub.Stats().Pushes != 0 {
		t.Errorf("%v, want it said that data/train.jsonl was changed, and nothing sent", err)
	}
}

// echo is a server that repeats the credentials it gets wherever it can.
type echo struct{ secret string }

func (e echo) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
		return http.DefaultTransport.RoundTrip(r)
	}
	_, _ = io.Copy(io.Discard, r.Body)
	report := packet("unpack ok\n") + packet("ng refs/heads/main no "+e.secret+"\n") + "0000"
	return &http.Response{StatusCode: http.StatusOK, Request: r,
		Header: http.Header{"Content-Type": {"application/x-git-receive-pack-result"}},
		Body:   io.NopCloser(strings.NewReader(packet("\x02your token is "+e.secret+"\n") + packet("\x01"+report) + "0000")),
	}, nil
}

func packet(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

func TestServersThatRepeatTheCredentials(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	const secret = "plain-secret-0815" // nothing tells it from a word
	var told []string
	_, err := w.push(func(o *Options) {
		o.Transport = echo{secret}
		o.Redact = func(text string) string { return strings.ReplaceAll(text, secret, "***") }
		o.OnEvent = func(e Event) {
			if e.Err != nil {
				told = append(told, e.Err.Error())
			}
			told = append(told, e.Remote)
		}
	})
	var rejected *gitwire.RejectedError
	if !errors.As(err, &rejected) || !strings.Contains(err.Error(), "no ***") || strings.Contains(err.Error(), secret) {
		t.Errorf("%v, want the refusal without the credentials", err)
	}
	if all := strings.Join(told, " "); strings.Contains(all, secret) || !strings.Contains(all, "your token is ***") {
		t.Errorf("told %q, want the server's words without the credentials", all)
	}
}

// What the server says beside a push that works is part of the result, without the credentials.
func TestServersThatRepeatTheCredentialsAndAgree(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	const secret = "plain-secret-0815"
	r, err := w.push(func(o *Options) {
		o.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err == nil && strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
				said := strings.NewReader(packet("\x02your token is " + secret + "\n"))
				answer.Body = struct {
					io.Reader
					io.Closer
				}{io.MultiReader(said, answer.Body), answer.Body}
			}
			return answer, err
		})
		o.Redact = func(text string) string { return strings.ReplaceAll(text, secret, "***") }
	})
	if err != nil || len(r.RemoteSaid) != 1 || r.RemoteSaid[0] != "your token is ***" {
		t.Errorf("%+v, %v; want the server's words without the credentials", r, err)
	}
}

// A deep verification reads all that is there, plain files, too.
func TestDeepVerificationReadsAll(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	var all int64
	for _, f := range w.release.Tree {
		all += f.Size
	}
	v, err := w.publisher(nil).Verify(t.Context(), Question{Deep: true})
	if err != nil || !v.OK || v.Read != all {
		t.Errorf("%+v, %v; want all %d bytes read", v, err, all)
	}
}

func TestAttributesThatMissTheirAim(t *testing.T) {
	t.Run("lines that take everything", func(t *testing.T) {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{attributesName: "* filter=lfs diff=lfs merge=lfs -text\n",
			"sub/.gitattributes": "*.txt text\n"}); err != nil {
			t.Fatal(err)
		}
		w.mustPush(nil)
		w.cloneIsClean()
		if after := w.remote()[attributesName]; !strings.Contains(after, "/.gitattributes !filter") ||
			!strings.Contains(after, "/sub/.gitattributes !filter") {
			t.Errorf("%q, want lines that keep the .gitattributes files out of LFS", after)
		}
		if r := w.mustPush(nil); !r.NoChange {
			t.Errorf("second push: %+v, want no change", r)
		}
	})
	t.Run("a byte order mark", func(t *testing.T) {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		w.write(map[string]string{"x.dat": strings.Repeat("\x00\x01", 1024)})
		if _, err := w.repo.Commit(mainRef, "by hand",
			map[string]string{attributesName: "\ufeff*.dat filter=lfs diff=lfs merge=lfs -text\n"}); err != nil {
			t.Fatal(err)
		}
		w.mustPush(nil)
		w.cloneIsClean()
		if after := w.remote()[attributesName]; !strings.HasPrefix(after, "*.dat filter") {
			t.Errorf("%q, want the mark gone", after)
		}
	})
	t.Run("a NUL", func(t *testing.T) {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		seed := w.head()
		w.write(map[string]string{"data/.gitattributes": "*.a text\n\x00\n*.b text\n"})
		_, err := w.push(nil)
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Findings[0].Code != finding.PublishAttributes ||
			refused.Findings[0].Path != "data/.gitattributes" || w.head() != seed {
			t.Errorf("%v, want the file refused", err)
		}
	})
}

// Without its line in .gitattributes a file in LFS is there, and still nobody who clones gets it.
func TestVerifyLooksAtTheAttributes(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	if _, err := w.repo.Commit(mainRef, "by hand", map[string]string{attributesName: "*.bin filter=lfs diff=lfs merge=lfs -text\n"}); err != nil {
		t.Fatal(err)
	}
	v, err := w.publisher(nil).Verify(t.Context(), Question{})
	if err != nil || v.OK || len(v.Problems) != 1 || v.Problems[0].Kind != Uncovered || v.Problems[0].Path != "data/train.jsonl" {
		t.Errorf("%+v, %v; want data/train.jsonl found uncovered", v, err)
	}
	if f := v.Findings(); len(f) != 1 || !strings.Contains(f[0].Message, "clones get the pointer") {
		t.Errorf("%+v, want it said what that means", f)
	}
	w.mustPush(nil)
	if v, err = w.publisher(nil).Verify(t.Context(), Question{}); err != nil || !v.OK {
		t.Errorf("after another push: %+v, %v; want all well", v, err)
	}
	w.cloneIsClean()
}

// Events come from several goroutines, and one at a time.
func TestEventsComeOneByOne(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	for i := range 8 {
		w.write(map[string]string{fmt.Sprintf("data/train-%d.jsonl", i): noise(1<<20 + i + 1)})
	}
	var inside, overlaps atomic.Int32
	w.mustPush(func(o *Options) {
		o.OnEvent = func(Event) {
			if inside.Add(1) > 1 {
				overlaps.Add(1)
			}
			time.Sleep(100 * time.Microsecond)
			inside.Add(-1)
		}
	})
	if n := overlaps.Load(); n > 0 {
		t.Errorf("%d events were told while another was", n)
	}
}

// A push that the server confirms and that cannot be seen afterwards is not called a success.
func TestPushThatCannotBeSeen(t *testing.T) {
	for name, c := range map[string]struct {
		spoils func(r *http.Request) bool
		want   string
	}{
		"the refs are as they were": {func(r *http.Request) bool { return r.URL.Query().Get("service") == "git-upload-pack" }, "main has not moved"},
		"the trees cannot be read":  {func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/git-upload-pack") }, "HTTP 404"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, hubtest.Options{})
			w.write(usual())
			var kept []byte
			pushed := false
			_, err := w.push(func(o *Options) {
				o.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
					if pushed && c.spoils(r) && r.Method == http.MethodPost {
						return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: r}, nil
					}
					answer, err := http.DefaultTransport.RoundTrip(r)
					if err != nil || !c.spoils(r) {
						pushed = pushed || strings.HasSuffix(r.URL.Path, "/git-receive-pack")
						return answer, err
					}
					body, err := io.ReadAll(answer.Body)
					if kept == nil || r.Method == http.MethodPost {
						kept = body
					}
					answer.Body = io.NopCloser(bytes.NewReader(kept))
					return answer, err
				})
			})
			var unseen *UnverifiedError
			if !errors.As(err, &unseen) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "hfpub verify") {
				t.Errorf("%v, want it said that %s, and what to do", err, c.want)
			}
		})
	}
}

// What is told of a try that failed repeats no credentials either.
func TestRetriesRepeatNoCredentials(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	const secret = "plain-secret-0815"
	var told []string
	busy := true
	w.mustPush(func(o *Options) {
		o.Redact = func(text string) string { return strings.ReplaceAll(text, secret, "***") }
		o.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			if !busy {
				return http.DefaultTransport.RoundTrip(r)
			}
			busy = false
			return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: io.NopCloser(strings.NewReader("too busy for " + secret)), Request: r}, nil
		})
		o.OnEvent = func(e Event) {
			if e.Err != nil {
				told = append(told, e.Err.Error())
			}
		}
	})
	if all := strings.Join(told, " "); strings.Contains(all, secret) || !strings.Contains(all, "too busy for ***") {
		t.Errorf("told %q, want the server's words without the credentials", all)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The LFS server of a repository that was moved to another host gets no credentials.
func TestNoCredentialsGoAlongToAnotherHost(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	w.mustPush(nil)
	hub, err := url.Parse(w.hub.URL())
	if err != nil {
		t.Fatal(err)
	}
	var asked, given []string
	proxy := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(hub) }}
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked, given = append(asked, r.URL.Path), append(given, r.Header.Get("Authorization"))
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(other.Close)
	moved := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, other.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	}))
	t.Cleanup(moved.Close)
	w.reload()
	token := w.hub.Token(hubtest.Write)
	p, err := New(Target{URL: moved.URL + strings.TrimPrefix(w.repo.URL(), w.hub.URL())}, w.release, Options{Retry: quick, TokenSource: "HF_TOKEN",
		AuthorizeGit: func(r *http.Request) { r.SetBasicAuth("hf_user", token) }})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := p.Verify(t.Context(), Question{Deep: true}); err != nil || !v.OK || v.LFSChecked != 1 {
		t.Errorf("%+v, %v; want what anyone can read to be verified", v, err)
	}
	if all := strings.Join(given, ""); all != "" || !strings.Contains(strings.Join(asked, " "), "/objects/batch") {
		t.Errorf("asked for %q with the credentials %q, want the LFS server asked, and none", asked, given)
	}
}

// A file that is a link out of the folder by the time it is sent is not followed, even to the same content.
func TestLinksThatComeAfterThePlan(t *testing.T) {
	for path, content := range map[string]string{"data/test.jsonl": "{\"id\": 5}\n", "data/train.jsonl": noise(2 << 20)} {
		w := newWorld(t, hubtest.Options{})
		w.write(usual())
		w.write(map[string]string{path: content})
		p := w.publisher(nil)
		plan, err := p.Plan(t.Context(), meta)
		if err != nil {
			t.Fatal(err)
		}
		at, outside := filepath.Join(w.dir, filepath.FromSlash(path)), filepath.Join(t.TempDir(), "outside")
		if err := os.Rename(at, outside); err != nil { // which keeps the time of modification
			t.Fatal(err)
		}
		if err := os.Symlink(outside, at); err != nil {
			t.Skip(err)
		}
		seed := w.head()
		if _, err := p.Publish(t.Context(), plan); err == nil || !strings.Contains(err.Error(), path) || w.head() != seed {
			t.Errorf("%s: %v, want it not to be followed", path, err)
		}
	}
}

// A server that cannot move branch and tag in one step says so before anything is uploaded.
func TestServerThatIsNotAtomic(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	p := w.publisher(func(o *Options) { o.Transport = without(" atomic") })
	tagged := meta
	tagged.Tag = "v1"
	plan, err := p.Plan(t.Context(), tagged)
	if err != nil {
		t.Fatal(err)
	}
	var not *gitwire.NotAtomicError
	if _, err := p.Publish(t.Context(), plan); !errors.As(err, &not) || w.hub.Stats().Puts > 0 {
		t.Errorf("%v after %d uploads, want it said before any", err, w.hub.Stats().Puts)
	}
	if plan, err = p.Plan(t.Context(), meta); err == nil {
		_, err = p.Publish(t.Context(), plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	if plan, err = p.Plan(t.Context(), tagged); err == nil {
		_, err = p.Publish(t.Context(), plan)
	}
	if at, _ := w.repo.Head("v1"); err != nil || at != w.head() {
		t.Errorf("the branch first and then the tag: %v, tag on %q; want it on %s", err, at, w.head())
	}
}

// without takes a word out of what servers say that they can do.
type without string

func (word without) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.URL.Query().Get("service") == "" {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(strings.NewReader(strings.Replace(string(body), string(word), strings.Repeat("x", len(word)), 1)))
	return answer, err
}

// A dry run writes nothing anywhere, not even for a moment.
func TestAPlanWritesNothing(t *testing.T) {
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.mustPush(nil)
	w.write(map[string]string{"data/train.jsonl": noise(2 << 20)})
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "there-is-none"))
	if got := changes(w.plan(nil)); len(got) != 2 {
		t.Errorf("the plan is %v, want two changes", got)
	}
	p := w.publisher(nil)
	if v, err := p.Verify(t.Context(), Question{}); err != nil || v.OK {
		t.Errorf("%+v, %v; want a verification that finds the change", v, err)
	}
}

// A pack, and what is fetched and long, go through temporary files: none is left, whatever happens.
func TestNoTemporaryFilesAreLeft(t *testing.T) {
	at := t.TempDir()
	t.Setenv("TMPDIR", at)
	w := newWorld(t, hubtest.Options{})
	w.write(usual())
	w.mustPush(nil)
	left, err := os.ReadDir(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		if strings.HasPrefix(f.Name(), "hfpub-pack") || strings.HasPrefix(f.Name(), "hfpub-fetch") {
			t.Errorf("%s is left", filepath.Join(at, f.Name()))
		}
	}
}
