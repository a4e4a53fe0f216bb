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

const lfsJSON = "application/vnd.git-lfs+json"

// serveHub is the handler of the Hub's own origin.
func (h *Hub) serveHub(w http.ResponseWriter, r *http.Request) {
	segments, ok := splitPath(r.URL)
	switch {
	case !ok:
		refuse(w, r, problem{http.StatusBadRequest, "", "the path cannot be read"})
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
		refuse(w, r, problem{http.StatusNotFound, "", "Not Found"})
		return
	}
	name, err := hubapi.NewRepo(kind, segments[0]+"/"+strings.TrimSuffix(segments[1], ".git"))
	if err != nil {
		refuse(w, r, problem{http.StatusNotFound, "RepoNotFound", "Repository not found"})
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
		refuse(w, r, problem{http.StatusNotFound, "", "Not Found"})
	}
}

// problem is an answer that says no.
type problem struct {
	status int
	// code is for the X-Error-Code header, "" for none.
	code    string
	message string
}

// refuse answers with a problem, in the form that the path's readers expect: {"error"} for the API, {"message"} for LFS,
// text for git.
func refuse(w http.ResponseWriter, r *http.Request, p problem) {
	drain(r)
	header := w.Header()
	if p.code != "" {
		header.Set("X-Error-Code", p.code)
	}
	header.Set("X-Error-Message", p.message)
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/"):
		writeJSON(w, p.status, "application/json; charset=utf-8", map[string]string{"error": p.message})
	case strings.Contains(r.URL.Path, "/info/lfs/"):
		if p.status == http.StatusUnauthorized {
			header.Set("LFS-Authenticate", `Basic realm="Authentication required"`)
		}
		writeJSON(w, p.status, lfsJSON, map[string]string{"message": p.message})
	default:
		if p.status == http.StatusUnauthorized {
			header.Set("WWW-Authenticate", `Basic realm="Authentication required", charset="UTF-8"`)
		}
		header.Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(p.status)
		io.WriteString(w, p.message+"\n")
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

// caller finds out who asks, by Bearer or by Basic with the token as password and any user name. ok is false when
// credentials were sent and are wrong.
func (h *Hub) caller(r *http.Request) (role Role, ok bool) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return Anonymous, true
	}
	token, bearer := strings.CutPrefix(header, "Bearer ")
	if !bearer {
		user, password, basic := r.BasicAuth()
		if !basic || user == "" {
			return Anonymous, false
		}
		token = password
	}
	for role, t := range h.tokens {
		if t == token {
			return role, true
		}
	}
	return Anonymous, false
}

// admit answers the request itself and returns false unless the repo is there for the caller and the caller may do what
// need says: Anonymous to read, Write to write.
func (h *Hub) admit(w http.ResponseWriter, r *http.Request, repo *Repo, need Role) bool {
	role, ok := h.caller(r)
	switch {
	case !ok:
		refuse(w, r, problem{http.StatusUnauthorized, "", "Invalid credentials in Authorization header"})
	case !repo.exists() || repo.private() && role < Read:
		if role == Anonymous {
			refuse(w, r, problem{http.StatusUnauthorized, "RepoNotFound", "Invalid username or password."})
			break
		}
		refuse(w, r, problem{http.StatusNotFound, "RepoNotFound", "Repository not found"})
	case role >= need:
		return true
	case role == Anonymous:
		refuse(w, r, problem{http.StatusUnauthorized, "", "Invalid username or password."})
	default:
		refuse(w, r, problem{http.StatusForbidden, "", "Authorization error: you have no write access to this repository"})
	}
	return false
}
