package hubtest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// answer is what came back for one request; redirects are not followed.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// json reads a path such as "objects.0.actions.upload.href" out of the body; nil when there is no such value.
func (a answer) json(path string) any {
	var v any
	if json.Unmarshal(a.body, &v) != nil {
		return nil
	}
	for _, key := range strings.Split(path, ".") {
		switch c := v.(type) {
		case map[string]any:
			v = c[key]
		case []any:
			var i int
			if fmt.Sscan(key, &i); i >= len(c) {
				return nil
			}
			v = c[i]
		default:
			return nil
		}
	}
	return v
}

func (a answer) text(path string) string {
	s, _ := a.json(path).(string)
	return s
}

// ask sends one request. The body may be nil, bytes, a string, a reader of unknown length, or a value to send as JSON.
func ask(t *testing.T, method, url, token string, body any, header ...string) answer {
	t.Helper()
	a, err := try(t, method, url, token, body, header...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return a
}

func try(t *testing.T, method, url, token string, body any, header ...string) (answer, error) {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		reader = bytes.NewReader(b)
	case string:
		reader = strings.NewReader(b)
	case io.Reader:
		reader = b
	default:
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, data}, err
}

const lfsJSON = "application/vnd.git-lfs+json"

// batch asks for a batch of objects, offering both transfers.
func batch(t *testing.T, hub *hubtest.Hub, repo *hubtest.Repo, operation string, transfers []string, objects ...[]byte) answer {
	t.Helper()
	list := []map[string]any{}
	for _, o := range objects {
		list = append(list, map[string]any{"oid": oid(o), "size": len(o)})
	}
	return ask(t, "POST", repo.URL()+".git/info/lfs/objects/batch", hub.Token(hubtest.Write),
		map[string]any{"operation": operation, "transfers": transfers, "objects": list}, "Accept", lfsJSON, "Content-Type", lfsJSON)
}

func verify(t *testing.T, hub *hubtest.Hub, repo *hubtest.Repo, data []byte) int {
	t.Helper()
	return ask(t, "POST", repo.URL()+".git/info/lfs/objects/verify", hub.Token(hubtest.Write),
		map[string]any{"oid": oid(data), "size": len(data)}, "Accept", lfsJSON, "Content-Type", lfsJSON).status
}

