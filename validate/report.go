package validate

import (
	"slices"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/column"
	"github.com/hfpub/hfpub/validate/digest"
	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/loader"
	"github.com/hfpub/hfpub/validate/rows/parquet"
	"github.com/hfpub/hfpub/validate/statistics"
)

// Report is the result of one validation. Its JSON form is a contract that other programs rely on: fields may be
// added, never renamed, and the same input gives the same bytes.
type Report struct {
	// Version is the version of the report's form: 1.
	Version int    `json:"report"`
	Hfpub   string `json:"hfpub"`
	Release string `json:"release"`
	Repos   []Repo `json:"repos"`
	// Claims are those of the release, across its repos.
	Claims   []Claim           `json:"claims,omitempty"`
	Findings []finding.Finding `json:"findings"`
	Summary  Summary           `json:"summary"`
}

// Repo is what was measured of one repository.
type Repo struct {
	ID      string   `json:"id"`
	Type    string   `json:"type"`
	Status  string   `json:"status"`
	License string   `json:"license,omitempty"`
	Configs []Config `json:"configs"`
	Claims  []Claim  `json:"claims,omitempty"`
}

// AsAdvised is the repo as it will be measured once its card declares the features that it should.
func (r Repo) AsAdvised() Repo {
	r.Configs = slices.Clone(r.Configs)
	for i := range r.Configs {
		c := &r.Configs[i]
		if c.Advised == nil {
			continue
		}
		c.Features, c.Fields = c.Advised, c.AdvisedFields
		c.Splits = slices.Clone(c.Splits)
		for j := range c.Splits {
			c.Splits[j].NumBytes, c.Splits[j].Statistics = c.Splits[j].AdvisedBytes, c.Splits[j].AdvisedStatistics
		}
	}
	return r
}

// Config is what was measured of one config.
type Config struct {
	Name string `json:"name"`
	// Features are the columns as the card's dataset_info.features would hold them: what the loader gives today.
	Features column.Features `json:"features"`
	Splits   []Split         `json:"splits"`
	// Inferred are the columns as the loader would give them without a card.
	Inferred column.Features `json:"-"`
	// Advised are the columns that a card should declare, AdviseOwn and AdviseMissing those of [column.Loaded].
	Advised       column.Features `json:"-"`
	AdviseOwn     bool            `json:"-"`
	AdviseMissing bool            `json:"-"`
	// troubles are what the loader makes of the columns.
	troubles []column.Trouble
	// Fields is the inventory of fields at any depth, as the files hold them. AdvisedFields is it as the loader reads CSV files
	// once the card says what it should, for schema.md.
	Fields        []column.Field `json:"-"`
	AdvisedFields []column.Field `json:"-"`
}

// Split is what was measured of one split. Rows is absent where a file of the split could not be read as rows.
type Split struct {
	Name string `json:"name"`
	Rows *int64 `json:"rows,omitempty"`
	// NumBytes is the size in memory as the Hub counts it in dataset_info; absent where it is not known.
	NumBytes *int64 `json:"num_bytes,omitempty"`
	// AdvisedBytes is NumBytes with the features that the card should declare.
	AdvisedBytes *int64 `json:"-"`
	Files        []File `json:"files"`
	// Example is the first row as the loader reads it once the card says what it should, cut to size, as indented JSON; "" where
	// there is none.
	Example string         `json:"-"`
	Digest  *digest.Digest `json:"digest,omitempty"`
	// Statistics describe the columns as the Hub's viewer does; nil when they were not asked for. Partial says that some rows
	// could not be read and are not in them.
	Statistics []statistics.Column `json:"statistics,omitzero"`
	// AdvisedStatistics are Statistics with the features that the card should declare.
	AdvisedStatistics []statistics.Column `json:"-"`
	Partial           bool                `json:"partial,omitempty"`
}

// File is what was measured of one data file. Path is relative to the repo's root.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	Rows   *int64 `json:"rows,omitempty"`
	SHA256 string `json:"sha256"`
	// Array says that the file is one JSON array, whose elements are the rows.
	Array bool `json:"-"`
	// Under is the key of the JSON document in the file under which the rows stand; nil where the document itself is the rows.
	Under *string `json:"-"`

	// refused says that some rows of the file were not read.
	refused bool
	form    loader.Form
	// field is what stands under the field that the config reads; nil where it reads the whole file.
	field *loader.Field
	// parquet is what the footer of a Parquet file says; nil for any other.
	parquet *parquet.Schema
}

// isParquet says that all files of the split are Parquet, and that their footers could be read.
func (s *Split) isParquet() bool {
	return len(s.Files) > 0 && !slices.ContainsFunc(s.Files, func(f File) bool { return f.parquet == nil })
}

// Claim is a number someone printed, with what the data says.
type Claim struct {
	ID string `json:"id"`
	// Said is what was printed, Where the place.
	Said  string `json:"said"`
	Where string `json:"where,omitempty"`
	// Measured is the measured number; "" when there is none.
	Measured string `json:"measured,omitempty"`
	// Verdict is agrees, agrees-rounded, differs or not-measured.
	Verdict string `json:"verdict"`
	// State is open, explained, by-design or resolved, Why the reason that hfpub.yaml gives for any but open.
	State string `json:"state,omitempty"`
	Why   string `json:"why,omitempty"`
	// Reason is the likely cause of a difference, or why nothing was measured.
	Reason string `json:"reason,omitempty"`
	// Repos are those that a claim of the release is about; absent for the claim of a repo.
	Repos []string `json:"repos,omitempty"`
}

// ClaimsAbout lists the claims of a repo and, behind them, those of the release that are about it. Claims that a repo which is
// withheld has a part in are left out for all others: nothing of it is told.
func (r *Report) ClaimsAbout(repo string) []Claim {
	var all []Claim
	hidden := map[string]bool{}
	for _, one := range r.Repos {
		if one.ID == repo {
			all = append(all, one.Claims...)
		}
		hidden[one.ID] = one.Status == string(release.Withheld) && one.ID != repo
	}
	for _, c := range r.Claims {
		if slices.Contains(c.Repos, repo) && !slices.ContainsFunc(c.Repos, func(id string) bool { return hidden[id] }) {
			all = append(all, c)
		}
	}
	return all
}

// Summary counts what the report holds. Errors, warnings and notes count equal findings one by one, so they may
// exceed the number of findings listed.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	// Rows is the sum over all splits, Bytes that over all data files: a file in two splits gives its rows to both.
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
	// Omitted counts the findings that [Report.Cut] left out of the list.
	Omitted int `json:"omitted,omitempty"`
}

// Cut shortens the list of findings to a limit, the worst kept; 0 means no limit. The totals stay. What decides on
// findings has to do so before they are cut.
func (r *Report) Cut(limit int) {
	if limit > 0 && len(r.Findings) > limit {
		r.Summary.Omitted += len(r.Findings) - limit
		r.Findings = r.Findings[:limit]
	}
}
