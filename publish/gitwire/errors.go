package gitwire

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"

	"github.com/hfpub/hfpub/publish/exchange"
)

// AuthError says that the server wants other credentials: 401 for none or wrong ones, 403 for ones that do not suffice.
type AuthError struct {
	Status *exchange.StatusError
	// MovedTo is the host that the server redirected to and that got no credentials for that reason; "" in general.
	MovedTo string
}

func (e *AuthError) Error() string {
	if e.MovedTo != "" {
		return fmt.Sprintf("%s (the server redirected to %s, where credentials are not sent)", e.Status, e.MovedTo)
	}
	return e.Status.Error()
}

func (e *AuthError) Unwrap() error { return e.Status }

// NotFoundError says that there is no such repository, or none that these credentials may see.
type NotFoundError struct{ Status *exchange.StatusError }

func (e *NotFoundError) Error() string { return e.Status.Error() }
func (e *NotFoundError) Unwrap() error { return e.Status }

// NotGitError says that something answered that is no git server: a sign-in page, a proxy, a web site.
type NotGitError struct{ URL, ContentType string }

func (e *NotGitError) Error() string {
	kind := e.ContentType
	if kind == "" {
		kind = "content of no type"
	}
	return fmt.Sprintf("%s is no git server: it answered with %s", e.URL, kind)
}

// MalformedError says that an answer cannot be read as one of git's.
type MalformedError struct {
	// Op says what was asked for, as in "git refs".
	Op  string
	Err error
}

func (e *MalformedError) Error() string {
	return fmt.Sprintf("%s: the server's answer makes no sense: %v", e.Op, e.Err)
}

func (e *MalformedError) Unwrap() error { return e.Err }

// NoCommitError says that the remote has no such commit, or does not give it out.
type NoCommitError struct{ Commit plumbing.Hash }

func (e *NoCommitError) Error() string { return fmt.Sprintf("the remote has no commit %s", e.Commit) }

// FormatError says that the repository names its objects by another hash than SHA-1.
type FormatError struct{ Format string }

func (e *FormatError) Error() string {
	return fmt.Sprintf("the remote repository uses the object format %s; hfpub can push to sha1 repositories only", e.Format)
}

// StaleError says that a branch is not where it was when the push was planned. Nothing was overwritten.
type StaleError struct {
	Ref string
	// Want is the commit that the push was planned for, Have where the branch is; zero: the branch does not exist.
	Want, Have plumbing.Hash
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("%s has moved: it was planned for %s and is at %s now", e.Ref, short(e.Want), short(e.Have))
}

func short(h plumbing.Hash) string {
	if h.IsZero() {
		return "nothing"
	}
	return h.String()[:12]
}

// RejectedError says that the server has refused a push. Nothing was changed.
type RejectedError struct {
	// Unpack is what became of the pack, "ok" where it is fine.
	Unpack string
	// Refs holds the server's answer for each ref, "ok" where it is fine.
	Refs map[string]string
	// Remote is what the server said to people, line by line.
	Remote []string
}

func (e *RejectedError) Error() string {
	const shown = 20
	var why []string
	if e.Unpack != "ok" {
		why = append(why, "unpack: "+e.Unpack)
	}
	for ref, status := range e.Refs {
		if status != "ok" {
			why = append(why, ref+": "+status)
		}
	}
	slices.Sort(why)
	text := "the server refused the push: " + strings.Join(why, "; ")
	if len(e.Remote) == 0 {
		return text
	}
	said, more := e.Remote, ""
	if len(said) > shown {
		said, more = said[:shown], fmt.Sprintf(" / and %d lines more", len(said)-shown)
	}
	return text + "; it says: " + strings.Join(said, " / ") + more
}

// explain turns an error of a session into one of ours, with its status and without the address's query.
func (r *Remote) explain(op string, err error) error {
	err = peel(err)
	var (
		status *exchange.StatusError
		line   *pktline.ErrorLine
		client *url.Error
		local  *fs.PathError

		malformed *MalformedError
	)
	switch {
	case errors.As(err, &status):
		return r.byStatus(status)
	case errors.As(err, &line):
		return fmt.Errorf("%s: the server says: %s", op, exchange.Clean(line.Text))
	case errors.As(err, &malformed):
		return malformed
	case errors.As(err, &client), errors.Is(err, io.ErrUnexpectedEOF):
		return exchange.Foreign(exchange.Plain(op, nil, err))
	case errors.As(err, &local), exchange.Retryable(err), exchange.IsPermanent(err):
		return fmt.Errorf("%s: %w", op, exchange.Foreign(err))
	}
	return &MalformedError{op, exchange.Foreign(err)}
}

func (r *Remote) byStatus(status *exchange.StatusError) error {
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &AuthError{status, r.elsewhere(status.URL)}
	case http.StatusNotFound, http.StatusGone:
		return &NotFoundError{status}
	}
	return status
}

// peel takes off the wrappers of go-git that hide their cause from [errors.As].
func peel(err error) error {
	var unexpected *plumbing.UnexpectedError
	for errors.As(err, &unexpected) {
		err = unexpected.Err
	}
	var fixed *plumbing.PermanentError
	for errors.As(err, &fixed) {
		err = fixed.Err
	}
	return err
}