func oid(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func pointer(data []byte) lfspointer.Pointer {
	return lfspointer.Pointer{OID: oid(data), Size: int64(len(data))}
}

var both = []string{"basic", "multipart"}

func TestBasicUpload(t *testing.T) {
	hub := start(t, hubtest.Options{})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	other := createRepo(t, hub, release.Dataset, "acme/other")
	data := noise(1000)

	a := batch(t, hub, repo, "upload", both, data, []byte("x"))
	if a.text("transfer") != "basic" || a.text("objects.1.oid") != oid([]byte("x")) {
		t.Fatalf("batch answered %d %s", a.status, a.body)
	}
	href := a.text("objects.0.actions.upload.href")
	if !strings.HasPrefix(href, hub.StorageURL()+"/") || strings.HasPrefix(href, hub.URL()) {
		t.Errorf("the link %s is not on the storage origin %s", href, hub.StorageURL())
	}
	if got := verify(t, hub, repo, data); got != 404 {
		t.Errorf("verify before the upload answered %d, want 404", got)
	}
	wrong := append([]byte("!"), data[1:]...)
	for name, refused := range map[string]struct {
		body any
		want int
	}{
		"other bytes":    {wrong, 400},
		"fewer bytes":    {data[:10], 400},
		"unknown length": {io.MultiReader(bytes.NewReader(data)), 411},
	} {
		if got := ask(t, "PUT", href, "", refused.body); got.status != refused.want || repo.HasObject(pointer(data)) {
			t.Errorf("%s: PUT answered %d, want %d and nothing stored", name, got.status, refused.want)
		}
	}
	if got := ask(t, "PUT", href+"0", "", data); got.status != 403 {
		t.Errorf("PUT with another signature answered %d, want 403", got.status)
	}
	if got := ask(t, "GET", href, "", nil); got.status != 403 {
		t.Errorf("GET by a link for PUT answered %d, want 403", got.status)
	}
	if got := ask(t, "PUT", href, "", data); got.status != 200 || !repo.HasObject(pointer(data)) {
		t.Errorf("PUT answered %d, want 200 and the object stored", got.status)
	}
	if got := verify(t, hub, repo, data); got != 200 {
		t.Errorf("verify after the upload answered %d, want 200", got)
	}
	if a := batch(t, hub, repo, "upload", both, data); a.json("objects.0.actions") != nil || a.json("objects.0.error") != nil {
		t.Errorf("an object that is there gets no actions; the batch answered %s", a.body)
	}
	if a := batch(t, hub, other, "upload", both, data); a.json("objects.0.actions.upload") == nil {
		t.Errorf("an object of another repo is not there; the batch answered %s", a.body)
	}
	a = batch(t, hub, repo, "download", both, data, []byte("y"))
	if got := ask(t, "GET", a.text("objects.0.actions.download.href"), "", nil); !bytes.Equal(got.body, data) {
		t.Errorf("the download answered %d with %d bytes, want the object", got.status, len(got.body))
	}
	if a.json("objects.1.error.code") != 404.0 {
		t.Errorf("the download of an object that is not there is an error of code 404; the batch answered %s", a.body)
	}
	if s := hub.Stats(); s.Objects != 1 || s.Bytes != 1000 {
		t.Errorf("%d objects of %d bytes were stored, want 1 of 1000", s.Objects, s.Bytes)
	}
}

func TestMultipartUpload(t *testing.T) {
	hub := start(t, hubtest.Options{MultipartOver: 999, PartSize: 400})
	repo := createRepo(t, hub, release.Model, "acme/adapter")
	data := noise(1000)
	if a := batch(t, hub, repo, "upload", []string{"basic"}, data); a.text("transfer") != "basic" {
		t.Errorf("a client without multipart gets basic; the batch answered %s", a.body)
	}
	a := batch(t, hub, repo, "upload", both, data)
	header, _ := a.json("objects.0.actions.upload.header").(map[string]any)
	if a.text("transfer") != "multipart" || len(header) != 4 || header["chunk_size"] != "400" {
		t.Fatalf("the batch answered %s", a.body)
	}
	type part struct {
		PartNumber int    `json:"partNumber"`
		ETag       string `json:"etag"`
	}
	var parts []part
	for n, chunk := range [][]byte{data[:400], data[400:800], data[800:]} {
		got := ask(t, "PUT", header[fmt.Sprintf("%05d", n+1)].(string), "", chunk)
		parts = append(parts, part{n + 1, got.header.Get("ETag")})
	}
	done := a.text("objects.0.actions.upload.href")
	for name, bad := range map[string][]part{
		"a part is missing":     parts[:2],
		"parts in wrong order":  {parts[1], parts[0], parts[2]},
		"an etag without quote": {parts[0], parts[1], {3, strings.Trim(parts[2].ETag, `"`)}},
	} {
		if got := ask(t, "POST", done, "", map[string]any{"oid": oid(data), "parts": bad}, "Content-Type", lfsJSON); got.status != 400 {
			t.Errorf("%s: the completion answered %d, want 400", name, got.status)
		}
	}
	hub.Fault(hubtest.Complete500, 1)
	for i, want := range []int{500, 200} {
		if got := ask(t, "POST", done, "", map[string]any{"oid": oid(data), "parts": parts}, "Content-Type", lfsJSON); got.status != want {
			t.Errorf("completion %d answered %d, want %d", i, got.status, want)
		}
	}
	if !repo.HasObject(pointer(data)) || verify(t, hub, repo, data) != 200 {
		t.Error("the object is not there after the completion")
	}
}

func TestBatchRefusals(t *testing.T) {
	hub := start(t, hubtest.Options{})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	good := map[string]any{"operation": "upload", "objects": []any{}}
	tests := []struct {
		name, token string
		body        any
		kind        string
		want        int
	}{
		{"no token", "", good, lfsJSON, 401},
		{"wrong token", "hf_wrong", good, lfsJSON, 401},
		{"read-only token", hub.Token(hubtest.Read), good, lfsJSON, 403},
		{"download without token", "", map[string]any{"operation": "download"}, lfsJSON, 200},
		{"write token", hub.Token(hubtest.Write), good, lfsJSON, 200},
		{"another media type", hub.Token(hubtest.Write), good, "application/json", 406},
		{"no JSON", hub.Token(hubtest.Write), "{", lfsJSON, 422},
		{"unknown operation", hub.Token(hubtest.Write), map[string]any{"operation": "steal"}, lfsJSON, 422},
		{"unknown hash", hub.Token(hubtest.Write), map[string]any{"operation": "upload", "hash_algo": "md5"}, lfsJSON, 409},
		{"no basic transfer", hub.Token(hubtest.Write), map[string]any{"operation": "upload", "transfers": []string{"xet"}}, lfsJSON, 422},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, "POST", repo.URL()+".git/info/lfs/objects/batch", tt.token, tt.body, "Accept", lfsJSON, "Content-Type", tt.kind)
			if a.status != tt.want || a.status >= 400 && a.text("message") == "" {
				t.Errorf("answered %d %s, want %d with a message", a.status, a.body, tt.want)
			}
		})
	}
	a := ask(t, "POST", repo.URL()+".git/info/lfs/objects/batch", hub.Token(hubtest.Write), map[string]any{"operation": "upload",
		"objects": []any{map[string]any{"oid": "../../HEAD", "size": 3}, map[string]any{"oid": oid(nil), "size": 0}}}, "Accept", lfsJSON, "Content-Type", lfsJSON)
	for _, at := range []string{"objects.0.error.code", "objects.1.error.code"} {
		if a.json(at) != 422.0 {
			t.Errorf("%s is %v, want 422; the batch answered %s", at, a.json(at), a.body)
		}
	}
}

