// Package validate finds out what is true of a release: every data file is read once, every row is shown to every
// observer, and out comes one [Report].
//
// [Run] is the one pass. It lists the files of every split, compiles the schemas, reads the files side by side (each
// with observers of its own, merged in file order afterwards) and adds what needs no rows: card, licenses, hygiene,
// the loader's view of files and splits. The packages below know one thing each: rows reads files, shape checks schemas, column
// and digest measure, loader, hygiene and license judge. The report does not depend on the number of workers.
package validate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/shape"
)

// Options says how to validate.
type Options struct {
	// Jobs is the number of files read at once; 0 means one for each core.
	Jobs int
	// MaxPlaces bounds the places kept for one finding; 0 means no limit.
	MaxPlaces int
	// Schema is the path of a JSON Schema for every split that has none of its own; "" for none.
	Schema string
	// Refs registers folders of documents for the $refs of schemas.
	Refs []shape.Ref
	// AnyValue lets a row be any JSON value, as for loose files with a schema.
	AnyValue bool
	// Lock is the path of the hfpub.lock that the release must equal; "" for no comparison.
	Lock string
	// OnBytes is called from several goroutines with the number of bytes read since its last call; nil for nobody.
	OnBytes func(n int64)
	// Version is hfpub's version, for the report.
	Version string
}

// pass is one validation under way.
type pass struct {
	opt     Options
	rel     *release.Release
	found   finding.Set
	schemas map[string]*schema
	splits  []*splitPass
}

// schema is a compiled schema; shape is nil when no row can be judged by it.
type schema struct {
	shape *shape.Schema
}

// splitPass is what is seen of one split, file by file.
type splitPass struct {
	repo   *release.Repo
	config *release.Config
	split  *release.Split
	schema *schema
	parts  []*filePass
}

// filePass is what is seen of one file on behalf of one split.
type filePass struct {
	totals   rows.Totals
	unread   bool
	found    finding.Set
	columns  *column.Observer
	digest   *digest.Observer
	shape    *shape.Observer
	observed []rows.Observer
}

