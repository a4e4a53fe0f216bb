// Package cards writes what is to be read about a repo: README.md with its front matter, schema.md, and, where it is wanted,
// croissant.json for machines.
//
// [Render] takes the release, what was measured, and the files as they stand, and returns the files as they should
// be. Only what hfpub owns is touched: in the front matter the lines of the keys `configs`, `dataset_info` and
// `size_categories` and of those that hfpub.yaml gives; in the text the blocks between its markers. Every other byte
// stays: order, comments, quoting, line ends. A key that already means what it should keeps its bytes too, so that rendering twice
// changes nothing. What cannot be read is refused as a [Refusal] and left alone.
//
// [RenderCatalog] does the same for catalog.md, the index page over all repos of a release.
//
// [Output.Write] puts the files in place, [Output.Check] says where they differ from what stands there.
//
// The packages below know one thing each: picture draws the license graph, croissant describes a data set as Croissant, yamlout writes YAML that all
// readers take alike, markdown puts foreign text into Markdown, marked finds the blocks, schemadoc reads descriptions
// from a JSON Schema; manifest writes a first hfpub.yaml, which is no part of a card. The words of the cards stand in
// templates/.
package cards

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/hfpub/hfpub/cards/croissant"
	"github.com/hfpub/hfpub/schemas/atomicfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
)

// The files of a card, relative to the repo's root.
const (
	ReadmePath    = "README.md"
	SchemaPath    = "schema.md"
	CroissantPath = croissant.Path
)

// AdapterConfigPath is the file, relative to the repo's root, in which PEFT says what an adapter is for.
const AdapterConfigPath = "adapter_config.json"

// Input is what a card is made of.
type Input struct {
	Repo release.Repo
	// Measured is the repo's part of the report.
	Measured validate.Repo
	// Schemas holds the text of the JSON Schemas that splits name, by the split's Schema or Artifact. One that is missing or
	// cannot be read leaves its descriptions out.
	Schemas map[string][]byte
	// Template is the repo's own template for what is written of the data; nil for those that hfpub has.
	Template *Template
	// README, SchemaMD and Croissant are the files as they stand, nil where there is none.
	README, SchemaMD, Croissant []byte
	// AdapterConfig is the text of adapter_config.json, nil where there is none.
	AdapterConfig []byte
	// WantCroissant asks for croissant.json. One that hfpub wrote before is rendered in any case.
	WantCroissant bool
	// Version is that of the release and Published its date, for croissant.json; "" and the zero time where there is none.
	Version   string
	Published time.Time
}

// File is one file of a card, relative to the repo's root. Old is nil where there is none yet.
type File struct {
	Path     string
	Old, New []byte
}

// Changed tells whether the file is to be written.
func (f *File) Changed() bool { return f.Old == nil || string(f.Old) != string(f.New) }

// Output is a rendered card. Nothing of it is written yet.
type Output struct {
	// Repo is the repo's id for findings, "" for a plain folder; Dir is its folder.
	Repo, Dir string
	Files     []File
	// Missing lists the properties that Croissant requires and croissant.json lacks, because only people know them.
	Missing []string
}

// Refusal says why a card was not rendered. Nothing should be written then.
type Refusal struct{ Findings []finding.Finding }

// Error lists the findings, one to a line.
func (r *Refusal) Error() string {
	lines := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		lines[i] = fmt.Sprintf("%s: %s", f.Where(), f.Message)
	}
	return strings.Join(lines, "\n")
}

// Render writes the card of one repo. The error is a *Refusal where a file that stands there, or a section of
// hfpub.yaml, cannot be used as it is.
func Render(in Input) (Output, error) {
	in.Measured = in.Measured.AsAdvised()
	out := Output{Dir: in.Repo.Dir}
	if in.Repo.Declared {
		out.Repo = in.Repo.ID
	}
	var refused Refusal
	for _, render := range []func() (*File, error){
		func() (*File, error) { return renderReadme(&in) },
		func() (*File, error) { return renderSchema(&in) },
		func() (*File, error) { return renderCroissant(&in, &out) },
	} {
		file, err := render()
		var refusal *Refusal
		switch {
		case errors.As(err, &refusal):
			refused.add(out.Repo, refusal.Findings)
		case err != nil:
			return Output{}, fmt.Errorf("render the card of %s: %w", in.Repo.ID, err)
		case file != nil:
			out.Files = append(out.Files, *file)
		}
	}
	if len(refused.Findings) > 0 {
		return Output{}, &refused
	}
	return out, nil
}

func (r *Refusal) add(repo string, findings []finding.Finding) {
	for _, f := range findings {
		f.Repo = repo
		r.Findings = append(r.Findings, f)
	}
}

func refuse(findings ...finding.Finding) error { return &Refusal{findings} }

// Write puts the files that changed in place, each in one step.
func (o *Output) Write() error {
	for _, file := range o.Files {
		if !file.Changed() {
			continue
		}
		path := filepath.Join(o.Dir, filepath.FromSlash(file.Path))
		if err := atomicfile.Write(path, file.New, 0o644); err != nil {
			return err
		}
	}
	return nil
}
