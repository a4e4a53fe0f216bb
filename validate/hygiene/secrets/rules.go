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
package secrets

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
)

//go:embed gitleaks.toml
var gitleaksRules string

//go:embed own.toml
var ownRules string

// Generic is the id of the rule that takes any text behind words such as key or token for a secret, if it looks random. It is
// often wrong.
const Generic = "generic-api-key"

// rule is one rule, ready to be run.
type rule struct {
	id, description string
	expression      func() *regexp.Regexp
	// path is what the file must be called; nil for any file.
	path    *lazyregexp.Regexp
	entropy float64
	// group is the group of the expression that holds the secret; 0 for the first that is not empty.
	group  int
	allow  []allowList
	words  []string
	near   near
	window int
}

// allowList takes matches out again.
type allowList struct {
	target      string
	expressions []*lazyregexp.Regexp
	stopwords   []string
	paths       []*lazyregexp.Regexp
	all         bool
}

// rulesFile is the form of gitleaks' configuration, as far as it is used.
type rulesFile struct {
	Allowlist allowForm `toml:"allowlist"`
	Rules     []struct {
		ID          string
		Description string
		Regex       string
		Path        string
		Entropy     float64
		SecretGroup int `toml:"secretGroup"`
		Keywords    []string
		Allowlists  []allowForm
	}
}

type allowForm struct {
	RegexTarget string `toml:"regexTarget"`
	Condition   string
	Regexes     []string
	StopWords   []string `toml:"stopwords"`
	Paths       []string
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
	rules []*rule
	// global takes out matches of every rule.
	global  allowList
	words   *finder
	sieve   *sieve
	markers []Marker
	// wordOf are the keywords, byWord the rules of each; markersBy are the numbers of the markers of each.
	wordOf    []string
	byWord    [][]*rule
	markersBy [][]int
}

// NewSet returns all rules, and markers to be found in the same walk. The error is for rules that cannot be read.
func NewSet(markers ...Marker) (*Set, error) {
	set := &Set{markers: markers}
	for _, source := range []struct{ name, text string }{{"own.toml", ownRules}, {"gitleaks.toml", gitleaksRules}} {
		if err := set.read(source.text); err != nil {
			return nil, fmt.Errorf("read %s: %w", source.name, err)
		}
	}
	for _, r := range set.rules {
		for _, w := range r.words {
			if len(w) < 3 {
				return nil, fmt.Errorf("rule %s has the keyword %q, which is too short to be looked for", r.id, w)
			}
		}
	}
	set.index()
	return set, nil
}

// read takes in the rules of one file. Its parts are read side by side: nothing else can begin before that is done.
func (s *Set) read(text string) error {
	parts := split(text, runtime.GOMAXPROCS(0))
	sets, faults := make([]Set, len(parts)), make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() {
			var file rulesFile
			if _, faults[i] = toml.Decode(part, &file); faults[i] == nil {
				sets[i].add(&file)
			}
		})
	}
	all.Wait()
	for _, part := range sets {
		s.global.expressions = append(s.global.expressions, part.global.expressions...)
		s.global.stopwords = append(s.global.stopwords, part.global.stopwords...)
		s.rules = append(s.rules, part.rules...)
	}
	return errors.Join(faults...)
}

// split cuts a file of rules into at most n parts, before rules.
func split(text string, n int) []string {
	const rule = "\n[[rules]]\n"
	var parts []string
	for ; n > 1; n-- {
		least := len(text) / n
		at := strings.Index(text[least:], rule)
		if at < 0 {
			break
		}
		parts = append(parts, text[:least+at+1])
		text = text[least+at+1:]
	}
	return append(parts, text)
}

// add takes in the rules of one file. A rule about nothing but the name of a file is left out: it finds no secret.
func (s *Set) add(file *rulesFile) {
	s.global = newAllowList(file.Allowlist)
	for _, r := range file.Rules {
		if r.Regex == "" {
			continue
		}
		made := &rule{id: r.ID, description: r.Description, entropy: r.Entropy, group: r.SecretGroup, words: keywords(r.ID, r.Keywords)}
		if r.Path != "" {
			made.path = lazyregexp.New(r.Path)
		}
		for _, form := range r.Allowlists {
			made.allow = append(made.allow, newAllowList(form))
		}
		made.near, made.window = nearOf(r.Regex)
		source := r.Regex
		if made.near.assigned {
			source = atKeyword(source)
		}
		made.expression = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
		s.rules = append(s.rules, made)
	}
}

// before is how the expressions for a name with a value begin: with what may stand before the keyword.
const before = `[\w.-]{0,50}?`

// atKeyword makes an expression for a name with a value match right where its keyword stands, which is much faster.
func atKeyword(source string) string { return strings.Replace(source, before, "^", 1) }

// narrower are keywords in place of those of gitleaks that stand in every other sentence, or that are too short to be looked for.
// Each is in all that the rule can match, or in all of it that is a secret: a JSON Web Token begins with an object, and so
// with eyJ.
var narrower = map[string][]string{
	"jwt":                    {"eyj"},
	"twilio-api-key":         each("sk", "0123456789abcdef", ""),
	"vault-service-token":    append(each("s.", "abcdefghijklmnopqrstuvwxyz0123456789", ""), "hvs."),
	"azure-ad-client-secret": each("", "0123456789", "q~"),
}

// each joins one text with each character of another, and a third.
func each(before, characters, after string) []string {
	var out []string
	for _, c := range characters {
		out = append(out, before+string(c)+after)
	}
	return out
}

func keywords(id string, words []string) []string {
	if better := narrower[id]; better != nil {
		return better
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}

func newAllowList(form allowForm) allowList {
	list := allowList{target: form.RegexTarget, all: form.Condition == "AND"}
	for _, word := range form.StopWords {
		list.stopwords = append(list.stopwords, strings.ToLower(word))
	}
	for _, source := range form.Regexes {
		list.expressions = append(list.expressions, lazyregexp.New(source))
	}
	for _, source := range form.Paths {
		list.paths = append(list.paths, lazyregexp.New(source))
	}
	return list
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
	for _, r := range s.rules {
		for _, w := range r.words {
			at := number(w)
			s.byWord[at] = append(s.byWord[at], r)
		}
	}
	for i, m := range s.markers {
		at := number(m.Word)
		s.markersBy[at] = append(s.markersBy[at], i)
	}
	s.words = newFinder(s.wordOf)
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
