package lfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// quick is a policy that does not keep a test waiting.
var quick = exchange.Policy{Attempts: 4, First: time.Millisecond, Cap: time.Millisecond, Budget: time.Minute}

// folder holds the files of a test.
type folder struct {
	*os.Root
	dir string
}

func newFolder(t *testing.T) folder {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return folder{root, dir}
}

// add writes a file and hashes it.
func (f folder) add(t *testing.T, path, content string) Object {
	t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, path), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(content))
	return Object{OID: hex.EncodeToString(sum[:]), Size: int64(len(content)), Path: path, Modified: info.ModTime()}
}

// some are objects of several sizes.
func (f folder) some(t *testing.T, n int) []Object {
	t.Helper()
	var objects []Object
	for i := range n {
		objects = append(objects, f.add(t, fmt.Sprintf("file-%02d.bin", i),
			strings.Repeat(fmt.Sprintf("%d,", i), 100_000*(1+i%3))))
	}
	return objects
}

func newHub(t *testing.T, o hubtest.Options) (*hubtest.Hub, *hubtest.Repo) {
	t.Helper()
	o.Orgs, o.StallFor = []string{"acme"}, 300*time.Millisecond
	hub, err := hubtest.Start(t.TempDir(), o)
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

func bearer(token string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
}

func newClient(t *testing.T, remoteURL string, o Options) *Client {
	t.Helper()
	if o.Retry.Attempts == 0 {
		o.Retry = quick
	}
	o.Concurrency = 3
	c, err := New(remoteURL, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestUpload(t *testing.T) {
	for _, c := range []struct {
		name string
		hub  hubtest.Options
		puts int
	}{
		{"basic", hubtest.Options{}, 7},
		{"multipart", hubtest.Options{MultipartOver: 1000, PartSize: 100_000}, 2 + 4 + 6 + 2 + 4 + 6 + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			hub, repo := newHub(t, c.hub)
			files := newFolder(t)
			objects := files.some(t, 7)
			twice := files.add(t, "again.bin", strings.Repeat("0,", 100_000))
			var events []Event
			client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write)),
				OnEvent: func(e Event) { events = append(events, e) }})
			report, err := client.Upload(t.Context(), "refs/heads/main", files, append(objects, twice))
			if err != nil {
				t.Fatal(err)
			}
			var bytes int64
			for _, o := range objects {
				bytes += o.Size
				if !repo.HasObject(lfspointer.Pointer{OID: o.OID, Size: o.Size}) {
					t.Errorf("%s has not arrived", o.Path)
				}
			}
			if diff := cmp.Diff(Report{Uploaded: 7, Bytes: bytes}, report); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			if stats := hub.Stats(); stats.Puts != c.puts || stats.Batches != 1 || stats.Verifies != 7 || stats.Objects != 7 {
				t.Errorf("the server saw %+v; want %d puts, one batch, each object verified once", stats, c.puts)
			}
			checkEvents(t, events, objects)
			again, err := client.Upload(t.Context(), "refs/heads/main", files, objects)
			if diff := cmp.Diff(Report{Skipped: 7}, again); err != nil || diff != "" {
				t.Errorf("second upload: %v, report (-want +got):\n%s", err, diff)
			}
			if leaks := hub.Leaks(); len(leaks) > 0 {
				t.Errorf("leaks: %v", leaks)
			}
		})
	}
}

// checkEvents makes sure that the bytes told of each object add up to its size.
func checkEvents(t *testing.T, events []Event, objects []Object) {
	t.Helper()
	done, sent := map[string]int64{}, map[string]bool{}
	for _, e := range events {
		switch e.Kind {
		case Progress:
			done[e.Path] = e.Done
		case Sent:
			sent[e.Path] = true
		}
	}
	for _, o := range objects {
		if done[o.Path] != o.Size || !sent[o.Path] {
			t.Errorf("%s: %d of %d bytes told, sent %v", o.Path, done[o.Path], o.Size, sent[o.Path])
		}
	}
}

