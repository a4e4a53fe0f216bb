package hubapi

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
)

// Repo names one repository of the Hub. The zero Repo names none; [NewRepo] makes one.
type Repo struct {
	Type release.Type
	// ID is namespace/name.
	ID string
}

// repoID is the pattern of the Hub's own client for ASCII ids, with the namespace required.
var repoID = lazyregexp.New(`^\w(?:[\w.-]*\w)?/\w(?:[\w.-]{0,94}\w)?$`)

// RepoIDError is a repository type or id that no repository of the Hub can have.
type RepoIDError struct {
	Type release.Type
	ID   string
	// Want says what the rule is that was broken.
	Want string
}

// Error names the id and the rule.
func (e *RepoIDError) Error() string {
	return fmt.Sprintf("%q is no %s id of the Hub: %s", e.ID, e.Type, e.Want)
}

// NewRepo checks a repository's type and id by the rules of the Hub's own client. The error is a *[RepoIDError].
func NewRepo(kind release.Type, id string) (Repo, error) {
	bad := func(want string) (Repo, error) { return Repo{}, &RepoIDError{kind, id, want} }
	switch {
	case kind != release.Dataset && kind != release.Model:
		return bad("the type is dataset or model")
	case strings.Count(id, "/") != 1:
		return bad("write namespace/name, without datasets/ before it")
	case !repoID.MatchString(id):
		return bad("namespace and name are letters, digits, '_', '-' and '.', begin and end with a letter, digit or '_', " +
			"and the name has at most 96 characters")
	case strings.Contains(id, "--") || strings.Contains(id, ".."):
		return bad("'--' and '..' are not allowed")
	case strings.HasSuffix(id, ".git"):
		return bad("it may not end with .git")
	}
	return Repo{kind, id}, nil
}

// Namespace is the user or organization that owns the repo.
func (r Repo) Namespace() string {
	namespace, _, _ := strings.Cut(r.ID, "/")
	return namespace
}

// Name is the id without its namespace.
func (r Repo) Name() string {
	_, name, _ := strings.Cut(r.ID, "/")
	return name
}

// Path is the repo's place below the endpoint for the web, git, LFS and resolve: models have no prefix there.
func (r Repo) Path() string {
	if r.Type == release.Dataset {
		return "datasets/" + r.ID
	}
	return r.ID
}

// APIPath is the repo's place below /api/, where models do have a prefix.
func (r Repo) APIPath() string {
	if r.Type == release.Dataset {
		return "datasets/" + r.ID
	}
	return "models/" + r.ID
}

// String is the repo as people write it, e.g. "dataset acme/rows".
func (r Repo) String() string { return string(r.Type) + " " + r.ID }
