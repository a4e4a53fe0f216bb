package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/publish/lfs"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// Meta is what a commit says beside its files.
type Meta struct {
	Name, Email, Message string
	// When is written in UTC and whole seconds. The same files, base and Meta make the same commit.
	When time.Time
	// Tag is the name of an annotated tag that the commit gets in the same step; "" for none.
	Tag string
}

// Change is what a push does to a file.
type Change string

// The changes. A kept file is on the remote only and stays, since the release does not own it; its size is not known.
const (
	Added     Change = "added"
	Changed   Change = "changed"
	Removed   Change = "removed"
	Unchanged Change = "unchanged"
	Kept      Change = "kept"
)

// File is one file of a plan.
type File struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
	// LFS is true for a file that is, or will be, a pointer to LFS.
	LFS bool `json:"lfs"`
	// Size is the length of the content in bytes; absent where it is not known: for removed and kept files.
	Size *int64 `json:"size,omitempty"`
}

// Plan is what a push would do. Its JSON form may get more fields; none is renamed.
type Plan struct {
	Repo string `json:"repo"`
	// Remote is the URL without credentials, Branch the full ref.
	Remote string `json:"remote"`
	Branch string `json:"branch"`
	// Skipped says why nothing at all is pushed, and nothing was asked for: the repo is withheld.
	Skipped string `json:"skipped,omitempty"`
	// Base is the commit that the new one goes on top of, "" for none. Tree and Commit are what the push would make; the
	// same as now where nothing changes.
	Base   string `json:"base"`
	Tree   string `json:"tree"`
	Commit string `json:"commit"`
	// New: the repository is not there yet. One that the Hub makes has a .gitattributes from the start, which may put more files
	// into LFS than the plan says.
	New bool `json:"new,omitempty"`
	// NoChange: the remote has the same files. There may still be contents to send that LFS lacks.
	NoChange bool `json:"no_change"`
	// Tag is the tag that the push would set, "" for none; a tag that stands on the commit already is not set again.
	Tag   string `json:"tag,omitempty"`
	Files []File `json:"files"`
	// LFSMissing counts the objects that the server lacks, LFSBytes is their size together; PlainBytes is the size of the
	// files that go into git itself, before compression.
	LFSMissing int   `json:"lfs_missing"`
	LFSBytes   int64 `json:"lfs_bytes"`
	PlainBytes int64 `json:"plain_bytes"`
	// Requests is about how many requests the push will make of the server when nothing goes wrong: those to the object store,
	// and the parts of objects above 5 GB, are not among them. The Hub limits them in windows of five minutes.
	Requests int `json:"requests"`

	// old is where the branch must be when it is moved: Base, or zero for a new branch.
	old, new plumbing.Hash
	// tagged is the tag object of Tag.
	tagged plumbing.Hash
	// files is the whole new tree.
	files   map[string]gitwire.Entry
	objects []gitwire.Object
	// lfs are the contents to upload: of files that change, and of others whose content got lost.
	lfs []lfs.Object
	// fromClone says that the files are those of a git clone whose checked-out commit contains Base.
	fromClone bool
}

// updates are the refs that the push moves.
func (p *Plan) updates() []gitwire.Update {
	var all []gitwire.Update
	if !p.NoChange {
		all = append(all, gitwire.Update{Ref: p.Branch, Old: p.old, New: p.new})
	}
	if p.Tag != "" {
		all = append(all, gitwire.Update{Ref: tagRef(p.Tag), New: p.tagged})
	}
	return all
}

// tagRef is the full ref of a tag.
func tagRef(name string) string { return "refs/tags/" + name }

// Count is the number of files with a change.
func (p *Plan) Count(c Change) int {
	n := 0
	for _, f := range p.Files {
		if f.Change == c {
			n++
		}
	}
	return n
}

