package hubapi

import (
	"errors"
	"net/url"
	"strings"
)

// defaultEndpoint is the Hub, and stagingEndpoint where its makers try things.
const (
	defaultEndpoint = "https://huggingface.co"
	stagingEndpoint = "https://hub-ci.huggingface.co"
)

// Endpoint is the address of a Hub. The zero Endpoint is https://huggingface.co.
type Endpoint struct{ base string }

// EndpointError is an address that cannot be that of a Hub. It does not repeat the address, which may hold a secret.
type EndpointError struct{ Why string }

// Error says what is wrong with the address.
func (e *EndpointError) Error() string { return "HF_ENDPOINT: " + e.Why }

// FindEndpoint reads HF_ENDPOINT, else HUGGINGFACE_CO_STAGING. The error is an *[EndpointError].
func FindEndpoint(getenv func(string) string) (Endpoint, error) {
	if raw := getenv("HF_ENDPOINT"); raw != "" {
		return NewEndpoint(raw)
	}
	if isTrue(getenv("HUGGINGFACE_CO_STAGING")) {
		return Endpoint{stagingEndpoint}, nil
	}
	return Endpoint{defaultEndpoint}, nil
}

// NewEndpoint takes the address of a Hub: http or https, maybe with a path, without a token. The error is an
// *[EndpointError].
func NewEndpoint(raw string) (Endpoint, error) {
	bad := func(why string) (Endpoint, error) { return Endpoint{}, &EndpointError{why} }
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return bad("it is no URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return bad("it must begin with https:// and name a host, as in " + defaultEndpoint)
	case u.User != nil:
		return bad("it holds credentials: take them out and put the token into HF_TOKEN")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return bad("it has a query or fragment: leave only scheme, host and path")
	}
	return Endpoint{strings.TrimRight(u.String(), "/")}, nil
}

// Offline reads HF_HUB_OFFLINE and the older TRANSFORMERS_OFFLINE: make no network call.
func Offline(getenv func(string) string) bool {
	return isTrue(getenv("HF_HUB_OFFLINE")) || isTrue(getenv("TRANSFORMERS_OFFLINE"))
}

// String is the address without a slash at its end.
func (e Endpoint) String() string {
	if e.base == "" {
		return defaultEndpoint
	}
	return e.base
}

// WebURL is the page of a repo.
func (e Endpoint) WebURL(r Repo) string { return e.String() + "/" + r.Path() }

// GitURL is the address of a repo for git. It holds no token: send that in a header.
func (e Endpoint) GitURL(r Repo) string { return e.WebURL(r) }

// LFSURL is the address of a repo's LFS API, to which /objects/batch is added.
func (e Endpoint) LFSURL(r Repo) string { return e.WebURL(r) + ".git/info/lfs" }

// Local puts this endpoint in the place of the Hub's default one at the beginning of an address. A Hub behind a proxy may
// hand out links to itself under the name it has for the rest of the world.
func (e Endpoint) Local(href string) string {
	rest, ok := strings.CutPrefix(href, defaultEndpoint)
	if ok && (rest == "" || rest[0] == '/' || rest[0] == '?') {
		return e.String() + rest
	}
	return href
}

// ErrOffline says that a call was not made, since the client is offline.
var ErrOffline = errors.New("HF_HUB_OFFLINE is set: no call to the Hub is made")
