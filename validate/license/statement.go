package license

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// Statement is a sentence of a card that says under which license its data are.
type Statement struct {
	// IDs are the licenses that the sentence names: the Hub's ids, or ids built in the same way.
	IDs []string
	// Line is the line of README.md on which the first of them is named.
	Line int
}

var (
	// granted is what says that something is under a license, up to the words that name the license.
	granted = pattern(`\b(?:is|are) under\b|` +
		`\b(?:licen[sc]ed|shared|released|distributed|available|published|provided|offered) ` +
		`(?:[^.;:]{0,60}? )??(?:under|with|by)\b`)
	// labelled is what stands before a license that is the value of a property: "License: MIT", "**License** - CC BY 4.0".
	labelled = lazyregexp.New("(?i)^[\\s*_`]*(?:data ?(?:set)? )?licen[sc]e[\\s*_`]*(?::|=|\\s\\p{Pd})")
	// oneWord is a license that is named by one word right behind "under".
	oneWord = pattern(`^(?: the)?(?: terms of)?(?: (?:the|a|an))? ` +
		`(?:mit|apache|bsd|isc|zlib|unlicen[sc]e)\b(?:[\s.;)]|$)`)

	image   = lazyregexp.New(`!\[([^\]]*)\]\(([^)\s]*)[^)]*\)`)
	link    = lazyregexp.New(`\[([^\]]*)\]\(([^)\s]*)[^)]*\)`)
	htmlTag = lazyregexp.New(`</?[a-zA-Z]+(?:\s[^>]*)?/?>`)
	word    = lazyregexp.New(`[\pL\pN]+`)

	aboutLicense = lazyregexp.New(`(?i)licen[sc]`)
	openSource   = pattern(`\bopen source\b`)
)

// elsewhere are the words of a sentence that speaks, or may speak, of something else than the data as a whole: of code, of
// what the data were made from, of a part, another time, a condition.
var elsewhere = anyWord(`
	code codebase software scripts? notebooks? models? weights tools? toolkit librar(?:y|ies) packages? framework
	simulators? website paper articles? images? photos? videos? audio recordings? texts? wikipedia
	original(?:ly)? upstream underlying sources? third~part(?:y|ies) deriv\w* based~on built~(?:on|from) taken~from
	incorporat\w* contains? includ\w*
	annotations? labels? questions? prompts? metadata parts? portions? subsets? splits? some most each every individual
	respective others? another same also additional(?:ly)?
	which whose where except unless if when while but not neither either compatible
	prior previous(?:ly)? former(?:ly)? earlier used~to no~longer will may can could should would must`)

// otherSections are headings under which a card speaks of what others made.
var otherSections = anyWord(`
	sources? upstream collection producers? code models? dependenc(?:y|ies) third~part(?:y|ies) related
	citations? references? acknowledge?ments? credits? contribut\w* changelog`)

// Words that may stand before the verb of a sentence about the data as a whole: those that name the data, and those that say
// nothing.
var (
	subjects = words(`
		dataset datasets data corpus corpora benchmark collection resource release work repository repo card project
		files it`)
	fillers = words(`
		this our the all of these set sets is are has have been and was were being made here a an hub full complete entire
		whole in to be for on publicly freely openly free public license licence itself hugging face commercial non
		research use download purposes`)
)

// words is the set of the words of a list, made when it is first asked for.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
		return set
	})
}

// InCard finds the sentences of a card's hand-written Markdown that say under which license the data are. It would rather
// miss one than take one that speaks of something else. titles are texts in which the data are called by their name, beside
// the card's own title. firstLine is the line of README.md on which the Markdown starts.
func InCard(markdown string, firstLine int, titles ...string) []Statement {
	title, sentences := prose(markdown, firstLine)
	called := callings(append(titles, title))
	var found []Statement
	for _, s := range sentences {
		if slices.ContainsFunc(s.section, otherSections().MatchString) {
			continue
		}
		said := s.badges()
		if len(said) == 0 {
			said = s.grants(called)
		}
		if ids := distinct(said); len(ids) > 0 {
			found = append(found, Statement{ids, s.lines[said[0].start]})
		}
	}
	return found
}

