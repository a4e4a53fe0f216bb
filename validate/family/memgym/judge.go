package memgym

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/hfpub/hfpub/validate/finding"
	"github.com/hfpub/hfpub/validate/rows"
	"github.com/hfpub/hfpub/validate/rows/tape"
)

// judge looks at single rows. Its memory is used again for each.
type judge struct {
	row   *rows.Row
	found *finding.Set
	// kept are texts that many rows have, each once.
	kept map[string]string
	// one and two are memory for texts with escapes.
	one, two []byte
}

// say adds a finding about a value of the row.
func (j *judge) say(code finding.Code, about tape.Value, pointer, hint, format string, args ...any) {
	j.found.Add(finding.New(code, format, args...).At(j.row.Path, j.row.LineOf(about)).In(pointer).Hinting("%s", hint))
}

// whole keeps the text of a row that is one document.
func (j *judge) whole(root tape.Value) []string { return []string{string(root.Raw())} }

// keep keeps a text once.
func (j *judge) keep(v tape.Value) string {
	raw := text(v)
	if s, ok := j.kept[string(raw)]; ok {
		return s
	}
	if j.kept == nil {
		j.kept = map[string]string{}
	}
	s := string(raw)
	j.kept[s] = s
	return s
}

// get is a member of an object; a missing one is of kind none.
func get(v tape.Value, key string) tape.Value {
	if v.Tape() == nil {
		return tape.Value{}
	}
	member, _ := v.Get(key)
	return member
}

// is says that a value is there and of a kind.
func is(v tape.Value, kind tape.Kind) bool { return v.Tape() != nil && v.Kind() == kind }

// text is the text of a string; nil for what is none. It belongs to the row unless it has escapes.
func text(v tape.Value) []byte {
	switch {
	case !is(v, tape.String):
		return nil
	case v.Escaped():
		return v.AppendText(nil)
	}
	return v.Raw()
}

func isText(v tape.Value, s string) bool { return is(v, tape.String) && string(text(v)) == s }

// integer reads an integer; ok is false for what is none.
func integer(v tape.Value) (n int, ok bool) {
	if !is(v, tape.Number) {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Raw()))
	return n, err == nil
}

// decimal reads a number.
func decimal(v tape.Value) (x float64, ok bool) {
	if !is(v, tape.Number) {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(v.Raw()), 64)
	return x, err == nil
}

// near says that two numbers are equal but for the error of adding floating point numbers.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// sameText says that two strings have the same text.
func sameText(a, b tape.Value) bool {
	return bytes.Equal(a.Raw(), b.Raw()) || (a.Escaped() || b.Escaped()) && bytes.Equal(text(a), text(b))
}

// at writes a pointer to an element of a list, and to what is in it.
func at(list string, i int, rest string) string { return fmt.Sprintf("%s/%d%s", list, i, rest) }

// elements are those of an array; none of what is no array.
func elements(v tape.Value) iter.Seq2[int, tape.Value] {
	if v.Tape() == nil {
		return func(func(int, tape.Value) bool) {}
	}
	return v.Elements()
}

// texts are the strings of an array.
func texts(v tape.Value) []string {
	var out []string
	for _, element := range elements(v) {
		out = append(out, string(text(element)))
	}
	return out
}
