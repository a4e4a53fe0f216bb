// Package license judges what a release says about rights: under which license its repos are, and whether they may be.
//
// A repo has several voices: hfpub.yaml, the `license` of its card's front matter, the card's hand-written text, a LICENSE
// file, a NOTICE, the catalog of the release. [Examine] hears them all and says so when two of them name different licenses,
// or when one holds an id that the Hub does not take. [InCard], [InFile] and [InNotice] recognise licenses in text; [Known]
// and [Suggest] know the Hub's ids (ids.tsv). What a sentence speaks of is hard to tell, so it is taken only where there is
// no doubt.
//
// The same call puts the upstream works of hfpub.yaml and the base models of cards into a [Graph] (graph.go) and holds it to
// rules (rules.go): what the license of a work demands travels with its content, and with nothing else; weights inherit the
// license of their base model. [TermsOf] knows what licenses demand (terms.tsv).
package license

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/frontmatter"
	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/schemas/strictyaml"
	"github.com/hfpub/hfpub/validate/finding"
)

const readme = "README.md"

const (
	// maxFile is the size in bytes above which a file called LICENSE is none.
	maxFile = 1 << 20
	// maxText is the number of bytes of a card's text that are looked through.
	maxText = 1 << 20
)

// voice is one place that says something about the license.
type voice struct {
	// ids are the licenses it may mean, of which any one is enough to agree; none when it cannot be compared with text.
	ids []string
	// declared are the ids of hfpub.yaml or the front matter as they stand there.
	declared []string
	// said is what the voice says, place by place.
	said []saying
}

// saying is one place and what it says.
type saying struct {
	text  string
	place finding.Place
}

// hear lists the voices of a repo, with what is wrong about single ones. The error is for a file that cannot be read.
func hear(rel *release.Release, repo *release.Repo) ([]voice, []finding.Finding, error) {
	voices, found := manifest(rel, repo)
	around, err := beside(rel, repo)
	if err != nil {
		return nil, nil, err
	}
	if repo.Dir == "" || len(repo.Tree) == 0 {
		return append(voices, around...), found, nil
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	ofCard, unknown, err := card(root, repo)
	if err != nil {
		return nil, nil, err
	}
	ofFiles, err := files(root, repo.Tree)
	if err != nil {
		return nil, nil, err
	}
	ofNotice, err := notices(root, repo.Tree)
	if err != nil {
		return nil, nil, err
	}
	return slices.Concat(voices, ofCard, ofFiles, ofNotice, around), append(found, unknown...), nil
}

// manifest is the voice of hfpub.yaml, and what is wrong with it.
func manifest(rel *release.Release, repo *release.Repo) ([]voice, []finding.Finding) {
	if !repo.Declared || repo.License == "" {
		return nil, nil
	}
	place := placeIn(rel, repo.LicensePos)
	v := voice{
		ids:      meanings(repo.License, repo.LicenseName),
		declared: []string{repo.License},
		said:     []saying{{repo.License, place}},
	}
	if Known(repo.License) {
		return []voice{v}, nil
	}
	return []voice{v}, []finding.Finding{unknownID(repo.License, place)}
}

// meanings are the licenses that a declared id means. `other` means what its license_name says; that and `unknown` cannot
// be compared with a text otherwise.
func meanings(id, name string) []string {
	switch {
	case id == "other" && wholeName(name) != "":
		return []string{wholeName(name)}
	case id == "other" || id == "unknown":
		return nil
	case Known(id):
		return []string{id}
	case wholeName(id) != "":
		return []string{wholeName(id)}
	}
	return nil
}

// card gives the voices of README.md, and what is wrong with the license in its front matter.
func card(root *os.Root, repo *release.Repo) ([]voice, []finding.Finding, error) {
	isReadme := func(f release.TreeFile) bool { return f.Path == readme && f.Mode.IsRegular() }
	if !slices.ContainsFunc(repo.Tree, isReadme) {
		return nil, nil, nil
	}
	text, err := root.ReadFile(readme)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", readme, err)
	}
	matter, _ := frontmatter.Read(readme, text)
	var voices []voice
	header, found := header(matter)
	if len(header.said) > 0 {
		voices = append(voices, header)
	}
	prettyName, _ := matter.String("pretty_name")
	body := matter.Block.Body()[:min(len(matter.Block.Body()), maxText)]
	firstLine := 1 + bytes.Count(text[:len(text)-len(matter.Block.Body())], []byte("\n"))
	spoken := voice{}
	for _, s := range InCard(string(body), firstLine, path.Base(repo.ID), prettyName, repo.Card.PrettyName) {
		spoken.ids = append(spoken.ids, s.IDs...)
		spoken.said = append(spoken.said, saying{strings.Join(s.IDs, " or "), finding.Place{Path: readme, Line: s.Line}})
	}
	if len(spoken.said) > 0 {
		voices = append(voices, spoken)
	}
	return voices, found, nil
}

