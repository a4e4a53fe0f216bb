// Package exchange is what the git client and the LFS client share when they talk to a server that may be slow, busy or
// gone.
//
// [Transport] ends an exchange in which nothing moves. [StatusError] is an answer that is no success, told in one clean
// line. [Policy] tries again what is worth another try, and waits as long as the server asks for. [Clean] makes a
// server's words fit to print. No token, header or query of a URL ever reaches an error of this package.
package exchange

import (
	"net/url"
	"strings"
)

// SameOrigin reports whether two URLs have the same scheme, host and port. What was given for one origin is never sent to
// another; a subdomain is another origin.
func SameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return "443"
	}
	return "80"
}

// Bare writes a URL without credentials, query and fragment, which may all hold secrets: a presigned link carries its
// signature in the query.
func Bare(u *url.URL) string {
	if u == nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}
