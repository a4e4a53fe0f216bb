// Package output writes the result of a command in the form that was asked for: a table for people, JSON for
// programs, annotations for GitHub, JUnit and SARIF for CI, Markdown for a comment or a page.
//
// A command makes one [Result]; each form is a small file of its own that turns it into bytes. Nothing here decides
// anything, and the same result gives the same bytes.
package output

import (
	"fmt"
	"io"
	"strings"

	"github.com/hfpub/hfpub/validate/finding"
)

// Result is what a command has to show.
type Result struct {
	// Command is the name of the command, such as validate.
	Command string
	// JSON is the object that --format json prints.
	JSON any
	// Tables and Lines are for people: first the tables, then the findings, then the lines.
	Tables   []Table
	Findings []finding.Finding
	Lines    []string
	// Omitted counts the findings that --max-findings left out of Findings.
	Omitted int
}

// Table is one table for people. Numbers lists the columns, from 0, that hold numbers and stand to the right.
type Table struct {
	Title   string
	Header  []string
	Rows    [][]string
	Numbers []int
}

// Options says how to write.
type Options struct {
	// Color allows ANSI colours in the table form.
	Color bool
	// Width is how many columns the terminal has, 0 for no limit. The table form writes a table that is wider row by row, each cell
	// on a line of its own.
	Width int
	// Quiet leaves the tables and lines out of the table form: only findings are shown.
	Quiet bool
	// Strict makes warnings count as failures where a form knows failures.
	Strict bool
	// Locate turns the path of a finding, which is relative to its repo, into one relative to the working directory, as
	// CI systems want it. Nil leaves paths as they are.
	Locate func(f *finding.Finding, path string) string
	// Version is hfpub's version, for the forms that name the tool.
	Version string
}

func (o Options) locate(f *finding.Finding, path string) string {
	if o.Locate == nil || path == "" {
		return path
	}
	return o.Locate(f, path)
}

// fails says whether a finding stops the release.
func (o Options) fails(f *finding.Finding) bool {
	return f.Severity == finding.Error || o.Strict && f.Severity == finding.Warning
}

// Formats lists the forms by name.
var formats = []struct {
	name  string
	write func(io.Writer, Result, Options) error
}{
	{"table", writeTable},
	{"json", writeJSON},
	{"github", writeGitHub},
	{"junit", writeJUnit},
	{"sarif", writeSARIF},
	{"markdown", writeMarkdown},
}

// Formats returns the names of the forms that Write knows.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Write writes a result in one of the forms.
func Write(w io.Writer, format string, r Result, o Options) error {
	for _, f := range formats {
		if f.name == format {
			return f.write(w, r, o)
		}
	}
	return fmt.Errorf("unknown format %q: use one of %s", format, strings.Join(Formats(), ", "))
}

// Plural writes a number with its noun: 1 error, 2 errors.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
