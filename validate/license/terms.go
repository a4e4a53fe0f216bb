package license

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Trait is one thing that a license asks for or forbids, as far as it decides what others may do with what was made from
// the licensed work.
type Trait string

// The traits that the rules look at.
const (
	// Attribution: who made the work has to be named.
	Attribution Trait = "attribution"
	// ShareAlike: what holds content of the work has to come under the same license, or one it calls compatible.
	ShareAlike Trait = "share-alike"
	// NonCommercial: no use for money.
	NonCommercial Trait = "non-commercial"
	// NoDerivatives: changed works must not be shared.
	NoDerivatives Trait = "no-derivatives"
	// Text: the text of the license travels with the work.
	Text Trait = "text"
	// Notice: the NOTICE of the work travels with it.
	Notice Trait = "notice"
	// Use: some uses are forbidden, or the provider's policy holds.
	Use Trait = "use"
)

//go:embed terms.tsv
var termsTable string

// Terms is what is known of one license.
type Terms struct {
	// ID is the Hub's id, or one built in the same way; SPDX the license's identifier on https://spdx.org/licenses, "" where it
	// has none.
	ID, SPDX string
	Traits   []Trait
}

// Has says whether the license has a trait.
func (t Terms) Has(trait Trait) bool { return slices.Contains(t.Traits, trait) }

// Stated says whether it is a license at all: unknown, and no id, say nothing.
func (t Terms) Stated() bool { return t.ID != "" && t.ID != "unknown" }

var terms = sync.OnceValue(func() map[string]Terms {
	all := map[string]Terms{}
	for line := range strings.Lines(termsTable) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		t := Terms{ID: cells[0], SPDX: cells[1]}
		for trait := range strings.FieldsSeq(cells[2]) {
			t.Traits = append(t.Traits, Trait(trait))
		}
		all[t.ID] = t
	}
	return all
})

// TermsOf reads what somebody wrote as a license: an id of the Hub, an SPDX identifier, a name. What is none of them comes
// back as it is, without traits.
func TermsOf(license string) Terms {
	license = strings.TrimSpace(license)
	if license == "" {
		return Terms{}
	}
	if t, ok := terms()[license]; ok {
		return t
	}
	for _, t := range terms() {
		if t.SPDX != "" && strings.EqualFold(t.SPDX, license) {
			return t
		}
	}
	id, ok := Suggest(license)
	if !ok {
		id = wholeName(license)
	}
	if t, ok := terms()[id]; ok {
		return t
	}
	if rest, ok := strings.CutPrefix(id, "cc-by"); ok {
		return creativeCommonsTerms(id, rest)
	}
	if id == "" {
		return Terms{ID: license}
	}
	return Terms{ID: id}
}

// creativeCommonsTerms are the terms of a license that is named without version, or in one that the Hub has no id for.
func creativeCommonsTerms(id, elements string) Terms {
	t := Terms{ID: id, Traits: []Trait{Attribution}}
	for _, e := range []struct {
		element string
		trait   Trait
	}{{"-nc", NonCommercial}, {"-nd", NoDerivatives}, {"-sa", ShareAlike}} {
		if strings.Contains(elements, e.element) {
			t.Traits = append(t.Traits, e.trait)
		}
	}
	if last := elements[max(0, len(elements)-3):]; len(last) == 3 && last[1] == '.' {
		t.SPDX = strings.ToUpper(id)
	}
	return t
}

// compatible lists, for share-alike licenses, the other licenses that what holds their content may come under.
//
// Sources: https://creativecommons.org/share-your-work/licensing-considerations/compatible-licenses,
// https://www.gnu.org/licenses/license-list.html, the appendix of the EUPL 1.2. An id without "or later" is read as it
// stands, so gpl-2.0 goes into gpl-2.0 only.
var compatible = map[string][]string{
	"cc-by-sa-2.0":    {"cc-by-sa-2.5", "cc-by-sa-3.0", "cc-by-sa-4.0"},
	"cc-by-sa-2.5":    {"cc-by-sa-3.0", "cc-by-sa-4.0"},
	"cc-by-sa-3.0":    {"cc-by-sa-4.0"},
	"cc-by-sa-4.0":    {"gpl-3.0"},
	"cc-by-nc-sa-2.0": {"cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"},
	"cc-by-nc-sa-3.0": {"cc-by-nc-sa-4.0"},
	"gpl-3.0":         {"agpl-3.0"},
	"eupl-1.1":        {"eupl-1.2", "gpl-2.0", "osl-3.0"},
	"eupl-1.2":        {"gpl-2.0", "gpl-3.0", "agpl-3.0", "osl-3.0", "cc-by-sa-3.0"},
}

// ShareableAs says whether a work that holds content under a share-alike license may come under another license.
func ShareableAs(of, under Terms) bool {
	return same(of.ID, under.ID) || slices.Contains(compatible[of.ID], under.ID)
}
