package output

import (
	"cmp"
	"fmt"
	"io"
	"net/url"

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
			result.AddLocation(sarifLocation(&f, p, o))
		}
	}
	doc.AddRun(run)
	if err := doc.PrettyWrite(w); err != nil {
		return fmt.Errorf("write the SARIF report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// noFile is where a finding about no file stands: GitHub's code scanning refuses a whole report for one result without
// a file and a line.
const noFile = "hfpub.yaml"

func sarifLocation(f *finding.Finding, p finding.Place, o Options) *sarif.Location {
	path := url.URL{Path: cmp.Or(o.locate(f, p.Path), noFile)}
	region := sarif.NewRegion().WithStartLine(max(p.Line, 1))
	if p.Column > 0 {
		region.WithStartColumn(p.Column)
	}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(path.String())).WithRegion(region)
	return sarif.NewLocationWithPhysicalLocation(place)
}

func sarifLevel(s finding.Severity) string {
	if s == finding.Note {
		return "note"
	}
	return string(s)
}