func TestUploadFaults(t *testing.T) {
	multipart := hubtest.Options{MultipartOver: 1000, PartSize: 100_000}
	for _, c := range []struct {
		name  string
		hub   hubtest.Options
		fault hubtest.Fault
		times int
		// fails is a part of the error; "" for success.
		fails string
	}{
		{name: "503 on uploads", fault: hubtest.Put503, times: 3},
		{name: "resets in the middle", fault: hubtest.PutReset, times: 3},
		{name: "links that have expired", fault: hubtest.Put403, times: 3},
		{name: "uploads that stall", fault: hubtest.PutStall, times: 2},
		{name: "uploads that are swallowed", fault: hubtest.PutSwallow, times: 3},
		{name: "429 with Retry-After on the batch", fault: hubtest.Batch429, times: 1},
		{name: "502 with a page of HTML on the batch", fault: hubtest.Batch502, times: 2},
		{name: "an object left out of the answer", fault: hubtest.BatchMissing, times: 2},
		{name: "500 on verify", fault: hubtest.Verify500, times: 3},
		{name: "503 on a part", hub: multipart, fault: hubtest.Put503, times: 3},
		{name: "a link of a part that has expired", hub: multipart, fault: hubtest.Put403, times: 1},
		{name: "a reset in a part", hub: multipart, fault: hubtest.PutReset, times: 2},
		{name: "500 on the completion", hub: multipart, fault: hubtest.Complete500, times: 2},

		{name: "503 for ever", fault: hubtest.Put503, times: 1000,
			fails: "file-00.bin: LFS upload: HTTP 503 Service Unavailable: SlowDown"},
		{name: "resets for ever", fault: hubtest.PutReset, times: 1000, fails: "LFS upload at http://127.0.0.1"},
		{name: "links that never work", fault: hubtest.Put403, times: 1000,
			fails: "HTTP 403 Forbidden: AccessDenied Request has expired"},
		{name: "uploads that are always swallowed", fault: hubtest.PutSwallow, times: 1000, fails: "LFS verify: HTTP 404"},
		{name: "an object that is always left out", fault: hubtest.BatchMissing, times: 1000,
			fails: "the server gave no answer for this object"},
		{name: "502 for ever on the batch", fault: hubtest.Batch502, times: 1000, fails: "LFS batch: HTTP 502 Bad Gateway"},
		{name: "500 for ever on verify", fault: hubtest.Verify500, times: 1000, fails: "LFS verify: HTTP 500"},
		{name: "500 for ever on the completion", hub: multipart, fault: hubtest.Complete500, times: 1000,
			fails: "LFS completion: HTTP 500"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			hub, repo := newHub(t, c.hub)
			files := newFolder(t)
			objects := files.some(t, 3)
			hub.Fault(c.fault, c.times)
			var events []Event
			client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write)),
				OnEvent: func(e Event) { events = append(events, e) }, Idle: time.Second})
			report, err := client.Upload(t.Context(), "refs/heads/main", files, objects)
			if leaks := hub.Leaks(); len(leaks) > 0 {
				t.Errorf("leaks: %v", leaks)
			}
			if hub.Stats().Faults[c.fault] == 0 {
				t.Fatal("the fault did not happen")
			}
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) || strings.Contains(err.Error(), "sig=") {
					t.Errorf("%v, want an error with %q and without signatures", err, c.fails)
				}
				return
			}
			if err != nil || report.Uploaded != 3 || hub.Stats().Objects != 3 {
				t.Errorf("%+v, %v, %d objects stored; want three, each once", report, err, hub.Stats().Objects)
			}
			checkEvents(t, events, objects)
			retries := slices.ContainsFunc(events, func(e Event) bool { return e.Kind == Retry && e.Err != nil && e.Attempt > 0 })
			if !retries {
				t.Error("nobody was told of a retry")
			}
		})
	}
}

// What may come of a link that is too old, or of an object that got lost on the way, gets a new link; other answers do not.
func TestAnswersThatWantANewLink(t *testing.T) {
	for code, want := range map[int]bool{401: true, 403: true, 404: true, 409: true, 410: true, 422: true,
		400: false, 402: false, 405: false, 411: false, 413: false, 500: false, 503: false} {
		err := expired(&exchange.StatusError{Op: "LFS upload", Code: code})
		var link *LinkError
		if errors.As(err, &link) != want || exchange.Code(err) != code {
			t.Errorf("%d: %T, want a new link: %t", code, err, want)
		}
	}
}

