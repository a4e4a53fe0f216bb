package validate

import (
	"context"
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/loader"
	"github.com/hfpub/hfpub/validate/observe"
)

// measure makes what was seen into what the report says of every repo.
func (p *pass) measure() []Repo {
	repos := []Repo{}
	at := 0
	for i := range p.rel.Repos {
		repo := &p.rel.Repos[i]
		out := Repo{ID: repo.ID, Type: string(repo.Type), Status: string(repo.Status), License: repo.License, Configs: []Config{}}
		said := loader.ReadCard(repo)
		for j := range repo.Configs {
			n := len(repo.Configs[j].Splits)
			out.Configs = append(out.Configs, p.measureConfig(&repo.Configs[j], p.splits[at:at+n], said.Reading(&repo.Configs[j])))
			at += n
		}
		repos = append(repos, out)
	}
	return repos
}

func (p *pass) measureConfig(config *release.Config, splits []*splitPass, reading column.Reading) Config {
	out := Config{Name: config.Name, Features: column.Features{}, Splits: []Split{}}
	var merged []*column.Observer
	reading.Forms = map[string]column.Form{}
	for _, s := range splits {
		split := p.measureSplit(s)
		merged = append(merged, s.seen.columns)
		out.Splits = append(out.Splits, split)
		for i, part := range s.parts {
			t := part.totals
			reading.Forms[s.split.Files[i]] = column.Form{Array: t.Array, BlankFirst: t.BlankFirst, BlankLine: t.BlankLine}
		}
	}
	out.take(loaded(out.Splits, merged, reading))
	out.Inferred = out.Features
	if reading.Declared != nil {
		plain := reading
		plain.Declared, plain.Own = nil, false
		out.Inferred = loaded(out.Splits, merged, plain).Features
	}
	advised := reading
	advised.Own, advised.KeepsMissing = out.AdviseOwn, reading.KeepsMissing || out.AdviseMissing
	advised.KeepsEmpty = reading.KeepsEmpty && !out.AdviseMissing
	out.Fields = column.Fields(merged)
	out.AdvisedFields = column.FieldsAsRead(out.Fields, out.Advised, advised)
	for i, columns := range merged {
		split := &out.Splits[i]
		split.Example = columns.ExampleAsRead(out.Advised, advised)
		if split.Rows == nil {
			continue
		}
		p.describe(splits[i], split, out.Features, reading)
		if split.Statistics != nil {
			split.AdvisedStatistics, _ = splits[i].finish(out.Advised, advised)
		}
		if size, ok := numBytes(split, columns, out.Features, reading); ok && !refused(split) {
			split.NumBytes = &size
		}
		if size, ok := numBytes(split, columns, out.Advised, advised); ok && !refused(split) {
			split.AdvisedBytes = &size
		}
	}
	return out
}

// loaded is what the loader makes of the columns of a config. Those of Parquet files are what their footers say.
func loaded(splits []Split, columns []*column.Observer, reading column.Reading) column.Loaded {
	for i := range splits {
		if splits[i].isParquet() {
			features := column.FromParquet(*splits[i].Files[0].parquet)
			return column.Loaded{Features: features, Advised: features}
		}
	}
	return column.Load(columns, reading)
}

// take takes over what the loader makes of the columns.
func (c *Config) take(l column.Loaded) {
	if l.Features != nil {
		c.Features = l.Features
	}
	c.Advised, c.AdviseOwn, c.AdviseMissing, c.troubles = l.Advised, l.AdviseOwn, l.AdviseMissing, l.Troubles
}

// numBytes is the size of a split as the Hub counts it: that of the unpacked columns for Parquet, else that of Arrow's arrays.
func numBytes(split *Split, columns *column.Observer, features column.Features, reading column.Reading) (int64, bool) {
	if !split.isParquet() {
		return columns.NumBytesAs(features, reading)
	}
	var size int64
	for _, file := range split.Files {
		size += file.parquet.Stats.Unpacked
	}
	return size, true
}

// refused says that some rows of the split were not observed.
func refused(split *Split) bool {
	return slices.ContainsFunc(split.Files, func(f File) bool { return f.refused })
}

// measureSplit reports on one split. Rows and digest are left out when a file could not be read as rows.
func (p *pass) measureSplit(s *splitPass) Split {
	out := Split{Name: s.split.Name, Files: []File{}}
	var total int64
	readable := true
	for i, part := range s.parts {
		t := part.totals
		file := File{Path: s.split.Files[i], Bytes: t.Bytes, SHA256: t.SHA256, Array: t.Array, refused: t.Refused, parquet: t.Parquet}
		file.form = loader.Form{Array: t.Array, ArrayLine: t.ArrayLine, BlankFirst: t.BlankFirst, BOM: t.BOM, Wrapped: t.Wrapped}
		if s.config.Field != nil {
			if t.Field != "" {
				file.Under = s.config.Field
			}
			file.field = &loader.Field{Kind: t.Field, Line: t.FieldLine}
		}
		if t.Unread {
			readable = false
		} else {
			file.Rows = &t.Rows
			total += t.Rows
		}
		out.Files = append(out.Files, file)
	}
	found := s.seen.findings(&s.found)
	found.Label("", s.config.Name, s.split.Name)
	p.add(s.repo, found)
	if readable {
		sum := s.seen.digest.Digest()
		out.Rows, out.Digest = &total, &sum
	}
	return out
}

// finishChecks lets every check say what the rows of its splits showed together.
func (p *pass) finishChecks(ctx context.Context) error {
	for _, check := range p.checks {
		var seen []observe.Seen
		for _, s := range p.splits {
			if i := slices.Index(s.checks, check); i >= 0 {
				seen = append(seen, observe.Seen{Split: s.known, Observer: s.seen.checks[i], Whole: s.whole()})
			}
		}
		say := observe.NewFindings(p.opt.MaxPlaces)
		if err := check.Finish(ctx, seen, say); err != nil {
			return err
		}
		say.All(func(split *observe.Split, found *finding.Set) {
			if split == nil {
				p.found.Merge(found)
				return
			}
			p.add(split.Repo, found)
		})
	}
	return nil
}

// whole says that every row of the split was seen.
func (s *splitPass) whole() bool {
	return !slices.ContainsFunc(s.parts, func(p *part) bool { return p.totals.Refused || p.totals.Unread })
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
