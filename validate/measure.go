package validate

import (
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
)

// measure merges what was seen, file by file and in file order, into what the report says of every repo.
func (p *pass) measure() []Repo {
	repos := []Repo{}
	at := 0
	for i := range p.rel.Repos {
		repo := &p.rel.Repos[i]
		out := Repo{ID: repo.ID, Type: string(repo.Type), Status: string(repo.Status), License: repo.License, Configs: []Config{}}
		for j := range repo.Configs {
			n := len(repo.Configs[j].Splits)
			out.Configs = append(out.Configs, p.measureConfig(&repo.Configs[j], p.splits[at:at+n]))
			at += n
		}
		for _, c := range repo.Claims {
			out.Claims = append(out.Claims, unmeasured(c))
		}
		repos = append(repos, out)
	}
	return repos
}

// unmeasured is the report's entry for a claim: measures are not evaluated yet, and a finding says so.
func unmeasured(c release.Claim) Claim {
	return Claim{ID: c.ID, Said: c.Text, Verdict: "not-measured", State: c.State, Why: c.Why}
}

func (p *pass) measureConfig(config *release.Config, splits []*splitPass) Config {
	out := Config{Name: config.Name, Features: column.Features{}, Splits: []Split{}}
	var merged []*column.Observer
	for _, s := range splits {
		columns, split := p.measureSplit(s)
		merged = append(merged, columns)
		out.Splits = append(out.Splits, split)
	}
	if features := column.Config(merged); features != nil {
		out.Features, out.Inferred = features, features
	}
	out.Fields = column.Fields(merged)
	for i, columns := range merged {
		split := &out.Splits[i]
		if split.Rows == nil {
			continue
		}
		split.Statistics = columns.Statistics(out.Features)
		if size, ok := columns.NumBytes(out.Features); ok {
			split.NumBytes = &size
		}
	}
	return out
}

// measureSplit merges the parts of one split. Rows and digest are left out when a file could not be read as rows.
func (p *pass) measureSplit(s *splitPass) (*column.Observer, Split) {
	out := Split{Name: s.split.Name, Files: []File{}}
	columns, digests := column.NewObserver(), digest.NewFirst()
	if len(s.parts) > 0 {
		digests = s.parts[0].digest
	}
	var total int64
	readable := true
	found := finding.Set{MaxPlaces: p.opt.MaxPlaces}
	for i, part := range s.parts {
		file := File{Path: s.split.Files[i], Bytes: part.totals.Bytes, SHA256: part.totals.SHA256, Array: part.totals.Array}
		if part.unread {
			readable = false
		} else {
			rows := part.totals.Rows
			file.Rows = &rows
			total += rows
		}
		out.Files = append(out.Files, file)
		columns.Merge(part.columns)
		if i > 0 {
			digests.Merge(part.digest)
		}
		found.Merge(&part.found)
		if part.shape != nil {
			found.Merge(part.shape.Findings())
		}
	}
	found.Label("", s.config.Name, s.split.Name)
	p.add(s.repo, &found)
	if readable {
		sum := digests.Digest()
		out.Rows, out.Digest = &total, &sum
	}
	return columns, out
}

// add takes findings about a repo into the report. A plain folder has no id worth repeating in every finding.
func (p *pass) add(repo *release.Repo, found *finding.Set) {
	if repo.Declared {
		found.Label(repo.ID, "", "")
	}
	p.found.Merge(found)
}

// report puts everything together.
func (p *pass) report(repos []Repo) *Report {
	out := &Report{Version: 1, Hfpub: p.opt.Version, Release: p.rel.Name, Repos: repos, Findings: p.found.All()}
	out.Summary = Summary{
		Errors:   p.found.Count(finding.Error),
		Warnings: p.found.Count(finding.Warning),
		Notes:    p.found.Count(finding.Note),
	}
	for _, repo := range repos {
		seen := map[string]bool{}
		for _, config := range repo.Configs {
			for _, split := range config.Splits {
				if split.Rows != nil {
					out.Summary.Rows += *split.Rows
				}
				for _, file := range split.Files {
					if !seen[file.Path] {
						seen[file.Path] = true
						out.Summary.Bytes += file.Bytes
					}
				}
			}
		}
	}
	return out
}
