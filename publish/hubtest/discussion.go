package hubtest

import (
	"fmt"
	"net/http"
	"strconv"
	"unicode/utf8"
)

// PullRequest is a pull request of a repo. Its ref is refs/pr/ and its number.
type PullRequest struct {
	Num                int
	Title, Description string
	// Status is draft, open, closed or merged.
	Status string
}

// PullRequests lists the pull requests of a repo in the order of their numbers.
func (r *Repo) PullRequests() []PullRequest {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return append([]PullRequest(nil), r.hub.pulls[r.Path()]...)
}

// openDiscussion opens a pull request: a draft whose ref stands at the tip of main. Discussions of other kinds are not offered.
func (h *Hub) openDiscussion(w http.ResponseWriter, r *http.Request, repo *Repo) {
	var q struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		PullRequest bool   `json:"pullRequest"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if n := utf8.RuneCountInString(q.Title); n < 3 || n > 200 || !q.PullRequest {
		refuse(w, r, http.StatusBadRequest, "a title has 3 to 200 characters, and this Hub offers pull requests only")
		return
	}
	tip, ok := h.revision(w, r, repo, "main")
	if !ok {
		return
	}
	h.mu.Lock()
	num := len(h.pulls[repo.Path()]) + 1
	h.pulls[repo.Path()] = append(h.pulls[repo.Path()], PullRequest{num, q.Title, q.Description, "draft"})
	h.mu.Unlock()
	if _, err := h.git.run(r.Context(), repo.dir, nil, "update-ref", fmt.Sprintf("refs/pr/%d", num), tip); err != nil {
		refuse(w, r, http.StatusInternalServerError, err.Error())
		return
	}
	writeJSON(w, http.StatusOK, apiJSON, map[string]any{"num": num, "url": fmt.Sprintf("%s/discussions/%d", repo.URL(), num)})
}

// setDiscussionStatus opens or closes a pull request. An open one does not become a draft again.
func (h *Hub) setDiscussionStatus(w http.ResponseWriter, r *http.Request, repo *Repo, number string) {
	var q struct {
		Status string `json:"status"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	num, err := strconv.Atoi(number)
	h.mu.Lock()
	defer h.mu.Unlock()
	pulls := h.pulls[repo.Path()]
	switch {
	case err != nil || num < 1 || num > len(pulls):
		refuse(w, r, http.StatusNotFound, "Discussion not found")
	case q.Status != "open" && q.Status != "closed":
		refuse(w, r, http.StatusBadRequest, "the status is open or closed")
	default:
		pulls[num-1].Status = q.Status
		writeJSON(w, http.StatusOK, apiJSON, map[string]any{"newStatus": q.Status})
	}
}
