package gitwire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// blobsAtOnce is how many contents are asked for in one request: they are held in memory together.
const blobsAtOnce = 64

// Snapshot is one commit of a remote with its trees. The contents of files are not part of it.
type Snapshot struct {
	Commit plumbing.Hash
	// Root is the commit's tree.
	Root plumbing.Hash
	// Files lists everything but folders by its path.
	Files map[string]Entry

	remote *Remote
	refs   *Refs
	trees  map[plumbing.Hash]bool
	store  storer.EncodedObjectStorer
}

// HasTree reports whether the remote has this tree already.
func (s *Snapshot) HasTree(h plumbing.Hash) bool { return s.trees[h] }

// Fetch brings one commit without its history and, where the server can leave them out, without the contents of files.
func (r *Remote) Fetch(ctx context.Context, refs *Refs, commit plumbing.Hash) (*Snapshot, error) {
	store, err := r.fetchTrees(ctx, refs, commit)
	if err != nil && strings.Contains(err.Error(), "not our ref") {
		return nil, &NoCommitError{commit}
	}
	if err != nil {
		return nil, err
	}
	c, err := object.GetCommit(store, commit)
	if err != nil {
		return nil, fmt.Errorf("git fetch: the server did not send commit %s: %w", commit, err)
	}
	s := &Snapshot{Commit: commit, Root: c.TreeHash, remote: r, refs: refs, store: store}
	if s.Files, s.trees, err = flatten(ctx, store, c.TreeHash); err != nil {
		return nil, fmt.Errorf("git fetch: %w", err)
	}
	return s, nil
}

// History lists the commits that the snapshot's own one contains, itself among them. It fails where the server cannot send
// commits without their trees.
func (s *Snapshot) History(ctx context.Context) ([]plumbing.Hash, error) {
	if !s.refs.capabilities.Supports(capability.Filter) {
		return nil, errors.New("git fetch: the server cannot send commits alone")
	}
	store, err := s.remote.fetch(ctx, s.refs, request{wants: []plumbing.Hash{s.Commit}, filter: packp.FilterTreeDepth(0),
		deep: true})
	if err != nil {
		return nil, err
	}
	commits, err := store.IterEncodedObjects(plumbing.CommitObject)
	if err != nil {
		return nil, fmt.Errorf("git fetch: %w", err)
	}
	var hashes []plumbing.Hash
	err = commits.ForEach(func(o plumbing.EncodedObject) error {
		hashes = append(hashes, o.Hash())
		return nil
	})
	return hashes, err
}

// fetchTrees asks for trees alone, and for everything where a server does not offer that or fails at it.
func (r *Remote) fetchTrees(ctx context.Context, refs *Refs, commit plumbing.Hash) (storer.EncodedObjectStorer, error) {
	if !refs.capabilities.Supports(capability.Filter) {
		return r.fetch(ctx, refs, request{wants: []plumbing.Hash{commit}})
	}
	store, err := r.fetch(ctx, refs, request{wants: []plumbing.Hash{commit}, filter: packp.FilterBlobNone()})
	if err == nil || ctx.Err() != nil || refused(err) {
		return store, err
	}
	return r.fetch(ctx, refs, request{wants: []plumbing.Hash{commit}})
}

// refused tells answers that asking in another way does not change.
func refused(err error) bool {
	var auth *AuthError
	var none *NotFoundError
	return errors.As(err, &auth) || errors.As(err, &none)
}

// Blobs reads the contents of files by their hashes and gives each to use, in the order of the hashes. Where a server
// does not hand out single contents, the whole commit is fetched.
func (s *Snapshot) Blobs(ctx context.Context, hashes []plumbing.Hash,
	use func(h plumbing.Hash, content []byte) error) error {
	for chunk := range slices.Chunk(hashes, blobsAtOnce) {
		store, err := s.blobs(ctx, chunk)
		if err != nil {
			return err
		}
		for _, h := range chunk {
			content, err := read(store, h)
			if err != nil {
				return fmt.Errorf("git fetch: the server did not send blob %s: %w", h, err)
			}
			if err := use(h, content); err != nil {
				return err
			}
		}
	}
	return nil
}

// blobs returns a store that holds the contents of a few hashes.
func (s *Snapshot) blobs(ctx context.Context, hashes []plumbing.Hash) (storer.EncodedObjectStorer, error) {
	if holds(s.store, hashes) {
		return s.store, nil
	}
	store, err := s.remote.fetch(ctx, s.refs, request{wants: hashes})
	if err == nil && holds(store, hashes) {
		return store, nil
	}
	if ctx.Err() != nil || err != nil && refused(err) {
		return nil, err
	}
	if store, err = s.remote.fetch(ctx, s.refs, request{wants: []plumbing.Hash{s.Commit}}); err != nil {
		return nil, err
	}
	s.store = store
	return store, nil
}

func holds(store storer.EncodedObjectStorer, hashes []plumbing.Hash) bool {
	for _, h := range hashes {
		if store.HasEncodedObject(h) != nil {
			return false
		}
	}
	return true
}

func read(store storer.EncodedObjectStorer, h plumbing.Hash) ([]byte, error) {
	o, err := store.EncodedObject(plumbing.BlobObject, h)
	if err != nil {
		return nil, err
	}
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// request says what to fetch: objects at depth 1, or with all of the history when it is deep, and what to leave out.
type request struct {
	wants  []plumbing.Hash
	filter packp.Filter
	deep   bool
}

// fetch brings objects into memory.
func (r *Remote) fetch(ctx context.Context, refs *Refs, what request) (store storer.EncodedObjectStorer, err error) {
	err = r.retry(ctx, func() error {
		store, err = r.fetchOnce(ctx, refs, what)
		if err != nil {
			return r.explain("git fetch", err)
		}
		return nil
	})
	return store, err
}

func (r *Remote) fetchOnce(ctx context.Context, refs *Refs, what request) (storer.EncodedObjectStorer, error) {
	session, err := r.sessions.NewUploadPackSession(r.endpoint, authorizer{r})
	if err != nil {
		return nil, err
	}
	q, err := what.encode(refs.capabilities)
	if err != nil {
		return nil, err
	}
	answer, err := session.UploadPack(ctx, q)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	return unpack(ctx, pack(q, answer))
}

// encode writes the request with what the server is able to do.
func (what request) encode(able *capability.List) (*packp.UploadPackRequest, error) {
	q := packp.NewUploadPackRequestFromCapabilities(able)
	q.Wants = slices.Clone(what.wants) // the encoder sorts them in place
	if able.Supports(capability.NoProgress) {
		if err := q.Capabilities.Set(capability.NoProgress); err != nil {
			return nil, err
		}
	}
	// Some servers (dulwich) demand that a client takes thin packs, others pass over what they do not know; go-git hides whether a
	// server has it. Nothing is said to be here, so that no pack can be thin.
	if err := q.Capabilities.Set(capability.ThinPack); err != nil {
		return nil, err
	}
	if able.Supports(capability.Shallow) && !what.deep {
		q.Depth = packp.DepthCommits(1)
		if err := q.Capabilities.Set(capability.Shallow); err != nil {
			return nil, err
		}
	}
	if what.filter != "" {
		q.Filter = what.filter
		if err := q.Capabilities.Set(capability.Filter); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// pack is the pack inside an answer.
func pack(q *packp.UploadPackRequest, answer io.Reader) io.Reader {
	switch {
	case q.Capabilities.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, answer)
	case q.Capabilities.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, answer)
	}
	return answer
}
