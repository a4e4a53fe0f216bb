package license

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// judged is one repo under the rules, with what they need to know of it.
type judged struct {
	rel    *release.Release
	repo   *release.Repo
	graph  *Graph
	node   *Node
	bundle *bundle
}

// rules are all that the graph is held to. Each says what is wrong with one repo.
var rules = []func(*judged) []finding.Finding{
	(*judged).propagation,
	(*judged).baseModel,
	(*judged).baseModelName,
	(*judged).baseModelInNotice,
	(*judged).attribution,
	(*judged).notices,
	(*judged).tools,
	(*judged).unstated,
	(*judged).upstreamDiffers,
	(*judged).status,
}

// at makes a finding at an edge of the graph.
func at(e Edge, code finding.Code, format string, args ...any) finding.Finding {
	f := finding.New(code, format, args...)
	f.Place = e.Place
	return f
}

// way says through which repos content came, "" where it came directly.
func (d duty) way() string {
	if len(d.via) == 0 {
		return ""
	}
	return " through " + strings.Join(d.via, " and ")
}

// called names a license in a message.
func called(t Terms) string {
	if t.ID == "" {
		return "no license"
	}
	return t.ID
}

// propagation holds the repo's license to what the licenses of the content in it demand: share-alike, no use for money, no
// changed works. What hfpub.yaml says nothing about, the rules about voices and status judge.
func (j *judged) propagation() []finding.Finding {
	if !j.node.terms.Stated() {
		return nil
	}
	var found []finding.Finding
	own := j.node.terms
	for _, d := range j.graph.duties(j.repo.ID) {
		of := d.work.terms
		switch {
		case of.Has(ShareAlike) && !ShareableAs(of, own):
			f := at(d.edge, finding.LicenseShareAlike, "content of %s, which is under %s, is in %s%s, which is under %s",
				d.work.ID, of.ID, j.repo.ID, d.way(), own.ID)
			found = append(found, f.Hinting("put %s under %s, or take the content out; if only labels or ids of it are used, say `flow: labels` or `flow: reference`",
				j.repo.ID, shareableList(of)))
		case of.Has(NonCommercial) && !own.Has(NonCommercial):
			f := at(d.edge, finding.LicenseNonCommercial, "content of %s, which is under %s, is in %s%s, whose license %s allows commercial use",
				d.work.ID, of.ID, j.repo.ID, d.way(), own.ID)
			found = append(found, f.Hinting("choose a license without commercial use for %s, move the part to a repo of its own, or take it out", j.repo.ID))
		}
		if of.Has(NoDerivatives) {
			f := at(d.edge, finding.LicenseNoDerivatives, "content of %s, whose license %s allows no changed works, is in %s%s",
				d.work.ID, of.ID, j.repo.ID, d.way())
			found = append(found, f.Hinting("ask its authors, or take the content out and refer to it by ids"))
		}
	}
	return found
}

// shareableList writes the licenses that content of a share-alike license may come under.
func shareableList(of Terms) string {
	return strings.Join(append([]string{of.ID}, compatible[of.ID]...), " or ")
}

// baseModel holds the license of weights to that of the model they were trained on from.
func (j *judged) baseModel() []finding.Finding {
	var found []finding.Finding
	for _, e := range j.graph.Into(j.repo.ID) {
		if e.Flow != Base {
			continue
		}
		of := j.graph.Node(e.From).terms
		switch {
		case !of.Stated():
			f := at(e, finding.LicenseUpstreamUnknown, "the license of the base model %s is not stated, and the weights inherit it", e.From)
			found = append(found, f.Hinting("add `- {name: %s, license: …, flow: content}` to `upstream:` of %s", e.From, j.repo.ID))
		case j.node.terms.Stated() && !same(of.ID, j.node.terms.ID):
			f := at(e, finding.LicenseBaseModel, "the weights of %s are under %s, and their base model %s is under %s",
				j.repo.ID, j.node.terms.ID, e.From, of.ID)
			found = append(found, f.Hinting("weights inherit the license of their base model: write `license: %s`", of.ID))
		}
	}
	return found
}

// baseModelName compares what adapters and the card call their base model.
func (j *judged) baseModelName() []finding.Finding {
	var found []finding.Finding
	for _, b := range j.bundle.inConfig {
		if slices.ContainsFunc(j.bundle.onCard, func(c base) bool { return isNamed(c.name, b.name) }) || !j.bundle.hasCard {
			continue
		}
		said := "the card names none"
		if len(j.bundle.onCard) > 0 {
			said = "the card says " + j.bundle.onCard[0].name
		}
		f := finding.New(finding.LicenseBaseModelName, "the adapter was made for the base model %s, and %s", b.name, said)
		f.Place = b.place
		found = append(found, f.Hinting("write `base_model: %s` into the front matter of README.md", b.name))
	}
	return found
}