// Plan compares the local files with the remote's branch. It reads every file, asks the remote for its trees and for what
// it lacks in LFS, and changes nothing. For a withheld repo it sends no request. The error is an *[Error], around a
// *[RefusedError] where the files cannot be published as they are.
func (p *Publisher) Plan(ctx context.Context, m Meta) (*Plan, error) {
	plan := &Plan{Repo: p.repo.ID, Remote: p.target.URL, Branch: p.target.Branch, Files: []File{}}
	if !leaves(p.repo.Status) {
		plan.Skipped = fmt.Sprintf("the repo is %s: nothing of it leaves", p.repo.Status)
		return plan, nil
	}
	d, err := p.compare(ctx)
	if err != nil {
		return nil, p.advise(err)
	}
	if err := d.fill(plan, m); err != nil {
		return nil, p.advise(err)
	}
	if err := d.addTag(plan, m); err != nil {
		return nil, p.advise(err)
	}
	if !plan.NoChange {
		if plan.fromClone, err = p.mayPush(ctx, d); err != nil {
			return nil, p.advise(err)
		}
	}
	if err := p.findMissing(ctx, plan, d); err != nil {
		return nil, p.advise(err)
	}
	plan.Requests = plan.requests()
	return plan, nil
}

// requests counts what [Publisher.Publish] asks of the server.
func (p *Plan) requests() int {
	const (
		look   = 2 // where the refs are, as one who pushes, and the push itself
		arrive = 2 // where they are then, and what is in them
	)
	n := 0
	if len(p.lfs) > 0 {
		batches := lfs.Batches(p.lfs)
		n += 2*batches + p.LFSMissing // to upload and to see that all can be read, and a confirmation for each object
	}
	if p.NoChange && p.Tag == "" {
		return n
	}
	return n + 1 + look + arrive
}

// leaves reports whether anything of a repo is published.
func leaves(s release.Status) bool { return s == release.Public || s == release.Pending }

// mayPush refuses pushes that would take something away that nobody meant to take, and tells whether the folder is a clone of the
// remote.
func (p *Publisher) mayPush(ctx context.Context, d *difference) (clone bool, err error) {
	if gone := len(d.removed); gone > 3 && gone*5 > d.owned && !p.opts.AllowRemovals {
		return false, &RemovalsError{Removed: d.removed, Managed: d.owned}
	}
	if d.base.exists() {
		return p.checkClone(ctx, d.base)
	}
	return false, nil
}

// findMissing asks which objects the LFS server lacks, also of files that are not changed: a pointer on the remote is no proof
// that its content is there.
func (p *Publisher) findMissing(ctx context.Context, plan *Plan, d *difference) error {
	if len(d.lfs) == 0 {
		return nil
	}
	missing := plan.lfs
	if d.base.exists() {
		client, err := p.lfs()
		if err != nil {
			return err
		}
		if missing, err = client.Missing(ctx, p.target.Branch, d.lfs); err != nil {
			return err
		}
	}
	planned, counted := map[string]bool{}, map[string]bool{}
	for _, o := range plan.lfs {
		planned[o.OID] = true
	}
	for _, o := range missing {
		if counted[o.OID] {
			continue
		}
		counted[o.OID] = true
		plan.LFSMissing++
		plan.LFSBytes += o.Size
		if !planned[o.OID] {
			plan.lfs = append(plan.lfs, o)
		}
	}
	return nil
}

// base is the state of the remote that a push goes on top of.
type base struct {
	*gitwire.Snapshot
	// tagged is the commit that a tag of a name stands for; zero where there is no such tag.
	tagged func(name string) plumbing.Hash
	// old is where the branch is; zero when it does not exist yet.
	old plumbing.Hash
	// missing: there is no such repository.
	missing bool
}

func (b base) exists() bool { return !b.Commit.IsZero() }

// readBase finds out where the branch is and what is in it.
func (p *Publisher) readBase(ctx context.Context) (base, error) {
	untagged := func(string) plumbing.Hash { return plumbing.ZeroHash }
	none := base{Snapshot: &gitwire.Snapshot{Files: map[string]gitwire.Entry{}}, tagged: untagged}
	refs, err := p.git.Refs(ctx)
	var missing *gitwire.NotFoundError
	if errors.As(err, &missing) && p.opts.First {
		none.missing = true
		return none, nil
	}
	if err != nil {
		return none, err
	}
	old := refs.Get(p.target.Branch)
	from := old
	switch {
	case refs.Empty(): // a repository that is there and new: pushing into it needs no flag
		return none, nil
	case old.IsZero() && !p.opts.First:
		return none, &MissingBranchError{Branch: p.branch(), Branches: refs.Branches()}
	case old.IsZero():
		from = refs.Get(refs.Head) // a new branch starts where the remote's HEAD is
	}
	if from.IsZero() {
		return none, nil
	}
	snapshot, err := p.git.Fetch(ctx, refs, from)
	if err != nil {
		return none, err
	}
	tagged := func(name string) plumbing.Hash { return refs.Tagged(tagRef(name)) }
	return base{Snapshot: snapshot, tagged: tagged, old: old}, nil
}

