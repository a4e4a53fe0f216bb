package shape

import (
	"bytes"
	"math"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// expression is a regular expression that texts are held against.
type expression struct {
	engine *regexp.Regexp
	// plain says that steps and toEnd say the same: the expression is a row of characters and classes from the start of the
	// text on, each of which ends where the next begins. BenchmarkExpression has what that gains.
	plain bool
	steps []step
	// toEnd says that nothing may follow the steps.
	toEnd bool
	// fixed says the same as the steps of a fixed number of characters, where it is not nil.
	fixed *fixed
}

// step takes as many characters of a class as there are, least to most of them.
type step struct {
	// ascii are the bytes of the class, which are ASCII.
	ascii [256]bool
	// wide says that all characters beyond ASCII are in the class; else none is.
	wide        bool
	least, most int
}

func expressionOf(engine *regexp.Regexp) *expression {
	e := &expression{engine: engine}
	tree, err := syntax.Parse(engine.String(), syntax.Perl)
	if err != nil {
		return e
	}
	parts := sequence(tree, nil)
	if len(parts) == 0 || parts[0].Op != syntax.OpBeginText {
		return e
	}
	parts = parts[1:]
	if n := len(parts); n > 0 && parts[n-1].Op == syntax.OpEndText {
		e.toEnd, parts = true, parts[:n-1]
	}
	for _, part := range parts {
		steps, ok := stepsOf(part)
		if !ok {
			return e
		}
		e.steps = append(e.steps, steps...)
	}
	if e.plain = unambiguous(e.steps); e.plain {
		e.fixed = fixedOf(e.steps)
	}
	return e
}

func (e *expression) matches(text []byte) bool {
	if !e.plain {
		return e.engine.Match(text)
	}
	end, ok := e.walk(text)
	return ok && (!e.toEnd || end == len(text))
}

// walk takes the steps. What stands behind end, and one character more, has not been looked at.
func (e *expression) walk(text []byte) (end int, ok bool) {
	for k := range e.steps {
		if end, ok = e.steps[k].take(text, end); !ok {
			return end, false
		}
	}
	return end, true
}

// matchesEscaped says that the text of a string matches, given as it is written, with escapes. known is false when that
// takes the text itself.
func (e *expression) matchesEscaped(raw []byte) (matches, known bool) {
	if !e.plain {
		return false, false
	}
	end, ok := e.walk(raw)
	if bytes.IndexByte(raw[:min(end+1, len(raw))], '\\') >= 0 {
		return false, false
	}
	return ok && (!e.toEnd || end == len(raw)), true
}

// take returns the offset behind the characters that the step takes from i on; ok is false when they are too few.
func (s *step) take(text []byte, i int) (end int, ok bool) {
	left := s.most
	for {
		from, stop := i, i+min(left, len(text)-i)
		for i < stop && s.ascii[text[i]] {
			i++
		}
		left -= i - from
		if !s.wide || left == 0 || i == len(text) || text[i] < utf8.RuneSelf {
			return i, s.most-left >= s.least
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
		left--
	}
}

// sequence lists the parts of an expression that follow one another.
func sequence(tree *syntax.Regexp, parts []*syntax.Regexp) []*syntax.Regexp {
	switch tree.Op {
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range tree.Sub {
			parts = sequence(sub, parts)
		}
		return parts
	case syntax.OpEmptyMatch:
		return parts
	}
	return append(parts, tree)
}

// stepsOf writes one part of an expression as steps.
func stepsOf(part *syntax.Regexp) ([]step, bool) {
	least, most := 1, 1
	switch part.Op {
	case syntax.OpStar:
		least, most = 0, math.MaxInt
	case syntax.OpPlus:
		most = math.MaxInt
	case syntax.OpQuest:
		least = 0
	case syntax.OpRepeat:
		least, most = part.Min, part.Max
		if most < 0 {
			most = math.MaxInt
		}
	case syntax.OpLiteral:
		return literalSteps(part)
	default:
		return single(part, 1, 1)
	}
	return single(part.Sub[0], least, most)
}

func literalSteps(part *syntax.Regexp) ([]step, bool) {
	var steps []step
	for _, r := range part.Rune {
		if r >= utf8.RuneSelf || part.Flags&syntax.FoldCase != 0 {
			return nil, false
		}
		s := step{least: 1, most: 1}
		s.ascii[r] = true
		steps = append(steps, s)
	}
	return steps, true
}

// single is the step for a part that stands for one character, repeated.
func single(part *syntax.Regexp, least, most int) ([]step, bool) {
	s := step{least: least, most: most}
	switch {
	case part.Op == syntax.OpCapture:
		return single(part.Sub[0], least, most)
	case part.Op == syntax.OpLiteral && len(part.Rune) == 1:
		steps, ok := literalSteps(part)
		if ok {
			steps[0].least, steps[0].most = least, most
		}
		return steps, ok
	case part.Op == syntax.OpAnyChar, part.Op == syntax.OpAnyCharNotNL:
		for c := range utf8.RuneSelf {
			s.ascii[c] = part.Op == syntax.OpAnyChar || c != '\n'
		}
		s.wide = true
		return []step{s}, true
	case part.Op != syntax.OpCharClass:
		return nil, false
	}
	for k := 0; k < len(part.Rune); k += 2 {
		from, to := part.Rune[k], part.Rune[k+1]
		if to >= utf8.RuneSelf {
			if from > utf8.RuneSelf || to != unicode.MaxRune {
				return nil, false
			}
			s.wide = true
		}
		for c := from; c <= min(to, utf8.RuneSelf-1); c++ {
			s.ascii[c] = true
		}
	}
	return []step{s}, true
}

// unambiguous says that no step takes what a later one may need: one of a fixed number of characters takes just these; any
// other has no character in common with the steps that may follow it.
func unambiguous(steps []step) bool {
	for i := range steps {
		if steps[i].least == steps[i].most {
			continue
		}
		for k := i + 1; k < len(steps); k++ {
			if steps[i].overlaps(&steps[k]) {
				return false
			}
			if steps[k].least > 0 {
				break
			}
		}
	}
	return true
}

func (s *step) overlaps(other *step) bool {
	if s.wide && other.wide {
		return true
	}
	for c := range s.ascii {
		if s.ascii[c] && other.ascii[c] {
			return true
		}
	}
	return false
}
