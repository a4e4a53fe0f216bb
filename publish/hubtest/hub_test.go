package hubtest_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hfpub/hfpub/publish/hubtest"
	"github.com/hfpub/hfpub/schemas/release"
)

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
	for _, path := range []string{"/acme/x/HEAD", "/acme/x/objects/info/packs", "/acme/x/config", "/acme/x/info/refs",
		"/acme/..%2fx/info/refs?service=git-upload-pack"} {
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
		rule := "*.parquet filter=lfs diff=lfs merge=lfs -text\n"
		if !strings.Contains(string(text), rule) || strings.Contains(string(text), "jsonl") {
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
	left := processesIn(t, dir)
	for range 100 { // what git has started is killed with it and ends a moment later: only the system can wait for it
		if len(left) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
		left = processesIn(t, dir)
	}
	if len(left) > 0 {
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
