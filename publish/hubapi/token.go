package hubapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// masked stands for a secret wherever one would be shown.
const masked = "***"

// Token is a secret of the Hub that can be sent and not shown: printing, logging and encoding it give "***". The zero
// Token is none and sends nothing.
type Token struct {
	// reveal holds the secret in a closure, since fmt and other printers look into fields that have no methods for them.
	reveal func() string
	source string
}

// NewToken makes a token of a secret. The source says where it came from, for messages: a variable, a file.
func NewToken(secret, source string) Token {
	if secret == "" {
		return Token{source: source}
	}
	return Token{func() string { return secret }, source}
}

// Present reports whether there is a token at all.
func (t Token) Present() bool { return t.reveal != nil }

// Source is where the token came from, as in "HF_TOKEN" or "~/.cache/huggingface/token". For a token that was not found
// it says where it was looked for.
func (t Token) Source() string { return t.source }

// Bearer puts the token into a request for the API or LFS. No token leaves the request as it is.
func (t Token) Bearer(r *http.Request) {
	if t.Present() {
		r.Header.Set("Authorization", "Bearer "+t.reveal())
	}
}

// Basic puts the token into a request for git's smart HTTP, as the password of a user. The Hub takes any user name that is
// not empty; an empty one becomes hf_user, which is what its own credential helper writes.
func (t Token) Basic(r *http.Request, user string) {
	if !t.Present() {
		return
	}
	if user == "" {
		user = "hf_user"
	}
	r.SetBasicAuth(user, t.reveal())
}

// Redact replaces the token in a text.
func (t Token) Redact(text string) string {
	if !t.Present() {
		return text
	}
	return strings.ReplaceAll(text, t.reveal(), masked)
}

// String never shows the token: it is "***", or "" when there is none.
func (t Token) String() string {
	if t.Present() {
		return masked
	}
	return ""
}

// GoString never shows the token.
func (t Token) GoString() string { return "hubapi.Token(" + t.String() + ")" }

// Format never shows the token, whatever the verb.
func (t Token) Format(s fmt.State, verb rune) { io.WriteString(s, t.String()) }

// MarshalText never shows the token.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalJSON never shows the token.
func (t Token) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }

// LogValue never shows the token.
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// TokenError is a token that was found and cannot be used. It does not hold the token.
type TokenError struct {
	// Source is the variable or file.
	Source string
	Err    error
}

// Error says where the token is and what is wrong with it.
func (e *TokenError) Error() string { return fmt.Sprintf("token from %s: %v", e.Source, e.Err) }

// Unwrap is what is wrong.
func (e *TokenError) Unwrap() error { return e.Err }

// ErrTrustedPublisher says that HF_OIDC_RESOURCE is set: a token is to be asked for by [TrustedPublisher], and no other
// one is taken.
var ErrTrustedPublisher = errors.New("HF_OIDC_RESOURCE is set: the token comes from a trusted publisher")

// FindToken looks for the user's token in the order of the Hub's own client: HF_TOKEN, HUGGING_FACE_HUB_TOKEN, then the
// file named by HF_TOKEN_PATH, else $HF_HOME/token, else $XDG_CACHE_HOME/huggingface/token, else
// ~/.cache/huggingface/token. Names that the client has saved beside the active token (stored_tokens) are not read.
//
// The zero Token means that there is none, or that HF_HUB_DISABLE_IMPLICIT_TOKEN forbids to use it; its Source says which.
// The error is [ErrTrustedPublisher], or a *[TokenError] for a file that cannot be read or a value that is no token.
// getenv reads the environment, "" for a variable that is not set; home is the user's home folder.
func FindToken(getenv func(string) string, home string) (Token, error) {
	switch {
	case getenv("HF_OIDC_RESOURCE") != "":
		return Token{}, ErrTrustedPublisher
	case isTrue(getenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")):
		return Token{source: "nowhere, since HF_HUB_DISABLE_IMPLICIT_TOKEN is set"}, nil
	}
	for _, name := range []string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"} {
		if secret := cleanToken(getenv(name)); secret != "" {
			return checkedToken(secret, name)
		}
	}
	path := tokenPath(getenv, home)
	source := path
	if inside, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		source = "~" + string(filepath.Separator) + inside
	}
	text, err := readTokenFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Token{}, &TokenError{source, err}
	}
	if secret := cleanToken(text); secret != "" {
		return checkedToken(secret, source)
	}
	return Token{source: "HF_TOKEN and " + source}, nil
}

// tokenPath is the file that holds the active token.
func tokenPath(getenv func(string) string, home string) string {
	if path := getenv("HF_TOKEN_PATH"); path != "" {
		return expand(path, getenv, home)
	}
	if dir := getenv("HF_HOME"); dir != "" {
		return filepath.Join(expand(dir, getenv, home), "token")
	}
	cache := filepath.Join(home, ".cache")
	if dir := getenv("XDG_CACHE_HOME"); dir != "" {
		cache = expand(dir, getenv, home)
	}
	return filepath.Join(cache, "huggingface", "token")
}

// expand replaces a leading ~ and $VAR in a path. A variable that is not set stays as it is written.
func expand(path string, getenv func(string) string, home string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "~"+string(filepath.Separator)) {
		path = home + path[1:]
	}
	return os.Expand(path, func(name string) string {
		if value := getenv(name); value != "" {
			return value
		}
		return "$" + name
	})
}

// readTokenFile reads what may be a token: the beginning of a small file.
func readTokenFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", bare(err)
	}
	defer f.Close()
	const most = 16 << 10
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", bare(err)
	}
	if len(data) > most {
		return "", errors.New("the file is too long to hold a token")
	}
	return string(data), nil
}

// bare takes the path out of an error that is printed beside it.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// cleanToken drops line ends and the space around a token, as the Hub's client does.
func cleanToken(text string) string {
	return strings.TrimSpace(strings.NewReplacer("\r", "", "\n", "").Replace(text))
}

// checkedToken refuses what no HTTP header can carry.
func checkedToken(secret, source string) (Token, error) {
	for _, c := range []byte(secret) {
		if c <= ' ' || c > '~' {
			return Token{}, &TokenError{source, errors.New("it holds what no token holds, such as blanks: copy it again")}
		}
	}
	return NewToken(secret, source), nil
}

// isTrue reads a switch as the Hub's client does.
func isTrue(value string) bool {
	switch strings.ToUpper(value) {
	case "1", "ON", "YES", "TRUE":
		return true
	}
	return false
}
