package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hfpub/hfpub/publish/hubapi"
)

// Advice asks the server which of some files it wants in LFS on a branch, and returns their paths. attributes are the lines
// of the root's .gitattributes.
type Advice func(ctx context.Context, branch string, attributes []byte, files []hubapi.Candidate) (map[string]bool, error)

// takeAdvice puts the files into LFS that the server wants there and our own rules left plain. The rule that the Hub refuses
// binary files by is not published, so it is asked about those that it may see as such: a wrong guess would be told only
// after everything is uploaded.
func (p *Publisher) takeAdvice(ctx context.Context, root *os.Root, d *difference, attributes []byte) error {
	if p.opts.Advice == nil || d.base.old.IsZero() {
		return nil
	}
	var open []hubapi.Candidate
	for _, e := range d.local {
		if !d.inDoubt(e) {
			continue
		}
		sample, err := readSample(root, e.path)
		if err != nil {
			return err
		}
		open = append(open, hubapi.Candidate{Path: e.path, Size: e.size, Sample: sample})
	}
	if len(open) == 0 {
		return nil
	}
	wanted, err := p.opts.Advice(ctx, p.branch(), attributes, open)
	if err != nil {
		return err
	}
	for _, e := range d.local {
		e.lfs = e.lfs || wanted[e.path] && d.inDoubt(e)
	}
	return nil
}

// inDoubt says that a file would be sent as a plain one, and that it is binary, or larger than texts usually are.
func (d *difference) inDoubt(e *entry) bool {
	was, there := d.base.Files[e.path]
	sent := !e.asis && !(there && was.Hash == e.blob)
	return sent && !e.lfs && e.size > 0 && (e.binary || e.size > lfsOver) && !isAttributes(e.path) && e.path != readme
}

// readSample reads what the server wants to see of a file.
func readSample(root *os.Root, path string) ([]byte, error) {
	file, err := root.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, bare(err))
	}
	defer file.Close()
	sample := make([]byte, hubapi.SampleSize)
	n, err := io.ReadFull(file, sample)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", path, bare(err))
	}
	return sample[:n], nil
}