// modelID is an id of a model on the Hub in a text.
var modelID = lazyregexp.New(`[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*[A-Za-z0-9]`)

// baseModelInNotice compares what the NOTICE of the repo, and that of the release, call the base model: one that is nearly called so,
// and of the same owner, is taken for it.
func (j *judged) baseModelInNotice() []finding.Finding {
	var found []finding.Finding
	bases := j.bundle.onCard
	if len(bases) == 0 {
		bases = j.bundle.inConfig
	}
	for _, n := range []notice{{j.bundle.notice, j.bundle.thanks}, j.bundle.above} {
		named := modelID.FindAllStringIndex(n.text, -1)
		for _, b := range bases {
			is := func(at []int) bool { return strings.EqualFold(n.text[at[0]:at[1]], b.name) }
			i := slices.IndexFunc(named, func(at []int) bool { return isNearly(n.text[at[0]:at[1]], b.name) })
			if i < 0 || slices.ContainsFunc(named, is) {
				continue
			}
			said := n.text[named[i][0]:named[i][1]]
			f := finding.New(finding.LicenseBaseModelName, "the base model is %s (%s), and the NOTICE says %s", b.name, b.place.Where(), said).As(finding.Warning)
			f = f.At(n.path, 1+strings.Count(n.text[:named[i][0]], "\n"))
			found = append(found, f.Hinting("name in the NOTICE the model that the weights were made from"))
		}
	}
	return found
}

// isNearly says whether two models of one owner have names of which one begins with the other: Qwen3-1.7B and Qwen3-1.7B-Base.
func isNearly(a, b string) bool {
	ownerA, nameA, _ := strings.Cut(strings.ToLower(a), "/")
	ownerB, nameB, both := strings.Cut(strings.ToLower(b), "/")
	return both && ownerA == ownerB && nameA != nameB && (strings.HasPrefix(nameA, nameB) || strings.HasPrefix(nameB, nameA))
}

var (
	// thanked is how a card asks for attribution.
	thanked = lazyregexp.New(`(?i)\battribut|\bcredit|\bcite\b|\bcitation|\backnowledge|\bby[- ]?line|@(?:article|misc|inproceedings|dataset|data|software)\{`)
	// deed is a link to a license, or to a file that holds it.
	deed = lazyregexp.New(`(?i)creativecommons\.org/licenses/|opendatacommons\.org/licenses/|cdla\.(?:dev|io)|spdx\.org/licenses/|\]\(\.?/?licen[sc]e`)
)

// attribution asks for the words that licenses with attribution demand: of the repo's own license, how to name it and a link;
// of works whose content is in it, their names.
func (j *judged) attribution() []finding.Finding {
	if !j.leaves() || !j.bundle.hasCard {
		return nil
	}
	var found []finding.Finding
	body := j.bundle.body
	if own := j.node.terms; own.Has(Attribution) && !(thanked.MatchString(body) && (deed.MatchString(body) || j.linksTo())) {
		f := finding.New(finding.LicenseAttribution, "%s asks for attribution, and the card does not say whom to name with a link to the license", own.ID)
		found = append(found, f.At(readme, 0).Hinting("hfpub card writes both; or write a sentence such as %q", j.sentence()))
	}
	for _, d := range j.graph.duties(j.repo.ID) {
		if d.work.Kind == Upstream && d.work.terms.Has(Attribution) && !isMentioned(body+"\n"+j.bundle.thanks, d.work.ID) {
			f := at(d.edge, finding.LicenseAttribution, "content of %s, which is under %s, is in %s%s, and neither the card nor a NOTICE names it",
				d.work.ID, d.work.terms.ID, j.repo.ID, d.way()).As(finding.Error)
			found = append(found, f.Hinting("hfpub card lists the sources of hfpub.yaml; or name it in the card, with its authors, its license and a link"))
		}
	}
	return found
}

// linksTo says whether the card's text links to the license that hfpub.yaml gives a link to.
func (j *judged) linksTo() bool {
	return j.repo.LicenseLink != "" && strings.Contains(j.bundle.body, j.repo.LicenseLink)
}