// callings are the words by which titles call the data: hotpot_qa gives hotpot, qa and hotpotqa.
func callings(titles []string) map[string]bool {
	called := map[string]bool{}
	for _, title := range titles {
		for name := range strings.FieldsSeq(strings.ToLower(title)) {
			parts := word.FindAllString(name, -1)
			for _, w := range append(parts, strings.Join(parts, "")) {
				called[w] = true
			}
		}
	}
	return called
}

// badges finds the licenses of images such as those of shields.io.
func (s sentence) badges() []mention {
	var said []mention
	for _, at := range image.FindAllStringSubmatchIndex(s.text, -1) {
		alt, address := s.text[at[2]:at[3]], s.text[at[4]:at[5]]
		shown := ""
		if _, made, ok := strings.Cut(address, "/badge/"); ok {
			shown, _ = url.PathUnescape(made)
		}
		if !aboutLicense.MatchString(alt+shown) || elsewhere().MatchString(alt+" "+shown) {
			continue
		}
		for _, m := range append(mentions(alt, names(), bareNames()), mentions(shown, names(), bareNames())...) {
			said = append(said, mention{m.id, at[2], at[3]})
		}
	}
	return said
}

// grants finds the licenses that the sentence puts the data under.
func (s sentence) grants(called map[string]bool) []mention {
	text := blankMarkup(s.text)
	inSection := len(s.section) > 0 && aboutLicense.MatchString(s.section[len(s.section)-1])
	if at := labelled.FindStringIndex(text); at != nil {
		return whole(text, at[1])
	}
	at := granted().FindStringIndex(text)
	if at == nil {
		if inSection {
			return whole(text, 0)
		}
		return nil
	}
	said := mentions(text, names())
	if oneWord().MatchString(text[at[1]:]) && strings.HasSuffix(strings.ToLower(text[:at[1]]), "under") {
		said = mentions(text, names(), bareNames())
	}
	rest := openSource().ReplaceAllString(without(text, said), " ")
	if len(said) == 0 || said[0].start < at[1] || elsewhere().MatchString(rest) || !isAboutData(text[:at[0]], inSection, called) {
		return nil
	}
	return said
}

// whole finds the license in a text from an offset on that names one license and says nothing else.
func whole(text string, from int) []mention {
	if wholeName(text[from:]) == "" {
		return nil
	}
	said := mentions(text[from:], names(), bareNames())
	for i := range said {
		said[i].start += from
		said[i].end += from
	}
	return said
}

// isAboutData reports whether what comes before the verb means the data as a whole: only words that name them or say
// nothing. Outside of a section about licenses one word has to name them, unless nothing comes before the verb.
func isAboutData(before string, inSection bool, called map[string]bool) bool {
	named := inSection
	all := word.FindAllString(strings.ToLower(before), -1)
	for _, w := range all {
		if !subjects()[w] && !fillers()[w] && !called[w] {
			return false
		}
		named = named || subjects()[w] || called[w]
	}
	return named || len(all) == 0
}

// blankMarkup replaces what is no text by blanks of the same length: brackets, tags, and addresses unless they name a
// license.
func blankMarkup(text string) string {
	out := []byte(text)
	fill := func(start, end int) {
		for i := start; i < end; i++ {
			out[i] = ' '
		}
	}
	for _, at := range htmlTag.FindAllStringIndex(text, -1) {
		fill(at[0], at[1])
	}
	for _, at := range link.FindAllStringSubmatchIndex(text, -1) {
		fill(at[0], at[2])
		fill(at[3], at[4])
		fill(at[5], at[1])
		if len(mentions(text[at[4]:at[5]], names())) == 0 {
			fill(at[4], at[5])
		}
	}
	return string(out)
}
