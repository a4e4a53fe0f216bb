package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/validate/finding"
)

// clean makes foreign text fit to print.
func clean(text string) string { return exchange.Clean(text) }

// Error is what every method of a [Publisher] returns when it fails: what went wrong and what to do about it.
type Error struct {
	Err error
	// Hint says what to do; may be "".
	Hint string
}

// Error is what went wrong and what to do, on one line.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + "; " + e.Hint
}

// Unwrap is what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// RefusedError says that the local files cannot be published as they are. Nothing was sent.
type RefusedError struct{ Findings []finding.Finding }

func (e *RefusedError) Error() string {
	const shown = 5
	var b strings.Builder
	b.WriteString("the files cannot be published as they are")
	for i, f := range e.Findings {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more", len(e.Findings)-shown)
			break
		}
		fmt.Fprintf(&b, "; %s: %s [%s]", f.Where(), f.Message, f.Code)
		if f.Hint != "" {
			fmt.Fprintf(&b, " (%s)", f.Hint)
		}
	}
	return b.String()
}

// RemovalsError says that a push would remove a large part of what the release owns on the remote.
type RemovalsError struct {
	// Removed are the paths that would go, Managed how many files the release owns there.
	Removed []string
	Managed int
}

func (e *RemovalsError) Error() string {
	const shown = 5
	list := e.Removed
	more := ""
	if len(list) > shown {
		list, more = list[:shown], ", …"
	}
	return fmt.Sprintf("%d of %d data files on the remote would be removed: %s%s", len(e.Removed), e.Managed,
		clean(strings.Join(list, ", ")), more)
}

// MissingBranchError says that the branch does not exist on the remote.
type MissingBranchError struct {
	Branch string
	// Branches are those that do exist.
	Branches []string
}

func (e *MissingBranchError) Error() string {
	return fmt.Sprintf("the remote has no branch %s (it has: %s)", clean(e.Branch), listed(e.Branches))
}

// MissingRevisionError says that the remote has no branch or tag of a name that is no commit either.
type MissingRevisionError struct {
	Revision string
	// Branches and Tags are those that do exist.
	Branches, Tags []string
}

func (e *MissingRevisionError) Error() string {
	has := "branches: " + listed(e.Branches)
	if len(e.Tags) > 0 {
		has += "; tags: " + listed(e.Tags)
	}
	return fmt.Sprintf("the remote has no branch and no tag %s (%s)", clean(e.Revision), has)
}

// listed writes the last names of a list, as many as a person reads.
func listed(names []string) string {
	const shown = 10
	more := ""
	if len(names) > shown {
		names, more = names[len(names)-shown:], "…, "
	}
	return more + clean(strings.Join(names, ", "))
}

// TagError says that the tag stands on another commit already.
type TagError struct{ Tag, Commit string }

func (e *TagError) Error() string {
	return fmt.Sprintf("the remote has a tag %s already, on commit %.12s", clean(e.Tag), e.Commit)
}

// BehindError says that the folder is a git clone that lacks commits of the remote's branch: what they changed is not in
// its files, and a push would take it back.
type BehindError struct {
	Branch string
	// Head is the remote's commit. Fetched says that the clone has it, but the checked-out branch does not contain it.
	Head    string
	Fetched bool
}

func (e *BehindError) Error() string {
	text := fmt.Sprintf("the remote's branch %s is at commit %.12s, which this clone lacks: it is behind, or has diverged",
		e.Branch, e.Head)
	if e.Fetched {
		text = fmt.Sprintf("the remote's branch %s is at commit %.12s, which this clone has fetched and its checked-out branch "+
			"lacks", e.Branch, e.Head)
	}
	return text
}

// AbsentError says that the LFS server has no content for objects that it has said it has. Nothing was pushed.
type AbsentError struct{ Paths []string }

func (e *AbsentError) Error() string {
	return fmt.Sprintf("the LFS server took the uploads but cannot give them out: %s", strings.Join(e.Paths, ", "))
}