// difference is what has to be done to the remote's files.
type difference struct {
	base base
	root string
	// have are the paths of the local files.
	have map[string]bool
	// local are the files as they will be on the remote; said is what the .gitattributes files will say.
	local []*entry
	said  *gitattributes.Attributes
	// removed are the paths that go, of owned files that the release has on the remote.
	removed []string
	owned   int
	// lfs are the contents of all local files that are in LFS.
	lfs []lfs.Object
}

// entry is a local file on its way.
type entry struct {
	*localFile
	lfs bool
	// asis keeps what the remote has under this path, without another look.
	asis bool
	// content is set for a file whose content is made here.
	content []byte
}

// object is the git object of a file: its content, or the pointer to it.
func (e *entry) object(root string) gitwire.Object {
	switch {
	case e.content != nil:
		return gitwire.Blob(e.content)
	case e.lfs:
		return gitwire.Blob(lfspointer.Format(e.oid, e.size))
	}
	return gitwire.Object{Type: plumbing.BlobObject, Hash: e.blob, Size: e.size, Open: func() (io.ReadCloser, error) {
		return openIn(root, e.path)
	}}
}

// openIn opens a file of a folder and nothing outside of it.
func openIn(root, path string) (*os.File, error) {
	file, err := os.OpenInRoot(root, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, bare(err))
	}
	return file, nil
}

// compare reads the local files and the remote's branch.
func (p *Publisher) compare(ctx context.Context) (*difference, error) {
	files := selected(p.repo)
	if found := hygiene.Names(files); len(found) > 0 {
		return nil, &RefusedError{found}
	}
	p.enter(Comparing)
	from, err := p.readBase(ctx)
	if err != nil {
		return nil, err
	}
	p.enter(Hashing)
	root, err := os.OpenRoot(p.repo.Dir)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", p.repo.Dir, bare(err))
	}
	defer root.Close()
	local, err := p.readFiles(ctx, root, files)
	if err != nil {
		return nil, err
	}
	if err := p.checkValidated(local); err != nil {
		return nil, err
	}
	p.enter(Comparing)
	said, err := p.readAttributes(ctx, root, from, local)
	if err != nil {
		return nil, err
	}
	d := &difference{base: from, root: p.repo.Dir}
	d.have = map[string]bool{}
	for _, l := range local {
		d.have[l.path] = true
	}
	if p.repo.Status == release.Public {
		d.findRemoved(managedBy(p.repo))
	}
	if found := hygiene.Clashes(d.keptAndAdded()); len(found) > 0 {
		return nil, &RefusedError{found}
	}
	if err := d.chooseAll(local, said); err != nil {
		return nil, err
	}
	if err := p.takeAdvice(ctx, root, d, said.files[""]); err != nil {
		return nil, err
	}
	return d, d.writeAttributes(said)
}

// checkValidated makes sure that the files are those that were validated.
func (p *Publisher) checkValidated(local []*localFile) error {
	for _, l := range local {
		if sum, ok := p.opts.Validated[l.path]; ok && sum != l.oid {
			return &lfs.ChangedError{Path: l.path}
		}
	}
	return nil
}

// findRemoved picks the files of the remote that the release owns and has no more.
func (d *difference) findRemoved(m managed) {
	for _, path := range slices.Sorted(maps.Keys(d.base.Files)) {
		if !m.covers(path) {
			continue
		}
		d.owned++
		if !d.have[path] {
			d.removed = append(d.removed, path)
		}
	}
}

