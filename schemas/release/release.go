// Package release reads what is to be released: an hfpub.yaml, or a folder without one, read as the Hub would.
//
// [Load] finds out which of the two it is. An hfpub.yaml is decoded strictly: unknown and duplicate keys, wrong
// types and values are findings with file, line and column. A folder is read by the `configs` of its README.md, else by
// the names of its files and folders. Either way the outcome is a [Release]: repos, their configs, splits and files.
//
// The files of a repo are listed once ([Walk], [Repo.Tree]); the patterns of its splits are matched against that list in
// the loader's manner. Rules and claims are decoded and checked for their form here and evaluated elsewhere.
// [Schema] is the JSON Schema of hfpub.yaml for editors.
package release

import (
	"gopkg.in/yaml.v3"
)

// ManifestName and LockName are the files that hfpub keeps beside a release.
const (
	ManifestName = "hfpub.yaml"
	LockName     = "hfpub.lock"
)

// Pos is a place in hfpub.yaml or README.md: line and column from 1, 0 where there is none.
type Pos struct{ Line, Column int }

// Release is what ships together: one or more repos.
type Release struct {
	// Name and Version identify the release; a folder without hfpub.yaml is named after itself, without version.
	Name, Version string
	// File is the path of hfpub.yaml as the user would write it, "" for a folder without one. Findings name it by its last
	// part alone, since Dir is where their paths start.
	File string
	// Dir is the folder that holds hfpub.yaml, or the folder itself.
	Dir   string
	Repos []Repo
	// Rules and Claims of the release go across repos.
	Rules  []Rule
	Claims []Claim
}

// Repo finds a repo by its id; nil when the release has none of this id.
func (r *Release) Repo(id string) *Repo {
	for i := range r.Repos {
		if r.Repos[i].ID == id {
			return &r.Repos[i]
		}
	}
	return nil
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
	// Root is the folder of the repo's files relative to the release's Dir, as written in hfpub.yaml ("." when it is
	// left out); Dir is the same folder as a path to open.
	Root, Dir string
	// License is the Hub's license id ("" when none is given), with LicenseName and LicenseLink for `other`. A folder
	// without hfpub.yaml has that of the front matter of its README.md.
	License, LicenseName, LicenseLink string
	// LicensePos is where hfpub.yaml gives the license.
	LicensePos Pos
	Card       Card
	// Configs are those of hfpub.yaml. Where it gives none for a data set, and for a folder without hfpub.yaml, they are
	// what the Hub would read.
	Configs   []Config
	Upstream  []Upstream
	Hygiene   Hygiene
	Rules     []Rule
	Claims    []Claim
	Reproduce *Reproduce
	// Tree lists the files of the repo in the order of their paths: what [Walk] found, without what belongs to
	// another repo of the release.
	Tree []TreeFile
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
	// Citation is how to cite the repo, BibTeX or a line of text.
	Citation string
	// Template is the path, relative to the release's Dir, of a text/template file whose output takes the place of what hfpub
	// writes of the data; "" for none. TemplatePos is where hfpub.yaml names it.
	Template    string
	TemplatePos Pos
	// Model is what the card of a model says.
	Model ModelCard
	// Sections maps a heading of the card to its Markdown text, in the order of hfpub.yaml.
	Sections []Section
}

// ModelCard is what hfpub.yaml says of a model, in the words of the Hub's cards.
type ModelCard struct {
	// BaseModel lists the models that this one was made from, Relation is adapter, merge, quantized or finetune.
	BaseModel         []string
	Relation          string
	LibraryName       string
	PipelineTag       string
	Datasets, Metrics []string
	// Results become the model-index.
	Results []ModelResult
}

// ModelResult is one number that was measured of a model.
type ModelResult struct {
	// Task is a task category; Dataset the id of the data set, DatasetName its name to display, Config and Split the part of it.
	Task, Dataset, DatasetName, Config, Split string
	// Metric is the metric's id, and Value the number as it is written.
	Metric, Value string
}

// Section is hand-written Markdown for one heading of the card.
type Section struct{ Heading, Text string }

// Config is one config (subset) of a data set.
type Config struct {
	Name string
	// Default is true where the file says `default: true`.
	Default bool
	Splits  []Split
	// Features are the declared features of the config as they stand in the file, nil when there are none.
	Features *yaml.Node
	// Field is the key under which the rows of the config's JSON documents stand (the builder parameter `field` of the card), nil
	// for rows that are the documents themselves.
	Field *string
	// Node is the config's mapping in README.md with all its keys (builder parameters among them); nil otherwise.
	Node *yaml.Node
	// PosFile is the file that Pos is in: hfpub.yaml as findings name it, or README.md or .huggingface.yaml (relative to the repo's
	// root); "" for a config that stands in no file.
	PosFile string
	Pos     Pos
}

// Split is a named list of files.
type Split struct {
	Name string
	// Patterns are the paths and globs as written, relative to the repo's root; PatternPos are their places in PosFile.
	// A split found by the names of files and folders has none.
	Patterns   []string
	PatternPos []Pos
	// Files are the regular files they match, relative to the repo's root, with slashes, in the order they are read: pattern
	// by pattern, sorted within one. A file that two patterns match is listed twice, as the loader reads it twice.
	Files []string
	// Artifact names a known kind of rows, family/name; Schema is the path of a JSON Schema relative to the release's
	// Dir. At most one of them is set.
	Artifact, Schema string
	// PosFile is the file that Pos is in, as for [Config].
	PosFile string
	Pos     Pos
}

// Upstream is something the repo was made from.
type Upstream struct {
	Name, License string
	// Flow is content, labels, reference or tool.
	Flow string
	Pos  Pos
}

// Hygiene says what may, and what must not, stand in the files of a repo.
type Hygiene struct {
	// Allow are beginnings of paths that may stand in the data although they look like those of a machine, and findings of
	// secrets that are none, as sha256: and the beginning of the hash that the finding shows.
	Allow []string
	// Forbid are lists of fingerprints of texts that must not be in any file, relative to the release's Dir.
	Forbid []string
	// ForbidPos are their places in hfpub.yaml.
	ForbidPos []Pos
}

// Reproduce is the command that makes the data anew, and the file it produces, relative to the repo's root.
type Reproduce struct {
	Run      []string
	Produces string
	Pos      Pos
}
