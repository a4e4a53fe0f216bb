package validate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
)

// Partial is what one shard of a release showed. In a file it is a line that names the form and its version, a record, and the
// SHA-256 of both.
type Partial struct {
	Shard Shard
	// Job is what [ReadShard] was given, Version the version of hfpub that read the shard.
	Job, Version string
	// Bytes counts the bytes of data files that are the shard's.
	Bytes int64

	// path is the file it was read from.
	path string
	// state tells what was read and how; body is what it showed, nil until it is needed.
	state [sha256.Size]byte
	body  []byte
}

// partialForm begins the file of a partial result.
const partialForm = "hfpub partial result 1\n"

// Write writes the partial result to a file, which is replaced as a whole.
func (p *Partial) Write(path string) error {
	var w record.Writer
	w.Raw([]byte(partialForm))
	w.Uint(uint64(p.Shard.Number))
	w.Uint(uint64(p.Shard.Of))
	w.Text(p.Version)
	w.Text(p.Job)
	w.Uint(uint64(p.Bytes))
	w.Raw(p.state[:])
	w.Raw(p.body)
	sum := sha256.Sum256(w.Bytes())
	w.Raw(sum[:])
	return atomicfile.Write(path, w.Bytes(), 0o644)
}

// ReadPartial reads a file that [Partial.Write] wrote. What it showed is read again when it is merged, so that of many partial
// results one is in memory.
func ReadPartial(path string) (*Partial, error) {
	p, err := readPartial(path)
	if err != nil {
		return nil, err
	}
	p.body = nil
	return p, nil
}

// readPartial looks at the first line before it reads a file of any size.
func readPartial(path string) (*Partial, error) {
	data, err := regularfile.Read(path, 2*int64(len(partialForm)))
	if err == nil && bytes.HasPrefix(data, []byte(partialForm)) {
		data, err = regularfile.Read(path, math.MaxInt64)
	}
	if err != nil {
		return nil, err
	}
	p, err := parsePartial(data)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	p.path = path
	return p, nil
}

// parsePartial reads a partial result; what an error says follows the name of the file.
func parsePartial(data []byte) (*Partial, error) {
	content, ok := bytes.CutPrefix(data, []byte(partialForm))
	if !ok {
		if first, _, _ := bytes.Cut(data, []byte{'\n'}); bytes.HasPrefix(first, []byte("hfpub partial result ")) {
			return nil, errors.New("was written by another version of hfpub: read all shards with one version")
		}
		return nil, errors.New("is no partial result: give the files that hfpub validate --partial wrote")
	}
	damaged := errors.New("is damaged or cut short: read the shard again")
	if len(content) < sha256.Size {
		return nil, damaged
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, damaged
	}
	r := record.NewReader(data[len(partialForm):end])
	p := &Partial{}
	p.Shard.Number, p.Shard.Of = int(min(r.Uint(), maxShards+1)), int(min(r.Uint(), maxShards+1))
	p.Version, p.Job = r.Text(), r.Text()
	p.Bytes = int64(min(r.Uint(), math.MaxInt64))
	copy(p.state[:], r.Raw(sha256.Size))
	p.body = r.Rest()
	if r.Err() != nil || p.Shard.Number < 1 || p.Shard.Number > p.Shard.Of || p.Shard.Of > maxShards {
		return nil, damaged
	}
	return p, nil
}