// advise puts advice to an error, by what the Hub and other servers mean by it.
func (p *Publisher) advise(err error) error {
	var done *Error
	if err == nil || errors.As(err, &done) {
		return err
	}
	return &Error{Err: &redactedError{err, p.redact}, Hint: p.hint(err)}
}

// redactedError is an error without credentials in its text.
type redactedError struct {
	error
	redact func(string) string
}

func (e *redactedError) Error() string { return e.redact(e.error.Error()) }
func (e *redactedError) Unwrap() error { return e.error }

func (p *Publisher) hint(err error) string {
	var (
		auth      *gitwire.AuthError
		none      *gitwire.NotFoundError
		stale     *gitwire.StaleError
		rejected  *gitwire.RejectedError
		unknown   *gitwire.UnknownError
		unseen    *UnverifiedError
		notGit    *gitwire.NotGitError
		noCommit  *gitwire.NoCommitError
		malformed *gitwire.MalformedError
		badLFS    *lfs.MalformedError
		changed   *gitwire.ChangedError
		altered   *lfs.ChangedError
		redirect  *exchange.RedirectError
		behind    *BehindError
		removals  *RemovalsError
		branch    *MissingBranchError
		revision  *MissingRevisionError
		absent    *AbsentError
		clash     *gitwire.ClashError
		link      *lfs.LinkError
		tag       *TagError
		notAtomic *gitwire.NotAtomicError
	)
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free space where temporary files go, or set TMPDIR to a folder with room"
	case errors.As(err, &unknown):
		return "push again: that finds out, and does nothing when the push has happened"
	case errors.As(err, &unseen):
		return "look at what arrived with `hfpub verify`"
	case errors.Is(err, context.Canceled):
		return "nothing was changed on the branch; uploads that are complete are not sent again next time"
	case errors.As(err, &auth) && auth.MovedTo != "":
		return "give the new address as the remote, or in HF_ENDPOINT, if you trust it"
	case errors.As(err, &auth):
		return p.authHint(auth.Status)
	case errors.As(err, &none):
		return p.notFoundHint()
	case errors.As(err, &stale):
		return "somebody else has pushed meanwhile; nothing was overwritten. Look at what changed, then plan and push again"
	case errors.As(err, &rejected):
		return rejectedHint(rejected)
	case errors.As(err, &notGit), errors.As(err, &redirect), errors.As(err, &malformed):
		return "check the remote's URL, HF_ENDPOINT and proxy settings"
	case errors.As(err, &badLFS):
		return "nothing was pushed; check the remote's URL, HF_ENDPOINT and proxy settings, and ask the server's support if it stays so"
	case errors.As(err, &changed), errors.As(err, &altered):
		return "let nothing write to the files during a push, then push again"
	case errors.As(err, &behind):
		return "run `git pull` (commit or stash local changes first), then push again"
	case errors.As(err, &removals):
		return "check that this is the right folder; if it is meant, push with --allow-removals"
	case errors.As(err, &noCommit):
		return "look at the list of commits on the repository's page"
	case errors.As(err, &branch):
		return "check the name; `hfpub push --first` makes a new one"
	case errors.As(err, &revision):
		return "check the name; a commit is written with all its 40 hex digits"
	case errors.As(err, &absent):
		return "nothing was pushed; wait some minutes and push again, and ask the Hub's support if it stays so"
	case errors.As(err, &link):
		return "the store behind the LFS server refuses its own links or loses what it is sent: push again later; if it stays " +
			"so, check this machine's clock and proxy, and ask the server's support"
	case errors.As(err, &tag):
		return "a published tag never moves: give this release a version of its own"
	case errors.As(err, &notAtomic):
		return "push without --tag first, then once more with it: a tag alone can be set"
	case errors.As(err, &clash):
		return "rename the file or folder here, or remove the one on the remote"
	}
	return p.statusHint(err)
}