// TestUploadFaults shows each fault of an upload: what the client sees, once, and that the next try works.
func TestUploadFaults(t *testing.T) {
	hub := start(t, hubtest.Options{StallFor: time.Millisecond})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	tests := []struct {
		fault hubtest.Fault
		// batch, put and verify are the statuses of the spoiled try; 0 is a reset.
		batch, put, verify int
	}{
		{hubtest.Batch429, 429, 403, 404},
		{hubtest.Batch502, 502, 403, 404},
		{hubtest.BatchMissing, 200, 403, 404},
		{hubtest.Put503, 200, 503, 404},
		{hubtest.PutReset, 200, 0, 404},
		{hubtest.PutStall, 200, 0, 404},
		{hubtest.Put403, 200, 403, 404},
		{hubtest.PutSwallow, 200, 200, 404},
		{hubtest.Verify500, 200, 200, 500},
	}
	for i, tt := range tests {
		t.Run(string(tt.fault), func(t *testing.T) {
			data := noise(100_000 + i)
			hub.Fault(tt.fault, 1)
			a := batch(t, hub, repo, "upload", both, data)
			if a.status != tt.batch {
				t.Errorf("batch answered %d, want %d", a.status, tt.batch)
			}
			if tt.fault == hubtest.Batch429 && a.header.Get("Retry-After") != "1" {
				t.Errorf("Retry-After is %q, want 1", a.header.Get("Retry-After"))
			}
			href := a.text("objects.0.actions.upload.href")
			if href == "" {
				href = hub.StorageURL() + "/" + oid(data)
			}
			if got, err := try(t, "PUT", href, "", data); got.status != tt.put || (err != nil) != (tt.put == 0) {
				t.Errorf("PUT answered %d (%v), want %d", got.status, err, tt.put)
			}
			if got := verify(t, hub, repo, data); got != tt.verify {
				t.Errorf("verify answered %d, want %d", got, tt.verify)
			}
			if n := hub.Stats().Faults[tt.fault]; n != 1 {
				t.Errorf("the fault happened %d times, want once", n)
			}
			if a := batch(t, hub, repo, "upload", both, data); a.json("objects.0.actions") != nil {
				if got := ask(t, "PUT", a.text("objects.0.actions.upload.href"), "", data); got.status != 200 {
					t.Errorf("the second try answered %d", got.status)
				}
			}
			if got := verify(t, hub, repo, data); got != 200 {
				t.Errorf("verify after the second try answered %d", got)
			}
		})
	}
}

func TestUnknownFaultPanics(t *testing.T) {
	hub := start(t, hubtest.Options{})
	defer func() {
		if recover() == nil {
			t.Error("a fault that does not exist was taken")
		}
	}()
	hub.Fault("put_530", 1)
}

