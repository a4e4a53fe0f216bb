package croissant

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// agent is a person or an organization.
type agent struct {
	Type string `json:"@type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// publisher is who made the document; [Marked] goes by it. schema.org has sdPublisher for the maker of structured data that
// were derived from something else.
var publisher = agent{"sc:Organization", "hfpub", "https://github.com/hfpub/hfpub"}

// properties are the keys of the document in their order. What people wrote into the old one stays where nothing else gives
// it.
func (b *builder) properties(old []member) []member {
	repo := &b.in.Repo
	out := []member{{"@context", vocabulary}, {"@type", typeOfSet}, {"conformsTo", conformance(old)}, {"name", b.in.name()}}
	add := func(key string, value any, given bool) {
		if given {
			out = append(out, member{key, value})
		}
	}
	// hold adds a property that people may know better.
	hold := func(key string, value any, given bool) {
		if kept := find(old, key); kept != nil {
			value, given = kept, true
		}
		add(key, value, given)
	}
	others := b.in.otherNames()
	add("alternateName", others, len(others) > 0)
	add("description", b.in.description(), true)
	license := b.in.license()
	add("license", license, license != nil)
	add("url", hub+"datasets/"+repo.ID, repo.Declared)
	namespace, _, _ := strings.Cut(repo.ID, "/")
	if isAccount(find(old, "creator")) {
		old = without(old, "creator")
	}
	hold("creator", account(namespace), repo.Declared)
	hold("datePublished", b.in.Published.UTC().Format("2006-01-02"), !b.in.Published.IsZero())
	add("version", b.in.Version, b.in.Version != "")
	if citation := b.in.citation(); citation != "" {
		add("citeAs", citation, true)
	} else {
		hold("citeAs", nil, false)
	}
	add("keywords", severals(repo.Card.Tags), len(repo.Card.Tags) > 0)
	add("inLanguage", severals(repo.Card.Language), len(repo.Card.Language) > 0)
	add("sdPublisher", publisher, true)
	out = append(out, foreign(old)...)
	return b.data(out)
}

// data adds the files and record sets.
func (b *builder) data(out []member) []member {
	var all []*table
	var byConfig [][]*table
	for _, config := range b.in.Measured.Configs {
		of := tables(config)
		all, byConfig = append(all, of...), append(byConfig, of)
	}
	if distribution := b.distribution(all); len(distribution) > 0 {
		out = append(out, member{"distribution", distribution})
	}
	if sets := b.recordSets(byConfig); len(sets) > 0 {
		out = append(out, member{"recordSet", sets})
	}
	return out
}

// name is the name of the data set without its namespace, as on the Hub.
func (in *Input) name() string { return path.Base(in.Repo.ID) }

// otherNames are the repo's id and the name for people.
func (in *Input) otherNames() severals {
	var out severals
	for _, name := range []string{in.Repo.ID, in.Repo.Card.PrettyName} {
		if name != "" && name != in.name() {
			out = append(out, name)
		}
	}
	return out
}

// account is the creator that the Hub gives: the account that the repo belongs to. Whether that is a person, only people
// know; they may write it into the document.
func account(namespace string) agent {
	return agent{"sc:Organization", namespace, hub + namespace}
}

// isAccount tells a creator that was written here, for this namespace or the one before, from one that people wrote.
func isAccount(value any) bool {
	raw, ok := value.(json.RawMessage)
	if !ok {
		return false
	}
	var is agent
	if json.Unmarshal(raw, &is) != nil {
		return false
	}
	written, err := marshal(account(is.Name))
	return err == nil && string(written) == string(raw)
}

// descriptions are the headings under which a card says what the data set is.
var descriptions = []string{"description", "dataset description", "summary", "dataset summary", "overview", "about"}

// description is the text that hfpub.yaml has for it, else what was measured.
func (in *Input) description() string {
	for _, section := range in.Repo.Card.Sections {
		for _, heading := range descriptions {
			if text := strings.TrimSpace(section.Text); strings.EqualFold(strings.TrimSpace(section.Heading), heading) && text != "" {
				return text
			}
		}
	}
	name := in.Repo.Card.PrettyName
	if name == "" {
		name = in.name()
	}
	var configs, rows int64
	counted := true
	for _, config := range in.Measured.Configs {
		configs++
		for _, split := range config.Splits {
			if split.Rows == nil {
				counted = false
				continue
			}
			rows += *split.Rows
		}
	}
	if !counted {
		return fmt.Sprintf("%s: a data set of %s.", name, plural(configs, "config"))
	}
	return fmt.Sprintf("%s: a data set of %s in %s.", name, plural(rows, "row"), plural(configs, "config"))
}

// fence is a block of code in Markdown.
var fence = lazyregexp.New("(?ms)^```[^\n`]*\n(.*?)^```[ \t]*$")

// citation is what hfpub.yaml has under the heading Citation: its first block of code, or else the whole text.
func (in *Input) citation() string {
	for _, section := range in.Repo.Card.Sections {
		if !strings.EqualFold(strings.TrimSpace(section.Heading), "citation") {
			continue
		}
		text := section.Text
		if block := fence.FindStringSubmatch(text); block != nil {
			text = block[1]
		}
		return strings.TrimSpace(text)
	}
	return ""
}

// work is a license that has no address of its own.
type work struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

// license is the address of the license in the list of SPDX, that of its text where hfpub.yaml gives one, or else its name.
// It is nil where the repo has none.
func (in *Input) license() any {
	repo := &in.Repo
	if repo.License == "" {
		return nil
	}
	if id, ok := spdx(repo.License); ok {
		return "https://spdx.org/licenses/" + id + ".html"
	}
	if link := in.licenseLink(); link != "" {
		return link
	}
	name := repo.License
	if repo.LicenseName != "" {
		name = repo.LicenseName
	}
	return work{"sc:CreativeWork", name}
}

// licenseLink is the address of the license's text: one that is given, or that of a file of the repo.
func (in *Input) licenseLink() string {
	link := in.Repo.LicenseLink
	if strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") {
		return link
	}
	for _, file := range in.Repo.Tree {
		if in.Repo.Declared && link != "" && file.Path == path.Clean(link) {
			return in.address(file.Path)
		}
	}
	return ""
}

// spdxIDs are the licenses that both the Hub and SPDX have an id for, those of Creative Commons aside.
var spdxIDs = map[string]string{
	"apache-2.0": "Apache-2.0", "mit": "MIT", "afl-3.0": "AFL-3.0", "artistic-2.0": "Artistic-2.0", "bsl-1.0": "BSL-1.0",
	"bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "bsd-3-clause-clear": "BSD-3-Clause-Clear", "c-uda": "C-UDA-1.0",
	"cdla-sharing-1.0": "CDLA-Sharing-1.0", "cdla-permissive-1.0": "CDLA-Permissive-1.0", "cdla-permissive-2.0": "CDLA-Permissive-2.0",
	"wtfpl": "WTFPL", "ecl-2.0": "ECL-2.0", "epl-1.0": "EPL-1.0", "epl-2.0": "EPL-2.0", "etalab-2.0": "etalab-2.0",
	"eupl-1.1": "EUPL-1.1", "eupl-1.2": "EUPL-1.2", "agpl-3.0": "AGPL-3.0", "gpl-2.0": "GPL-2.0", "gpl-3.0": "GPL-3.0",
	"lgpl-2.1": "LGPL-2.1", "lgpl-3.0": "LGPL-3.0", "isc": "ISC", "lppl-1.3c": "LPPL-1.3c", "ms-pl": "MS-PL", "mpl-2.0": "MPL-2.0",
	"osl-3.0": "OSL-3.0", "postgresql": "PostgreSQL", "ofl-1.1": "OFL-1.1", "ncsa": "NCSA", "unlicense": "Unlicense", "zlib": "Zlib",
}

// spdx finds the SPDX id of one of the Hub's. Families without a version, such as gpl and odc-by, have none.
func spdx(id string) (string, bool) {
	if strings.HasPrefix(id, "cc-by-") || id == "cc0-1.0" {
		return strings.ToUpper(id), true
	}
	known, ok := spdxIDs[id]
	return known, ok
}