// CheckPartials says whether partial results are all the shards of one job, read by this version of hfpub.
func CheckPartials(partials []*Partial, version string) error {
	if len(partials) == 0 {
		return errors.New("there is no partial result to merge")
	}
	first := partials[0]
	have := map[int]*Partial{}
	for _, p := range partials {
		switch other := have[p.Shard.Number]; {
		case p.Version != version:
			return fmt.Errorf("%s was written by hfpub %s, and this is hfpub %s: read all shards with one version", p.path, p.Version, version)
		case p.Shard.Of != first.Shard.Of:
			return fmt.Errorf("%s is shard %s and %s is shard %s: they are not of one job", first.path, first.Shard, p.path, p.Shard)
		case p.Job != first.Job || p.state != first.state:
			return fmt.Errorf("%s and %s are not of one job: files, schemas or flags differ", first.path, p.path)
		case other != nil:
			return fmt.Errorf("%s and %s are both shard %s", other.path, p.path, p.Shard)
		}
		have[p.Shard.Number] = p
	}
	var missing []string
	for n := 1; n <= first.Shard.Of; n++ {
		if have[n] == nil {
			missing = append(missing, Shard{n, first.Shard.Of}.String())
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("shard %s is missing: merge needs all of them", strings.Join(missing, ", "))
	}
	return nil
}

// Merge makes the report of a release from the partial results of all its shards; it is the one that [Run] makes. rel, found
// and opt are as they were when the shards were read.
func Merge(ctx context.Context, rel *release.Release, found []finding.Finding, opt Options, partials []*Partial) (*Report, error) {
	if err := CheckPartials(partials, opt.Version); err != nil {
		return nil, err
	}
	p, err := newPass(rel, found, opt)
	if err != nil {
		return nil, err
	}
	defer p.keys.Close()
	sizes, err := p.sizes()
	if err != nil {
		return nil, err
	}
	if partials[0].state != [sha256.Size]byte(p.state.Sum(nil)) {
		return nil, fmt.Errorf("%s was read from another state of the release: files, schemas or hfpub.yaml have changed since", partials[0].path)
	}
	partials = slices.Clone(partials)
	slices.SortFunc(partials, func(a, b *Partial) int { return a.Shard.Number - b.Shard.Number })
	m := newMerger(p, sizes, partials)
	for i := range partials {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := m.take(i); err != nil {
			return nil, err
		}
	}
	return p.conclude(ctx, m.files)
}

// merger puts partial results together, shard by shard.
type merger struct {
	pass     *pass
	partials []*Partial
	plans    []plan
	// files are all data files.
	files []*dataFile
	// pieces are the stretches of each split in its order, and pieceOf finds them.
	pieces  map[*splitPass][]*piece
	pieceOf map[*stretch]*piece
}

// piece is a stretch that is merged when all before it have been.
type piece struct {
	at int
	// seen is nil until the shard has been read; dropped says that its rows do not count.
	seen    *sight
	dropped bool
}

func newMerger(p *pass, sizes []int64, partials []*Partial) *merger {
	m := &merger{pass: p, partials: partials, files: p.dataFiles(), pieces: map[*splitPass][]*piece{}, pieceOf: map[*stretch]*piece{}}
	for _, partial := range partials {
		plan := p.planOf(partial.Shard, sizes)
		m.plans = append(m.plans, plan)
		for _, s := range plan.stretches {
			piece := &piece{at: s.parts[0].at}
			m.pieceOf[s] = piece
			m.pieces[s.split] = append(m.pieces[s.split], piece)
		}
	}
	for _, pieces := range m.pieces {
		slices.SortStableFunc(pieces, func(a, b *piece) int { return a.at - b.at })
	}
	return m
}

// take takes in the next shard. A share of a file does not count when one before it ended the reading.
func (m *merger) take(shard int) error {
	partial := m.partials[shard]
	damaged := fmt.Errorf("%s does not hold what shard %s of this release should", partial.path, partial.Shard)
	body, err := partial.read()
	if err != nil {
		return err
	}
	r := record.NewReader(body)
	stopped := map[*dataFile]bool{}
	for _, f := range m.plans[shard].files {
		known := rows.NewPart(m.pass.opt.MaxPlaces)
		if err := known.UnmarshalBinary(r.Part()); err != nil {
			return damaged
		}
		whole := m.files[f.index]
		if whole.known == nil {
			whole.known = known
			continue
		}
		stopped[f] = whole.known.Stopped()
		whole.known.Merge(known)
	}
	for _, s := range m.plans[shard].stretches {
		seen, err := s.read(r)
		if err != nil {
			return damaged
		}
		piece := m.pieceOf[s]
		piece.seen, piece.dropped = seen, stopped[s.first]
		m.advance(s.split)
	}
	if r.End() != nil {
		return damaged
	}
	return nil
}

// advance merges the pieces of a split that are there, as far as those before them are.
func (m *merger) advance(s *splitPass) {
	pieces := m.pieces[s]
	for len(pieces) > 0 && pieces[0].seen != nil {
		if !pieces[0].dropped {
			s.seen.merge(pieces[0].seen)
		}
		pieces = pieces[1:]
	}
	m.pieces[s] = pieces
}

// read returns what the shard showed.
func (p *Partial) read() ([]byte, error) {
	if p.body != nil {
		return p.body, nil
	}
	again, err := readPartial(p.path)
	if err != nil {
		return nil, err
	}
	if again.Shard != p.Shard || again.state != p.state {
		return nil, fmt.Errorf("%s changed while it was merged", p.path)
	}
	return again.body, nil
}

// read reads what [sight.write] wrote for the stretch.
func (s *stretch) read(r *record.Reader) (*sight, error) {
	seen := s.split.look(s.split.schema, spare{}, &digest.Observer{})
	err := seen.columns.UnmarshalBinary(r.Part())
	if err == nil {
		err = seen.digest.UnmarshalBinary(r.Part())
	}
	if err == nil && seen.shape != nil {
		found := finding.Set{MaxPlaces: s.split.maxPlaces}
		err = found.UnmarshalBinary(r.Part())
		seen.shape.Findings().Merge(&found)
	}
	if err == nil && seen.statistics != nil {
		err = seen.statistics.UnmarshalBinary(r.Part())
	}
	for _, check := range seen.checks {
		if err == nil {
			err = check.UnmarshalBinary(r.Part())
		}
	}
	if err == nil && seen.digest.First() != s.seen.digest.First() {
		err = record.ErrDamaged
	}
	return seen, err
}
