package output

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// The elements of JUnit's XML that CI systems read.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit prints one test case for each finding: one that stops the release is a failure, any other passes and
// carries its text. Without findings a single passing case says that the command ran.
func writeJUnit(w io.Writer, r Result, o Options) error {
	suite := junitSuite{Name: "hfpub " + r.Command}
	for _, f := range r.Findings {
		c := junitCase{Class: string(f.Code), Name: junitName(&f), File: o.locate(&f, f.Path), Line: f.Line}
		if o.fails(&f) {
			c.Failure = &junitFailure{Type: string(f.Severity), Message: f.Message, Text: junitText(&f, o)}
			suite.Failures++
		} else {
			c.Out = string(f.Severity) + ": " + junitText(&f, o)
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Class: "hfpub", Name: r.Command}}
	}
	suite.Tests = len(suite.Cases)
	doc := junitSuites{Name: "hfpub", Tests: suite.Tests, Failures: suite.Failures, Suites: []junitSuite{suite}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitName(f *finding.Finding) string {
	where := f.Where()
	if where == "" {
		where = strings.Trim(f.Repo+" "+f.Config+" "+f.Split, " ")
	}
	return strings.TrimSpace(where + " " + f.Message)
}

func junitText(f *finding.Finding, o Options) string {
	var b strings.Builder
	b.WriteString(sentence(f, f.Pointer))
	for _, p := range f.Places {
		p.Path = o.locate(f, p.Path)
		fmt.Fprintf(&b, "\n%s", p.Where())
	}
	if more := f.Count - len(placesOf(f)); more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}
