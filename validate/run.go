// Package validate finds out what is true of a release: every data file is read once, every row is shown to every
// observer, and out comes one [Report].
//
// [Run] is the one pass. It lists the files of every split, compiles the schemas, has a [crew] of workers read the files in
// blocks (each block with observers of its own, which are merged in file order) and adds what needs no rows: card,
// licenses, hygiene, the loader's view of files and splits. The packages below know one thing each: rows reads files, shape
// checks schemas, column and digest measure, loader, hygiene and license judge. The report does not depend on the number of
// workers or the size of blocks.
package validate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas"
	"github.com/hfpub/hfpub/schemas/nearest"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/claim"
	"github.com/hfpub/hfpub/validate/condition"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/family"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/fingerprint"
	"github.com/hfpub/hfpub/validate/hygiene"
	"github.com/hfpub/hfpub/validate/leak"
	"github.com/hfpub/hfpub/validate/license"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/reproduce"
	"github.com/hfpub/hfpub/validate/rule"
	"github.com/hfpub/hfpub/validate/shape"
)

// Options says how to validate.
type Options struct {
	// Jobs is the number of workers that read, hash and judge; 0 means one for each core.
	Jobs int
	// MaxPlaces bounds the places kept for one finding; 0 means no limit.
	MaxPlaces int
	// Schema is the path of a JSON Schema for every split that has none of its own; "" for none.
	Schema string
	// Artifact is the artifact of every split that has neither artifact nor schema of its own; "" for none.
	Artifact string
	// Refs registers folders of documents for the $refs of schemas.
	Refs []shape.Ref
	// Engine is what holds rows against schemas; "" is hfpub's own matcher.
	Engine shape.Engine
	// AnyValue lets a row be any JSON value, as for loose files with a schema.
	AnyValue bool
	// Statistics asks for the statistics of columns, which plain validation does without.
	Statistics bool
	// Lock is the path of the hfpub.lock that the release must equal; "" for no comparison.
	Lock string
	// Reproduce says how to run the commands that make data anew; nil runs none.
	Reproduce *reproduce.Options
	// OnBytes is called from several goroutines with the number of bytes read since its last call; nil for nobody.
	OnBytes func(n int64)
	// Version is hfpub's version, for the report.
	Version string
	// Checks are further checks that look at the rows of all splits.
	Checks []observe.Check

	// blockSize is the size of all blocks of rows in bytes; 0 lets them grow with the file.
	blockSize int
}

// pass is one validation under way.
type pass struct {
	opt     Options
	rel     *release.Release
	found   finding.Set
	schemas map[string]*schema
	splits  []*splitPass
	checks  []observe.Check
	claims  *claim.Claims
	// keys keeps the keys of rows for checks that join rows.
	keys *fingerprint.Store
	// state tells what rows are judged by: the texts of the schemas go into it.
	state hash.Hash
}

// schema is a compiled schema; shape is nil when no row can be judged by it.
type schema struct {
	shape *shape.Schema
}

// Run validates a release. found are the findings that loading the release gave; they become part of the report. The
// error is for what hfpub cannot do (a file that cannot be read, a cancelled context); everything that is wrong with
// the release is in the report.
func Run(ctx context.Context, rel *release.Release, found []finding.Finding, opt Options) (*Report, error) {
	go hygiene.Prepare() // beside the schemas
	p, err := newPass(rel, found, opt)
	if err != nil {
		return nil, err
	}
	defer p.keys.Close()
	files := p.dataFiles()
	for _, s := range p.stretches(files) {
		s.split.seen = s.seen // a split has one stretch, if it has any files
	}
	if err := newCrew(p, files).read(ctx); err != nil {
		return nil, err
	}
	return p.conclude(ctx, files)
}

