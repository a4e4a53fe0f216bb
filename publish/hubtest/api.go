package hubtest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
)

const apiJSON = "application/json; charset=utf-8"

// serveAPI serves what lies below /api/.
func (h *Hub) serveAPI(w http.ResponseWriter, r *http.Request, segments []string) {
	get := r.Method == http.MethodGet || r.Method == http.MethodHead
	post := r.Method == http.MethodPost
	switch at := strings.Join(segments, "/"); {
	case get && at == "whoami-v2":
		h.whoami(w, r)
	case post && at == "repos/create":
		h.createAsked(w, r)
	case post && at == "validate-yaml":
		h.validateYAML(w, r)
	case post && at == "complete_multipart":
		h.complete(w, r)
	case len(segments) >= 3 && (segments[0] == "models" || segments[0] == "datasets"):
		h.serveRepoAPI(w, r, release.Type(strings.TrimSuffix(segments[0], "s")), segments[1:])
	default:
		refuse(w, r, problem{http.StatusNotFound, "", "Not Found"})
	}
}

// serveRepoAPI serves what lies below /api/models/ns/name and /api/datasets/ns/name.
func (h *Hub) serveRepoAPI(w http.ResponseWriter, r *http.Request, kind release.Type, segments []string) {
	name, err := hubapi.NewRepo(kind, segments[0]+"/"+segments[1])
	if err != nil {
		refuse(w, r, problem{http.StatusNotFound, "RepoNotFound", "Repository not found"})
		return
	}
	repo, rest := h.repo(name), segments[2:]
	need := Anonymous
	if strings.Join(rest, "/") == "auth-check/write" {
		need = Write
	}
	if !h.admit(w, r, repo, need) {
		return
	}
	verb, rev, path := "", "main", []string(nil)
	if len(rest) > 0 {
		verb = rest[0]
	}
	if len(rest) > 1 {
		rev, path = rest[1], rest[2:]
	}
	get := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case get && verb == "" && len(rest) == 0, get && verb == "revision" && len(rest) == 2:
		h.repoInfo(w, r, repo, rev)
	case get && verb == "tree" && len(rest) >= 2:
		h.treePage(w, r, repo, rev, strings.Trim(strings.Join(path, "/"), "/"))
	case get && verb == "refs" && len(rest) == 1:
		h.refs(w, r, repo)
	case get && verb == "auth-check" && (len(rest) == 1 || need == Write):
		writeJSON(w, http.StatusOK, apiJSON, struct{}{})
	case r.Method == http.MethodPost && verb == "preupload" && len(rest) == 2:
		h.preupload(w, r, repo, rev)
	default:
		refuse(w, r, problem{http.StatusNotFound, "", "Not Found"})
	}
}

// readJSON reads a bounded JSON body; it answers itself when it cannot.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax)).Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, r, problem{http.StatusRequestEntityTooLarge, "", "request entity too large"})
	case err != nil:
		refuse(w, r, problem{http.StatusBadRequest, "", "the body is not the JSON that was expected"})
	}
	return err == nil
}

// whoami says who owns the token and what it may do.
func (h *Hub) whoami(w http.ResponseWriter, r *http.Request) {
	role, ok := h.caller(r)
	if !ok || role == Anonymous {
		refuse(w, r, problem{http.StatusUnauthorized, "", "Invalid credentials in Authorization header"})
		return
	}
	name, orgs := h.opts.User, []map[string]any{}
	if role == Outsider {
		name = "outsider"
	} else {
		for _, org := range h.opts.Orgs {
			orgs = append(orgs, map[string]any{"type": "org", "name": org, "fullname": org, "roleInOrg": "write"})
		}
	}
	may := map[Role]string{Outsider: "write", Read: "read", Write: "write"}[role]
	writeJSON(w, http.StatusOK, apiJSON, map[string]any{
		"type": "user", "id": hexID("user/" + name), "name": name, "fullname": name, "email": name + "@localhost",
		"emailVerified": true, "isPro": false, "canPay": false, "orgs": orgs,
		"auth": map[string]any{"type": "access_token", "accessToken": map[string]any{"displayName": "hubtest", "role": may}},
	})
}

