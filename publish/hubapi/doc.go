// Package hubapi speaks the Hub's HTTP API, as little of it as git cannot do.
//
// A [Repo] names a repository and knows its paths (repo.go). An [Endpoint] says where the Hub is (endpoint.go). A
// [Token] is found by [FindToken], or asked for by [TrustedPublisher], and can be sent but never shown (token.go,
// oidc.go). A [Client] puts the three together: who am I, create a repo, let the Hub judge a card, read a revision and
// its tree (calls.go), ask which files belong into LFS (preupload.go). An answer that is no success becomes an [*Error] with the Hub's own words and advice (errors.go).
//
// Retries, redirects and the cleaning of a server's words are those of package exchange, which the git and LFS clients
// share.
package hubapi