// statusHint is the advice by HTTP status, for LFS and whatever else came back as a plain status or not at all.
func (p *Publisher) statusHint(err error) string {
	var status *exchange.StatusError
	if !errors.As(err, &status) && exchange.Retryable(err) {
		return "check the network, then push again; what has been uploaded is not sent twice"
	}
	if status == nil {
		return ""
	}
	text := strings.ToLower(status.Message)
	switch {
	case strings.Contains(text, "storage limit"):
		return "free space in the account, or get more, then push again"
	case strings.Contains(text, "storage patterns"):
		return "the account is blocked for uploads: write to the Hub's support"
	}
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return p.authHint(status)
	case http.StatusPaymentRequired:
		return "the Hub wants a paid plan for this"
	case http.StatusNotFound, http.StatusNotImplemented:
		return "check that the remote exists and has Git LFS"
	case http.StatusRequestEntityTooLarge:
		return "a server on the way takes no request of this size: put more files into LFS by .gitattributes"
	case http.StatusTooManyRequests:
		return "the rate limit is reached: wait, then push again; what has been uploaded is not sent twice"
	case http.StatusInsufficientStorage:
		return "the server is out of space"
	}
	if status.Code/100 == 3 {
		return "check the remote's URL, HF_ENDPOINT and proxy settings"
	}
	if exchange.RetryableCode(status.Code) {
		return "the server has trouble: push again later; what has been uploaded is not sent twice"
	}
	return ""
}

func (p *Publisher) authHint(status *exchange.StatusError) string {
	text := strings.ToLower(status.Message)
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	switch {
	case says("disabled"):
		return "the repository is disabled: write to the Hub's support"
	case says("storage limit"):
		return "free space in the account, or get more, then push again"
	case status.Reason == "GatedRepo":
		return "open the repository's page in a browser and request access"
	case status.Code == http.StatusForbidden && says("approval", "revoked", "fine-grained"):
		return "ask an admin of the organization about its rules for tokens"
	case exchange.WantsSignIn(text):
		return "sign in to the organization with the browser as it wants it, and call from a network that it allows"
	case p.opts.TokenSource == "":
		return "there is no token: set HF_TOKEN to a token with write access"
	case status.Code == http.StatusUnauthorized:
		return fmt.Sprintf("the token from %s was not accepted: it may be wrong, expired or revoked (`hf auth whoami` says whose it is)", p.opts.TokenSource)
	}
	if strings.HasPrefix(p.target.Branch, "refs/pr/") {
		return fmt.Sprintf("the token from %s lacks the right to push to this pull request: those may who opened it, and who may write to the "+
			"repository; a fine-grained one needs the right to open discussions and pull requests", p.opts.TokenSource)
	}
	return fmt.Sprintf("the token from %s lacks the right to do this: it needs the role write, and a fine-grained one needs write access to "+
		"the contents of this repository or of its organization; without it, a pull request may do (--pr)", p.opts.TokenSource)
}

func (p *Publisher) notFoundHint() string {
	hint := "check the id and the type of the repository (datasets have /datasets/ in their URL)"
	if p.opts.TokenSource == "" {
		return hint + "; a private one needs a token in HF_TOKEN"
	}
	if p.opts.First {
		return hint + "; the server makes no repository by itself: create it there"
	}
	return hint + "; if it is new, `hfpub push --first` makes it"
}

// rejectedHint explains what a hook of the Hub has said: reference of its words is the Hub's own texts.
func rejectedHint(e *gitwire.RejectedError) string {
	text := strings.ToLower(strings.Join(e.Remote, " "))
	for _, known := range []struct{ words, hint string }{
		{"contains files larger than", "put these files into LFS by a line in .gitattributes, and push again"},
		{"contains binary files", "put these files into LFS by a line in .gitattributes, and push again"},
		{"lfs pointer pointed to a file that does not exist",
			"wait some minutes and push again: the server has lost sight of an uploaded object"},
		{"yaml metadata verification", "correct the named fields of README.md; `hfpub validate` checks them without a push"},
		{"invalid yaml in readme.md", "correct the front matter of README.md"},
		{"denied update", "use a token with write access to this repository"},
		{"forbidden", "use a token with write access to this repository"},
	} {
		if strings.Contains(text, known.words) {
			return known.hint
		}
	}
	return "nothing was changed; do what the server says, then push again"
}