func TestFailuresAreListedByPath(t *testing.T) {
	hub, repo := newHub(t, hubtest.Options{})
	files := newFolder(t)
	objects := files.some(t, 9)
	hub.Fault(hubtest.Put503, 1000)
	client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write))})
	_, err := client.Upload(t.Context(), "", files, objects)
	var failed *UploadError
	if !errors.As(err, &failed) {
		t.Fatalf("%v, want an upload error", err)
	}
	if len(failed.Failures) < 1 || len(failed.Failures) > 3 || len(failed.Failures)+failed.Untried != 9 {
		t.Errorf("%d failed and %d untried of 9 with 3 at once: want no new ones started after a failure",
			len(failed.Failures), failed.Untried)
	}
	byPath := func(a, b Failure) int { return strings.Compare(a.Object.Path, b.Object.Path) }
	if !slices.IsSortedFunc(failed.Failures, byPath) {
		t.Error("failures are not sorted by path")
	}
	if !strings.HasPrefix(err.Error(), "9 LFS objects were not uploaded; file-00.bin: ") {
		t.Errorf("error is %q", err)
	}
	if exchange.Code(err) != 503 {
		t.Errorf("the status of the error is %d, want 503", exchange.Code(err))
	}
}

func TestUploadGoesOnWhereItStopped(t *testing.T) {
	hub, repo := newHub(t, hubtest.Options{})
	files := newFolder(t)
	objects := files.some(t, 10)
	ctx, cancel := context.WithCancel(t.Context())
	sent := 0
	client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write)), OnEvent: func(e Event) {
		if e.Kind == Sent {
			if sent++; sent == 4 {
				cancel()
			}
		}
	}})
	if _, err := client.Upload(ctx, "", files, objects); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want it canceled", err)
	}
	report, err := client.Upload(t.Context(), "", files, objects)
	if err != nil || report.Skipped < 4 || report.Uploaded+report.Skipped != 10 {
		t.Errorf("second upload, after 4 of 10: %+v, %v; want only the rest sent", report, err)
	}
	for _, o := range objects {
		if !repo.HasObject(lfspointer.Pointer{OID: o.OID, Size: o.Size}) {
			t.Errorf("%s has not arrived", o.Path)
		}
	}
}

func TestUploadNoticesChangedFiles(t *testing.T) {
	for _, c := range []struct {
		name   string
		hub    hubtest.Options
		change func(t *testing.T, path string, o *Object)
	}{
		{"another size", hubtest.Options{}, func(t *testing.T, path string, _ *Object) { write(t, path, "short") }},
		{"another time", hubtest.Options{}, func(t *testing.T, path string, _ *Object) {
			touch(t, path, time.Now().Add(time.Hour))
		}},
		{"the same size and time", hubtest.Options{}, func(t *testing.T, path string, o *Object) {
			write(t, path, strings.Repeat("9,", int(o.Size)/2))
			touch(t, path, o.Modified)
		}},
		{"another time, in parts", hubtest.Options{MultipartOver: 1000, PartSize: 100_000},
			func(t *testing.T, path string, _ *Object) {
				touch(t, path, time.Now().Add(time.Hour))
			}},
		{"gone", hubtest.Options{}, func(t *testing.T, path string, _ *Object) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hub, repo := newHub(t, c.hub)
			files := newFolder(t)
			o := files.some(t, 1)[0]
			c.change(t, filepath.Join(files.dir, o.Path), &o)
			client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write))})
			_, err := client.Upload(t.Context(), "", files, []Object{o})
			var changed *ChangedError
			if !errors.As(err, &changed) && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%v, want it said that the file was changed", err)
			}
			if puts := hub.Stats().Objects; puts != 0 {
				t.Errorf("%d objects were stored", puts)
			}
		})
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, path string, when time.Time) {
	t.Helper()
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

// A file that is written to while it is sent does not arrive, and is not completed either.
func TestUploadNoticesFilesThatChangeMeanwhile(t *testing.T) {
	for name, o := range map[string]hubtest.Options{"whole": {}, "in parts": {MultipartOver: 1000, PartSize: 100_000}} {
		t.Run(name, func(t *testing.T) {
			hub, repo := newHub(t, o)
			files := newFolder(t)
			object := files.some(t, 1)[0]
			path := filepath.Join(files.dir, object.Path)
			var completed atomic.Bool // parts go out side by side
			client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write)),
				Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
					onHub := "http://"+r.URL.Host == hub.URL()
					if r.Method == http.MethodPut {
						overwrite(t, path, strings.Repeat("9,", int(object.Size)/2))
						touch(t, path, object.Modified.Add(time.Hour))
					}
					if r.Method == http.MethodPost && !onHub {
						completed.Store(true)
					}
					return http.DefaultTransport.RoundTrip(r)
				})})
			_, err := client.Upload(t.Context(), "", files, []Object{object})
			var changed *ChangedError
			if !errors.As(err, &changed) || hub.Stats().Objects > 0 || completed.Load() {
				t.Errorf("%v, %d objects stored, completed %v; want it said that the file was changed, and nothing stored", err, hub.Stats().Objects, completed.Load())
			}
		})
	}
}

