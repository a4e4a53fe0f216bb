package license

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// mention is a license named in a text: its id, and the bytes of the text that name it.
type mention struct {
	id         string
	start, end int
}

// name is one way in which licenses are named. id makes the id from what the expression's groups caught; it is "" when the
// words name no license after all.
type name struct {
	form expression
	id   func(groups []string) string
}

// expression is a regular expression that is compiled when it is first asked for: there are many, and most runs of hfpub need
// none of them.
type expression func() *regexp.Regexp

// pattern makes an expression in which a blank stands for any space, dash or mark-up between words, and ~ for the
// same or nothing. Case does not count.
func pattern(source string) expression {
	const between = "[\\s\\p{Pd}_*,`]"
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)` + strings.NewReplacer(" ", between+"+", "~", between+"*").Replace(source))
	})
}

func fixed(source, id string) name {
	return name{pattern(source), func([]string) string { return id }}
}

// versioned names a license by a word and the version in the first group; without one the id has none.
func versioned(source, id string) name {
	return name{pattern(source), func(groups []string) string { return withVersion(id, groups[1]) }}
}

func withVersion(id, version string) string {
	switch {
	case version == "":
		return id
	case strings.Contains(version, "."):
		return id + "-" + version
	}
	return id + "-" + version + ".0"
}

const (
	licence = `licen[sc]e`
	// version catches a version such as 3, 4.0 or v2.1, and what SPDX writes behind it.
	version = `(?:~(?:version|ver\.?|v\.?)?~([1-9](?:\.\d)?)(?:~or~later|~only|\+)?(?:\b|$))?`
	// needed is a version that has to be there.
	needed = `~(?:version|ver\.?|v\.?)?~([1-9](?:\.\d)?)(?:~or~later|~only|\+)?(?:\b|$)`
)

// names are the ways in which licenses are named beyond doubt.
var names = sync.OnceValue(func() []name {
	return []name{
		{pattern(`\b(?:cc|creative~commons)(?: ` + licence + `)?~(?:by|attribution)\b` +
			`((?: (?:nc|sa|nd|non~commercial|share~alike|no~deriv(?:ative)?s?(?: works)?)\b)*)` +
			`(?: (?:international|public|unported))?(?: ` + licence + `)?` + version), creativeCommons},
		{pattern(`creativecommons\.org/licen[sc]es/(by(?:-nc|-sa|-nd)*)/(\d\.\d)`), func(groups []string) string {
			return "cc-" + groups[1] + "-" + groups[2]
		}},
		fixed(`\b(?:cc|creative~commons)~(?:0|zero)\b(?:~(?:v|version)?~1\.0\b)?`, "cc0-1.0"),
		fixed(`creativecommons\.org/publicdomain/zero`, "cc0-1.0"),
		fixed(`\bMIT `+licence+`\b`, "mit"),
		fixed(`\b(?:opensource\.org|choosealicense\.com|spdx\.org)/licen[sc]es/mit\b`, "mit"),
		versioned(`\bapache(?: software)?(?: foundation)? `+licence+version, "apache"),
		versioned(`\bapache`+needed, "apache"),
		fixed(`apache\.org/licen[sc]es/license-2\.0`, "apache-2.0"),
		{pattern(`\b(?:gnu )?(a|l)?gpl(?:` + needed + `|\b)`), gnu},
		{pattern(`\bgnu(?: (affero|lesser|library))?(?: general)? public ` + licence + version), gnu},
		{pattern(`gnu\.org/licen[sc]es/(?:old-licenses/)?(a|l)?gpl-([23](?:\.\d)?)`), gnu},
		fixed(`\bgnu free documentation `+licence+`|\bgfdl\b`, "gfdl"),
		versioned(`\b(?:mozilla public `+licence+`|mpl)`+needed, "mpl"),
		{pattern(`\bbsd~([234]) clause(~clear)?\b`), bsd},
		{pattern(`\b([234]) clause(?: "?(?:new|revised|simplified|modified)"?)* "?bsd\b`), bsd},
		fixed(`\b(?:new|modified|revised) bsd `+licence, "bsd-3-clause"),
		fixed(`\bsimplified bsd `+licence, "bsd-2-clause"),
		fixed(`\bbsd `+licence, "bsd"),
		fixed(`\bodbl\b(?:~(?:v|version)?~1\.0\b)?|\bopen database `+licence+`\b`, "odbl"),
		fixed(`\bodc by\b(?:~(?:v|version)?~1\.0\b)?|\bopen data commons attribution\b`, "odc-by"),
		fixed(`\bpddl\b(?:~(?:v|version)?~1\.0\b)?|\bopen data commons public domain dedication\b`, "pddl"),
		{pattern(`\b(?:cdla|community data ` + licence + ` agreement) (sharing|permissive)` + version), func(groups []string) string {
			return withVersion("cdla-"+strings.ToLower(groups[1]), groups[2])
		}},
		fixed(`\bthe unlicen[sc]e\b|\bunlicen[sc]e\.org\b`, "unlicense"),
		fixed(`\bcomputational use of data agreement\b|\bc uda\b`, "c-uda"),
		fixed(`\bisc `+licence+`\b`, "isc"),
		fixed(`\bzlib `+licence+`\b`, "zlib"),
		fixed(`\bwtfpl\b`, "wtfpl"),
		versioned(`\b(?:eclipse public `+licence+`|epl)`+needed, "epl"),
		versioned(`\b(?:european union public licen[sc]e|eupl)`+needed, "eupl"),
		versioned(`\b(?:open software `+licence+`|osl)`+needed, "osl"),
		versioned(`\b(?:academic free `+licence+`|afl)`+needed, "afl"),
		versioned(`\b(?:artistic `+licence+`|artistic)`+needed, "artistic"),
		versioned(`\b(?:educational community `+licence+`|ecl)`+needed, "ecl"),
		versioned(`\b(?:boost software `+licence+`|bsl)`+needed, "bsl"),
		versioned(`\b(?:sil open font `+licence+`|ofl)`+needed, "ofl"),
		{pattern(`\bllama~([234](?:\.\d)?) community ` + licence), func(groups []string) string { return "llama" + groups[1] }},
		fixed(`\bgemma terms of use\b`, "gemma"),
	}
})

