package publish

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
)

// masked stands for a secret wherever one would be shown.
const masked = "***"

// Remote is a git remote as a user wrote it, taken apart.
type Remote struct {
	// URL is the address without credentials, for [Target].
	URL string
	// Shown is the address as it was written, with *** for what is secret. It is what every message prints.
	Shown string
	// User is the user name in the address, "" for none; a token that stands there is not shown as a name.
	User string
	// Token is the token in the address; none where it holds no credentials.
	Token hubapi.Token
}

// RemoteError is an address that cannot be pushed to. Its text shows no secret.
type RemoteError struct{ Shown, Why string }

func (e *RemoteError) Error() string { return fmt.Sprintf("remote %s: %s", e.Shown, e.Why) }

// ParseRemote takes the address of a git remote apart, so that a token in it is sent as a credential and shown nowhere. The
// error is a *[RemoteError].
func ParseRemote(raw string) (Remote, error) {
	raw = strings.TrimSpace(raw)
	bad := func(why string) (Remote, error) { return Remote{}, &RemoteError{mask(raw), why} }
	u, err := url.Parse(raw)
	if err != nil {
		return bad("it cannot be read as a URL; write https://HOST/PATH")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("only addresses that begin with https:// or http:// can be pushed to, as https://huggingface.co/datasets/you/my-data")
	case u.Hostname() == "":
		return bad("it names no host")
	case strings.Trim(u.Path, "/") == "":
		return bad("it names no repository")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return bad("a git remote has no query and no fragment; give a token by HF_TOKEN")
	}
	user, token := credentials(u.User)
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return Remote{URL: u.String(), Shown: mask(raw), User: user, Token: token}, nil
}

// credentials tells a user's name from a token. A token may stand in the place of the password or of the name.
func credentials(info *url.Userinfo) (user string, token hubapi.Token) {
	if info == nil {
		return "", hubapi.Token{}
	}
	const source = "the remote's URL"
	name := info.Username()
	password, _ := info.Password()
	switch {
	case isToken(name):
		return "", hubapi.NewToken(name, source)
	case password != "":
		return name, hubapi.NewToken(password, source)
	}
	return name, hubapi.Token{}
}

var (
	// knownToken matches the beginnings of tokens that hosts of git give out.
	knownToken = lazyregexp.New(`^(hf_|api_org_|gh[pousr]_|github_pat_|glpat-|gldt-|glcbt-)`)
	// longSecret matches names that are too long and even for a person's name.
	longSecret = lazyregexp.New(`^[A-Za-z0-9_-]{32,}$`)
)

// isToken reports whether what stands in the place of a user name looks like a token.
func isToken(name string) bool {
	return knownToken.MatchString(name) || longSecret.MatchString(name) && strings.ContainsAny(name, "0123456789")
}

// mask writes an address with *** for what may be secret in it: a password, a user name that looks like a token, and the
// query and fragment. It does so for any text, also one that is no URL.
func mask(raw string) string {
	raw, _, cut := cutAny(raw, "?#")
	if cut {
		raw += "?" + masked
	}
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		scheme, rest = "", raw
	} else {
		scheme += "://"
	}
	end := strings.LastIndexByte(rest, '@')
	if end < 0 {
		return clean(scheme + rest)
	}
	name, _, password := strings.Cut(rest[:end], ":")
	if decoded, err := url.PathUnescape(name); err != nil || isToken(decoded) || strings.ContainsAny(decoded, "/@") {
		name = masked
	}
	if password {
		name += ":" + masked
	}
	return clean(scheme + name + rest[end:])
}

// cutAny cuts a text at the first of some characters.
func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// HasToken reports whether the address holds a token.
func (r Remote) HasToken() bool { return r.Token.Present() }

// Finding is the warning about a token in the address. The push goes on with the token as a credential.
func (r Remote) Finding() finding.Finding {
	return finding.New(finding.PublishTokenInURL, "the remote %s holds a token; it is taken out and sent as a credential",
		r.Shown).
		Hinting("put the token into HF_TOKEN and write %s; a token in a URL ends up in the shell's history and in .git/config", r.URL)
}

// TwoTokens is the error for an address that holds a token while another one is configured, in the named place: nobody
// should have to guess which of them was used.
func (r Remote) TwoTokens(source string) error {
	return &Error{
		Err:  fmt.Errorf("the remote %s holds a token, and there is another one in %s", r.Shown, source),
		Hint: fmt.Sprintf("write %s to use the token from %s, or unset that one", r.URL, source),
	}
}
