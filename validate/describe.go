package validate

import (
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/statistics"
)

// splitCount is the number of splits of a release, which share the memory for statistics.
func splitCount(rel *release.Release) int {
	n := 0
	for _, repo := range rel.Repos {
		for _, config := range repo.Configs {
			n += len(config.Splits)
		}
	}
	return n
}

// describe adds the statistics of the split's columns, if they were asked for, and says on which of them the viewer's job fails.
func (p *pass) describe(s *splitPass, split *Split, features column.Features, reading column.Reading) {
	if s.seen.statistics == nil {
		return
	}
	columns, faults := s.finish(features, reading)
	split.Statistics, split.Partial = columns, refused(split)
	if len(faults) == 0 {
		return
	}
	found := &finding.Set{MaxPlaces: s.maxPlaces}
	for _, fault := range faults {
		f := about(fault)
		if len(split.Files) > 0 {
			f = f.At(split.Files[0].Path, 0)
		}
		found.Add(f.In("/" + escapePointer.Replace(fault.Column)))
	}
	found.Label("", s.config.Name, s.split.Name)
	p.add(s.repo, found)
}

// finish makes the statistics of a split as the loader reads it.
func (s *splitPass) finish(features column.Features, reading column.Reading) ([]statistics.Column, []statistics.Fault) {
	if reading.KeepsMissing {
		return s.seen.statistics.FinishKeeping(features, reading.KeepsEmpty)
	}
	return s.seen.statistics.Finish(features)
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// faults holds what is said of each reason for which the viewer's job fails.
var faults = map[statistics.Reason]struct {
	code finding.Code
	hint string
}{
	statistics.OneValue: {finding.StatisticsOneValue, "nothing is wrong with the data: fill the column in more rows, leave it out, or live without statistics"},
	statistics.Infinite: {finding.StatisticsInfinite, "write null for a number that is not known"},
	statistics.Edges:    {finding.StatisticsEdges, "write ids as text, and large numbers in a larger unit"},
	statistics.TwoEdges: {finding.StatisticsTwoEdges,
		"flags are better true and false; nothing else is wrong with the data, and later viewers show what is reported here"},
	statistics.LabelIDs:    {finding.StatisticsLabelIDs, "name all labels in the feature, or mend the ids"},
	statistics.LongDigits:  {finding.StatisticsLongDigits, "put letters before the digits, or write numbers"},
	statistics.NotMeasured: {finding.StatisticsNotMeasured, ""},
}

// about is the finding for a fault.
func about(fault statistics.Fault) finding.Finding {
	known := faults[fault.Reason]
	f := finding.New(known.code, "column %q: %s", fault.Column, fault.Detail)
	switch fault.Reason {
	case statistics.NotMeasured:
		return f
	case statistics.TwoEdges:
		f = finding.New(known.code, "the viewer of August 2026 fails on column %q, and shows no statistics of the split: %s", fault.Column, fault.Detail)
	default:
		f = finding.New(known.code, "the viewer's statistics fail on column %q, and the split shows none at all: %s", fault.Column, fault.Detail)
	}
	if fault.Reason == statistics.TwoEdges && fault.Lengths {
		return f.Hinting("nothing is wrong with the data, and later viewers show what is reported here")
	}
	return f.Hinting("%s", known.hint)
}
