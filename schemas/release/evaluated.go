package release

import (
	"fmt"
	"path/filepath"

	"github.com/hfpub/hfpub/validate/finding"
)

// NotEvaluated gives one warning for each part of hfpub.yaml that is checked for its form only: claims and
// reproduce. Nothing that was measured speaks for or against them.
// reproduced says that reproduce is run.
func (r *Release) NotEvaluated(reproduced bool) []finding.Finding {
	var all []finding.Finding
	say := func(repo string, pos Pos, pointer, format string, args ...any) {
		f := finding.New(finding.ManifestNotEvaluated, format, args...).AtColumn(filepath.Base(r.File), pos.Line, pos.Column).In(pointer)
		f.Repo = repo
		f.Hint = "check it by other means before the release"
		all = append(all, f)
	}
	unmeasured := func(repo, at string, claims []Claim) {
		for i, claim := range claims {
			say(repo, claim.Pos, fmt.Sprintf("%s/claims/%d", at, i),
				"claim %s is not measured yet: nothing here says whether it agrees", claim.ID)
		}
	}
	for i, repo := range r.Repos {
		at := fmt.Sprintf("/repos/%d", i)
		unmeasured(repo.ID, at, repo.Claims)
		if repo.Reproduce != nil && !reproduced {
			say(repo.ID, repo.Reproduce.Pos, at+"/reproduce",
				"reproduce was not run: nothing here says whether the command makes the same file")
		}
	}
	unmeasured("", "", r.Claims)
	return all
}
