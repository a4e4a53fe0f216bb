package hubtest

import (
	"net/http"
	"slices"
	"strings"
)

// Role is what a token may do.
type Role int

// The roles, from none to all. A Hub has one token for each of the last three.
const (
	// Anonymous is a request without a token. It reads public repos.
	Anonymous Role = iota
	// Outsider is a valid token of somebody else: private repos do not exist for it.
	Outsider
	// Read is the user's read-only token.
	Read
	// Write is the user's write token.
	Write
)

// owns says whether a namespace is the user's own or one of the user's organizations.
func (h *Hub) owns(namespace string) bool {
	return namespace == h.opts.User || slices.Contains(h.opts.Orgs, namespace)
}

// Token is the secret for a role, made at random when the Hub started; "" for Anonymous.
func (h *Hub) Token(role Role) string { return h.tokens[role] }

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
		refuse(w, r, http.StatusUnauthorized, "Invalid credentials in Authorization header")
	case !repo.exists() || repo.private() && role < Read:
		if role == Anonymous {
			refuseCode(w, r, http.StatusUnauthorized, "RepoNotFound", "Invalid username or password.")
			break
		}
		refuseCode(w, r, http.StatusNotFound, "RepoNotFound", "Repository not found")
	case role >= need:
		return true
	case role == Anonymous:
		refuse(w, r, http.StatusUnauthorized, "Invalid username or password.")
	default:
		refuse(w, r, http.StatusForbidden, "Authorization error: you have no write access to this repository")
	}
	return false
}