// createAsked makes a repo over the API.
func (h *Hub) createAsked(w http.ResponseWriter, r *http.Request) {
	role, ok := h.caller(r)
	if !ok || role == Anonymous {
		refuse(w, r, problem{http.StatusUnauthorized, "", "Invalid username or password."})
		return
	}
	var q struct {
		Name         string          `json:"name"`
		Organization string          `json:"organization"`
		Type         string          `json:"type"`
		Visibility   string          `json:"visibility"`
		Private      bool            `json:"private"`
		License      string          `json:"license"`
		Files        json.RawMessage `json:"files"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	kind := release.Type(q.Type)
	if q.Type == "" {
		kind = release.Model
	}
	namespace := q.Organization
	if namespace == "" {
		namespace = h.opts.User
	}
	name, err := hubapi.NewRepo(kind, namespace+"/"+q.Name)
	switch {
	case err != nil:
		refuse(w, r, problem{http.StatusBadRequest, "", err.Error()})
		return
	case q.License != "" || len(q.Files) > 0 || q.Visibility == "protected":
		refuse(w, r, problem{http.StatusBadRequest, "", "license, files and protected are not offered by this Hub"})
		return
	case role != Write || !h.owns(namespace):
		refuse(w, r, problem{http.StatusForbidden, "", fmt.Sprintf(
			"You don't have the rights to create a %s under the namespace %q", kind, namespace)})
		return
	}
	repo, err := h.create(kind, name.ID, q.Private || q.Visibility == "private")
	switch {
	case errors.Is(err, ErrRepoExists):
		message := fmt.Sprintf("You already created this %s repo", kind)
		w.Header().Set("X-Error-Message", message)
		writeJSON(w, http.StatusConflict, apiJSON, map[string]string{"error": message, "url": h.RepoURL(kind, name.ID)})
	case err != nil:
		refuse(w, r, problem{http.StatusInternalServerError, "", err.Error()})
	default:
		writeJSON(w, http.StatusOK, apiJSON, map[string]string{"url": repo.URL(), "name": repo.ID, "id": hexID(repo.Path())})
	}
}

// validateYAML judges a card as a push would.
func (h *Hub) validateYAML(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Content  string `json:"content"`
		RepoType string `json:"repoType"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if len(q.Content) > plainMax {
		refuse(w, r, problem{http.StatusRequestEntityTooLarge, "", "request entity too large"})
		return
	}
	c := judgeCard(release.Type(q.RepoType), q.Content)
	if c.unreadable != "" {
		c.errors = append(c.errors, "Invalid YAML: "+c.unreadable)
	}
	status := http.StatusOK
	if len(c.errors) > 0 {
		status = http.StatusBadRequest
	}
	writeJSON(w, status, apiJSON, map[string]any{"errors": messages(c.errors), "warnings": messages(c.warnings)})
}

func messages(texts []string) []map[string]string {
	out := []map[string]string{}
	for _, t := range texts {
		out = append(out, map[string]string{"message": t})
	}
	return out
}

// revision finds the commit of a revision; it answers itself when there is none.
func (h *Hub) revision(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) (commit string, ok bool) {
	commit, err := repo.resolve(r.Context(), rev)
	if err != nil {
		refuse(w, r, problem{http.StatusNotFound, "RevisionNotFound", "Invalid rev id: " + rev})
		return "", false
	}
	return commit, true
}

// failed answers for an error that came up behind a revision.
func failed(w http.ResponseWriter, r *http.Request, rev string, err error) {
	if errors.Is(err, errNoEntry) {
		refuse(w, r, problem{http.StatusNotFound, "EntryNotFound", fmt.Sprintf("%v on %s", err, rev)})
		return
	}
	refuse(w, r, problem{http.StatusInternalServerError, "", err.Error()})
}

// repoInfo describes a repo at a revision.
func (h *Hub) repoInfo(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) {
	commit, ok := h.revision(w, r, repo, rev)
	if !ok {
		return
	}
	entries, err := repo.tree(r.Context(), commit, "", true)
	if err != nil {
		failed(w, r, rev, err)
		return
	}
	date, err := h.git.line(r.Context(), repo.dir, nil, "show", "--no-patch", "--format=%ct", commit)
	if err != nil {
		failed(w, r, rev, err)
		return
	}
	seconds, _ := strconv.ParseInt(date, 10, 64)
	blobs := r.URL.Query().Get("blobs") == "true" || r.URL.Query().Get("blobs") == "True"
	siblings := []map[string]any{}
	for _, e := range entries {
		if !e.Dir {
			siblings = append(siblings, sibling(e, blobs))
		}
	}
	card := repo.cardData(entries)
	writeJSON(w, http.StatusOK, apiJSON, map[string]any{
		"_id": hexID(repo.Path()), "id": repo.ID, "author": repo.Namespace(), "sha": commit,
		"lastModified": timestamp(seconds), "private": repo.private(), "gated": false, "disabled": false,
		"tags": cardTags(card), "cardData": card, "siblings": siblings,
	})
}

// sibling is a file as the repo info lists it. The sha256 of an LFS object is under another name than in the tree.
func sibling(e Entry, blobs bool) map[string]any {
	s := map[string]any{"rfilename": e.Path}
	if !blobs {
		return s
	}
	s["blobId"], s["size"] = e.OID, e.Size
	if e.LFS != nil {
		s["size"] = e.LFS.Size
		s["lfs"] = map[string]any{"sha256": e.LFS.OID, "size": e.LFS.Size, "pointerSize": e.Size}
	}
	return s
}

// treePage lists a folder, a page at a time. The link to the next page names the commit, so that all pages are of one.
func (h *Hub) treePage(w http.ResponseWriter, r *http.Request, repo *Repo, rev, dir string) {
	commit, ok := h.revision(w, r, repo, rev)
	if !ok {
		return
	}
	query := r.URL.Query()
	recursive := strings.EqualFold(query.Get("recursive"), "true") || query.Get("recursive") == "1"
	entries, err := repo.tree(r.Context(), commit, dir, recursive)
	if err != nil {
		failed(w, r, rev, err)
		return
	}
	from := 0
	if cursor := query.Get("cursor"); cursor != "" {
		b, err := base64.RawURLEncoding.DecodeString(cursor)
		if from, _ = strconv.Atoi(string(b)); err != nil || from <= 0 || from > len(entries) {
			refuse(w, r, problem{http.StatusBadRequest, "", "Invalid cursor"})
			return
		}
	}
	to := min(from+h.opts.PageSize, len(entries))
	if to < len(entries) {
		query.Set("cursor", base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(to))))
		next := fmt.Sprintf("%s/api/%s/tree/%s/%s?%s", h.URL(), repo.APIPath(), commit, escapePath(dir), query.Encode())
		w.Header().Set("Link", "<"+next+`>; rel="next"`)
	}
	page := []map[string]any{}
	for _, e := range entries[from:to] {
		page = append(page, treeEntry(e))
	}
	writeJSON(w, http.StatusOK, apiJSON, page)
}

