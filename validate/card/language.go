package card

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"gopkg.in/yaml.v3"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/finding"
)

//go:embed languages.txt
var languageTable string

// languages are the codes of ISO 639-1 that the Hub takes, by themselves and by the English names of the languages.
var languages = sync.OnceValue(func() map[string]string {
	codes := map[string]string{}
	for line := range strings.Lines(languageTable) {
		code, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		codes[code] = code
		for name := range strings.SplitSeq(names, ", ") {
			codes[folded(name)] = code
		}
	}
	return codes
})

// takenForCodes are codes of countries, and codes that ISO 639 has given up, with what was meant.
var takenForCodes = map[string]string{
	"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "il": "he", "in": "id", "ir": "fa", "iw": "he", "ji": "yi", "jp": "ja",
	"jw": "jv", "mo": "ro", "sh": "sr", "sp": "es", "ua": "uk", "vn": "vi",
}

var (
	threeLetters = lazyregexp.New(`^[a-z]{3}$`)
	withRegion   = lazyregexp.New(`^([A-Za-z]{2,3})[-_][A-Za-z0-9_-]+$`)
)

// language judges a language of the card: a code of ISO 639-1, or of three letters, in lower case, or code or
// multilingual. Which codes of three letters there are is left to the Hub.
func (c *checker) language(n *yaml.Node, at, text string) {
	if len(text) == 2 && languages()[text] == text || threeLetters.MatchString(text) || text == "code" ||
		text == "multilingual" {
		return
	}
	hint := "write a code of ISO 639 such as en; https://huggingface.co/languages lists them"
	region := withRegion.FindStringSubmatch(text)
	switch code := meantLanguage(text); {
	case code == "no":
		hint = `write "no", in quotes`
	case code != "":
		hint = "write " + code
	case region != nil && meantLanguage(region[1]) != "":
		hint = "write " + meantLanguage(region[1]) + " here, and " + text + " under language_bcp47"
	}
	c.report(finding.CardLanguage, n, at, hint, "%q is no language code that the Hub takes", text)
}

// meantLanguage is the code that somebody meant who wrote one in upper case, that of a country, or a language's name.
func meantLanguage(text string) string {
	word := folded(strings.TrimSpace(text))
	switch {
	case takenForCodes[word] != "":
		return takenForCodes[word]
	case languages()[word] != "":
		return languages()[word]
	case threeLetters.MatchString(word):
		return word
	}
	return ""
}

func folded(s string) string { return cases.Fold().String(s) }
