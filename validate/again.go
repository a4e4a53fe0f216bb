package validate

import (
	"context"
	"errors"
	"io"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/observe"
	"github.com/hfpub/hfpub/validate/rows"
)

// errEnough ends reading a file when all rows that are wanted have been shown.
var errEnough = errors.New("enough")

// again reads a file of a split once more, and shows the rows with the given indexes, which ascend.
func (p *pass) again(ctx context.Context, split *observe.Split, file int, indexes []int64, see func(*rows.Row)) error {
	if len(indexes) == 0 {
		return nil
	}
	path := split.Files[file]
	source := rows.Source{Path: path, Open: func() (io.ReadCloser, error) { return open(split.Repo, path) }}
	found := finding.Set{MaxPlaces: 1} // what is wrong with the file was found when it was read first
	opt := rows.Options{AnyValue: p.opt.AnyValue, Field: split.Config.Field, BlockSize: p.opt.blockSize}
	_, err := rows.Read(ctx, source, opt, &found, func(row *rows.Row) error {
		if len(indexes) > 0 && row.Index == indexes[0] {
			see(row)
			indexes = indexes[1:]
		}
		if len(indexes) == 0 {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return (&dataFile{path: path}).failed(err)
	}
	return nil
}
