package license

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/hfpub/hfpub/schemas/nearest"
)

//go:embed ids.tsv
var table string

// ids are the license ids that the Hub takes, with their names, in the Hub's order:
// https://huggingface.co/docs/hub/repositories-licenses.
var ids = sync.OnceValue(func() []string {
	var list []string
	for line := range strings.Lines(table) {
		id, _, _ := strings.Cut(line, "\t")
		list = append(list, id)
	}
	return list
})

// Known reports whether the Hub takes an id. Ids are lower case, and not those of SPDX.
func Known(id string) bool {
	for _, known := range ids() {
		if id == known {
			return true
		}
	}
	return false
}

// Suggest finds the id that somebody meant who wrote something else: an id in other case, an SPDX expression, a name
// of a license, a typing error. It does not guess a version that is not there.
func Suggest(text string) (id string, ok bool) {
	text = strings.TrimSpace(text)
	if strings.EqualFold(text, "unlicensed") {
		return "", false // the opposite of the Unlicense
	}
	if Known(strings.ToLower(text)) {
		return strings.ToLower(text), true
	}
	if named := wholeName(text); named != "" {
		return onHub(named)
	}
	near, ok := nearest.Word(text, ids())
	if digits(near) != digits(text) {
		return "", false
	}
	return near, ok
}

// onHub finds the Hub's id for one that may carry a version where the Hub's has none.
func onHub(id string) (string, bool) {
	if Known(id) {
		return id, true
	}
	for _, family := range []string{"odc-by", "odbl", "pddl", "gfdl"} {
		if isVersionOf(id, family) {
			return family, true
		}
	}
	if id == "apache" {
		return "apache-2.0", true
	}
	return "", false
}

// digits are the digits of a text, by which versions differ.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
}

// same reports whether two ids may mean one license: they are equal, or one is the family or the unversioned name of
// the other.
func same(a, b string) bool {
	return a == b || isVersionOf(a, b) || isVersionOf(b, a) || isOfFamily(a, b) || isOfFamily(b, a)
}

// isVersionOf reports whether id is name with a version: gpl-3.0 and gpl, cc-by-4.0 and cc-by, bsd-3-clause and bsd.
func isVersionOf(id, name string) bool {
	rest, ok := strings.CutPrefix(id, name)
	return ok && len(rest) > 1 && rest[0] == '-' && '0' <= rest[1] && rest[1] <= '9'
}

// isOfFamily reports whether the Hub's id family stands for a group of licenses that id belongs to.
func isOfFamily(id, family string) bool {
	switch family {
	case "cc":
		return strings.HasPrefix(id, "cc-") || strings.HasPrefix(id, "cc0")
	case "openrail":
		return strings.Contains(id, "openrail") || strings.Contains(id, "rail-")
	case "cc0":
		return id == "cc0-1.0"
	}
	return false
}
