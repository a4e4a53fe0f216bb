package validate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/rows"
)

// dataFile is one data file of a repo, and how far reading it is. While a crew reads, its fields belong to the crew's lock, but
// for those that a task of the kind that is under way uses.
type dataFile struct {
	repo *release.Repo
	path string
	// field is that of [rows.Options]; a file of which configs read different fields is a file for each.
	field *string
	// index counts the files of the pass before it.
	index int
	// parts are the places that the file has in splits.
	parts []*part
	// share is the part of the file that is read; nil for all of it.
	share *rows.Share
	// before is what stood under the path when the file was opened.
	before fs.FileInfo
	rows   *rows.File

	// cutting, hashing and merging say that such a task is under way.
	cutting, hashing, merging bool
	// cut says that all blocks have been cut, done that all is done.
	cut, done bool
	// order holds the blocks that are not merged yet, unhashed those that are to be hashed.
	order, unhashed []*block
	// known is what reading showed, when it is done.
	known *rows.Part
}

// dataFiles lists the data files of all splits. A file that stands in several is listed once, for every field once.
func (p *pass) dataFiles() []*dataFile {
	type name struct {
		repo *release.Repo
		path string
		// whole is false where the rows stand under a field.
		whole bool
		field string
	}
	var files []*dataFile
	byName := map[name]*dataFile{}
	for _, s := range p.splits {
		field := s.config.Field
		for i, path := range s.split.Files {
			key := name{repo: s.repo, path: path, whole: field == nil}
			if field != nil {
				key.field = *field
			}
			f := byName[key]
			if f == nil {
				f = &dataFile{repo: s.repo, path: path, field: field, index: len(files)}
				byName[key] = f
				files = append(files, f)
			}
			f.parts = append(f.parts, s.parts[i])
		}
	}
	return files
}

// fromStart says that the file is read from its beginning on, toEnd that it is read to its end.
func (f *dataFile) fromStart() bool { return f.share == nil || f.share.From == 0 }

func (f *dataFile) toEnd() bool { return f.share == nil || f.share.To == rows.ToTheEnd }

// bytes is the number of bytes of the file that belong to the share.
func (f *dataFile) bytes() int64 {
	size := f.before.Size()
	if f.share == nil {
		return size
	}
	return min(f.share.To, size) - f.share.From
}

// conclude tells the splits what is known of the whole file.
func (f *dataFile) conclude(ctx context.Context) error {
	totals, found := f.known.Finish()
	for _, p := range f.parts {
		p.conclude(totals, found)
		found = nil
		if totals.Elements >= 0 && p.split.atOnce {
			if err := f.judgeAtOnce(ctx, p.split, totals.ArrayLine); err != nil {
				return f.failed(err)
			}
		}
	}
	return nil
}

// unchanged is an error when something else stands under the path than when the file was opened.
func (f *dataFile) unchanged() error {
	file, err := open(f.repo, f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	after, err := file.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(f.before, after) || f.before.Size() != after.Size() || !f.before.ModTime().Equal(after.ModTime()) {
		return fmt.Errorf("%s changed while it was read: try again when nothing writes to it", filepath.Join(f.repo.Dir, f.path))
	}
	return nil
}

func (f *dataFile) failed(err error) error { return fmt.Errorf("read %s: %w", f.path, err) }

// open opens a file of a repo for reading. Nothing outside the repo's folder is opened; the loose files of a
// release without a folder are opened as they are named.
func open(repo *release.Repo, path string) (*os.File, error) {
	if repo.Dir == "" {
		return regularfile.Open(path)
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := regularfile.OpenIn(root, path)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		failed.Path = filepath.Join(repo.Dir, failed.Path)
	}
	return f, err
}
