package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hfpub/hfpub/cards"
	"github.com/hfpub/hfpub/schemas"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/output"
)

func cardCommand(a *app) *cobra.Command {
	var check, describe bool
	c := &cobra.Command{
		Use:   "card [PATH]",
		Short: "Write README.md and schema.md from what was measured",
		Long: `Write the card of every repo: the front matter keys that hfpub owns (configs, dataset_info,
size_categories, and what hfpub.yaml gives), blocks between markers in README.md, and schema.md with
every field. Text, comments and other keys written by hand stay byte for byte, but for values that
YAML would misread, such as language: no, which get quotes. A README.md without markers keeps its
text as it is in a folder without hfpub.yaml; else the blocks are added below. Writing twice changes
nothing.

With --croissant each data set is described in croissant.json too, as Croissant 1.0: files with
checksums, splits, fields and their types. Once hfpub has written the file it is part of the card, and
the flag is not needed again. A datePublished is taken from SOURCE_DATE_EPOCH, if that is set, when the
file has none; creator, datePublished, citeAs and further properties written into it by hand stay.`,
		Example: `  hfpub card                # the release in this folder
  hfpub card my-data        # a plain folder
  hfpub card --check        # in CI: fail when a card is out of date
  hfpub card --croissant    # ... and croissant.json for search engines and loaders`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.card(cmd.Context(), args, check, describe)
		},
	}
	c.Flags().BoolVar(&describe, "croissant", false, "describe data sets in croissant.json too")
	c.Flags().BoolVar(&check, "check", false, "write nothing; fail when a card is out of date")
	return c
}

// wrongNumbers are the areas of findings that make measured numbers wrong: a card is not written from those. Nor is one
// while there is nothing to measure, or the present card's configs cannot be read, which say what to measure.
var wrongNumbers = []string{"json", "csv", "parquet", "rows", "manifest", "hygiene"}

func (a *app) card(ctx context.Context, args []string, check, describe bool) error {
	if err := wantsFolder(args); err != nil {
		return err
	}
	opt := cardOptions{croissant: describe}
	if describe {
		published, err := a.sourceDate()
		if err != nil {
			return err
		}
		opt.published = published
	}
	rel, report, err := a.examine(ctx, args, validate.Options{Statistics: true}, false)
	if err != nil {
		return err
	}
	if bad := blocking(report.Findings); len(bad) > 0 {
		return a.showCards(rel, nil, bad, noCard)
	}
	outs, err := renderCards(rel, report, opt, func(*release.Repo) bool { return true })
	var refusal *cards.Refusal
	switch {
	case errors.As(err, &refusal):
		return a.showCards(rel, nil, refusal.Findings, noCard)
	case err != nil:
		return err
	case check:
		var found []finding.Finding
		for _, out := range outs {
			found = append(found, out.Check()...)
		}
		if len(found) > 0 {
			return a.showCards(rel, nil, found)
		}
		return a.showCards(rel, nil, nil, "the cards are up to date")
	}
	var written []string
	for _, out := range outs {
		if err := out.Write(); err != nil {
			return err
		}
		for _, file := range out.Files {
			if file.Changed() {
				written = append(written, filepath.ToSlash(filepath.Join(out.Dir, file.Path)))
			}
		}
	}
	return a.showCards(rel, written, nil, append(writtenLines(written, report), missingLines(outs)...)...)
}

const noCard = "no card written: first mend what the errors above are about"

// writtenLines says what was written, and that there are or were errors: a new card is the cure for some of them.
func writtenLines(written []string, report *validate.Report) []string {
	var lines []string
	for _, path := range written {
		lines = append(lines, "wrote "+path)
	}
	if len(written) == 0 {
		lines = append(lines, "the cards were up to date")
	}
	left := slices.DeleteFunc(slices.Clone(report.Findings), cardMends)
	switch n := report.Summary.Errors; {
	case len(left) > 0:
		stays, _, _ := finding.Totals(left)
		lines = append(lines, fmt.Sprintf("a card does not mend %s, which hfpub validate lists; the first is about %s %s: %s [%s]",
			output.Plural(stays, "error"), left[0].Repo, left[0].Where(), left[0].Message, left[0].Code))
	case n > 0:
		lines = append(lines, "found "+output.Plural(n, "error")+" before writing: run hfpub validate again")
	}
	return lines
}

// cardMends says of a finding that it stops nothing, or that it may be gone with a new card, or with the lock of one.
func cardMends(f finding.Finding) bool {
	area, _, _ := strings.Cut(string(f.Code), "/")
	return f.Severity != finding.Error || slices.Contains([]string{"card", "license", "loader", "lock"}, area)
}

// missingLines says which properties of croissant.json only people can give.
func missingLines(outs []cards.Output) []string {
	var lines []string
	for _, out := range outs {
		if len(out.Missing) > 0 {
			path := filepath.ToSlash(filepath.Join(out.Dir, cards.CroissantPath))
			lines = append(lines, path+" lacks "+strings.Join(out.Missing, ", ")+", which Croissant requires")
		}
	}
	return lines
}

// showCards shows what became of the cards; findings stop the release.
func (a *app) showCards(rel *release.Release, written []string, found []finding.Finding, lines ...string) error {
	if written == nil {
		written = []string{}
	}
	if found == nil {
		found = []finding.Finding{}
	}
	list, omitted := a.listed(found)
	json := map[string]any{"written": written, "findings": list}
	r := output.Result{Command: "card", JSON: json, Findings: list, Omitted: omitted, Lines: lines}
	return a.show(rel, r, len(found) > 0)
}