// header is the voice of the front matter's license, and what is wrong with it.
func header(matter *frontmatter.Matter) (voice, []finding.Finding) {
	var v voice
	_, node := matter.Get("license")
	if node == nil {
		return v, nil
	}
	list := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		list = node.Content
	}
	name, _ := matter.String("license_name")
	var found []finding.Finding
	for _, n := range list {
		id, isText := strictyaml.String(n)
		if !isText || !Known(id) {
			found = append(found, unknown(n))
		}
		if isText && id != "" {
			v.declared = append(v.declared, id)
			v.ids = append(v.ids, meanings(id, name)...)
		}
	}
	if len(list) == 0 {
		found = append(found, unknown(node))
	}
	if len(v.declared) > 0 {
		place := finding.Place{Path: readme, Line: node.Line, Column: node.Column}
		v.said = []saying{{strings.Join(v.declared, " or "), place}}
	}
	return v, found
}

const choose = "choose an id of https://huggingface.co/docs/hub/repositories-licenses, " +
	"or `other` with license_name and license_link"

// unknown is the finding about a value in the front matter that is no license id of the Hub's.
func unknown(n *yaml.Node) finding.Finding {
	place := finding.Place{Path: readme, Line: n.Line, Column: n.Column}
	if n.Kind == yaml.ScalarNode && !strictyaml.IsNull(n) && strings.TrimSpace(n.Value) != "" {
		return unknownID(n.Value, place)
	}
	f := finding.New(finding.CardLicenseUnknown, "the license is empty, which the Hub refuses")
	f = f.Hinting("take the key out, or %s", choose)
	if len(n.Content) > 0 {
		f = finding.New(finding.CardLicenseUnknown, "the license is %s, expected an id or a list of ids", strictyaml.Describe(n))
		f = f.Hinting(choose)
	}
	f.Place = place
	return f
}

// unknownID is the finding about a license that the Hub has no such id for.
func unknownID(id string, place finding.Place) finding.Finding {
	f := finding.New(finding.CardLicenseUnknown, "the Hub knows no license %q", id)
	f.Place = place
	if meant, ok := Suggest(id); ok {
		return f.Hinting("write %s", meant)
	}
	named := wholeName(id)
	if versions := versionsOf(named); len(versions) > 0 {
		return f.Hinting("say which version: %s", strings.Join(versions, ", "))
	}
	if named != "" {
		return f.Hinting("the Hub has no id for this one: write `license: other`, `license_name: %s` and a license_link", named)
	}
	return f.Hinting(choose)
}

// versionsOf lists the Hub's ids of a license that was named without version.
func versionsOf(named string) []string {
	var versions []string
	for _, id := range ids() {
		if named != "" && isVersionOf(id, named) {
			versions = append(versions, id)
		}
	}
	return versions
}

// licenseFile is the name of a file that holds the license of the whole repo; LICENSE-CODE and the like speak of a part.
var licenseFile = lazyregexp.New(`(?i)^(?:licen[sc]e|copying)(?:\.(?:md|txt|rst))?$`)

// files gives the voices of the LICENSE files at the root whose text is recognised.
func files(root *os.Root, tree []release.TreeFile) ([]voice, error) {
	var voices []voice
	for _, file := range tree {
		if !licenseFile.MatchString(file.Path) || !file.Mode.IsRegular() || file.Size > maxFile {
			continue
		}
		text, err := root.ReadFile(file.Path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file.Path, err)
		}
		if ids := InFile(text); len(ids) > 0 {
			voices = append(voices, voice{ids: ids, said: []saying{{strings.Join(ids, " or "), finding.Place{Path: file.Path}}}})
		}
	}
	return voices, nil
}

// OfFile names the one license file of a repo and the Hub's id of the license in it. Both are "" where there is no such
// file or several, or where its text is not that of one license the Hub has an id for. The error is for a file that
// cannot be read.
func OfFile(repo *release.Repo) (path, id string, err error) {
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return "", "", fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	voices, err := files(root, repo.Tree)
	if err != nil || len(voices) != 1 || len(voices[0].ids) != 1 || !Known(voices[0].ids[0]) {
		return "", "", err
	}
	return voices[0].said[0].place.Path, voices[0].ids[0], nil
}

// agree reports whether every two voices may mean the same license.
func agree(voices []voice) bool {
	for i, a := range voices {
		for _, b := range voices[:i] {
			if !a.agrees(b) {
				return false
			}
		}
	}
	return true
}

func (v voice) agrees(other voice) bool {
	if len(v.declared) > 0 && len(other.declared) > 0 {
		return shareOne(v.declared, other.declared)
	}
	return len(v.ids) == 0 || len(other.ids) == 0 || shareOne(v.ids, other.ids)
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return same(x, y) })
	})
}

// disagreement lists what all voices say, at the place of the one that counts most: the front matter, which the Hub shows.
func disagreement(voices []voice) finding.Finding {
	var parts []string
	place := voices[0].said[0].place
	for _, v := range voices {
		if len(v.declared) > 0 {
			place = v.said[0].place
		}
		for _, s := range v.said {
			parts = append(parts, fmt.Sprintf("%s (%s)", s.text, finding.Place{Path: s.place.Path, Line: s.place.Line}.Where()))
		}
	}
	f := finding.New(finding.LicenseDisagree, "the license differs from place to place: %s", strings.Join(parts, ", "))
	f.Place = place
	return f.Hinting("decide on one license and let hfpub.yaml, the front matter, the text and the LICENSE file all say it")
}
