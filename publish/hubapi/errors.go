package hubapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Error is an answer of the Hub that is no success. It never holds a token.
type Error struct {
	// Op says what was asked for, as in "create dataset acme/rows".
	Op string
	// Status is the HTTP status.
	Status int
	// Code is the Hub's own name of the error, as in RepoNotFound; often "".
	Code string
	// Message is what the Hub said, on one clean line; may be "".
	Message string
	// RequestID is what the Hub's support asks for; may be "".
	RequestID string
	// Advice says what to do; may be "".
	Advice string

	err error
}

// Error is all of it on one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: HTTP %d", e.Op, e.Status)
	if text := http.StatusText(e.Status); text != "" {
		b.WriteString(" " + text)
	}
	if e.Code != "" {
		fmt.Fprintf(&b, " (%s)", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " [request %s]", e.RequestID)
	}
	if e.Advice != "" {
		b.WriteString("; " + e.Advice)
	}
	return b.String()
}

// Unwrap is the error underneath, for [exchange.Code] and the like.
func (e *Error) Unwrap() error { return e.err }

// NoAPI reports whether an error of a call says that there is no such call: the server is no Hub.
func NoAPI(err error) bool {
	switch exchange.Code(err) {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return false
}

// explain turns an error of the exchange into one with advice. An error that is no answer, such as a broken connection,
// stays as it is, but for the token.
func (c *Client) explain(q call, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	var status *exchange.StatusError
	if !errors.As(err, &status) {
		text := c.clean(err.Error())
		if q.proposes && q.once && !errors.Is(err, context.Canceled) {
			text += "; " + maybeOpened
		}
		return &redactedError{err, text}
	}
	e := &Error{
		Op: q.op, Status: status.Code, Code: status.Reason, Message: c.clean(status.Message),
		RequestID: c.clean(status.RequestID), err: err,
	}
	e.Advice = c.advice(q, e)
	status.Message, status.RequestID = e.Message, e.RequestID
	return e
}

// redactedError is an error that is no answer, such as a redirect elsewhere, without the token in its text.
type redactedError struct {
	err  error
	text string
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.err }

// maybeOpened is the advice where an answer about a new pull request was lost.
const maybeOpened = "the pull request may be open all the same: look at the repo's page, and go on with --branch refs/pr/N if it is"

// advice says what to do about an error of the Hub.
func (c *Client) advice(q call, e *Error) string {
	says := func(words string) bool { return strings.Contains(strings.ToLower(e.Message), words) }
	switch {
	case says("invalid credentials"):
		return c.badToken()
	case e.Code == "GatedRepo":
		return "open the repo's page in a browser and request access"
	case e.Code == "RevisionNotFound":
		return fmt.Sprintf("there is no branch, tag or commit %q in %s", q.rev, q.repo)
	case e.Code == "EntryNotFound":
		return "the path does not exist in this revision"
	case exchange.WantsSignIn(e.Message):
		return "sign in to the organization with the browser as it wants it, and call from a network that it allows"
	case q.collects && e.Status < 500 && c.aboutCollection(e) != "":
		return c.aboutCollection(e)
	case q.proposes && e.Code != "RepoNotFound" && (NoAPI(e.err) || e.Status == http.StatusGone ||
		says("discussions are disabled") || says("pull requests are disabled")):
		return "pull requests are switched off for this repo, or the server has none: ask its owner to switch them on in the repo's settings, " +
			"or push without --pr"
	case q.proposes && q.once && e.Status >= 500:
		return maybeOpened
	case q.repo != Repo{} && (e.Code == "RepoNotFound" || e.Status == http.StatusNotFound):
		return fmt.Sprintf("check the id and the type (data sets have /datasets/ in their address): %s may not exist, or be private to others; "+
			"if it is new, `hfpub push --first` makes it", q.repo)
	}
	switch e.Status {
	case http.StatusUnauthorized:
		if c.token.Present() {
			return c.badToken()
		}
		return "there is no token (looked for it in " + c.token.Source() + "): set HF_TOKEN; without one, repos that are private or not " +
			"there cannot be told apart"
	case http.StatusPaymentRequired:
		return "the Hub wants a paid plan for this"
	case http.StatusForbidden:
		return c.forbidden(q, says)
	case http.StatusRequestEntityTooLarge:
		return "what was sent is too large for the Hub: make README.md shorter"
	case http.StatusConflict:
		return "what is asked for is there already, or is being changed: look at it, and run the command again"
	case http.StatusTooManyRequests:
		return "wait until the Hub's limit is over, some minutes or up to an hour, and run the command again"
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "the Hub has trouble: run the command again later"
	}
	return ""
}

// aboutCollection says what to do about a collection that the Hub does not let be changed; "" where the status alone says more.
func (c *Client) aboutCollection(e *Error) string {
	switch e.Status {
	case http.StatusNotFound, http.StatusGone:
		return "the collection or the repo is not there, or private to others: check the collection's address, or give a title, which makes a new one"
	case http.StatusBadRequest, http.StatusForbidden, http.StatusUnprocessableEntity:
		return fmt.Sprintf("the collection may be full or somebody else's, or its title too long; the token from %s needs the right to change "+
			"collections of that owner: name another collection, or ask its owner", c.token.Source())
	}
	return ""
}

func (c *Client) badToken() string {
	if !c.token.Present() {
		return "set HF_TOKEN to a valid token"
	}
	return fmt.Sprintf("the token from %s is wrong, revoked or expired: replace it (`hf auth whoami` says whose it is)", c.token.Source())
}

// forbidden tells apart the reasons for a 403.
func (c *Client) forbidden(q call, says func(string) bool) string {
	switch {
	case says("storage"):
		return "free space, or ask for more storage"
	case says("access to this resource is disabled"):
		return "the repo is disabled: write to the Hub's support"
	case says("approval") || says("revoked") || says("fine-grained"):
		return "ask an admin of the organization about its rules for tokens"
	case says("create_pr"):
		return "ask someone with write access, or open a pull request: hfpub push --pr"
	case !c.token.Present():
		return "this needs a token: set HF_TOKEN"
	case q.proposes:
		return fmt.Sprintf("pull requests may be switched off for this repo, or the token from %s lacks the right to open discussions and pull "+
			"requests", c.token.Source())
	}
	return fmt.Sprintf("the token from %s may not do this: it needs the write role; a fine-grained one needs write access to the contents of "+
		"this repo or of its organization, and the right to open discussions for --pr", c.token.Source())
}