// overwrite writes into a file without making it shorter first: who reads it never finds its end too early.
func overwrite(t *testing.T, path, content string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := file.WriteString(content); err != nil {
		t.Error(err)
	}
	file.Close()
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestMissing(t *testing.T) {
	hub, repo := newHub(t, hubtest.Options{})
	files := newFolder(t)
	objects := files.some(t, 4)
	client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write))})
	if _, err := client.Upload(t.Context(), "", files, []Object{objects[0], objects[2]}); err != nil {
		t.Fatal(err)
	}
	// reading is free, as for a public repo
	missing, err := newClient(t, repo.URL(), Options{}).Missing(t.Context(), "refs/heads/main", append(objects, objects[3]))
	if diff := cmp.Diff([]Object{objects[1], objects[3]}, missing); err != nil || diff != "" {
		t.Errorf("%v, missing (-want +got):\n%s", err, diff)
	}
}

// server is an LFS server made for one question.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	batches  []batchRequest
	// answer gives the objects of the nth batch, from 1.
	answer func(n int, q batchRequest) any
	// store answers everything else.
	store http.HandlerFunc
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{store: func(w http.ResponseWriter, r *http.Request) {}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		if !strings.HasSuffix(r.URL.Path, "/objects/batch") {
			s.mu.Unlock()
			_, _ = io.Copy(io.Discard, r.Body)
			s.store(w, r)
			return
		}
		defer s.mu.Unlock()
		var q batchRequest
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Errorf("batch request: %v", err)
		}
		s.batches = append(s.batches, q)
		w.Header().Set("Content-Type", mediaType)
		_ = json.NewEncoder(w).Encode(map[string]any{"objects": s.answer(len(s.batches), q)})
	}))
	t.Cleanup(s.Close)
	return s
}

type m = map[string]any

