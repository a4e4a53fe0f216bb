package publish

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"

	"github.com/hfpub/hfpub/publish/gitwire"
)

// NothingToPush is the message of a result without change.
const NothingToPush = "nothing to push: the remote has all of it"

// Result is what a push did. Its JSON form may get more fields; none is renamed.
type Result struct {
	Repo   string `json:"repo"`
	Remote string `json:"remote"`
	Branch string `json:"branch"`
	// Message says in words what happened.
	Message string `json:"message"`
	// Base and Commit are the branch's commit before and after.
	Base     string `json:"base"`
	Commit   string `json:"commit"`
	NoChange bool   `json:"no_change"`
	// Tag is the tag that was set, "" for none.
	Tag string `json:"tag,omitempty"`
	// Skipped says why nothing was pushed: the repo is withheld.
	Skipped string `json:"skipped,omitempty"`
	Added   int    `json:"added"`
	Changed int    `json:"changed"`
	Removed int    `json:"removed"`
	// LFSUploaded objects were sent, LFSSkipped ones were there; LFSBytes and PackBytes were sent.
	LFSUploaded int   `json:"lfs_uploaded"`
	LFSSkipped  int   `json:"lfs_skipped"`
	LFSBytes    int64 `json:"lfs_bytes"`
	PackBytes   int64 `json:"pack_bytes"`
	// RemoteSaid is what the server said to people, line by line, clean.
	RemoteSaid []string `json:"remote_said,omitempty"`
	// Recovered says that the server's answer was lost, and that the branch was found at the new commit.
	Recovered bool `json:"recovered,omitempty"`
	// FromClone says that the folder is a clone of the remote, which lacks the new commit now.
	FromClone bool `json:"-"`
}

// Publish carries out a plan of this publisher. The error is an *[Error]. The branch is then as it was, unless an
// *[UnverifiedError] or *[gitwire.UnknownError] is inside it. When the context ends, so does Publish, and it leaves no file
// behind.
func (p *Publisher) Publish(ctx context.Context, plan *Plan) (*Result, error) {
	r := &Result{Repo: plan.Repo, Remote: plan.Remote, Branch: plan.Branch, Base: plan.Base, Commit: plan.Commit}
	switch {
	case plan.Skipped != "":
		r.Skipped, r.Message = plan.Skipped, plan.Skipped
		return r, nil
	case plan.NoChange:
		r.NoChange, r.Message = true, NothingToPush
		if err := p.complete(ctx, plan, r); err != nil {
			return nil, p.advise(err)
		}
		return r, nil
	}
	r.Added, r.Changed, r.Removed = plan.Count(Added), plan.Count(Changed), plan.Count(Removed)
	if err := p.publish(ctx, plan, r); err != nil {
		return nil, p.advise(err)
	}
	r.FromClone = plan.fromClone && !r.NoChange
	return r, nil
}

// complete brings what is missing where the files are there: contents that LFS has lost, and the tag.
func (p *Publisher) complete(ctx context.Context, plan *Plan, r *Result) error {
	if len(plan.lfs) > 0 {
		if err := p.upload(ctx, plan, r); err != nil {
			return err
		}
		r.Message = fmt.Sprintf("the remote has the same files; %d contents that LFS had lost were sent", r.LFSUploaded)
	}
	if plan.Tag == "" {
		return nil
	}
	pack, err := p.pack(ctx, plan)
	if err != nil {
		return err
	}
	defer pack.Close()
	err = p.push(ctx, plan, pack, r)
	var stale *gitwire.StaleError
	if errors.As(err, &stale) {
		return p.overtaken(ctx, plan, r, stale)
	}
	if err != nil {
		return err
	}
	r.Message = fmt.Sprintf("the remote has the same files; commit %.12s is tagged %s now", plan.Commit, plan.Tag)
	return nil
}

func (p *Publisher) publish(ctx context.Context, plan *Plan, r *Result) error {
	err := p.send(ctx, plan, r)
	var stale *gitwire.StaleError
	if errors.As(err, &stale) {
		return p.overtaken(ctx, plan, r, stale)
	}
	return err
}

// send carries out a plan step by step.
func (p *Publisher) send(ctx context.Context, plan *Plan, r *Result) error {
	p.enter(Comparing)
	if err := p.checkBase(ctx, plan); err != nil {
		return err
	}
	pack, err := p.pack(ctx, plan) // before the upload, which may take hours: no room for it stops the push here
	if err != nil {
		return err
	}
	defer pack.Close()
	if err := p.upload(ctx, plan, r); err != nil {
		return err
	}
	if err := p.push(ctx, plan, pack, r); err != nil {
		return err
	}
	r.Message = fmt.Sprintf("pushed commit %.12s to %s", plan.Commit, p.branch())
	if plan.Tag != "" {
		r.Message += ", tagged " + plan.Tag
	}
	p.enter(Verifying)
	return p.arrived(ctx, plan, r)
}

