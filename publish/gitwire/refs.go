package gitwire

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"
)

// Refs is what a remote says of itself: where its refs are and what it can do.
type Refs struct {
	at, peeled   map[string]plumbing.Hash
	capabilities *capability.List
	// Head is the branch that the remote's HEAD names, as a full ref; "" where it does not say.
	Head string
}

// Get returns the commit that a full ref is at; zero where there is no such ref.
func (r *Refs) Get(ref string) plumbing.Hash { return r.at[ref] }

// Tagged returns the commit that a tag stands for, by its full ref: what an annotated one points to. It is zero where there is
// no such tag.
func (r *Refs) Tagged(ref string) plumbing.Hash {
	if commit, annotated := r.peeled[ref]; annotated {
		return commit
	}
	return r.at[ref]
}

// CheckAtomic says whether the server can move so many refs in one step; the error is a *[NotAtomicError].
func (r *Refs) CheckAtomic(updates int) error {
	if updates > 1 && !r.capabilities.Supports(capability.Atomic) {
		return &NotAtomicError{}
	}
	return nil
}

// Empty reports whether the repository has no refs at all: it is new.
func (r *Refs) Empty() bool { return len(r.at) == 0 }

// Branches lists the names of the branches, sorted and without refs/heads/.
func (r *Refs) Branches() []string { return r.below("refs/heads/") }

// Tags lists the names of the tags, sorted and without refs/tags/.
func (r *Refs) Tags() []string { return r.below("refs/tags/") }

func (r *Refs) below(prefix string) []string {
	var names []string
	for _, ref := range slices.Sorted(maps.Keys(r.at)) {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// Refs asks for the refs as one who reads. A repository that does not exist is a *[NotFoundError]; one that is empty is no
// error.
func (r *Remote) Refs(ctx context.Context) (*Refs, error) {
	return r.discover(ctx, func() (transport.Session, error) {
		return r.sessions.NewUploadPackSession(r.endpoint, authorizer{r})
	})
}

// RefsForPush asks for the refs as one who pushes. Credentials that may not push are an *[AuthError]. Some servers make a
// repository of this name when it does not exist yet.
func (r *Remote) RefsForPush(ctx context.Context) (*Refs, error) {
	return r.discover(ctx, func() (transport.Session, error) {
		return r.sessions.NewReceivePackSession(r.endpoint, authorizer{r})
	})
}

func (r *Remote) discover(ctx context.Context, open func() (transport.Session, error)) (refs *Refs, err error) {
	err = r.retry(ctx, func() error {
		session, err := open()
		if err != nil {
			return r.explain("git refs", err)
		}
		advertised, err := session.AdvertisedReferencesContext(ctx)
		r.setPath()
		if errors.Is(err, transport.ErrEmptyRemoteRepository) {
			advertised, err = packp.NewAdvRefs(), nil
		}
		if err != nil {
			return r.explain("git refs", err)
		}
		refs = newRefs(advertised)
		return nil
	})
	return refs, err
}

func newRefs(advertised *packp.AdvRefs) *Refs {
	refs := &Refs{at: map[string]plumbing.Hash{}, peeled: advertised.Peeled, capabilities: advertised.Capabilities}
	for name, hash := range advertised.References {
		refs.at[name] = hash
	}
	for _, link := range advertised.Capabilities.Get(capability.SymRef) {
		if target, ok := strings.CutPrefix(link, "HEAD:"); ok {
			refs.Head = target
		}
	}
	return refs
}
