package cards

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/cards/markdown"
	"github.com/hfpub/hfpub/cards/marked"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate"
)

// CatalogPath is the index page of a release, relative to the folder of hfpub.yaml.
const CatalogPath = "catalog.md"

// catalogBlock is the name of its block.
const catalogBlock = "catalog"

// RenderCatalog writes the index page over all repos of a release: a new page, or the block of one that stands there, whose other
// text stays. Of a repo that is withheld nothing but its name, type and status is said. All numbers are those of the report. The error is a
// *[Refusal] where the page that stands there cannot be used as it is.
func RenderCatalog(rel *release.Release, report *validate.Report, old []byte) (Output, error) {
	out := Output{Dir: rel.Dir}
	if err := readable(CatalogPath, old); err != nil {
		return out, err
	}
	content, err := execute("catalog.md.tmpl", newCatalog(rel, report))
	if err != nil {
		return out, err
	}
	content = notice + "\n" + content
	eol := lineEnd(old)
	text, err := marked.Parse(old, eol)
	if err != nil {
		return out, misplaced(CatalogPath, 0, err)
	}
	if blank(old) {
		title := rel.Name
		if rel.Version != "" {
			title += " " + rel.Version
		}
		if text, err = marked.Parse([]byte("# "+markdown.Text(title)+eol), eol); err != nil {
			return out, err
		}
	}
	if !text.Replace(catalogBlock, content) {
		text.Append(catalogBlock, content)
	}
	out.Files = []File{{CatalogPath, old, text.Bytes()}}
	return out, nil
}

// catalog is what the template shows.
type catalog struct {
	Repos                     []catalogRepo
	Public, Pending, Withheld int64
	Claims                    []catalogClaim
}

// catalogRepo is one repo. Told says that more may be told of it than its name, type and status.
type catalogRepo struct {
	// Name is Markdown, a link for a repo that can be visited; Heading is its name alone.
	Name, Heading, Type, Status, License string
	Told                                 bool
	Artifacts                            []string
	Rows                                 *int64
	Bytes                                int64
	Sources                              []release.Upstream
	Splits                               []catalogSplit
	Loads                                []string
}

type catalogSplit struct {
	Config, Name, Artifact string
	Rows                   *int64
	Bytes, Files           int64
}

type catalogClaim struct {
	Repo, ID, Said, Measured, State, Why string
}

func newCatalog(rel *release.Release, report *validate.Report) *catalog {
	c := &catalog{}
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		view := catalogRepo{Name: code(repo.ID), Heading: markdown.Code(repo.ID), Type: string(repo.Type), Status: string(repo.Status)}
		switch repo.Status {
		case release.Withheld:
			c.Withheld++
			c.Repos = append(c.Repos, view)
			continue
		case release.Pending:
			c.Pending++
		default:
			c.Public++
			view.Loads = loads(repo)
		}
		if repo.Declared {
			view.Name = "[" + view.Name + "](" + address(repo) + ")"
		}
		view.Told, view.License, view.Sources = true, repo.License, repo.Upstream
		view.measure(repo, &report.Repos[i])
		c.Repos = append(c.Repos, view)
		c.Claims = append(c.Claims, discrepancies([]string{repo.ID}, report.Repos[i].Claims)...)
	}
	for _, claim := range report.Claims {
		public := func(id string) bool { return rel.Repo(id).Status != release.Withheld }
		if !slices.ContainsFunc(claim.Repos, func(id string) bool { return !public(id) }) {
			c.Claims = append(c.Claims, discrepancies(claim.Repos, []validate.Claim{claim})...)
		}
	}
	return c
}

// address is where a repo is on the Hub.
func address(repo *release.Repo) string {
	if repo.Type == release.Dataset {
		return "https://huggingface.co/datasets/" + repo.ID
	}
	return "https://huggingface.co/" + repo.ID
}

// measure takes in what the report says of a repo. A file that several splits have counts once in the sum of bytes.
func (v *catalogRepo) measure(repo *release.Repo, measured *validate.Repo) {
	total := int64(0)
	known := len(measured.Configs) > 0
	seen := map[string]bool{}
	for i, config := range measured.Configs {
		for j, split := range config.Splits {
			s := catalogSplit{Config: config.Name, Name: split.Name, Artifact: repo.Configs[i].Splits[j].Artifact, Rows: split.Rows, Files: int64(len(split.Files))}
			if s.Artifact != "" && !slices.Contains(v.Artifacts, s.Artifact) {
				v.Artifacts = append(v.Artifacts, s.Artifact)
			}
			for _, f := range split.Files {
				s.Bytes += f.Bytes
				if !seen[f.Path] {
					seen[f.Path] = true
					v.Bytes += f.Bytes
				}
			}
			if split.Rows == nil {
				known = false
			} else {
				total += *split.Rows
			}
			v.Splits = append(v.Splits, s)
		}
	}
	if known {
		v.Rows = &total
	}
	if len(measured.Configs) == 0 {
		for _, f := range repo.Tree {
			v.Bytes += f.Size
		}
	}
}

// discrepancies are the claims that do not agree, and those that somebody explained. repos are the ids of those that they are about.
func discrepancies(repos []string, claims []validate.Claim) []catalogClaim {
	var names []string
	for _, id := range repos {
		names = append(names, code(id))
	}
	var out []catalogClaim
	for _, claim := range claims {
		explained := claim.State != "" && claim.State != "open"
		if claim.Verdict == "differs" || explained {
			out = append(out, catalogClaim{strings.Join(names, ", "), claim.ID, claim.Said, claim.Measured, claim.State, claim.Why})
		}
	}
	return out
}