// keptAndAdded lists what the remote has and does not lose, and what is new to it.
func (d *difference) keptAndAdded() (kept, added []string) {
	gone := map[string]bool{}
	for _, path := range d.removed {
		gone[path] = true
	}
	for _, path := range slices.Sorted(maps.Keys(d.base.Files)) {
		if !gone[path] {
			kept = append(kept, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(d.have)) {
		if _, there := d.base.Files[path]; !there {
			added = append(added, path)
		}
	}
	return kept, added
}

// fill writes down what the difference comes to.
func (d *difference) fill(plan *Plan, m Meta) error {
	plan.old, plan.New = d.base.old, d.base.missing
	plan.files = maps.Clone(d.base.Files)
	if d.base.exists() {
		plan.Base = d.base.Commit.String()
	}
	known := map[plumbing.Hash]bool{}
	for _, e := range d.base.Files {
		known[e.Hash] = true
	}
	for _, e := range d.local {
		d.add(plan, e, known)
	}
	for _, path := range d.removed {
		delete(plan.files, path)
		plan.Files = append(plan.Files, File{Path: path, Change: Removed})
	}
	d.addKept(plan)
	slices.SortFunc(plan.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	plan.NoChange = !slices.ContainsFunc(plan.Files, func(f File) bool { return f.Change != Unchanged && f.Change != Kept })
	if plan.NoChange {
		plan.new = d.base.Commit
		plan.Tree, plan.Commit = hashText(d.base.Root), hashText(d.base.Commit)
		return nil
	}
	return d.addCommit(plan, m, known)
}

// hashText writes a hash, "" for none.
func hashText(h plumbing.Hash) string {
	if h.IsZero() {
		return ""
	}
	return h.String()
}

// add puts a local file into the plan.
func (d *difference) add(plan *Plan, e *entry, known map[plumbing.Hash]bool) {
	size := e.size
	file := File{Path: e.path, LFS: e.lfs, Size: &size, Change: Added}
	was, there := d.base.Files[e.path]
	if e.asis {
		file.Change = Unchanged
		plan.Files = append(plan.Files, file)
		return
	}
	object := e.object(d.root)
	is := gitwire.Entry{Mode: keepMode(e.mode, was.Mode, there), Hash: object.Hash}
	switch {
	case there && was == is:
		file.Change = Unchanged
	case there:
		file.Change = Changed
	}
	plan.Files = append(plan.Files, file)
	plan.files[e.path] = is
	content := lfs.Object{OID: e.oid, Size: e.size, Path: e.path, Modified: e.modified}
	if e.lfs {
		d.lfs = append(d.lfs, content)
	}
	if file.Change == Unchanged {
		return
	}
	if e.lfs {
		plan.lfs = append(plan.lfs, content)
	} else if !known[object.Hash] {
		plan.PlainBytes += object.Size
	}
	if !known[object.Hash] {
		known[object.Hash] = true
		plan.objects = append(plan.objects, object)
	}
}

// addKept lists what is on the remote only and stays.
func (d *difference) addKept(plan *Plan) {
	listed := map[string]bool{}
	for _, f := range plan.Files {
		listed[f.Path] = true
	}
	for path := range plan.files {
		if !listed[path] {
			plan.Files = append(plan.Files, File{Path: path, Change: Kept, LFS: d.said.LFS(path)})
		}
	}
}

// addCommit makes the trees and the commit.
func (d *difference) addCommit(plan *Plan, m Meta, known map[plumbing.Hash]bool) error {
	root, trees, err := gitwire.BuildTree(plan.files)
	if err != nil {
		return err
	}
	for _, tree := range trees {
		if !d.base.HasTree(tree.Hash) && !known[tree.Hash] {
			known[tree.Hash] = true
			plan.objects = append(plan.objects, tree)
		}
	}
	commit, err := gitwire.Commit{Tree: root, Parent: d.base.Commit, Name: m.Name, Email: m.Email, Message: m.Message,
		When: m.When}.Encode()
	if err != nil {
		return err
	}
	plan.objects = append(plan.objects, commit)
	plan.new = commit.Hash
	plan.Tree, plan.Commit = root.String(), commit.Hash.String()
	return nil
}

// addTag makes the tag. One that stands already stays where it is: on the commit of the plan that is well, on another one an
// error, since what others have fetched under the name of a tag must not change.
func (d *difference) addTag(plan *Plan, m Meta) error {
	if m.Tag == "" {
		return nil
	}
	if err := plumbing.ReferenceName(tagRef(m.Tag)).Validate(); err != nil {
		return &Error{Err: fmt.Errorf("%q cannot be the name of a tag", m.Tag), Hint: "write it as in v1.0.0"}
	}
	switch at := d.base.tagged(m.Tag); at {
	case plumbing.ZeroHash:
	case plan.new:
		return nil
	default:
		return &TagError{Tag: m.Tag, Commit: at.String()}
	}
	tag, err := gitwire.Tag{Name: m.Tag, Commit: plan.new, TaggerName: m.Name, TaggerEmail: m.Email, Message: m.Message,
		When: m.When}.Encode()
	if err != nil {
		return err
	}
	plan.Tag, plan.tagged = m.Tag, tag.Hash
	plan.objects = append(plan.objects, tag)
	return nil
}
