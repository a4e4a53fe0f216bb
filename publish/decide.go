package publish

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/hfpub/hfpub/publish/gitwire"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
)

// The sizes in bytes that decide whether a file goes into LFS: the Hub refuses plain files above plainMax. Where nobody
// has written a .gitattributes, files above lfsOver go there too; binary files above binaryOver do in any case, since the
// Hub refuses them somewhere above that.
const (
	plainMax   = hygiene.PlainMax
	lfsOver    = 1 << 20
	binaryOver = 1 << 10
)

// rulebook is what .gitattributes files say, here and on the remote.
type rulebook struct {
	// own is true where the local root has a .gitattributes.
	own bool
	// files are all of them as they will be, with the root's lines merged; before is what the remote has now.
	files, before attributes
}

// readAttributes collects the .gitattributes files of the remote and of the local files, which win.
func (p *Publisher) readAttributes(ctx context.Context, root *os.Root, from base, local []*localFile) (rulebook, error) {
	before, err := remoteAttributes(ctx, from.Snapshot)
	if err != nil {
		return rulebook{}, err
	}
	book := rulebook{files: before.with(withoutMark(before[""])), before: before}
	for _, l := range local {
		if !isAttributes(l.path) || l.size > plainMax { // one that is too big is refused for that
			continue
		}
		content, err := root.ReadFile(l.path)
		if err != nil {
			return rulebook{}, fmt.Errorf("read %s: %w", l.path, bare(err))
		}
		folder := folderOf(l.path)
		if folder == "" {
			book.own = true
			content = mergeAttributes(append([]byte{}, withoutMark(content)...), book.files[""])
		}
		book.files[folder] = content
	}
	return book, book.readable()
}

// readable refuses .gitattributes files that git does not read to their end.
func (b rulebook) readable() error {
	var refused []finding.Finding
	for _, folder := range slices.Sorted(maps.Keys(b.files)) {
		if bytes.IndexByte(b.files[folder], 0) < 0 {
			continue
		}
		const message = "the file, here or on the remote, holds a NUL: git does not read what follows"
		refused = append(refused, finding.New(finding.PublishAttributes, message).At(path.Join(folder, attributesName), 0).
			Hinting("write it anew, as a text in UTF-8"))
	}
	if len(refused) > 0 {
		return &RefusedError{refused}
	}
	return nil
}

// remoteAttributes reads the .gitattributes files of the remote.
func remoteAttributes(ctx context.Context, from *gitwire.Snapshot) (attributes, error) {
	folders := map[plumbing.Hash][]string{}
	var hashes []plumbing.Hash
	for p, e := range from.Files {
		if !isAttributes(p) || e.Mode != filemode.Regular && e.Mode != filemode.Executable {
			continue
		}
		if folders[e.Hash] == nil {
			hashes = append(hashes, e.Hash)
		}
		folders[e.Hash] = append(folders[e.Hash], folderOf(p))
	}
	plumbing.HashesSort(hashes)
	found := attributes{}
	if len(hashes) == 0 {
		return found, nil
	}
	err := from.Blobs(ctx, hashes, func(h plumbing.Hash, content []byte) error {
		for _, folder := range folders[h] {
			found[folder] = content
		}
		return nil
	})
	return found, err
}

// chooseAll tells for each file, by our own rules, whether it goes into LFS.
func (d *difference) chooseAll(local []*localFile, book rulebook) error {
	said := book.files.parse()
	var refused []finding.Finding
	for _, l := range local {
		e, problem := d.choose(l, said, book.own)
		if problem != nil {
			refused = append(refused, *problem)
			continue
		}
		d.local = append(d.local, e)
	}
	if len(refused) > 0 {
		return &RefusedError{refused}
	}
	return nil
}

// writeAttributes writes the .gitattributes that says of each file what was decided.
func (d *difference) writeAttributes(book rulebook) error {
	want := coverage{attributesName: false}
	for _, e := range d.local {
		if !e.asis && e.size > 0 {
			want[e.path] = e.lfs
		}
	}
	d.keepAsTheyAre(want, book)
	files := book.files.with(want.apply(book.files))
	var refused []finding.Finding
	for _, p := range want.unmet(files) {
		refused = append(refused, finding.New(finding.PublishAttributes,
			"the .gitattributes files contradict what this file needs to be: %s", kind(want[p])).
			At(p, 0).Hinting("remove the line that matches it from the .gitattributes of its folder, or shorten its path"))
	}
	if len(refused) > 0 {
		return &RefusedError{refused}
	}
	d.said = files.parse()
	d.setAttributes(files[""])
	return nil
}

