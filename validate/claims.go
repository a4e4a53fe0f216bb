package validate

import (
	"context"

	"github.com/hfpub/hfpub/validate/claim"
	"github.com/hfpub/hfpub/validate/observe"
)

// judgeClaims measures the claims of all repos, which it writes into their reports, and those of the release, which it returns.
func (p *pass) judgeClaims(ctx context.Context, repos []Repo) ([]Claim, error) {
	results, found, err := p.claims.Judge(ctx, p.rowsOf)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		p.found.Add(f)
	}
	var own []Claim
	for _, r := range results {
		list := &own
		for i := range repos {
			if r.Repo == &p.rel.Repos[i] {
				list = &repos[i].Claims
			}
		}
		*list = append(*list, claimOf(r))
	}
	return own, nil
}

// rowsOf counts the rows of a split; false when a file could not be read as rows.
func (p *pass) rowsOf(split *observe.Split) (int64, bool) {
	var n int64
	for _, part := range p.splits[split.Index].parts {
		if part.totals.Unread {
			return 0, false
		}
		n += part.totals.Rows
	}
	return n, true
}

func claimOf(r claim.Result) Claim {
	return Claim{ID: r.Claim.ID, Said: r.Claim.Text, Where: r.Claim.Where, Measured: r.Measured, Verdict: string(r.Verdict), State: r.Claim.State,
		Why: r.Claim.Why, Reason: r.Reason, Repos: r.About}
}
