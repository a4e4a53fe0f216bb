package output

import (
	"fmt"
	"io"

	"github.com/owenrumney/go-sarif/v3/pkg/report"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/hfpub/hfpub/validate/finding"
)

// writeSARIF prints SARIF 2.1.0, which code scanning reads: one rule for each code, one result for each finding
// with all its known places.
func writeSARIF(w io.Writer, r Result, o Options) error {
	doc := report.NewV210Report()
	run := sarif.NewRunWithInformationURI("hfpub", "https://github.com/hfpub/hfpub")
	run.Tool.Driver.WithVersion(o.Version)
	for _, f := range r.Findings {
		info, _ := finding.Lookup(f.Code)
		run.AddRule(string(f.Code)).WithShortDescription(sarif.NewMultiformatMessageString().WithText(info.Title))
		result := run.CreateResultForRule(string(f.Code)).
			WithLevel(sarifLevel(f.Severity)).
			WithMessage(sarif.NewTextMessage(sentence(&f, f.Pointer)))
		for _, p := range placesOf(&f) {
			if p.Path != "" {
				result.AddLocation(sarifLocation(&f, p, o))
			}
		}
	}
	doc.AddRun(run)
	if err := doc.PrettyWrite(w); err != nil {
		return fmt.Errorf("write the SARIF report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func sarifLocation(f *finding.Finding, p finding.Place, o Options) *sarif.Location {
	place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(o.locate(f, p.Path)))
	if p.Line > 0 {
		region := sarif.NewRegion().WithStartLine(p.Line)
		if p.Column > 0 {
			region.WithStartColumn(p.Column)
		}
		place.WithRegion(region)
	}
	return sarif.NewLocationWithPhysicalLocation(place)
}

func sarifLevel(s finding.Severity) string {
	if s == finding.Note {
		return "note"
	}
	return string(s)
}