// newPass begins a validation with what loading the release gave.
func newPass(rel *release.Release, found []finding.Finding, opt Options) (*pass, error) {
	p := &pass{opt: opt, rel: rel, found: finding.Set{MaxPlaces: opt.MaxPlaces}, schemas: map[string]*schema{}, state: sha256.New(), keys: fingerprint.NewStore()}
	for _, f := range found {
		p.found.Add(f)
	}
	if opt.Reproduce == nil {
		for _, f := range rel.NotEvaluated() {
			p.found.Add(f)
		}
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	return p, p.join()
}

// join lets the checks of the release look at the splits.
func (p *pass) join() error {
	var compiler condition.Compiler
	var known []*observe.Split
	for _, s := range p.splits {
		known = append(known, s.known)
	}
	opt := observe.Options{MaxPlaces: p.opt.MaxPlaces, Keys: p.keys, Again: p.again}
	texts, err := hygiene.NewRowCheck(p.rel, opt)
	if err != nil {
		return err
	}
	declared, found := rule.Checks(p.rel, known, &compiler, opt)
	claims, more := claim.New(p.rel, known, &compiler, opt)
	p.claims = claims
	for _, f := range append(found, more...) {
		p.found.Add(f)
	}
	p.checks = slices.Concat(family.Checks(p.rel, known, opt), declared, claims.Checks(), []observe.Check{license.RowCheck{}, texts})
	if !p.opt.AnyValue { // values of any kind, which a schema is tried on, may be equal
		p.checks = append(p.checks, leak.Checks(known, opt)...)
	}
	p.checks = append(p.checks, p.opt.Checks...)
	for _, s := range p.splits {
		for _, check := range p.checks {
			if check.Observer(s.known) != nil {
				s.checks = append(s.checks, check)
			}
		}
		s.seen = s.look(s.schema, spare{}, digest.NewFirst())
	}
	return nil
}

// stretches puts the parts of files together that are read one behind the other. A file of which others read the beginning is
// a stretch of its own: whether its rows count, they know; and one that others read on ends its stretch.
func (p *pass) stretches(files []*dataFile) []*stretch {
	fileOf := map[*part]*dataFile{}
	for _, f := range files {
		for _, part := range f.parts {
			fileOf[part] = f
		}
	}
	var out []*stretch
	for _, s := range p.splits {
		var open *stretch
		for _, part := range s.parts {
			f := fileOf[part]
			if f == nil {
				open = nil
				continue
			}
			if open == nil || !f.fromStart() {
				open = newStretch(part, f)
				out = append(out, open)
			}
			open.add(part)
			if !f.fromStart() || !f.toEnd() {
				open = nil
			}
		}
	}
	return out
}

// conclude makes the report, when all files have been read.
func (p *pass) conclude(ctx context.Context, files []*dataFile) (*Report, error) {
	for _, f := range files {
		if err := f.conclude(ctx); err != nil {
			return nil, err
		}
	}
	repos := p.measure()
	if err := p.finishChecks(ctx); err != nil {
		return nil, err
	}
	claims, err := p.judgeClaims(ctx, repos)
	if err != nil {
		return nil, err
	}
	if err := p.judge(ctx, repos); err != nil {
		return nil, err
	}
	if p.opt.Lock != "" && len(p.rel.Repos) > 0 { // without a repo hfpub.yaml could not be read, which was found before
		drift, err := checkLock(ctx, p.opt.Lock, p.rel, &Report{Repos: repos})
		if err != nil {
			return nil, err
		}
		for _, f := range drift {
			p.found.Add(f)
		}
	}
	report := p.report(repos)
	report.Claims = claims
	return report, nil
}

// prepare lists the splits and compiles their schemas.
func (p *pass) prepare() error {
	for i := range p.rel.Repos {
		repo := &p.rel.Repos[i]
		for j := range repo.Configs {
			config := &repo.Configs[j]
			for k := range config.Splits {
				split := &config.Splits[k]
				known := &observe.Split{Repo: repo, Config: config, Split: split, Artifact: p.artifactOf(split), Index: len(p.splits)}
				schema, err := p.schemaOf(known)
				if err != nil {
					return err
				}
				p.splits = append(p.splits, p.newSplitPass(known, schema))
			}
		}
	}
	return nil
}

// maxSchema bounds the bytes that are read of a schema: more than shape takes.
const maxSchema = 16 << 20

// artifactOf is the artifact of the rows of a split; "" for none.
func (p *pass) artifactOf(split *release.Split) string {
	if split.Artifact == "" && split.Schema == "" {
		return p.opt.Artifact
	}
	return split.Artifact
}

// artifactSchema compiles the schema of an artifact. What hfpub.yaml says of it may be wrong.
func (p *pass) artifactSchema(split *observe.Split) *schema {
	name := split.Artifact
	if known := p.schemas[name]; known != nil {
		return known
	}
	p.schemas[name] = &schema{}
	text, ok := schemas.Artifact(name)
	if !ok {
		f := finding.New(finding.ManifestValue, "artifact %s is not known", name)
		if split.PosFile != "" {
			f = f.AtColumn(split.PosFile, split.Pos.Line, split.Pos.Column)
		}
		if near, ok := nearest.Word(name, schemas.Artifacts()); ok {
			f = f.Hinting("did you mean %s?", near)
		} else {
			f = f.Hinting("give the split a schema instead, or one of the artifacts %s", strings.Join(schemas.Artifacts(), ", "))
		}
		p.found.Add(f)
		return p.schemas[name]
	}
	compiled, found := shape.Compile(name+".schema.json", text, shape.Options{Engine: p.opt.Engine})
	for _, f := range found {
		p.found.Add(f)
	}
	p.schemas[name] = &schema{compiled}
	return p.schemas[name]
}

// schemaOf compiles the schema of a split once for all splits that share it; nil for a split without one. That a schema
// of hfpub.yaml is not there was found when the release was loaded; no row is judged by one that cannot be read.
func (p *pass) schemaOf(split *observe.Split) (*schema, error) {
	if split.Artifact != "" {
		return p.artifactSchema(split), nil
	}
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
	fmt.Fprintf(p.state, "schema %q %d\n%s", shown, len(text), text)
	options := shape.Options{Refs: p.opt.Refs, Dir: filepath.Dir(path), Engine: p.opt.Engine}
	compiled, found := shape.Compile(shown, text, options)
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
