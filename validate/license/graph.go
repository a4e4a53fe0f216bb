package license

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// Flow is what came from an upstream work into a repo.
type Flow string

// The flows. All but Base stand in hfpub.yaml.
const (
	// Content: text, code, images of the work are in the repo, changed or not.
	Content Flow = "content"
	// Labels: judgments about the work, without the work itself.
	Labels Flow = "labels"
	// Reference: ids or indices into the work.
	Reference Flow = "reference"
	// Tool: the work, a model or a program, made something that is in the repo.
	Tool Flow = "tool"
	// Base: weights that were trained on from those of another model.
	Base Flow = "base"
)

// Kind is what a node of the graph stands for.
type Kind string

// The kinds of nodes.
const (
	Repo     Kind = "repo"
	Upstream Kind = "upstream"
)

// Graph says what a release was made from: its repos, the works and models above them, and what flows between them.
type Graph struct {
	// Nodes are the repos in the order of hfpub.yaml, then the upstream works in the order of their names.
	Nodes []Node `json:"nodes"`
	// Edges are those of the first repo, then of the next, in the order of hfpub.yaml.
	Edges []Edge `json:"edges"`
}

// Node is a repo of the release, or a work that it was made from. ID is the repo's id or the work's name.
type Node struct {
	ID      string  `json:"id"`
	Kind    Kind    `json:"kind"`
	Type    string  `json:"type,omitempty"`
	Status  string  `json:"status,omitempty"`
	License string  `json:"license,omitempty"`
	SPDX    string  `json:"spdx,omitempty"`
	Traits  []Trait `json:"traits"`

	terms Terms
}

// Edge says that something of one node is in another, a repo.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Flow Flow   `json:"flow"`
	// Place is where it is said.
	Place finding.Place `json:"place"`
}

// Node finds a node; nil when there is none of that id.
func (g *Graph) Node(id string) *Node {
	for i := range g.Nodes {
		if g.Nodes[i].ID == id {
			return &g.Nodes[i]
		}
	}
	return nil
}

// Into lists the edges that end at a repo.
func (g *Graph) Into(id string) []Edge {
	return slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return e.To != id })
}

// buildGraph puts together what hfpub.yaml and the cards of models say. licenses and bases are the license and the base
// models of each repo, by its id.
func buildGraph(rel *release.Release, licenses map[string]string, bases map[string][]base) *Graph {
	g := &Graph{Nodes: []Node{}, Edges: []Edge{}}
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		n := newNode(repo.ID, Repo, licenses[repo.ID])
		n.Type, n.Status = string(repo.Type), string(repo.Status)
		g.Nodes = append(g.Nodes, n)
	}
	works := map[string]Node{}
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		for _, u := range repo.Upstream {
			if g.Node(u.Name) == nil {
				if known, seen := works[u.Name]; !seen || !known.terms.Stated() {
					works[u.Name] = newNode(u.Name, Upstream, u.License)
				}
			}
		}
	}
	for i := range rel.Repos {
		repo := &rel.Repos[i]
		for _, b := range bases[repo.ID] {
			if g.Node(b.name) == nil && workNamed(works, b.name) == "" {
				works[b.name] = newNode(b.name, Upstream, "")
			}
		}
	}
	for _, n := range works {
		g.Nodes = append(g.Nodes, n)
	}
	slices.SortFunc(g.Nodes[len(rel.Repos):], func(a, b Node) int { return cmp.Compare(a.ID, b.ID) })
	for i := range rel.Repos {
		g.connect(rel, &rel.Repos[i], works, bases[rel.Repos[i].ID])
	}
	return g
}

func newNode(id string, kind Kind, license string) Node {
	t := TermsOf(license)
	n := Node{ID: id, Kind: kind, License: t.ID, SPDX: t.SPDX, Traits: t.Traits, terms: t}
	if n.Traits == nil {
		n.Traits = []Trait{}
	}
	return n
}

// connect adds the edges of one repo. A base model that hfpub.yaml lists among the upstream works is one edge, of the flow
// base.
func (g *Graph) connect(rel *release.Release, repo *release.Repo, works map[string]Node, bases []base) {
	var done []string
	for _, u := range repo.Upstream {
		e := Edge{From: u.Name, To: repo.ID, Flow: Flow(u.Flow), Place: placeIn(rel, u.Pos)}
		if slices.ContainsFunc(bases, func(b base) bool { return isNamed(u.Name, b.name) }) {
			e.Flow = Base
			done = append(done, u.Name)
		}
		g.Edges = append(g.Edges, e)
	}
	for _, b := range bases {
		from := b.name
		if name := workNamed(works, b.name); name != "" {
			from = name
		}
		if !slices.Contains(done, from) {
			done = append(done, from)
			g.Edges = append(g.Edges, Edge{From: from, To: repo.ID, Flow: Base, Place: b.place})
		}
	}
}

// workNamed finds the upstream work that a card calls by a name; "" when there is none.
func workNamed(works map[string]Node, called string) string {
	var names []string
	for name := range works {
		if isNamed(name, called) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// isNamed says whether a repo id and a name are about the same thing: Qwen/Qwen3-1.7B-Base and Qwen3-1.7B-Base.
func isNamed(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	short := !strings.Contains(a, "/") || !strings.Contains(b, "/")
	return short && strings.EqualFold(path.Base(a), path.Base(b))
}

// placeIn is a place in hfpub.yaml.
func placeIn(rel *release.Release, pos release.Pos) finding.Place {
	return finding.Place{Path: manifestName(rel), Line: pos.Line, Column: pos.Column}
}

// manifestName is how findings name hfpub.yaml.
func manifestName(rel *release.Release) string {
	if rel.File == "" {
		return release.ManifestName
	}
	return filepath.Base(rel.File)
}

// duty is something that a repo owes to a work whose content it holds.
type duty struct {
	work Node
	// via are the repos that the content came through, from the work to the repo, without either.
	via []string
	// edge is the last step of the way.
	edge Edge
}

// duties lists the works whose content is in a repo, directly or through other repos of the release. Each work is listed
// once, with the shortest way. Only content flows on.
func (g *Graph) duties(id string) []duty {
	type stop struct {
		node string
		via  []string
		last *Edge
	}
	var out []duty
	seen := map[string]bool{id: true}
	queue := []stop{{node: id}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range g.Into(at.node) {
			if e.Flow != Content || seen[e.From] {
				continue
			}
			seen[e.From] = true
			next := stop{node: e.From, via: at.via, last: at.last}
			if at.node == id {
				next.last = &e
			} else {
				next.via = append([]string{at.node}, at.via...)
			}
			out = append(out, duty{work: *g.Node(e.From), via: next.via, edge: *next.last})
			queue = append(queue, next)
		}
	}
	return out
}
