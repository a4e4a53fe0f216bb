// Package secrets finds passwords, tokens and private keys in text, by the rules of gitleaks.
//
// The rules are those of gitleaks v8.30.1 (gitleaks.toml, verbatim, under the license in gitleaks.LICENSE), and a few of hfpub's
// own in the same form (own.toml). Their module is not imported, since its dependencies are those of a whole program. What is
// kept of its way: a rule is tried only where one of its keywords stands, the secret must have the entropy that the rule
// asks for, and allow-lists take out what is known to be none.
//
// What differs makes it fast enough for data. One walk (finder.go) looks for all keywords at once. Around a keyword a few bytes
// decide whether the expression can match at all (near.go), and it is then run on a window of the text only.
// [Scanner.Scan] finds the secrets in a text, and [Scanner.Redact] takes them out of what is written for people and programs.
// [Scanner.Candidates] says of JSON, as it is written, what is worth to be scanned: its sieve (sieve.go) sees by masks (masks.go) where
// runs of letters and digits and fingerprints of words (fingerprints.go) are. Others can have words of theirs looked for in the same
// walks: [Marker].
//
// To read the rules and to find out what their expressions match takes longer than all else that a program does when it starts.
// So that is done before: go generate writes compiled.go, by a test that also says when it is out of date (compile_test.go, with
// analysis_test.go). An expression is compiled when its rule is first tried.
package secrets

import (
	"slices"
	"strings"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

//go:generate go test -run TestCompiled -update

// Generic is the id of the rule that takes any text behind words such as key or token for a secret, if it looks random. It is
// often wrong.
const Generic = "generic-api-key"

// rule is one rule, ready to be run.
type rule struct {
	id, description string
	expression      lazyregexp.Regexp
	// path is what the file must be called; nil for any file.
	path    *lazyregexp.Regexp
	entropy float64
	// group is the group of the expression that holds the secret; 0 for the first that is not empty.
	group int
	allow []allowList
	// words are the keywords, in lower case.
	words  []string
	near   near
	window int
}

// allowList takes matches out again.
type allowList struct {
	target      string
	expressions []*lazyregexp.Regexp
	// stopwords are in lower case.
	stopwords []string
	paths     []*lazyregexp.Regexp
	all       bool
}

// Marker is a word of one or more than two bytes, in lower case, that somebody else wants to be told of.
type Marker struct {
	Word string
	// Near is asked whether it is worth telling, with the text and the bounds of the word in it; nil for always.
	Near func(text []byte, start, end int) bool
	// Around makes a word that stands everywhere cheaper to find: it is around the word wherever Near says yes.
	Around Around
}

// Around is what stands right around a word: before it one of the bytes of Before, behind it one of each of After, in turn. "" and
// nil are for anything.
type Around struct {
	Before string
	After  []string
}

// Set is all rules with what finds their keywords. It serves many goroutines.
type Set struct {
	words   *finder
	sieve   *sieve
	markers []Marker
	// wordOf are the keywords, byWord the rules of each; markersBy are the numbers of the markers of each.
	wordOf    []string
	byWord    [][]*rule
	markersBy [][]int
}

// NewSet returns all rules, and markers to be found in the same walk.
func NewSet(markers ...Marker) *Set {
	set := &Set{markers: markers}
	set.index()
	return set
}

// index builds the finder of the keywords of all rules and the words of the markers.
func (s *Set) index() {
	known := map[string]int{}
	number := func(word string) int {
		at, ok := known[word]
		if !ok {
			at = len(s.wordOf)
			known[word] = at
			s.wordOf = append(s.wordOf, word)
			s.byWord, s.markersBy = append(s.byWord, nil), append(s.markersBy, nil)
		}
		return at
	}
	for i := range rules {
		r := &rules[i]
		for _, w := range r.words {
			at := number(w)
			s.byWord[at] = append(s.byWord[at], r)
		}
	}
	for i, m := range s.markers {
		at := number(m.Word)
		s.markersBy[at] = append(s.markersBy[at], i)
	}
	s.words = newFinder(s.wordOf, func(int) bool { return true })
	s.sieve = newSieve(s)
}

// takesOut says whether an allow-list is about a match.
func (l *allowList) takesOut(m *match) bool {
	target := m.secret
	switch l.target {
	case "match":
		target = m.whole
	case "line":
		target = m.line()
	}
	fits := func(e *lazyregexp.Regexp) bool { return e.MatchString(target) }
	byText := slices.ContainsFunc(l.expressions, fits)
	byPath := slices.ContainsFunc(l.paths, func(e *lazyregexp.Regexp) bool { return e.MatchString(m.path) })
	low := strings.ToLower(m.secret)
	byWord := slices.ContainsFunc(l.stopwords, func(w string) bool { return strings.Contains(low, w) })
	if l.all {
		return (len(l.expressions) == 0 || byText) && (len(l.paths) == 0 || byPath) && (len(l.stopwords) == 0 || byWord)
	}
	return byText || byPath || byWord
}
