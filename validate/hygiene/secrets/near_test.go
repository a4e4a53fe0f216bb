package secrets

import (
	"encoding/json"
	"math/rand/v2"
	"regexp/syntax"
	"testing"
	"unicode"
)

// Whatever the expression of a rule matches stands near its keyword in a way that lets the rule be run: in plain text, and in JSON.
func TestNearLetsMatchesPass(t *testing.T) {
	set := shared()
	r := rand.New(rand.NewPCG(5, 6))
	solid := 0
	for number := range rules {
		rule := &rules[number]
		if !rule.near.solid || narrower[rule.id] != nil || rule.near.bytes == anyButSpace() { // the keyword need not be in the match
			continue
		}
		solid++
		tree, err := syntax.Parse(rule.expression.Compiled().String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			secret := string(matched(tree, r))
			if !rule.expression.Compiled().MatchString(secret) {
				continue // a word boundary is where none can be
			}
			inJSON, err := json.Marshal("x " + secret + " y")
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{secret, "x " + secret + " y", string(inJSON)} {
				if !passes(set, rule, text) {
					t.Errorf("rule %d, %s, is not run on %q, which it matches", number, rule.id, text)
				}
			}
		}
	}
	if solid < 50 {
		t.Errorf("%d rules are about a run of bytes, want most of them", solid)
	}
}

// passes says whether a rule is run around some keyword.
func passes(set *Set, r *rule, text string) (passed bool) {
	set.words.find([]byte(text), func(start, word int) {
		for _, of := range set.byWord[word] {
			passed = passed || of == r && r.near.fits([]byte(text), start, start+len(set.wordOf[word]))
		}
	})
	return passed
}

// matched makes a text that an expression matches, but for boundaries. It holds ASCII that JSON need not escape by a number.
func matched(e *syntax.Regexp, r *rand.Rand) []rune {
	switch e.Op {
	case syntax.OpLiteral:
		return e.Rune
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		var choice []rune
		for i := 0; i < len(e.Rune); i += 2 {
			for c := max(' ', e.Rune[i]); c <= min(e.Rune[i+1], unicode.MaxASCII-1); c++ {
				if c != '<' && c != '>' && c != '&' {
					choice = append(choice, c)
				}
			}
		}
		if choice == nil {
			return []rune{'a'}
		}
		return choice[r.IntN(len(choice)):][:1]
	case syntax.OpAlternate:
		return matched(e.Sub[r.IntN(len(e.Sub))], r)
	}
	least, most := 1, 1
	switch e.Op {
	case syntax.OpStar:
		least, most = 0, 3
	case syntax.OpPlus:
		least, most = 1, 3
	case syntax.OpQuest:
		least, most = 0, 1
	case syntax.OpRepeat:
		least, most = e.Min, max(e.Min+3, e.Max)
		if e.Max >= 0 {
			most = e.Max
		}
	}
	var out []rune
	for range least + r.IntN(most-least+1) {
		for _, sub := range e.Sub {
			out = append(out, matched(sub, r)...)
		}
	}
	return out
}

// Of what stands in code and paths, few words look like the beginning of a secret.
func TestNearTurnsCodeAway(t *testing.T) {
	for _, text := range []string{
		`{"log": "in test_but\\n    -\\tprint(f\"tests/its.py:1202:assertion_failed_in_make_value\")"}`,
		`{"log": "task=asked.join(earths)/python3/near/asked.py:1303"}`,
	} {
		scanner(t).Candidates([]byte(text), func(start int) {
			t.Errorf("%q is taken for the beginning of a secret", text[start:])
		})
	}
}

// The character beside a marker may be one that JSON writes as a number.
func TestCandidatesBesideCodes(t *testing.T) {
	decide := func(text []byte, start, end int) bool {
		return start > 0 && text[start-1] >= 0x80 || end < len(text) && text[end] >= 0x80
	}
	set := NewSet(Marker{Word: "/home/", Near: decide})
	for text, want := range map[string]int{`"/home/\u4e2d"`: 1, `"\u00a0/home/x"`: 1, `"x /home/ \u4e2d"`: 0} {
		got := 0
		set.NewScanner().Candidates([]byte(text), func(int) { got++ })
		if got != want {
			t.Errorf("%d candidates in %s, want %d", got, text, want)
		}
	}
}

// What escapes hide has to be looked at decoded.
func TestCandidatesInEscapes(t *testing.T) {
	for raw, want := range map[string]bool{`x\u2014y\u00e9`: false, `a\nb\"`: false, `\u00e9\u0068f_`: true, `\/home`: true, `\u00`: false, `\/`: true, `\u007`: true} {
		got := false
		scanner(t).Candidates([]byte(raw), func(int) { got = true })
		if got != want {
			t.Errorf("a candidate in %s: %t, want %t", raw, got, want)
		}
	}
}
