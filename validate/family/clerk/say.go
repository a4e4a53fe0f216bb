package clerk

import (
	"fmt"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// said is a finding about a row that is being put together.
type said struct {
	judge   *judge
	code    finding.Code
	line    int
	pointer string
	message string
	advice  string
}

// say begins a finding about a value of the row.
func (j *judge) say(code finding.Code, about tape.Value, format string, args ...any) *said {
	return &said{judge: j, code: code, line: j.row.LineOf(about), message: fmt.Sprintf(format, args...)}
}

// in places the finding at a pointer.
func (s *said) in(pointer string) *said {
	s.pointer = pointer
	return s
}

// at places the finding in a session, at the field or fields that follow.
func (s *said) at(session int, fields ...any) *said {
	s.pointer = "/sessions/" + strconv.Itoa(session)
	for _, f := range fields {
		s.pointer += fmt.Sprintf("/%v", f)
	}
	return s
}

// with gives the finding its hint.
func (s *said) with(hint string) *said {
	s.advice = hint
	return s
}

// finding is what was put together.
func (s *said) finding() finding.Finding {
	return finding.New(s.code, "%s", s.message).At(s.judge.row.Path, s.line).In(s.pointer).Hinting("%s", s.advice)
}

// hint gives the finding its hint, and adds it.
func (s *said) hint(hint string) { s.judge.found.Add(s.with(hint).finding()) }
