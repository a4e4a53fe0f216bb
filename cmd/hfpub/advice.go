package main

import (
	"context"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// advice asks the Hub about files that may or may not have to be in LFS; nil where the remote is no Hub. When the Hub cannot
// be asked, our own rules decide and the push itself will tell.
func (p *pusher) advice(repo *release.Repo, bars *progress) publish.Advice {
	named, onHub, err := p.dest.onHub(repo)
	if err != nil || !onHub {
		return nil
	}
	return func(ctx context.Context, branch string, attributes []byte, files []hubapi.Candidate) (map[string]bool, error) {
		wanted, err := p.dest.hub().WantsLFS(ctx, named, branch, attributes, files)
		if err == nil || ctx.Err() != nil {
			return wanted, err
		}
		if !hubapi.NoAPI(err) {
			p.app.log(bars, "%s: the Hub did not say which files belong into LFS, the push will: %s", repo.ID, err)
		}
		return nil, nil
	}
}
