package hubtest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// The media types of the two JSON APIs.
const (
	apiJSON = "application/json; charset=utf-8"
	lfsJSON = "application/vnd.git-lfs+json"
)

// serveHub is the handler of the Hub's own origin.
func (h *Hub) serveHub(w http.ResponseWriter, r *http.Request) {
	segments, ok := splitPath(r.URL)
	switch {
	case !ok:
		refuse(w, r, http.StatusBadRequest, "the path cannot be read")
	case segments[0] == "api":
		h.serveAPI(w, r, segments[1:])
	default:
		h.serveRepo(w, r, segments)
	}
}

// splitPath cuts a path into its segments, each decoded on its own, so that refs%2Fpr%2F1 stays one. There is at
// least one.
func splitPath(u *url.URL) (segments []string, ok bool) {
	for s := range strings.SplitSeq(strings.TrimPrefix(u.EscapedPath(), "/"), "/") {
		s, err := url.PathUnescape(s)
		if err != nil || strings.ContainsAny(s, "\x00\n") {
			return nil, false
		}
		segments = append(segments, s)
	}
	return segments, true
}

// serveRepo serves what lies below a repo's own address: git, LFS and files.
func (h *Hub) serveRepo(w http.ResponseWriter, r *http.Request, segments []string) {
	kind := release.Model
	if segments[0] == "datasets" {
		kind, segments = release.Dataset, segments[1:]
	}
	if len(segments) < 2 {
		refuse(w, r, http.StatusNotFound, "Not Found")
		return
	}
	name, err := hubapi.NewRepo(kind, segments[0]+"/"+strings.TrimSuffix(segments[1], ".git"))
	if err != nil {
		refuseCode(w, r, http.StatusNotFound, "RepoNotFound", "Repository not found")
		return
	}
	repo, rest := h.repo(name), segments[2:]
	switch at := strings.Join(rest, "/"); {
	case at == "info/refs" || at == "git-upload-pack" || at == "git-receive-pack":
		h.serveGit(w, r, repo, at)
	case strings.HasPrefix(at, "info/lfs/"):
		h.serveLFS(w, r, repo, strings.TrimPrefix(at, "info/lfs/"))
	case len(rest) >= 3 && (rest[0] == "resolve" || rest[0] == "raw"):
		h.file(w, r, repo, rest[0] == "raw", rest[1], strings.Join(rest[2:], "/"))
	default:
		refuse(w, r, http.StatusNotFound, "Not Found")
	}
}

// refuseCode is refuse with a name for the error, by which the Hub's clients tell errors apart.
func refuseCode(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	w.Header().Set("X-Error-Code", code)
	refuse(w, r, status, message)
}

// refuse answers with an error in the form that the path's readers expect: {"error"} for the API, {"message"} for LFS,
// text for git.
func refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	drain(r)
	w.Header().Set("X-Error-Message", message)
	const realm = `Basic realm="Authentication required"`
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/"):
		writeJSON(w, status, apiJSON, map[string]string{"error": message})
	case strings.Contains(r.URL.Path, "/info/lfs/"):
		if status == http.StatusUnauthorized {
			w.Header().Set("LFS-Authenticate", realm)
		}
		writeJSON(w, status, lfsJSON, map[string]string{"message": message})
	default:
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", realm+`, charset="UTF-8"`)
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		io.WriteString(w, message+"\n")
	}
}

// drain reads what is left of a request, so that the client gets to see the answer. A client that waits for
// "100 Continue" has sent nothing and need not.
func drain(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		io.Copy(io.Discard, r.Body)
	}
}

// writeJSON answers with a JSON value.
func writeJSON(w http.ResponseWriter, status int, kind string, value any) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.Encode(value) // an error means that the client is gone
}

// reset cuts the connection with a TCP reset, now.
func reset(w http.ResponseWriter) {
	if sw, ok := w.(*statusWriter); ok {
		sw.reset = true
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}