func TestBatchAnswers(t *testing.T) {
	object := func(q batchRequest, more m) []m {
		o := m{"oid": q.Objects[0].OID, "size": q.Objects[0].Size}
		for k, v := range more {
			o[k] = v
		}
		return []m{o}
	}
	upload := func(href string, header m) m { return m{"actions": m{"upload": m{"href": href, "header": header}}} }
	for _, c := range []struct {
		name   string
		answer func(n int, q batchRequest) any
		fails  string
	}{
		{"the object is there", func(_ int, q batchRequest) any { return object(q, nil) }, ""},
		{"an error of the object", func(_ int, q batchRequest) any {
			return object(q, m{"error": m{"code": 422, "message": "too\x1b[31m big"}})
		}, "file-00.bin: LFS batch: the server says 422: too big"},
		{"an error that passes", func(n int, q batchRequest) any {
			if n < 3 {
				return object(q, m{"error": m{"code": 503, "message": "busy"}})
			}
			return object(q, nil)
		}, ""},
		{"an error that does not pass", func(_ int, q batchRequest) any {
			return object(q, m{"error": m{"code": 503, "message": "busy"}})
		}, "the server says 503: busy"},
		{"another size", func(_ int, q batchRequest) any { return object(q, m{"size": 7}) }, "has 7 bytes"},
		{"only another object", func(_ int, q batchRequest) any { return object(q, m{"oid": strings.Repeat("0", 64)}) },
			"no answer"},
		{"no list", func(int, batchRequest) any { return "what?" }, "not the JSON"},
		{"nothing", func(int, batchRequest) any { return nil }, "not the JSON"},
		{"a list of many others", func(int, batchRequest) any { return make([]m, maxAnswers+1) }, "more than 10000 objects"},
		{"a header that holds another", func(_ int, q batchRequest) any {
			return object(q, upload("http://x", m{"X-Key": "a\r\nX-Evil: b"}))
		}, "a header that no request can carry"},
		{"a name of a header that holds another", func(_ int, q batchRequest) any {
			return object(q, upload("http://x", m{"X-Key\r\nX-Evil": "a"}))
		}, "a header that no request can carry"},
		{"a link to a file", func(_ int, q batchRequest) any { return object(q, upload("file:///etc/passwd", nil)) },
			"no address of http"},
		{"a link that is relative", func(_ int, q batchRequest) any { return object(q, upload("/put", nil)) },
			"no address of http"},
		{"a part size of nothing", func(_ int, q batchRequest) any {
			return object(q, upload("http://x", m{"chunk_size": "0", "1": "http://x"}))
		},
			`part size "0"`},
		{"a part size that is no number", func(_ int, q batchRequest) any {
			return object(q, upload("http://x", m{"chunk_size": "16MB"}))
		},
			`part size "16MB"`},
		{"too few parts", func(_ int, q batchRequest) any {
			return object(q, upload("http://x", m{"chunk_size": "100000", "00001": "http://x"}))
		}, "1 links for 200000 bytes in parts of 100000"},
		{"too few parts, and then none to send", func(n int, q batchRequest) any {
			if n == 1 {
				return object(q, upload("http://x", m{"chunk_size": "100000", "00001": "http://x"}))
			}
			return object(q, nil)
		}, ""},
		{"a header for a download that holds another", func(_ int, q batchRequest) any {
			return object(q, m{"actions": m{"download": m{"href": "http://x", "header": m{"X-Key": "a\r\nX-Evil: b"}}}})
		}, "a header that no request can carry"},
		{"parts that do not start at 1", func(_ int, q batchRequest) any {
			return object(q, upload("http://x", m{"chunk_size": "100000", "00002": "http://x", "00003": "http://x"}))
		}, "no link for part 1"},
	} {
		s := newServer(t)
		s.answer = c.answer
		files := newFolder(t)
		_, err := newClient(t, s.URL+"/x.git", Options{}).Upload(t.Context(), "", files, files.some(t, 1))
		if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.fails)
		}
	}
}

// An answer without end is given up, and not asked for again.
func TestEndlessAnswer(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for range 80 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	files := newFolder(t)
	_, err := newClient(t, s.URL+"/x.git", Options{}).Upload(t.Context(), "", files, files.some(t, 1))
	if err == nil || !strings.Contains(err.Error(), "longer than") || asked != 1 {
		t.Errorf("%v after %d requests, want one request and an error", err, asked)
	}
}

// An escaped slash in the remote's address is no slash.
func TestEscapesOfThePathStay(t *testing.T) {
	var asked string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.RequestURI
		io.WriteString(w, `{"objects": []}`)
	}))
	t.Cleanup(s.Close)
	_, _ = newClient(t, s.URL+"/a%2Fb/x%3Fy.git", Options{}).Missing(t.Context(), "", []Object{{OID: strings.Repeat("0", 64), Size: 1}})
	if want := "/a%2Fb/x%3Fy.git/info/lfs/objects/batch"; asked != want {
		t.Errorf("asked for %s, want %s", asked, want)
	}
}

