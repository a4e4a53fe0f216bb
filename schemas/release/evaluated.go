package release

import (
	"fmt"
	"path/filepath"

	"github.com/hfpub/hfpub/validate/finding"
)

// NotEvaluated gives one warning for each part of hfpub.yaml that is checked for its form only: reproduce. Nothing that
// was measured speaks for or against it.
func (r *Release) NotEvaluated() []finding.Finding {
	var all []finding.Finding
	say := func(repo string, pos Pos, pointer, format string, args ...any) {
		f := finding.New(finding.ManifestNotEvaluated, format, args...).AtColumn(filepath.Base(r.File), pos.Line, pos.Column).In(pointer)
		f.Repo = repo
		f.Hint = "check it by other means before the release"
		all = append(all, f)
	}
	for i, repo := range r.Repos {
		at := fmt.Sprintf("/repos/%d", i)
		if repo.Reproduce != nil {
			say(repo.ID, repo.Reproduce.Pos, at+"/reproduce",
				"reproduce was not run: nothing here says whether the command makes the same file")
		}
	}
	return all
}