// cardOptions says what cards hold besides README.md and schema.md: croissant.json, even where there is none yet, and the
// date for it.
type cardOptions struct {
	croissant bool
	published time.Time
}

// renderCards renders the cards of the repos that are wanted; a refusal of any of them refuses all.
func renderCards(rel *release.Release, report *validate.Report, opt cardOptions, wanted func(*release.Repo) bool) ([]cards.Output, error) {
	var outs []cards.Output
	var refused cards.Refusal
	for i := range rel.Repos {
		if !wanted(&rel.Repos[i]) {
			continue
		}
		measured := report.Repos[i]
		measured.Claims = report.ClaimsAbout(measured.ID)
		out, err := renderCard(rel, &rel.Repos[i], measured, opt)
		var refusal *cards.Refusal
		switch {
		case errors.As(err, &refusal):
			refused.Findings = append(refused.Findings, refusal.Findings...)
		case err != nil:
			return nil, err
		}
		outs = append(outs, out)
	}
	if len(refused.Findings) > 0 {
		return nil, &refused
	}
	return outs, nil
}

// renderCard renders the card of one repo; none where the folder is not there, which only a withheld repo may lack.
func renderCard(rel *release.Release, repo *release.Repo, measured validate.Repo, opt cardOptions) (cards.Output, error) {
	root, err := os.OpenRoot(repo.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return cards.Output{}, nil
	}
	if err != nil {
		return cards.Output{}, err
	}
	defer root.Close()
	in := cards.Input{
		Repo: *repo, Measured: measured, Schemas: schemaTexts(rel, repo),
		WantCroissant: opt.croissant, Version: rel.Version, Published: opt.published,
	}
	if in.Template, err = ownTemplate(rel, repo); err != nil {
		return cards.Output{}, err
	}
	if in.README, err = readOptional(root, cards.ReadmePath); err != nil {
		return cards.Output{}, err
	}
	if in.SchemaMD, err = readOptional(root, cards.SchemaPath); err != nil {
		return cards.Output{}, err
	}
	if in.Croissant, err = readOptional(root, cards.CroissantPath); err != nil {
		return cards.Output{}, err
	}
	if in.AdapterConfig, err = readOptional(root, cards.AdapterConfigPath); err != nil {
		return cards.Output{}, err
	}
	return cards.Render(in)
}

// ownTemplate reads the template that hfpub.yaml names for a repo's card; nil where it names none.
func ownTemplate(rel *release.Release, repo *release.Repo) (*cards.Template, error) {
	path := repo.Card.Template
	if path == "" {
		return nil, nil
	}
	text, err := regularfile.Read(filepath.Join(rel.Dir, filepath.FromSlash(path)), maxCard)
	if err != nil {
		at := repo.Card.TemplatePos
		f := finding.New(finding.CardTemplate, "the template %s cannot be read: %s", path, reasonOf(err))
		f = f.AtColumn(release.ManifestName, at.Line, at.Column)
		f.Repo = repo.ID
		return nil, &cards.Refusal{Findings: []finding.Finding{f.Hinting("write the file, or take template out of the card")}}
	}
	parsed, err := cards.ParseTemplate(path, text)
	var refusal *cards.Refusal
	if errors.As(err, &refusal) {
		for i := range refusal.Findings {
			refusal.Findings[i].Repo = repo.ID
		}
	}
	return parsed, err
}

// reasonOf is what went wrong with a file, without its path.
func reasonOf(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// schemaTexts reads the JSON Schemas of a repo's splits, for their descriptions: those of artifacts, and files. One that cannot
// be read was a finding before.
func schemaTexts(rel *release.Release, repo *release.Repo) map[string][]byte {
	texts := map[string][]byte{}
	for _, config := range repo.Configs {
		for _, split := range config.Splits {
			if text, ok := schemas.Artifact(split.Artifact); ok {
				texts[split.Artifact] = text
			}
			if split.Schema == "" || texts[split.Schema] != nil {
				continue
			}
			if text, err := regularfile.Read(filepath.Join(rel.Dir, filepath.FromSlash(split.Schema)), maxCard); err == nil {
				texts[split.Schema] = text
			}
		}
	}
	return texts
}

// maxCard bounds the bytes of a file of a card.
const maxCard = 64 << 20

// readOptional reads a file of a repo that need not be there: nil then. A link that leads out of the repo is not followed,
// since what is read here is written anew.
func readOptional(root *os.Root, path string) ([]byte, error) {
	text, err := regularfile.ReadIn(root, path, maxCard+1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the card in %s: %w", root.Name(), err)
	case len(text) > maxCard:
		return nil, fmt.Errorf("read the card in %s: %s is larger than %d MiB", root.Name(), path, maxCard>>20)
	case text == nil:
		return []byte{}, nil
	}
	return text, nil
}

// blocking returns the errors that keep a card from being written.
func blocking(found []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool {
		area, _, _ := strings.Cut(string(f.Code), "/")
		blocks := f.Code == finding.CardConfigs || f.Code == finding.LoaderNoData || slices.Contains(wrongNumbers, area)
		return f.Severity != finding.Error || !blocks
	})
}