// notices asks for what the Apache license and its like demand of those who pass content on: the text of the license and
// the NOTICE, whatever license the repo itself is under.
func (j *judged) notices() []finding.Finding {
	if !j.leaves() || len(j.repo.Tree) == 0 {
		return nil
	}
	var found []finding.Finding
	for _, d := range j.graph.duties(j.repo.ID) {
		if d.work.Kind != Upstream || !d.work.terms.Has(Notice) {
			continue
		}
		var missing []string
		if !slices.ContainsFunc(j.bundle.texts, func(id string) bool { return same(id, d.work.terms.ID) }) {
			missing = append(missing, "the text of "+d.work.terms.ID)
		}
		switch {
		case j.bundle.notice == "":
			missing = append(missing, "a NOTICE")
		case !isMentioned(j.bundle.thanks, d.work.ID):
			missing = append(missing, "its name in "+j.bundle.notice)
		}
		if len(missing) > 0 {
			f := at(d.edge, finding.LicenseNotice, "content of %s, which is under %s, is in %s%s without %s",
				d.work.ID, d.work.terms.ID, j.repo.ID, d.way(), strings.Join(missing, " and "))
			found = append(found, f.Hinting("put the text of the license into LICENSE or LICENSES/%s.txt, and into NOTICE the notices of %s, or at least its name",
				spdxOr(d.work.terms), d.work.ID))
		}
	}
	return found
}

func spdxOr(t Terms) string {
	if t.SPDX != "" {
		return t.SPDX
	}
	return t.ID
}

// tools notes whose terms hold for what models and programs made.
func (j *judged) tools() []finding.Finding {
	var found []finding.Finding
	for _, e := range j.graph.Into(j.repo.ID) {
		if e.Flow == Tool {
			f := at(e, finding.LicenseToolTerms, "%s made parts of %s: its terms (%s) do not change the license, and may bind those who made or use the data",
				e.From, j.repo.ID, called(j.graph.Node(e.From).terms))
			found = append(found, f.Hinting("read what the provider says about the use of outputs, and say in the card which parts are made by it"))
		}
	}
	return found
}

// unstated warns of content that nobody has given a license for.
func (j *judged) unstated() []finding.Finding {
	var found []finding.Finding
	for _, e := range j.graph.Into(j.repo.ID) {
		if e.Flow == Content && j.graph.Node(e.From).Kind == Upstream && !j.graph.Node(e.From).terms.Stated() {
			f := at(e, finding.LicenseUpstreamUnknown, "content of %s is in %s, and its license is not known", e.From, j.repo.ID)
			found = append(found, f.Hinting("ask its authors; without a license nobody may pass the content on"))
		}
	}
	return found
}

// upstreamDiffers compares the license that hfpub.yaml gives a work with what it says of the same work elsewhere.
func (j *judged) upstreamDiffers() []finding.Finding {
	var found []finding.Finding
	for _, u := range j.repo.Upstream {
		here, node := TermsOf(u.License), j.graph.Node(u.Name)
		if node == nil || !here.Stated() || !node.terms.Stated() || same(here.ID, node.terms.ID) {
			continue
		}
		f := finding.New(finding.LicenseUpstreamDiffers, "%s is under %s here and under %s elsewhere in hfpub.yaml", u.Name, here.ID, node.terms.ID)
		f.Place = placeIn(j.rel, u.Pos)
		found = append(found, f.Hinting("give one work one license; name it by version if it changed its license"))
	}
	return found
}

// weights are the endings of files that hold a model.
var weights = []string{".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".onnx", ".h5", ".msgpack", ".npz", ".tflite"}

// status holds a repo to what its status promises: what is public has a license and, as a model, weights; what is withheld
// does not leave inside another repo.
func (j *judged) status() []finding.Finding {
	var found []finding.Finding
	say := func(hint, format string, args ...any) {
		f := finding.New(finding.LicenseStatus, format, args...)
		f.Place = placeIn(j.rel, j.repo.Pos)
		found = append(found, f.Hinting("%s", hint))
	}
	if j.repo.Status != release.Public {
		return nil
	}
	if j.node.License == "" && !j.bundle.hasCard && len(j.bundle.texts) == 0 {
		say("decide on one and write `license:` with the Hub's id", "%s is public, and nothing says under which license", j.repo.ID)
	}
	isWeights := func(f release.TreeFile) bool { return slices.Contains(weights, strings.ToLower(path.Ext(f.Path))) }
	if j.repo.Type == release.Model && len(j.repo.Tree) > 0 && !slices.ContainsFunc(j.repo.Tree, isWeights) {
		say("add the weights, or write `status: pending` until they are there", "%s is a public model without weights", j.repo.ID)
	}
	for _, d := range j.graph.duties(j.repo.ID) {
		if d.work.Status == string(release.Withheld) {
			say("make sure that what is withheld does not leave this way; where only labels or ids flow, say so",
				"content of %s, which is withheld, is in %s%s, which is public", d.work.ID, j.repo.ID, d.way())
		}
	}
	return found
}

// leaves says whether content of the repo goes out.
func (j *judged) leaves() bool { return j.repo.Status == release.Public }

// sentence is an attribution for the repo that a card can hold.
func (j *judged) sentence() string {
	return fmt.Sprintf("Name %s as the source, with a link to %s.", j.repo.ID, Link(j.node.terms.ID))
}
