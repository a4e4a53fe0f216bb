package hubtest

import (
	"encoding/base64"
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

// serveRepoAPI serves what lies below /api/models/ns/name and /api/datasets/ns/name.
func (h *Hub) serveRepoAPI(w http.ResponseWriter, r *http.Request, kind release.Type, segments []string) {
	name, err := hubapi.NewRepo(kind, segments[0]+"/"+segments[1])
	if err != nil {
		refuseCode(w, r, http.StatusNotFound, "RepoNotFound", "Repository not found")
		return
	}
	repo, verb, rest := h.repo(name), "", segments[2:]
	if len(rest) > 0 {
		verb, rest = rest[0], rest[1:]
	}
	write := verb == "preupload" || verb == "auth-check" && len(rest) == 1 && rest[0] == "write"
	need := Anonymous
	switch {
	case write:
		need = Write
	case verb == "discussions":
		need = Outsider
	}
	if !h.admit(w, r, repo, need) {
		return
	}
	switch {
	case reads(r) && verb == "" && len(rest) == 0:
		h.repoInfo(w, r, repo, "main")
	case reads(r) && verb == "revision" && len(rest) == 1:
		h.repoInfo(w, r, repo, rest[0])
	case reads(r) && verb == "tree" && len(rest) >= 1:
		h.treePage(w, r, repo, rest[0], strings.Trim(strings.Join(rest[1:], "/"), "/"))
	case reads(r) && verb == "refs" && len(rest) == 0:
		h.refs(w, r, repo)
	case reads(r) && verb == "auth-check" && (write || len(rest) == 0):
		writeJSON(w, http.StatusOK, apiJSON, struct{}{})
	case r.Method == http.MethodPost && verb == "preupload" && len(rest) == 1:
		h.preupload(w, r, repo, rest[0])
	case r.Method == http.MethodPost && verb == "discussions" && len(rest) == 0:
		h.openDiscussion(w, r, repo)
	case r.Method == http.MethodPost && verb == "discussions" && len(rest) == 2 && rest[1] == "status":
		h.setDiscussionStatus(w, r, repo, rest[0])
	default:
		refuse(w, r, http.StatusNotFound, "Not Found")
	}
}

// revision finds the commit of a revision; it answers itself when there is none.
func (h *Hub) revision(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) (commit string, ok bool) {
	commit, err := repo.resolve(r.Context(), rev)
	if err != nil {
		refuseCode(w, r, http.StatusNotFound, "RevisionNotFound", "Invalid rev id: "+rev)
		return "", false
	}
	return commit, true
}

// listing finds the commit of a revision and lists it whole; it answers itself when it cannot.
func (h *Hub) listing(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) (commit string, all []Entry, ok bool) {
	if commit, ok = h.revision(w, r, repo, rev); !ok {
		return "", nil, false
	}
	all, err := repo.tree(r.Context(), commit, "", true)
	if err != nil {
		failed(w, r, rev, err)
		return "", nil, false
	}
	return commit, all, true
}

// failed answers for an error that came up behind a revision.
func failed(w http.ResponseWriter, r *http.Request, rev string, err error) {
	if errors.Is(err, errNoEntry) {
		refuseCode(w, r, http.StatusNotFound, "EntryNotFound", fmt.Sprintf("%v on %s", err, rev))
		return
	}
	refuse(w, r, http.StatusInternalServerError, err.Error())
}

// repoInfo describes a repo at a revision.
func (h *Hub) repoInfo(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) {
	commit, entries, ok := h.listing(w, r, repo, rev)
	if !ok {
		return
	}
	date, err := h.git.line(r.Context(), repo.dir, nil, "show", "--no-patch", "--format=%ct", commit)
	if err != nil {
		failed(w, r, rev, err)
		return
	}
	seconds, _ := strconv.ParseInt(date, 10, 64) // git prints digits
	blobs := strings.EqualFold(r.URL.Query().Get("blobs"), "true")
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
	from, ok := readCursor(query.Get("cursor"), len(entries))
	if !ok {
		refuse(w, r, http.StatusBadRequest, "Invalid cursor")
		return
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

// readCursor is the number of entries on the pages before.
func readCursor(cursor string, most int) (from int, ok bool) {
	if cursor == "" {
		return 0, true
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, false
	}
	from, err = strconv.Atoi(string(text))
	return from, err == nil && from > 0 && from <= most
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
		refuse(w, r, http.StatusInternalServerError, err.Error())
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
				ref := map[string]string{"name": name, "ref": f[0], "targetCommit": f[len(f)-1]}
				answer[list] = append(answer[list], ref)
			}
		}
	}
	writeJSON(w, http.StatusOK, apiJSON, answer)
}

// preuploadMax is how many files one request may ask about.
const preuploadMax = 256

// preupload says which files the Hub wants in LFS: those that .gitattributes names, big ones and binary ones.
func (h *Hub) preupload(w http.ResponseWriter, r *http.Request, repo *Repo, rev string) {
	var q struct {
		Files []struct {
			Path   string `json:"path"`
			Size   int64  `json:"size"`
			Sample []byte `json:"sample"`
		} `json:"files"`
		// GitAttributes and GitIgnore replace the files of these names, if given.
		GitAttributes *string `json:"gitAttributes"`
		GitIgnore     *string `json:"gitIgnore"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if len(q.Files) > preuploadMax {
		refuse(w, r, http.StatusBadRequest, fmt.Sprintf("at most %d files in one request", preuploadMax))
		return
	}
	_, entries, ok := h.listing(w, r, repo, rev)
	if !ok {
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
		mode := "regular"
		if f.Size > 0 && (attributes.LFS(f.Path) || f.Size > plainMax || isBinary(f.Sample)) {
			mode = "lfs"
		}
		ignore := ignored.Match(strings.Split(f.Path, "/"), false)
		answer := map[string]any{"path": f.Path, "uploadMode": mode, "shouldIgnore": ignore}
		if oid, ok := have[f.Path]; ok {
			answer["oid"] = oid
		}
		files = append(files, answer)
	}
	writeJSON(w, http.StatusOK, apiJSON, map[string]any{"files": files})
}

// ignorePatterns reads a .gitignore at the root.
func ignorePatterns(text string) (patterns []gitignore.Pattern) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, gitignore.ParsePattern(line, nil))
		}
	}
	return patterns
}
