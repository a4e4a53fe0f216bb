package license

import (
	"fmt"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// Examination is what there is to say about the rights in a release.
type Examination struct {
	Graph *Graph   `json:"graph"`
	Repos []Rights `json:"repos"`

	found [][]finding.Finding
}

// Rights is what there is to say about the rights in one repo.
type Rights struct {
	ID string `json:"id"`
	// License is what the graph takes the repo's license to be, SPDX its identifier there.
	License string `json:"license,omitempty"`
	SPDX    string `json:"spdx,omitempty"`
	Status  string `json:"status"`
	// Voices are all places that say something about the license.
	Voices []Voice `json:"voices"`
	// Owes lists what the licenses of works demand whose content is in the repo.
	Owes []Owed `json:"owes"`
	// Attribution is a text that names all works whose content is in the repo; "" where there are none.
	Attribution string `json:"attribution,omitempty"`
}

// Voice is one place that says something about a repo's license.
type Voice struct {
	Says  string        `json:"says"`
	Place finding.Place `json:"place"`
}

// Owed is what a repo owes to one work. Via are the repos that its content came through.
type Owed struct {
	To      string   `json:"to"`
	License string   `json:"license"`
	Traits  []Trait  `json:"traits"`
	Via     []string `json:"via,omitempty"`
}

// Findings are those about one repo, by its place in the release.
func (x *Examination) Findings(repo int) []finding.Finding { return x.found[repo] }

// Examine builds the graph of a release, hears all voices about licenses, and holds both to the rules. The error is for a
// file that cannot be read.
func Examine(rel *release.Release) (*Examination, error) {
	x := &Examination{Repos: []Rights{}}
	bundles := make([]*bundle, len(rel.Repos))
	licenses, bases := map[string]string{}, map[string][]base{}
	for i := range rel.Repos {
		b, err := readBundle(&rel.Repos[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rel.Repos[i].ID, err)
		}
		if b.above, err = noticeAbove(rel, &rel.Repos[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", rel.Repos[i].ID, err)
		}
		bundles[i] = b
		id := rel.Repos[i].ID
		licenses[id], bases[id] = rel.Repos[i].License, b.onCard
		if licenses[id] == "" {
			licenses[id] = b.license
		}
		if len(b.onCard) == 0 {
			bases[id] = basesOfManifest(rel, &rel.Repos[i])
		}
		if len(bases[id]) == 0 {
			bases[id] = b.inConfig
		}
	}
	x.Graph = buildGraph(rel, licenses, bases)
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		voices, found, err := hear(rel, repo)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", repo.ID, err)
		}
		if !agree(voices) {
			found = append(found, disagreement(voices))
		}
		j := &judged{rel, repo, x.Graph, x.Graph.Node(repo.ID), bundles[i]}
		if repo.Declared && repo.Status != release.Withheld {
			for _, rule := range rules {
				found = append(found, rule(j)...)
			}
		}
		x.found = append(x.found, found)
		x.Repos = append(x.Repos, j.rights(voices))
	}
	return x, nil
}

// rights puts together what there is to say about a repo.
func (j *judged) rights(voices []voice) Rights {
	r := Rights{ID: j.repo.ID, License: j.node.License, SPDX: j.node.SPDX, Status: j.node.Status, Voices: []Voice{}, Owes: []Owed{}}
	for _, v := range voices {
		for _, s := range v.said {
			r.Voices = append(r.Voices, Voice{s.text, s.place})
		}
	}
	var sources []string
	for _, d := range j.graph.duties(j.repo.ID) {
		r.Owes = append(r.Owes, Owed{To: d.work.ID, License: called(d.work.terms), Traits: d.work.Traits, Via: d.via})
		if d.work.Kind == Upstream {
			sources = append(sources, source(d.work))
		}
	}
	if len(sources) > 0 {
		r.Attribution = fmt.Sprintf("%s contains content of %s.", j.repo.ID, strings.Join(sources, ", "))
	}
	return r
}

// source names a work with its license and the address of that.
func source(work Node) string {
	if !work.terms.Stated() {
		return work.ID + " (license not known)"
	}
	if link := Link(work.terms.ID); link != "" {
		return fmt.Sprintf("%s (%s, %s)", work.ID, spdxOr(work.terms), link)
	}
	return fmt.Sprintf("%s (%s)", work.ID, spdxOr(work.terms))
}
