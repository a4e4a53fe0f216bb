// Package nearest finds the known word that somebody meant when they mistyped it: lisence -> license.
//
// Messages about unknown keys of hfpub.yaml, of a schema or of a card offer it as a hint.
package nearest

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// Word returns the known word nearest to got: one that differs in case only, else the one with the fewest typing
// errors. An error is a letter too many, missing, wrong, or changed over with its neighbour; one is allowed for every
// three letters of the longer word, and no more than three in all. Of equally near words the first listed wins. Without a
// word that near, it returns false.
func Word(got string, known []string) (string, bool) {
	best, fewest := "", 0
	typed := fold(got)
	for _, word := range known {
		meant := fold(word)
		if slices.Equal(typed, meant) {
			return word, true
		}
		allowed := min(max(len(typed), len(meant))/3, 3)
		if abs(len(typed)-len(meant)) > allowed {
			continue
		}
		errors := distance(typed, meant)
		if errors <= allowed && (best == "" || errors < fewest) {
			best, fewest = word, errors
		}
	}
	return best, best != ""
}

func fold(s string) []rune {
	if !utf8.ValidString(s) {
		return []rune(s)
	}
	return []rune(cases.Fold().String(s))
}

// distance counts the fewest insertions, deletions, substitutions and swaps of neighbours that turn a into b, no letter
// being touched twice: the Damerau-Levenshtein distance in its optimal string alignment form.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int { return max(n, -n) }
