package secrets

import (
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// assignment is how gitleaks' generator writes "an operator" in all expressions that look for a name with a value.
const assignment = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

// boundaries are the ways in which its expressions end: with something that is no part of the secret.
var boundaries = []string{"(?:[\\x60'\"\\s;]|\\\\[nr]|$)", `(?:\B|\s|\z)`, "(?:[\\x60'\"\\s;]|\\\\[nr]|$|\\b)"}

// wideWindow is the window of expressions that may match long texts, such as private keys.
const wideWindow = 16 << 10

// nearOf finds out what has to stand near the keywords of an expression whose secrets have more than some entropy, and how far to look.
func nearOf(source string, entropy float64) (near, int) {
	if strings.Contains(source, assignment) && strings.Contains(source, before) {
		// The value is the last group; the shortest of its alternatives counts.
		_, value, _ := strings.Cut(source, assignment)
		value = withoutBoundary(value)
		least := max(1, shortest(value))
		if entropy > 0 && groups(source) == 1 {
			least = max(least, charactersFor(entropy))
		}
		return near{assigned: true, least: least, run: beginsWithRun(value, least)}, commonWindow
	}
	body := withoutBoundary(source)
	window := commonWindow
	if longest(body) > commonWindow {
		window = wideWindow
	}
	tree, err := syntax.Parse(body, syntax.Perl)
	if err != nil || matchesSpace(tree) || isContext(body) {
		return near{}, window
	}
	out := near{solid: true, least: shortest(body), bytes: bytesOf(tree), run: isInRun(tree, 0) || strings.HasPrefix(body, beginsWithKeyword)}
	if strings.HasPrefix(body, besideName) {
		out.bytes, out.run = anyButSpace(), false
	}
	return out, window
}

// beforeValue is what the expressions allow between an operator and a value.
const beforeValue = "[\\x60'\"\\s=]{0,5}"

// charactersFor is how many characters a text with more than some entropy has at least: n of them have the most, log2 n bits for each,
// if all differ.
func charactersFor(entropy float64) int { return int(math.Exp2(entropy)) + 1 }

// groups is how many groups an expression has.
func groups(source string) int {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return 0
	}
	return tree.MaxCap()
}

// beginsWithRun says whether every value that an expression matches behind an operator, of at least least bytes, begins with minRun bytes
// of a run and the first is one of a part, or with minLong bytes of a run.
func beginsWithRun(source string, least int) bool {
	value, ok := strings.CutPrefix(source, beforeValue)
	if !ok {
		return false
	}
	tree, err := syntax.Parse(value, syntax.Perl)
	if err != nil {
		return false
	}
	part, _ := leading(tree, ofRun, slash)
	run, whole := leading(tree, ofRun, 0)
	return part > 0 && (run >= minRun || whole && least >= minRun) || run >= minLong
}

// leading is a lower bound for the bytes of a kind, and not of another, with which every match of an expression begins; whole says that
// there are no others in it.
func leading(e *syntax.Regexp, kind, not uint8) (length int, whole bool) {
	if onlyOf(e, kind, not) {
		least, _ := lengths(e)
		return least, true
	}
	switch e.Op {
	case syntax.OpCapture:
		return leading(e.Sub[0], kind, not)
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			more, whole := leading(sub, kind, not)
			if length += more; !whole {
				break
			}
		}
		return length, false
	case syntax.OpAlternate:
		length = far
		for _, sub := range e.Sub {
			more, _ := leading(sub, kind, not)
			length = min(length, more)
		}
		return length, false
	}
	return 0, false
}

// isInRun says whether all that an expression matches, behind so many bytes of a part, is in a run that [sieve] looks through.
func isInRun(e *syntax.Regexp, before int) bool {
	least, _ := lengths(e)
	switch {
	case before+least >= minPart && onlyOf(e, ofRun, slash), before+least >= minLong && onlyOf(e, ofRun, 0):
		return true
	case e.Op == syntax.OpCapture:
		return isInRun(e.Sub[0], before)
	case e.Op == syntax.OpAlternate:
		return !slices.ContainsFunc(e.Sub, func(sub *syntax.Regexp) bool { return !isInRun(sub, before) })
	case e.Op == syntax.OpConcat:
		last := len(e.Sub) - 1
		for _, sub := range e.Sub[:last] {
			if !onlyOf(sub, ofRun, slash) {
				return false
			}
			least, _ := lengths(sub)
			before += least
		}
		return isInRun(e.Sub[last], before)
	}
	return false
}

// beginsWithKeyword begins the expression that begins with its keywords and a long part, and goes on with others.
const beginsWithKeyword = `\b((?:sc|ext|scauth|authress)_`