// treeEntry is a file or folder as the tree API lists it: the size of an LFS file is that of the object.
func treeEntry(e Entry) map[string]any {
	if e.Dir {
		return map[string]any{"type": "directory", "oid": e.OID, "size": 0, "path": e.Path}
	}
	t := map[string]any{"type": "file", "oid": e.OID, "size": e.Size, "path": e.Path}
	if e.LFS != nil {
		t["size"] = e.LFS.Size
		t["lfs"] = map[string]any{"oid": e.LFS.OID, "size": e.LFS.Size, "pointerSize": e.Size}
	}
	return t
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// refs lists branches and tags, pull requests on demand. An annotated tag is listed with its commit.
func (h *Hub) refs(w http.ResponseWriter, r *http.Request, repo *Repo) {
	out, err := h.git.run(r.Context(), repo.dir, nil, "for-each-ref", "--format=%(refname) %(objectname) %(*objectname)")
	if err != nil {
		refuse(w, r, problem{http.StatusInternalServerError, "", err.Error()})
		return
	}
	answer := map[string][]map[string]string{"branches": {}, "tags": {}, "converts": {}}
	kinds := map[string]string{"refs/heads/": "branches", "refs/tags/": "tags", "refs/convert/": "converts"}
	if r.URL.Query().Get("include_prs") != "" {
		answer["pullRequests"] = []map[string]string{}
		kinds["refs/pr/"] = "pullRequests"
	}
	for row := range strings.Lines(string(out)) {
		f := strings.Fields(row)
		for prefix, list := range kinds {
			if name, ok := strings.CutPrefix(f[0], prefix); ok {
				answer[list] = append(answer[list], map[string]string{"name": name, "ref": f[0], "targetCommit": f[len(f)-1]})
			}
		}
	}
	writeJSON(w, http.StatusOK, apiJSON, answer)
}

// preupload says which files the Hub wants in LFS: those that .gitattributes names, big ones and binary ones.
func (h *Hub) preupload(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) {
	var q struct {
		Files []struct {
			Path   string `json:"path"`
			Size   int64  `json:"size"`
			Sample []byte `json:"sample"`
		} `json:"files"`
		GitAttributes *string `json:"gitAttributes"`
		GitIgnore     *string `json:"gitIgnore"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if role, _ := h.caller(r); role != Write {
		refuse(w, r, problem{http.StatusForbidden, "", "Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request"})
		return
	}
	if len(q.Files) > 256 {
		refuse(w, r, problem{http.StatusBadRequest, "", "at most 256 files in one request"})
		return
	}
	commit, ok := h.revision(w, r, repo, rev)
	if !ok {
		return
	}
	entries, err := repo.tree(r.Context(), commit, "", true)
	if err != nil {
		failed(w, r, rev, err)
		return
	}
	attributes := gitattributes.Parse([]byte(repo.text(entries, ".gitattributes", q.GitAttributes)))
	ignored := gitignore.NewMatcher(ignorePatterns(repo.text(entries, ".gitignore", q.GitIgnore)))
	have := map[string]string{}
	for _, e := range entries {
		have[e.Path] = e.OID
	}
	files := []map[string]any{}
	for _, f := range q.Files {
		answer := map[string]any{"path": f.Path, "uploadMode": "regular", "shouldIgnore": ignored.Match(strings.Split(f.Path, "/"), false)}
		if f.Size > 0 && (attributes.LFS(f.Path) || f.Size > plainMax || isBinary(f.Sample)) {
			answer["uploadMode"] = "lfs"
		}
		if oid, ok := have[f.Path]; ok {
			answer["oid"] = oid
		}
		files = append(files, answer)
	}
	writeJSON(w, http.StatusOK, apiJSON, map[string]any{"files": files})
}

func ignorePatterns(text string) (patterns []gitignore.Pattern) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, gitignore.ParsePattern(line, nil))
		}
	}
	return patterns
}
