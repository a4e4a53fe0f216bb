package hubtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// serveAPI serves what lies below /api/.
func (h *Hub) serveAPI(w http.ResponseWriter, r *http.Request, segments []string) {
	switch at := strings.Join(segments, "/"); {
	case reads(r) && at == "whoami-v2":
		h.whoami(w, r)
	case r.Method == http.MethodPost && at == "repos/create":
		h.createAsked(w, r)
	case r.Method == http.MethodPost && at == "validate-yaml":
		h.validateYAML(w, r)
	case r.Method == http.MethodPost && at == "complete_multipart":
		h.complete(w, r)
	case segments[0] == "collections":
		h.serveCollections(w, r, segments[1:])
	case len(segments) >= 3 && segments[0] == "models":
		h.serveRepoAPI(w, r, release.Model, segments[1:])
	case len(segments) >= 3 && segments[0] == "datasets":
		h.serveRepoAPI(w, r, release.Dataset, segments[1:])
	default:
		refuse(w, r, http.StatusNotFound, "Not Found")
	}
}

// reads says whether a request asks to see something.
func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// readJSON reads a bounded JSON body; it answers itself when it cannot.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax)).Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, r, http.StatusRequestEntityTooLarge, "request entity too large")
	case err != nil:
		refuse(w, r, http.StatusBadRequest, "the body is not the JSON that was expected")
	}
	return err == nil
}

// whoami says who owns the token and what it may do.
func (h *Hub) whoami(w http.ResponseWriter, r *http.Request) {
	role, ok := h.caller(r)
	if !ok || role == Anonymous {
		refuse(w, r, http.StatusUnauthorized, "Invalid credentials in Authorization header")
		return
	}
	name, orgs, may := h.opts.User, []map[string]string{}, "write"
	switch role {
	case Outsider:
		name = "outsider"
	case Read:
		may = "read"
	}
	if role >= Read {
		for _, org := range h.opts.Orgs {
			orgs = append(orgs, map[string]string{"type": "org", "name": org, "fullname": org, "roleInOrg": "write"})
		}
	}
	writeJSON(w, http.StatusOK, apiJSON, map[string]any{
		"type": "user", "id": hexID("user/" + name), "name": name, "fullname": name,
		"email": name + "@localhost", "emailVerified": true, "isPro": false, "canPay": false,
		"orgs": orgs,
		"auth": map[string]any{
			"type":        "access_token",
			"accessToken": map[string]string{"displayName": "hubtest", "role": may},
		},
	})
}

// creation is what a client asks for when it makes a repo.
type creation struct {
	Name         string       `json:"name"`
	Organization string       `json:"organization"`
	Type         release.Type `json:"type"`
	Visibility   string       `json:"visibility"`
	// Private is what older clients send in the place of Visibility.
	Private bool `json:"private"`
	// License and Files would go into the first commit.
	License string            `json:"license"`
	Files   []json.RawMessage `json:"files"`
}

// repo is the name of the repo that is asked for.
func (q creation) repo(user string) (hubapi.Repo, error) {
	kind, namespace := q.Type, q.Organization
	if kind == "" {
		kind = release.Model
	}
	if namespace == "" {
		namespace = user
	}
	return hubapi.NewRepo(kind, namespace+"/"+q.Name)
}

// createAsked makes a repo over the API.
func (h *Hub) createAsked(w http.ResponseWriter, r *http.Request) {
	role, ok := h.caller(r)
	if !ok || role == Anonymous {
		refuse(w, r, http.StatusUnauthorized, "Invalid username or password.")
		return
	}
	var q creation
	if !readJSON(w, r, &q) {
		return
	}
	name, err := q.repo(h.opts.User)
	switch {
	case err != nil:
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	case q.License != "" || len(q.Files) > 0 || q.Visibility == "protected":
		refuse(w, r, http.StatusBadRequest, "license, files and protected are not offered by this Hub")
		return
	case role != Write || !h.owns(name.Namespace()):
		refuse(w, r, http.StatusForbidden, fmt.Sprintf("You don't have the rights to create a %s under the namespace %q",
			name.Type, name.Namespace()))
		return
	}
	repo, err := h.create(name, q.Private || q.Visibility == "private")
	switch {
	case errors.Is(err, ErrRepoExists):
		message := fmt.Sprintf("You already created this %s repo", name.Type)
		w.Header().Set("X-Error-Message", message)
		url := h.RepoURL(name.Type, name.ID)
		writeJSON(w, http.StatusConflict, apiJSON, map[string]string{"error": message, "url": url})
	case err != nil:
		refuse(w, r, http.StatusInternalServerError, err.Error())
	default:
		made := map[string]string{"url": repo.URL(), "name": repo.ID, "id": hexID(repo.Path())}
		writeJSON(w, http.StatusOK, apiJSON, made)
	}
}

// validateYAML judges a card as a push would.
func (h *Hub) validateYAML(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Content  string       `json:"content"`
		RepoType release.Type `json:"repoType"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if len(q.Content) > plainMax {
		refuse(w, r, http.StatusRequestEntityTooLarge, "request entity too large")
		return
	}
	c := judgeCard(q.RepoType, q.Content)
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
