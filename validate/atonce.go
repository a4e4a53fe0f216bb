package validate

import (
	"context"
	"errors"
	"io"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
)

// maxAtOnce is the length in bytes of the longest array that is held against a schema as a whole. Such a file takes up to nine
// times its length of memory, for one with the shortest values there are.
const maxAtOnce = 64 << 20

// judgeAtOnce holds a file that is one array against a schema with keywords that need all of it at once (uniqueItems, contains and
// others), for which the file is read again. It may have no more than maxAtOnce bytes.
func (f *dataFile) judgeAtOnce(ctx context.Context, s *splitPass, line int) error {
	source := rows.Source{Path: f.path, Open: func() (io.ReadCloser, error) { return open(f.repo, f.path) }}
	row, err := rows.Whole(ctx, source, maxAtOnce)
	switch {
	case errors.Is(err, rows.ErrTooLong):
		told := finding.New(finding.SchemaRowNotJudged, "the file is one array of more than 64 MiB, and the schema holds keywords that need all of it at once")
		s.found.Add(told.At(f.path, line).Hinting("describe one element instead: without uniqueItems, contains, enum, const, allOf, anyOf, oneOf, not and if at the top"))
		return nil
	case err != nil:
		return err
	case f.before != nil: // else another process read the file, and the sizes have been compared
		if err := f.unchanged(); err != nil {
			return err
		}
	}
	if row == nil {
		return nil
	}
	whole := s.schema.NewObserver(s.maxPlaces)
	whole.Observe(row)
	s.found.Merge(whole.Findings())
	return nil
}
