package cards

import (
	"errors"
	"path"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hfpub/hfpub/cards/croissant"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// renderCroissant describes a data set as Croissant where that is wanted, and where it was described before: a document of
// hfpub's own is part of the card. One of somebody else is left alone.
func renderCroissant(in *Input, out *Output) (*File, error) {
	old := in.Croissant
	switch {
	case in.Repo.Type != release.Dataset:
		return nil, nil
	case old != nil && !croissant.Marked(old) && !in.WantCroissant, old == nil && !in.WantCroissant:
		return nil, nil
	case old != nil && !croissant.Marked(old):
		f := finding.New(finding.CardCroissant, "%s was not written by hfpub", CroissantPath).At(CroissantPath, 0)
		return nil, refuse(f.Hinting("move it away; what hfpub cannot know can be written into the new one, where it stays"))
	}
	if f, taken := takenForData(&in.Repo); taken {
		return nil, refuse(f)
	}
	document, err := croissant.Render(croissant.Input{
		Repo: in.Repo, Measured: in.Measured, Version: in.Version, Published: in.Published, Old: old,
	})
	var syntax *croissant.SyntaxError
	switch {
	case errors.As(err, &syntax):
		f := finding.New(finding.CardCroissant, "the document is no JSON object: %s", syntax).At(CroissantPath, syntax.Line)
		return nil, refuse(f.Hinting("mend it; or remove it and run `hfpub card --croissant`, which loses what was written into it by hand"))
	case err != nil:
		return nil, err
	}
	out.Missing = document.Missing
	return &File{Path: CroissantPath, Old: old, New: document.JSON}, nil
}

// takenForData finds a split that the document would be loaded in, as any .json file that a pattern matches.
func takenForData(repo *release.Repo) (finding.Finding, bool) {
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			matches := func(pattern string) bool { return doublestar.MatchUnvalidated(path.Clean(pattern), CroissantPath) }
			if !slices.Contains(split.Files, CroissantPath) && !slices.ContainsFunc(split.Patterns, matches) {
				continue
			}
			f := finding.New(finding.CardCroissant, "%s is loaded as data of this split", CroissantPath).At(split.PosFile, split.Pos.Line)
			f.Config, f.Split = config.Name, split.Name
			if len(split.Patterns) == 0 {
				return f.Hinting("list the data files in a `configs` block of README.md"), true
			}
			return f.Hinting("write patterns that do not match %s, such as data/*.json", CroissantPath), true
		}
	}
	return finding.Finding{}, false
}