// TestLeaksAreRecorded sends tokens where they must not go.
func TestLeaksAreRecorded(t *testing.T) {
	hub, err := hubtest.Start(t.TempDir(), hubtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	token := hub.Token(hubtest.Write)
	data := noise(10)
	href := batch(t, hub, repo, "upload", both, data).text("objects.0.actions.upload.href")
	ask(t, "GET", hub.URL()+"/api/whoami-v2", token, nil)
	if leaks := hub.Leaks(); len(leaks) != 0 {
		t.Errorf("leaks after right use: %q", leaks)
	}
	if got := ask(t, "PUT", href, token, data); got.status != 400 || repo.HasObject(pointer(data)) {
		t.Errorf("a PUT with a token answered %d, want 400 and nothing stored", got.status)
	}
	ask(t, "PUT", href, "", data, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("u:"+token)))
	ask(t, "PUT", href, "", data, "X-Token", token)
	ask(t, "GET", hub.URL()+"/api/whoami-v2?token="+token, "", nil)
	ask(t, "GET", hub.URL()+"/acme/"+token, "", nil)
	ask(t, "GET", hub.URL()+"/acme/%68"+token[1:], "", nil)
	leaks := hub.Leaks()
	if len(leaks) != 6 {
		t.Errorf("%d leaks were recorded, want 6: %q", len(leaks), leaks)
	}
	for _, line := range append(leaks, fmt.Sprint(hub.Log())) {
		if strings.Contains(line, token) || strings.Contains(line, token[1:]) || strings.Contains(line, "sig=") {
			t.Errorf("a secret stands in %q", line)
		}
	}
}

func TestRepoURLs(t *testing.T) {
	hub := start(t, hubtest.Options{})
	for kind, want := range map[release.Type]string{release.Model: "/acme/x", release.Dataset: "/datasets/acme/x"} {
		repo := createRepo(t, hub, kind, "acme/x")
		if got := strings.TrimPrefix(repo.URL(), hub.URL()); got != want {
			t.Errorf("the %s is at %s, want %s", kind, got, want)
		}
		for _, suffix := range []string{"", ".git"} {
			if got := ask(t, "GET", repo.URL()+suffix+"/info/refs?service=git-upload-pack", "", nil); got.status != 200 {
				t.Errorf("info/refs of %s%s answered %d", want, suffix, got.status)
			}
		}
	}
	if _, err := hub.CreateRepo(release.Model, "acme/x"); !errors.Is(err, hubtest.ErrRepoExists) {
		t.Errorf("a second repo of the same name: %v, want ErrRepoExists", err)
	}
	for _, id := range []string{"x", "a/b/c", "../x/y", "acme/..", "acme/x.git", "acme/-x", "datasets/acme/x"} {
		if _, err := hub.CreateRepo(release.Model, id); err == nil {
			t.Errorf("a repo %q was created", id)
		}
	}
	for _, path := range []string{"/acme/x/HEAD", "/acme/x/objects/info/packs", "/acme/x/config", "/acme/..%2fx/info/refs?service=git-upload-pack",
		"/acme/x/info/refs"} {
		if got := ask(t, "GET", hub.URL()+path, hub.Token(hubtest.Write), nil); got.status < 400 {
			t.Errorf("%s answered %d, want a refusal", path, got.status)
		}
	}
}

// TestFirstCommit holds what a new repo has: one commit of fixed id, with LFS rules that do not cover *.jsonl.
func TestFirstCommit(t *testing.T) {
	hub := start(t, hubtest.Options{})
	for _, kind := range []release.Type{release.Dataset, release.Model} {
		a, b := createRepo(t, hub, kind, "acme/a"), createRepo(t, hub, kind, "acme/b")
		first, _ := a.Head("main")
		if second, err := b.Head("main"); first != second || err != nil {
			t.Errorf("two new repos are at %s and %s (%v), want the same commit", first, second, err)
		}
		entries, err := a.Tree("main")
		if err != nil || len(entries) != 1 || entries[0].Path != ".gitattributes" {
			t.Errorf("a new repo holds %v (%v), want .gitattributes alone", entries, err)
		}
		text, _ := a.Read("main", ".gitattributes")
		if !strings.Contains(string(text), "*.parquet filter=lfs diff=lfs merge=lfs -text\n") || strings.Contains(string(text), "jsonl") {
			t.Errorf(".gitattributes is\n%s", text)
		}
	}
}