// The content of a private file does not go over the net in the clear because a link says so.
func TestLinksStayWithHTTPS(t *testing.T) {
	client := newClient(t, "https://hub.example/x", Options{})
	if _, err := client.link("http://store.example/o?sig=1"); err == nil || strings.Contains(err.Error(), "sig") {
		t.Errorf("a link of http from a server of https: %v, want it refused", err)
	}
	if _, err := client.link("https://store.example/o?sig=1"); err != nil {
		t.Errorf("a link of https: %v", err)
	}
}

// An upload that is redirected to a page has not arrived, whatever the page answers.
func TestUploadsAreNotRedirectedToPages(t *testing.T) {
	s := newServer(t)
	s.answer = func(_ int, q batchRequest) any {
		return []m{{"oid": q.Objects[0].OID, "size": q.Objects[0].Size, "actions": m{"upload": m{"href": s.URL + "/put"}}}}
	}
	s.store = func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			http.Redirect(w, r, "/login", http.StatusFound)
		}
	}
	files := newFolder(t)
	report, err := newClient(t, s.URL+"/x.git", Options{}).Upload(t.Context(), "", files, files.some(t, 1))
	var redirect *exchange.RedirectError
	if !errors.As(err, &redirect) || report.Uploaded > 0 {
		t.Errorf("%+v, %v; want the redirect refused and nothing counted", report, err)
	}
}

