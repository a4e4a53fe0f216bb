// Package hubapi speaks the Hub's HTTP API, as little of it as git cannot do.
//
// A [Repo] names a repository and knows its paths. An [Endpoint] says where the Hub is. A [Token] is found once
// by [FindToken] and can be sent, but never shown. A [Client] puts the three together: who am I, create a repo, let the
// Hub judge a card, read a revision and its tree. Answers that are errors become an [*Error] with the Hub's own words
// and advice.
package hubapi