func kind(lfs bool) string {
	if lfs {
		return "in LFS"
	}
	return "plain"
}

// choose tells whether a file goes into LFS. What the remote has as a plain file, unchanged, stays one.
func (d *difference) choose(l *localFile, said *gitattributes.Attributes, own bool) (*entry, *finding.Finding) {
	was, there := d.base.Files[l.path]
	same := there && was.Hash == l.blob
	covered := said.LFS(l.path)
	if l.pointer != nil && !isAttributes(l.path) {
		if same {
			return &entry{localFile: l, lfs: covered, asis: true}, nil
		}
		f := finding.New(finding.HygieneLFSPointer, "the file is a Git LFS pointer to %d bytes (sha256 %s), not the data",
			l.pointer.Size, l.pointer.OID).
			At(l.path, 0).Hinting("fetch the data with `git lfs pull`")
		return nil, &f
	}
	switch {
	case isAttributes(l.path) || l.path == readme:
		if l.size > plainMax {
			return nil, tooBig(l, "shorten it: this file cannot be in LFS")
		}
		return &entry{localFile: l}, nil
	case l.size == 0:
		return &entry{localFile: l}, nil
	case covered:
		return &entry{localFile: l, lfs: true}, nil
	case l.size > plainMax && own:
		return nil, tooBig(l, fmt.Sprintf("add a line to .gitattributes: %s %s", patternFor(l.path), gitattributes.LFS))
	case l.size > plainMax:
		return &entry{localFile: l, lfs: true}, nil
	case same:
		return &entry{localFile: l}, nil
	}
	big := l.size > lfsOver && !own && !isDocument(l.path)
	return &entry{localFile: l, lfs: big || l.binary && l.size > binaryOver}, nil
}

func tooBig(l *localFile, hint string) *finding.Finding {
	const message = "%d bytes (%.1f MiB), and no .gitattributes puts it into Git LFS: the Hub refuses plain files above 10 MiB"
	f := finding.New(finding.PublishPlainTooBig, message, l.size, float64(l.size)/(1<<20)).At(l.path, 0).Hinting("%s", hint)
	return &f
}

// patternFor is the pattern that a person would write for a file like this one.
func patternFor(p string) string {
	if ext := path.Ext(p); ext != "" && ext != path.Base(p) {
		return "*" + ext
	}
	return "/" + p
}

// keepAsTheyAre sees to it that files which stay as they are on the remote stay what they are there: lines that came from
// the local .gitattributes must not make a plain file look like LFS in a fresh clone, nor the other way round. A
// .gitattributes itself is never in LFS, whatever its lines say.
func (d *difference) keepAsTheyAre(want coverage, book rulebook) {
	before, after := book.before.parse(), book.files.parse()
	decided := map[string]bool{}
	for _, e := range d.local {
		decided[e.path] = !e.asis
	}
	for _, p := range d.removed {
		decided[p] = true
	}
	for p := range d.base.Files {
		is := before.LFS(p) && !isAttributes(p)
		if !decided[p] && is != after.LFS(p) {
			want[p] = is
		}
	}
}

// setAttributes puts the new .gitattributes of the root among the files; nil is none.
func (d *difference) setAttributes(content []byte) {
	if content == nil {
		return
	}
	e := &entry{localFile: &localFile{path: attributesName, mode: filemode.Regular, size: int64(len(content))},
		content: content}
	if d.base.Files[attributesName].Mode == filemode.Executable {
		e.mode = filemode.Executable
	}
	d.local = slices.DeleteFunc(d.local, func(e *entry) bool { return e.path == attributesName })
	d.local = append(d.local, e)
}

// keepMode is the mode to publish a file with. Windows has no executable bit, so what the remote has stays there.
func keepMode(local, remote filemode.FileMode, there bool) filemode.FileMode {
	if runtime.GOOS == "windows" && there {
		return remote
	}
	return local
}
