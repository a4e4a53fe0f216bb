package hubapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
)

// PullRequest is a pull request of a repo: a discussion with a ref of its own in the same repository.
type PullRequest struct {
	// Num is its number among the discussions of the repo, from 1.
	Num int
}

// Ref is the ref that a push to the pull request moves.
func (p PullRequest) Ref() string { return fmt.Sprintf("refs/pr/%d", p.Num) }

// PullRequestURL is the page of a pull request.
func (e Endpoint) PullRequestURL(repo Repo, p PullRequest) string {
	return fmt.Sprintf("%s/discussions/%d", e.WebURL(repo), p.Num)
}

// The lengths in characters of a title that the Hub takes.
const (
	minTitle = 3
	maxTitle = 200
)

// title makes a text fit for the title of a discussion.
func title(text string) string {
	runes := []rune(text)
	if len(runes) < minTitle {
		return "Update: " + text
	}
	if len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return text
}

// OpenPullRequest opens a pull request, as a draft: its ref is there at once, at the tip of main. It needs no right to write.
// A text that is too short or too long for a title is made to fit.
func (c *Client) OpenPullRequest(ctx context.Context, repo Repo, heading, description string) (PullRequest, error) {
	q := call{
		op: "open a pull request for " + repo.String(), repo: repo, method: http.MethodPost,
		url: c.api(repo.APIPath(), "discussions"),
		body: struct {
			Title       string `json:"title"`
			Description string `json:"description"`
			PullRequest bool   `json:"pullRequest"`
		}{title(heading), description, true},
		once: true, proposes: true,
	}
	var a struct {
		Num int `json:"num"`
	}
	if err := c.ask(ctx, q, &a); err != nil {
		return PullRequest{}, err
	}
	if a.Num < 1 {
		return PullRequest{}, unexpected(q, http.StatusOK, nil)
	}
	return PullRequest{a.Num}, nil
}

// PublishPullRequest makes a draft an open pull request, which can be merged.
func (c *Client) PublishPullRequest(ctx context.Context, repo Repo, p PullRequest) error {
	_, err := c.do(ctx, call{
		op: fmt.Sprintf("publish pull request %d of %s", p.Num, repo), repo: repo, method: http.MethodPost,
		url: c.api(repo.APIPath(), "discussions", strconv.Itoa(p.Num), "status"),
		body: struct {
			Status string `json:"status"`
		}{"open"},
		proposes: true,
	})
	return err
}
