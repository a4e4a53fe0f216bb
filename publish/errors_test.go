package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/lfs"
)

// What a person is told to do, for every situation that is known.
func TestAdvice(t *testing.T) {
	status := func(code int, message string) *exchange.StatusError {
		return &exchange.StatusError{Op: "LFS batch", Code: code, Message: message}
	}
	said := func(line string) error {
		return &gitwire.RejectedError{Unpack: "ok", Refs: map[string]string{mainRef: "pre-receive hook declined"},
			Remote: []string{line}}
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a token that is wrong", &gitwire.AuthError{Status: status(401, "")}, "the token from HF_TOKEN was not accepted: it may be wrong, expired or revoked (`hf auth whoami`"},
		{"a redirect to a host that gets no token", &gitwire.AuthError{Status: status(401, ""), MovedTo: "other.example"},
			"give the new address"},
		{"a redirect to nowhere", status(302, ""), "check the remote's URL"},
		{"a token without rights", &gitwire.AuthError{Status: status(403, "")},
			"it needs the role write, and a fine-grained one needs write access to the contents of this repository"},
		{"a token without rights in LFS", status(403, "Authorization error"), "the token from HF_TOKEN lacks the right"},
		{"a repository that is not there", &gitwire.NotFoundError{Status: status(404, "")}, "check the id and the type"},
		{"a token that waits for approval", &gitwire.AuthError{Status: status(403, "This token is pending approval by the organization")},
			"ask an admin of the organization"},
		{"a sign-on of an organization", &gitwire.AuthError{Status: status(403, "Please sign in with SSO to access it")},
			"sign in to the organization"},
		{"words that only look like one", &gitwire.AuthError{Status: status(403, "no role associated with it")}, "lacks the right"},
		{"a gated repository", &gitwire.AuthError{Status: &exchange.StatusError{Code: 403, Reason: "GatedRepo"}}, "request access"},
		{"a disabled repository, by git", &gitwire.AuthError{Status: status(403, "Access to this resource is disabled.")}, "support"},
		{"a server that is not atomic", &gitwire.NotAtomicError{}, "push without --tag first, then once more"},
		{"a tag that stands elsewhere", &TagError{Tag: "v1"}, "a published tag never moves"},
		{"a store that gives the wrong number of links", &lfs.UploadError{Failures: []lfs.Failure{{Err: &lfs.LinkError{Err: &lfs.MalformedError{}}}}},
			"nothing was pushed"},
		{"no LFS", status(404, ""), "has Git LFS"},
		{"no space for private repos", status(403, "Private repository storage limit reached"), "free space"},
		{"a blocked account", status(403, "Your storage patterns tripped our internal systems"), "support"},
		{"a disabled repository", status(403, "Access to this resource is disabled."), "support"},
		{"a plan is needed", status(402, ""), "paid plan"},
		{"a proxy with a limit", status(413, ""), "put more files into LFS"},
		{"a rate limit", status(429, ""), "wait, then push again"},
		{"a server in trouble", status(503, ""), "push again later"},
		{"a full disk", &fs.PathError{Op: "write", Path: "/tmp/x", Err: syscall.ENOSPC}, "TMPDIR"},
		{"a full server", status(507, ""), "out of space"},
		{"a broken connection", exchange.Plain("git push", nil, &url.Error{Op: "Post", Err: io.EOF}), "check the network"},
		{"a push that was overtaken", &gitwire.StaleError{Ref: mainRef}, "nothing was overwritten"},
		{"a push of unknown outcome", &gitwire.UnknownError{Ref: mainRef, Err: io.EOF}, "push again: that finds out"},
		{"an interrupted push of unknown outcome", &gitwire.UnknownError{Ref: mainRef, Err: context.Canceled},
			"push again: that finds out"},
		{"an interrupted push", context.Canceled, "nothing was changed"},
		{"a push that was not seen", &UnverifiedError{Commit: "1", Err: io.EOF}, "hfpub verify"},
		{"big plain files", said("Your push was rejected because it contains files larger than 10 MiB."), "into LFS"},
		{"binary plain files", said("Your push was rejected because it contains binary files."), "into LFS"},
		{"a pointer to nothing", said("LFS pointer pointed to a file that does not exist: 1"), "wait some minutes"},
		{"a bad card", said("rejected during YAML metadata verification"), "README.md"},
		{"an unreadable card", said("Invalid YAML in README.md"), "README.md"},
		{"a token that may not write", said("DENIED update refs/heads/main: forbidden"), "write access"},
		{"a hook of one's own", said("no pushes on Fridays"), "do what the server says"},
		{"something that is no git server", &gitwire.NotGitError{}, "check the remote's URL"},
		{"an answer that makes no sense", &gitwire.MalformedError{Op: "git refs", Err: io.ErrNoProgress}, "check the remote's URL"},
		{"an LFS answer that makes no sense", &lfs.UploadError{Failures: []lfs.Failure{{Err: &lfs.MalformedError{Why: "no answer"}}}},
			"nothing was pushed"},
		{"a redirect", &exchange.RedirectError{}, "check the remote's URL"},
		{"a file that was changed", &lfs.ChangedError{Path: "x"}, "let nothing write"},
		{"a file that was changed before it was packed", &gitwire.ChangedError{}, "let nothing write"},
		{"a store that refuses its links", &lfs.UploadError{Failures: []lfs.Failure{{Err: &lfs.LinkError{Err: status(403, "")}}}},
			"the store behind the LFS server"},
		{"a clone that is behind", &BehindError{Branch: "main"}, "git pull"},
		{"too many removals", &RemovalsError{}, "right folder"},
		{"a branch that is not there", &MissingBranchError{}, "check the name"},
		{"a commit that is not there", &gitwire.NoCommitError{}, "list of commits"},
		{"objects that are not there", &AbsentError{}, "nothing was pushed"},
		{"a file that is a folder", &gitwire.ClashError{}, "rename"},
		{"wrapped", fmt.Errorf("plan: %w", status(503, "")), "push again later"},
	} {
		p := &Publisher{opts: Options{TokenSource: "HF_TOKEN"}}
		err := p.advise(c.err)
		var advised *Error
		if !errors.As(err, &advised) || !strings.Contains(advised.Hint, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want advice with %q", c.name, err, c.want)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q goes over several lines", c.name, err)
		}
		if again := p.advise(err); again != err {
			t.Errorf("%s: advice was given twice", c.name)
		}
	}
	first := &Publisher{opts: Options{TokenSource: "HF_TOKEN", First: true}}
	if hint := first.hint(&gitwire.NotFoundError{Status: status(404, "")}); strings.Contains(hint, "--first") ||
		!strings.Contains(hint, "create it there") {
		t.Errorf("404 with --first: %q, want it said that the server does not make it", hint)
	}
	hint := (&Publisher{}).hint(&gitwire.AuthError{Status: status(401, "")})
	if !strings.Contains(hint, "there is no token") {
		t.Errorf("401 without a token: %q, want it said that there is none", hint)
	}
}

func TestErrorsAreShort(t *testing.T) {
	many := make([]string, 50)
	for i := range many {
		many[i] = fmt.Sprintf("data/%02d.jsonl", i)
	}
	if text := (&RemovalsError{Removed: many, Managed: 60}).Error(); len(text) > 250 || !strings.Contains(text, "50 of 60") {
		t.Errorf("%q, want the numbers and a few of the names", text)
	}
	failures := make([]lfs.Failure, 50)
	for i := range failures {
		failures[i] = lfs.Failure{Object: lfs.Object{Path: many[i]}, Err: io.EOF}
	}
	if text := (&lfs.UploadError{Failures: failures}).Error(); len(text) > 250 || !strings.Contains(text, "and 45 more") {
		t.Errorf("%q, want a few of the failures", text)
	}
	stale := &gitwire.StaleError{Ref: mainRef, Want: plumbing.ZeroHash, Have: plumbing.NewHash(strings.Repeat("a", 40))}
	if text := stale.Error(); !strings.Contains(text, "planned for nothing and is at aaaaaaaaaaaa") {
		t.Errorf("%q, want both places", text)
	}
}
