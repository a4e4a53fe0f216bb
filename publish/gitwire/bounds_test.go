package gitwire

import (
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// zeros is a body without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
func (zeros) Close() error               { return nil }

// An answer that goes on for ever is given up, whatever it is the answer to.
func TestAnswersAreBounded(t *testing.T) {
	for _, c := range []struct{ method, url, kind, want string }{
		{http.MethodGet, "http://x/r/info/refs?service=git-upload-pack", "application/x-git-upload-pack-advertisement", "longer than 64 MiB"},
		{http.MethodGet, "http://x/r/info/refs?service=git-receive-pack", "application/x-git-receive-pack-advertisement", "longer than 64 MiB"},
		{http.MethodPost, "http://x/r/git-upload-pack", "application/x-git-upload-pack-result", "longer than 1024 MiB"},
		{http.MethodPost, "http://x/r/git-receive-pack", "application/x-git-receive-pack-result", "longer than 64 MiB"},
	} {
		q := httptest.NewRequest(c.method, c.url, nil)
		answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {c.kind}}, Body: zeros{}, Request: q}
		r := open(t, "http://x/r", Options{})
		if err := (&guard{found: r.found}).check(q, answer); err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if _, err := io.Copy(io.Discard, answer.Body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want an end that says %q", c.method, c.url, err, c.want)
		}
	}
}

// A large file is packed and sent block by block: its size does not show in what is allocated.
func TestPackingAndSendingHoldNoFile(t *testing.T) {
	const size = 24 << 20
	block := make([]byte, 1<<20)
	rand.Read(block)
	content := func() io.Reader { return io.LimitReader(&repeated{block: block}, size) }
	sum := BlobHash(size)
	if _, err := io.Copy(sum, content()); err != nil {
		t.Fatal(err)
	}
	blob := Object{Type: plumbing.BlobObject, Hash: plumbing.Hash(sum.Sum(nil)), Size: size,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(content()), nil }}
	got := int64(0)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/x-git-receive-pack-advertisement")
			io.WriteString(w, packet("# service=git-receive-pack\n")+"0000"+
				packet(strings.Repeat("1", 40)+" refs/heads/main\x00report-status side-band-64k\n")+"0000")
			return
		}
		got, _ = io.Copy(io.Discard, r.Body)
		http.Error(w, "no", http.StatusForbidden)
	}))
	t.Cleanup(s.Close)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	pack, err := SpoolPack(t.Context(), []Object{blob})
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	_, err = open(t, s.URL+"/r", Options{}).Push(t.Context(), []Update{{Ref: main, Old: plumbing.NewHash(strings.Repeat("1", 40)), New: blob.Hash}}, pack)
	runtime.ReadMemStats(&after)
	var auth *AuthError
	if !errors.As(err, &auth) || got < size {
		t.Fatalf("%v after %d bytes, want the server's refusal after %d", err, got, size)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > size/4 {
		t.Errorf("%d MiB were allocated to pack and send %d MiB, want a few", used>>20, size>>20)
	}
}

// repeated gives a block out again and again.
type repeated struct {
	block []byte
	at    int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}
