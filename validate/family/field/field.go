// Package field reads the fields of rows whose form nobody has checked: what is not there, or is of another type, is said to be
// missing, since the schema reports it.
package field

import (
	"iter"
	"strconv"

	"github.com/hfpub/hfpub/validate/rows/tape"
)

// Text returns a member that is a text; "" when there is none.
func Text(v tape.Value, key string) string {
	member, ok := v.Get(key)
	if !ok {
		return ""
	}
	return member.Text()
}

// Int returns a member that is a whole number, or the text of one, as a cell of CSV is.
func Int(v tape.Value, key string) (n int, ok bool) {
	member, ok := v.Get(key)
	if !ok {
		return 0, false
	}
	return IntOf(member)
}

// IntOf is [Int] for a value itself.
func IntOf(v tape.Value) (n int, ok bool) {
	if v.Kind() != tape.Number && v.Kind() != tape.String {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Raw()))
	return n, err == nil
}

// Number returns a member that is a number, or the text of one, and its digits as written.
func Number(v tape.Value, key string) (f float64, digits string, ok bool) {
	member, ok := v.Get(key)
	if !ok || member.Kind() != tape.Number && member.Kind() != tape.String {
		return 0, "", false
	}
	digits = string(member.Raw())
	f, err := strconv.ParseFloat(digits, 64)
	return f, digits, err == nil
}

// List yields the elements of a member that is an array.
func List(v tape.Value, key string) iter.Seq2[int, tape.Value] {
	member, ok := v.Get(key)
	if !ok {
		return func(func(int, tape.Value) bool) {}
	}
	return member.Elements()
}

// Texts returns the texts among the elements of a member that is an array; "" for any other element.
func Texts(v tape.Value, key string) []string {
	var out []string
	for _, element := range List(v, key) {
		out = append(out, element.Text())
	}
	return out
}

// Len is the number of elements of a member that is an array, as [List] yields them; ok is false when it is none.
func Len(v tape.Value, key string) (n int, ok bool) {
	member, ok := v.Get(key)
	if !ok || member.Kind() != tape.Array {
		return 0, false
	}
	return member.Len(), true
}