// Run validates a release. found are the findings that loading the release gave; they become part of the report. The
// error is for what hfpub cannot do (a file that cannot be read, a cancelled context); everything that is wrong with
// the release is in the report.
func Run(ctx context.Context, rel *release.Release, found []finding.Finding, opt Options) (*Report, error) {
	p := &pass{opt: opt, rel: rel, found: finding.Set{MaxPlaces: opt.MaxPlaces}, schemas: map[string]*schema{}}
	for _, f := range found {
		p.found.Add(f)
	}
	for _, f := range rel.NotEvaluated() {
		p.found.Add(f)
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	if err := p.read(ctx); err != nil {
		return nil, err
	}
	repos := p.measure()
	if err := p.judge(ctx, repos); err != nil {
		return nil, err
	}
	if opt.Lock != "" && len(rel.Repos) > 0 { // without a repo hfpub.yaml could not be read, which was found before
		drift, err := checkLock(ctx, opt.Lock, rel, &Report{Repos: repos})
		if err != nil {
			return nil, err
		}
		for _, f := range drift {
			p.found.Add(f)
		}
	}
	return p.report(repos), nil
}

// prepare lists the splits and compiles their schemas.
func (p *pass) prepare() error {
	for i := range p.rel.Repos {
		repo := &p.rel.Repos[i]
		for j := range repo.Configs {
			config := &repo.Configs[j]
			for k := range config.Splits {
				split := &config.Splits[k]
				schema, err := p.schemaOf(split)
				if err != nil {
					return err
				}
				p.splits = append(p.splits, &splitPass{repo: repo, config: config, split: split, schema: schema})
			}
		}
	}
	return nil
}

// maxSchema bounds the bytes that are read of a schema: more than shape takes.
const maxSchema = 16 << 20

// schemaOf compiles the schema of a split once for all splits that share it; nil for a split without one. That a schema
// of hfpub.yaml is not there was found when the release was loaded; no row is judged by one that cannot be read.
func (p *pass) schemaOf(split *release.Split) (*schema, error) {
	shown, path := split.Schema, filepath.Join(p.rel.Dir, filepath.FromSlash(split.Schema))
	if shown == "" {
		shown, path = p.opt.Schema, p.opt.Schema
	}
	if shown == "" {
		return nil, nil
	}
	if known := p.schemas[path]; known != nil {
		return known, nil
	}
	text, err := regularfile.Read(path, maxSchema)
	switch {
	case err != nil && split.Schema == "":
		return nil, fmt.Errorf("read the schema: %w", err)
	case err != nil:
		if !errors.Is(err, fs.ErrNotExist) {
			p.found.Add(finding.New(finding.SchemaUnreadable, "the schema cannot be read: %s", reason(err)).At(shown, 0))
		}
		p.schemas[path] = &schema{}
		return p.schemas[path], nil
	}
	compiled, found := shape.Compile(shown, text, shape.Options{Refs: p.opt.Refs, Dir: filepath.Dir(path)})
	for _, f := range found {
		p.found.Add(f)
	}
	p.schemas[path] = &schema{compiled}
	return p.schemas[path], nil
}

// reason is what went wrong with a file, without its path.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// fileOf names a data file by its repo and path.
type fileOf struct {
	repo *release.Repo
	path string
}

// read reads every data file once, several at a time, and shows its rows to the observers of every split it is in.
func (p *pass) read(ctx context.Context) error {
	readers := map[fileOf][]*filePass{}
	var files []fileOf
	for _, s := range p.splits {
		for _, path := range s.split.Files {
			file := fileOf{s.repo, path}
			if readers[file] == nil {
				files = append(files, file)
			}
			part := p.newPart(s, len(s.parts) == 0)
			s.parts = append(s.parts, part)
			readers[file] = append(readers[file], part)
		}
	}
	jobs := p.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for _, file := range files {
		group.Go(func() error { return p.readFile(ctx, file, readers[file]) })
	}
	return group.Wait()
}

// newPart makes the observers for one file of a split. The digest of the first one can hash straight on; the others keep a
// hash of every row until they are merged.
func (p *pass) newPart(s *splitPass, first bool) *filePass {
	part := &filePass{columns: column.NewObserver(), digest: digest.NewObserver(), found: finding.Set{MaxPlaces: p.opt.MaxPlaces}}
	if first {
		part.digest = digest.NewFirst()
	}
	part.observed = []rows.Observer{part.columns, part.digest}
	if s.schema != nil && s.schema.shape != nil {
		part.shape = s.schema.shape.NewObserver(p.opt.MaxPlaces)
		part.observed = append(part.observed, part.shape)
	}
	return part
}

// readFile shows the rows of one file to all parts that wait for it. What is wrong with the file itself is said
// once, by the first of them. Of a file that changed meanwhile nothing is known: what was read may never have been its content.
func (p *pass) readFile(ctx context.Context, file fileOf, parts []*filePass) error {
	before, pointer, err := look(file)
	if err != nil {
		return err
	}
	source := rows.Source{Path: file.path, Open: func() (io.ReadCloser, error) { return open(file.repo, file.path) }}
	options := rows.Options{AnyValue: p.opt.AnyValue, OnBytes: p.opt.OnBytes, HashOnly: pointer}
	totals, err := rows.Read(ctx, source, options, &parts[0].found, func(row *rows.Row) error {
		for _, part := range parts {
			for _, o := range part.observed {
				o.Observe(row)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", file.path, err)
	}
	after, _, err := look(file)
	if err != nil {
		return err
	}
	if !os.SameFile(before, after) || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return fmt.Errorf("%s changed while it was read: try again when nothing writes to it", filepath.Join(file.repo.Dir, file.path))
	}
	for _, part := range parts {
		part.totals = totals
		part.unread = totals.Unread
	}
	return nil
}

// look says what stands in a file's place now, and whether it is a Git LFS pointer: hygiene reports those, and their lines
// are no rows.
func look(file fileOf) (info fs.FileInfo, pointer bool, err error) {
	f, err := open(file.repo, file.path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, false, err
	}
	pointer, err = hygiene.IsPointer(f)
	return info, pointer, err
}

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
