// Package release reads what is to be released: an hfpub.yaml, or a folder without one, read as the Hub would.
//
// [Load] finds out which of the two it is. An hfpub.yaml is decoded strictly: unknown and duplicate keys, wrong
// types and values are findings with file, line and column. A folder is read by the `configs` of its README.md, else by
// the names of its files and folders. Either way the outcome is a [Release]: repos, their configs, splits and files.
package release

// Pos is a place in hfpub.yaml or README.md: line and column from 1, 0 where there is none.
type Pos struct{ Line, Column int }

// Release is what ships together: one or more repos.
type Release struct {
	// Name and Version identify the release; a folder without hfpub.yaml is named after itself, without version.
	Name, Version string
	// File is the path of hfpub.yaml as the user would write it, "" for a folder without one.
	File string
	// Dir is the folder that holds hfpub.yaml, or the folder itself.
	Dir   string
	Repos []Repo
	// Rules and Claims of the release go across repos.
	Rules  []Rule
	Claims []Claim
}

// Type is the kind of a Hub repository.
type Type string

// The kinds of Hub repositories that hfpub publishes.
const (
	Dataset Type = "dataset"
	Model   Type = "model"
)

// Status says what may leave the house.
type Status string

const (
	// Public repos are pushed whole.
	Public Status = "public"
	// Pending repos push their card and schema.md only.
	Pending Status = "pending"
	// Withheld repos push nothing, whatever flags are given.
	Withheld Status = "withheld"
)

// Repo is one Hub repository of a release.
type Repo struct {
	// ID is namespace/name; for a folder without hfpub.yaml it is the folder's name alone.
	ID     string
	Type   Type
	Status Status
	// Root is the folder of the repo's files relative to the release's Dir, as written in hfpub.yaml; Dir is the
	// same folder as a path to open.
	Root, Dir string
	// License is the Hub's license id ("" when hfpub.yaml gives none), with LicenseName and LicenseLink for `other`.
	License, LicenseName, LicenseLink string
	Card                              Card
	Configs                           []Config
	Upstream                          []Upstream
	Rules                             []Rule
	Claims                            []Claim
	Reproduce                         *Reproduce
	// Declared is true for a repo of hfpub.yaml and false for a plain folder.
	Declared bool
	Pos      Pos
}

// Card is what hfpub.yaml says for README.md beyond what is measured.
type Card struct {
	PrettyName     string
	Language       []string
	Tags           []string
	TaskCategories []string
	// Sections maps a heading of the card to its Markdown text, in the order of hfpub.yaml.
	Sections []Section
}

// Section is hand-written Markdown for one heading of the card.
type Section struct{ Heading, Text string }

// Config is one config (subset) of a data set.
type Config struct {
	Name    string
	Default bool
	Splits  []Split
	Pos     Pos
}

// Split is a named list of files.
type Split struct {
	Name string
	// Patterns are the paths and globs as written, relative to the repo's root.
	Patterns []string
	// Files are the regular files they match, relative to the repo's root, with slashes, in the order they are read: pattern
	// by pattern, sorted within one.
	Files []string
	// Artifact names a known kind of rows, family/name; Schema is the path of a JSON Schema relative to the release's
	// Dir. At most one of them is set.
	Artifact, Schema string
	Pos              Pos
}

// Upstream is something the repo was made from.
type Upstream struct {
	Name, License string
	// Flow is content, labels, reference or tool.
	Flow string
	Pos  Pos
}

// Rule is a declared invariant. Kind is its one key: unique, disjoint, reference, determines, counts, sorted, when.
type Rule struct {
	Kind string
	Pos  Pos
}

// Claim is a number someone printed, with the measure that recomputes it.
type Claim struct {
	ID, Text, Where string
	// Measure is the name of the measure: rows, distinct, count, …
	Measure string
	// State is open, explained, by-design or resolved; Why gives the reason for any but open.
	State, Why string
	Pos        Pos
}

// Reproduce is the command that makes the data anew, and the file it produces.
type Reproduce struct {
	Run      []string
	Produces string
	Pos      Pos
}
