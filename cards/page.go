package cards

import (
	"strconv"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
	"github.com/hfpub/hfpub/validate/license"
)

// page is what the templates of README.md show.
type page struct {
	ID      string
	Configs []configView
	// Fields says that schema.md has a table.
	Fields bool
	// Rows is the number of rows of all splits; Counted says that every split was counted.
	Rows    int64
	Counted bool
	Splits  int64
	// Files are the first data files; More sums up the rest. A long table is Folded away.
	Files  []validate.File
	More   *fileSum
	Folded bool
	// Example is the first row of the first split that has one, as indented JSON that is cut to size, and ExampleOf names the split;
	// both are "" where nothing of the data may be shown yet.
	Example, ExampleOf string
	// Balances are the columns of labels of each config.
	Balances []balanceView
	// Citation is how to cite the repo, BibTeX or a line of text.
	Citation string
	// Claims are the printed numbers that the data does not bear out.
	Claims []validate.Claim
	// Model and Results are those of a model.
	Model   release.ModelCard
	IsModel bool
	// Loads are the Python calls that load each config.
	Loads   []string
	Pending bool

	Upstream                          []release.Upstream
	Reproduce                         *reproduction
	License, LicenseName, LicenseLink string
	// Deed is the address of a license that asks for attribution; "" for any other.
	Deed string
}

type configView struct {
	Name   string
	Splits []splitView
}

type splitView struct {
	Name  string
	Rows  *int64
	Bytes int64
	Files []validate.File
}

type fileSum struct{ Files, Bytes int64 }

type reproduction struct{ Produces, Command string }

// maxFiles bounds the table of files: the Hub refuses a README.md that is very long. maxOpen is how many are shown to
// every reader of the page.
const (
	maxFiles = 100
	maxOpen  = 10
)

func newPage(in *Input) *page {
	repo := &in.Repo
	p := &page{
		ID: repo.ID, Pending: repo.Status == release.Pending, Fields: hasFields(in), Counted: true, Upstream: repo.Upstream,
		Citation: repo.Card.Citation, Claims: differing(in.Measured.Claims), Model: repo.Card.Model, IsModel: repo.Type == release.Model,
		License: repo.License, LicenseName: repo.LicenseName, LicenseLink: repo.LicenseLink,
	}
	if terms := license.TermsOf(repo.License); terms.Has(license.Attribution) {
		p.Deed = license.Link(terms.ID)
	}
	seen := map[string]bool{}
	for _, config := range in.Measured.Configs {
		view := configView{Name: config.Name}
		for _, split := range config.Splits {
			view.Splits = append(view.Splits, p.split(split, seen))
		}
		p.Configs = append(p.Configs, view)
	}
	p.Folded = len(p.Files) > maxOpen
	if !p.Pending && repo.Status != release.Withheld {
		p.Balances = balances(in.Measured.Configs)
		p.Example, p.ExampleOf = firstRow(in.Measured.Configs)
	}
	if repo.Declared && !p.Pending && !p.IsModel {
		p.Loads = loads(repo)
	}
	if r := repo.Reproduce; r != nil {
		p.Reproduce = &reproduction{r.Produces, command(r.Run)}
	}
	return p
}

// split adds a split to the sums, and those of its files that no split before it has.
func (p *page) split(split validate.Split, seen map[string]bool) splitView {
	view := splitView{Name: split.Name, Rows: split.Rows, Files: split.Files}
	p.Splits++
	if split.Rows == nil {
		p.Counted = false
	} else {
		p.Rows += *split.Rows
	}
	for _, file := range split.Files {
		view.Bytes += file.Bytes
		if seen[file.Path] {
			continue
		}
		seen[file.Path] = true
		if len(p.Files) < maxFiles {
			p.Files = append(p.Files, file)
			continue
		}
		if p.More == nil {
			p.More = &fileSum{}
		}
		p.More.Files++
		p.More.Bytes += file.Bytes
	}
	return view
}

// loads writes the Python call for each config. The only config, and one that is named default, needs no name.
func loads(repo *release.Repo) []string {
	var out []string
	for _, config := range repo.Configs {
		call := "load_dataset(" + strconv.Quote(repo.ID)
		if len(repo.Configs) > 1 && config.Name != "default" {
			call += ", " + strconv.Quote(config.Name)
		}
		out = append(out, call+")")
	}
	return out
}

// command writes a command as a line for a POSIX shell.
func command(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = shellWord(arg)
	}
	return strings.Join(quoted, " ")
}

func shellWord(s string) string {
	safe := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./=:,@%+", r)
	}
	if s != "" && strings.TrimFunc(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