// overtaken looks at what was pushed meanwhile. When the branch, and the tag, stand on a commit that holds just the files that were
// to be pushed, all is well: the same push was made twice, or an interrupted one came through after all. Else the branch is
// somebody else's now, or the tag, which stays where it is.
func (p *Publisher) overtaken(ctx context.Context, plan *Plan, r *Result, stale *gitwire.StaleError) error {
	refs, err := p.git.Refs(ctx)
	if err != nil {
		return stale
	}
	var other error = stale
	now := refs.Get(plan.Branch)
	if plan.Tag != "" {
		at := refs.Tagged(tagRef(plan.Tag))
		if at.IsZero() {
			return stale
		}
		other = &TagError{Tag: plan.Tag, Commit: at.String()}
		if at != now {
			return other
		}
	}
	if now.IsZero() {
		return other
	}
	snapshot, err := p.git.Fetch(ctx, refs, now)
	if err != nil || !maps.Equal(snapshot.Files, plan.files) {
		return other
	}
	if err := p.upload(ctx, plan, r); err != nil {
		return err
	}
	r.Added, r.Changed, r.Removed = 0, 0, 0
	r.NoChange, r.Commit = true, now.String()
	r.Message = fmt.Sprintf("nothing left to push: by now the remote's commit %.12s has the same files", r.Commit)
	if plan.Tag != "" {
		r.Message += " and the tag " + plan.Tag
	}
	return nil
}

// checkBase makes sure, before anything big is sent, that the credentials may push, that the branch is where it was and the tag
// nowhere, and that the server can do what is planned.
func (p *Publisher) checkBase(ctx context.Context, plan *Plan) error {
	refs, err := p.git.RefsForPush(ctx)
	if err != nil {
		return err
	}
	if have := refs.Get(plan.Branch); have != plan.old && have != plan.new {
		return &gitwire.StaleError{Ref: plan.Branch, Want: plan.old, Have: have}
	}
	if plan.Tag != "" {
		if have := refs.Get(tagRef(plan.Tag)); !have.IsZero() && have != plan.tagged {
			return &gitwire.StaleError{Ref: tagRef(plan.Tag), Have: have}
		}
	}
	return refs.CheckAtomic(len(plan.updates()))
}

// upload brings the objects to the LFS server and makes sure that they can be read there.
func (p *Publisher) upload(ctx context.Context, plan *Plan, r *Result) error {
	if len(plan.lfs) == 0 {
		return nil
	}
	client, err := p.lfs()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(p.repo.Dir)
	if err != nil {
		return fmt.Errorf("open folder %s: %w", p.repo.Dir, bare(err))
	}
	defer root.Close()
	p.enter(Uploading)
	report, err := client.Upload(ctx, plan.Branch, root, plan.lfs)
	r.LFSUploaded, r.LFSSkipped, r.LFSBytes = report.Uploaded, report.Skipped, report.Bytes
	if err != nil {
		return err
	}
	p.enter(Checking)
	missing, err := client.Missing(ctx, plan.Branch, plan.lfs)
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		return nil
	}
	absent := &AbsentError{}
	for _, o := range missing {
		absent.Paths = append(absent.Paths, o.Path)
	}
	return absent
}

// pack puts the new objects into a temporary file.
func (p *Publisher) pack(ctx context.Context, plan *Plan) (*gitwire.Pack, error) {
	p.enter(Packing)
	pack, err := gitwire.SpoolPack(ctx, plan.objects)
	if err != nil {
		return nil, plan.nameChanged(err)
	}
	return pack, nil
}

// push moves the branch, and sets the tag.
func (p *Publisher) push(ctx context.Context, plan *Plan, pack *gitwire.Pack, r *Result) error {
	p.enter(Pushing)
	report, err := p.git.Push(ctx, plan.updates(), pack)
	if err != nil {
		return err
	}
	r.PackBytes, r.Recovered, r.Tag = report.Sent, report.Recovered, plan.Tag
	for _, line := range report.Remote {
		r.RemoteSaid = append(r.RemoteSaid, p.redact(line))
	}
	return nil
}

// nameChanged names the file whose content was changed before it was packed.
func (p *Plan) nameChanged(err error) error {
	var changed *gitwire.ChangedError
	if !errors.As(err, &changed) {
		return err
	}
	for _, f := range p.Files {
		if p.files[f.Path].Hash == changed.Hash {
			return fmt.Errorf("%s was changed after it was read: %w", f.Path, err)
		}
	}
	return err
}

// UnverifiedError says that the server has confirmed a push and that a look at the remote does not.
type UnverifiedError struct {
	Commit string
	Err    error
}

func (e *UnverifiedError) Error() string {
	return fmt.Sprintf("the server says that commit %.12s is pushed, but that could not be verified: %v", e.Commit, e.Err)
}

func (e *UnverifiedError) Unwrap() error { return e.Err }

// arrived looks at the remote after a push: where the branch is, and whether its trees can be read.
func (p *Publisher) arrived(ctx context.Context, plan *Plan, r *Result) error {
	refs, err := p.git.Refs(ctx)
	if err != nil {
		return &UnverifiedError{plan.Commit, err}
	}
	if plan.Tag != "" && refs.Get(tagRef(plan.Tag)) != plan.tagged {
		return &UnverifiedError{plan.Commit, fmt.Errorf("the tag %s is not there", plan.Tag)}
	}
	switch have := refs.Get(plan.Branch); have {
	case plan.new:
	case plan.old:
		return &UnverifiedError{plan.Commit, fmt.Errorf("%s has not moved", p.branch())}
	default:
		r.Message += fmt.Sprintf("; the branch has moved on to %.12s since", have)
		return nil
	}
	snapshot, err := p.git.Fetch(ctx, refs, plan.new)
	if err == nil && !maps.Equal(snapshot.Files, plan.files) {
		err = errors.New("its files are not those that were pushed")
	}
	if err != nil {
		return &UnverifiedError{plan.Commit, err}
	}
	return nil
}