// onlyOf says whether all bytes of what an expression matches are of a kind, and not of another.
func onlyOf(e *syntax.Regexp, kind, not uint8) bool {
	var s byteSet
	s.addAll(e)
	for b := range 256 {
		if s.has(byte(b)) && (kinds[b]&kind == 0 || kinds[b]&not != 0) {
			return false
		}
	}
	return !matchesSpace(e)
}

// besideName begins the expression that matches any 40 hexadecimal digits: the name that is its keyword stands right before them,
// as in name=digits.
const besideName = `(?i)\b(\b(sgp_`

func anyButSpace() (s byteSet) {
	for b := range 256 {
		if !isSpace(byte(b)) {
			s.add(byte(b))
		}
	}
	return s
}

// bytesOf are the bytes of all texts that an expression matches, in plain or in a string of JSON.
func bytesOf(e *syntax.Regexp) byteSet {
	var s byteSet
	s.addAll(e)
	if s.has('/') || s.has('"') {
		s.add('\\')
	}
	if s.has('\\') { // in JSON it may be the beginning of another escape
		s.add('/')
		s.add('"')
	}
	return s
}

func (s *byteSet) addAll(e *syntax.Regexp) {
	switch e.Op {
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			s.addRunes(r, r)
			for other := unicode.SimpleFold(r); e.Flags&syntax.FoldCase != 0 && other != r; other = unicode.SimpleFold(other) {
				s.addRunes(other, other)
			}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(e.Rune); i += 2 {
			s.addRunes(e.Rune[i], e.Rune[i+1])
		}
	}
	for _, sub := range e.Sub {
		s.addAll(sub)
	}
}

// addRunes adds the bytes of a range of characters; beyond ASCII, which JSON may write as \u and digits, it adds all there are but
// white space. The long s and the sign of Kelvin match as s and k where case does not count: no secret has them.
func (s *byteSet) addRunes(from, to rune) {
	if from == to && (from == 'ſ' || from == '\u212a') {
		return
	}
	if to > unicode.MaxASCII {
		*s = anyButSpace()
	}
	for r := from; r <= min(to, unicode.MaxASCII); r++ {
		s.add(byte(r))
	}
}

// isContext says whether the keyword of an expression need not stand in what it matches.
func isContext(body string) bool {
	return slices.ContainsFunc([]string{`\b(pat[[:alnum:]]{14}`, `(?i)\b(\d{15,16}(\||%)`}, func(start string) bool { return strings.HasPrefix(body, start) })
}

func withoutBoundary(source string) string {
	for _, b := range boundaries {
		source = strings.TrimSuffix(source, b)
	}
	return source
}

// matchesSpace says whether an expression can match white space.
func matchesSpace(e *syntax.Regexp) bool {
	switch e.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpLiteral:
		return strings.ContainsAny(string(e.Rune), " \t\r\n\f\v")
	case syntax.OpCharClass:
		for i := 0; i < len(e.Rune); i += 2 {
			for _, space := range " \t\r\n\f\v" {
				if e.Rune[i] <= space && space <= e.Rune[i+1] {
					return true
				}
			}
		}
	}
	for _, sub := range e.Sub {
		if matchesSpace(sub) {
			return true
		}
	}
	return false
}

// shortest is a lower bound for the bytes that an expression matches, longest an upper one, at most far.
func shortest(source string) int {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return 0
	}
	least, _ := lengths(tree)
	return least
}

func longest(source string) int {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return far
	}
	_, most := lengths(tree)
	return most
}

// far stands for no bound.
const far = 1 << 20

func lengths(e *syntax.Regexp) (least, most int) {
	switch e.Op {
	case syntax.OpLiteral:
		return len(e.Rune), 4 * len(e.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 4
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range e.Sub {
			l, m := lengths(sub)
			least, most = least+l, min(far, most+m)
		}
		return least, most
	case syntax.OpAlternate:
		least = far
		for _, sub := range e.Sub {
			l, m := lengths(sub)
			least, most = min(least, l), max(most, m)
		}
		return least, most
	case syntax.OpStar:
		return 0, far
	case syntax.OpPlus:
		least, _ = lengths(e.Sub[0])
		return least, far
	case syntax.OpQuest:
		_, most = lengths(e.Sub[0])
		return 0, most
	case syntax.OpRepeat:
		l, m := lengths(e.Sub[0])
		if e.Max < 0 {
			return l * e.Min, far
		}
		return l * e.Min, min(far, m*e.Max)
	}
	return 0, 0
}