func TestBatchesAreBounded(t *testing.T) {
	var objects []Object
	for i := range 250 {
		objects = append(objects, Object{OID: fmt.Sprintf("%064x", i), Size: 10, Path: fmt.Sprint(i)})
	}
	objects = append(objects, Object{OID: fmt.Sprintf("%064x", 1000), Size: 6 << 30},
		Object{OID: fmt.Sprintf("%064x", 1001), Size: 6 << 30},
		Object{OID: fmt.Sprintf("%064x", 1002), Size: 20 << 30})
	s := newServer(t)
	s.answer = func(_ int, q batchRequest) any { return q.Objects }
	report, err := newClient(t, s.URL+"/x.git", Options{}).Upload(t.Context(), "refs/heads/main", newFolder(t), objects)
	if err != nil || report.Skipped != len(objects) {
		t.Fatalf("%+v, %v", report, err)
	}
	var sizes []int
	for _, b := range s.batches {
		sizes = append(sizes, len(b.Objects))
	}
	if diff := cmp.Diff([]int{100, 100, 51, 1, 1}, sizes); diff != "" {
		t.Errorf("objects per batch (-want +got):\n%s", diff)
	}
	want := batchRequest{Operation: "upload", Transfers: []string{"basic", "multipart"}, Ref: &batchRef{"refs/heads/main"},
		HashAlgo: "sha256", Objects: s.batches[4].Objects}
	if diff := cmp.Diff(want, s.batches[4]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

// What is sent to whom: the heart of keeping a token where it belongs.
func TestCredentialsGoToTheServerAlone(t *testing.T) {
	type action = map[string]any
	elsewhere := newServer(t)
	for _, c := range []struct {
		name string
		// verify and upload are addresses with S for the server and E for another origin.
		upload, verify       string
		uploadHeader, object action
		wantUpload           string
		wantVerify           string
	}{
		{"a store elsewhere", "E/put?sig=1", "S/verify", action{"X-Store": "1"}, nil, "", "Bearer t"},
		{"the server stores itself", "S/put", "S/verify", nil, nil, "Bearer t", "Bearer t"},
		{"the server stores itself by signed links", "S/put?sig=1", "S/verify", nil, nil, "", "Bearer t"},
		{"the server calls its links authenticated", "S/put", "S/verify", nil, action{"authenticated": true}, "", "Bearer t"},
		{"the server gives credentials of its own", "S/put", "S/verify", action{"Authorization": "RemoteAuth x"}, nil,
			"RemoteAuth x", "Bearer t"},
		{"verify elsewhere", "S/put", "E/verify", nil, nil, "Bearer t", ""},
	} {
		s := newServer(t)
		got := map[string]string{}
		note := func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			got[strings.TrimPrefix(r.URL.Path, "/")] = r.Header.Get("Authorization")
			if r.Method == http.MethodPut && (r.ContentLength != 200_000 || len(r.TransferEncoding) > 0) {
				t.Errorf("%s: upload with length %d, encoding %v", c.name, r.ContentLength, r.TransferEncoding)
			}
		}
		s.store, elsewhere.store = note, note
		place := strings.NewReplacer("S/", s.URL+"/", "E/", elsewhere.URL+"/").Replace
		s.answer = func(_ int, q batchRequest) any {
			o := m{"oid": q.Objects[0].OID, "size": q.Objects[0].Size, "actions": m{
				"upload": m{"href": place(c.upload), "header": c.uploadHeader}, "verify": m{"href": place(c.verify)}}}
			for k, v := range c.object {
				o[k] = v
			}
			return []m{o}
		}
		files := newFolder(t)
		client := newClient(t, s.URL+"/x.git", Options{Authorize: bearer("t")})
		if _, err := client.Upload(t.Context(), "", files, files.some(t, 1)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(map[string]string{"put": c.wantUpload, "verify": c.wantVerify}, got); diff != "" {
			t.Errorf("%s: Authorization (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestLinksToTheHubGoThroughTheEndpoint(t *testing.T) {
	c := newClient(t, "http://hub.internal:8080/datasets/acme/rows", Options{})
	for href, want := range map[string]string{
		"https://huggingface.co/datasets/acme/rows.git/info/lfs/verify": "http://hub.internal:8080/datasets/acme/rows.git/info/lfs/verify",
		"https://huggingface.co.example/x":                              "https://huggingface.co.example/x",
		"https://store.example/o?sig=1":                                 "https://store.example/o?sig=1",
	} {
		got, err := c.link(href)
		if err != nil || got.String() != want {
			t.Errorf("link(%s) = %v, %v; want %s", href, got, err, want)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for _, c := range []struct{ remote, serves, want string }{
		{"/acme/rows.git", "/acme/rows.git/info/lfs/objects/batch", ""},
		{"/acme/rows", "/acme/rows.git/info/lfs/objects/batch", ""},
		{"/acme/rows", "/acme/rows/info/lfs/objects/batch", ""},
		{"/acme/rows/", "/acme/rows/info/lfs/objects/batch", ""},
		{"/acme/rows.git", "/acme/rows/info/lfs/objects/batch", "LFS batch: HTTP 404 Not Found"},
		{"/acme/rows", "/nowhere", "LFS batch: HTTP 404 Not Found"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != c.serves {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			io.WriteString(w, `{"objects": [{"oid": "`+strings.Repeat("0", 64)+`", "size": 1}]}`)
		}))
		_, err := newClient(t, s.URL+c.remote, Options{}).Upload(t.Context(), "", newFolder(t),
			[]Object{{OID: strings.Repeat("0", 64), Size: 1}})
		s.Close()
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("remote %s, served at %s: %v, want %q", c.remote, c.serves, err, c.want)
		}
	}
}

func TestRedirectsStayAtHome(t *testing.T) {
	elsewhere := newServer(t)
	elsewhere.answer = func(_ int, q batchRequest) any { return q.Objects }
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/x.git/info/lfs/objects/batch?token=secret",
		http.StatusTemporaryRedirect))
	t.Cleanup(s.Close)
	_, err := newClient(t, s.URL+"/x.git", Options{Authorize: bearer("t")}).Missing(t.Context(), "",
		[]Object{{OID: strings.Repeat("0", 64), Size: 1}})
	var redirect *exchange.RedirectError
	if !errors.As(err, &redirect) || strings.Contains(err.Error(), "secret") || len(elsewhere.requests) > 0 {
		t.Errorf("%v and %d requests elsewhere, want the redirect refused", err, len(elsewhere.requests))
	}
}

func TestUploadEndsWithItsContext(t *testing.T) {
	hang := make(chan struct{})
	s := newServer(t)
	s.answer = func(_ int, q batchRequest) any {
		var out []m
		for _, o := range q.Objects {
			out = append(out, m{"oid": o.OID, "size": o.Size, "actions": m{"upload": m{"href": s.URL + "/put"}}})
		}
		return out
	}
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	s.store = func(w http.ResponseWriter, r *http.Request) {
		cancel(stop)
		<-hang
	}
	t.Cleanup(func() { close(hang) })
	files := newFolder(t)
	if _, err := newClient(t, s.URL+"/x.git", Options{}).Upload(ctx, "", files, files.some(t, 8)); !errors.Is(err, stop) {
		t.Errorf("%v, want the cause of the context", err)
	}
}

func FuzzReadAnswers(f *testing.F) {
	oid := strings.Repeat("a", 64)
	f.Add([]byte(`{"objects": [{"oid": "` + oid + `", "size": 5, "actions": {"upload": {"href": "http://x", "header": {"chunk_size": "2", "1": "http://x"}}}}]}`))
	f.Add([]byte(`{"objects": [{"oid": "` + oid + `", "error": {"code": 404, "message": "no"}}, null, {}]}`))
	f.Add([]byte(`{"objects": [{"oid": "` + oid + `", "size": 5, "actions": {"download": {"href": "http://x"}}}], "transfer": null}`))
	f.Add([]byte(`[]`))
	client, err := New("http://hub.example/x", Options{Retry: quick})
	if err != nil {
		f.Fatal(err)
	}
	o := Object{OID: oid, Size: 5}
	f.Fuzz(func(t *testing.T, body []byte) {
		answers, err := readAnswers(body, []Object{o})
		if err != nil {
			return
		}
		a := answers[oid]
		_, _ = readable(a)
		if a.failure() == nil && a.Actions.Upload != nil {
			tr := &transfer{client: client, object: o, answer: a}
			if links, size, err := tr.partLinks(a.Actions.Upload); err == nil && int64(len(links)) != (o.Size-1)/size+1 {
				t.Errorf("%d links for %d bytes in parts of %d", len(links), o.Size, size)
			}
		}
	})
}

// What comes down is hashed: an object that is another one, or none, is named; what goes wrong on the way is tried again.
func TestCorrupt(t *testing.T) {
	hub, repo := newHub(t, hubtest.Options{})
	files := newFolder(t)
	objects := files.some(t, 3)
	client := newClient(t, repo.URL(), Options{Authorize: bearer(hub.Token(hubtest.Write))})
	if _, err := client.Upload(t.Context(), "", files, objects[:2]); err != nil {
		t.Fatal(err)
	}
	reader := newClient(t, repo.URL(), Options{})
	got, err := reader.Corrupt(t.Context(), "refs/heads/main", objects)
	if diff := cmp.Diff([]Content{{Object: objects[2], Missing: true}}, got); err != nil || diff != "" {
		t.Errorf("%v; the third object was never uploaded (-want +got):\n%s", err, diff)
	}
	hub.Fault(hubtest.GetCorrupt, 1)
	got, err = reader.Corrupt(t.Context(), "", objects[:1])
	if err != nil || len(got) != 1 || got[0].Object != objects[0] || got[0].OID == objects[0].OID || got[0].Size != objects[0].Size {
		t.Errorf("%+v, %v; want the object whose bytes are others", got, err)
	}
	for _, fault := range []hubtest.Fault{hubtest.Get503, hubtest.GetReset, hubtest.Get403} {
		hub.Fault(fault, 1)
		patient := newClient(t, repo.URL(), Options{Retry: exchange.Policy{Attempts: 3}})
		if got, err := patient.Corrupt(t.Context(), "", objects[:2]); err != nil || len(got) > 0 || hub.Stats().Faults[fault] != 1 {
			t.Errorf("%s: %+v, %v; want another try and nothing wrong", fault, got, err)
		}
	}
	hub.Fault(hubtest.Get503, 1)
	hasty := newClient(t, repo.URL(), Options{Retry: exchange.Policy{Attempts: 1}})
	if got, err := hasty.Corrupt(t.Context(), "", objects[:2]); err == nil {
		t.Errorf("no second try allowed: %+v, want the error, since nothing is known of the object", got)
	}
	if leaks := hub.Leaks(); len(leaks) > 0 {
		t.Errorf("the token leaked: %v", leaks)
	}
}
