package validate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/record"
	"github.com/hfpub/hfpub/validate/rows"
)

// Shard is one of several shares of the reading of a release, counted from 1. All have about the same number of bytes.
type Shard struct{ Number, Of int }

// maxShards bounds the number of shards.
const maxShards = 10_000

// ParseShard reads a shard as it is written: 2/4 is the second of four.
func ParseShard(text string) (Shard, error) {
	number, of, ok := strings.Cut(text, "/")
	s := Shard{}
	var err error
	if ok {
		s.Number, err = strconv.Atoi(number)
	}
	if ok && err == nil {
		s.Of, err = strconv.Atoi(of)
	}
	if !ok || err != nil || s.Number < 1 || s.Number > s.Of || s.Of > maxShards {
		return Shard{}, fmt.Errorf("%q is no shard: 2/4 is the second of four, and at most %d are possible", text, maxShards)
	}
	return s, nil
}

// String writes a shard as ParseShard reads it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Number, s.Of) }

// end is the byte at which a shard of so many bytes ends.
func (s Shard) end(total int64) int64 {
	n := big.NewInt(total)
	n.Mul(n, big.NewInt(int64(s.Number)))
	return n.Div(n, big.NewInt(int64(s.Of))).Int64()
}

func (s Shard) start(total int64) int64 { return Shard{s.Number - 1, s.Of}.end(total) }

// minShared is the size in bytes of the smallest file of which several shards have a share: whoever has the end of a file reads
// over what is before.
const minShared = 4 << 20

// of returns the files that a shard reads, and sets their shares; sizes are those of the files. A file that is not shared
// belongs to the shard in which it begins.
func (s Shard) of(files []*dataFile, sizes []int64, smallest int64) []*dataFile {
	var total int64
	for _, size := range sizes {
		total += size
	}
	from, to := s.start(total), s.end(total)
	var out []*dataFile
	var at int64
	for i, f := range files {
		end := at + sizes[i]
		switch {
		case shared(f.path) && sizes[i] >= smallest:
			if at < to && from < end {
				f.share = &rows.Share{From: max(from-at, 0), To: rows.ToTheEnd}
				if to < end {
					f.share.To = to - at
				}
				out = append(out, f)
			}
		case at >= from && at < to, s.Number == s.Of && at == total:
			out = append(out, f)
		}
		at = end
	}
	return out
}

// shared says that a file by its name may be read in shares.
func shared(path string) bool {
	format, _ := rows.FormatOf(path)
	return format.Shareable()
}

// plan is what one shard reads.
type plan struct {
	files     []*dataFile
	stretches []*stretch
}

// planOf returns what a shard reads of a pass.
func (p *pass) planOf(s Shard, sizes []int64) plan {
	smallest := int64(minShared)
	if p.opt.blockSize > 0 {
		smallest = 0
	}
	files := s.of(p.dataFiles(), sizes, smallest)
	return plan{files, p.stretches(files)}
}

// sizes measures all data files, and makes them part of the state: what was read of other files cannot be merged.
func (p *pass) sizes() ([]int64, error) {
	var sizes []int64
	fmt.Fprintf(p.state, "release %q, %d places, any value %t, statistics %t, engine %q, blocks %d\n",
		p.rel.Name, p.opt.MaxPlaces, p.opt.AnyValue, p.opt.Statistics, p.opt.Engine, p.opt.blockSize)
	if p.rel.File != "" {
		text, err := os.ReadFile(p.rel.File)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(p.state, "manifest %d\n%s", len(text), text)
	}
	for _, s := range p.splits {
		fmt.Fprintf(p.state, "split %q %q %q %q %q %q\n", s.repo.ID, s.config.Name, s.split.Name, s.known.Artifact, s.split.Schema, s.split.Files)
		if s.config.Field != nil {
			fmt.Fprintf(p.state, "field %q\n", *s.config.Field)
		}
	}
	for _, f := range p.dataFiles() {
		file, err := open(f.repo, f.path)
		if err != nil {
			return nil, f.failed(err)
		}
		info, err := file.Stat()
		file.Close()
		if err != nil {
			return nil, f.failed(err)
		}
		sizes = append(sizes, info.Size())
		fmt.Fprintf(p.state, "file %q %q %d\n", f.repo.ID, f.path, info.Size())
	}
	return sizes, nil
}

// ReadShard reads the share of a release's data files that is the shard's and returns the partial result, for [Merge]. opt
// and found are as for [Run]. job is kept in the partial result, for whoever merges: how to load the release.
//
// A shard that does not begin the data keeps 32 bytes for each row, and so does its partial result.
func ReadShard(ctx context.Context, rel *release.Release, found []finding.Finding, opt Options, shard Shard, job string) (*Partial, error) {
	p, err := newPass(rel, found, opt)
	if err != nil {
		return nil, err
	}
	defer p.keys.Close()
	sizes, err := p.sizes()
	if err != nil {
		return nil, err
	}
	mine := p.planOf(shard, sizes)
	if err := newCrew(p, mine.files).read(ctx); err != nil {
		return nil, err
	}
	out := &Partial{Shard: shard, Job: job, Version: opt.Version, state: [sha256.Size]byte(p.state.Sum(nil))}
	for _, f := range mine.files {
		out.Bytes += f.bytes()
	}
	out.body, err = mine.write()
	return out, err
}

// write writes what reading showed.
func (pl plan) write() ([]byte, error) {
	var w record.Writer
	for _, f := range pl.files {
		data, err := f.known.MarshalBinary()
		if err != nil {
			return nil, err
		}
		w.Part(data)
	}
	for _, s := range pl.stretches {
		if err := s.seen.write(&w); err != nil {
			return nil, err
		}
	}
	return w.Bytes(), nil
}

func (s *sight) write(w *record.Writer) error {
	columns, err := s.columns.MarshalBinary()
	if err != nil {
		return err
	}
	hashes, err := s.digest.MarshalBinary()
	if err != nil {
		return err
	}
	w.Part(columns)
	w.Part(hashes)
	if s.shape != nil {
		found, err := s.shape.Findings().MarshalBinary()
		if err != nil {
			return err
		}
		w.Part(found)
	}
	if s.statistics != nil {
		seen, err := s.statistics.MarshalBinary()
		if err != nil {
			return err
		}
		w.Part(seen)
	}
	for _, check := range s.checks {
		seen, err := check.MarshalBinary()
		if err != nil {
			return err
		}
		w.Part(seen)
	}
	return nil
}
