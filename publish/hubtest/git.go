package hubtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"os"
)

// serveGit serves git's smart HTTP: info/refs, git-upload-pack and git-receive-pack.
func (h *Hub) serveGit(w http.ResponseWriter, r *http.Request, repo *Repo, at string) {
	service := at
	if at == "info/refs" {
		service = r.URL.Query().Get("service")
	}
	need := Anonymous
	switch service {
	case "git-upload-pack":
	case "git-receive-pack":
		need = Write
	default:
		refuse(w, r, http.StatusForbidden, "only git's smart HTTP protocol is served here")
		return
	}
	if wrong := at == "info/refs" && r.Method != http.MethodGet || at != "info/refs" && r.Method != http.MethodPost; wrong {
		refuse(w, r, http.StatusMethodNotAllowed, "method not allowed")
		return
	}
	if !h.admit(w, r, repo, need) {
		return
	}
	switch {
	case at == "info/refs" && h.due(Info503):
		refuse(w, r, http.StatusServiceUnavailable, "Service Unavailable")
	case at == "git-receive-pack":
		h.receivePack(w, r, repo)
	default:
		body, err := h.spool(r)
		if err != nil {
			refuse(w, r, http.StatusBadRequest, "the request body cannot be read")
			return
		}
		defer body.Close()
		h.backend(w, r, repo, at, body)
	}
}

// spool writes the request body to a temporary file, unpacked, and rewinds it: git http-backend wants its length, and
// a push is read twice. The file is gone when it is closed.
func (h *Hub) spool(r *http.Request) (*spoolFile, error) {
	var src io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("unpack request: %w", err)
		}
		src = z
	}
	f, err := os.CreateTemp(h.tmp, "body-")
	if err != nil {
		return nil, err
	}
	body := &spoolFile{File: f}
	if body.size, err = io.Copy(f, src); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		body.Close()
		return nil, fmt.Errorf("read request: %w", err)
	}
	return body, nil
}

// spoolFile is a request body on disk.
type spoolFile struct {
	*os.File
	size int64
}

// Close removes the file.
func (f *spoolFile) Close() error {
	f.File.Close()
	return os.Remove(f.Name())
}

// backend lets git http-backend answer. It returns when no process of it is left: the pipe for its stderr stays open
// as long as one lives.
func (h *Hub) backend(w http.ResponseWriter, r *http.Request, repo *Repo, at string, body *spoolFile) {
	inner := r.Clone(r.Context())
	inner.Body, inner.ContentLength, inner.TransferEncoding = io.NopCloser(body.File), body.size, nil
	for _, name := range []string{"Authorization", "Content-Encoding", "Transfer-Encoding"} {
		inner.Header.Del(name)
	}
	inner.URL.Path = "/" + repo.APIPath() + ".git/" + at
	var stderr bytes.Buffer
	backend := &cgi.Handler{
		Path: h.git.bin, Args: []string{"http-backend"}, Dir: h.tmp,
		Stderr: &stderr, Logger: log.New(io.Discard, "", 0),
		Env: append(h.git.env[:len(h.git.env):len(h.git.env)],
			"GIT_PROJECT_ROOT="+h.repos, "GIT_HTTP_EXPORT_ALL=1", "GIT_PROTOCOL="+r.Header.Get("Git-Protocol")),
	}
	backend.ServeHTTP(w, inner)
}