// bareNames name a license only where a license is expected, since they are words of their own as well.
var bareNames = sync.OnceValue(func() []name {
	return []name{
		fixed(`\bmit\b`, "mit"),
		fixed(`\bisc\b`, "isc"),
		fixed(`\bzlib\b`, "zlib"),
		fixed(`\bbsd\b`, "bsd"),
		fixed(`\bapache\b`, "apache"),
		fixed(`\bunlicen[sc]e\b`, "unlicense"),
		fixed(`\bpostgresql\b`, "postgresql"),
		fixed(`\bncsa\b`, "ncsa"),
	}
})

func creativeCommons(groups []string) string {
	words := strings.ToLower(groups[1])
	id := "cc-by"
	for _, element := range []struct{ short, long string }{{"nc", "commercial"}, {"nd", "deriv"}, {"sa", "alike"}} {
		if slices.Contains(strings.FieldsFunc(words, isBetween), element.short) || strings.Contains(words, element.long) {
			id += "-" + element.short
		}
	}
	return withVersion(id, groups[2])
}

func isBetween(r rune) bool { return !('a' <= r && r <= 'z') }

func gnu(groups []string) string {
	switch strings.ToLower(groups[1]) {
	case "a", "affero":
		return withVersion("agpl", groups[2])
	case "l", "lesser", "library":
		return withVersion("lgpl", groups[2])
	}
	return withVersion("gpl", groups[2])
}

func bsd(groups []string) string {
	switch {
	case groups[1] == "4":
		return "bsd"
	case len(groups) > 2 && groups[2] != "":
		return "bsd-3-clause-clear"
	}
	return "bsd-" + groups[1] + "-clause"
}

// mentions finds the licenses that a text names, in the order of the text. Of several ways to read the same words the
// longest counts.
func mentions(text string, lists ...[]name) []mention {
	var all []mention
	for _, list := range lists {
		for _, n := range list {
			for _, at := range n.form().FindAllStringSubmatchIndex(text, -1) {
				groups := make([]string, len(at)/2)
				for i := range groups {
					if at[2*i] >= 0 {
						groups[i] = text[at[2*i]:at[2*i+1]]
					}
				}
				all = append(all, mention{n.id(groups), at[0], at[1]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var kept []mention
	for _, m := range all {
		if len(kept) > 0 && m.start < kept[len(kept)-1].end {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// distinct gives the different licenses among mentions: a name without version says nothing beside one with it.
func distinct(found []mention) []string {
	var ids []string
	for _, m := range found {
		if !slices.Contains(ids, m.id) {
			ids = append(ids, m.id)
		}
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(ids, func(other string) bool { return isVersionOf(other, id) })
	})
}

// filler are the words that say nothing about which license it is.
var filler = anyWord(`
	the a an this under licen[sc]es? licen[sc]ed licensing family agreement attribution version international unported public
	generic universal new revised simplified modified full text legal code deed terms of and conditions see link here by at in
	for details more information available can be found file spdx identifier or later only
	https? www org com legalcode en html md txt`)

// anyWord matches any of the words of a list as a whole word.
func anyWord(list string) expression {
	return pattern(`\b(?:` + strings.Join(strings.Fields(list), "|") + `)\b`)
}

// wholeName reads a text that holds the name of one license and next to nothing else; "" when it does not.
func wholeName(text string) string {
	found := mentions(text, names(), bareNames())
	ids := distinct(found)
	if len(ids) != 1 {
		return ""
	}
	if rest := without(text, found); strings.ContainsFunc(filler().ReplaceAllString(rest, " "), isWord) {
		return ""
	}
	return ids[0]
}

// without takes the mentions out of a text.
func without(text string, found []mention) string {
	var b strings.Builder
	at := 0
	for _, m := range found {
		b.WriteString(text[at:m.start])
		b.WriteByte(' ')
		at = m.end
	}
	b.WriteString(text[at:])
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