// TestCloseEndsEverything closes a Hub while git is sending a big pack to a client that does not read.
func TestCloseEndsEverything(t *testing.T) {
	dir := t.TempDir()
	hub, err := hubtest.Start(dir, hubtest.Options{StallFor: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	head, err := repo.Commit("refs/heads/main", "Big", map[string]string{"big.bin": string(noise(30 << 20))})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("want %s\n", head)
	resp, err := http.Post(repo.URL()+"/git-upload-pack", "application/x-git-upload-pack-request",
		strings.NewReader(fmt.Sprintf("%04x%s00000009done\n", len(want)+4, want)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 1024)); err != nil {
		t.Fatal(err)
	}
	hub.Fault(hubtest.PutStall, 1)
	data := noise(100)
	href := batch(t, hub, repo, "upload", both, data).text("objects.0.actions.upload.href")
	stalled := make(chan error)
	go func() {
		_, err := try(t, "PUT", href, "", data)
		stalled <- err
	}()
	for hub.Stats().Faults[hubtest.PutStall] == 0 {
		runtime.Gosched()
	}

	if err := hub.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-stalled; err == nil {
		t.Error("the stalled upload was answered")
	}
	if _, err := os.Stat(filepath.Join(dir, "tmp")); !os.IsNotExist(err) {
		t.Errorf("temporary files are left: %v", err)
	}
	if _, err := http.Get(hub.URL()); err == nil {
		t.Error("the port still answers")
	}
	if left := processesIn(t, dir); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
	if err := hub.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}

	again := func() *hubtest.Hub {
		hub, err := hubtest.Start(dir, hubtest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return hub
	}()
	defer again.Close()
	repo, ok := again.Repo(release.Dataset, "acme/rows")
	if !ok {
		t.Fatal("a Hub in the same folder does not know the repo")
	}
	if got, err := repo.Head("main"); got != head || err != nil {
		t.Errorf("main is at %s (%v), want %s", got, err, head)
	}
}

// processesIn lists processes whose working folder is below dir, where /proc tells.
func processesIn(t *testing.T, dir string) (found []string) {
	t.Helper()
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if cwd, err := os.Readlink(link); err == nil && strings.HasPrefix(cwd, dir) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := hubtest.Start(t.TempDir(), hubtest.Options{})
	var missing *hubtest.NoGitError
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "install git") {
		t.Errorf("without git on PATH: %v, want a NoGitError that says to install it", err)
	}
}

// TestAPI asks for what the repo of the test holds.
func TestAPI(t *testing.T) {
	hub := start(t, hubtest.Options{User: "ada", Orgs: []string{"acme"}, PageSize: 2})
	write, read := hub.Token(hubtest.Write), hub.Token(hubtest.Read)
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	data := noise(5000)
	ask(t, "PUT", batch(t, hub, repo, "upload", both, data).text("objects.0.actions.upload.href"), "", data)
	head, err := repo.Commit("refs/heads/main", "Rows", map[string]string{
		"README.md":        "---\nlicense: mit\ntags: [a, b]\nlanguage: en\n---\n# Rows\n",
		"data/a b.jsonl":   string(lfspointer.Format(oid(data), 5000)),
		"data/deep/c.txt":  "c\n",
		".gitignore":       "*.tmp\n",
		"data/broken.json": string(lfspointer.Format(oid(data), 4999)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit("refs/pr/3", "PR", map[string]string{"x": "x"}); err != nil {
		t.Fatal(err)
	}
	private, err := hub.CreatePrivateRepo(release.Model, "acme/secret")
	if err != nil {
		t.Fatal(err)
	}
	api := hub.URL() + "/api"
	rows := api + "/datasets/acme/rows"
	create := func(more string) string { return `{"name":"new","organization":"acme","type":"dataset"` + more + `}` }
	tests := []struct {
		name, method, url, token string
		body                     any
		status                   int
		// want are paths into the answer with their values.
		want map[string]any
		// code is the X-Error-Code header.
		code string
	}{
		{"whoami", "GET", api + "/whoami-v2", write, nil, 200, map[string]any{"name": "ada", "orgs.0.name": "acme", "auth.accessToken.role": "write"}, ""},
		{"whoami, read-only", "GET", api + "/whoami-v2", read, nil, 200, map[string]any{"auth.accessToken.role": "read"}, ""},
		{"whoami, somebody else", "GET", api + "/whoami-v2", hub.Token(hubtest.Outsider), nil, 200, map[string]any{"name": "outsider", "orgs.0": nil}, ""},
		{"whoami, no token", "GET", api + "/whoami-v2", "", nil, 401, nil, ""},
		{"whoami, wrong token", "GET", api + "/whoami-v2", "hf_wrong", nil, 401, map[string]any{"error": "Invalid credentials in Authorization header"}, ""},

		{"info", "GET", rows, "", nil, 200, map[string]any{"id": "acme/rows", "sha": head, "private": false, "cardData.license": "mit", "tags.0": "a",
			"siblings.0.rfilename": ".gitattributes", "siblings.0.size": nil}, ""},
		{"info of a revision with blobs", "GET", rows + "/revision/" + head[:8] + "?blobs=true", "", nil, 200, map[string]any{"sha": head,
			"siblings.3.rfilename": "data/a b.jsonl", "siblings.3.lfs.sha256": oid(data), "siblings.3.size": 5000.0}, ""},
		{"info of a pull request", "GET", rows + "/revision/refs%2Fpr%2F3", "", nil, 200, map[string]any{"siblings.0.rfilename": "x"}, ""},
		{"info of a revision that is not there", "GET", rows + "/revision/v9", "", nil, 404, nil, "RevisionNotFound"},
		{"info of a revision git would take", "GET", rows + "/revision/main~1", "", nil, 404, nil, "RevisionNotFound"},
		{"a dataset is no model", "GET", api + "/models/acme/rows", write, nil, 404, nil, "RepoNotFound"},
		{"no such repo, no token", "GET", api + "/models/acme/none", "", nil, 401, nil, "RepoNotFound"},
		{"private, no token", "GET", api + "/models/acme/secret", "", nil, 401, nil, "RepoNotFound"},
		{"private, somebody else", "GET", api + "/models/acme/secret", hub.Token(hubtest.Outsider), nil, 404, nil, "RepoNotFound"},
		{"private", "GET", api + "/models/acme/secret", read, nil, 200, map[string]any{"private": true, "id": private.ID}, ""},

		{"tree of a folder", "GET", rows + "/tree/main/data", "", nil, 200, map[string]any{"0.path": "data/a b.jsonl", "0.type": "file", "0.size": 5000.0,
			"0.lfs.oid": oid(data), "0.lfs.size": 5000.0, "0.lfs.pointerSize": 129.0, "1.path": "data/broken.json"}, ""},
		{"tree of a folder that is not there", "GET", rows + "/tree/main/nope", "", nil, 404, nil, "EntryNotFound"},
		{"tree of a file", "GET", rows + "/tree/main/README.md", "", nil, 404, nil, "EntryNotFound"},
		{"tree with a bad cursor", "GET", rows + "/tree/main?cursor=!", "", nil, 400, nil, ""},

		{"refs", "GET", rows + "/refs?include_prs=1", "", nil, 200, map[string]any{"branches.0.name": "main", "branches.0.targetCommit": head,
			"pullRequests.0.ref": "refs/pr/3"}, ""},
		{"auth-check", "GET", rows + "/auth-check", "", nil, 200, nil, ""},
		{"auth-check/write, read-only", "GET", rows + "/auth-check/write", read, nil, 403, nil, ""},
		{"auth-check/write", "GET", rows + "/auth-check/write", write, nil, 200, nil, ""},

		{"preupload", "POST", rows + "/preupload/main", write, map[string]any{"files": []map[string]any{
			{"path": "a.jsonl", "size": 10, "sample": "e30="}, {"path": "a.parquet", "size": 10}, {"path": "big.jsonl", "size": 11 << 20},
			{"path": "bin.dat", "size": 10, "sample": "AAA="}, {"path": "empty.parquet", "size": 0}, {"path": "x/y.tmp", "size": 1}, {"path": "README.md", "size": 1}}},
			200, map[string]any{"files.0.uploadMode": "regular", "files.1.uploadMode": "lfs", "files.2.uploadMode": "lfs", "files.3.uploadMode": "lfs",
				"files.4.uploadMode": "regular", "files.5.shouldIgnore": true, "files.0.shouldIgnore": false}, ""},
		{"preupload with attributes to come", "POST", rows + "/preupload/main", write, map[string]any{"gitAttributes": "*.jsonl filter=lfs\n",
			"files": []map[string]any{{"path": "a.jsonl", "size": 10}}}, 200, map[string]any{"files.0.uploadMode": "lfs"}, ""},
		{"preupload, read-only", "POST", rows + "/preupload/main", read, map[string]any{}, 403, nil, ""},

		{"create, no token", "POST", api + "/repos/create", "", create(""), 401, nil, ""},
		{"create, read-only", "POST", api + "/repos/create", read, create(""), 403, nil, ""},
		{"create in a foreign namespace", "POST", api + "/repos/create", write, `{"name":"x","organization":"globex"}`, 403, nil, ""},
		{"create with a bad name", "POST", api + "/repos/create", write, `{"name":"x--y"}`, 400, nil, ""},
		{"create a space", "POST", api + "/repos/create", write, `{"name":"x","type":"space"}`, 400, nil, ""},
		{"create without JSON", "POST", api + "/repos/create", write, `name=x`, 400, nil, ""},
		{"create", "POST", api + "/repos/create", write, create(`,"visibility":"private"`), 200, map[string]any{"url": hub.URL() + "/datasets/acme/new", "name": "acme/new"}, ""},
		{"create again", "POST", api + "/repos/create", write, create(""), 409, map[string]any{"url": hub.URL() + "/datasets/acme/new"}, ""},
		{"create in the own namespace", "POST", api + "/repos/create", write, `{"name":"mine"}`, 200, map[string]any{"url": hub.URL() + "/ada/mine"}, ""},
		{"the new repo is private", "GET", api + "/datasets/acme/new", "", nil, 401, nil, "RepoNotFound"},

		{"validate a good card", "POST", api + "/validate-yaml", "", map[string]any{"repoType": "dataset", "content": "---\nlicense: mit\n---\n"}, 200,
			map[string]any{"errors.0": nil, "warnings.0": nil}, ""},
		{"validate a card without metadata", "POST", api + "/validate-yaml", "", map[string]any{"repoType": "dataset", "content": "# T"}, 200,
			map[string]any{"errors.0": nil, "warnings.0.message": "empty or missing yaml metadata in repo card"}, ""},
		{"validate a bad card", "POST", api + "/validate-yaml", write, map[string]any{"repoType": "dataset", "content": "---\nconfigs: x\n---\n"}, 400,
			map[string]any{"errors.0.message": `"configs" must be an array`}, ""},
		{"validate a huge card", "POST", api + "/validate-yaml", "", map[string]any{"content": strings.Repeat("x", 10<<20+1)}, 413, nil, ""},

		{"nothing there", "GET", api + "/spaces/acme/rows", write, nil, 404, nil, ""},
		{"no such verb", "GET", rows + "/super-squash/main", write, nil, 404, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, tt.method, tt.url, tt.token, tt.body)
			if a.status != tt.status || a.header.Get("X-Error-Code") != tt.code {
				t.Errorf("answered %d, code %q, want %d, %q\n%s", a.status, a.header.Get("X-Error-Code"), tt.status, tt.code, a.body)
			}
			for path, want := range tt.want {
				if got := a.json(path); !reflect.DeepEqual(got, want) {
					t.Errorf("%s is %v, want %v\n%s", path, got, want, a.body)
				}
			}
			if a.header.Get("X-Request-Id") == "" {
				t.Error("there is no X-Request-Id")
			}
			if a.status >= 400 && len(tt.want) == 0 && (a.text("error") == "" || a.header.Get("X-Error-Message") == "") {
				t.Errorf("an error without words: %s", a.body)
			}
		})
	}
}

// TestTreePages follows the links of a listing, from a branch that moves in between.
func TestTreePages(t *testing.T) {
	hub := start(t, hubtest.Options{PageSize: 2})
	repo := createRepo(t, hub, release.Dataset, "acme/rows")
	if _, err := repo.Commit("refs/heads/main", "Rows", map[string]string{"a": "a", "d/b c": "b", "d/e/f": "f"}); err != nil {
		t.Fatal(err)
	}
	next := hub.URL() + "/api/datasets/acme/rows/tree/main?recursive=true"
	var got []string
	for range 5 {
		a := ask(t, "GET", next, "", nil)
		for i := 0; a.json(fmt.Sprint(i)) != nil; i++ {
			got = append(got, a.text(fmt.Sprintf("%d.path", i)))
		}
		if _, err := repo.Commit("refs/heads/main", "More", map[string]string{"aa": "x"}); err != nil {
			t.Fatal(err)
		}
		link, more := strings.CutSuffix(a.header.Get("Link"), `>; rel="next"`)
		if !more {
			break
		}
		next = strings.TrimPrefix(link, "<")
	}
	if want := []string{".gitattributes", "a", "d", "d/b c", "d/e", "d/e/f"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the pages hold %q, want %q", got, want)
	}
}

func TestFiles(t *testing.T) {
	hub := start(t, hubtest.Options{})
	repo := createRepo(t, hub, release.Model, "acme/adapter")
	data := noise(5000)
	ask(t, "PUT", batch(t, hub, repo, "upload", both, data).text("objects.0.actions.upload.href"), "", data)
	text := string(lfspointer.Format(oid(data), 5000))
	head, err := repo.Commit("refs/heads/main", "Files", map[string]string{"a b/ä.bin": text, "c.txt": "c\n", "gone.bin": string(lfspointer.Format(oid([]byte("1")), 1))})
	if err != nil {
		t.Fatal(err)
	}
	entries, _ := repo.Tree("main")
	blob := map[string]string{}
	for _, e := range entries {
		blob[e.Path] = e.OID
	}
	tests := []struct {
		name, path string
		status     int
		header     map[string]string
		body       string
	}{
		{"plain file", "/resolve/main/c.txt", 200, map[string]string{"X-Repo-Commit": head, "ETag": `"` + blob["c.txt"] + `"`, "X-Linked-Etag": "", "Content-Length": "2"}, "c\n"},
		{"LFS file", "/resolve/main/a%20b/%C3%A4.bin", 302, map[string]string{"X-Repo-Commit": head, "X-Linked-Etag": `"` + oid(data) + `"`, "X-Linked-Size": "5000"}, ""},
		{"LFS file, raw", "/raw/" + head + "/a%20b/%C3%A4.bin", 200, map[string]string{"X-Linked-Etag": ""}, text},
		{"LFS file without object", "/resolve/main/gone.bin", 404, map[string]string{"X-Error-Code": "EntryNotFound"}, ""},
		{"no such file", "/resolve/main/nope", 404, map[string]string{"X-Error-Code": "EntryNotFound", "X-Repo-Commit": head}, ""},
		{"a folder", "/resolve/main/a%20b", 404, map[string]string{"X-Error-Code": "EntryNotFound"}, ""},
		{"no such revision", "/resolve/v1/c.txt", 404, map[string]string{"X-Error-Code": "RevisionNotFound"}, ""},
		{"outside", "/resolve/main/../../../HEAD", 404, nil, ""},
	}
	for _, tt := range tests {
		for _, method := range []string{"GET", "HEAD"} {
			t.Run(tt.name+", "+method, func(t *testing.T) {
				a := ask(t, method, repo.URL()+tt.path, "", nil)
				if a.status != tt.status {
					t.Errorf("answered %d, want %d: %s", a.status, tt.status, a.body)
				}
				for name, want := range tt.header {
					if got := a.header.Get(name); got != want {
						t.Errorf("%s is %q, want %q", name, got, want)
					}
				}
				if tt.status == 200 && method == "GET" && string(a.body) != tt.body {
					t.Errorf("the body is %q, want %q", a.body, tt.body)
				}
				if tt.status == 302 {
					if got := ask(t, method, a.header.Get("Location"), "", nil); method == "GET" && !bytes.Equal(got.body, data) {
						t.Errorf("the link answered %d with %d bytes, want the object", got.status, len(got.body))
					}
				}
			})
		}
	}
}
