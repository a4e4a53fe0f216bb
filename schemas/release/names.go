package release

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

// repoID is the Hub's rule for repo ids with a namespace, ASCII only. -- and .. and a final .git are refused besides.
var repoID = lazyregexp.New(`^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?/[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?$`)

// CheckRepoID says what is wrong with a repo id, "" when nothing is.
func CheckRepoID(id string) string {
	namespace, name, found := strings.Cut(id, "/")
	switch {
	case !found:
		return "it has no namespace: write namespace/name"
	case strings.Contains(name, "/"):
		return "it has more than one /: write namespace/name, without datasets/ or models/"
	case namespace == "" || name == "":
		return "namespace or name is empty: write namespace/name"
	case len(name) > 96:
		return "the name is longer than 96 characters"
	case strings.Contains(id, "--") || strings.Contains(id, ".."):
		return "-- and .. are not allowed"
	case strings.HasSuffix(id, ".git"):
		return "it must not end with .git"
	case !repoID.MatchString(id):
		return "namespace and name are letters, digits, _, - and ., and neither starts nor ends with - or ."
	}
	return ""
}

var languageCode = lazyregexp.New(`^(?:[a-z]{2,3}|code|multilingual)$`)

// IsLanguage says whether the Hub may take a text for a language: a code of ISO 639 in lower case, code, or multilingual.
func IsLanguage(code string) bool { return languageCode.MatchString(code) }

// splitName is the loader's rule for names of splits: word characters, in parts joined by single dots.
var splitName = lazyregexp.New(`^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*$`)

// checkSplitName says what is wrong with the name of a split, "" when nothing is.
func checkSplitName(name string) string {
	switch {
	case name == "all":
		return "all means the union of all splits"
	case !splitName.MatchString(name):
		return "it must be letters, digits and underscores, in parts joined by single dots"
	}
	return ""
}

// mendSplitName offers an allowed name for one that is not: train_clean for train-clean.
func mendSplitName(name string) string {
	if name == "all" {
		return "all_rows"
	}
	mended := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || r == '.' {
			return r
		}
		return '_'
	}, name)
	for strings.Contains(mended, "..") {
		mended = strings.ReplaceAll(mended, "..", ".")
	}
	mended = strings.Trim(mended, ".")
	if mended == "" {
		return "train"
	}
	return mended
}

// forbiddenInConfigNames cannot stand in a config's name: the loader makes a folder of that name.
const forbiddenInConfigNames = `<>:/\|?*`

// checkConfigName says what is wrong with the name of a config, "" when nothing is.
func checkConfigName(name string) string {
	if name == "" {
		return "it is empty"
	}
	if i := strings.IndexAny(name, forbiddenInConfigNames); i >= 0 {
		return fmt.Sprintf("the characters %s are not allowed", strings.Join(strings.Split(forbiddenInConfigNames, ""),
			" "))
	}
	return ""
}
